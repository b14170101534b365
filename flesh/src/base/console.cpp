// One line a message, through spdlog; ranks other than 0 are heard only when something is wrong.
#include "cereus/console.hpp"

#include <fmt/format.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <cstdio>
#include <mutex>
#include <set>
#include <string>

namespace cereus::console {
namespace {
struct State {
  std::shared_ptr<spdlog::logger> out = spdlog::stdout_logger_mt("out"), err = spdlog::stderr_logger_mt("err");
  int rank = 0, size = 1;
  bool status = false;  // the terminal's last line is one
  std::set<std::string> warned;
  std::mutex mutex;
  State() {
    out->set_pattern("%v");
    err->set_pattern("%v");
    out->flush_on(spdlog::level::info);
  }
};
State& state() {
  static State s;
  return s;
}
std::string prefix() { return state().rank == 0 ? "" : "[rank " + std::to_string(state().rank) + "] "; }
}  // namespace

void set_rank(int rank, int size) { state().rank = rank, state().size = size; }
void set_quiet(bool quiet) { state().out->set_level(quiet ? spdlog::level::warn : spdlog::level::info); }
void status(std::string_view text) {
  const std::lock_guard lock(state().mutex);
  if (state().status || !text.empty()) fmt::print("\r\033[K{}", text), std::fflush(stdout);
  state().status = !text.empty();
}
void say(std::string_view text) {
  status("");
  if (state().rank == 0) state().out->info("{}", text);
}
void warn(std::string_view text) {
  status("");
  const std::lock_guard lock(state().mutex);
  if (state().warned.insert(std::string(text)).second) state().err->warn("{}warning: {}", prefix(), text);
}
void error(std::string_view text) {
  status("");
  state().err->error("{}{}", prefix(), text);
}
}  // namespace cereus::console
