// What Forest refuses before anything is computed: variables that cannot be refined, and steps that cannot be taken.
#pragma once
#include <cereus/context.hpp>
namespace Forest {
// Throws cereus::Error with the place in the parameter file.
void check(cereus::Context&);
}  // namespace Forest
