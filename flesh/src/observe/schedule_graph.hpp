// Prints the schedule of a simulation: each bin once, and the bins of a step as the second step runs them.
#pragma once
#include "cereus/simulation.hpp"
namespace cereus {
std::string schedule_as_text(const Simulation&, int processes, bool why);  // `why`: with reasons of the order
std::string schedule_as_dot(const Simulation&);
std::string forecast_of_steps(const Simulation&);  // a line, if a thorn may take several steps at once
}  // namespace cereus
