#include "compiler.hpp"

#include <spawn.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cereus/console.hpp>
#include <cereus/error.hpp>
#include <cereus/program.hpp>

#include <chrono>
#include <csignal>
#include <nlohmann/json.hpp>
#include <thread>
namespace CaKernel {
namespace {
class MemoryFile {
 public:
  MemoryFile() : file_(memfd_create("cereus compiler", MFD_CLOEXEC)) {}
  MemoryFile(const MemoryFile&) = delete;
  ~MemoryFile() {
    if (file_ >= 0) close(file_);
  }
  int number() const { return file_; }
  bool write(const std::string& text) {
    return file_ >= 0 && ::write(file_, text.data(), text.size()) == static_cast<ssize_t>(text.size()) &&
           lseek(file_, 0, SEEK_SET) == 0;
  }
  std::string read() const {
    const off_t size = lseek(file_, 0, SEEK_END);
    std::string text(size > 0 ? static_cast<std::size_t>(size) : 0, '\0');
    if (pread(file_, text.data(), text.size(), 0) != static_cast<ssize_t>(text.size())) text.clear();
    return text;
  }

 private:
  int file_;
};

// Empty: there is none that may be run.
std::string program() {
  try {
    return cereus::program_beside(reinterpret_cast<const void*>(&program), "cereus-nvrtc");
  } catch (const cereus::Error& e) {
    cereus::console::warn(std::string("CaKernel compiles within the run: ") + e.what());
    return "";
  }
}

constexpr int no_process = -1, no_compiler = 2, stopped = 128;

// The program's exit status; no_process if it cannot be started.
int run(const MemoryFile& in, const MemoryFile& out, const MemoryFile& messages, int most_seconds,
    const std::atomic<bool>& over) {
  static const std::string path = program();
  if (path.empty()) return no_process;
  std::string name = "cereus-nvrtc";
  char* const arguments[] = {name.data(), nullptr};
  posix_spawn_file_actions_t files;
  posix_spawnattr_t how;
  posix_spawn_file_actions_init(&files);
  posix_spawnattr_init(&how);
  bool started = true;
  for (const auto& [file, as] :
      {std::pair{in.number(), 0}, std::pair{out.number(), 1}, std::pair{messages.number(), 2}})
    started = started && posix_spawn_file_actions_adddup2(&files, file, as) == 0;
  // In a group of its own: what asks the run for a checkpoint, or to stop, is not for it.
  started =
      started && posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP) == 0 && posix_spawnattr_setpgroup(&how, 0) == 0;
  pid_t child = 0, ended = 0;
  started = started && posix_spawn(&child, path.c_str(), &files, &how, arguments, environ) == 0;
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&how);
  if (!started) return no_process;
  const auto most = static_cast<rlim_t>(most_seconds);
  const rlimit limit{most, most};
  if (most_seconds > 0) prlimit(child, RLIMIT_CPU, &limit, nullptr);
  int state = 0;
  while ((ended = waitpid(child, &state, WNOHANG)) == 0) {
    if (over) kill(child, SIGKILL);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return ended != child ? no_process : WIFEXITED(state) ? WEXITSTATUS(state) : stopped;
}
}  // namespace

std::string Compiler::compile(
    const Nvrtc& nvrtc, const Source& source, const std::vector<std::string>& options, std::string& log) {
  if (over_) return "";
  const std::string task = nlohmann::json{{"text", source.text}, {"headers", source.headers},
      {"functions", source.functions},
      {"options", options}}.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  MemoryFile in, out, messages;
  cores_.acquire();
  const int status = in.write(task) ? run(in, out, messages, most_seconds_, over_) : no_process;
  cores_.release();
  if (status == no_process || status == no_compiler) return over_ ? "" : nvrtc.compile(source, options, log);
  log = messages.read();
  if (status == stopped && most_seconds_ > 0)
    log +=
        "the compiler was stopped, after " + std::to_string(most_seconds_) + " s of a processor or for another reason";
  else if (status > no_compiler) log += "the compiler ended with status " + std::to_string(status);
  return status == 0 ? out.read() : "";
}
}  // namespace CaKernel
