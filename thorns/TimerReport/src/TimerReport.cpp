// Says where the time went, and what travelled: gathers both from all processes on rank 0, which writes and prints
// them.
#include <cereus/console.hpp>
#include <cereus/file.hpp>
#include <cereus/thorn.hpp>

#include <chrono>
#include <cstring>

#include "classes.hpp"

namespace TimerReport {
using namespace cereus;
using steady = std::chrono::steady_clock;

void write(const std::filesystem::path& path, const std::string& text) {
  if (const std::string wrong = replace_file(path, text); !wrong.empty())
    throw Failure("TimerReport cannot write " + path.string() + ": " + wrong);
}

struct Report {
  std::vector<Line> lines;
  std::vector<Flow> traffic;
  Classes classes;
};

struct Begun {
  steady::time_point when = steady::now();
  double assembly = 0;  // seconds from then to the first bin

  // In the first bin, of which some routines have run.
  void startup(const Timers& timers) {
    assembly = std::chrono::duration<double>(steady::now() - when).count();
    for (const TimerNode& n : timers.nodes())
      if (n.parent >= 0 && timers.nodes()[static_cast<std::size_t>(n.parent)].name == bin::startup.name)
        assembly -= 1e-9 * static_cast<double>(n.nanoseconds);
  }
};

Report report(Context& c, const Begun& begun) {
  Simulation& s = c.simulation();
  const auto& nodes = s.timers.nodes();
  std::vector<Sample> mine;
  for (const auto& n : nodes) mine.push_back({n.calls, n.nanoseconds, n.bytes});
  count_open(nodes, c.routine().item->full_name(), mine);
  mine.push_back({1, std::chrono::nanoseconds(steady::now() - begun.when).count(), 0});  // the wall time
  const auto* bytes = reinterpret_cast<const char*>(mine.data());
  const auto all = s.services.get<Driver>().gather({bytes, mine.size() * sizeof(Sample)});
  const auto traffic = gather_traffic(s);
  if (c.rank() != 0) return {};

  std::vector<std::vector<Sample>> samples;
  std::vector<double> wall;
  for (const auto& process : all) {
    if (process.size() != mine.size() * sizeof(Sample)) throw Failure("TimerReport: processes have different timers");
    samples.emplace_back(mine.size());
    std::memcpy(samples.back().data(), process.data(), process.size());
    wall.push_back(1e-9 * static_cast<double>(samples.back().back().nanoseconds));
    samples.back().pop_back();
  }
  const int steps = s.clock.iteration;
  const auto classes = classify(nodes, samples, class_of(s), traffic, wall, begun.assembly);
  const auto lines = summarise(nodes, samples);
  const std::string moved = traffic_table(traffic, traffic.size(), steps);
  write(s.output / "timers.txt",
      table(lines) + "\n" + class_table(classes, true, steps) + (moved.empty() ? "" : "\n" + moved));
  write(s.output / "timers.json", json(lines, traffic_json(traffic), class_json(classes), c.processes(), steps));
  const auto& trees = c.parameters().string("trees");
  const std::size_t n = trees == "all" ? samples.size() : trees == "first" ? 1 : 0;
  for (std::size_t r = 0; r < n; ++r)
    write(s.output / ("timertree." + std::to_string(r) + ".xml"), timertree(nodes, samples[r]));
  return {lines, traffic, classes};
}

void declare(Declaration& d) {
  d.describe("Says where the time went, and what travelled: tables, JSON, and trees that kuibit reads");
  d.parameter(
      "every", 0, at_least(0), "Write the files each time the iteration is a multiple of this; 0: only at the end");
  d.parameter("top", 8, at_least(0), "Lines of each table that is printed at the end");
  d.parameter("table", "routines",
      one_of({{"routines", "those with the most time of their own"},
          {"classes", "what was done, with what the evolution stood still for; adds up to the wall time"}}),
      "Which times are printed at the end");
  d.parameter("trees", "all",
      one_of({{"all", "timertree.RANK.xml of all processes"}, {"first", "of rank 0"}, {"none"}}),
      "Which processes get a tree of timers of their own, for kuibit");
  d.needs<Driver>();
}

void schedule(Schedule& s, const Parameters& par) {
  const auto begun = std::make_shared<Begun>();
  s.routine("begin", "Notes when the run was assembled", [begun](Context& c) { begun->startup(c.simulation().timers); })
      .at(bin::startup)
      .once();
  if (const auto every = static_cast<int>(par.integer("every")); every > 0)
    s.routine("during", "Writes the timers so far", [begun](Context& c) { report(c, *begun); })
        .at(bin::output)
        .every({every})
        .once();
  s.routine("report", "Writes and prints the timers",
       [begun](Context& c) {
         const auto made = report(c, *begun);
         const auto top = static_cast<std::size_t>(c.parameters().integer("top"));
         if (c.rank() != 0 || top == 0) return;
         std::string times = top_table(made.lines, top);
         if (c.parameters().string("table") == "classes") {
           times = class_table(made.classes, false, c.clock().iteration);
           times.pop_back();
         }
         console::say(times);
         if (std::string moved = traffic_table(made.traffic, top, c.clock().iteration); !moved.empty()) {
           moved.pop_back();
           console::say(moved);
         }
       })
      .at(bin::terminate)
      .once();
}
}  // namespace TimerReport
CEREUS_THORN(TimerReport, TimerReport::declare, TimerReport::schedule)
