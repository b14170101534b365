// Progress on rank 0: rates and the estimated end come from what this run did so far.
#include "run/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "cereus/console.hpp"
#include "cereus/text.hpp"
#include "run/commands.hpp"

namespace cereus {
namespace {
double seconds(std::chrono::steady_clock::duration d) { return std::chrono::duration<double>(d).count(); }
}  // namespace

Progress::Progress(const Simulation& s)
    : start_time_(s.clock.time), start_iteration_(s.clock.iteration), terminal_(on_terminal()),
      interval_(s.of("Cereus").real("progress")) {}

std::string Progress::line(const Simulation& s) const {
  const double elapsed = seconds(steady::now() - start_);
  const int steps = s.clock.iteration - start_iteration_;
  double points = 0;
  for (const auto& l : s.grid.levels) points += static_cast<double>(l.domain.points());
  const Parameters& p = s.of("Cereus");
  double done = 0;  // fraction, of whichever limit comes first
  if (p.integer("iterations") > 0) done = static_cast<double>(s.clock.iteration) / static_cast<double>(p.integer("iterations"));
  if (p.real("final_time") > 0) done = std::max(done, s.clock.time / p.real("final_time"));
  std::string text = fmt::format("iteration {}  t = {:.6g}  dt = {:.4g}  {:.4g} Mcell/s", s.clock.iteration, s.clock.time, s.clock.dt,
                                 elapsed > 0 ? 1e-6 * points * steps / elapsed : 0.0);
  if (done > 0 && done < 1) text += fmt::format("  {:.0f} %  {} left", 100 * done, format_seconds(elapsed * (1 - done) / done));
  return text;
}

void Progress::show(const Simulation& s) {
  if (s.process.rank() != 0 || interval_ <= 0) return;
  const double wait = terminal_ ? std::max(0.5, interval_) : 30;
  if (seconds(steady::now() - (last_ == steady::time_point{} ? start_ : last_)) < wait) return;
  last_ = steady::now();
  if (terminal_) fmt::print("\r\033[K{}", line(s)), std::fflush(stdout);
  else console::say(line(s));
}

void Progress::finish(const Simulation& s) {
  if (s.process.rank() != 0) return;
  if (terminal_ && last_ != steady::time_point{}) fmt::print("\r\033[K");
  console::say(fmt::format("{}, in {}", line(s), format_seconds(seconds(steady::now() - start_))));
}
}  // namespace cereus
