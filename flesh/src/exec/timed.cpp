#include "exec/timed.hpp"

#include <algorithm>

namespace cereus {
namespace {
thread_local Timed* routine = nullptr;
thread_local Share* share = nullptr;
}  // namespace

Timed::Timed(Timers& t, int node, Device* d) : timers_(t), node_(node), device_(d), outer_(routine) { routine = this; }
Timed::~Timed() { routine = outer_; }
int Timed::outside(Timers& timers, const std::string& name) {
  const auto& nodes = timers.nodes();
  const auto found = std::ranges::find_if(nodes, [&](const auto& n) { return n.parent < 0 && n.name == name; });
  return found == nodes.end() ? add_routine_timer(timers, name, -1) : static_cast<int>(found - nodes.begin());
}
void Timed::started(Timers& timers, std::chrono::nanoseconds time) {
  const int start = outside(timers, "start");
  if (timers.nodes()[start].calls) return;
  for (const TimerNode& n : timers.nodes())
    if (n.parent < 0 && n.name != background_timer) time -= std::chrono::nanoseconds(n.nanoseconds);
  timers.record(start, time);
}
Device* Timed::device(const Simulation& s) {
  auto* device = s.services.find<Device>();
  return device && s.of("Cereus").boolean("exact_times") ? device : nullptr;
}

Share::Share(int what, bool overlaps)
    : what_(what),
      of_(routine),
      outer_(share),
      waits_(of_ && of_->device_ && !outer_ && !overlaps) {
  if (!of_) return;
  if (waits_) of_->device_->wait();
  start_ = std::chrono::steady_clock::now();
  share = this;
}
Share::~Share() {
  if (!of_) return;
  share = outer_;
  const auto now = std::chrono::steady_clock::now();
  if (outer_) outer_->inside_ += now - start_;
  if (what_ >= 0) of_->timers_.record(of_->node_ + 1 + what_, now - start_ - inside_);
}
}  // namespace cereus
