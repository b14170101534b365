// `cereus run`: from the parameter file to the end of the run.
#include <fmt/format.h>

#include "base/terminal.hpp"
#include "cereus/console.hpp"
#include "command/commands.hpp"
#include "observe/folder.hpp"
#include "observe/progress.hpp"
#include "run/devices.hpp"
#include "run/run.hpp"
#include "run/session.hpp"

namespace cereus {
namespace {
// What all processes do before the first of them allocates anything.
void begin(Simulation& s, RunOptions options, bool fresh, const Process& process) {
  options.process = process;
  s = assemble(options);
  s.provenance += fmt::format("processes: {}\n", process.size());
  open_device(s);
  make_grid(s, process);  // as wide as what takes several steps on a device wants it
  open_folder(s, fresh);
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
  listen_to_signals();  // what asks for a stop from here on is heard before the first step
  int argc = options.argc;
  char** argv = options.argv;
  const Process process = Process::start(&argc, &argv);
  int code = 0;
  Simulation s;
  try {
    process.agree([&] { begin(s, options, options.fresh, process); });
  } catch (const std::exception& e) {  // on all processes alike
    if (process.rank() == 0) console::error(e.what());
    code = dynamic_cast<const Error*>(&e) ? 1 : 3;
  }
  // Again: libraries that MPI opens may take signals, too, and pass them on once; a second SIGTERM then ends the run at
  // once. `timeout` sends two.
  listen_to_signals();
  if (code != 0) {
    s = {};
    process.finish();
    return code_for_launcher(options.code_file, code, process.rank());
  }
  const auto end = [&](const char* what, int code_of_failure) {
    const int left = code_for_launcher(options.code_file, code_of_failure, process.rank());  // before mpirun ends it
    fail(s, what, code_of_failure);
    std::_Exit(left);  // other threads may be at work
  };
  try {
    tell_launcher(options.code_file, process.rank());
    set_threads(process);
    if (s.two_kinds) set_threads_of_two_kinds(s);
    allocate(s);
    greet(s);
    const Ended ended = run(s);
    code = ended == Ended::done ? 0 : ended == Ended::stopped ? 2 : 3;
    console::say(fmt::format(
        "{}output is in {}", code == 2 ? "stopped early; " : "", std::filesystem::absolute(s.output).string()));
    if (code == 3 && process.rank() == 0) console::error(s.failure);
    close_services(s);
  } catch (const Error& e) {  // a thorn's own check of its parameters
    end(e.what(), 1);
  } catch (const std::exception& e) { end(e.what(), 3); }
  s.services = {};  // drivers free their communicators before MPI ends
  process.finish();
  return code_for_launcher(options.code_file, code, process.rank());
}
}  // namespace cereus
