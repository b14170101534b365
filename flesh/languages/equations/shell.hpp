// Equations on a shell around a cube (cereus/kernel/map.hpp): another text of the same kernel, for a run that has some.
#pragma once
#include "equations/kernel.hpp"
namespace cereus::equations {
// Each derivative by x, y, z becomes a sum of differences along the coordinates of the shell, by the chain rule; what
// has no place there is a mistake of the text.
std::vector<Assignment> on_a_shell(Program&, const std::vector<Assignment>&, Span);
}  // namespace cereus::equations
