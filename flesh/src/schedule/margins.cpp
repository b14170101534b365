// How far into ghost zones kernels write that write everywhere.
#include <fmt/format.h>

#include <algorithm>

#include "schedule/build.hpp"

namespace cereus {
Margins::Margins(const Simulation& s) {
  for (const auto& r : s.routines)
    for (const auto& a : r.accesses)
      if (a.mode != Mode::read && a.margin > 0) {
        int& layers = layers_[{a.group, a.component}];
        layers = std::max(layers, a.margin);
      }
}
int Margins::of(const VariableAccess& a) const {
  const auto found = layers_.find({a.group, a.component});
  return found == layers_.end() ? 0 : found->second;
}

namespace {
// A kernel that writes everywhere reads everywhere. Where it reads neighbours, both end before the edge of the ghost
// zones: a margin, to which that of what it reads is added.
bool find_margin(Simulation& s, Routine& r, Problems& problems) {
  constexpr int most = 64;
  const auto everywhere = [](const auto& a) { return a.mode != Mode::read && a.region == Region::everywhere; };
  if (!r.is_kernel || std::ranges::none_of(r.accesses, everywhere)) return false;
  const Margins margins(s);
  int margin = 0;
  for (const auto& a : r.accesses)
    if (a.mode == Mode::read) margin = std::max(margin, a.reach + margins.of(a));
  if (margin > most) {
    problems.add(fmt::format("{} writes everywhere what it reads at neighbours", r.name));
    return false;
  }
  bool wider = false;
  for (auto& a : r.accesses) {
    const int now = a.mode == Mode::read ? margin - a.reach : margin;
    wider |= everywhere(a) && now > a.margin;
    if (a.mode == Mode::read || everywhere(a)) a.region = Region::everywhere, a.margin = now;
  }
  return wider;
}
}  // namespace

void find_margins(Simulation& s, Problems& problems) {
  for (bool wider = true; wider;) {
    wider = false;
    for (auto& r : s.routines) wider |= find_margin(s, r, problems);
  }
  const Margins margins(s);
  for (const auto& r : s.routines)
    for (const auto& a : r.accesses)
      if (a.mode == Mode::read && a.region != Region::interior && a.margin < margins.of(a))
        problems.add(fmt::format("{} reads the ghost zones of {} to their edge, and they are written without {} layers",
            r.name, s.variable_name(a.group, a.component), margins.of(a)));
}
}  // namespace cereus
