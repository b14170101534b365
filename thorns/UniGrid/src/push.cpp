// Decides across which axes kernels can fill ghost zones, and tells them where those lie.
#include "push.hpp"

#include <algorithm>

#include "messages.hpp"

namespace UniGrid {
using namespace cereus;

Pusher::Pusher(MPI_Comm comm, const std::vector<OwnedBox>& boxes) : comm_(comm), boxes_(boxes) {
  MPI_Comm_rank(comm_, &rank_);
  first_ = static_cast<int>(
      std::find_if(boxes_.begin(), boxes_.end(), [&](const auto& b) { return b.owner == rank_; }) - boxes_.begin());
}

// Across an axis all faces must be shared by two blocks of a process as a whole. Across x kernels want the same strides
// on both sides, and devices write sectors of 32 bytes, into padding if need be, so rows must be of whole vectors and
// pitched for it.
Pusher::Faces Pusher::find_faces(const Simulation& s, int level, int group, const std::vector<Piece>& pieces) const {
  Faces f;
  const int width = s.grid.ghosts[0], size = static_cast<int>(size_of(s.type(group))), sector = 32 / size;
  f.layers_x = (width + sector - 1) / sector * sector;
  f.of.resize(boxes_.size());
  const Level& l = s.grid.levels[level];
  for (const auto& p : pieces) f.axes |= static_cast<std::uint8_t>(1 << p.axis());
  for (const auto& p : pieces) {
    const int d = p.axis();
    const Box source = l.points(boxes_[p.source].cells, s.groups[group].centre, s.grid.dim);
    Box face = shift(source, p.shift);
    (p.direction[d] > 0 ? face.hi[d] : face.lo[d]) = p.direction[d] > 0 ? face.lo[d] + width : face.hi[d] - width;
    const Piece*& place = f.of[p.source][2 * d + (p.direction[d] < 0)];
    if (place || !(p.to == face) || source.extent(d) < 2 * (d == 0 ? f.layers_x : width) ||
        boxes_[p.source].owner != boxes_[p.target].owner)
      f.axes &= static_cast<std::uint8_t>(~(1 << d));
    place = &p;
  }
  int x = f.axes & 1;
  const auto strides = [&](int block) { return s.fields.layout(level, block - first_).stride; };
  for (const auto& p : pieces)
    if (x && p.axis() == 0 && boxes_[p.source].owner == rank_) x = strides(p.source) == strides(p.target);
  for (int b = 0; b < static_cast<int>(l.blocks.size()); ++b) {
    const int n = l.blocks[b].cells.extent(0);
    x = x && n * size % 16 == 0 && s.fields.layout(level, b).stride[1] >= n + 2 * f.layers_x;
  }
  check(MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_INT, MPI_LAND, comm_), "asking where ghost zones can be pushed");
  if (!x) f.axes &= 6;
  return f;
}

const Pusher::Faces& Pusher::faces_of(const Simulation& s, int level, int group, const std::vector<Piece>& pieces) {
  const std::tuple key{level, s.groups[group].centre, size_of(s.type(group))};
  auto found = faces_.find(key);
  if (found == faces_.end()) found = faces_.emplace(key, find_faces(s, level, group, pieces)).first;
  return found->second;
}

GhostFace Pusher::face(const Simulation& s, int level, const Driver::Stale& o, const Piece& p, Space space) const {
  const int block = p.target - first_;
  const Layout& to = s.fields.layout(level, block);
  const Index& first = s.fields.layout(level, p.source - first_).first;
  const Offset at = to.at(first[0] + p.shift[0], first[1] + p.shift[1], first[2] + p.shift[2]);
  return {s.fields.address(o.group, o.component, o.timelevel, level, block, space) +
              at * static_cast<Offset>(size_of(s.type(o.group))),
      to.stride[1], to.stride[2]};
}

Driver::Push Pusher::push(const Simulation& s, int level, std::span<const Driver::Stale> outputs,
    const std::vector<Piece>& pieces, unsigned axes, Space space) {
  const auto& centre = s.groups[outputs[0].group].centre;
  if (std::ranges::any_of(outputs, [&](const auto& o) { return s.groups[o.group].centre != centre; })) return {};
  const Faces& faces = faces_of(s, level, outputs[0].group, pieces);
  Driver::Push push;
  push.axes = static_cast<std::uint8_t>(faces.axes & axes);
  if (!push.axes) return {};
  push.all = std::ranges::all_of(pieces, [&](const auto& p) { return push.axes >> p.axis() & 1; });
  for (int d = 0; d < s.grid.dim; ++d)
    if (push.axes >> d & 1) push.layers[d] = d == 0 ? faces.layers_x : s.grid.ghosts[d];
  const auto blocks = s.grid.levels[level].blocks.size();
  push.faces.resize(6 * outputs.size() * blocks);
  for (std::size_t b = 0; b < blocks; ++b)
    for (std::size_t o = 0; o < outputs.size(); ++o)
      for (std::size_t f = 0; f < 6; ++f)
        if (const Piece* p = faces.of[static_cast<std::size_t>(first_) + b][f]; p && push.axes >> p->axis() & 1)
          push.faces[6 * (b * outputs.size() + o) + f] = face(s, level, outputs[o], *p, space);
  return push;
}
}  // namespace UniGrid
