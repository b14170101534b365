// Shows how far the run is and when it will be done: a line on the terminal, and the file progress.json in the output
// folder for programs.
#pragma once
#include <chrono>

#include "cereus/simulation.hpp"
namespace cereus {
struct Standing {
  std::string name, state = "running", host;  // running, done, stopped or failed; of a run that died: running
  int processes = 1, iteration = 0;
  double time = 0, dt = 0, rate = 0;  // rate: Mcell/s, since this process started
  double done = 0, left = 0;          // fraction, of whichever limit comes first, and seconds; 0: nobody knows
};
std::string host_name();  // of this machine
std::string line_of(const Standing&);
inline constexpr const char *progress_file = "progress.json", *failed_state = "failed";
Standing standing_in(const std::filesystem::path& output);  // as the file says; name is empty if there is none

void note_failure(const Simulation&);  // in that file

class Progress {
 public:
  explicit Progress(const Simulation&);
  void show(const Simulation&);  // at most every so often: on a terminal one changing line, else a line every 30 s
  void finish(const Simulation&, const char* state);

 private:
  using steady = std::chrono::steady_clock;
  Standing standing(const Simulation&) const;
  steady::time_point start_ = steady::now(), shown_ = start_, written_{};
  double start_time_;
  int start_iteration_;
  bool terminal_;
  double interval_;
};
}  // namespace cereus
