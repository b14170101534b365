// Ghost zones that kernels fill while they update the points that these repeat, in blocks of this process.
#pragma once
#include <mpi.h>
#include <cereus/simulation.hpp>

#include <map>

#include "exchange.hpp"
namespace UniGrid {
using cereus::Driver;
using cereus::Simulation;
using cereus::Space;

class Pusher {
 public:
  Pusher(MPI_Comm, const std::vector<OwnedBox>&);
  // `pieces`: of stars, of all processes, for the outputs' centring and full width. Collective when something is new.
  Driver::Push push(const Simulation&, int level, std::span<const Driver::Stale> outputs,
      const std::vector<Piece>& pieces, unsigned axes, Space);

 private:
  struct Faces {                                  // of blocks of one level and centring
    std::vector<std::array<const Piece*, 6>> of;  // [block of the run]: the piece that each face fills
    std::uint8_t axes = 0;                        // across which that is possible in all blocks of all processes
    int layers_x = 0;
  };
  const Faces& faces_of(const Simulation&, int level, int group, const std::vector<Piece>&);
  Faces find_faces(const Simulation&, int level, int group, const std::vector<Piece>&) const;
  cereus::GhostFace face(const Simulation&, int level, const Driver::Stale&, const Piece&, Space) const;

  MPI_Comm comm_;
  const std::vector<OwnedBox>& boxes_;
  int rank_ = 0, first_ = 0;
  std::map<std::tuple<int, std::array<Centre, 3>, std::size_t>, Faces> faces_;  // level, centring, bytes of a value
};
}  // namespace UniGrid
