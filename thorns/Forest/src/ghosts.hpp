// Fills ghost zones of a forest: copies between leaves, restriction into coarser ones, prolongation into finer ones;
// and new blocks when the forest has changed.
#pragma once
#include <Exchange/written.hpp>

#include "moves.hpp"
#include "plans.hpp"
#include "through.hpp"
namespace Forest {
using cereus::Ghosts;
using cereus::Simulation;

// Faces (bits 2·axis + side) that are planes of symmetry for a variable.
unsigned mirrors_of(const Simulation&, int group, int component);

class GhostZones {
 public:
  // Levels of the forest from `alone` on take steps of their own. `shells`: around it; null if there are none.
  GhostZones(Place, const Shells* shells, int order, Blocks, int alone, MPI_Comm);
  void prepare(Simulation&);           // before the first exchange. Collective.
  void close() { messages_.close(); }  // collective
  std::unique_ptr<cereus::Exchange> exchange(Simulation&, std::span<const Ghosts>, Space, int routine);
  // Fills new blocks from those `before`, whose entries of Grid::blocks were `old`. Collective.
  void fill_new(Simulation&, Place before, const cereus::Grid&, const Blocks& old,
      std::span<const cereus::Driver::Values>, Space);

  struct Planned {
    std::shared_ptr<const Transfer> transfer;
    std::vector<std::uint8_t> arriving;  // of each block of this process: faces (bit 2·axis + side)
  };
  void find_lacks(const Simulation&, std::span<const Ghosts>, Space, Lacks&);  // of items of one variable
  const Planned& plan_of(const Simulation&, const Lacks&);                     // one list for all levels
  cereus::Driver::WriteThrough write_through(const Simulation&, std::span<const Ghosts>, unsigned axes, Space);
  // Covered blocks of a level of the forest take what the next finer one has of evolved groups. Collective.
  void restrict_to(Simulation&, int level);
  // Of fluxes where leaves of some levels touch finer ones; behind element `first` of scratch lie those of the coarser
  // side, axis after axis, then as many of the finer side.
  struct FaceTransfers {
    Offset first = 0, count = 0;                    // of each side
    std::vector<std::shared_ptr<Transfer>> across;  // each axis
    Offset end() const { return first + 2 * count; }
  };
  FaceTransfers face_transfers(const Simulation&, cereus::Selection levels, Side, Offset first) const;
  // Moves and interpolates at once. Collective.
  void carry_out(Simulation&, std::vector<Job>, Space, Kept&);
  // Of an entry of Grid::levels: whether it takes steps of its own, and the entry of the next coarser level.
  bool alone(int entry) const { return entry >= entry_of(shells_, alone_); }
  int coarser(int entry) const { return entry_of(shells_, level_at(shells_, entry) - 1); }
  Plans& plans() { return plans_; }
  exchange::MessagePool& messages() { return messages_; }
  Kept& kept(Space space) { return kept_[static_cast<int>(space)]; }

 private:
  int rank() const { return neighbours_.rank(); }
  unsigned mirrors_of(const Simulation&, int group, int component);
  Place place_;
  const Shells* shells_;
  int order_;
  Blocks blocks_;
  int alone_;
  exchange::Neighbourhood neighbours_;
  Plans plans_;
  std::map<std::vector<std::pair<const Plan*, unsigned>>, Planned> planned_;  // by what each level takes
  std::map<std::tuple<int, Centring, std::size_t>, Through> through_;         // by level, centring, bytes of a value
  std::map<std::pair<int, Centring>, std::shared_ptr<const Transfer>> restrictions_;  // by level and centring
  exchange::Filled filled_;
  std::map<std::pair<int, int>, unsigned> mirrors_;  // by group and component
  Kept kept_[cereus::spaces];
  exchange::MessagePool messages_{neighbours_};
  unsigned asked_ = 0;  // exchanges so far
};
}  // namespace Forest
