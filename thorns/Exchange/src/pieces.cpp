// Finds the pieces: intersects the ghost zones of a block with the points that its neighbours, and their periodic
// images, own.
#include "Exchange/pieces.hpp"

namespace exchange {
namespace {
using cereus::BlockHome;

// The directions of a block's ghost regions, −1, 0 or 1 along each axis; a star reads only those off a face.
template <class F> void for_each_direction(int dim, bool corners, unsigned axes, F&& f) {
  const auto most = [&](int d) { return static_cast<int>(d < dim && (axes >> d & 1)); };
  for (int k = -most(2); k <= most(2); ++k)
    for (int j = -most(1); j <= most(1); ++j)
      for (int i = -most(0); i <= most(0); ++i) {
        const int off = (i != 0) + (j != 0) + (k != 0);
        if (off == 1 || (off > 1 && corners)) f(Index{i, j, k});
      }
}
Box beside(Box box, const Index& direction, int depth) {
  for (int d = 0; d < 3; ++d) {
    if (direction[d] < 0) box.hi[d] = box.lo[d], box.lo[d] -= depth;
    if (direction[d] > 0) box.lo[d] = box.hi[d], box.hi[d] += depth;
  }
  return box;
}
Index minus(const Index& a) { return {-a[0], -a[1], -a[2]}; }

// Makes the pieces of a pair of blocks.
struct Maker {
  const cereus::Patch& space;
  int dim, rank, depth;
  const std::array<Centre, 3>& centre;
  bool corners;
  unsigned axes;
  std::vector<Index> shifts;  // whole periods by which ghost zones may reach beyond the ends of periodic axes
  std::vector<Piece> pieces{};

  Box points(const BlockHome& b) const { return space.points(b.cells, centre, dim); }
  void make(const BlockHome& source, const BlockHome& target, const Index& shift) {
    const Box there = cereus::shift(points(source), shift);
    for_each_direction(dim, corners, axes, [&](const Index& direction) {
      if (const Box to = intersect(beside(points(target), direction, depth), there); !to.empty())
        pieces.push_back({source.number, target.number, source.owner, target.owner, to, shift, direction});
    });
  }
};

std::vector<Index> shifts_of(const cereus::Patch& space, int dim, int depth) {
  Box images{{0, 0, 0}, {1, 1, 1}};
  for (int d = 0; d < dim; ++d)
    if (space.periodic[d]) {
      const int n = (depth + space.cells.extent(d) - 1) / space.cells.extent(d);
      images.lo[d] = -n, images.hi[d] = n + 1;
    }
  std::vector<Index> shifts;
  for_each_point(images, [&](int i, int j, int k) {
    shifts.push_back({i * space.cells.extent(0), j * space.cells.extent(1), k * space.cells.extent(2)});
  });
  return shifts;
}
}  // namespace

int Piece::axis() const {
  int found = -1;
  for (int d = 0; d < 3; ++d)
    if (direction[d] != 0) {
      if (found >= 0) return -1;
      found = d;
    }
  return found;
}

std::vector<Piece> ghost_pieces(const cereus::Patch& space, int dim, const cereus::BlockIndex& blocks, int rank,
    const std::array<Centre, 3>& centre, int depth, bool corners, unsigned axes) {
  Maker maker{space, dim, rank, depth, centre, corners, axes, shifts_of(space, dim, depth)};
  Index reach{};
  for (int d = 0; d < dim; ++d) reach[d] = depth + 1;  // and a vertex at the upper end of the domain
  for (const BlockHome& mine : blocks.blocks()) {
    if (mine.owner != rank) continue;
    for (const Index& shift : maker.shifts) {
      blocks.for_each(cereus::shift(grow(mine.cells, reach), minus(shift)),
          [&](const BlockHome& source) { maker.make(source, mine, shift); });
      blocks.for_each(cereus::shift(grow(mine.cells, reach), shift), [&](const BlockHome& target) {
        if (target.owner != rank) maker.make(mine, target, shift);
      });
    }
  }
  std::ranges::sort(
      maker.pieces, {}, [](const Piece& p) { return std::tie(p.target, p.direction, p.source, p.shift); });
  return std::move(maker.pieces);
}
}  // namespace exchange
