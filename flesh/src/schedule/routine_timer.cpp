#include "schedule/routine_timer.hpp"

namespace cereus {
int add_routine_timer(Timers& timers, const std::string& name, int parent) {
  const int node = timers.add(name, parent);
  for (const char* what : waiting_for) timers.add(what + name, node);
  return node;
}
}  // namespace cereus
