// Values of fields: assigned, reduced, looked at and copied, by global indices.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "exec/valid.hpp"
#include "view/part.hpp"

namespace cereus::view {
namespace {
const char* full_name(const Simulation& s, const VariableAccess& a) {
  return s.variable_name(a.group, a.component).c_str();
}
void check_index(const Simulation& s, const VariableAccess& a, const Index& i, const Place& place) {
  const Level& l = s.grid.levels[0];
  const Box all = l.space.points(s.groups[a.group].centre, s.grid.dim);
  if (!all.contains(i))
    throw Error(where(place),
        fmt::format("{} has no point ({}, {}, {}): indices are from ({}, {}, {}) to ({}, {}, {})", full_name(s, a),
            i[0], i[1], i[2], all.lo[0], all.lo[1], all.lo[2], all.hi[0] - 1, all.hi[1] - 1, all.hi[2] - 1));
}
// The block of this process that owns a point of the coarsest level; −1: another process has it.
int block_of(const Simulation& s, const VariableAccess& a, const Index& i) {
  const Level& l = s.grid.levels[0];
  for (int b = l.first_block; b < l.last_block; ++b)
    if (s.grid.points(s.grid.blocks[b], s.groups[a.group].centre).contains(i)) return b;
  return -1;
}

// Each variable once, as far as it is read.
std::vector<VariableAccess> together(std::span<const VariableAccess> accesses) {
  std::vector<VariableAccess> list;
  for (const VariableAccess& a : accesses) {
    const auto same = [&](const VariableAccess& b) {
      return a.group == b.group && a.component == b.component && a.mode == b.mode;
    };
    const auto known = std::ranges::find_if(list, same);
    if (known == list.end()) list.push_back(a);
    else known->reach = std::max(known->reach, a.reach), known->corners |= a.corners;
  }
  return list;
}

struct Request {
  const KernelTable& table;
  std::vector<VariableAccess> accesses;
  Region region = Region::interior;
  std::optional<Box> part = {};  // of the coarsest level
  void* result = nullptr;
};
void run(Simulation& s, const Request& what) {
  const Space space = space_of(s, what.table);
  for (int level = 0; level < static_cast<int>(s.grid.levels.size()); ++level) {
    LaunchRequest r{.table = &what.table,
        .handles = what.accesses,
        .level = level,
        .result = what.result,
        .space = space,
        .who = "an expression of the program"};
    make_valid(s, level, together(what.accesses), -1, space);
    const auto centre = centre_of(s, what.accesses);
    auto boxes = [&] { return boxes_of(s, level, what.region, centre); };
    if (what.part) {
      auto cut = boxes();
      for (auto& [b, box] : cut) box = intersect(box, *what.part);
      launch(s, r, cut);
    } else if (what.region == Region::interior) r.list = interiors(s, level, centre).list(), launch(s, r);
    else launch(s, r, boxes());
    for (const VariableAccess& a : what.accesses)
      if (a.mode != Mode::read) note_write(s, level, a, space, {s.clock.iteration, -1});
  }
  if (auto* device = s.services.find<Device>()) device->wait();  // the table goes with the caller
}
}  // namespace

VariableAccess Program::State::access(const Variable& v, Mode mode) const {
  const std::string group = thorn.groups[v.group].full_name();
  return {simulation.group_number(group), v.component, 0, mode};
}

std::vector<Recording> Program::State::note_reads(
    const Program& program, const KernelTable& table, std::span<const Variable> read) {
  for (const Variable& v : read)
    if (v.program != &program) throw Error("an expression has fields of one World");
  std::vector<Recording> seen(static_cast<std::size_t>(table.handles));
  if (!read.empty() && table.accesses.front().reach > 0) table.loops().record(table.kernel.get(), seen.data());
  for (std::size_t n = 0; n < read.size(); ++n) {
    if (seen[n].reach == 0) continue;
    int& known = near[{read[n].group, read[n].component}];
    changed = changed || (seen[n].reach > known && !has_neighbours(read[n], seen[n].reach));
    known = std::max(known, seen[n].reach);
  }
  return seen;
}

std::vector<VariableAccess> Program::State::reads(std::span<const Recording> seen, std::span<const Variable> read) {
  std::vector<VariableAccess> accesses;
  for (std::size_t n = 0; n < read.size(); ++n) {
    accesses.push_back(readable(read[n]));
    accesses.back().reach = seen[n].reach, accesses.back().corners = seen[n].corners;
  }
  return accesses;
}

// Whether there are so many ghost zones, and conditions where the domain ends.
bool Program::State::has_neighbours(const Variable& v, int reach) const {
  const Simulation& s = simulation;
  if (changed || s.grid.ghosts[0] < reach) return false;
  const VariableAccess a = access(v);
  const auto* conditions = s.services.find<BoundaryConditions>();
  const bool ends = std::ranges::any_of(s.grid.levels, [&](const Level& l) { return s.grid.outer_faces(l) != 0; });
  return !ends || (conditions && conditions->missing(s, a.group, a.component).empty());
}

// Values lie there between the kernel that reads the neighbours of what it writes and the next one.
Variable Program::State::second_buffer_for(const Variable& v) {
  const Centre centre = thorn.groups[v.group].centre[0];
  int& group = second_buffer[static_cast<int>(centre)];
  if (group < 0) {
    group = static_cast<int>(thorn.groups.size());
    Group& g = thorn.groups.emplace_back();
    g.thorn = name, g.name = centre == Centre::cell ? "second_buffer_of_cells" : "second_buffer_of_vertices";
    g.variables = {g.name}, g.tags = {"scratch"}, g.centre.fill(centre), g.checkpointed = false;
    g.doc = "New values of a field that an expression makes of its neighbours";
    changed = true;
  }
  return {v.program, group, 0};
}

void Program::assign(const Variable& target, const Assignment& a) {
  guarded(*state_, [&] {
    State& s = *state_;
    const auto seen = s.note_reads(*this, a.table, a.read);
    bool around_itself = false;
    for (std::size_t n = 0; n < a.read.size(); ++n)
      around_itself = around_itself || (seen[n].reach > 0 && a.read[n] == target);
    const Variable made = around_itself ? s.second_buffer_for(target) : target;
    if (s.changed) return s.pending.push_back([this, target, a] { assign(target, a); });  // more may be declared
    if (s.behind()) return;
    Request r{a.table, s.reads(seen, a.read)};
    r.accesses.push_back(s.access(made, a.points.box ? Mode::update : Mode::write));
    const auto& centre = s.simulation.groups[r.accesses.back().group].centre;
    for (const VariableAccess& v : r.accesses)
      if (s.simulation.groups[v.group].centre != centre)
        throw Error(fmt::format("{} and {} have different points, and cannot stand in one expression",
            full_name(s.simulation, v), full_name(s.simulation, s.access(target))));
    if (a.points.box) {
      r.part = part_of(s.simulation, centre, *a.points.box, a.points.place);
      s.readable(target);
    }
    if (around_itself) r.accesses.back().mode = Mode::write;
    view::run(s.simulation, r);
    if (around_itself)
      view::run(s.simulation, {a.copy, {s.access(made), s.access(target, Mode::update)}, Region::interior, r.part});
    if (!a.points.outside) return;
    for (VariableAccess& v : r.accesses) v.region = Region::boundary;
    r.region = Region::boundary;
    view::run(s.simulation, r);
  });
}

void Program::reduce(KernelTable table, std::span<const Variable> read, void* result) {
  guarded(*state_, [&] {
    State& s = *state_;
    const auto seen = s.note_reads(*this, table, read);
    s.ensure();
    view::run(s.simulation, {table, s.reads(seen, read), Region::interior, {}, result});
    s.simulation.services.get<Driver>().combine_over_processes(result, table.result_size, table.combine);
  });
}

Reduction::Norms Program::norms(const Variable& v) {
  Reduction::Norms n{};
  guarded(*state_, [&] {
    State& s = *state_;
    s.ensure();
    const VariableAccess a = s.readable(v);
    n = s.simulation.services.get<Reduction>().reduce(s.simulation, a.group, a.component);
  });
  return n;
}

double Program::at(const Variable& v, const Index& i, const Place& place) {
  double value = -std::numeric_limits<double>::infinity();
  guarded(*state_, [&] {
    state_->ensure();
    Simulation& s = state_->simulation;
    const VariableAccess a = state_->readable(v);
    check_index(s, a, i, place);
    struct Found {
      double value;
      bool mine;
    } found{0, false};
    if (const int b = block_of(s, a, i); b >= 0) {
      const Validity& valid = s.fields.validity(a.group, a.component, 0, 0);
      const BlockBox point{b, {i, {i[0] + 1, i[1] + 1, i[2] + 1}}};
      if (!valid[Space::host].interior && valid[Space::device].interior)
        s.services.get<Accelerator>().bring_boxes(s, 0, a, {&point, 1}, Space::host, {s.clock.iteration, -1});
      else make_valid(s, 0, {&a, 1}, -1, Space::host);
      const char* from = address(s, a, b, i);
      found = {s.real == ScalarType::float32 ? *reinterpret_cast<const float*>(from)
                                             : *reinterpret_cast<const double*>(from),
          true};
    }
    s.services.get<Driver>().combine_over_processes(&found, sizeof found, [](void* x, const void* y) {
      if (static_cast<const Found*>(y)->mine) std::memcpy(x, y, sizeof(Found));
    });
    value = found.value;
  });
  return value;
}

void Program::set(const Variable& v, const Index& i, double value, const Place& place) {
  guarded(*state_, [&] {
    state_->ensure();
    if (state_->behind()) return;
    Simulation& s = state_->simulation;
    const VariableAccess a = state_->access(v, Mode::update);
    check_index(s, a, i, place);
    make_valid(s, 0, {&a, 1}, -1, Space::host);
    if (const int b = block_of(s, a, i); b >= 0) {
      char* to = address(s, a, b, i);
      if (s.real == ScalarType::float32) *reinterpret_cast<float*>(to) = static_cast<float>(value);
      else *reinterpret_cast<double*>(to) = value;
    }
    note_write(s, 0, a, Space::host, {s.clock.iteration, -1});
  });
}

void Program::copy_out(const Variable& v, const Out& f) {
  guarded(*state_, [&] {
    state_->ensure();
    gather(state_->simulation, state_->readable(v), f);
  });
}

void Program::copy_in(const Variable& v, const In& f) {
  guarded(*state_, [&] {
    state_->ensure();
    if (!state_->behind()) scatter(state_->simulation, state_->access(v, Mode::write), f);
  });
}
}  // namespace cereus::view
