// Walks the schedule: before each routine it makes valid what the routine reads, and afterwards it notes the writes.
#pragma once
#include <chrono>

#include "cereus/context.hpp"
namespace cereus {
void run_bin(Simulation&, const std::string& bin, Selection);
void run_node(Simulation&, const Node&, Selection);
// Whether it has reached its last iteration or its final time. The same on all processes, because all see the same
// clock.
bool limit_reached(const Simulation&, const Clock&);
bool due(const Simulation&, const Routine&, const Clock&);  // whether it runs then
void run_at_end(Simulation&);  // outputs that are due at the end, of a run that ends before its limits
// Runs a routine without the checks of an audit. Returns the bytes that its loops read and write, if it is a kernel.
std::int64_t run_unaudited(Simulation&, Routine&, Selection);
// Calls what the thorn wrote and nothing else: once, once for all levels, or for each level.
void call(Simulation&, const Routine&, Selection);
// The routine of the schedule that this process entered last, and when; any thread may ask. No item: none yet.
struct Entered {
  const Item* item = nullptr;
  std::chrono::steady_clock::time_point when;
};
Entered last_entered();
void forget_entered();
// For messages: the routine that made a region valid or stale, and when.
std::string explain(const Simulation&, Why);
}  // namespace cereus
