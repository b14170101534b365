// `cereus run`: from the parameter file to the end of the run.
#include <fmt/format.h>
#include <omp.h>
#include <unistd.h>

#include <csignal>
#include <thread>

#include "base/terminal.hpp"
#include "cereus/console.hpp"
#include "cereus/text.hpp"
#include "command/commands.hpp"
#include "observe/folder.hpp"
#include "observe/progress.hpp"
#include "run/run.hpp"

namespace cereus {
namespace {
void on_stop(int) { ask_to_stop(); }
void on_checkpoint(int) { ask_for_checkpoint(); }

// Threads that wait for others spin for some 30 µs and then sleep: if other programs want the cores, too, a run that
// spins for milliseconds, as OpenMP would by default, is several times slower (400² points on 2 cores beside two busy
// loops: 130 against 250 Mcell/s; alone the same). OpenMP looks at this before main() begins.
void spin_briefly(char** argv) {
  if (std::getenv("GOMP_SPINCOUNT") || std::getenv("OMP_WAIT_POLICY")) return;
  setenv("GOMP_SPINCOUNT", "10000", 1);
  execv("/proc/self/exe", argv);  // where that cannot be, it spins
}

void set_threads(const Process& p) {
  if (!std::getenv("OMP_NUM_THREADS"))
    omp_set_num_threads(std::max(1, static_cast<int>(std::thread::hardware_concurrency()) / p.local_size()));
}

// Where all ranks fail alike rank 0 speaks for them; another is heard only if rank 0 does not end the run first.
[[noreturn]] void fail(const Simulation& s, const char* what, int code) {
  const Process& process = s.process;
  if (code == 3) note_failure(s);
  if (process.rank() != 0) std::this_thread::sleep_for(std::chrono::seconds(1));
  console::error(what);
  process.abort(code);
}

void greet(const Simulation& s) {
  const auto& d = s.grid.levels[0].space.cells;
  std::string cells = std::to_string(d.extent(0));
  for (int a = 1; a < s.grid.dim; ++a) cells += fmt::format(" × {}", d.extent(a));
  std::int64_t memory = s.fields.bytes();
  console::say(fmt::format("{}: {} cells, {} thorns", s.name, cells, s.thorns.size()));
  console::say(fmt::format("{} process{} of {} thread{}, {} of grid functions a process", s.process.size(),
      s.process.size() == 1 ? "" : "es", omp_get_max_threads(), omp_get_max_threads() == 1 ? "" : "s",
      format_bytes(static_cast<double>(memory))));
}
}  // namespace

int command_run(const Options& options) {
  spin_briefly(options.argv);
  note_terminal();
  console::set_quiet(options.quiet);
  if (options.processes > 0 && !under_launcher()) {
    Simulation s = assemble(options);  // a mistake is reported once, before any process starts
    check_folder(s, options.fresh);
    make_grid(s, Process::pretend(0, options.processes));
    return start_processes(options);
  }
  int argc = options.argc;
  char** argv = options.argv;
  const Process process = Process::start(&argc, &argv);
  std::string mistake;
  Simulation s;
  try {
    s = assemble(options);
    s.process = process;
    s.provenance += fmt::format("processes: {}\n", process.size());
    open_device(s);
    if (!s.services.find<Device>()) s.provenance += "device: none\n";
    make_grid(s, process);  // as wide as what takes several steps on a device wants it
    open_folder(s, options.fresh);
  } catch (const Error& e) { mistake = e.what(); }
  if (process.any(!mistake.empty())) {  // all ranks end; rank 0 says why, or whoever alone knows
    if (process.rank() == 0 && !mistake.empty()) console::error(mistake);
    process.finish();
    return 1;
  }
  int code = 0;
  try {
    set_threads(process);
    std::signal(SIGUSR2, on_stop);
    std::signal(SIGUSR1, on_checkpoint);
    std::signal(SIGXFSZ, SIG_IGN);  // what a file has no room for is a write that fails
    if (process.size() == 1) std::signal(SIGTERM, on_stop), std::signal(SIGINT, on_stop);
    allocate(s);
    greet(s);
    const Ended ended = run(s);
    code = ended == Ended::done ? 0 : ended == Ended::stopped ? 2 : 3;
    console::say(fmt::format(
        "{}output is in {}", code == 2 ? "stopped early; " : "", std::filesystem::absolute(s.output).string()));
    if (code == 3 && process.rank() == 0) console::error(s.failure);
  } catch (const Error& e) {  // a thorn's own check of its parameters
    fail(s, e.what(), 1);
  } catch (const std::exception& e) { fail(s, e.what(), 3); }
  s.services = {};  // drivers free their communicators before MPI ends
  process.finish();
  return code_for_launcher(options.code_file, code, process.rank());
}
}  // namespace cereus
