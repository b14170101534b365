#include "faces.hpp"

namespace Forest {
namespace {
// The part of a coarse leaf's face that a finer leaf has; the finer leaf lies in the place `beside`, or an image of it.
Move part_of_face(
    const Place& p, int axis, const Leaf& coarse, int side, const Leaf& fine, const Index& beside, int face) {
  const Index blocks = p.leaves.blocks(coarse.level);
  Move m{.level = fine.level,
      .source = fine.number,
      .from = fine.owner,
      .target_level = coarse.level,
      .target = coarse.number,
      .to_rank = coarse.owner,
      .prolongation = face,
      .to = p.cells(fine),
      .step = 2};
  for (int d = 0; d < p.leaves.dim(); ++d) {
    if (beside[d] < 0) m.shift[d] = -blocks[d] * p.block;
    if (beside[d] >= blocks[d]) m.shift[d] = blocks[d] * p.block;
    m.to.lo[d] = m.to.lo[d] / 2 + m.shift[d], m.to.hi[d] = m.to.hi[d] / 2 + m.shift[d];
  }
  m.to.lo[axis] = side ? m.to.lo[axis] : m.to.hi[axis];
  m.to.hi[axis] = m.to.lo[axis] + 1;
  return m;
}
}  // namespace

FacePlan faces_across(const Place& p, cereus::Selection levels, int axis, int rank) {
  FacePlan plan{axis, {}, {}};
  for (int level = levels.first; level < levels.last; ++level)
    for (const Leaf& coarse : p.leaves.of_level(level))
      for (const int side : {0, 1}) {
        Index beside = coarse.at;
        beside[axis] += side ? 1 : -1;
        if (coarse.covered || !p.leaves.inside(level, beside)) continue;
        int face = -2;  // of another process
        p.leaves.for_each_at(level, beside, [&](const Leaf& fine) {
          if (fine.level != level + 1 || fine.at[axis] % 2 == side) return;  // does not touch the face
          if (face < 0 && coarse.owner == rank) {
            Box at = p.cells(coarse);
            at.lo[axis] = side ? at.hi[axis] : at.lo[axis], at.hi[axis] = at.lo[axis] + 1;
            face = static_cast<int>(plan.faces.size());
            plan.faces.push_back({level, coarse.number, side, at});
          }
          if (coarse.owner != rank && fine.owner != rank) return;
          plan.moves.push_back(part_of_face(p, axis, coarse, side, fine, beside, face));
        });
      }
  return plan;
}
}  // namespace Forest
