// Finds the pieces by intersecting what a block needs with what all blocks, and their periodic images, own.
#include "exchange.hpp"

namespace UniGrid {
namespace {
// Ghost regions of a block: along each axis, −1, 0 or 1; a star needs only those off one face.
template <class F> void for_each_direction(int dim, bool corners, F&& f) {
  for (int k = dim > 2 ? -1 : 0; k <= (dim > 2 ? 1 : 0); ++k)
    for (int j = dim > 1 ? -1 : 0; j <= (dim > 1 ? 1 : 0); ++j)
      for (int i = -1; i <= 1; ++i) {
        const int off = (i != 0) + (j != 0) + (k != 0);
        if (off == 1 || (off > 1 && corners)) f(Index{i, j, k});
      }
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

std::vector<Piece> ghost_pieces(const Grid& grid, const cereus::Level& level, const std::vector<OwnedBox>& boxes,
    const std::array<Centre, 3>& centre, int depth, bool corners) {
  std::vector<Piece> pieces;
  std::vector<Box> owned;
  for (const auto& b : boxes) owned.push_back(level.points(b.cells, centre, grid.dim));
  Index images{};  // how many periods the ghost zones may reach beyond the domain
  for (int d = 0; d < grid.dim; ++d)
    if (level.periodic[d]) images[d] = (depth + level.domain.extent(d) - 1) / level.domain.extent(d);
  for (int t = 0; t < static_cast<int>(boxes.size()); ++t)
    for_each_direction(grid.dim, corners, [&](Index direction) {
      Box need = owned[t];
      for (int d = 0; d < 3; ++d) {
        if (direction[d] < 0) need.hi[d] = need.lo[d], need.lo[d] -= depth;
        if (direction[d] > 0) need.lo[d] = need.hi[d], need.hi[d] += depth;
      }
      for (int s = 0; s < static_cast<int>(boxes.size()); ++s)
        for (int pk = -images[2]; pk <= images[2]; ++pk)
          for (int pj = -images[1]; pj <= images[1]; ++pj)
            for (int pi = -images[0]; pi <= images[0]; ++pi) {
              const Index shift{pi * level.domain.extent(0), pj * level.domain.extent(1), pk * level.domain.extent(2)};
              if (const Box to = intersect(need, cereus::shift(owned[s], shift)); !to.empty())
                pieces.push_back({s, t, to, shift, direction});
            }
    });
  return pieces;
}
}  // namespace UniGrid
