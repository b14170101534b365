// One thread that runs host routines of analysis and output while the device goes on with the evolution (the parameter
// Cereus.lane). It runs them in the order of the schedule, which is the same on every process. When a routine's turn
// comes, the device copies what the routine reads, and the copies travel to the host beside the evolution. The routine
// sees the clock and the parameters of that moment, services of its own and another communicator. At most two
// iterations have copies at a time: the third waits. The end of the run waits for all.
#pragma once
#include <condition_variable>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <thread>

#include "exec/background.hpp"
namespace cereus {
class BackgroundThread : public Background {
 public:
  // Null where nothing would be gained: without a device, in audit mode, if no routine may run there, or if this MPI
  // must not be called by two threads. Collective.
  static std::shared_ptr<Background> make(Simulation&);
  explicit BackgroundThread(Simulation&);
  ~BackgroundThread() override;

  bool take(Simulation&, const Routine&, Selection) override;
  void check(Simulation&) override;
  void drain(Simulation&) override;
  void grid_changed(const Simulation&) override;
  // Whether a routine belongs to analysis or output, runs on the host, and writes nothing.
  static bool only_reads(const Routine&);

 private:
  // Whether only_reads() holds and the routine reads a grid function: nobody waits for it.
  static bool may_take(const Simulation&, const Routine&);
  // Puts a routine into the queue; false if something that it reads is not on the device.
  bool put(Simulation&, const Routine&, Selection);
  struct Placement {  // a variable that a job reads, and the copy of its slab
    std::shared_ptr<Snapshot> snapshot;
    int group, component, timelevel, level;
    Fields::Run run;               // the slab on the device
    std::vector<CopyPiece> parts;  // if the routine reads parts only: the boxes that the snapshot has
  };
  struct Job {  // a routine with the state that it will see
    const Routine* routine;
    Selection levels;
    Clock clock;
    Grid grid;
    Fields fields;
    std::map<std::string, Parameters> parameters;
    std::vector<Placement> placements;
  };
  struct Kept {  // the newest snapshot of a slab: used again as long as the slab has the same version
    std::vector<Why> version;
    std::weak_ptr<Snapshot> snapshot;
  };

  void work();
  void run(Job&);
  char* memory_of(const Placement&, bool parts);
  Placement take(Simulation&, const Routine&, const VariableAccess&, int level);
  void take_parts(Simulation&, const Routine&, Placement&);
  // A snapshot of a slab, and whether it is new.
  std::pair<std::shared_ptr<Snapshot>, bool> snapshot(Simulation&, Fields::Run, const std::vector<Why>& version);

  Simulation view_;                        // the simulation that routines see; only the thread uses it
  std::map<const char*, Kept> snapshots_;  // routines that read the same share one
  // Memory as large as a slab of the device, for routines that read parts: only these are touched.
  std::map<std::pair<const char*, std::size_t>, std::shared_ptr<char>> parts_memory_;
  std::map<int, int> timers_;  // of each routine
  int timer_ = -1;             // of all of them
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::unique_ptr<Job>> jobs_;  // the first is being done
  std::vector<std::pair<int, std::chrono::nanoseconds>> spent_;
  std::exception_ptr failure_;
  bool stop_run_ = false, end_ = false;
  int last_iteration_ = -1;  // of the newest job
  std::thread thread_;
};
}  // namespace cereus
