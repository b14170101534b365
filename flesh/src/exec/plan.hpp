// Plans of scheduled kernels: what their launches need and only a change of blocks changes.
#pragma once
#include "cereus/exchange.hpp"
namespace cereus {
struct KernelPlan {  // of one kernel on one level
  int epoch = -1;
  BlockBoxes boxes;        // all that is updated at once
  LaunchBoxes all, strip;  // the same for loops; and the layers along outer faces whose update is a sweep of its own
  // Of a kernel that goes through those layers with all others, by block: the points that it updates.
  std::vector<Box> updated;
  std::int64_t points = 0, bytes_a_point = 0, bytes_a_source = 0;
  int reach = 0;
  bool interior = false;        // whether the kernel writes interiors, so that a part of a box may be updated early
  std::vector<Ghosts> outputs;  // what it writes; of a fused kernel the states, whose timelevel is the caller's
  std::vector<Ghosts> pushed;   // of those, kept for its memory
  bool one_place = true;        // whether all outputs have the same centres
  std::span<const std::array<Offset, 6>> ghosts;  // that the boxes have
  struct Split {                                  // what is updated before an exchange is over, and what after
    std::vector<std::uint8_t> arriving;           // of each box
    bool conditions;
    LaunchBoxes inside, rest;
  };
  std::vector<Split> splits;
  int current = -1;  // the split that the exchange under way asks for; −1: nothing of it arrives here

  // Gives the boxes the ghost zones that the kernel fills.
  void push_to(const Simulation&, std::span<const std::array<Offset, 6>>);
  // Finds the split for the ghost zones that arrive now; false if none arrives.
  bool split(const Simulation&, const Exchange&, bool conditions);
};

class LaunchPlans {
 public:
  KernelPlan& of(const Simulation&, const Routine&, int level);
  const LaunchBoxes& interiors(const Simulation&, int level, const std::array<Centre, 3>&, int strip);
  Stale stale;  // of the kernel that runs, kept for its memory

 private:
  std::vector<std::vector<KernelPlan>> plans_;  // [routine][level]
  std::map<std::tuple<int, std::array<Centre, 3>, int>, LaunchBoxes> interiors_;
  int epoch_ = -1;  // of interiors_
};
}  // namespace cereus
