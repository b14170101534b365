// Takes several steps of the evolution in one sweep through memory, on a device that takes code at run time.
#pragma once
#include <chrono>

#include "late.hpp"
#include "tiles.hpp"
namespace CaKernel {
class Engine : public StepTiles {
 public:
  explicit Engine(const Parameters&);
  int ghost_width(const Simulation&) override;
  int extra_buffers(const Simulation&, int group) override;
  void start(Simulation&) override;
  int most_steps() const override { return tried_.empty() ? 0 : most_; }
  int steps(Simulation&, int quiet) override;
  void advance(Simulation&, int steps) override;
  std::string report() const;  // what was tried, and how fast it was

 private:
  struct Tried {  // a tile; without code: one step at a time, which is the flesh's
    Candidate candidate;
    Device::Loaded code;
    int chunk = 0, runs = 0;
    double seconds = 0;  // of a step, the best of all runs
  };
  void plan(const Simulation&);
  void compile(Simulation&);
  std::vector<VariableAccess> comes_in(const Simulation&, const Facts&) const;
  void launch(Simulation&, const Tried&);
  void note(Simulation&);
  Tried* on_trial(int quiet);
  const Tried* best_for(int quiet) const;
  void try_chunks(const Simulation&);
  void timed(Simulation&, Tried&, double seconds);
  void remember(const Simulation&) const;
  bool recall(const Simulation&, const std::vector<Candidate>& possible, TileShape&, int& chunk) const;
  std::string choice_file(const Simulation&) const;

  int wanted_, most_ = 0, width_ = 0;
  Index extent_{1, 1, 1};      // of the largest block of all processes
  bool trials_, planned_ = false, chunks_tried_ = false;
  std::string architecture_, folder_;
  StepProgram program_;
  std::vector<Tried> tried_;  // best first, once all have run
  Tried* trial_ = nullptr;     // what the next sweep tries
  double compile_seconds_ = 0;
  std::chrono::steady_clock::time_point step_begun_{};  // of a step that the flesh takes on trial
};
}  // namespace CaKernel
