// Updates points while ghost zones of what they read are under way. (Exchange itself is in services.hpp.)
#pragma once
#include "simulation.hpp"
namespace cereus {
// An update of points that can be done in two parts, before and after ghost zones arrive. Its owner keeps the boxes.
class PointUpdate {
 public:
  enum class Part : std::uint8_t { all, inside, rest };
  virtual ~PointUpdate() = default;
  // Chooses the part `inside`: the points that read no ghost zone which is still to arrive and, if `conditions`, no
  // point at an outer face, where a boundary condition is still to be applied. False: the whole update has to wait.
  virtual bool split(const Exchange&, bool conditions) = 0;
  virtual void run(Part) = 0;
  bool rest_first = false;  // as Exchange::Around::rest_first
  // Ghost zones that may be sent as soon as the part `rest` has run, because the next update reads exactly these
  // outputs. `read`: the ghost zones for which this update waits. Empty: the next update is not known.
  virtual std::span<const Ghosts> next(std::span<const Ghosts> /*read*/) { return {}; }
};
struct Stale {  // the ghost zones and boundaries that have to be filled before a routine reads them
  std::vector<Ghosts> ghosts, boundaries;
};
struct Reader {  // a routine, the accesses that it declares, and the memory space in which it reads
  Selection levels;
  std::span<const VariableAccess> accesses;
  int routine = -1;
  Space space = Space::host;
};
// Copies from the other space what the reader lacks in its own, and then finds the stale ghost zones and boundaries.
void find_stale(Simulation&, const Reader&, Stale&);
// Fills what is stale and runs the update. If the update can be split, the part `inside` runs while ghost zones travel,
// and the part `rest` after they have arrived; on a device the two parts may overlap.
void update_around_exchange(Simulation&, const Reader&, const Stale&, PointUpdate&);
}  // namespace cereus
