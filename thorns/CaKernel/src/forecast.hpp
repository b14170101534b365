// How steps are taken, in words: for `graph` and `check`, and for timers.
#pragma once
#include "tiles.hpp"
namespace CaKernel {
std::string way_text(const sweep::Program&, const TileShape&);  // "4 stages a sweep"
// A line each: steps, or the stages of an integrator, are taken one by one, for that reason; or in one of the ways that
// tiles offer.
std::string forecast_text(bool stages, const std::string& why);
std::string forecast_text(const StepProgram&, const std::vector<Candidate>&, bool trials);
}  // namespace CaKernel
