// Says where the time went, and what travelled: gathers both from all processes on rank 0, which writes and prints
// them.
#include <cereus/console.hpp>
#include <cereus/file.hpp>
#include <cereus/thorn.hpp>

#include <cstring>

#include "report.hpp"
#include "traffic.hpp"

namespace TimerReport {
using namespace cereus;

void write(const std::filesystem::path& path, const std::string& text) {
  if (const std::string wrong = replace_file(path, text); !wrong.empty())
    throw Failure("TimerReport cannot write " + path.string() + ": " + wrong);
}

struct Report {
  std::string caution;  // before the times
  std::vector<Line> lines;
  std::vector<Flow> traffic;
};

Report report(Context& c) {
  Simulation& s = c.simulation();
  const auto& nodes = s.timers.nodes();
  std::vector<Sample> mine;
  for (const auto& n : nodes) mine.push_back({n.calls, n.nanoseconds, n.bytes});
  count_open(nodes, c.routine().item->full_name(), mine);
  const auto* bytes = reinterpret_cast<const char*>(mine.data());
  const auto all = s.services.get<Driver>().gather({bytes, mine.size() * sizeof(Sample)});
  const auto traffic = gather_traffic(s);
  if (c.rank() != 0) return {};

  std::vector<std::vector<Sample>> samples;
  for (const auto& process : all) {
    if (process.size() != nodes.size() * sizeof(Sample)) throw Failure("TimerReport: processes have different timers");
    samples.emplace_back(nodes.size());
    std::memcpy(samples.back().data(), process.data(), process.size());
  }
  const auto lines = summarise(nodes, samples);
  const std::string caution =
      kernel_space(s) == Space::device ? "times of kernels on a device are those of launching them\n" : "";
  const std::string moved = traffic_table(traffic, traffic.size(), s.clock.iteration);
  write(s.output / "timers.txt", caution + table(lines) + (moved.empty() ? "" : "\n" + moved));
  write(s.output / "timers.json", json(lines, traffic_json(traffic), c.processes(), s.clock.iteration));
  const auto& trees = c.parameters().string("trees");
  const std::size_t n = trees == "all" ? samples.size() : trees == "first" ? 1 : 0;
  for (std::size_t r = 0; r < n; ++r)
    write(s.output / ("timertree." + std::to_string(r) + ".xml"), timertree(nodes, samples[r]));
  return {caution, lines, traffic};
}

void declare(Declaration& d) {
  d.describe("Says where the time went, and what travelled: tables, JSON, and trees that kuibit reads");
  d.parameter(
      "every", 0, at_least(0), "Write the files each time the iteration is a multiple of this; 0: only at the end");
  d.parameter("top", 8, at_least(0), "Lines of each table that is printed at the end");
  d.parameter("trees", "all",
      one_of({{"all", "timertree.RANK.xml of all processes"}, {"first", "of rank 0"}, {"none"}}),
      "Which processes get a tree of timers of their own, for kuibit");
  d.needs<Driver>();
}

void schedule(Schedule& s, const Parameters& par) {
  if (const auto every = static_cast<int>(par.integer("every")); every > 0)
    s.routine("during", "Writes the timers so far", [](Context& c) { report(c); })
        .at(bin::output)
        .every({every})
        .once();
  s.routine("report", "Writes and prints the timers",
       [](Context& c) {
         const auto made = report(c);
         const auto top = static_cast<std::size_t>(c.parameters().integer("top"));
         if (c.rank() != 0 || top == 0) return;
         console::say(made.caution + top_table(made.lines, top));
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
