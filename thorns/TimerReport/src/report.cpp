// Statistics over processes, and three ways to write them down.
#include "report.hpp"

#include <cereus/text.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "columns.hpp"

namespace TimerReport {
namespace {
template <class... T> std::string print(const char* format, T... values) {
  char buffer[256];
  std::snprintf(buffer, sizeof buffer, format, values...);
  return buffer;
}

std::string row(const std::string& name, std::size_t width, const Line& l, double time) {
  return padded(name, width, true) + padded(std::to_string(l.calls), 10) +
         padded(cereus::format_seconds(l.minimum), 12) + padded(cereus::format_seconds(time), 12) +
         padded(cereus::format_seconds(l.maximum), 12) + padded(print("%.1f", l.percent), 8) +
         padded(l.bytes ? cereus::format_bytes(static_cast<double>(l.bytes)) : "", 11) +
         padded(l.bandwidth > 0 ? print("%.1f", l.bandwidth) : "", 8);
}
std::string heading(std::size_t width, const char* time) {
  return padded("routine", width, true) + padded("calls", 10) + padded("min", 12) + padded(time, 12) +
         padded("max", 12) + padded("%", 8) + padded("bytes", 11) + padded("GB/s", 8) + "\n";
}

// Control characters never occur in names of routines.
std::string escaped(const std::string& name, bool xml) {
  std::string text;
  for (const char c : name)
    if (xml && c == '&') text += "&amp;";
    else if (xml && c == '<') text += "&lt;";
    else if (xml && c == '"') text += "&quot;";
    else if (!xml && (c == '"' || c == '\\')) text += {'\\', c};
    else text += c;
  return text;
}

template <class F> void walk(const std::vector<TimerNode>& nodes, int parent, int depth, const F& f) {
  for (int n = 0; n < static_cast<int>(nodes.size()); ++n)
    if (nodes[n].parent == parent) {
      f(n, depth);
      walk(nodes, n, depth + 1, f);
    }
}

void xml_below(
    const std::vector<TimerNode>& nodes, const std::vector<Sample>& samples, int parent, int depth, std::string& text) {
  const std::string indent(static_cast<std::size_t>(2 * depth), ' ');
  for (int n = 0; n < static_cast<int>(nodes.size()); ++n) {
    if (nodes[n].parent != parent || samples[n].calls == 0) continue;
    text += indent + "<timer name=\"" + escaped(nodes[n].name, true) +
            print("\"> %.9f\n", 1e-9 * static_cast<double>(samples[n].nanoseconds));
    xml_below(nodes, samples, n, depth + 1, text);
    text += indent + "</timer>\n";
  }
}
}  // namespace

void count_open(const std::vector<TimerNode>& nodes, const std::string& running, std::vector<Sample>& samples) {
  const auto found = std::find_if(nodes.begin(), nodes.end(), [&](const TimerNode& n) { return n.name == running; });
  if (found == nodes.end()) return;
  for (int open = found->parent; open >= 0; open = nodes[open].parent) {
    std::int64_t below = 0;
    for (std::size_t n = 0; n < nodes.size(); ++n)
      if (nodes[n].parent == open) below += samples[n].nanoseconds;
    ++samples[open].calls;
    samples[open].nanoseconds = std::max(samples[open].nanoseconds, below);
  }
}

std::vector<Line> summarise(const std::vector<TimerNode>& nodes, const std::vector<std::vector<Sample>>& samples) {
  std::vector<Line> by_node(nodes.size()), lines;
  const auto processes = static_cast<double>(samples.size());
  double total = 0;
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    Line& l = by_node[n];
    l.name = nodes[n].name;
    l.minimum = HUGE_VAL;
    double calls = 0, bytes = 0;
    for (const auto& process : samples) {
      const double seconds = 1e-9 * static_cast<double>(process[n].nanoseconds);
      l.minimum = std::min(l.minimum, seconds);
      l.maximum = std::max(l.maximum, seconds);
      l.average += seconds / processes;
      calls += static_cast<double>(process[n].calls) / processes;
      bytes += static_cast<double>(process[n].bytes) / processes;
    }
    l.calls = std::llround(calls), l.bytes = std::llround(bytes);
    l.own += l.average;
    if (l.average > 0) l.bandwidth = 1e-9 * bytes / l.average;
    if (nodes[n].parent < 0) total += l.average;
  }
  for (std::size_t n = 0; n < nodes.size(); ++n)
    if (nodes[n].parent >= 0) by_node[nodes[n].parent].own -= by_node[n].average;
  walk(nodes, -1, 0, [&](int n, int depth) {
    Line& l = by_node[n];
    l.depth = depth;
    l.own = std::max(0.0, l.own);  // clocks are read apart
    l.percent = total > 0 ? 100 * l.average / total : 0;
    lines.push_back(l);
  });
  return lines;
}

std::string table(const std::vector<Line>& lines) {
  std::size_t width = 24;
  for (const auto& l : lines) width = std::max(width, l.name.size() + 2 * l.depth + 2);
  std::string text = heading(width, "average");
  for (const auto& l : lines)
    if (l.calls)
      text += trimmed(row(std::string(static_cast<std::size_t>(2 * l.depth), ' ') + l.name, width, l, l.average));
  return text;
}

std::string top_table(const std::vector<Line>& lines, std::size_t n) {
  std::vector<Line> top;
  double total = 0;
  bool beside = false;
  for (const auto& l : lines) {
    if (l.depth == 0) total += l.average, beside = l.name == cereus::background_timer;
    if (!l.calls) continue;
    top.push_back(l);
    if (beside && l.depth > 0) top.back().name += " (beside)";  // its copies are made under its name, in its turn
  }
  std::stable_sort(top.begin(), top.end(), [](const Line& a, const Line& b) { return a.own > b.own; });
  if (top.size() > n) top.resize(n);
  std::size_t width = 24;
  for (auto& l : top) {
    width = std::max(width, l.name.size() + 2);
    l.percent = total > 0 ? 100 * l.own / total : 0;
  }
  std::string text = padded("routine", width, true) + padded("calls", 10) + padded("own time", 12) + padded("%", 8) +
                     padded("GB/s", 8);
  for (const auto& l : top)
    text += "\n" + padded(l.name, width, true) + padded(std::to_string(l.calls), 10) +
            padded(cereus::format_seconds(l.own), 12) + padded(print("%.1f", l.percent), 8) +
            (l.bandwidth > 0 ? padded(print("%.1f", l.bandwidth), 8) : "");
  return text;
}

std::string json(const std::vector<Line>& lines, const std::string& traffic, const std::string& classes, int processes,
    int iteration) {
  std::string text =
      print("{\n  \"format\": 1,\n  \"processes\": %d,\n  \"iteration\": %d,\n  \"timers\": [", processes, iteration);
  const char* separator = "\n";
  for (const auto& l : lines) {
    if (l.calls == 0) continue;
    text += separator + ("    {\"name\": \"" + escaped(l.name, false)) +
            print(
                "\", \"depth\": %d, \"calls\": %lld, \"seconds\": {\"min\": %.9g, \"average\": %.9g, \"max\": %.9g, "
                "\"own\": %.9g}, ",
                l.depth, static_cast<long long>(l.calls), l.minimum, l.average, l.maximum, l.own) +
            print("\"percent\": %.4g, \"bytes\": %lld, \"GB/s\": %.4g}", l.percent, static_cast<long long>(l.bytes),
                l.bandwidth);
    separator = ",\n";
  }
  return text + "\n  ],\n  " + classes + ",\n  \"traffic\": " + traffic + "\n}\n";
}

std::string timertree(const std::vector<TimerNode>& nodes, const std::vector<Sample>& samples) {
  double total = 0;
  for (std::size_t n = 0; n < nodes.size(); ++n)
    if (nodes[n].parent < 0) total += 1e-9 * static_cast<double>(samples[n].nanoseconds);
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<timer name=\"main\"> " + print("%.9f\n", total);
  xml_below(nodes, samples, -1, 1, text);
  return text + "</timer>\n";
}
}  // namespace TimerReport
