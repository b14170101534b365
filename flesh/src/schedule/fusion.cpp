// Decides which updates of the time integrator are fused into the kernel that writes the right-hand side: where exactly
// one kernel writes it and nobody but the integrator reads or writes it before the update. And which kernels fill ghost
// zones of what they write or update: where somebody may read neighbours.
#include <fmt/format.h>

#include <algorithm>

#include "schedule/build.hpp"

namespace cereus {
namespace {
// Of the variants in the run's dimension one is asked: they are the same in this.
bool loops_take_update(const Simulation& s, const Routine& r) {
  const auto* driver = s.services.find<Driver>();
  if (!driver || !(driver->stretches_axes() || driver->maps())) return true;
  const auto fits = [&](const KernelTable& t) {
    return t.dim == driver->dimension() && (t.type == ScalarType::float32) == (s.real == ScalarType::float32);
  };
  const auto table = std::ranges::find_if(r.item->variants, fits);
  return table == r.item->variants.end() || table->may_fuse(driver->stretches_axes(), driver->maps());
}

// Empty if the update of this group of right-hand sides can be fused, else the reason.
std::string obstacle(const Simulation& s, int rhs, int& writer, Strip& strip) {
  writer = -1;
  for (const auto& r : s.routines)
    for (const auto& a : r.accesses) {
      if (a.group != rhs || r.integrates || r.item->clears) continue;
      if (const Strip& touched = r.item->strip; touched.layers > 0) {
        strip = {std::max(strip.layers, touched.layers), strip.faces | touched.faces};
        continue;
      }
      if (a.mode == Mode::read) return fmt::format("{} reads {}", r.item->full_name(), s.groups[rhs].full_name());
      if (writer >= 0 && writer != r.id)
        return fmt::format(
            "{} and {} write {}", s.routines[writer].item->full_name(), r.item->full_name(), s.groups[rhs].full_name());
      writer = r.id;
    }
  if (writer < 0) return "nobody writes it";
  const Routine& w = s.routines[writer];
  if (!w.is_kernel) return fmt::format("{} is a routine, not a kernel", w.item->full_name());
  const KernelTable& table = w.item->variants.front();
  if (!table.fusable) return fmt::format("{} adds to, updates or returns something", w.item->full_name());
  if (!loops_take_update(s, w))
    return fmt::format("the loop of {} over stretched axes, or shells, takes no update", w.item->full_name());
  for (const auto& a : w.accesses)
    if (a.mode != Mode::read && s.groups[a.group].evolves < 0)
      return fmt::format("{} also writes {}", w.item->full_name(), s.variable_name(a.group, a.component));
  if (w.item->where != MoL::rhs.name) return fmt::format("{} does not run in {}", w.item->full_name(), MoL::rhs.name);
  if (!w.item->if_scalar.empty() || !w.item->while_scalar.empty())
    return fmt::format("{} is conditional", w.item->full_name());
  return "";
}
// Which outputs are, or update, something whose neighbours somebody may read; none of a kernel that works in place.
unsigned long long read_at_offset(const Simulation& s, const Routine& kernel) {
  unsigned long long outputs = 0, bit = 1;
  for (const auto& out : kernel.accesses) {
    if (out.mode == Mode::read) continue;
    const int state = kernel.fused.empty() ? out.group : s.groups[out.group].evolves;
    for (const auto& r : s.routines)
      for (const auto& a : r.accesses)
        if (a.group == state && a.component == out.component && a.mode == Mode::read && a.reach > 0) {
          if (kernel.fused.empty() && r.id == kernel.id && a.timelevel == out.timelevel) return 0;
          outputs |= bit;
        }
    bit <<= 1;
  }
  return outputs;
}
void fuse(Simulation& s, Routine& r) {
  std::vector<int> groups;
  std::string why;
  Strip strip;
  for (const auto& a : r.accesses) {
    if (a.mode == Mode::read || s.groups[a.group].evolves < 0 || r.integrates || r.item->strip.layers > 0 ||
        r.item->clears)
      continue;
    if (!groups.empty() && groups.back() == a.group) continue;
    groups.push_back(a.group);
    int writer;
    if (why.empty()) why = obstacle(s, a.group, writer, strip);
  }
  if (groups.empty()) return;
  for (int g : groups)
    if (s.groups[s.groups[g].evolves].timelevels != s.groups[s.groups[groups[0]].evolves].timelevels)
      why = "the groups it evolves have different numbers of timelevels";
  if (why.empty()) r.fused = groups, r.unfused_strip = strip;
  r.not_fused = why;
}
}  // namespace

void plan_fusion(Simulation& s) {
  for (auto& r : s.routines) r.integrates = r.item->thorn == s.services.provider<TimeIntegrator>();
  if (!s.fuse) return;
  for (auto& r : s.routines) {
    if (s.services.find<TimeIntegrator>()) fuse(s, r);
    if (r.is_kernel && !r.integrates && r.item->strip.layers == 0 && !r.item->clears)
      r.read_at_offset = read_at_offset(s, r);
  }
}
}  // namespace cereus
