#include "run/shares.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "cereus/console.hpp"
#include "exec/bin.hpp"
#include "exec/rates.hpp"
#include "exec/timed.hpp"
#include "run/assemble.hpp"
#include "run/carry.hpp"

namespace cereus {
namespace {
// Steps after which it is decided. Where hosts are slow, the last two tell whether devices alone are faster: what hosts
// save may be less than what their ghost zones cost.
constexpr int first = 10, together = 30, alone_too = 50, every = 100;
constexpr int settling = 5;  // steps after a decision that count for nothing: kernels may be compiled for other blocks
constexpr double least_gain = 1.05, slow = 0.2, longest_wait = 10;  // the last in seconds
bool decides(int steps) {
  return steps == first || steps == together || steps == alone_too || (steps > 0 && steps % every == 0);
}
bool measures(int steps) { return steps <= first ? steps > first / 2 : (steps - 1) % every >= every - 3; }

double points_of(const std::vector<BlockHome>& blocks, int owner) {
  double points = 0;
  for (const BlockHome& b : blocks) points += owner < 0 || b.owner == owner ? static_cast<double>(b.cells.points()) : 0;
  return points;
}

// Whether this process's part by these speeds fits its device.
bool fits(const Simulation& s, const std::vector<double>& speeds) {
  const auto* device = s.services.find<Device>();
  double all = 0, mine = 0;
  for (int l = 0; l < static_cast<int>(s.grid.levels.size()); ++l) {
    const auto blocks = s.services.get<Driver>().all_blocks(s.grid, l);
    all += points_of(blocks, -1), mine += points_of(blocks, s.process.rank());
  }
  if (!device || mine == 0) return true;
  const auto rank = static_cast<std::size_t>(s.process.rank());
  const double now = static_cast<double>(memory_needed(s)),
               part = speeds[rank] / std::accumulate(speeds.begin(), speeds.end(), 0.), spare = 1.02;
  return spare * now / mine * part * all <= now + static_cast<double>(device->free_memory());
}

// Gives all fields to the blocks that the driver makes now. The device has nothing left to do.
void share_anew(Simulation& s) {
  auto& driver = s.services.get<Driver>();
  Saved saved;
  s.process.agree([&] { saved = save(s); }, longest_wait);
  const int epoch = s.grid.epoch;
  s.fields = {};
  s.grid = driver.make_grid(s.grid.ghosts[0], s.process);
  s.grid.epoch = epoch + 1;
  s.process.agree([&] { allocate(s); }, longest_wait);
  put_back(s, saved);
  s.services.grid_changed(s);
  driver.prepare(s);
  for (const char* bin : {"basegrid", "postregrid"}) run_bin(s, bin, s.grid.all());
}
}  // namespace

Shares::Shares(Simulation& s) { s.rates = s.two_kinds ? std::make_shared<Rates>() : nullptr; }

void Shares::before_step(Simulation& s) {
  if (!s.rates) return;
  if (steps_ == since_ + settling) wait_for_all(s), then_ = steady::now();
  if (decides(steps_)) {
    wait_for_all(s);
    const double seconds = seconds_a_step();
    const Told mine{s.rates->seconds, s.rates->points, s.services.find<Device>() != nullptr};
    const auto bytes = s.services.get<Driver>().gather({reinterpret_cast<const char*>(&mine), sizeof mine});
    std::vector<Told> told(bytes.size());
    for (std::size_t n = 0; n < bytes.size(); ++n) std::memcpy(&told[n], bytes[n].data(), sizeof mine);
    std::vector<double> speeds;
    if (s.process.rank() == 0) speeds = decide(told, seconds);
    const std::string text =
        s.process.broadcast({reinterpret_cast<const char*>(speeds.data()), speeds.size() * sizeof(double)});
    speeds.resize(text.size() / sizeof(double));
    std::memcpy(speeds.data(), text.data(), text.size());
    const bool moved = !speeds.empty() && share(s, speeds, told);
    if (steps_ == together) together_ = moved ? seconds : 0;
    s.rates->reset();
    since_ = steps_;
  }
  s.rates->measuring = measures(++steps_);
}

// `speeds`: with the least gain behind them. Returns whether blocks have moved.
bool Shares::share(Simulation& s, std::vector<double> speeds, const std::vector<Told>& told) {
  const double least = speeds.back();
  speeds.pop_back();
  if (s.process.any(!fits(s, speeds))) {
    if (s.process.rank() == 0)
      console::warn(
          "blocks stay as they are: by what kernels take, a device would have more than fits its memory; "
          "take fewer cells, or more processes with a device");
    return false;
  }
  const double gain = s.services.get<Driver>().share_by(speeds);
  if (gain == 1 || gain < least) return false;  // 1: they are as they would be
  timed(s, "changes of blocks", [&] { share_anew(s); });
  s.rates->unchecked = Rates::first_exchanges;
  say(s, told, speeds);
  return true;
}

void Shares::say(const Simulation& s, const std::vector<Told>& told, const std::vector<double>& speeds) const {
  if (s.process.rank() != 0) return;
  double speed[2]{}, points[2]{};  // of hosts and devices
  for (std::size_t n = 0; n < told.size(); ++n) speed[told[n].device] += speeds[n];
  for (int l = 0; l < static_cast<int>(s.grid.levels.size()); ++l) {
    const auto blocks = s.services.get<Driver>().all_blocks(s.grid, l);
    for (std::size_t n = 0; n < told.size(); ++n) points[told[n].device] += points_of(blocks, static_cast<int>(n));
  }
  console::say(fmt::format(
      "in the same time devices compute {:.1f} % of what all do; from iteration {} on they have {:.1f} % of "
      "all points",
      100 * speed[1] / (speed[0] + speed[1]), s.clock.iteration + 1, 100 * points[1] / (points[0] + points[1])));
}

double Shares::seconds_a_step() const {
  return std::chrono::duration<double>(steady::now() - then_).count() / std::max(1, steps_ - since_ - settling);
}

// A speed that has changed by less than a factor of 2 is a mean of old and new.
void Shares::learn(const std::vector<Told>& told) {
  speeds_.resize(told.size(), 0);
  for (std::size_t n = 0; n < told.size(); ++n) {
    if (told[n].points == 0 || told[n].seconds <= 0) continue;
    const double old = speeds_[n], now = told[n].points / told[n].seconds;
    speeds_[n] = old > now / 2 && old < 2 * now ? std::sqrt(old * now) : now;
  }
}

std::vector<double> Shares::alone(const std::vector<Told>& told) const {
  std::vector<double> speeds = speeds_;
  for (std::size_t n = 0; n < told.size(); ++n)
    if (!told[n].device) speeds[n] = 0;
  return speeds;
}

std::vector<double> Shares::decide(const std::vector<Told>& told, double seconds) {
  learn(told);
  const auto sum = [](const std::vector<double>& v) { return std::accumulate(v.begin(), v.end(), 0.); };
  const auto with = [](std::vector<double> speeds, double gain) {
    speeds.push_back(gain);
    return speeds;
  };
  const double all = sum(speeds_), devices = sum(alone(told));
  if (!(all > 0)) return {};  // no kernel has run
  if (steps_ == together) {
    if (1 - devices / all >= slow) return {};
    return with(alone(told), 0);
  }
  if (steps_ == alone_too) {
    if (together_ == 0) return {};
    hosts_ = together_ < seconds;
    console::say(fmt::format("a step takes {:.3g} s with hosts, and {:.3g} s on devices alone: hosts compute {}",
        together_, seconds, hosts_ ? "their part" : "nothing"));
    return hosts_ ? with(speeds_, 0) : std::vector<double>{};
  }
  return with(hosts_ ? speeds_ : alone(told), least_gain);
}
}  // namespace cereus
