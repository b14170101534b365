// Ghost zones of a level, and new blocks, by plans that are kept while the forest stays.
#include "ghosts.hpp"

#include <Exchange/pieces.hpp>

#include <algorithm>
#include <set>

namespace Forest {
using namespace cereus;

GhostZones::GhostZones(Place place, const Shells* shells, int order, Blocks blocks, int alone, MPI_Comm comm)
    : place_(std::move(place)),
      shells_(shells),
      order_(order),
      blocks_(std::move(blocks)),
      alone_(alone),
      neighbours_(comm, "auto"),
      plans_(place_, shells, order, rank()) {}

void GhostZones::prepare(Simulation& s) {
  std::set<std::pair<Centring, unsigned>> kinds;  // of variables that other processes have, too
  const int groups = s.process.size() > 1 ? static_cast<int>(s.groups.size()) : 0;
  for (int g = 0; g < groups; ++g)
    if (s.groups[g].kind == GroupKind::grid_function && s.fields.buffers(g) > 0)
      kinds.insert({s.groups[g].centre, mirrors_of(s, g, 0)});
  std::set<int> ranks;
  for (const auto& [centre, mirrors] : kinds)
    for (int l = 0; l < static_cast<int>(s.grid.levels.size()); ++l) {
      const Plan& plan = plans_.of({mirrors, centre, l, s.grid.ghosts[0], true, all_axes, 0}, asked_);
      for (const Move& m : plan.moves) ranks.insert({m.from, m.to_rank});
    }
  ranks.erase(rank());
  neighbours_.meet({ranks.begin(), ranks.end()}, kernel_space(s));
}

namespace {
// What waits for messages of others, and what is interpolated from such.
void note_arriving(const Plan& plan, const Blocks& blocks, int rank, std::vector<std::uint8_t>& arriving) {
  std::set<int> late;
  for (const Move& m : plan.moves)
    if (m.to_rank == rank && m.from != rank && m.prolongation >= 0) late.insert(m.prolongation);
  std::vector<std::tuple<int, int, Index>> zones;  // level and number of a leaf, and where beside it
  for (const Move& m : plan.moves)
    if (m.to_rank == rank && m.from != rank && m.prolongation < 0)
      zones.emplace_back(m.target_level, m.target, m.direction);
  for (const int n : late) {
    const Prolongation& p = plan.prolongations[static_cast<std::size_t>(n)];
    for_each_point(p.directions, [&](int i, int j, int k) { zones.emplace_back(p.level, p.target, Index{i, j, k}); });
  }
  for (const bool edges : {false, true})
    for (const auto& [level, target, direction] : zones)
      if ((std::ranges::count(direction, 0) < 2) == edges)
        exchange::note_arriving(
            arriving[static_cast<std::size_t>(blocks[static_cast<std::size_t>(level)].at(target))], direction);
}
}  // namespace

unsigned mirrors_of(const Simulation& s, int group, int component) {
  const auto* conditions = s.services.find<BoundaryConditions>();
  if (!conditions || s.grid.levels.size() == 1) return 0;
  unsigned faces = 0;
  for (int f = 0; f < 2 * s.grid.dim; ++f)
    if (s.grid.outer_faces(s.grid.levels[0]) >> f & 1 && conditions->reflects(s, group, component, f)) faces |= 1U << f;
  return faces;
}

unsigned GhostZones::mirrors_of(const Simulation& s, int group, int component) {
  const auto [known, fresh] = mirrors_.try_emplace({group, component});
  if (fresh) known->second = Forest::mirrors_of(s, group, component);
  return known->second;
}

void GhostZones::find_lacks(const Simulation& s, std::span<const Ghosts> items, Space space, Lacks& lacks) {
  lacks.clear();
  const unsigned mirrors = mirrors_of(s, items.front().group, items.front().component);
  for (const Ghosts& g : items)
    lacks.push_back(
        {mirrors, s.groups[g.group].centre, g.level, g.depth, g.corners, g.axes, filled_.axes(s, g, space)});
}

const GhostZones::Planned& GhostZones::plan_of(const Simulation& s, const Lacks& lacks) {
  std::vector<std::pair<const Plan*, unsigned>> key;
  for (const Lack& l : lacks) key.emplace_back(&plans_.of(l, asked_), l.filled);
  const auto [found, fresh] = planned_.try_emplace(std::move(key));
  if (fresh) {
    std::vector<Part> parts;
    auto& arriving = found->second.arriving;
    if (s.process.size() > 1) arriving.assign(s.grid.blocks.size(), 0);
    for (const auto& [plan, filled] : found->first) {
      parts.push_back({plan, filled});
      if (!arriving.empty()) note_arriving(*plan, blocks_, rank(), arriving);
    }
    const Known known{s.grid, blocks_};
    found->second.transfer = std::make_shared<const Transfer>(make_transfer(s, parts, known, known, rank()));
  }
  return found->second;
}

// Of one level on one process kernels may fill all ghost zones; then no exchange is asked for.
Driver::WriteThrough GhostZones::write_through(
    const Simulation& s, std::span<const Ghosts> outputs, unsigned possible, Space space) {
  const Ghosts& first = outputs[0];
  const auto& centre = s.groups[first.group].centre;
  if (std::ranges::any_of(outputs, [&](const Ghosts& o) { return s.groups[o.group].centre != centre; })) return {};
  const auto [found, fresh] = through_.try_emplace({first.level, centre, size_of(s.type(first.group))});
  if (fresh) {
    // Each of several processes asks for itself here, so this takes a plan that prepare() has made: to make one would
    // change which plans the process's exchanges take.
    const Lack lack{mirrors_of(s, first.group, 0), centre, first.level, s.grid.ghosts[0], false, all_axes, 0};
    const Plan* const plan = s.process.size() == 1 ? &plans_.of(lack, asked_) : plans_.that_fills(lack);
    if (!plan) return through_.erase(found), Driver::WriteThrough{};
    found->second = find_through(s, *plan, first, {s.grid, blocks_}, rank());
  }
  Driver::WriteThrough w = Forest::write_through(found->second, s.grid, possible);
  if (!w.axes) return w;
  filled_.note(s, outputs, space, w.axes);
  w.all = s.grid.levels.size() == 1 && s.process.size() == 1 && w.axes == found->second.crossed;
  return w;
}

namespace {
class GhostExchange : public cereus::Exchange {
 public:
  GhostExchange(
      GhostZones& zones, Simulation& s, std::span<const Ghosts> items, Space space, int routine, unsigned number)
      : zones_(zones),
        routine_(routine),
        messages_(zones.messages().take()),
        arriving_(s.process.size() > 1 ? s.grid.blocks.size() : 0, 0),
        moves_(messages_, jobs(s, items, space), space, zones.kept(space)) {
    moves_.begin(s, number);
  }
  ~GhostExchange() override { zones_.messages().give_back(messages_); }

  std::uint8_t arriving(int block) const override {
    return arriving_.empty() ? 0 : arriving_[static_cast<std::size_t>(block)];
  }
  void finish(Simulation& s) override { moves_.finish(s, routine_); }

 private:
  // One a variable, with all its levels.
  std::vector<Job> jobs(Simulation& s, std::span<const Ghosts> items, Space space) {
    const auto variable = [](const Ghosts& g) { return std::array{g.group, g.component, g.timelevel}; };
    std::vector<Ghosts> sorted(items.begin(), items.end());
    std::ranges::stable_sort(sorted, {}, variable);
    std::vector<Job> list;
    Lacks lacks, last;
    const GhostZones::Planned* plan = nullptr;  // of the last ones
    const auto add = [&](std::span<const Ghosts> levels) {
      if (levels.empty()) return;
      const Ghosts& g = levels.front();
      zones_.find_lacks(s, levels, space, lacks);
      if (lacks != last) {
        plan = &zones_.plan_of(s, lacks);
        for (std::size_t b = 0; b < arriving_.size(); ++b) arriving_[b] |= plan->arriving[b];
        std::swap(lacks, last);
      }
      list.push_back({{g.group, g.component, g.timelevel}, plan->transfer});
      if (levels.size() == 1 && zones_.alone(g.level)) read_coarser(s, g, space, list.back());
    };
    for (std::span<const Ghosts> rest = sorted; !rest.empty();) {
      const auto other = [&](const Ghosts& g) { return variable(g) != variable(rest.front()); };
      const auto levels = rest.first(static_cast<std::size_t>(std::ranges::find_if(rest, other) - rest.begin()));
      // A level that steps by itself reads the next coarser one at another time.
      const std::size_t first = zones_.alone(levels.front().level) ? 1 : 0;
      add(levels.first(first)), add(levels.subspan(first));
      rest = rest.subspan(levels.size());
    }
    return list;
  }

  // A level that steps by itself, within a step of the next coarser one, finds that one at its own present stage.
  void read_coarser(Simulation& s, const Ghosts& g, Space space, Job& job) const {
    const int coarser = zones_.coarser(g.level);
    job.sum = {.buffer = {g.timelevel}};
    if (s.groups[g.group].rhs >= 0) {
      job.sum = s.services.get<TimeIntegrator>().seen_by_finer(s, g.group, coarser);
      job.summed = coarser;
    }
    std::vector<VariableAccess> read;
    for (int n = 0; n < job.sum.terms; ++n) read.push_back({g.group, g.component, job.sum.buffer[n]});
    make_valid(s, {coarser, coarser + 1}, read, -1, space);
  }

  GhostZones& zones_;
  int routine_;
  exchange::Messages& messages_;
  std::vector<std::uint8_t> arriving_;  // of each block of this process: faces (bit 2·axis + side)
  Moves moves_;
};
}  // namespace

std::unique_ptr<cereus::Exchange> GhostZones::exchange(
    Simulation& s, std::span<const Ghosts> items, Space space, int routine) {
  return std::make_unique<GhostExchange>(*this, s, items, space, routine, ++asked_);
}

void GhostZones::fill_new(Simulation& s, Place before, const Grid& grid, const Blocks& old,
    std::span<const Driver::Values> values, Space space) {
  std::map<std::pair<Centring, unsigned>, std::shared_ptr<const Transfer>> transfers;
  std::vector<Job> jobs;
  for (const Driver::Values& v : values) {
    before.mirrors = mirrors_of(s, v.group, v.component);
    auto& transfer = transfers[{s.groups[v.group].centre, before.mirrors}];
    if (!transfer) {
      const Plan plan = plan_of_change(before, place_.leaves, s.groups[v.group].centre, grid.ghosts[0], order_, rank());
      const Part all[] = {{&plan}};
      transfer = std::make_shared<const Transfer>(make_transfer(s, all, {grid, old}, {s.grid, blocks_}, rank()));
    }
    jobs.push_back({v, transfer});
  }
  Kept once;
  carry_out(s, std::move(jobs), space, once);
  if (auto* device = s.services.find<Device>()) device->wait();  // it reads what goes now
}

void GhostZones::restrict_to(Simulation& s, int level) {
  const Space space = kernel_space(s);
  std::vector<Job> jobs;
  std::vector<VariableAccess> written;
  for (int g = 0; g < static_cast<int>(s.groups.size()); ++g) {
    const Group& group = s.groups[g];
    if (group.kind != GroupKind::grid_function || group.rhs < 0 || s.fields.buffers(g) == 0) continue;
    auto& transfer = restrictions_[{level, group.centre}];
    if (!transfer) {
      const Known known{s.grid, blocks_};
      const Plan plan = plan_of_restriction(place_, level, group.centre, rank());
      const Part all[] = {{&plan}};
      transfer = std::make_shared<const Transfer>(make_transfer(s, all, known, known, rank()));
    }
    for (int c = 0; c < static_cast<int>(group.variables.size()); ++c) {
      jobs.push_back({{g, c, 0}, transfer});
      written.push_back({g, c, 0, Mode::update});
    }
  }
  const int entry = entry_of(shells_, level), finer = entry_of(shells_, level + 1);
  make_valid(s, {entry, entry + 1}, written, -1, space);
  make_valid(s, {finer, finer + 1}, written, -1, space);
  carry_out(s, std::move(jobs), space, kept_[static_cast<int>(space)]);
  const Why why{s.clock.iteration, -1};
  for (const VariableAccess& a : written) {
    s.fields.validity(a.group, a.component, 0, entry).wrote_interior(space, why);
    for (int e = entry + 1; e <= finer; ++e)  // of shells, too, which lie between these
      s.fields.validity(a.group, a.component, 0, e).drop_interpolated(why);
  }
}

GhostZones::FaceTransfers GhostZones::face_transfers(
    const Simulation& s, Selection levels, Side side, Offset first) const {
  FaceTransfers made{first, 0, {}};
  std::vector<FacePlan> plans;
  for (int axis = 0; axis < s.grid.dim; ++axis) {
    plans.push_back(faces_across(place_, levels, axis, rank()));
    for (const CoarseFace& f : plans.back().faces) made.count += f.at.points();
  }
  InScratch at{first, first + made.count};
  for (const FacePlan& plan : plans) {
    made.across.push_back(std::make_shared<Transfer>(make_transfer(s, plan, {s.grid, blocks_}, at, side, rank())));
    for (const CoarseFace& f : plan.faces) at.coarser += f.at.points(), at.finer += f.at.points();
  }
  return made;
}

void GhostZones::carry_out(Simulation& s, std::vector<Job> jobs, Space space, Kept& kept) {
  exchange::Messages& messages = messages_.take();
  Moves moves(messages, std::move(jobs), space, kept);
  moves.begin(s, ++asked_);
  moves.finish(s, -1);
  messages_.give_back(messages);
}
}  // namespace Forest
