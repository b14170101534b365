// Adds up over processes, which all know routines and variables by the same numbers.
#include "traffic.hpp"

#include <cereus/text.hpp>

#include <algorithm>
#include <cstring>

#include "columns.hpp"

namespace TimerReport {
using namespace cereus;

std::vector<Flow> gather_traffic(Simulation& s) {
  struct Row {
    Traffic::Key key;
    Moved bytes;
  };
  std::vector<Row> mine;
  for (const auto& [key, bytes] : s.traffic.by_reader()) mine.push_back({key, bytes});
  const auto all =
      s.services.get<Driver>().gather({reinterpret_cast<const char*>(mine.data()), mine.size() * sizeof(Row)});
  Traffic sum;
  for (const auto& process : all)
    for (std::size_t at = 0; at + sizeof(Row) <= process.size(); at += sizeof(Row)) {
      Row row;
      std::memcpy(&row, process.data() + at, sizeof row);
      sum.add(row.key, row.bytes);
    }
  std::vector<Flow> flows;
  for (const auto& [key, bytes] : sum.by_reader())
    flows.push_back({key.routine < 0 ? "the flesh" : s.routines[key.routine].item->full_name(),
        s.variable_name(key.group, key.component), bytes});
  std::stable_sort(
      flows.begin(), flows.end(), [](const Flow& a, const Flow& b) { return a.bytes.all() > b.bytes.all(); });
  return flows;
}

namespace {
constexpr struct Direction {
  const char *name, *key;
  std::int64_t Moved::*bytes;
} directions[] = {{"to host", "to_host", &Moved::to_host}, {"to device", "to_device", &Moved::to_device},
    {"to processes", "to_processes", &Moved::to_processes}, {"of them ahead", "ahead", &Moved::ahead}};
}  // namespace

std::string traffic_table(const std::vector<Flow>& flows, std::size_t n, int steps) {
  if (flows.empty() || n == 0) return "";
  Moved sum;
  std::size_t routine = 24, variable = 16;
  for (const auto& f : flows) {
    sum += f.bytes;
    routine = std::max(routine, f.routine.size() + 2), variable = std::max(variable, f.variable.size() + 2);
  }
  const auto row = [&](const std::string& reader, const std::string& what, const auto& cell) {
    std::string line = padded(reader, routine, true) + padded(what, variable, true);
    for (const auto& d : directions)
      if (sum.*d.bytes) line += padded(cell(d, false), 14) + (steps > 0 ? padded(cell(d, true), 12) : "");
    return trimmed(line);
  };
  const auto numbers = [&](const Moved& m) {
    return [&m, steps](const Direction& d, bool a_step) {
      return m.*d.bytes ? format_bytes(static_cast<double>(m.*d.bytes) / (a_step ? steps : 1)) : "";
    };
  };
  const auto heading = [](const Direction& d, bool a_step) { return a_step ? "a step" : d.name; };
  std::string text = row("bytes moved, for", "of", heading);
  for (std::size_t i = 0; i < std::min(n, flows.size()); ++i)
    text += row(flows[i].routine, flows[i].variable, numbers(flows[i].bytes));
  return text + row("in all", "", numbers(sum));
}

std::string traffic_json(const std::vector<Flow>& flows) {
  std::string text = "[";
  for (const auto& f : flows) {
    text += (&f == flows.data() ? "\n" : ",\n") + ("    {\"routine\": \"" + f.routine) + "\", \"variable\": \"" +
            f.variable + "\"";
    for (const auto& d : directions) text += std::string(", \"") + d.key + "\": " + std::to_string(f.bytes.*d.bytes);
    text += "}";
  }
  return text + "\n  ]";
}
}  // namespace TimerReport
