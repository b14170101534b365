// `cereus graph`: the schedule as text, DOT or SVG, with what each routine touches and the syncs that a step makes.
#include <fmt/format.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <iostream>

#include "cereus/text.hpp"
#include "run/commands.hpp"
#include "schedule/build.hpp"

namespace cereus {
namespace {
// Ghost zones as the schedule runs: which variables are stale, to tell where syncs happen and why.
class Forecast {
 public:
  explicit Forecast(const Simulation& s) : s_(s) {}
  std::vector<std::string> routine(const Routine& r) {
    std::vector<std::string> syncs;
    for (const auto& a : r.accesses) {
      if (s_.groups[a.group].kind != GroupKind::grid_function) continue;
      const bool reads_ghosts = a.mode == Mode::read && (a.reach > 0 || a.region == Region::everywhere);
      auto& depth = depth_[{a.group, a.component}];
      const int need = a.region == Region::everywhere ? 1 << 20 : a.reach;
      if (reads_ghosts && depth.first < need) {
        syncs.push_back(fmt::format("sync {} ({} layers{}): {} reads it at an offset, stale since {}", s_.variable_name(a.group, a.component),
                                    a.region == Region::everywhere ? "all" : std::to_string(a.reach), a.corners ? ", with corners" : ", faces only",
                                    r.item->full_name(), depth.second.empty() ? "it was allocated" : depth.second));
        depth.first = need;
      }
    }
    for (const auto& a : r.accesses)
      if (a.mode != Mode::read) depth_[{a.group, a.component}] = {a.region == Region::everywhere ? 1 << 20 : 0, r.item->full_name()};
    return syncs;
  }

 private:
  const Simulation& s_;
  std::map<std::pair<int, int>, std::pair<int, std::string>> depth_;
};

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

void text(const Simulation& s, const Node& n, int depth, Forecast& forecast, std::string& out) {
  const std::string indent(2 * static_cast<std::size_t>(depth), ' ');
  if (n.routine < 0) {
    out += indent + n.name + (n.while_group >= 0 ? " (while " + s.variable_name(n.while_group, n.while_component) + ")" : "") + "\n";
    // A loop is shown as it runs the second time: that is what each stage does.
    if (n.while_group >= 0) for (const auto& c : n.children) { std::string unused; text(s, c, depth + 1, forecast, unused); }
    for (const auto& c : n.children) text(s, c, depth + 1, forecast, out);
    for (const auto& w : n.why_sorted) out += indent + "  · " + w + "\n";
    return;
  }
  const Routine& r = s.routines[n.routine];
  for (const auto& sync : forecast.routine(r)) out += indent + "↔ " + sync + "\n";
  out += indent + n.name + ": " + r.item->doc + "\n";
  if (const auto reads = touched(s, r, false); !reads.empty()) out += indent + "    reads  " + reads + "\n";
  if (const auto writes = touched(s, r, true); !writes.empty()) out += indent + "    writes " + writes + "\n";
  if (!r.fused.empty()) out += indent + "    the update of " + s.groups[r.fused[0]].rhs_of + " is fused in" +
           (r.unfused_strip > 0 ? fmt::format(", but for {} layer{} of points along outer faces", r.unfused_strip, r.unfused_strip > 1 ? "s" : "") : "") + "\n";
  else if (!r.not_fused.empty()) out += indent + "    its update is a sweep of its own: " + r.not_fused + "\n";
  if (r.item->on_demand) out += indent + "    runs only when something due reads what it writes\n";
}

void dot(const Simulation& s, const Node& n, const std::string& parent, std::string& out, std::string& last) {
  if (n.routine < 0) {
    if (n.children.empty()) return;
    out += fmt::format("subgraph \"cluster_{}{}\" {{ label=\"{}\"; style=rounded; color=\"#888888\";\n", parent, n.name, n.name);
    for (const auto& c : n.children) dot(s, c, parent + n.name, out, last);
    out += "}\n";
    return;
  }
  const Routine& r = s.routines[n.routine];
  out += fmt::format("\"{0}\" [label=\"{0}\\n{1}\"];\n", n.name, r.fused.empty() ? r.item->doc : r.item->doc + "\\n(update fused in)");
  if (!last.empty()) out += fmt::format("\"{}\" -> \"{}\";\n", last, n.name);
  last = n.name;
}

// dot reads from memory and writes where we do: no shell, no temporary file, no pipe that could fill up.
int draw(const std::string& source) {
  const int in = memfd_create("schedule", MFD_CLOEXEC);
  if (in < 0 || write(in, source.data(), source.size()) != static_cast<ssize_t>(source.size()) || lseek(in, 0, SEEK_SET) != 0)
    throw Failure(fmt::format("cannot hand the graph to dot: {}", std::strerror(errno)));
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, in, STDIN_FILENO);
  char name[] = "dot", format[] = "-Tsvg";
  char* const argv[] = {name, format, nullptr};
  pid_t dot = 0;
  const int error = posix_spawnp(&dot, name, &files, nullptr, argv, environ);
  posix_spawn_file_actions_destroy(&files);
  close(in);
  if (error) throw Failure(fmt::format("cannot start dot: {}; install graphviz, or use --dot", std::strerror(error)));
  int status = 0;
  while (waitpid(dot, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) throw Failure("dot failed; --dot shows what it was given");
  return 0;
}
}  // namespace

int command_graph(const Options& options) {
  Simulation s = assemble(options);
  make_grid(s, Process::pretend(0, std::max(options.processes, 1)));
  std::string out;
  if (options.graph_format == "text") {
    Forecast forecast(s);
    for (const char* bin : bin_order)
      if (!s.bins.at(bin).children.empty()) text(s, s.bins.at(bin), 0, forecast, out);
    out += fmt::format("ghost zones are {} wide, from the widest reach\n", ghost_width(s));
  } else {
    out = "digraph schedule { rankdir=TB; node [shape=box, style=\"rounded,filled\", fillcolor=\"#eef4fb\", fontname=Helvetica]; "
          "fontname=Helvetica;\n";
    std::string last;
    for (const char* bin : bin_order) dot(s, s.bins.at(bin), "", out, last);
    out += "}\n";
    if (options.graph_format == "svg") return draw(out);
  }
  std::cout << out;
  return 0;
}
}  // namespace cereus
