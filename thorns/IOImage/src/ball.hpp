// Pictures of a ball: a cube inside six shells (cereus/kernel/map.hpp), in a plane through the middle, where shells
// have points. Each place of a square around the ball shows the nearest point of the patch that has it; beyond there is
// none.
#pragma once
#include "slice.hpp"

namespace IOImage {
bool is_ball(const Grid&);
Slice cut_ball(const Simulation&, const Parameters&);
// As points_of and gather_slice.
cereus::Box points_of_ball(const Grid&, const std::vector<int>& axes, int level);
std::vector<char> gather_ball(Simulation&, const Slice&, const VariableAccess&);
// Around a block of a shell where the plane meets it, in the coordinates of the plane; else empty.
std::vector<std::array<double, 2>> outline_on_shell(
    const Grid&, const std::vector<int>& axes, int level, const cereus::Box&);
}  // namespace IOImage
