// The run-time state: one struct, passed down by reference. A checkpoint is this struct on disk.
#pragma once
#include <filesystem>
#include <functional>
#include <map>

#include "accelerator.hpp"
#include "process.hpp"
#include "timer.hpp"
namespace cereus {
class Background;
class DeviceTimes;
class LaunchPlans;
class Rates;

struct Simulation {
  Process process;
  // Whether some processes compute on devices and others on hosts; the processes of this one's kind, else all.
  bool two_kinds = false;
  Process alike;
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
  std::shared_ptr<DeviceTimes> device_times;  // where there is a device
  std::shared_ptr<Background> background;     // runs host routines beside the evolution on a device; may be null
  Traffic traffic;                            // of this process
  std::shared_ptr<LaunchPlans> plans;         // of scheduled kernels, made when they first run on a grid
  std::shared_ptr<Rates> rates;               // of kernels on this process, where there are two kinds
  bool audit = false, fuse = true, overlap = true, stop = false;
  bool unmet = false;          // what the run was to reach was not reached: progress.json says stopped
  bool ends_at_limit = false;  // the run ends with Cereus.iterations or final_time; a program may ask for more
  // What each process might find otherwise, and all have found alike: device, code of equations, transport, …
  std::map<std::string, std::string> agreed;
  std::string failure;  // not empty, on all processes alike: the run has failed and ends after this step

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
// Changes the blocks to those that Driver::grid_text described. No grid function is valid afterwards. Collective.
void change_grid(Simulation&, const std::string& blocks);
bool over(const Simulation&, const Clock&);  // whether a step that ends then is the last of the run
// Waits for the device, and for the routines that run beside the evolution.
void wait_for_all(Simulation&);

// Boxes in the form that a kernel's loop reads. Whoever launches on the same boxes again keeps this struct, because a
// device that has copied the boxes once knows them by `number`.
struct LaunchBoxes {
  LaunchBoxes() = default;
  // The boxes belong to blocks of this process. `ghosts`: for each block of the level, where the kernel also writes the
  // ghost zones of neighbouring blocks (Driver::WriteThrough). `updated`: for each block of the level, the points that
  // a partial update changes (Epilogue::partial). Both may be empty.
  LaunchBoxes(const Simulation&, std::span<const BlockBox>, std::span<const std::array<Offset, 6>> ghosts = {},
      std::span<const Box> updated = {});
  BlockList list() const { return {blocks.data(), static_cast<int>(blocks.size()), number}; }
  std::vector<BlockLaunch> blocks;
  unsigned long long number = 0;
};
// A launch of a kernel on boxes of one level's blocks, or of levels from that one on whose lists were joined
// (LaunchPlans). There is one access for each handle; it says where values lie.
struct LaunchRequest {
  const KernelTable* table;
  std::span<const VariableAccess> handles;
  int level = 0;
  BlockList list{};
  const TimeIntegrator::Update* update = nullptr;
  const Epilogue* epilogue = nullptr;  // for a kernel without an update: stores its outputs as they are
  void* result = nullptr;
  std::optional<Space> space{};       // by default space_of(simulation, table)
  Recording* watch = nullptr;         // audit mode: the kernel writes nothing; its reads at offsets are noted here
  const Simulation* other = nullptr;  // the simulation that has the variables with VariableAccess::elsewhere
  const char* who = "";               // named in the message if the launch fails
};
void launch(Simulation&, const LaunchRequest&);
// Launches on boxes that are not kept.
void launch(Simulation&, LaunchRequest, std::span<const BlockBox>);
struct LevelBoxes {
  int level;
  const LaunchBoxes* boxes;
};
// Launches on boxes of several levels, coarser ones first. Levels whose values lie in one piece of memory, and which
// take the same step, go in one launch.
void launch(Simulation&, LaunchRequest, std::span<const LevelBoxes>);
// A region of each block of a level as boxes. `margin`: so many layers at the edge of `everywhere` are left out.
BlockBoxes boxes_of(const Simulation&, int level, Region, const std::array<Centre, 3>&, int margin = 0);
// The centring of the loop of a kernel with these accesses: vertices along an axis if one of its outputs has vertices
// there. An output with cells along that axis is then written at one point too many; that point lies outside the domain
// and counts as stale.
std::array<Centre, 3> centre_of(const Simulation&, std::span<const VariableAccess>);
// The number of ghost layers that a read needs, or that a write of `everywhere` fills.
int depth_of(const Simulation&, const VariableAccess&);
// A strip of all blocks of a level.
BlockBoxes strip_of(const Simulation&, int level, const Strip&, const std::array<Centre, 3>&);
// The cells whose lower face across an axis is one where levels meet, for all blocks of a level; the last of a block
// are ghost zones.
BlockBoxes level_faces_of(const Simulation&, int level, int axis, const std::array<Centre, 3>&);
// A box of a block without the points of a strip.
Box without_strip(const Simulation&, int block, Box, const Strip&);
// The interiors of all blocks of a level, or a strip of them. Kept until the blocks change.
const LaunchBoxes& interiors(Simulation&, int level, const std::array<Centre, 3>&, const Strip& = {});
}  // namespace cereus
