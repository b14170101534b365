// Walks the schedule: before each routine it makes valid what the routine reads, and afterwards it notes the writes.
#include "exec/bin.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>

#include "exec/audit.hpp"
#include "exec/background.hpp"
#include "exec/kernel.hpp"
#include "exec/later.hpp"
#include "exec/timed.hpp"
#include "exec/valid.hpp"

namespace cereus {
namespace {
using steady = std::chrono::steady_clock;

// A failure whose text already names the routine and the iteration: routines around the failed one add no second name.
struct PlacedFailure : Failure {
  using Failure::Failure;
};
template <class F> void placed(const Simulation& s, const Routine& r, F&& f) {
  try {
    f();
  } catch (const Error&) { throw; } catch (const PlacedFailure&) {
    throw;
  } catch (const std::exception& e) {
    throw PlacedFailure(
        fmt::format("{} (in {}, iteration {}, t = {:.6g})", e.what(), r.name, s.clock.iteration, s.clock.time));
  }
}

std::atomic<const Item*> entered_item{nullptr};
std::atomic<std::int64_t> entered_at{0};
void enter(const Item& item, steady::time_point now) {
  entered_item.store(&item, std::memory_order_relaxed);
  entered_at.store(now.time_since_epoch().count(), std::memory_order_relaxed);
}
}  // namespace

Entered last_entered() {
  return {entered_item.load(std::memory_order_relaxed),
      steady::time_point(steady::duration(entered_at.load(std::memory_order_relaxed)))};
}

bool limit_reached(const Simulation& s, const Clock& at) {
  const Parameters& p = s.of("Cereus");
  const auto iterations = p.integer("iterations");
  const double final_time = p.real("final_time");
  return (iterations >= 0 && at.iteration >= iterations) || (final_time >= 0 && at.time >= final_time - 1e-9 * at.dt);
}

bool over(const Simulation& s, const Clock& at) { return s.ends_at_limit && limit_reached(s, at); }

namespace {
const Simulation* ending = nullptr;  // one that ends before its limit: what is due at the end is due now
}

bool due(const Simulation& s, const Routine& r, const Clock& at) {
  const Every& every = r.item->every;
  if (&s == ending) return r.item->on_demand || (every.at_end && !every.due(at));
  return every.due(at, every.at_end && over(s, at));
}

void run_at_end(Simulation& s) {
  if (over(s, s.clock)) return;  // it was due in the last step
  const struct Ends {
    ~Ends() { ending = nullptr; }  // after an exception, too: another simulation may lie at the same address
  } ends;
  ending = &s;
  for (const char* bin : {"analysis", "output"}) run_bin(s, bin, s.grid.all());
}

void forget_entered() { entered_item.store(nullptr, std::memory_order_relaxed); }

std::string explain(const Simulation& s, Why why) {
  if (why.routine == regridded)
    return fmt::format(
        "the grid was changed after iteration {}: ghost zones, boundaries, and variables not valid on every level were "
        "dropped",
        why.iteration);
  if (why.routine < 0) return "never written";
  return fmt::format("made so by {} in iteration {}", s.routines[why.routine].name, why.iteration);
}

void call(Simulation& s, const Routine& r, Selection levels) {
  placed(s, r, [&] {
    if (r.item->once || r.item->together) {
      Context c(s, r, levels, r.item->once);
      return r.item->run(c);
    }
    for (int l = levels.first; l < levels.last; ++l) {
      Context c(s, r, {l, l + 1}, false);
      r.item->run(c);
    }
  });
}

std::int64_t run_unaudited(Simulation& s, Routine& r, Selection levels) {
  if (s.background && s.background->take(s, r, levels)) return 0;
  std::int64_t bytes = 0;
  if (r.is_kernel) bytes = run_kernel(s, r, levels);
  else {
    if (!r.item->parts) make_valid(s, levels, r.accesses, r.id, where_of(s, r));
    for (int l = levels.first; r.item->parts && l < levels.last; ++l) bring_parts(s, r, l);
    const Traffic::Caller caller(s.traffic, r.id);
    call(s, r, levels);
    for (int l = levels.first; l < levels.last; ++l) note_writes(s, r, l, where_of(s, r));
  }
  return bytes;
}

void run_node(Simulation& s, const Node& node, Selection levels) {
  const auto start = steady::now();
  std::int64_t bytes = 0;
  const auto scalar = [&](int group, int component) {
    return *reinterpret_cast<const std::int32_t*>(s.fields.plain(group, component, 0));
  };
  if (node.if_group >= 0 && scalar(node.if_group, node.if_component) == 0) return;
  do {
    if (node.while_group >= 0 && scalar(node.while_group, node.while_component) == 0) break;
    if (node.routine >= 0) {
      Routine& r = s.routines[node.routine];
      enter(*r.item, start);
      const Timed timed(s, node.timer);
      placed(s, r, [&] {
        if (s.audit) run_audited(s, r, levels);
        else bytes += run_unaudited(s, r, levels);
        Timed::wait(s);
      });
    }
    for (const auto& child : node.children)
      if (child.routine < 0 || due(s, s.routines[child.routine], s.clock)) run_node(s, child, levels);
  } while (node.while_group >= 0);
  s.timers.record(node.timer, steady::now() - start, bytes);
}

namespace {
// Which nodes of a bin run now: a routine that is due; one that runs on demand only if a later routine that is due
// reads what it writes.
std::vector<bool> due_now(const Simulation& s, const std::vector<const Node*>& nodes) {
  std::vector<bool> due(nodes.size(), false);
  std::vector<std::pair<int, int>> wanted;
  for (std::size_t n = nodes.size(); n-- > 0;) {
    if (nodes[n]->routine < 0) {
      due[n] = true;
      continue;
    }
    const Routine& r = s.routines[nodes[n]->routine];
    due[n] = cereus::due(s, r, s.clock);
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
    if (due[n])
      for (const auto& a : r.scalars) wanted.emplace_back(a.group, a.component);
  }
  return due;
}
}  // namespace

void run_bin(Simulation& s, const std::string& name, Selection levels) {
  // An analysis on demand also runs if an output that is due reads what it writes.
  std::vector<const Node*> nodes;
  for (const auto& child : s.bins.at(name).children) nodes.push_back(&child);
  const std::size_t here = nodes.size();
  if (name == "analysis")
    for (const auto& child : s.bins.at("output").children) nodes.push_back(&child);
  const auto due = due_now(s, nodes);
  const auto start = steady::now();
  for (std::size_t n = 0; n < here; ++n)
    if (due[n]) run_node(s, *nodes[n], levels);
  s.timers.record(s.bins.at(name).timer, steady::now() - start);
}
}  // namespace cereus
