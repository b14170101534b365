// How fast kernels run on this process, by the clock on the wall: in some steps only, because the process then waits
// for its device before and after each launch.
#pragma once
#include <chrono>

#include "cereus/simulation.hpp"
namespace cereus {
class Rates {
 public:
  bool measuring = false;
  double seconds = 0, points = 0;  // of kernels since the last reset()
  void reset() { seconds = points = 0; }
  // Exchanges are checked until so many have been since blocks were shared last: a check waits for all processes.
  int unchecked = first_exchanges;
  static constexpr int first_exchanges = 1000;
  bool checks() { return unchecked > 0 && unchecked-- > 0; }
};

// Launches kernels that together compute so many points of this process.
template <class F> void measured(Simulation& s, double points, F&& launch) {
  if (!s.rates || !s.rates->measuring) return launch();
  auto* device = s.services.find<Device>();
  if (device) device->wait();
  const auto start = std::chrono::steady_clock::now();
  launch();
  if (device) device->wait();
  s.rates->seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  s.rates->points += points;
}
}  // namespace cereus
