// The plan of a ghost exchange, as one process sees it: which boxes are copied from which block to which.
#pragma once
#include <cereus/block_index.hpp>
#include <cereus/routine.hpp>

#include <tuple>

namespace exchange {
using cereus::Box;
using cereus::Centre;
using cereus::Index;

struct Piece {  // a box of ghost zones: points `to` of block `target` are points `to` − shift of block `source`
  int source = 0, target = 0;  // numbers over all processes
  int from = 0, to_rank = 0;   // their owners
  Box to;
  Index shift{}, direction{};  // `to` lies beside the target in this direction, −1, 0 or 1 along each axis
  int axis() const;            // the only one across which `to` lies; −1 if there are several
};
// The bytes of a box of values in a message, where boxes begin where any scalar type may.
inline std::int64_t aligned_bytes(const Box& box, std::size_t value) {
  return (box.points() * static_cast<std::int64_t>(value) + 15) / 16 * 16;
}
// Notes in the faces (bit 2·axis + side) of a block that ghost zones beside it are still to arrive. A read beyond an
// edge also crosses a face that meets there, so that a ghost zone off an edge counts for one of these.
inline void note_arriving(std::uint8_t& faces, const Index& direction) {
  unsigned beyond = 0;
  for (int d = 0; d < 3; ++d) beyond |= (direction[d] < 0 ? 1U : direction[d] > 0 ? 2U : 0U) << (2 * d);
  if (!(faces & beyond)) faces |= static_cast<std::uint8_t>(beyond & -beyond);
}
// All pieces of one level whose source or target belongs to `rank`, for one centring, depth and shape of stencil, and
// across some axes (bits). What one process sends another has the same order on both. Time and memory grow with the
// blocks of the process and their neighbours; `blocks` may hold more than these.
std::vector<Piece> ghost_pieces(const cereus::Patch& space, int dim, const cereus::BlockIndex& blocks, int rank,
    const std::array<Centre, 3>& centre, int depth, bool corners, unsigned axes = cereus::all_axes);
}  // namespace exchange
