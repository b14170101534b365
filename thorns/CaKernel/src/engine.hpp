// Takes several steps of the evolution in one sweep through memory.
#pragma once
#include <algorithm>
#include <chrono>

#include "choice.hpp"
#include "sweeper.hpp"
namespace CaKernel {
class Engine : public StepTiles {
 public:
  explicit Engine(const Parameters&);
  int ghost_width(const Simulation&) override;
  int extra_buffers(const Simulation&, int group) override;
  void start(Simulation&) override;
  int most_steps() const override {
    return (tried_.empty() && !compiling_) || most_ == 0 ? 0 : std::max(most_, 2);
  }  // 2: to see whether a step may be timed
  int steps(Simulation&, int free_steps) override;
  int advance(Simulation&, int steps) override;
  std::string forecast(const Simulation&) const override;
  std::string report(const Simulation&) const;  // what was tried, how fast it was, and what memory could do

 private:
  class Sweep;
  struct Tried {
    Ready ready;
    bool direct = false;  // one step at a time, by the flesh
    int runs = 0;
    double seconds = 0;    // of a step, the best of all runs
    bool checked = false;  // passes of stages: found to be right
    int steps() const { return direct ? 1 : ready.candidate.tile.steps; }
  };
  void plan(const Simulation&);
  bool can_run(const Simulation&) const;
  static std::vector<Candidate> agreed(
      const Simulation&, const std::vector<Candidate>& possible, const std::vector<Candidate>& chosen);
  void prepare(Simulation&);
  void take(Simulation&);
  static std::vector<Candidate> without_trial(const std::vector<Candidate>&);
  std::vector<Candidate> worth_a_trial(const std::vector<Candidate>&) const;
  std::vector<VariableAccess> comes_in(const Simulation&, int depth, int axes) const;
  int depth(const Simulation&, const Facts&) const;
  Box inner(const Simulation&, const Ready&, Box, unsigned arriving, unsigned outer) const;
  void sweep(Simulation&, const Ready&, bool again = false) const;
  bool passes_check(Simulation&, Tried&);
  void note(Simulation&) const;
  void make_present(Simulation&) const;
  Tried* on_trial(int free_steps);
  Tried* best_for(int free_steps);
  void try_marches(const Simulation&);
  void settle(const Simulation&);
  void timed(Simulation&, Tried&, double seconds);
  std::string key(const Simulation&) const;
  int most_steps_of(const sweep::Program&, bool late) const;
  int timer_of(Simulation&, const TileShape&) const;

  int wanted_, most_ = 0, width_ = 0;
  std::size_t tiles_, sweeps_ = 0;  // that are tried, at most; that were begun with
  Index extent_{1, 1, 1};           // of the largest block of all processes
  bool trials_, wait_, planned_ = false, marches_tried_ = false, compiling_ = false, beside_ = false;
  std::string architecture_, folder_;
  StepProgram program_;
  std::unique_ptr<Sweeper> sweeper_;
  std::vector<Choice> known_;  // from an earlier run
  std::vector<Tried> tried_;   // best first, once all have run
  Tried* trial_ = nullptr;     // what the next sweep tries
  double prepare_seconds_ = 0;
  std::chrono::steady_clock::time_point begun_{},
      step_begun_{};  // of compilation, and of a step that the flesh takes on trial
};
}  // namespace CaKernel
