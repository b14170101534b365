// What a run says of conditions that change nothing, or other than they seem to.
#pragma once
#include <cereus/context.hpp>
namespace Boundary {
// Of overrides that name no variable, and radiation whose origin lies on the face: throws one Error. Warns of settings
// without effect.
void check(cereus::Context&);
// Warns of radiation at another speed than the variable's thorn offers.
void check_speed(cereus::Context&);
}  // namespace Boundary
