// Around each routine: make good what it reads, run it, note what it wrote.
#include "exec/execute.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cereus/exchange.hpp"
#include "exec/audit.hpp"
#include "exec/make_valid.hpp"
#include "observe/lane.hpp"
#include "observe/watchdog.hpp"

namespace cereus {
namespace {
using steady = std::chrono::steady_clock;

// A time integrator swaps buffers, and notes its updates one by one, as do the kernels into which they are fused.
bool integrates(const Simulation& s, const Routine& r) {
  return r.item->launches && r.item->thorn == s.services.provider<TimeIntegrator>();
}

void note_writes(Simulation& s, const Routine& r, int level, Space space) {
  if (integrates(s, r)) return;
  const Why why{s.clock.iteration, r.id};
  for (const auto& a : r.accesses) {
    if (a.mode == Mode::read || s.groups[a.group].kind != GroupKind::grid_function || s.fields.buffers(a.group) == 0)
      continue;
    note_write(s, level, a, s.fields.validity(a.group, a.component, a.timelevel, level), space, why);
  }
}

// The part of a box that a kernel can do before the ghost zones at some faces arrive, and before conditions are applied
// at others: those may also set the points on the face.
Box inner(const Simulation& s, Box box, int reach, unsigned arriving, unsigned outer) {
  for (int d = 0; d < s.grid.dim; ++d) {
    const auto by = [&](int side) {
      const unsigned face = 1U << (2 * d + side);
      return outer & face ? reach + 1 : arriving & face ? reach : 0;
    };
    box.lo[d] += by(0), box.hi[d] -= by(1);
  }
  return box;
}

void store_result(Simulation& s, const Routine& r, std::vector<std::byte>& value) {
  s.services.get<Driver>().combine_over_processes(value.data(), value.size(), r.table->combine);
  if (r.result_group < 0) return;
  const double number = r.table->number(value.data());
  char* to = s.fields.address(r.result_group, r.result_component, 0);
  visit_scalar(s.type(r.result_group), [&]<class T>(T) {
    if constexpr (requires(T c) { c.re; }) *reinterpret_cast<T*>(to) = {static_cast<real_of_t<T>>(number), 0};
    else *reinterpret_cast<T*>(to) = static_cast<T>(number);
  });
}

// Ghost zones of what a kernel updates are filled by the kernel itself, where the driver can arrange that: filling them
// later would read and wait for what the kernel holds in registers. Not in audit mode, which checks that only interiors
// are written, nor where the update of a strip along outer faces comes later.
Driver::Push push(Simulation& s, const Routine& r, int level, Space space, TimeIntegrator::Update& u) {
  if (s.audit || r.unfused_strip > 0 || !r.read_at_offset || s.grid.ghosts[0] == 0) return {};
  std::vector<Driver::Stale> outputs;
  for (const auto& a : r.accesses)
    if (a.mode != Mode::read)
      outputs.push_back({s.group_number(s.groups[a.group].rhs_of), a.component, u.destination, 0, false});
  auto p = s.services.get<Driver>().push(s, level, outputs, space == Space::device ? r.table->device_pushes : 7, space);
  if (p.axes) u.epilogue.pushed = r.read_at_offset;
  std::copy_n(p.layers, 3, u.epilogue.layers);
  return p;
}

// Whether a kernel updates that state.
bool updates(const Simulation& s, const Routine& r, const Driver::Stale& state) {
  return std::ranges::any_of(r.accesses, [&](const auto& a) {
    return a.mode != Mode::read && s.group_number(s.groups[a.group].rhs_of) == state.group &&
           a.component == state.component;
  });
}

int reach_of(const Routine& r) {
  int reach = 0;
  for (const auto& a : r.accesses)
    if (a.mode == Mode::read) reach = std::max(reach, a.reach);
  return reach;
}

Space where_of(const Simulation& s, const Routine& r) {
  return r.is_kernel ? space_of(s, *r.table) : r.item->launches ? kernel_space(s) : Space::host;
}

void run_kernel(Simulation& s, Routine& r, int level, std::int64_t& bytes) {
  const Space space = space_of(s, *r.table);
  const Why why{s.clock.iteration, r.id};
  const auto output =
      std::find_if(r.accesses.begin(), r.accesses.end(), [](const auto& a) { return a.mode != Mode::read; });
  const auto& place = output == r.accesses.end() ? r.accesses.front() : *output;
  auto boxes = boxes_of(s, level, place.region, s.groups[place.group].centre);
  if (r.unfused_strip > 0)
    for (auto& [b, box] : boxes) box = without_strip(s, level, b, box, r.unfused_strip);
  TimeIntegrator::Update update;
  Driver::Push pushed;
  LaunchRequest request{r.table, r.accesses, level, {}};
  const std::string who = r.item->full_name();
  request.who = who.c_str(), request.space = space;
  if (!r.fused.empty()) {
    update = s.services.get<TimeIntegrator>().update(s, s.group_number(s.groups[r.fused.front()].rhs_of), level);
    pushed = push(s, r, level, space, update);
    request.update = &update, request.ghosts = pushed.faces;
  }
  std::vector<std::byte> result(r.table->result_size);
  if (!result.empty()) r.table->identity(result.data()), request.result = result.data();

  PointUpdate points{level, r.id, space, r.accesses, boxes};
  if (place.region == Region::interior)
    points.inner = [&](const Box& box, unsigned arriving, unsigned outer) {
      return inner(s, box, reach_of(r), arriving, outer);
    };
  points.run = [&](const BlockBoxes& part, bool last) {
    if (last && s.audit) request.boxes = boxes, watch_reads(s, r, request);
    request.boxes = part;
    launch(s, request);
  };
  if (!r.fused.empty() && r.unfused_strip == 0 && update.becomes_present)
    points.successor = [&](const Driver::Stale& item) {
      return item.timelevel == 0 && updates(s, r, item) ? update.destination : -1;
    };
  const auto sent = update_beside_exchange(s, points);
  if (r.unfused_strip > 0) {  // where a condition is yet to change the right-hand sides
    const auto strip = strip_of(s, level, r.unfused_strip, s.groups[place.group].centre);
    request.boxes = strip, request.update = nullptr;
    launch(s, request);
  }

  for (const auto& [b, box] : boxes)
    for (const auto& a : r.accesses) bytes += box.points() * static_cast<std::int64_t>(size_of(s.type(a.group)));
  if (!r.fused.empty()) {
    int output = 0;
    for (const auto& a : r.accesses) {
      if (a.mode == Mode::read) continue;
      const int state = s.group_number(s.groups[a.group].rhs_of);
      auto& v = s.fields.validity(state, a.component, update.destination, level);
      v.wrote_interior(space, why);
      if (update.epilogue.pushed >> output++ & 1) {
        v[space].pushed = pushed.axes;
        if (pushed.all)
          v.filled_ghosts(space, GhostKind::copied, {static_cast<std::int16_t>(s.grid.ghosts[0]), 0}, why);
      }
      int more = 0;  // sources that are not the present state, which the kernel reads anyway
      for (int n = 0; n < update.epilogue.sources; ++n) more += update.source[n] != 0;
      for (const auto& [b, box] : boxes)
        bytes += box.points() * static_cast<std::int64_t>(size_of(s.type(a.group))) * more;
    }
  }
  for (const auto& item : sent) s.fields.validity(item.group, item.component, item.timelevel, level)[space].sent = true;
  if (!result.empty()) store_result(s, r, result);
}
}  // namespace

std::string explain(const Simulation& s, Why why) {
  if (why.routine < 0) return "never written";
  return fmt::format("made so by {} in iteration {}", s.routines[why.routine].item->full_name(), why.iteration);
}

void run_routine(Simulation& s, Routine& r, int level) {
  if (s.audit) return run_audited(s, r, level);
  run_unaudited(s, r, level);
}

void call(Simulation& s, const Routine& r, int level) {
  const int levels = static_cast<int>(s.grid.levels.size());
  const bool one = r.item->once || level >= 0;
  for (int l = 0; l < (one ? 1 : levels); ++l) {
    Context c(s, r, r.item->once ? -1 : one ? level : l);
    r.item->run(c);
  }
}

std::int64_t run_unaudited(Simulation& s, Routine& r, int level) {
  if (s.lane && Lane::may_take(s, r)) {
    if (s.lane->take(s, r, level)) return 0;
    s.lane->drain(s);  // not before what came earlier
  }
  std::int64_t bytes = 0;
  const int first = level < 0 ? 0 : level;
  const int last = level < 0 ? static_cast<int>(s.grid.levels.size()) : level + 1;
  if (r.is_kernel) {
    for (int l = first; l < last; ++l) run_kernel(s, r, l, bytes);
  } else {
    for (int l = first; l < last; ++l)
      r.item->parts ? bring_parts(s, r, l) : make_valid(s, l, r.accesses, r.id, where_of(s, r));
    const Traffic::Caller caller(s.traffic, r.id);
    call(s, r, level);
  }
  for (int l = first; l < last; ++l) note_writes(s, r, l, where_of(s, r));
  return bytes;
}

void run_node(Simulation& s, const Node& node, int level) {
  const auto start = steady::now();
  std::int64_t bytes = 0;
  const auto scalar = [&](int group, int component) {
    return *reinterpret_cast<const std::int32_t*>(s.fields.address(group, component, 0));
  };
  if (node.if_group >= 0 && scalar(node.if_group, node.if_component) == 0) return;
  do {
    if (node.while_group >= 0 && scalar(node.while_group, node.while_component) == 0) break;
    if (node.routine >= 0) {
      Routine& r = s.routines[node.routine];
      Watchdog::entered(*r.item, start);
      if (s.audit) run_audited(s, r, level);
      else bytes += run_unaudited(s, r, level);
    }
    for (const auto& child : node.children)
      if (child.routine < 0 || s.routines[child.routine].item->every.due(s.clock.iteration, s.clock.time, s.clock.dt))
        run_node(s, child, level);
  } while (node.while_group >= 0);
  s.timers.record(node.timer, steady::now() - start, bytes);
}

namespace {
// What runs in a bin now: not what is not due, nor what runs on demand and is read by nothing that is due.
std::vector<bool> due_now(const Simulation& s, const std::vector<const Node*>& nodes) {
  std::vector<bool> due(nodes.size(), false);
  std::vector<std::pair<int, int>> wanted;
  for (std::size_t n = nodes.size(); n-- > 0;) {
    if (nodes[n]->routine < 0) {
      due[n] = true;
      continue;
    }
    const Routine& r = s.routines[nodes[n]->routine];
    due[n] = r.item->every.due(s.clock.iteration, s.clock.time, s.clock.dt);
    if (r.item->on_demand) {
      bool used = false;
      for (const auto& a : r.accesses)
        used = used || (a.mode != Mode::read &&
                           std::find(wanted.begin(), wanted.end(), std::pair{a.group, a.component}) != wanted.end());
      if (r.result_group >= 0)
        used = used ||
               std::find(wanted.begin(), wanted.end(), std::pair{r.result_group, r.result_component}) != wanted.end();
      due[n] = due[n] && used;
    }
    if (due[n])
      for (const auto& a : r.accesses)
        if (a.mode == Mode::read || a.mode == Mode::update) wanted.emplace_back(a.group, a.component);
  }
  return due;
}
}  // namespace

void run_bin(Simulation& s, const std::string& name, int level) {
  // Analysis looks ahead to output: an analysis on demand runs when an output that is due reads what it writes.
  std::vector<const Node*> nodes;
  for (const auto& child : s.bins.at(name).children) nodes.push_back(&child);
  const std::size_t here = nodes.size();
  if (name == "analysis")
    for (const auto& child : s.bins.at("output").children) nodes.push_back(&child);
  const auto due = due_now(s, nodes);
  const auto start = steady::now();
  for (std::size_t n = 0; n < here; ++n)
    if (due[n]) run_node(s, *nodes[n], level);
  s.timers.record(s.bins.at(name).timer, steady::now() - start);
}
}  // namespace cereus
