// Values of fields: assigned, reduced, looked at and copied, by global indices.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "exec/valid.hpp"
#include "view/state.hpp"

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

void run(Simulation& s, const KernelTable& table, std::span<const VariableAccess> accesses, Region region,
    void* result = nullptr) {
  const Space space = space_of(s, table);
  for (int level = 0; level < static_cast<int>(s.grid.levels.size()); ++level) {
    LaunchRequest r{.table = &table,
        .handles = accesses,
        .level = level,
        .result = result,
        .space = space,
        .who = "an expression of the program"};
    make_valid(s, level, accesses, -1, space);
    const auto centre = centre_of(s, accesses);
    if (region == Region::interior) r.list = interiors(s, level, centre).list(), launch(s, r);
    else launch(s, r, boxes_of(s, level, region, centre));
    for (const VariableAccess& a : accesses)
      if (a.mode == Mode::write) note_write(s, level, a, space, {s.clock.iteration, -1});
  }
  if (auto* device = s.services.find<Device>()) device->wait();  // the table goes with the caller
}
}  // namespace

VariableAccess Program::State::access(const Variable& v, Mode mode) const {
  const std::string group = thorn.groups[v.group].full_name();
  return {simulation.group_number(group), v.component, 0, mode};
}

void Program::assign(const Variable& target, KernelTable table, std::span<const Variable> read, bool outside) {
  guarded(*state_, [&] {
    State& s = *state_;
    if (s.changed) {  // more may be declared before a value is needed
      s.pending.push_back([this, target, table = std::move(table), list = std::vector(read.begin(), read.end()),
                              outside] { assign(target, table, list, outside); });
      return;
    }
    if (s.behind()) return;
    std::vector<VariableAccess> accesses;
    for (const Variable& v : read) accesses.push_back(s.readable(v));
    accesses.push_back(s.access(target, Mode::write));
    for (const VariableAccess& a : accesses)
      if (s.simulation.groups[a.group].centre != s.simulation.groups[accesses.back().group].centre)
        throw Error(fmt::format("{} and {} have different points, and cannot stand in one expression",
            full_name(s.simulation, a), full_name(s.simulation, accesses.back())));
    view::run(s.simulation, table, accesses, Region::interior);
    if (!outside) return;
    for (VariableAccess& a : accesses) a.region = Region::boundary;
    view::run(s.simulation, table, accesses, Region::boundary);
  });
}

void Program::reduce(KernelTable table, std::span<const Variable> read, void* result) {
  guarded(*state_, [&] {
    State& s = *state_;
    s.ensure();
    std::vector<VariableAccess> accesses;
    for (const Variable& v : read) accesses.push_back(s.readable(v));
    view::run(s.simulation, table, accesses, Region::interior, result);
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
