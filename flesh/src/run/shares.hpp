// Where some processes compute on devices and others on hosts, each has as many points as it computes in the same time:
// what kernels take is measured in some steps, and blocks move by that.
#pragma once
#include <chrono>

#include "cereus/simulation.hpp"
namespace cereus {
class Shares {
 public:
  Shares() = default;
  explicit Shares(Simulation&);   // nothing is measured, or shared anew, where all processes are of one kind
  void before_step(Simulation&);  // collective

 private:
  struct Told {  // of a process
    double seconds, points;
    int device;
  };
  // For each process how fast it is, and then by which factor a step must become shorter for blocks to move; empty:
  // they stay. Rank 0 decides.
  std::vector<double> decide(const std::vector<Told>&, double seconds);  // of a step
  void learn(const std::vector<Told>&);
  std::vector<double> alone(const std::vector<Told>&) const;  // the speeds, but those of hosts are 0
  bool share(Simulation&, std::vector<double> speeds, const std::vector<Told>&);
  void say(const Simulation&, const std::vector<Told>&, const std::vector<double>& speeds) const;  // who has what now
  double seconds_a_step() const;  // since some steps after the last decision, by the clock on the wall

  using steady = std::chrono::steady_clock;
  int steps_ = 0, since_ = 0;
  steady::time_point then_ = steady::now();
  std::vector<double> speeds_;  // points a second, 0: none are computed
  double together_ = 0;         // seconds a step with hosts, while it is tried whether devices alone are faster
  bool hosts_ = true;           // whether hosts have blocks
};
}  // namespace cereus
