// Updates points while ghost zones of what they read are under way.
#pragma once
#include "simulation.hpp"
namespace cereus {
// What is updated around an exchange. The owner of the update keeps the boxes.
class PointUpdate {
 public:
  enum class Part : std::uint8_t { all, inside, rest };
  virtual ~PointUpdate() = default;
  // Chooses the part `inside`, which reads nothing across the faces of a block at which ghost zones are arriving, and,
  // if `conditions`, nothing at outer faces, where conditions are yet to be applied. False: all has to wait.
  virtual bool split(const Exchange&, bool conditions) = 0;
  virtual void run(Part) = 0;
  bool rest_first = false;  // as Exchange::Around::rest_first
  // Of ghost zones that this update waits for: those of what the next one will read in their place, all of it written
  // by the part `rest` where neighbours need it. Empty: that is not known.
  virtual std::span<const Ghosts> next(std::span<const Ghosts> /*read*/) { return {}; }
};
struct Stale {  // what has to be filled before a routine reads
  std::vector<Ghosts> ghosts, boundaries;
};
struct Reader {  // who reads what, and where
  Selection levels;
  std::span<const VariableAccess> accesses;
  int routine = -1;
  Space space = Space::host;
};
// Finds what is stale of what the reader reads, after copies from the other space.
void find_stale(Simulation&, const Reader&, Stale&);
// Fills what is stale, and updates: all at once; or first what needs no ghost zones that are under way, and the rest
// when they are there, on a device beside the first.
void update_around_exchange(Simulation&, const Reader&, const Stale&, PointUpdate&);
}  // namespace cereus
