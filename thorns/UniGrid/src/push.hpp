// Ghost zones that kernels fill while they update the points that these repeat: in blocks of this process and, where devices
// can write to each other's memory, of other processes of this host.
#pragma once
#include <cereus/simulation.hpp>
#include <mpi.h>

#include <map>

#include "exchange.hpp"
namespace UniGrid {
using cereus::Driver;
using cereus::Simulation;
using cereus::Space;

class Pusher {
 public:
  // `reach_others`: whether memory of other processes is tried at all.
  Pusher(MPI_Comm, const std::vector<OwnedBox>&, bool reach_others);
  // `pieces`: of stars, of all processes, for the group's centring and full width. Both are collective; `begin` only if
  // what it needs has not been prepared.
  void prepare(Simulation&, int level, int group, const std::vector<Piece>& pieces);
  Driver::Push begin(Simulation&, int level, std::span<const Driver::Stale> outputs, const std::vector<Piece>& pieces,
                     int reach, bool alone, Space);
  void end();
  std::uint32_t settle();

 private:
  // Of all blocks the piece that each face fills, and the axes along which that is possible.
  struct Faces {
    std::vector<std::array<const Piece*, 6>> of;  // [block of the run]
    std::uint8_t here = 0, anywhere = 0;          // axes: within processes; if devices write to each other's memory
    int layers_x = 0;
  };
  struct Place {  // of a block of another process: its first point of component 0
    char* address = nullptr;
    cereus::Offset step = 0;  // bytes from component to component
    cereus::Index first{};
    cereus::Offset row = 0, plane = 0;
  };
  const Faces& faces_of(const Simulation&, int level, int group, const std::vector<Piece>&);
  Faces find_faces(const Simulation&, int level, int group, const std::vector<Piece>&) const;
  bool agree(bool mine) const;
  bool meet(Simulation&, const Faces&);
  const std::vector<Place>& places(Simulation&, int level, int group, int timelevel);
  cereus::GhostFace face(Simulation&, int level, const Driver::Stale&, const Piece&, Space);

  MPI_Comm comm_;
  const std::vector<OwnedBox>& boxes_;
  int rank_ = 0, first_ = 0;
  bool may_reach_;
  std::map<std::tuple<int, std::array<Centre, 3>, std::size_t>, Faces> faces_;  // level, centring, bytes of a value
  std::map<std::tuple<int, int, int>, std::vector<Place>> places_;  // level, group, buffer
  std::map<int, int> number_;                                       // of a rank among the peers
  std::unique_ptr<cereus::Peers> peers_;
  // Each push on other processes' devices is a turn; up to which one this device waits for the others.
  std::uint32_t turn_ = 0, settled_ = 0;
  bool told_at_end_ = false;
};
}  // namespace UniGrid
