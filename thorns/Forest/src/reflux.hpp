// Where levels meet, what leaves the one side through a face enters the other: fluxes of coarse cells are replaced by
// the mean of those of finer ones (Berger and Colella, J. Comp. Phys. 82 (1989) 64), in each stage of an integrator.
#pragma once
#include "ghosts.hpp"
namespace Forest {
// The kernel that sets fluxes of a component across an axis; null if there is none.
const cereus::Routine* flux_kernel(const Simulation&, int group, int component, int axis);

class Reflux {
 public:
  explicit Reflux(GhostZones& zones) : zones_(zones) {}
  // Takes the fluxes across an axis of all groups that have some, before those across the next are computed.
  // Collective.
  void take(Simulation&, int axis);
  // Adds to a buffer of a conserved group `weight` times what coarse cells lack by the fluxes taken last.
  void add(Simulation&, int group, int buffer, double weight);

 private:
  struct Registers {  // of some variables of a group
    Space space = Space::host;
    std::vector<int> components;
    Kept kept;  // the fluxes are in its scratch
  };
  std::vector<Job> jobs(const Registers&, int group, int timelevel, int axis) const;
  std::vector<Registers>& registers_of(const Simulation&, int fluxes);

  GhostZones& zones_;
  std::vector<std::shared_ptr<Transfer>> across_;    // each axis
  std::map<int, std::vector<Registers>> registers_;  // by group of fluxes
};
}  // namespace Forest
