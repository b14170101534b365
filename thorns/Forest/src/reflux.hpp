// Where levels meet, what leaves the one side through a face enters the other: fluxes of coarse cells are replaced by
// the mean of those of finer ones (Berger and Colella, J. Comp. Phys. 82 (1989) 64), in each stage of an integrator.
#pragma once
#include "ghosts.hpp"
namespace Forest {
// The kernel that sets fluxes of a component across an axis; null if there is none.
const cereus::Routine* flux_kernel(const Simulation&, int group, int component, int axis);

class Reflux {
 public:
  Reflux(GhostZones& zones, bool subcycled) : zones_(zones), subcycled_(subcycled) {}
  // Takes the fluxes across an axis of all groups that have some, before those across the next are computed.
  // Collective.
  void take(Simulation&, cereus::Selection, int axis);
  // Adds to a buffer of a conserved group `weight` times what coarse cells lack by the fluxes taken last.
  void correct(Simulation&, int group, int buffer, double weight);
  // Where levels subcycle: adds up what was taken last of a level over the stages of its step, and as the finer side
  // over both steps; and adds to the present state of all groups what coarse cells of a level lack after these.
  void add_up(Simulation&, int level, int group, double weight);
  void correct_step(Simulation&, int level);

 private:
  using Faces = GhostZones::FaceTransfers;
  struct Registers {  // of some variables of a group
    Space space = Space::host;
    std::vector<int> components;
    Kept kept;     // the fluxes are in its scratch
    Scratch sums;  // over stages and steps
  };
  void plan(const Simulation&);
  std::vector<Job> jobs(const Registers&, const Faces&, int group, int timelevel, int axis) const;
  std::vector<Registers>& registers_of(const Simulation&, int fluxes);
  void correct(Simulation&, Registers&, Scratch&, std::span<const Faces>, cereus::Selection, cereus::Driver::Values,
      double weight);

  GhostZones& zones_;
  bool subcycled_;
  // By the coarser side's level. Where levels take the same steps, `coarser_` has both sides.
  std::vector<Faces> coarser_, finer_;
  std::map<int, std::vector<Registers>> registers_;  // by group of fluxes
};
}  // namespace Forest
