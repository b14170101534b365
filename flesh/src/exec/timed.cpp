#include "exec/timed.hpp"

#include <algorithm>

namespace cereus {
namespace {
thread_local Timed* routine = nullptr;
thread_local Share* share = nullptr;
}  // namespace

Timed::Timed(Simulation& s, int node) : s_(s), node_(node), work_(s, node), outer_(routine) { routine = this; }
Timed::~Timed() { routine = outer_; }
void Timed::wait(Simulation& s) {
  if (auto* device = s.services.find<Device>(); device && s.of("Cereus").boolean("exact_times")) device->wait();
}
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

Share::Share(int what, bool overlaps) : what_(what), of_(routine), outer_(share) {
  if (!of_) return;
  if (!outer_ && !overlaps) Timed::wait(of_->s_);
  work_.emplace(of_->s_, node(), !overlaps);
  start_ = std::chrono::steady_clock::now();
  share = this;
}
Share::~Share() {
  if (!of_) return;
  share = outer_;
  const auto now = std::chrono::steady_clock::now();
  if (outer_) outer_->inside_ += now - start_;
  if (what_ >= 0) of_->s_.timers.record(node(), now - start_ - inside_);
}
}  // namespace cereus
