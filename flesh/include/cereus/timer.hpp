// Hierarchical timers: one a scheduled item, nested as the schedule is.
#pragma once
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>
namespace cereus {
struct TimerNode {
  std::string name;
  int parent = -1;
  std::int64_t calls = 0, nanoseconds = 0, bytes = 0;  // bytes: of grid functions that the calls read and wrote
};
// What a routine waits for before it can run has a timer each, behind that of the routine and below it: these words
// and the name of the routine.
enum class Shared { ghosts, boundaries, background };
inline constexpr const char* waiting_for[] = {"ghost zones for ", "boundaries for ", "the lane before "};
inline constexpr const char* background_timer = "beside the evolution";  // of all routines of the background thread

class Timers {
 public:
  int add(std::string name, int parent);
  const std::vector<TimerNode>& nodes() const { return nodes_; }
  void record(int node, std::chrono::nanoseconds t, std::int64_t bytes = 0) {
    auto& n = nodes_[node];
    ++n.calls, n.nanoseconds += t.count(), n.bytes += bytes;
  }
  // Time that one node was charged belongs to another.
  void move(int from, int to, std::chrono::nanoseconds t) {
    for (int n = from; n >= 0; n = nodes_[n].parent) nodes_[n].nanoseconds -= t.count();
    for (int n = to; n >= 0; n = nodes_[n].parent) nodes_[n].nanoseconds += t.count();
  }

 private:
  std::vector<TimerNode> nodes_;
};
}  // namespace cereus
