// The lane: one thread that runs host routines of analysis and output while the device goes on with the evolution,
// first in, first out, in the same order on every process. What a routine reads is copied on the device when its turn
// in the schedule comes, and leaves for the host from there; it sees the clock and parameters as they were then,
// services of its own and another communicator. Nothing waits for it but the next but one output, and the end of the
// run.
#pragma once
#include <condition_variable>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <thread>

#include "cereus/simulation.hpp"
namespace cereus {
class Lane {
 public:
  // Null where nothing would be gained: without a device, in audit mode, or if this MPI must not be called by two
  // threads.
  static std::shared_ptr<Lane> make(Simulation&);  // collective
  explicit Lane(Simulation&);
  ~Lane();

  // Routines of analysis and output that only read, and grid functions among others: nobody needs their results.
  static bool may_take(const Simulation&, const Routine&);
  // False if the routine has to run now, because what it reads is not on the device.
  bool take(Simulation&, const Routine&, Selection);
  void check(Simulation&);  // throws what failed, and passes on what was found out
  void drain(Simulation&);  // waits until all is done
  void grid_changed(const Simulation&);

 private:
  struct Placement {
    std::shared_ptr<Snapshot> snapshot;
    int group, component, timelevel, level;
    Fields::Run run;               // the slab on the device
    std::vector<CopyPiece> parts;  // all that the snapshot has of it, if the routine looks at parts only
  };
  struct Job {
    const Routine* routine;
    Selection levels;
    Clock clock;
    Grid grid;
    Fields fields;
    std::map<std::string, Parameters> parameters;
    std::vector<Placement> placements;
  };
  struct Kept {
    std::vector<Why> version;
    std::weak_ptr<Snapshot> snapshot;
  };

  void work();
  void run(Job&);
  char* memory_of(const Placement&, bool parts);
  Placement take(Simulation&, const Routine&, const VariableAccess&, int level);
  void take_parts(Simulation&, const Routine&, Placement&);
  // And whether it had to be taken now.
  std::pair<std::shared_ptr<Snapshot>, bool> snapshot(Simulation&, Fields::Run, const std::vector<Why>& version);

  Simulation view_;                        // what routines see: belongs to the thread
  std::map<const char*, Kept> snapshots_;  // routines that read the same share one
  // Memory as large as a slab of the device, of which only parts are ever touched.
  std::map<std::pair<const char*, std::size_t>, std::shared_ptr<char>> parts_memory_;
  std::map<int, int> timers_;  // of the routines
  int timer_ = -1;             // of all of them
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::unique_ptr<Job>> jobs_;  // the first is being done
  std::vector<std::pair<int, std::chrono::nanoseconds>> spent_;
  std::exception_ptr failure_;
  bool stop_run_ = false, end_ = false;
  int last_iteration_ = -1;  // that gave work
  std::thread thread_;
};
}  // namespace cereus
