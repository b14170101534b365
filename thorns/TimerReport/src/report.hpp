// From the timers of all processes to a table, JSON and XML: pure functions of numbers.
#pragma once
#include <cereus/timer.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace TimerReport {
using cereus::TimerNode;

struct Sample {  // of one timer on one process; what is sent to rank 0
  std::int64_t calls, nanoseconds, bytes;
};
struct Line {  // of one timer over all processes; children follow their parent
  std::string name;
  int depth = 0;
  std::int64_t calls = 0, bytes = 0;             // average over processes, rounded
  double minimum = 0, average = 0, maximum = 0;  // seconds
  double own = 0;                                // average, without the children
  double percent = 0;                            // of the sum over the outermost timers
  double bandwidth = 0;                          // GB/s of one process
};

// What runs while the report is made has not been timed yet: the nodes around `running` count this call, and at least
// the time of what is below them.
void count_open(const std::vector<TimerNode>& nodes, const std::string& running, std::vector<Sample>& samples);

// samples[process][node]
std::vector<Line> summarise(const std::vector<TimerNode>& nodes, const std::vector<std::vector<Sample>>& samples);

std::string table(const std::vector<Line>&);                     // the whole tree, indented
std::string top_table(const std::vector<Line>&, std::size_t n);  // the n that take the most time of their own
// `traffic`: as traffic_json writes it; `classes`: as class_json does.
std::string json(
    const std::vector<Line>&, const std::string& traffic, const std::string& classes, int processes, int iteration);
std::string timertree(const std::vector<TimerNode>& nodes, const std::vector<Sample>& samples);  // as kuibit reads it
}  // namespace TimerReport
