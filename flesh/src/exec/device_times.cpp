#include "exec/device_times.hpp"

#include <algorithm>
#include <utility>

namespace cereus {
namespace {
bool is_measured(int call) { return call <= 4 || call % 64 == 0; }
constexpr int most_remembered = 8;  // calls that the mean looks back on
constexpr std::size_t most_unknown = 256;
}  // namespace

DeviceTimes::Mark DeviceTimes::mark(Device& d) noexcept {
  try {
    return d.moment();
  } catch (...) {  // of kernels that were held back until now
    if (!failure_) failure_ = std::current_exception();
    return nullptr;
  }
}

DeviceTimes::Open* DeviceTimes::around() {
  const auto found = std::ranges::find(open_.rbegin(), open_.rend(), true, &Open::own);
  return found == open_.rend() ? nullptr : &*found;
}

void DeviceTimes::note_waiting(Device& d) {
  const auto time = d.waited();
  if (time.count() > 0 && !open_.empty()) now_.waited[open_.back().node] += time;
}

void DeviceTimes::enter(Device& d, int node, bool own) {
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  note_waiting(d);
  Open opened{node, own, nullptr, nullptr};
  Open* const outer = own ? around() : nullptr;
  if (own && (outer ? outer->call != nullptr : is_measured(++known_[node].calls))) opened.since = mark(d);
  if (opened.since) {
    opened.call = std::make_shared<Call>();
    if (outer) outer->call->parts.emplace_back(outer->since, opened.since);
  }
  open_.push_back(std::move(opened));
}

void DeviceTimes::leave(Timers& timers, Device& d) noexcept {
  note_waiting(d);
  Open closed = std::move(open_.back());
  open_.pop_back();
  if (closed.own) ++now_.calls[closed.node];
  if (closed.call) {
    const Mark now = mark(d);
    Open* const outer = around();
    if (outer) outer->since = now;
    if (outer && !now) outer->call = nullptr;
    closed.call->node = closed.node;
    closed.call->parts.emplace_back(std::move(closed.since), now);
    if (now) calls_.push_back(std::move(closed.call));
  }
  if (!open_.empty()) return;
  if (!now_.waited.empty()) windows_.push_back(std::exchange(now_, {}));
  if (windows_.size() < 2 && calls_.size() < most_unknown) return;  // the calls of the last may not be over
  try {
    learn();
  } catch (...) {  // of a kernel that has failed meanwhile
    if (!failure_) failure_ = std::current_exception();
    calls_.clear();
  }
  if (windows_.size() < 2) return;
  share_out(timers, windows_.front());
  windows_.erase(windows_.begin());
}

void DeviceTimes::settle(Timers& timers) {
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  learn();
  for (const Window& w : std::exchange(windows_, {})) share_out(timers, w);
}

void DeviceTimes::learn() {
  std::erase_if(calls_, [&](const auto& call) {
    std::chrono::nanoseconds sum{};
    for (const auto& [begin, end] : call->parts) {
      const auto time = end->since(*begin);
      if (!time) return false;
      sum += *time;
    }
    Known& k = known_[call->node];
    const double seconds = std::chrono::duration<double>(sum).count();
    // The first call also loads code, and counts only as long as it is the only one.
    k.seconds = k.measured <= 1 ? seconds : k.seconds + (seconds - k.seconds) / std::min(k.measured, most_remembered);
    ++k.measured;
    return true;
  });
}

void DeviceTimes::share_out(Timers& timers, const Window& w) const {
  std::map<int, double> parts;
  double all = 0;
  for (const auto& [node, calls] : w.calls)
    if (const auto known = known_.find(node); known != known_.end() && known->second.seconds > 0)
      all += parts[node] = calls * known->second.seconds;
  for (const auto& [from, time] : w.waited)
    for (const auto& [node, seconds] : parts)
      timers.move(from, node,
          std::chrono::nanoseconds(static_cast<std::int64_t>(static_cast<double>(time.count()) * seconds / all)));
}
}  // namespace cereus
