// Maps on a part of the domain.
#pragma once
#include "view/state.hpp"
namespace cereus::view {
// The box in all three dimensions, of which the grid has so many. Throws Error unless all of it are points of the grid.
Box part_of(const Simulation&, const std::array<Centre, 3>&, Box, const Place&);
// A kernel whose loops take no points but those of a box; what it writes counts as updated.
Item on_part(Item, const Box&, const Place&);
}  // namespace cereus::view
