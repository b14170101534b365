// Ghost zones that kernels fill while they update the points which they repeat (Driver::write_through): those off faces
// between two leaves of one level and one process. Each process decides for itself, since no message changes.
#pragma once
#include "transfer.hpp"
namespace Forest {
struct Through {
  unsigned axes = 0, crossed = 0;  // bits: across which kernels can; across which there are such
  int layers_x = 0;
  std::vector<std::array<Offset, 6>> faces;                       // of each block of the level: BlockLaunch::ghosts
  std::map<unsigned, std::vector<std::array<Offset, 6>>> ghosts;  // the same across some axes alone
};
// Of outputs of a kind, by the plan that fills their ghost zones off faces.
Through find_through(const cereus::Simulation&, const Plan&, const cereus::Ghosts&, const Known&, int rank);
cereus::Driver::WriteThrough write_through(Through&, const cereus::Grid&, unsigned possible);
}  // namespace Forest
