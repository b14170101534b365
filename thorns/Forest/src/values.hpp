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

// A point of another patch, from so many points along x: rows are added first, then their points along x. Elements lie
// `apart`.
template <int points, class T>
CEREUS_KERNEL T value_from_rows(
    const Spotted& p, const InSpot& s, const double* weights, const T* scratch, int apart = 1) {
  using Real = typename Parts<T>::Real;
  const T* const box = scratch + (p.scratch + s.from) * apart;
  T row[points]{};
  for (int k = 0; k < s.points[2]; ++k)
    for (int j = 0; j < s.points[1]; ++j) {
      const auto weight = static_cast<Real>(weights[s.weight[2] + k] * weights[s.weight[1] + j]);
      const T* const from = box + (j * p.stride[0] + k * p.stride[1]) * apart;
      for (int i = 0; i < points; ++i) row[i] += weight * from[i * apart];
    }
  T sum{};
  for (int i = 0; i < points; ++i) sum += static_cast<Real>(weights[s.weight[0] + i]) * row[i];
  return sum;
}
template <class T>
CEREUS_KERNEL T value_at(const Spotted& p, const InSpot& s, const double* weights, const T* scratch, int apart = 1) {
  switch (s.points[0]) {  // 1, or Shells::Size::points, which is even and at most Shells::most_points
    case 1: return value_from_rows<1>(p, s, weights, scratch, apart);
    case 2: return value_from_rows<2>(p, s, weights, scratch, apart);
    case 4: return value_from_rows<4>(p, s, weights, scratch, apart);
    case 6: return value_from_rows<6>(p, s, weights, scratch, apart);
    default: return value_from_rows<8>(p, s, weights, scratch, apart);
  }
}
// Of whole numbers the nearest.
CEREUS_KERNEL int value_at(
    const Spotted& p, const InSpot& s, const double* weights, const int* scratch, int apart = 1) {
  int at[3];
  for (int d = 0; d < 3; ++d) {
    at[d] = 0;
    for (int n = 1; n < s.points[d]; ++n)
      if (weights[s.weight[d] + n] > weights[s.weight[d] + at[d]]) at[d] = n;
  }
  return scratch[(p.scratch + s.from + at[0] + at[1] * p.stride[0] + at[2] * p.stride[1]) * apart];
}

// Of points along an axis, the one that weighs most: whole numbers are taken from there.
CEREUS_KERNEL int heaviest(const Along& a, const double* weights) {
  int most = 0;
  for (int m = 1; m < a.points; ++m)
    if (cereus::fabs(weights[a.weight + m]) > cereus::fabs(weights[a.weight + most])) most = m;
  return a.first + most;
}
}  // namespace Forest
