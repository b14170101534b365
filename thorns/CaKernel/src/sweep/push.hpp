// Ghost zones that a sweep writes itself: points of its block that other blocks, on this device or on others, repeat.
#pragma once
#include "tile.hpp"
#include "vectors.hpp"
namespace cereus::sweep {
// Which pushes meet some rows of a few points each, in whatever plane (bits).
CEREUS_KERNEL unsigned pushes_near(const Pushes& p, int x, int points, int y, int rows) {
  unsigned near = 0;
  for (int n = 0; n < p.count; ++n) {
    const Extent& box = p.list[n].box;
    const bool there = x < box.hi[0] && x + points > box.lo[0] && y < box.hi[1] && y + rows > box.lo[1];
    near |= there ? 1U << n : 0;
  }
  return near;
}
// Those of them that may meet a plane: near the ends all, between them those that go through all planes.
CEREUS_KERNEL unsigned pushes_in(const Pushes& p, unsigned near, int plane) {
  return near & (plane < p.inner[0] || plane >= p.inner[1] ? ~0U : p.through);
}
CEREUS_KERNEL int lowest_bit(unsigned bits) {
#ifdef __CUDA_ARCH__
  return __ffs(static_cast<int>(bits)) - 1;
#else
  return __builtin_ctz(bits);
#endif
}
// Stores a vector of a field, which lies `at` elements from the block's point 0.
template <class Vector>
CEREUS_KERNEL void push(const Pushes& p, unsigned which, int field, int x, int y, int z, Offset at, const Vector& v) {
  constexpr int points = sizeof v.at / sizeof v.at[0];
  using Real = decltype(+v.at[0]);
#ifdef __CUDA_ARCH__
#pragma unroll 1
#endif
  for (; which; which &= which - 1) {
    const Push& to = p.list[lowest_bit(which)];
    const Extent& box = to.box;
    if (y < box.lo[1] || y >= box.hi[1] || z < box.lo[2] || z >= box.hi[2]) continue;
    Real* const out = static_cast<Real*>(to.to[field]) + at;
    const bool whole = x >= box.lo[0] && x + points <= box.hi[0];
    put_vector_if(whole, out, v);
    for (int i = 0; !whole && i < points; ++i) put_if(x + i >= box.lo[0] && x + i < box.hi[0], out + i, v.at[i]);
  }
}
}  // namespace cereus::sweep
