// Says how long the host works at a synchronisation of many variables on a device: tests/benchmarks/refined.py.
#include <cereus/console.hpp>
#include <cereus/thorn.hpp>

#include <chrono>

namespace Syncs {
using namespace cereus;
constexpr int variables = 25, rounds = 100;

std::vector<std::string> names() {
  std::vector<std::string> list;
  for (int n = 0; n < variables; ++n) list.push_back("f" + std::to_string(n));
  return list;
}
// The device is not waited for; it goes on by itself.
void take(Context& c) {
  Simulation& s = c.simulation();
  auto& device = s.services.get<Device>();
  const int group = s.group_number("Syncs::fields");
  std::vector<VariableAccess> read;
  for (int n = 0; n < variables; ++n)
    read.push_back({.group = group, .component = n, .reach = s.grid.ghosts[0], .corners = true});
  const auto sync = [&] {
    for (int l = 0; l < static_cast<int>(s.grid.levels.size()); ++l)
      for (int n = 0; n < variables; ++n) s.fields.validity(group, n, 0, l).wrote_interior(Space::device, {});
    make_valid(s, s.grid.all(), read, -1, Space::device);
  };
  sync();  // plans are made
  double best = 1e9;
  for (int time = 0; time < 5; ++time) {
    device.wait();
    const auto begin = std::chrono::steady_clock::now();
    for (int n = 0; n < rounds; ++n) sync();
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / rounds);
  }
  const auto begin = std::chrono::steady_clock::now();
  for (int n = 0; n < rounds; ++n) sync();
  device.wait();
  const double whole = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / rounds;
  console::say("a synchronisation of " + std::to_string(variables) + " variables in " +
               std::to_string(s.grid.blocks.size()) + " blocks: the host works " + std::to_string(1e6 * best) +
               " microseconds, the device " + std::to_string(1e6 * whole));
}

void declare(Declaration& d) {
  d.describe("Measures what a synchronisation costs the host");
  d.group("fields", names(), "What is synchronised");
}
void schedule(Schedule& s, const Parameters&) {
  s.routine("take", "Synchronises", take).writes(names()).at(bin::poststep).once();
}
}  // namespace Syncs
CEREUS_THORN(Syncs, Syncs::declare, Syncs::schedule)
