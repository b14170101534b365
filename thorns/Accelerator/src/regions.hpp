// The regions of a variable on a block, as boxes: what one entry of the validity table stands for.
#pragma once
#include <cereus/grid.hpp>

#include <vector>
namespace Accelerator {
using namespace cereus;

// Ghost zones of `depth` layers: off the faces, and off edges and corners too if `full`. Points outside the domain are
// outer boundary, whoever's ghosts they also are.
std::vector<Box> ghost_boxes(const Grid&, const Block&, const std::array<Centre, 3>&, int depth, bool full);
// The outer boundary at these faces (bit 2·axis + side), each point once.
std::vector<Box> boundary_boxes(const Grid&, const Block&, const std::array<Centre, 3>&, unsigned faces);
}  // namespace Accelerator
