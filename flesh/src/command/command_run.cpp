// `cereus run`: from the parameter file to the end of the run.
#include <fmt/format.h>

#include "base/terminal.hpp"
#include "cereus/console.hpp"
#include "command/commands.hpp"
#include "observe/folder.hpp"
#include "observe/progress.hpp"
#include "run/run.hpp"
#include "run/session.hpp"

namespace cereus {
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
    listen_to_signals(process);
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
