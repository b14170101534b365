// `cereus graph`: the schedule as text, DOT or SVG.
#include <fmt/format.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <iostream>

#include "command/commands.hpp"
#include "observe/schedule_graph.hpp"

namespace cereus {
namespace {
// dot reads from memory and writes where we do: no shell, no temporary file, no pipe that could fill up.
int print_svg(const std::string& source) {
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
}  // namespace

int command_graph(const Options& options) {
  Simulation s = assemble(options);
  const int processes = std::max(options.processes, 1);
  make_whole_grid(s, processes);
  if (options.graph_format == "svg") return print_svg(schedule_as_dot(s));
  std::cout << (options.graph_format == "dot" ? schedule_as_dot(s) : schedule_as_text(s, processes, options.why));
  return 0;
}
}  // namespace cereus
