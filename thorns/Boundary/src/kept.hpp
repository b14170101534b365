// Boxes of launches that come again with each step, until blocks change: a device has copied them once then.
#pragma once
#include <cereus/simulation.hpp>
#include <map>
#include <tuple>
namespace Boundary {
class KeptBoxes {
 public:
  // Those of a level for variables of a centring, made by make() where they are new. `what` tells apart
  // the boxes of one owner.
  template <class F>
  const cereus::LaunchBoxes& of(
      const cereus::Simulation& s, int level, const std::array<cereus::Centre, 3>& centre, unsigned what, F&& make) {
    if (std::exchange(epoch_, s.grid.epoch) != s.grid.epoch) kept_.clear();
    const auto [place, fresh] = kept_.try_emplace({&s, level, centre, what});
    if (fresh) place->second = cereus::LaunchBoxes(s, make());
    return place->second;
  }

 private:
  int epoch_ = -1;  // of the grid
  std::map<std::tuple<const cereus::Simulation*, int, std::array<cereus::Centre, 3>, unsigned>, cereus::LaunchBoxes>
      kept_;
};
}  // namespace Boundary
