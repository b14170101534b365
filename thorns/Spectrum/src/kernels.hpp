// On a device: the field in double precision, and sums of the squares of its waves.
#pragma once
#include <Elliptic/near.hpp>
namespace Spectrum {
using namespace Elliptic;

template <int dim, class Real> struct Widen {
  Read<One, elsewhere, Real> from;
  Write<One, interior, double> to;
  Elsewhere grid;
  Indices first;  // the run's indices of the first point
  CEREUS_KERNEL void operator()(auto& p) const {
    p(to.v) = double(element(p, from.v, grid(first[0] + p.index(0), first[1] + p.index(1), first[2] + p.index(2))));
  }
};

struct Scales {
  double of[3];
};
// Σ |f̂|² over the modes of shell p.index(0) in plane p.index(1) of the last axis. Of waves that are each other's
// conjugates along x one is there.
template <int dim, class Real> struct SumShell {
  Read<One, elsewhere, complex<double>> waves;
  Write<One, interior, double> sum;
  Elsewhere grid;
  Indices n;     // points of the field
  Scales scale;  // from numbers of waves to |k| L / 2π, along each axis
  CEREUS_KERNEL double square_of(int axis, int i) const {
    const double k = scale.of[axis] * (i <= n[axis] / 2 ? i : i - n[axis]);
    return k * k;
  }
  CEREUS_KERNEL int shell(int i, double y, double z) const { return int(sqrt(square_of(0, i) + y + z) + 0.5); }
  CEREUS_KERNEL double along_x(const auto& p, int j, int k) const {
    const int wanted = p.index(0), last = n[0] / 2;
    const double y = square_of(1, j), z = square_of(2, k), radius = wanted - 0.5;
    int i = int(sqrt(max(radius * radius - y - z, 0.0)) / scale.of[0]);
    while (i > 0 && shell(i - 1, y, z) >= wanted) --i;
    while (i <= last && shell(i, y, z) < wanted) ++i;
    double total = 0;
    for (; i <= last && shell(i, y, z) == wanted; ++i) {
      const auto c = element(p, waves.v, grid(i, j, k));
      total += (i == 0 || 2 * i == n[0] ? 1 : 2) * (c.re * c.re + c.im * c.im);
    }
    return total;
  }
  CEREUS_KERNEL void operator()(auto& p) const {
    double total = 0;
    if constexpr (dim < 3) total = along_x(p, dim > 1 ? p.index(1) : 0, 0);
    else
      for (int j = 0; j < n[1]; ++j) total += along_x(p, j, p.index(1));
    p(sum.v) = total;
  }
};
}  // namespace Spectrum
