// From the traffic of all processes to a table and JSON.
#pragma once
#include <cereus/simulation.hpp>

#include <string>
#include <vector>

namespace TimerReport {
using cereus::Moved;

struct Flow {  // what a routine read of a variable, over all processes
  std::string routine, variable;
  Moved bytes;
};

// On rank 0, the most bytes first. Collective.
std::vector<Flow> gather_traffic(cereus::Simulation&);

// The first n; nothing if nothing travelled, and no column for a direction in which nothing did.
std::string traffic_table(const std::vector<Flow>&, std::size_t n, int steps);
std::string traffic_json(const std::vector<Flow>&);  // an array
}  // namespace TimerReport
