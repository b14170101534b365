// The schedule as text and DOT, with what each routine touches and the syncs and copies that a step makes.
#include "observe/schedule_graph.hpp"

#include <fmt/format.h>

#include <limits>
#include <ranges>

#include "cereus/text.hpp"
#include "observe/forecast.hpp"
#include "schedule/build.hpp"

namespace cereus {
namespace {
std::string touched(const Simulation& s, const Routine& r, bool write) {
  std::vector<std::string> list;
  for (const auto& a : r.accesses)
    if ((a.mode != Mode::read) == write) {
      std::string t = s.variable_name(a.group, a.component);
      if (a.reach) t += fmt::format(" {}<{}>", a.corners ? "box" : "star", a.reach);
      if (a.region == Region::everywhere) t += " everywhere";
      if (a.region == Region::boundary) t += " boundary";
      list.push_back(t);
    }
  return join(list, ", ");
}

struct Text {
  bool why;  // with reasons of the order
  std::string out{};
};

void text(const Simulation& s, const Node& n, int depth, Forecast& forecast, Text& to, bool again = false) {
  std::string& out = to.out;
  const std::string indent(2 * static_cast<std::size_t>(depth), ' ');
  if (n.routine < 0) {
    out += indent + n.name +
           (n.while_group >= 0 ? " (while " + s.variable_name(n.while_group, n.while_component) + ")" : "") + "\n";
    // A loop is shown as it runs the second time, which is what each stage does, with what only the first moves.
    again = again || n.while_group >= 0;
    Text unused{to.why};
    if (n.while_group >= 0)
      for (const auto& c : n.children) text(s, c, depth + 1, forecast, unused);
    for (const auto& c : n.children) text(s, c, depth + 1, forecast, to, again);
    for (const auto& w : n.why_sorted)
      if (to.why) out += indent + "  · " + w + "\n";
    return;
  }
  const Routine& r = s.routines[n.routine];
  for (const auto& line : again ? forecast.second_round(r) : forecast.routine(r)) out += indent + line + "\n";
  out += indent + n.name + ": " + r.item->doc + "\n";
  const Every& every = r.item->every;
  if (every.nowhere()) {
    out += indent + "    never runs: nothing says when\n";
    return;
  }
  if (const auto reads = touched(s, r, false); !reads.empty()) out += indent + "    reads  " + reads + "\n";
  if (const auto writes = touched(s, r, true); !writes.empty()) out += indent + "    writes " + writes + "\n";
  if (!r.fused.empty())
    out += indent + "    the update of " + s.groups[s.groups[r.fused[0]].evolves].full_name() + " is fused in" +
           (r.unfused_strip.layers > 0 ? fmt::format(", but for {} layer{} of points along outer faces",
                                             r.unfused_strip.layers, r.unfused_strip.layers > 1 ? "s" : "")
                                       : "") +
           "\n";
  else if (!r.not_fused.empty()) out += indent + "    its update is a sweep of its own: " + r.not_fused + "\n";
  if (every.never && every.at_end) out += indent + "    runs at the last step\n";
  else if (every.iterations == std::numeric_limits<int>::max()) out += indent + "    runs before the first step\n";
  else if (every.iterations > 1) out += indent + fmt::format("    runs every {} iterations\n", every.iterations);
  if (every.time > 0) out += indent + fmt::format("    runs when a multiple of t = {} has passed\n", every.time);
  if (r.item->on_demand) out += indent + "    runs only when something due reads what it writes\n";
}

// Nodes lie in clusters; edges come after all clusters, because an edge that is written in one puts its nodes there.
struct Graph {
  std::string nodes, edges, last;  // `last`: the routine before
  void node(const std::string& name, const std::string& label, const char* style) {
    nodes += fmt::format("{} [label={}, {}];\n", quoted(name), quoted(label), style);
    if (!last.empty()) edges += fmt::format("{} -> {};\n", quoted(last), quoted(name));
    last = name;
  }
  static std::string quoted(std::string text) {
    for (std::size_t at = 0; (at = text.find_first_of("\"\\\n", at)) != std::string::npos; at += 2)
      if (text[at] == '\n') text.replace(at, 1, "\\n");
      else text.insert(at, "\\");
    return '"' + text + '"';
  }
};

const Node* first_routine(const Node& n) {
  if (n.routine >= 0) return &n;
  for (const auto& c : n.children)
    if (const Node* found = first_routine(c)) return found;
  return nullptr;
}

// As text() does: what comes before a routine is a note of its own.
void add(const Simulation& s, const Node& n, const std::string& parent, Forecast& forecast, Graph& to, bool again) {
  if (n.routine < 0) {
    const Node* first = first_routine(n);
    if (!first) return;
    to.nodes += fmt::format("subgraph {} {{ label={}; style=rounded; color=\"#888888\";\n",
        Graph::quoted("cluster_" + parent + n.name), Graph::quoted(n.name));
    Text unused{false};
    if (n.while_group >= 0)
      for (const auto& c : n.children) text(s, c, 0, forecast, unused);
    for (const auto& c : n.children) add(s, c, parent + n.name, forecast, to, again || n.while_group >= 0);
    to.nodes += "}\n";
    if (n.while_group >= 0)
      to.edges += fmt::format("{} -> {} [label={}, style=dashed, constraint=false];\n", Graph::quoted(to.last),
          Graph::quoted(first->name), Graph::quoted("while " + s.variable_name(n.while_group, n.while_component)));
    return;
  }
  const Routine& r = s.routines[n.routine];
  if (const auto lines = again ? forecast.second_round(r) : forecast.routine(r); !lines.empty())
    to.node(n.name + " moves", join(lines, "\n"), "shape=note, fillcolor=\"#fff7e0\", fontsize=9");
  to.node(n.name, n.name + "\n" + r.item->doc + (r.fused.empty() ? "" : "\n(update fused in)"),
      r.item->on_demand ? "style=\"rounded,filled,dashed\"" : "style=\"rounded,filled\"");
}

// Each bin once, and those of a step as the second step runs them: what a run always does. Returns whether there are
// copies between host and device.
template <class Show> bool for_each_bin(const Simulation& s, Show&& show) {
  Forecast forecast(s);
  Text unused{false};
  const auto discard = [&](const Node& bin) { text(s, bin, 0, forecast, unused); };
  const auto shown = [&](const Node& bin) { show(bin, forecast); };
  const auto walk = [&](const std::string& first, const std::string& last, auto&& to) {
    bool within = false;
    for (const std::string bin : std::views::transform(bin::in_order, &Bin::name)) {
      within = within || bin == first;
      if (within && bin == "prestep") forecast.cycle();
      if (within && !s.bins.at(bin).children.empty()) to(s.bins.at(bin));
      within = within && bin != last;
    }
  };
  walk("startup", "postregrid", shown);
  walk("poststep", "output", discard);
  walk("prestep", "output", discard);
  walk("prestep", "output", shown);
  walk("precheckpoint", "shutdown", shown);
  return forecast.device();
}
}  // namespace

std::string schedule_as_text(const Simulation& s, int processes, bool why) {
  Text all{why};
  const bool device = for_each_bin(s, [&](const Node& bin, Forecast& f) { text(s, bin, 0, f, all); });
  const auto& wanted = s.of("Cereus").string("device");
  if (device)
    all.out += fmt::format(
        "copies (→) are those of a run on a device, which Cereus.device: {} {}; services may read more than routines "
        "declare; for analysis and output beside the evolution ghost zones and padding are copied, too\n",
        wanted, wanted == "auto" ? "takes if it finds one" : "asks for");
  return all.out +
         fmt::format("bytes are those of {}; ghost zones are {} wide, from the widest reach\n",
             processes > 1 ? fmt::format("all {} processes together", processes) : "one process", ghost_width(s)) +
         forecast_of_steps(s);
}

std::string forecast_of_steps(const Simulation& s) {
  const auto* tiles = s.services.find<StepTiles>();
  return tiles ? tiles->forecast(s) + "\n" : "";
}

std::string schedule_as_dot(const Simulation& s) {
  Graph all;
  for_each_bin(s, [&](const Node& bin, Forecast& f) { add(s, bin, "", f, all, false); });
  return "digraph schedule { rankdir=TB; fontname=Helvetica; node [shape=box, style=\"rounded,filled\", "
         "fillcolor=\"#eef4fb\", fontname=Helvetica];\n" +
         all.nodes + all.edges + "}\n";
}
}  // namespace cereus
