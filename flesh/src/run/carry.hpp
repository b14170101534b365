// What a simulation holds, on its way to the next one of the same program, or to other blocks: an image, as a
// checkpoint has it.
#pragma once
#include "cereus/image.hpp"
namespace cereus {
struct Saved {
  Image image;
  std::string grid;  // Driver::grid_text
  Index ghosts;
  Clock clock;
  std::vector<Clock> levels{};
};
Saved save(Simulation&);
// Into fields that hold nothing yet. Collective.
void put_back(Simulation&, const Saved&);
}  // namespace cereus
