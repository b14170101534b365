// Changes parameters while the run goes on, as a file in its output folder asks.
#pragma once
#include <cereus/simulation.hpp>
#include <chrono>
namespace cereus {
class Steering {
 public:
  // Takes `steer.yaml`, if it is there: blocks of parameters, as in a parameter file. Either all changes
  // are made, or none, with a message that says why. Looks every few steps, and at most once a second. Collective.
  void look(Simulation&);

 private:
  std::string file_text(const Simulation&);
  int steps_ = 0;
  std::chrono::steady_clock::time_point looked_{};
};
}  // namespace cereus
