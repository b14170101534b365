// A random schedule on host and mirror device: routines that read and write at random, run through run_routine as in a
// run, every value that is read and all bytes that move against the oracle.
//
// A routine reads a variable and timelevel in one way: of two, the lesser may be copied although the other is exchanged
// anyway. A device's kernels and conditions run when the mirror gets to them; writes are noted by the flesh. Slices
// have no call of their own yet, so the test stages them itself.
#pragma once
#include <functional>
#include <random>
#include <set>

#include "accelerator/oracle.hpp"
#include "accelerator/work.hpp"
#include "cereus/simulation.hpp"

int environment(const char* name, int otherwise);

class Schedules {
 public:
  // Puts another Accelerator in the place of the real one.
  using Replace = std::function<std::shared_ptr<cereus::Accelerator>(
      std::shared_ptr<cereus::Accelerator>, std::shared_ptr<cereus::Device>)>;
  explicit Schedules(std::uint64_t seed, const Replace& = {});
  ~Schedules() { device_->wait(); }
  void run();  // until the first finding

  struct Counts {
    std::int64_t steps = 0, routines = 0, on_device = 0, cycles = 0, writes[3] = {}, offset_reads = 0,
                 star_then_box = 0, slices = 0;
    std::int64_t bytes[cereus::spaces] = {};
    void operator+=(const Counts&);
  } counts;
  Findings findings;

 private:
  using VariableAccess = cereus::VariableAccess;
  using Space = cereus::Space;
  using Accesses = std::vector<VariableAccess>;
  using Bytes = std::array<std::int64_t, cereus::spaces>;
  struct Conditions;

  int random(int below) { return static_cast<int>(random_() % static_cast<unsigned>(below)); }
  bool chance(int percent) { return random(100) < percent; }
  template <class S>
  std::shared_ptr<S> make(void (*declare)(cereus::Declaration&), const std::string& name,
      const std::map<std::string, cereus::Value>& values);
  void make_grid_and_services(int seed, const Replace&);
  void make_fields();

  double* address(const VariableAccess&, int block, const cereus::Index& at, Space);
  Work& new_work(std::string who);
  void start(const Work&, std::span<const VariableAccess>, Space);
  VariableAccess random_variable();
  bool random_read(VariableAccess&);
  Accesses random_accesses(bool kernel);
  Work& plan(const Accesses&, Space, bool kernel, Bytes& expected);
  std::int64_t foreseen(const Accesses&, Space) const;
  void routine(const Accesses&, Space, bool kernel);
  bool refused(const VariableAccess&, Space);
  void slice();
  void cycle();
  std::string describe(const Accesses&) const;

  std::mt19937_64 random_;
  cereus::Simulation s_;
  int width_ = 0;
  std::shared_ptr<cereus::Device> device_;
  std::unique_ptr<oracle::Oracle> oracle_;
  std::vector<std::unique_ptr<Work>> works_;
  std::vector<std::unique_ptr<cereus::KernelTable>> tables_;
  using Key = std::array<int, 3>;
  std::set<Key> star_read_;  // since they were last written: for star-then-box reads
};
