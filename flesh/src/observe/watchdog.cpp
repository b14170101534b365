#include "observe/watchdog.hpp"

#include <fmt/format.h>

#include "cereus/console.hpp"
#include "exec/bin.hpp"

namespace cereus {
namespace {
using steady = std::chrono::steady_clock;
double since(steady::time_point start) { return std::chrono::duration<double>(steady::now() - start).count(); }
}  // namespace

Watchdog::Watchdog(const Simulation& s)
    : process_(s.process),
      patience_(s.of("Cereus").real("hang")),
      ends_run_(s.of("Cereus").boolean("hang_ends")),
      start_(steady::now()) {
  if (patience_ > 0) thread_ = std::thread([this] { watch(); });
}
Watchdog::~Watchdog() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
  forget_entered();  // routines end with their simulation, and another one may follow
}
void Watchdog::set_out() { last_ = since(start_); }
void Watchdog::step_ended() {
  const double now = since(start_);
  longest_ = std::max(longest_.load(), now - last_);
  last_ = now;
}

// Speaks once for each step that lasts longer than Cereus.hang and 20 times as long as any before: one may have output.
void Watchdog::watch() {
  double told = -1;
  std::unique_lock lock(mutex_);
  while (!changed_.wait_for(lock, std::chrono::milliseconds(200), [this] { return stop_; })) {
    const double last = last_, quiet = since(start_) - last;
    if (told == last || quiet < std::max(patience_, 20 * longest_)) continue;
    told = last;
    const auto [item, when] = last_entered();
    console::error(
        fmt::format("no step has ended for {:.0f} s: process {} of {} is {}", quiet, process_.rank(), process_.size(),
            item ? fmt::format("in {}, or on its way from there, for {:.0f} s", item->full_name(), since(when))
                 : "before its first routine"));
    if (!ends_run_) continue;
    std::this_thread::sleep_for(std::chrono::seconds(1));  // until all have said where they are
    process_.abort(3);
  }
}
}  // namespace cereus
