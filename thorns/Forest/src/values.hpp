// How a value follows from others, on hosts and devices alike.
#pragma once
#include <cereus/kernel.hpp>

#include "pieces.hpp"
namespace Forest {
using cereus::complex;

template <class T> struct Parts { using Real = T; };
template <class R> struct Parts<complex<R>> { using Real = R; };
template <class T> inline constexpr bool whole_number = cereus::same_type<T, int>;

CEREUS_KERNEL bool is_mean(const Piece& p) { return p.mean[0] * p.mean[1] * p.mean[2] > 1; }
CEREUS_KERNEL Elements inner(const Piece& p, int axis) {
  const Elements stride = p.from_stride[axis];
  return (stride < 0 ? -stride : stride) / p.mean[axis];
}
template <class T> CEREUS_KERNEL T negative(T x) { return -x; }
template <class R> CEREUS_KERNEL complex<R> negative(complex<R> z) { return {-z.re, -z.im}; }
// A value of a mirror image.
template <class T> CEREUS_KERNEL T mirrored(const Piece& p, const Bases& bases, T value) {
  const unsigned odd = p.mirrored & bases.odd;
  return ((odd ^ odd >> 1 ^ odd >> 2) & 1) ? negative(value) : value;
}
// An element of the sum that is read in place of a slab.
template <class T> CEREUS_KERNEL T sum_of(const Bases& b, Elements at) {
  using Real = typename Parts<T>::Real;
  T sum{};
  for (int n = 0; n < b.terms; ++n) sum += static_cast<Real>(b.factor[n]) * reinterpret_cast<const T*>(b.from[n])[at];
  return sum;
}
// Of finer cells, in pairs along x, then y, then z, so that mirror images have the same bits. Of whole numbers the
// first.
template <class T> CEREUS_KERNEL T mean_of(const Piece& p, const T* first) {
  if constexpr (whole_number<T>) {
    return *first;
  } else {
    T planes{};
    for (int k = 0; k < p.mean[2]; ++k) {
      T rows{};
      for (int j = 0; j < p.mean[1]; ++j) {
        const T* at = first + j * inner(p, 1) + k * inner(p, 2);
        T row{};
        for (int i = 0; i < p.mean[0]; ++i) row += at[i];
        rows += row;
      }
      planes += rows;
    }
    return static_cast<typename Parts<T>::Real>(1.0 / (p.mean[0] * p.mean[1] * p.mean[2])) * planes;
  }
}

// What a coarse cell lacks, where finer ones had another flux through its face.
template <class T> CEREUS_KERNEL T correction(const Corrected& p, double weight, const T* fluxes, Elements n) {
  using Real = typename Parts<T>::Real;
  return static_cast<Real>(weight * p.inv_h) * (fluxes[p.added + n] - fluxes[p.taken + n]);
}

// An element of sums over steps: Bases::from[0].
template <class T> CEREUS_KERNEL void add_up(const Bases& b, Elements n, double weight, bool adds) {
  T& sum = reinterpret_cast<T*>(b.from[0])[n];
  T more{};
  if (weight != 0)
    more = static_cast<typename Parts<T>::Real>(weight) * reinterpret_cast<const T*>(b.at[in_scratch])[n];
  sum = adds ? sum + more : more;
}

// The lesser of two differences; 0 if their signs differ.
template <class Real> CEREUS_KERNEL Real lesser(Real a, Real b) {
  return a * b <= 0 ? Real(0) : cereus::fabs(a) < cereus::fabs(b) ? a : b;
}
template <class Real> CEREUS_KERNEL complex<Real> lesser(complex<Real> a, complex<Real> b) {
  return {lesser(a.re, b.re), lesser(a.im, b.im)};
}

// A cell within coarse ones. Beyond the ends of the coarse ones there is no difference.
template <class T> CEREUS_KERNEL T cell_within(const Interpolated& p, const T* coarse, int i, int j, int k) {
  const int fine[3] = {p.first[0] + i, p.first[1] + j, p.first[2] + k};
  int at[3] = {fine[0], fine[1], fine[2]};
  Elements n = 0;
  for (int d = 0; d < 3; ++d) {
    if (d < p.dim) at[d] = fine[d] >> 1;
    n += at[d] * p.stride[d];
  }
  T value = coarse[n];
  if constexpr (!whole_number<T>)
    for (int d = 0; d < p.dim; ++d)
      if (at[d] > 0 && at[d] < p.size[d] - 1) {
        const T slope = lesser(coarse[n] - coarse[n - p.stride[d]], coarse[n + p.stride[d]] - coarse[n]);
        value += static_cast<typename Parts<T>::Real>(fine[d] & 1 ? 0.25 : -0.25) * slope;
      }
  return value;
}

// Calls f(integral constant) with 1, or the points of an interpolation between patches: even, and at most eight.
template <int n> struct so_many { static constexpr int value = n; };
template <class F> CEREUS_KERNEL void with_points(int points, F&& f) {
  switch (points) {
    case 1: return f(so_many<1>{});
    case 2: return f(so_many<2>{});
    case 4: return f(so_many<4>{});
    case 6: return f(so_many<6>{});
    default: return f(so_many<8>{});
  }
}
// Rows are added first, then their points.
template <int points, class T> CEREUS_KERNEL T value_of(const InSpot& s, const double* weights, const T* values) {
  using Real = typename Parts<T>::Real;
  T row[points]{};
  for (int n = 0; n < s.rows; ++n) {
    const double outer = weights[s.outer + n], *const weight = weights + s.weight[n];
    const T* const from = values + s.from[n];
    for (int m = 0; m < points; ++m) row[m] += static_cast<Real>(outer * weight[m]) * from[m];
  }
  T sum{};
  for (int m = 0; m < points; ++m) sum += row[m];
  return sum;
}
// The one that weighs most.
CEREUS_KERNEL int heaviest(const double* weights, int points) {
  int most = 0;
  for (int m = 1; m < points; ++m)
    if (cereus::fabs(weights[m]) > cereus::fabs(weights[most])) most = m;
  return most;
}

// Of points along an axis, the one that weighs most: whole numbers are taken from there.
CEREUS_KERNEL int heaviest(const Along& a, const double* weights) {
  return a.first + heaviest(weights + a.weight, a.points);
}
}  // namespace Forest
