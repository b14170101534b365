// Fills ghost zones of a forest: copies between leaves, restriction into coarser ones, prolongation into finer ones;
// and new blocks when the forest has changed.
#pragma once
#include "moves.hpp"
namespace Forest {
using cereus::Ghosts;

class GhostZones {
 public:
  GhostZones(Place, int order, Blocks, MPI_Comm);
  void prepare(Simulation&);           // before the first exchange. Collective.
  void close() { messages_.close(); }  // collective
  std::unique_ptr<cereus::Exchange> exchange(Simulation&, std::span<const Ghosts>, Space, int routine);
  // Fills new blocks from those `before`, whose entries of Grid::blocks were `old`. Collective.
  void fill_new(Simulation&, const Place& before, const cereus::Grid&, const Blocks& old,
      std::span<const cereus::Driver::Values>, Space);

  struct Planned {
    std::shared_ptr<const Transfer> transfer;
    std::vector<std::uint8_t> arriving;  // of each block of this process: faces (bit 2·axis + side)
  };
  const Planned& plan_of(const Simulation&, const Ghosts&);
  // Of fluxes across each axis; in scratch they lie one behind the other.
  std::vector<std::shared_ptr<Transfer>> face_transfers(const Simulation&) const;
  // Moves and interpolates at once. Collective.
  void carry_out(Simulation&, std::vector<Job>, Space, Kept&);
  exchange::MessagePool& messages() { return messages_; }
  Kept& kept(Space space) { return kept_[static_cast<int>(space)]; }

 private:
  int rank() const { return neighbours_.rank(); }
  Place place_;
  int order_;
  Blocks blocks_;
  exchange::Neighbourhood neighbours_;
  std::map<std::tuple<int, Centring, int, bool, unsigned>, Planned> plans_;
  Kept kept_[cereus::spaces];
  exchange::MessagePool messages_{neighbours_};
  unsigned asked_ = 0;  // exchanges so far
};
}  // namespace Forest
