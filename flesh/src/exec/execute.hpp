// Runs the schedule: walks a bin, and around each routine makes good what it reads and notes what it wrote.
#pragma once
#include "cereus/context.hpp"
namespace cereus {
void run_bin(Simulation&, const std::string& bin, int level);  // level −1: routines of all levels
void run_node(Simulation&, const Node&, int level);
void run_routine(Simulation&, Routine&, int level);
// Calls what the thorn wrote and nothing else: once, or for each level.
void call(Simulation&, const Routine&, int level);
// Human-readable: who made this region what it is.
std::string explain(const Simulation&, Why);
}  // namespace cereus
