// The timers of a routine: its own, and those of what it waits for before it can run.
#pragma once
#include <cereus/timer.hpp>
namespace cereus {
// Adds the timer of a routine, and right behind it those of what it waits for.
int add_routine_timer(Timers&, const std::string& routine, int parent);
}  // namespace cereus
