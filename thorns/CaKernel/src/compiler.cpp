#include "compiler.hpp"

#include <dlfcn.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <semaphore>
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
    return file_ >= 0 && ::write(file_, text.data(), text.size()) == static_cast<ssize_t>(text.size()) && lseek(file_, 0, SEEK_SET) == 0;
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

// It lies beside this library.
std::string program() {
  Dl_info here{};
  if (dladdr(reinterpret_cast<void*>(&program), &here) == 0 || !here.dli_fname) return "";
  return (std::filesystem::path(here.dli_fname).parent_path() / "cereus-nvrtc").string();
}

// Whether the program ran to its end, well or not.
bool run(const MemoryFile& in, const MemoryFile& out, const MemoryFile& messages, const std::atomic<bool>& over) {
  static const std::string path = program();
  std::string name = "cereus-nvrtc";
  char* const arguments[] = {name.data(), nullptr};
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  for (const auto& [file, as] : {std::pair{in.number(), 0}, std::pair{out.number(), 1}, std::pair{messages.number(), 2}}) posix_spawn_file_actions_adddup2(&files, file, as);
  pid_t child = 0;
  int state = 0;
  const bool started = posix_spawn(&child, path.c_str(), &files, nullptr, arguments, environ) == 0;
  posix_spawn_file_actions_destroy(&files);
  if (!started) return false;
  pid_t ended = 0;
  while ((ended = waitpid(child, &state, WNOHANG)) == 0) {
    if (over) kill(child, SIGKILL);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return ended == child && WIFEXITED(state) && WEXITSTATUS(state) <= 1;
}
}  // namespace

std::string compile(const Nvrtc& nvrtc, const std::string& source, const std::vector<Text>& headers, const std::vector<std::string>& options, const std::atomic<bool>& over, std::string& log) {
  static std::counting_semaphore<> cores(std::max(1U, std::thread::hardware_concurrency()));
  cores.acquire();
  MemoryFile in, out, messages;
  const bool ran = !over && in.write(nlohmann::json{{"source", source}, {"headers", headers}, {"options", options}}.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)) && run(in, out, messages, over);
  cores.release();
  if (over) return "";
  if (!ran) return nvrtc.compile(source, headers, options, log);
  log = messages.read();
  return out.read();
}
}  // namespace CaKernel
