// When checkpoints are written, and from which one a run goes on. The state is copied when its time comes; while the
// run goes on a thread of each process brings it to the disk, and agrees with the others by a communicator of its own.
#pragma once
#include <atomic>
#include <chrono>
#include <thread>

#include "store.hpp"
namespace Checkpoint {
class Keeper : public Checkpoints {
 public:
  explicit Keeper(const Parameters&);
  ~Keeper() override;
  int newest_in(const std::filesystem::path& output) const override;
  bool restore(Simulation&) override;
  bool planned(int iteration) const override { return every_ > 0 && iteration % every_ == 0; }
  bool due(const Simulation&, bool asked) override;
  bool due_at_end(const Simulation&, bool stopped) const override;
  void write(Simulation&) override;
  void finish() override { report(); }
  double seconds() const override { return seconds_; }

 private:
  using clock = std::chrono::steady_clock;
  bool asked_by_file(const Simulation&);
  void run(const Store&, Manifest);
  void report();

  int every_, keep_;
  double minutes_;
  bool asynchronous_, at_end_;
  clock::time_point last_ = clock::now(), looked_;  // when one was begun; when the file was looked for
  int newest_ = -1;                                 // iteration of the newest one that was begun
  std::atomic<double> seconds_ = 0;                 // that the last took, from the copy to the disk
  std::optional<Process> beside_;
  Image image_;
  std::thread writer_;   // reads the image
  std::string problem_;  // of the writer; read once it has ended
};
}  // namespace Checkpoint
