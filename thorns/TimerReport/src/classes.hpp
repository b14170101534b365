// Where the time of a run went, as the Chemora project asked (M. Blazewicz et al., Scientific Programming 21 (2013) 1):
// by what was done, with what the evolution stood still for apart from what ran beside it.
#pragma once
#include <functional>

#include "report.hpp"
#include "traffic.hpp"

namespace TimerReport {
struct Share {  // averages over processes, in seconds; bytes of all processes together
  std::string name;
  double busy = 0;     // own time, wherever it ran
  double exposed = 0;  // of the thread that evolves; over all shares they add up to the wall time
  std::int64_t to_host = 0, to_device = 0;
  Share& operator+=(const Share& s);
};
struct Class : Share {
  std::vector<Share> routines;
};
struct Classes {
  double wall = 0;
  std::vector<Class> rows;  // the most exposed first, what is left of the wall time last
};

// What a routine does, which runs in a bin.
using ClassOf = std::function<std::string(const std::string& bin, const std::string& routine)>;
ClassOf class_of(const cereus::Simulation&);

// samples[process][node]; wall[process], and the part of it before the first bin, in seconds. What the slowest to come
// did not wait for in exchanges is theirs; the rest is what processes waited for each other.
Classes classify(const std::vector<TimerNode>&, const std::vector<std::vector<Sample>>& samples, const ClassOf&,
    const std::vector<Flow>&, const std::vector<double>& wall, double assembly = 0);

// In % of the time without the start. With `routines`: those of each class below it.
std::string class_table(const Classes&, bool routines, int steps);
std::string class_json(const Classes&);  // members of an object: "wall" and "classes"
}  // namespace TimerReport
