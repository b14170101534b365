// Index-space algebra: points and half-open boxes of global indices, as small values.
#pragma once
#include <array>
#include <compare>
#include <cstdint>
#include <vector>
namespace cereus {
// The outermost layers of the interior along outer faces.
struct Strip {
  int layers = 0;      // 0: none
  unsigned faces = 0;  // bits 2·axis + side: along which
  friend auto operator<=>(const Strip&, const Strip&) = default;
};
using Index = std::array<int, 3>;

struct Box {
  Index lo{}, hi{};
  bool empty() const { return hi[0] <= lo[0] || hi[1] <= lo[1] || hi[2] <= lo[2]; }
  int extent(int axis) const { return hi[axis] - lo[axis]; }
  std::int64_t points() const { return empty() ? 0 : std::int64_t{extent(0)} * extent(1) * extent(2); }
  bool contains(Index i) const {
    for (int d = 0; d < 3; ++d)
      if (i[d] < lo[d] || i[d] >= hi[d]) return false;
    return true;
  }
  friend bool operator==(const Box&, const Box&) = default;
};
struct BlockBox {  // a box of global indices in a block of this process (entry of Grid::blocks)
  int block;
  Box box;
};
using BlockBoxes = std::vector<BlockBox>;

inline Box intersect(Box a, const Box& b) {
  for (int d = 0; d < 3; ++d) {
    if (b.lo[d] > a.lo[d]) a.lo[d] = b.lo[d];
    if (b.hi[d] < a.hi[d]) a.hi[d] = b.hi[d];
  }
  return a;
}
inline Box grow(Box a, Index by) {
  for (int d = 0; d < 3; ++d) a.lo[d] -= by[d], a.hi[d] += by[d];
  return a;
}
inline Box shift(Box a, Index by) {
  for (int d = 0; d < 3; ++d) a.lo[d] += by[d], a.hi[d] += by[d];
  return a;
}
// What is left of a box without a box inside it, as up to six boxes.
inline std::vector<Box> difference(Box whole, const Box& inside) {
  if (inside.empty()) return {whole};
  std::vector<Box> rest;
  for (int d = 2; d >= 0; --d) {
    Box low = whole, high = whole;
    low.hi[d] = whole.lo[d] = inside.lo[d];
    high.lo[d] = whole.hi[d] = inside.hi[d];
    for (const Box& b : {low, high})
      if (!b.empty()) rest.push_back(b);
  }
  return rest;
}
// Calls f(i, j, k), i fastest.
template <class F> void for_each_point(const Box& b, F&& f) {
  for (int k = b.lo[2]; k < b.hi[2]; ++k)
    for (int j = b.lo[1]; j < b.hi[1]; ++j)
      for (int i = b.lo[0]; i < b.hi[0]; ++i) f(i, j, k);
}
}  // namespace cereus
