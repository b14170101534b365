// Foresees the copies and syncs of a schedule: applies the rules of validity routine after routine, without data.
#pragma once
#include <tuple>

#include "exec/valid.hpp"
namespace cereus {
class Forecast {
 public:
  explicit Forecast(const Simulation&);
  // A line for each copy and each sync before this routine. Bytes are summed over all blocks of the grid.
  std::vector<std::string> routine(const Routine&);
  // The lines in the second round of a loop, and those of the first round that the second lacks, marked as such.
  std::vector<std::string> second_round(const Routine&);
  void cycle();  // timelevels, as at the start of a step
  bool device() const { return accelerator_ != nullptr; }

 private:
  Space space_of(const Routine&) const;
  std::string name(Why) const;
  Validity& at(const VariableAccess& a, int level) { return validity_[{a.group, a.component, a.timelevel, level}]; }
  std::string copy(const Routine&, const VariableAccess&, Space);
  bool beside(const Routine&);         // whether it runs beside the evolution, from copies of whole slabs
  std::int64_t slab(int group) const;  // bytes of a variable's slab, padding and all
  bool exchanges(const Routine&, Space);
  std::string sync(const Routine&, const VariableAccess&, Space);
  void fill_boundaries(const Routine&, const VariableAccess&, Space);

  const Simulation& s_;
  std::vector<bool> idle_;                    // of each routine
  std::vector<int> buffers_;                  // of each group
  const Accelerator* accelerator_ = nullptr;  // if kernels are taken to run on a device
  std::map<std::tuple<int, int, int, int>, Validity> validity_;
  std::map<int, std::vector<std::string>> last_;  // lines of each routine
};
}  // namespace cereus
