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

struct Simulation {
  Process process;
  std::string name;              // of the parameter file, without .yaml
  std::filesystem::path output;  // the folder that takes everything a run writes
  std::string resolved_parameters, provenance;
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
  std::shared_ptr<Lane> lane;  // of host routines beside the evolution on a device; may be null
  Traffic traffic;             // of this process
  bool audit = false, fuse = true, overlap = true, stop = false;

  const Parameters& of(const std::string& thorn) const { return parameters.at(thorn); }
  int group_number(const std::string& full_name) const;     // −1 if there is none
  int variable_number(const std::string& full_name) const;  // −1 if there is none
  int first_variable(int group) const;                      // number of a group's component 0
  const std::string& variable_name(int group, int component) const {
    return variables[first_variable(group) + component].name;
  }
  ScalarType type(int group) const { return groups[group].type.value_or(real); }
  std::vector<int> match(const std::string& pattern) const;  // variables that a name or pattern stands for
};

// Makes valid, on one level and in one space, what a list of accesses reads: copies from the other space, syncs,
// applies boundaries.
void make_valid(Simulation&, int level, std::span<const VariableAccess>, int routine, Space = Space::host);
// Waits for the device, and for the routines that run beside the evolution.
void wait_for_all(Simulation&);
// Launches a kernel on boxes of the level's blocks; addresses come from the accesses (one a handle).
struct LaunchRequest {
  const KernelTable* table;
  std::span<const VariableAccess> handles;
  int level = 0;
  std::span<const std::pair<int, Box>> boxes;  // block of the level, box of global indices
  const TimeIntegrator::Update* update = nullptr;
  std::span<const GhostFace> ghosts{};  // that it pushes: [block of the level][output][face]
  void* result = nullptr;
  std::optional<Space> space{};  // by default where the kernel can run best
  Recording* watch = nullptr;    // audit mode: runs nothing, notes what is read at an offset
  const char* who = "";          // is named if a launch fails
};
void launch(Simulation&, const LaunchRequest&);
// The boxes of a region of all blocks of a level; and of its interior the outermost layers along outer faces.
std::vector<std::pair<int, Box>> boxes_of(const Simulation&, int level, Region, const std::array<Centre, 3>&);
std::vector<std::pair<int, Box>> strip_of(const Simulation&, int level, int layers, const std::array<Centre, 3>&);
Box without_strip(const Simulation&, int level, int block, Box, int layers);
}  // namespace cereus
