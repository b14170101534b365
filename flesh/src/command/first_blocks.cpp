// Runs what says where blocks should be finer, as the start does, where that looks at no grid function: balls around
// places, or around what another thorn puts into arrays.
#include "command/first_blocks.hpp"

#include <algorithm>
#include <set>

#include "exec/bin.hpp"

namespace cereus {
namespace {
bool looks_at_fields(const Simulation& s, const Routine& r) {
  return r.is_kernel || std::ranges::any_of(r.accesses, [&](const VariableAccess& a) {
    return s.groups[a.group].kind == GroupKind::grid_function;
  });
}
template <class F> void each_routine(Simulation& s, const std::string& bin, F&& f) {
  for (const Routine& r : s.routines)
    if (!r.item->is_group && r.item->where == bin) f(r);
}
}  // namespace

bool add_first_blocks(Simulation& s, Simulation& point) {
  auto& driver = s.services.get<Driver>();
  bool from_data = false, looks = false;
  std::set<int> needed;  // groups
  each_routine(point, "regrid", [&](const Routine& r) {
    looks = true, from_data = from_data || looks_at_fields(point, r);
    for (const VariableAccess& a : r.accesses) needed.insert(a.group);
  });
  if (from_data) return false;
  // Those who write what is followed, if they read nothing that others write.
  std::set<int> written;
  each_routine(point, "initial", [&](const Routine& r) {
    const auto reads = [](const VariableAccess& a) { return a.mode != Mode::write; };
    const auto writes_needed = [&](const VariableAccess& a) { return !reads(a) && needed.contains(a.group); };
    if (looks_at_fields(point, r) || std::ranges::none_of(r.accesses, writes_needed) ||
        std::ranges::any_of(r.accesses, reads))
      return;
    call(point, r, point.grid.all());
    for (const VariableAccess& a : r.accesses) written.insert(a.group);
  });
  if (!looks || !std::ranges::includes(written, needed)) return false;
  constexpr int most_rounds = 100;  // as at the start of a run
  point.grid = s.grid;
  for (int round = 0; round < most_rounds; ++round) {
    each_routine(point, "regrid", [&](const Routine& r) { call(point, r, point.grid.all()); });
    auto now = driver.adapt(point, [] {});
    if (!now) return s.grid = point.grid, true;
    point.grid = std::move(*now);
  }
  return false;
}
}  // namespace cereus
