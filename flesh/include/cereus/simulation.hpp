// The run-time state: one struct, passed down by reference. A checkpoint is this struct on disk.
#pragma once
#include <filesystem>
#include <functional>
#include <map>

#include "accelerator.hpp"
#include "process.hpp"
#include "timer.hpp"
namespace cereus {
class Lane;
class LaunchPlans;

struct Simulation {
  Process process;
  std::string name;              // of the parameter file, without .yaml
  std::filesystem::path output;  // the folder that takes everything a run writes
  std::string resolved_parameters, provenance;
  std::string equations;  // texts of thorns that this run compiled, as YAML: part of the resolved parameters
  std::map<std::string, Parameters> parameters;
  std::vector<ThornRecord> thorns;  // the active ones
  std::vector<Group> groups;
  std::vector<VariableInfo> variables;
  ScalarType real = ScalarType::float64;
  std::vector<Routine> routines;
  std::map<std::string, Node> bins;
  Grid grid;
  Fields fields;
  Services services;
  std::vector<ServiceOffer> offers;  // those chosen: services are rebuilt from them
  Clock clock;
  Timers timers;
  std::shared_ptr<Lane> lane;          // of host routines beside the evolution on a device; may be null
  Traffic traffic;                     // of this process
  std::shared_ptr<LaunchPlans> plans;  // of scheduled kernels, made when they first run on a grid
  bool audit = false, fuse = true, overlap = true, stop = false;
  // What each process might find otherwise, and all have found alike: device, code of equations, transport, …
  std::map<std::string, std::string> agreed;
  std::string failure;  // if it says something, on all processes: the run ends after this step, as failed

  const Parameters& of(const std::string& thorn) const { return parameters.at(thorn); }
  int group_number(const std::string& full_name) const;     // −1 if there is none
  int variable_number(const std::string& full_name) const;  // −1 if there is none
  const std::string& variable_name(int group, int component) const {
    return variables[groups[group].first_variable + component].name;
  }
  ScalarType type(int group) const { return groups[group].type.value_or(real); }
  std::vector<int> match(const std::string& pattern) const;  // variables that a name or pattern stands for
};

// Makes valid, on some levels and in one space, what a list of accesses reads: copies from the other space, syncs,
// applies boundaries.
void make_valid(Simulation&, Selection, std::span<const VariableAccess>, int routine, Space = Space::host);
inline void make_valid(Simulation& s, int level, std::span<const VariableAccess> a, int routine, Space space) {
  make_valid(s, Selection{level, level + 1}, a, routine, space);
}
// Changes blocks to those that Driver::grid_text described: no grid function is valid then. Collective.
void change_grid(Simulation&, const std::string& blocks);
// Waits for the device, and for the routines that run beside the evolution.
void wait_for_all(Simulation&);

// Boxes as loops want them. Kept where they are launched again and again: a device then has them already.
struct LaunchBoxes {
  LaunchBoxes() = default;
  // Of each block of this process, by level; may be empty. `ghosts`: that a kernel pushes from (Driver::WriteThrough);
  // `updated`: the points that a partial update goes to (Epilogue::partial).
  LaunchBoxes(const Simulation&, std::span<const BlockBox>, std::span<const std::array<Offset, 6>> ghosts = {},
      std::span<const Box> updated = {});
  BlockList list() const { return {blocks.data(), static_cast<int>(blocks.size()), number}; }
  std::vector<BlockLaunch> blocks;
  unsigned long long number = 0;
};
// Launches a kernel on boxes of one level's blocks; addresses come from the accesses (one a handle).
struct LaunchRequest {
  const KernelTable* table;
  std::span<const VariableAccess> handles;
  int level = 0;
  BlockList list{};
  const TimeIntegrator::Update* update = nullptr;
  const Epilogue* epilogue = nullptr;  // of a kernel without an update: stores what it writes, times 1
  void* result = nullptr;
  std::optional<Space> space{};       // by default where the kernel can run best
  Recording* watch = nullptr;         // audit mode: runs nothing, notes what is read at an offset
  const Simulation* other = nullptr;  // has the variables that lie elsewhere
  const char* who = "";               // is named if a launch fails
};
void launch(Simulation&, const LaunchRequest&);
// Launches on boxes that are not kept.
void launch(Simulation&, LaunchRequest, std::span<const BlockBox>);
// The boxes of a region of all blocks of a level, without a margin of what is everywhere; and of its interior the
// outermost layers along outer faces.
BlockBoxes boxes_of(const Simulation&, int level, Region, const std::array<Centre, 3>&, int margin = 0);
// Where the loop of a kernel goes that touches these: with the vertices of an axis if one of its outputs has them. What
// it writes beside points of an output that has cells there is outside the domain, and stale as all is there.
std::array<Centre, 3> centre_of(const Simulation&, std::span<const VariableAccess>);
// The layers of ghost zones that a read needs, or that a write everywhere fills.
int depth_of(const Simulation&, const VariableAccess&);
BlockBoxes strip_of(const Simulation&, int level, int layers, const std::array<Centre, 3>&);
Box without_strip(const Simulation&, int block, Box, int layers);
// The interiors of all blocks of a level; or, with `strip`, their outermost layers along outer faces. Kept until the
// blocks change.
const LaunchBoxes& interiors(Simulation&, int level, const std::array<Centre, 3>&, int strip = 0);
}  // namespace cereus
