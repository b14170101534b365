// Runs the schedule: walks a bin, and around each routine makes good what it reads and notes what it wrote.
#pragma once
#include "cereus/context.hpp"
namespace cereus {
void run_bin(Simulation&, const std::string& bin, Selection);
void run_node(Simulation&, const Node&, Selection);
// Runs a routine without the checks of an audit. Returns the bytes that its loops read and write, if it is a kernel.
std::int64_t run_unaudited(Simulation&, Routine&, Selection);
// Calls what the thorn wrote and nothing else: once, once for all levels, or for each level.
void call(Simulation&, const Routine&, Selection);
// Human-readable: who made this region what it is.
std::string explain(const Simulation&, Why);
}  // namespace cereus
