#include "equations/arrange.hpp"

#include <algorithm>
#include <limits>

namespace cereus::equations {
namespace {
constexpr int never = std::numeric_limits<int>::max(),
              far = 400;  // steps by which a value that costs less is preferred

class Placing {
 public:
  Placing(const std::vector<Step>& steps, const std::vector<bool>& in_memory, int registers)
      : steps_(steps),
        in_memory_(in_memory),
        registers_(registers),
        uses_(in_memory.size()),
        next_(in_memory.size(), 0),
        slot_(in_memory.size(), -1),
        held_(in_memory.size(), false) {
    for (int t = 0; t < static_cast<int>(steps.size()); ++t)
      for (const int v : needs(t))
        if (uses_[v].empty() || uses_[v].back() != t) uses_[v].push_back(t);
  }

  Placed place() {
    for (int t = 0; t < static_cast<int>(steps_.size()); ++t) step(t);
    placed_.cost += 0.5 * placed_.slots;
    return std::move(placed_);
  }

 private:
  // What is added to is needed, too.
  std::vector<int> needs(int t) const {
    std::vector<int> list = steps_[t].ins;
    if (steps_[t].out >= 0 && !steps_[t].first) list.push_back(steps_[t].out);
    return list;
  }
  int next_use(int v) const { return next_[v] < uses_[v].size() ? uses_[v][next_[v]] : never; }

  void step(int t) {
    const Step& s = steps_[t];
    placed_.before.emplace_back();
    const std::vector<int> ins = needs(t);
    const int missing = static_cast<int>(std::ranges::count_if(ins, [&](int v) { return !held_[v]; }));
    make_room(registers_ - s.room - 1 - missing, ins);
    for (const int v : ins)
      if (!held_[v]) {
        placed_.before.back().push_back({in_memory_[v] ? Move::Kind::read : Move::Kind::get, v, slot_[v]});
        placed_.cost += in_memory_[v] ? 0.5 : 1;
        hold(v);
      }
    for (const int v : ins) {
      while (next_[v] < uses_[v].size() && uses_[v][next_[v]] <= t) ++next_[v];
      if (next_use(v) == never && v != s.out) drop(v);
    }
    if (s.out < 0) return;
    if (slot_[s.out] >= 0) free_.push_back(slot_[s.out]), slot_[s.out] = -1;  // what lies there is an older value
    if (!held_[s.out]) hold(s.out);
    if (next_use(s.out) == never) drop(s.out);
  }
  void hold(int v) { held_[v] = true, now_.push_back(v); }
  void drop(int v) {
    if (held_[v]) held_[v] = false, now_.erase(std::ranges::find(now_, v));
    if (slot_[v] >= 0) free_.push_back(slot_[v]), slot_[v] = -1;
  }
  void make_room(int most, const std::vector<int>& keep) {
    while (static_cast<int>(now_.size()) > most) {
      int out = -1, latest = -1;
      for (const int v : now_) {
        if (std::ranges::count(keep, v)) continue;
        const int use = next_use(v), when = use == never ? never : use + (in_memory_[v] || slot_[v] >= 0 ? far : 0);
        if (when > latest) latest = when, out = v;
      }
      if (out < 0) return;
      if (!in_memory_[out] && slot_[out] < 0) {
        if (free_.empty()) slot_[out] = placed_.slots++;
        else slot_[out] = free_.back(), free_.pop_back();
        placed_.before.back().push_back({Move::Kind::put, out, slot_[out]});
        placed_.cost += 1;
      }
      held_[out] = false, now_.erase(std::ranges::find(now_, out));
    }
  }

  const std::vector<Step>& steps_;
  const std::vector<bool>& in_memory_;
  const int registers_;
  std::vector<std::vector<int>> uses_;  // of each value, the steps that need it
  std::vector<std::size_t> next_;       // the next of them
  std::vector<int> slot_, now_, free_;  // where a value waits; what registers hold; slots that are free
  std::vector<bool> held_;
  Placed placed_;
};
}  // namespace

Placed place(const std::vector<Step>& steps, const std::vector<bool>& in_memory, int registers) {
  return Placing(steps, in_memory, registers).place();
}
}  // namespace cereus::equations
