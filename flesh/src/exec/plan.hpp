// Plans of scheduled kernels: the boxes of their launches, which are kept until the blocks change.
#pragma once
#include <set>

#include "exec/later.hpp"
namespace cereus {
// Where a routine writes by one of its accesses, as boxes of points of a centring.
BlockBoxes boxes_of(const Simulation&, const Routine&, int level, const VariableAccess&, const std::array<Centre, 3>&);

struct KernelPlan {  // for one kernel on one level
  int epoch = -1;
  BlockBoxes boxes;   // of the kernel's loop
  LaunchBoxes all;    // the same for launches
  LaunchBoxes strip;  // the layers along outer faces on which the kernel runs separately, without the update
  // If one loop writes right-hand sides in those layers and updates all other points: the latter, by block.
  std::vector<Box> updated;
  std::int64_t points = 0, bytes_a_point = 0, bytes_a_source = 0;
  int reach = 0;
  bool interior = false;        // whether the kernel writes interiors; only then may a part of a box be updated early
  std::vector<Ghosts> outputs;  // what it writes; a fused kernel writes states, and the caller sets their timelevel
  std::vector<Ghosts> pushed;   // the outputs that are written through; a member only to keep its memory
  bool one_place = true;        // whether all outputs have the centring of the loop
  std::span<const std::array<Offset, 6>> ghosts;  // for each block, where `all` writes through
  struct Split {                                  // the boxes of PointUpdate::Part::inside and rest
    std::vector<std::uint8_t> arriving;           // of each box: Exchange::arriving
    bool conditions;
    LaunchBoxes inside, rest;
  };
  std::vector<Split> splits;
  int current = -1;  // the split for the exchange under way; −1: this level is not split

  // Sets the ghost zones to which the kernel writes through.
  void push_to(const Simulation&, std::span<const std::array<Offset, 6>>);
  // Boxes that wait for ghost zones or conditions.
  std::ptrdiff_t waiting(const Simulation&, const Exchange&, bool conditions) const;
  // Finds or makes the split for the ghost zones that arrive now; false if no box waits. Where most boxes do not, those
  // that do are part of the rest as they are: a few points thick, parts of them are slow.
  bool split(const Simulation&, const Exchange&, bool conditions);
};

class LaunchPlans {
 public:
  KernelPlan& of(const Simulation&, const Routine&, int level);
  // Boxes of several levels as one list; geometry 0 is that of the first level.
  const LaunchBoxes& joined(const Simulation&, std::span<const LevelBoxes>);
  // Variables, by group and component, that are known to have conditions at all outer faces of these blocks.
  std::set<std::pair<int, int>>& with_conditions(const Grid&);
  const std::vector<Later>& later(const Simulation&, const Routine&);
  const LaunchBoxes& interiors(const Simulation&, int level, const std::array<Centre, 3>&, const Strip&);
  Stale stale;  // used by the kernel that runs now; a member only to keep its memory

 private:
  std::vector<std::vector<KernelPlan>> plans_;  // [routine][level]
  std::map<std::tuple<int, std::array<Centre, 3>, Strip>, LaunchBoxes> interiors_;
  std::map<std::vector<unsigned long long>, LaunchBoxes> joined_;  // by numbers of the parts
  std::set<std::pair<int, int>> with_conditions_;
  std::map<int, std::vector<Later>> later_;  // by routine
  void forget_old(const Grid&);              // what was made from blocks that have changed since
  int epoch_ = -1;                           // of the last three
};
}  // namespace cereus
