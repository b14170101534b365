#include "run/session.hpp"

#include <fmt/format.h>
#include <omp.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>

#include "base/failing.hpp"
#include "cereus/console.hpp"
#include "cereus/text.hpp"
#include "observe/folder.hpp"
#include "observe/progress.hpp"
#include "run/run.hpp"

namespace cereus {
namespace {
void on_stop(int signal) {
  ask_to_stop();
  if (signal != SIGINT) return;
  std::signal(SIGINT, SIG_DFL);
  [[maybe_unused]] const auto n = write(STDERR_FILENO, interrupted.data(), interrupted.size());
}
void on_checkpoint(int) { ask_for_checkpoint(); }
}  // namespace

// Threads that wait for others spin for some 30 µs and then sleep: if other programs want the cores, too, a run that
// spins for milliseconds, as OpenMP would by default, is several times slower (400² points on 2 cores beside two busy
// loops: 130 against 250 Mcell/s; alone the same).
void spin_briefly(char** argv) {
  if (std::getenv("GOMP_SPINCOUNT") || std::getenv("OMP_WAIT_POLICY")) return;
  setenv("GOMP_SPINCOUNT", "10000", 1);
  execv("/proc/self/exe", argv);  // if this fails, the program goes on and its threads spin
}

namespace {
void share_cores(int cores, int processes) {
  if (!std::getenv("OMP_NUM_THREADS")) omp_set_num_threads(std::max(1, cores / processes));
}
}  // namespace
void set_threads(const Process& p) {
  share_cores(static_cast<int>(std::thread::hardware_concurrency()), p.local_size());
}
void set_threads_of_two_kinds(const Simulation& s) {
  const int others = s.process.local_size() - s.alike.local_size();
  if (others > 0 && s.services.find<Device>()) share_cores(1, 1);
  else share_cores(static_cast<int>(std::thread::hardware_concurrency()) - others, s.alike.local_size());
}

void listen_to_signals() {
  static const std::vector<int> heard = [] {
    std::vector<int> found;
    for (const int n : {SIGTERM, SIGINT, SIGHUP, SIGUSR2})
      if (std::signal(n, on_stop) == SIG_IGN) std::signal(n, SIG_IGN);
      else found.push_back(n);
    return found;
  }();
  for (const int n : heard) std::signal(n, on_stop);
  std::signal(SIGUSR1, on_checkpoint);
  std::signal(SIGXFSZ, SIG_IGN);  // a file that grows too large is an error of the write, not the end of the run
}

void fail(const Simulation& s, const char* what, int code) {
  const double patience = s.process.rank() == 0 ? 1 : 1.5;  // seconds: of those that fail alone rank 0 speaks first
  const bool all = s.process.size() > 1 && all_fail(patience);
  if (!all || s.process.rank() == 0) {
    if (code == 1 && s.clock.iteration == 0) forget_folder(s);
    if (code == 3 && std::filesystem::is_directory(s.output)) note_failure(s);
    console::error(what);
  }
  if (!all) s.process.abort(code);
  finish_failed(code, patience);
}

void greet(const Simulation& s) {
  const auto& d = s.grid.levels[0].space.cells;
  std::string cells = std::to_string(d.extent(0));
  for (int a = 1; a < s.grid.dim; ++a) cells += fmt::format(" × {}", d.extent(a));
  std::int64_t memory = s.fields.bytes();
  console::say(fmt::format("{}: {} cells, {} thorns", s.name, cells, s.thorns.size()));
  const Process& p = s.process;
  const std::string here = p.local_size() == p.size() ? "" : fmt::format(", {} of them on this host,", p.local_size());
  console::say(fmt::format("{} process{}{} of {} thread{}, {} of grid functions a process", p.size(),
      p.size() == 1 ? "" : "es", here, omp_get_max_threads(), omp_get_max_threads() == 1 ? "" : "s",
      format_bytes(static_cast<double>(memory))));
}
}  // namespace cereus
