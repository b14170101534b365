// The boxes of a kernel's launches: points that wait for nothing, and the rest.
#include "exec/plan.hpp"

#include <algorithm>

namespace cereus {
namespace {
// The part of a box that a kernel can update before the ghost zones at the faces `arriving` have come and before the
// conditions at the faces `outer` are applied. A condition may also set the points on the face, hence one layer more.
Box inner(Box box, int dim, int reach, unsigned arriving, unsigned outer) {
  for (int d = 0; d < dim; ++d) {
    const auto by = [&](int side) {
      const unsigned face = 1U << (2 * d + side);
      return outer & face ? reach + 1 : arriving & face ? reach : 0;
    };
    box.lo[d] += by(0);
    box.hi[d] -= by(1);
  }
  return box;
}

unsigned outer_of(const Block& b) {
  unsigned faces = 0;
  for (unsigned f = 0; f < b.face.size(); ++f) faces |= b.face[f] == Face::outer ? 1U << f : 0;
  return faces;
}

KernelPlan plan_of(const Simulation& s, const Routine& r, int level) {
  KernelPlan p;
  p.epoch = s.grid.epoch;
  const auto output = std::ranges::find_if(r.accesses, [](const auto& a) { return a.mode != Mode::read; });
  const auto& place = output == r.accesses.end() ? r.accesses.front() : *output;
  p.interior = place.region == Region::interior;
  const auto centre = centre_of(s, r.accesses);
  p.boxes = boxes_of(s, r, level, place, centre);
  if (output == r.accesses.end())  // what is reduced is that of the finest level
    std::erase_if(p.boxes, [&](const BlockBox& b) { return s.grid.blocks[b.block].covered; });
  if (r.unfused_strip.layers > 0) {
    // Large kernels are slow on boxes of two layers, so a kernel that can goes through the strip with all other points.
    if (!r.table->updates_in_part()) p.strip = {s, strip_of(s, level, r.unfused_strip, centre)};
    for (auto& [b, box] : p.boxes) {
      const Box updated = without_strip(s, b, box, r.unfused_strip);
      if (r.table->updates_in_part()) p.updated.push_back(updated);
      else box = updated;
    }
  }
  p.all = {s, p.boxes, {}, p.updated};
  for (const auto& [b, box] : p.boxes) p.points += box.points();
  for (const auto& a : r.accesses) {
    const auto bytes = static_cast<std::int64_t>(size_of(s.type(a.group)));
    p.bytes_a_point += bytes;
    if (a.mode == Mode::read) p.reach = std::max(p.reach, a.reach);
    else if (r.fused.empty()) p.outputs.push_back({a.group, a.component, a.timelevel, level, 0, false});
    else {
      p.outputs.push_back({s.groups[a.group].evolves, a.component, 0, level, 0, false});
      p.bytes_a_source += bytes;
    }
  }
  p.one_place = std::ranges::all_of(p.outputs, [&](const Ghosts& o) { return s.groups[o.group].centre == centre; });
  return p;
}
}  // namespace

BlockBoxes boxes_of(
    const Simulation& s, const Routine& r, int level, const VariableAccess& a, const std::array<Centre, 3>& centre) {
  if (r.item->level_faces >= 0) return level_faces_of(s, level, r.item->level_faces, centre);
  return boxes_of(s, level, a.region, centre, a.margin);
}

void KernelPlan::push_to(const Simulation& s, std::span<const std::array<Offset, 6>> to) {
  if (to.data() == ghosts.data()) return;
  ghosts = to;
  all = {s, boxes, ghosts};
  splits.clear();
  current = -1;
}

std::ptrdiff_t KernelPlan::waiting(const Simulation& s, const Exchange& exchange, bool conditions) const {
  return std::ranges::count_if(boxes, [&](const BlockBox& b) {
    return exchange.arriving(b.block) || (conditions && outer_of(s.grid.blocks[b.block]));
  });
}

bool KernelPlan::split(const Simulation& s, const Exchange& exchange, bool conditions) {
  const auto same = [&](const Split& known) {
    if (known.conditions != conditions) return false;
    for (std::size_t n = 0; n < boxes.size(); ++n)
      if (known.arriving[n] != exchange.arriving(boxes[n].block)) return false;
    return true;
  };
  auto found = std::ranges::find_if(splits, same);
  if (found == splits.end()) {
    Split made{{}, conditions, {}, {}};
    BlockBoxes inside, rest;
    const auto outer = [&](int b) { return conditions ? outer_of(s.grid.blocks[b]) : 0; };
    const bool whole = 2 * waiting(s, exchange, conditions) <= std::ssize(boxes);  // no box is cut
    for (const auto& [b, box] : boxes) {
      made.arriving.push_back(exchange.arriving(b));
      if (whole) {
        (made.arriving.back() || outer(b) ? rest : inside).push_back({b, box});
        continue;
      }
      inside.push_back({b, inner(box, s.grid.dim, reach, made.arriving.back(), outer(b))});
      for (const Box& part : difference(box, inside.back().box)) rest.push_back({b, part});
    }
    made.inside = {s, inside, ghosts, updated};
    made.rest = {s, rest, ghosts, updated};
    found = splits.insert(splits.end(), std::move(made));
  }
  const bool some = std::ranges::count(found->arriving, 0) < std::ssize(boxes);
  current = some ? static_cast<int>(found - splits.begin()) : -1;
  return some;
}

KernelPlan& LaunchPlans::of(const Simulation& s, const Routine& r, int level) {
  if (plans_.size() != s.routines.size()) plans_.resize(s.routines.size());
  auto& levels = plans_[static_cast<std::size_t>(r.id)];
  if (levels.size() != s.grid.levels.size()) levels.resize(s.grid.levels.size());
  KernelPlan& plan = levels[static_cast<std::size_t>(level)];
  if (plan.epoch != s.grid.epoch) plan = plan_of(s, r, level);
  return plan;
}

const std::vector<Later>& LaunchPlans::later(const Simulation& s, const Routine& r) {
  const auto [found, fresh] = later_.try_emplace(r.id);
  if (fresh) found->second = later_reads(s, r);
  return found->second;
}

void LaunchPlans::forget_old(const Grid& grid) {
  if (epoch_ != grid.epoch) interiors_.clear(), joined_.clear(), with_conditions_.clear();
  epoch_ = grid.epoch;
}

std::set<std::pair<int, int>>& LaunchPlans::with_conditions(const Grid& grid) {
  forget_old(grid);
  return with_conditions_;
}

const LaunchBoxes& LaunchPlans::joined(const Simulation& s, std::span<const LevelBoxes> levels) {
  forget_old(s.grid);
  std::vector<unsigned long long> parts;
  for (const LevelBoxes& l : levels) parts.push_back(l.boxes->number);
  const auto [found, fresh] = joined_.try_emplace(std::move(parts));
  if (!fresh) return found->second;
  found->second = {s, {}};
  for (const LevelBoxes& l : levels)
    for (BlockLaunch b : l.boxes->blocks) {
      b.geometry = l.level - levels.front().level;
      found->second.blocks.push_back(b);
    }
  return found->second;
}

const LaunchBoxes& LaunchPlans::interiors(
    const Simulation& s, int level, const std::array<Centre, 3>& centre, const Strip& strip) {
  forget_old(s.grid);
  const auto [place, fresh] = interiors_.try_emplace({level, centre, strip});
  if (fresh) {
    auto boxes = strip.layers > 0 ? strip_of(s, level, strip, centre) : boxes_of(s, level, Region::interior, centre);
    place->second = {s, boxes};
  }
  return place->second;
}

const LaunchBoxes& interiors(Simulation& s, int level, const std::array<Centre, 3>& centre, const Strip& strip) {
  if (!s.plans) s.plans = std::make_shared<LaunchPlans>();
  return s.plans->interiors(s, level, centre, strip);
}
}  // namespace cereus
