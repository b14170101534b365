// `cereus supervise`: runs a parameter file, and again from its newest checkpoint if the run dies.
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>
#include <thread>

#include "cereus/console.hpp"
#include "command/commands.hpp"
#include "observe/folder.hpp"

namespace cereus {
namespace {
constexpr int most_deaths = 3;  // one after another, with no new checkpoint between
// Changes when another run begins in that folder.
std::pair<ino_t, ino_t> mark_of(const std::filesystem::path& output) {
  struct stat folder {
  }, mark{};
  stat(output.c_str(), &folder), stat((output / "parameters.yaml").c_str(), &mark);
  return {folder.st_ino, mark.st_ino};
}

// Its exit code, or 128 and the signal that ended it.
int run_once(std::vector<std::string> words, bool& told_to_end) {
  const int status = run_child(std::move(words), [&](pid_t child, int signal, bool) {
    told_to_end = told_to_end || signal != SIGUSR1;
    return kill(child, signal == SIGUSR1 ? SIGUSR1 : SIGTERM), true;
  });
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
}  // namespace

int command_supervise(const Options& options) {
  const Simulation s = assemble(options);
  const auto* checkpoints = s.services.find<Checkpoints>();
  if (!checkpoints)
    throw Error(options.file +
                ": nothing to go on from after a death: add Checkpoint to thorns:, and say when it writes "
                "(Checkpoint.minutes)");
  Options now = options;
  const auto old_run = mark_of(s.output);
  bool told_to_end = false;
  for (int deaths = 0, newest = options.fresh ? -1 : checkpoints->newest_in(s.output);;) {
    auto words = words_of_run(now);
    if (options.processes > 0) words.insert(words.end(), {"-n", std::to_string(options.processes)});
    const int code = run_once(std::move(words), told_to_end);
    if (code <= 2 || told_to_end) return code <= 2 ? code : 3;
    const bool still_old = options.fresh && mark_of(s.output) == old_run;  // it died before it had moved that aside
    const int reached = still_old ? -1 : checkpoints->newest_in(s.output);
    deaths = reached > newest ? 1 : deaths + 1;
    newest = std::max(newest, reached);
    now.fresh = reached < 0;  // it has left nothing to go on from
    const std::string how = code > 128 ? fmt::format("was killed (signal {}, {})", code - 128, strsignal(code - 128))
                                       : fmt::format("failed (exit code {})", code);
    if (deaths >= most_deaths) {
      console::error(fmt::format("the run {}, {} times without a new checkpoint; given up", how, deaths));
      return 3;
    }
    while (in_use(s.output))
      std::this_thread::sleep_for(std::chrono::milliseconds(100));  // processes that end more slowly
    console::say(fmt::format(
        "the run {}; {}", how, reached < 0 ? "it begins anew" : fmt::format("it goes on from iteration {}", reached)));
  }
}
}  // namespace cereus
