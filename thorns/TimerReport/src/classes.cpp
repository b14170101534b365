// Each timer has its own time, without that of its children; a class is the sum of timers.
#include "classes.hpp"

#include <cereus/text.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "columns.hpp"

namespace TimerReport {
using namespace cereus;

namespace {
const std::string exchange = "synchronisation", conditions = "boundary condition",
                  imbalance = "waiting for other processes", lane = "waiting for the lane",
                  device = "waiting for the device", flesh = "the flesh", rhs = "right-hand side",
                  checkpoints = "checkpoints", start = "start", changes = "changes of blocks";
const std::map<std::string, std::string> outermost{{checkpoints, checkpoints}, {"the end", device}, {changes, changes},
    {"first blocks", start}, {"restriction", exchange}};
const struct {
  std::string prefix, row;
} waits[] = {{waiting_for[0], exchange}, {waiting_for[1], conditions}, {waiting_for[2], lane}};

// A class, and in it a routine.
using Place = std::pair<std::string, std::string>;

class Rows {
 public:
  void add(const Place& place, Share share) {
    share.name = place.second;
    auto& row = rows_[place.first];
    row.name = place.first;
    row += share;
    auto& routine = routines_[place];
    routine.name = place.second;
    routine += share;
  }
  double exposed() const {
    return std::accumulate(
        rows_.begin(), rows_.end(), 0.0, [](double sum, const auto& r) { return sum + r.second.exposed; });
  }
  std::vector<Class> sorted() {
    for (const auto& [place, routine] : routines_)
      if (routine.busy > 0 || routine.to_host || routine.to_device) rows_[place.first].routines.push_back(routine);
    std::vector<Class> list;
    for (auto& [name, row] : rows_) {
      std::ranges::stable_sort(row.routines, std::greater{}, &Share::busy);
      if (!row.routines.empty()) list.push_back(row);
    }
    std::ranges::stable_sort(
        list, std::greater{}, [](const Class& c) { return std::pair(c.name != flesh, c.exposed); });
    return list;
  }

 private:
  std::map<std::string, Class> rows_;
  std::map<Place, Share> routines_;
};

bool is_start(const std::string& bin) {
  const std::string bins[] = {"startup", "paramcheck", "basegrid", "initial", "postinitial", "postpostinitial"};
  return bin == start || bin == "restart" || bin == "first blocks" || std::ranges::find(bins, bin) != std::end(bins);
}
}  // namespace

Share& Share::operator+=(const Share& s) {
  busy += s.busy, exposed += s.exposed, to_host += s.to_host, to_device += s.to_device;
  return *this;
}

ClassOf class_of(const Simulation& s) {
  struct Does {
    std::string thorn;
    bool rates, integrates;
  };
  std::map<std::string, Does> routines;
  for (const auto& r : s.routines) {
    if (r.item->is_group) continue;
    const bool rates = std::ranges::any_of(
        r.accesses, [&](const auto& a) { return a.mode != Mode::read && s.groups[a.group].evolves >= 0; });
    routines[r.item->full_name()] = {r.item->thorn, rates, r.integrates};
  }
  const std::string boundary = s.services.provider<BoundaryConditions>();
  const std::string sweeps = s.services.provider<StepTiles>() + ": ";
  return [routines, boundary, sweeps](const std::string& bin, const std::string& routine) -> std::string {
    const auto found = routines.find(routine);
    if (is_start(bin)) return start;
    if (routine.starts_with(sweeps)) return rhs;
    if (found == routines.end()) {  // a bin, or what is done outside of them
      const auto known = routine == bin ? outermost.find(bin) : outermost.end();
      return known == outermost.end() ? flesh : known->second;
    }
    const auto& [thorn, rates, integrates] = found->second;
    if (thorn == boundary) return conditions;
    if (integrates) return "time integrator";
    if (rates) return rhs;
    return bin == "checkpoint" || thorn == "Checkpoint" ? checkpoints : thorn.starts_with("IO") ? "output" : thorn;
  };
}

namespace {
class Sorter {
 public:
  Sorter(const std::vector<TimerNode>& nodes, const ClassOf& class_of) : nodes_(nodes), class_of_(class_of) {}
  const std::string& bin(std::size_t n) const {
    return nodes_[n].parent < 0 ? nodes_[n].name : bin(static_cast<std::size_t>(nodes_[n].parent));
  }
  Place operator()(std::size_t n) const {
    const std::string& name = nodes_[n].name;
    for (const auto& [prefix, row] : waits)
      if (name.starts_with(prefix)) return {is_start(bin(n)) ? start : row, name.substr(prefix.size())};
    return {class_of_(bin(n), name), name};
  }

 private:
  const std::vector<TimerNode>& nodes_;
  const ClassOf& class_of_;
};
}  // namespace

Classes classify(const std::vector<TimerNode>& nodes, const std::vector<std::vector<Sample>>& samples,
    const ClassOf& class_of, const std::vector<Flow>& flows, const std::vector<double>& wall, double assembly) {
  const Sorter place(nodes, class_of);
  const auto processes = static_cast<double>(samples.size());
  Rows rows;
  std::map<std::string, Place> of_routine;  // where it runs in the schedule
  std::vector<double> exchanged(samples.size());
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    const bool aside = place.bin(n) == background_timer;
    if (aside && nodes[n].parent < 0) continue;
    const Place at = place(n);
    double own = 0;
    for (std::size_t p = 0; p < samples.size(); ++p) {
      std::int64_t time = samples[p][n].nanoseconds;
      for (std::size_t m = n + 1; m < nodes.size() && !aside; ++m)
        if (nodes[m].parent == static_cast<int>(n)) time -= samples[p][m].nanoseconds;
      own += 1e-9 * static_cast<double>(time) / processes;
      if (at.first == exchange) exchanged[p] += 1e-9 * static_cast<double>(time);
    }
    if (!aside) of_routine.try_emplace(nodes[n].name, at);
    const auto known = of_routine.find(nodes[n].name);
    rows.add(aside && known != of_routine.end() ? known->second : at, {"", own, aside ? 0 : own});
  }
  if (processes > 1) {  // who came last to the exchanges waited for nobody
    const double waited =
        std::accumulate(exchanged.begin(), exchanged.end(), 0.0) / processes - *std::ranges::min_element(exchanged);
    rows.add({imbalance, "in exchanges"}, {"", waited, waited});
    rows.add({exchange, "of these, waiting"}, {"", -waited, -waited});
  }
  for (const Flow& f : flows) {
    const auto known = of_routine.find(f.routine);
    rows.add(known == of_routine.end() ? Place{flesh, f.routine} : known->second,
        {"", 0, 0, f.bytes.to_host, f.bytes.to_device});
  }
  rows.add({start, "assembly"}, {"", assembly, assembly});
  const double all = std::accumulate(wall.begin(), wall.end(), 0.0) / processes, left = all - rows.exposed();
  rows.add({flesh, "between routines"}, {"", left, left});
  return {all, rows.sorted()};
}

std::string class_table(const Classes& c, bool routines, int steps) {
  bool moved = false;
  double evolution = c.wall;
  std::size_t width = 36;
  for (const auto& row : c.rows) {
    moved = moved || row.to_host || row.to_device;
    if (row.name == start) evolution -= row.exposed;
    for (const auto& r : row.routines) width = std::max(width, r.name.size() + 4);
  }
  const auto line = [&](const std::string& name, const Share& s, bool busy, bool part) {
    const auto percent = [&](double t) {
      return padded(part && evolution > 0 ? format_double(std::round(1e4 * t / evolution) / 100) : "", 8);
    };
    const auto bytes = [&](std::int64_t n) { return n ? format_bytes(static_cast<double>(n)) : ""; };
    std::string text = padded(name, width, true);
    text += busy ? padded(format_seconds(s.busy), 12) + percent(s.busy) : padded("", 20);
    text += padded(format_seconds(s.exposed), 12) + percent(s.exposed);
    if (moved)
      text += padded(bytes(s.to_host), 12) + padded(bytes(s.to_device), 12) +
              (steps > 0 ? padded(bytes((s.to_host + s.to_device) / steps), 12) : "");
    return trimmed(text);
  };
  std::string text = padded("where the time went", width, true) + padded("busy", 12) + padded("%", 8) +
                     padded("exposed", 12) + padded("%", 8);
  if (moved) text += padded("to host", 12) + padded("to device", 12) + (steps > 0 ? padded("a step", 12) : "");
  text = trimmed(text);
  Share sum;
  for (const auto& row : c.rows) {
    text += line(row.name, row, true, row.name != start);
    sum += row;
    for (const auto& r : row.routines)
      if (routines && r.name != row.name) text += line("  " + r.name, r, true, row.name != start);
  }
  return text + line("wall time", sum, false, false);
}

std::string class_json(const Classes& c) {
  const auto members = [](const Share& s) {
    return "{\"name\": \"" + s.name + "\", \"busy\": " + format_double(s.busy) +
           ", \"exposed\": " + format_double(s.exposed) + ", \"to_host\": " + std::to_string(s.to_host) +
           ", \"to_device\": " + std::to_string(s.to_device);
  };
  std::string text = "\"wall\": " + format_double(c.wall) + ",\n  \"classes\": [";
  for (const auto& row : c.rows) {
    text += (&row == c.rows.data() ? "\n    " : ",\n    ") + members(row) + ", \"routines\": [";
    for (const auto& r : row.routines)
      text += (&r == row.routines.data() ? "\n      " : ",\n      ") + members(r) + "}";
    text += "]}";
  }
  return text + "\n  ]";
}
}  // namespace TimerReport
