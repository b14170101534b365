// From what thorns declared to a schedule that can run: names become numbers, items a sorted tree.
#pragma once
#include <map>

#include "cereus/error.hpp"
#include "cereus/simulation.hpp"
namespace cereus {
// The parameter of type *variables* through which the runner gave a routine this variable or pattern, and its place:
// "IOASCII.variables", or "IOASCII.variables, through WaveToy::*,". Both are empty if the thorn chose it itself.
struct ChosenBy {
  std::string parameter;
  Where where;
};
ChosenBy chosen_by(const Simulation&, const Item&, const std::string& name);
// Whether what a thorn schedules runs: not if it offers services, and others were chosen for all of them.
bool schedules(const Simulation&, const std::string& thorn);
// Groups and variables of all active thorns; arrays get their shapes from parameters.
void collect_groups(Simulation&, Problems&);
// One routine an item; accesses are resolved to variables, kernels not yet to a dimension.
void resolve_routines(Simulation&, const std::vector<std::shared_ptr<Item>>&, Problems&);
// Builds the tree of each bin and sorts it: by before/after, then by data flow. All errors of the graph are found here.
void sort_schedule(Simulation&, Problems&);
// Clears each sum before the first kernel that adds to it, by routines of its own.
void clear_sums(Simulation&, Problems&);
// Which updates of the time integrator are fused into the kernel that writes the right-hand side; and which kernels
// fill ghost zones.
void plan_fusion(Simulation&);
// Picks each kernel's variant for this dimension, fills in its parameters.
void choose_variants(Simulation&, int dim, Problems&);
// How many layers at the edge of the ghost zones nobody writes, of variables that are written everywhere.
class Margins {
 public:
  explicit Margins(const Simulation&);
  int of(const VariableAccess&) const;

 private:
  std::map<std::pair<int, int>, int> layers_;  // by group and component
};
// Finds them, for kernels whose reaches are known.
void find_margins(Simulation&, Problems&);
// Fills in the plain members of a kernel, from parameters and grid scalars as they are now.
void set_members(const Simulation&, const Routine&);
// Widest reach of all active kernels and routines.
int ghost_width(const Simulation&);
// Of each routine: whether it is on demand and nobody reads its results; what it writes needs no storage.
std::vector<bool> never_run(const Simulation&);
// Buffers of each group: timelevels, and registers where it is evolved; 0 where nothing needs storage.
std::vector<int> buffers_of_groups(const Simulation&, int registers);
int registers_of(const Simulation&);  // of each evolved group, besides timelevels
}  // namespace cereus
