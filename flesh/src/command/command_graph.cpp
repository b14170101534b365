// `cereus graph`: the schedule as text, DOT or SVG, with what each routine touches and the syncs and copies that a step
// makes.
#include <fmt/format.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <iostream>
#include <ranges>

#include "cereus/text.hpp"
#include "command/commands.hpp"
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

void text(const Simulation& s, const Node& n, int depth, Forecast& forecast, std::string& out, bool again = false) {
  const std::string indent(2 * static_cast<std::size_t>(depth), ' ');
  if (n.routine < 0) {
    out += indent + n.name +
           (n.while_group >= 0 ? " (while " + s.variable_name(n.while_group, n.while_component) + ")" : "") + "\n";
    // A loop is shown as it runs the second time, which is what each stage does, with what only the first moves.
    again = again || n.while_group >= 0;
    std::string unused;
    if (n.while_group >= 0)
      for (const auto& c : n.children) text(s, c, depth + 1, forecast, unused);
    for (const auto& c : n.children) text(s, c, depth + 1, forecast, out, again);
    for (const auto& w : n.why_sorted) out += indent + "  · " + w + "\n";
    return;
  }
  const Routine& r = s.routines[n.routine];
  for (const auto& line : again ? forecast.second_round(r) : forecast.routine(r)) out += indent + line + "\n";
  out += indent + n.name + ": " + r.item->doc + "\n";
  if (const auto reads = touched(s, r, false); !reads.empty()) out += indent + "    reads  " + reads + "\n";
  if (const auto writes = touched(s, r, true); !writes.empty()) out += indent + "    writes " + writes + "\n";
  if (!r.fused.empty())
    out += indent + "    the update of " + s.groups[s.groups[r.fused[0]].evolves].full_name() + " is fused in" +
           (r.unfused_strip > 0 ? fmt::format(", but for {} layer{} of points along outer faces", r.unfused_strip,
                                      r.unfused_strip > 1 ? "s" : "")
                                : "") +
           "\n";
  else if (!r.not_fused.empty()) out += indent + "    its update is a sweep of its own: " + r.not_fused + "\n";
  const Every& every = r.item->every;
  if (every.iterations > 1) out += indent + fmt::format("    runs every {} iterations\n", every.iterations);
  if (every.time > 0) out += indent + fmt::format("    runs when a multiple of t = {} has passed\n", every.time);
  if (r.item->on_demand) out += indent + "    runs only when something due reads what it writes\n";
}

void dot(const Simulation& s, const Node& n, const std::string& parent, std::string& out, std::string& last) {
  if (n.routine < 0) {
    if (n.children.empty()) return;
    out += fmt::format(
        "subgraph \"cluster_{}{}\" {{ label=\"{}\"; style=rounded; color=\"#888888\";\n", parent, n.name, n.name);
    for (const auto& c : n.children) dot(s, c, parent + n.name, out, last);
    out += "}\n";
    return;
  }
  const Routine& r = s.routines[n.routine];
  out += fmt::format(
      "\"{0}\" [label=\"{0}\\n{1}\"];\n", n.name, r.fused.empty() ? r.item->doc : r.item->doc + "\\n(update fused in)");
  if (!last.empty()) out += fmt::format("\"{}\" -> \"{}\";\n", last, n.name);
  last = n.name;
}

// dot reads from memory and writes where we do: no shell, no temporary file, no pipe that could fill up.
int draw(const std::string& source) {
  const int in = memfd_create("schedule", MFD_CLOEXEC);
  if (in < 0 || write(in, source.data(), source.size()) != static_cast<ssize_t>(source.size()) ||
      lseek(in, 0, SEEK_SET) != 0)
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
  while (waitpid(dot, &status, 0) < 0 && errno == EINTR) {}
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) throw Failure("dot failed; --dot shows what it was given");
  return 0;
}
// Each bin once, and those of a step as the second step runs them: what a run always does.
std::string schedule(const Simulation& s) {
  Forecast forecast(s);
  std::string out, unused;
  const auto walk = [&](const std::string& first, const std::string& last, std::string& to) {
    bool within = false;
    for (const std::string bin : std::views::transform(bin::in_order, &Bin::name)) {
      within = within || bin == first;
      if (within && bin == "prestep") forecast.cycle();
      if (within && !s.bins.at(bin).children.empty()) text(s, s.bins.at(bin), 0, forecast, to);
      within = within && bin != last;
    }
  };
  walk("startup", "postregrid", out);
  walk("poststep", "output", unused);
  walk("prestep", "output", unused);
  walk("prestep", "output", out);
  walk("terminate", "shutdown", out);
  if (!forecast.device()) return out;
  const auto& device = s.of("Cereus").string("device");
  return out + fmt::format(
                   "copies (→) are those of a run on a device, which Cereus.device: {} {}; services may read more than "
                   "routines declare\n",
                   device, device == "auto" ? "takes if it finds one" : "asks for");
}

// With the blocks of all processes, as if one had them: what is foreseen is what all move together.
void make_whole_grid(Simulation& s, int processes) {
  make_grid(s, Process::pretend(0, processes));
  Grid whole{.dim = s.grid.dim, .ghosts = s.grid.ghosts};
  for (int l = 0; l < static_cast<int>(s.grid.levels.size()); ++l) {
    std::vector<Block> blocks;
    for (const BlockHome& b : s.services.get<Driver>().all_blocks(s.grid, l))
      blocks.push_back({.number = b.number, .cells = b.cells});
    whole.add(s.grid.levels[l], std::move(blocks));
  }
  s.grid = std::move(whole);
}
}  // namespace

int command_graph(const Options& options) {
  Simulation s = assemble(options);
  const int processes = std::max(options.processes, 1);
  make_whole_grid(s, processes);
  std::string out;
  if (options.graph_format == "text") {
    out = schedule(s) + fmt::format("bytes are those of {}; ghost zones are {} wide, from the widest reach\n",
                            processes > 1 ? fmt::format("all {} processes together", processes) : "one process",
                            ghost_width(s));
  } else {
    out =
        "digraph schedule { rankdir=TB; node [shape=box, style=\"rounded,filled\", fillcolor=\"#eef4fb\", "
        "fontname=Helvetica]; "
        "fontname=Helvetica;\n";
    std::string last;
    for (const Bin& b : bin::in_order) dot(s, s.bins.at(b.name), "", out, last);
    out += "}\n";
    if (options.graph_format == "svg") return draw(out);
  }
  std::cout << out;
  return 0;
}
}  // namespace cereus
