#include "view/part.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace cereus::view {
namespace {
// What stands in the launch table for a kernel; plain, because the owner of a device copies it.
struct Cropped {
  const KernelTable* whole;
  Box box;
};
struct Owned {
  KernelTable whole;
  Cropped part;
};

// A launch whose boxes are cut to the part.
class Cut {
 public:
  Cut(const Launch& l, const Box& part) : launch(l) {
    for (int n = 0; n < l.list.n_blocks; ++n) {
      BlockLaunch b = l.list.blocks[n];
      for (int d = 0; d < 3; ++d) b.lo[d] = std::max(b.lo[d], part.lo[d]), b.hi[d] = std::min(b.hi[d], part.hi[d]);
      if (b.lo[0] < b.hi[0] && b.lo[1] < b.hi[1] && b.lo[2] < b.hi[2]) blocks.push_back(b);
    }
    launch.list = {blocks.data(), static_cast<int>(blocks.size()), 0};
  }
  Cut(const Cut&) = delete;
  std::vector<BlockLaunch> blocks;
  Launch launch;
};

template <KernelLoops::Loop KernelLoops::*loop> void run(const void* kernel, const Launch& l) {
  const Cropped& p = *static_cast<const Cropped*>(kernel);
  const Cut cut(l, p.box);
  if (!cut.blocks.empty()) (p.whole->loops().*loop)(p.whole->kernel.get(), cut.launch);
}
void watch(const void* kernel, const Launch& l, Recording* seen) {
  const Cropped& p = *static_cast<const Cropped*>(kernel);
  p.whole->loops().watch(p.whole->kernel.get(), Cut(l, p.box).launch, seen);
}
void record(const void* kernel, Recording* seen) {
  const Cropped& p = *static_cast<const Cropped*>(kernel);
  p.whole->loops().record(p.whole->kernel.get(), seen);
}
// The list of boxes in the device's memory is that of the whole: each box is launched by itself.
void run_on_device(const void* kernel, const Launch& l, const DeviceQueue& queue) {
  const Cropped& p = *static_cast<const Cropped*>(kernel);
  Cut cut(l, p.box);
  DeviceQueue one = queue;
  one.blocks = nullptr;
  for (const BlockLaunch& b : cut.blocks) {
    cut.launch.list = {&b, 1, 0};
    p.whole->loops().device(p.whole->kernel.get(), cut.launch, one);
  }
}

void update(std::vector<Access>& list) {
  for (Access& a : list)
    if (a.mode == Mode::write) a.mode = Mode::update;
}

KernelTable on_part(const KernelTable& whole, const Box& box) {
  const auto owned = std::make_shared<Owned>(Owned{whole, {nullptr, box}});
  owned->part.whole = &owned->whole;
  KernelTable t = whole;
  t.late = t.tries_shapes = false;
  t.fusable = t.stores = false;
  KernelLoops loops = whole.loops();
  loops.host = run<&KernelLoops::host>;
  if (loops.host_stretched) loops.host_stretched = run<&KernelLoops::host_stretched>;
  if (loops.device) loops.device = run_on_device;
  loops.record = record, loops.watch = watch;
  t.own = std::make_shared<KernelLoops>(loops);
  t.source = nullptr;  // no sweep of several steps is made from it
  t.kernel = std::shared_ptr<void>(owned, &owned->part), t.kernel_size = sizeof(Cropped);
  update(t.accesses);
  return t;
}
}  // namespace

Item on_part(Item item, const Box& box, const Place& place) {
  if (item.variants.front().result_size > 0)
    throw Error(where(place), "map '" + item.name + "' returns a value, and that is one of all points");
  if (item.set)
    item.set = [set = item.set, whole = item.variants](auto&, const Parameters& p, std::span<const double> scalars) {
      auto tables = whole;  // of the same kernels
      set(tables, p, scalars);
    };
  for (KernelTable& t : item.variants) t = on_part(t, box);
  update(item.accesses);
  return item;
}

namespace {
class Ready : public RoutineItem {  // what was described elsewhere
 public:
  Ready(Schedule& s, Item item) : RoutineItem(s.routine(item.name, item.doc, {})) { *item_ = std::move(item); }
};

// The variables of the program that an access of a map touches, if they have a past.
std::vector<std::string> with_past(const Access& a, const ThornRecord& thorn) {
  std::vector<std::string> list;
  for (const Group& g : thorn.groups)
    for (const std::string& v : g.variables) {
      const auto is = [&](const std::string& n) {
        return n == v || n == g.name || n == thorn.name + "::" + v || n == g.full_name();
      };
      const bool touched = a.variables.empty() ? a.key == g.key : std::ranges::any_of(a.variables, is);
      if (touched && g.timelevels > 1) list.push_back(v);
    }
  return list;
}
}  // namespace

void Program::State::schedule_part(Schedule& s, const Scheduled& m, const std::string& after) const {
  std::vector<std::shared_ptr<Item>> whole;
  Schedule own(name, whole);
  m.schedule(own, after);
  Item part = on_part(*whole.front(), m.part->box, m.part->place);
  for (const Access& a : part.accesses) {
    if (a.mode == Mode::read) continue;
    for (const std::string& v : with_past(a, thorn)) {
      KernelTable keep = m.part->keep;
      for (Access& k : keep.accesses) k.key = "", k.variables = {name + "::" + v};
      part.after.push_back(m.name + keeping + v);
      auto item = s.kernel(part.after.back(), "Where nothing is updated, " + v + " is as it was", {keep});
      item.at(bin::evolve);
      if (!after.empty()) item.after(after);
    }
  }
  Ready(s, std::move(part));
}

void Program::State::check_parts(const Simulation& s) const {
  for (const Scheduled& m : maps)
    for (const Routine& r : s.routines)
      if (m.part && r.item->thorn == name && r.item->name == m.name)
        part_of(s, centre_of(s, r.accesses), m.part->box, m.part->place);
}

Box part_of(const Simulation& s, const std::array<Centre, 3>& centre, Box box, const Place& place) {
  const Box all = s.grid.levels[0].space.points(centre, s.grid.dim);
  for (int d = s.grid.dim; d < 3; ++d) box.lo[d] = all.lo[d], box.hi[d] = all.hi[d];
  if (box.empty() || intersect(box, all) != box)
    throw Error(where(place),
        fmt::format("a part of the domain is a box of its points, from ({}, {}, {}) to before ({}, {}, {}), not from "
                    "({}, {}, {}) to before ({}, {}, {})",
            all.lo[0], all.lo[1], all.lo[2], all.hi[0], all.hi[1], all.hi[2], box.lo[0], box.lo[1], box.lo[2],
            box.hi[0], box.hi[1], box.hi[2]));
  return box;
}
}  // namespace cereus::view
