// Progress on rank 0: rates and the estimated end come from what this run did so far.
#include "observe/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "base/terminal.hpp"
#include "cereus/console.hpp"
#include "cereus/file.hpp"
#include "cereus/text.hpp"

namespace cereus {
namespace {
double seconds(std::chrono::steady_clock::duration d) { return std::chrono::duration<double>(d).count(); }

void write(const Simulation& s, const Standing& now) {
  const nlohmann::ordered_json j{{"name", now.name}, {"state", now.state}, {"host", now.host},
      {"processes", now.processes}, {"iteration", now.iteration}, {"time", now.time}, {"dt", now.dt},
      {"Mcell/s", now.rate}, {"done", now.done}, {"seconds left", now.left}};
  replace_file(s.output / progress_file, j.dump(1) + "\n");  // a disk that is full ends no run because of this file
}
}  // namespace

std::string host_name() {
  char name[256] = "";
  gethostname(name, sizeof name - 1);
  return name;
}

std::string line_of(const Standing& now) {
  std::string text =
      fmt::format("iteration {}  t = {:.6g}  dt = {:.4g}  {:.4g} Mcell/s", now.iteration, now.time, now.dt, now.rate);
  if (now.done > 0 && now.done < 1) text += fmt::format("  {:.0f} %", 100 * now.done);
  if (now.done > 0 && now.done < 1 && now.left > 0)
    text += now.left < 1 ? "  less than 1 s left" : fmt::format("  {} left", format_seconds(now.left));
  return text;
}

Standing standing_in(const std::filesystem::path& output) {
  const auto j = nlohmann::json::parse(content_of(output / progress_file).value_or(""), nullptr, false);
  Standing s;
  if (!j.is_object()) return s;
  const auto read = [&]<class T>(const char* key, T& value) {  // a number that is not finite is null
    const auto it = j.find(key);
    if (it == j.end()) return;
    if (std::is_same_v<T, std::string> ? it->is_string()
        : std::is_same_v<T, int>       ? it->is_number_integer()
                                       : it->is_number())
      it->get_to(value);
    if constexpr (std::is_same_v<T, std::string>) value = printable(value);
  };
  read("name", s.name), read("state", s.state), read("host", s.host), read("processes", s.processes),
      read("iteration", s.iteration);
  read("time", s.time), read("dt", s.dt), read("Mcell/s", s.rate), read("done", s.done), read("seconds left", s.left);
  return s;
}

void note_failure(const Simulation& s) {
  if (s.of("Cereus").real("progress") <= 0) return;
  Standing now = standing_in(s.output);
  now.name = s.name, now.host = host_name(), now.processes = s.process.size(), now.state = failed_state;
  now.iteration = s.clock.iteration, now.time = s.clock.time, now.dt = s.clock.dt, now.left = 0;
  write(s, now);
}

Progress::Progress(const Simulation& s)
    : start_time_(s.clock.time),
      start_iteration_(s.clock.iteration),
      terminal_(on_terminal()),
      interval_(s.of("Cereus").real("progress")) {}

Standing Progress::standing(const Simulation& s) const {
  const double elapsed = seconds(steady::now() - start_);
  double points = 0;  // that a step updates
  auto& driver = s.services.get<Driver>();
  std::vector<double> of_level(s.grid.levels.size());
  for (int l = 0; l < static_cast<int>(of_level.size()); ++l)
    for (const BlockHome& b : driver.all_blocks(s.grid, l)) of_level[l] += static_cast<double>(b.cells.points());
  for (const Driver::Tick& tick : driver.ticks(s.grid))
    for (int l = tick.levels.first; l < tick.levels.last; ++l) points += of_level[l];
  const Parameters& p = s.of("Cereus");
  Standing now{.name = s.name,
      .host = host_name(),
      .processes = s.process.size(),
      .iteration = s.clock.iteration,
      .time = s.clock.time,
      .dt = s.clock.dt};
  if (elapsed > 0) now.rate = 1e-6 * points * (s.clock.iteration - start_iteration_) / elapsed;
  double here = 0;  // the fraction of the run that was done since this process started; a checkpoint held the rest
  const auto limit = [&](double value, double start, double end) {
    if (end <= 0 || value / end < now.done) return;
    now.done = value / end;
    here = (value - start) / end;
  };
  limit(s.clock.iteration, start_iteration_, static_cast<double>(p.integer("iterations")));
  limit(s.clock.time, start_time_, p.real("final_time"));
  if (here > 0) now.left = std::max(0.0, elapsed * (1 - now.done) / here);
  return now;
}

void Progress::show(const Simulation& s) {
  if (s.process.rank() != 0 || interval_ <= 0) return;
  const auto now = steady::now();
  const bool due = seconds(now - shown_) >= (terminal_ ? std::max(0.5, interval_) : 30),
             write_due = seconds(now - written_) >= std::max(1.0, interval_);
  if (!due && !write_due) return;
  const Standing standing = this->standing(s);
  if (write_due) written_ = now, write(s, standing);
  if (!due) return;
  shown_ = now;
  if (terminal_) console::status(line_of(standing));
  else console::say(line_of(standing));
}

void Progress::finish(const Simulation& s, const char* state) {
  if (s.process.rank() != 0) return;
  Standing end = standing(s);
  end.left = 0;
  console::say(fmt::format("{}, in {}", line_of(end), format_seconds(seconds(steady::now() - start_))));
  end.state = state;
  if (interval_ > 0) write(s, end);
}
}  // namespace cereus
