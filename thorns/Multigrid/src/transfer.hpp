// How the points of two levels fit together, along an axis.
#pragma once
#include <Elliptic/near.hpp>
namespace Multigrid {
using namespace Elliptic;
// Along an axis: the points of a finer level that a coarser one takes in, and their weights.
template <class Real> struct Children {
  int first, last;
  Real outer, inner;  // weights of the first and last, and of one between
  CEREUS_KERNEL Real weight(int i) const { return i > first && i < last ? inner : outer; }
};
template <class Real> CEREUS_KERNEL Children<Real> children(const Axis<Real>& fine, int i) {
  if (fine.ratio == 1) return {i, i, 1, 1};
  if (!fine.vertex) return {2 * i, 2 * i + 1, Real(0.5), 0};
  const bool first = fine.at(0, 2 * i), last = fine.at(1, 2 * i);
  if (first || last) {
    const bool counts = first ? !is_known(fine.side[0]) : !is_known(fine.side[1]);
    return {first ? 2 * i : 2 * i - 1, first ? 2 * i + 1 : 2 * i, counts ? Real(0.5) : Real(0), 0};
  }
  return {2 * i - 1, 2 * i + 1, Real(0.25), Real(0.5)};
}
// Whether a coarser cell takes in two cells along each axis.
template <int dim, class Real> bool halves_cells(const Axes<Real>& fine) {
  bool all = true;
  for (int d = 0; d < dim; ++d) all = all && fine.of[d].ratio == 2 && !fine.of[d].vertex;
  return all;
}
// The first of the cells that a coarser one then takes in.
template <int dim> CEREUS_KERNEL Indices doubled(const Indices& at) {
  return {{2 * at[0], dim > 1 ? 2 * at[1] : at[1], dim > 2 ? 2 * at[2] : at[2]}};
}
// Along an axis: the two points of a coarser level between which a finer one lies, and their weights.
template <class Real> struct Parents {
  int at[2];
  Real weight[2];
};
template <class Real> CEREUS_KERNEL Parents<Real> parents(const Axis<Real>& fine, const Axis<Real>& coarse, int i) {
  if (fine.ratio == 1) return {{i, i}, {1, 0}};
  const int half = i >> 1, odd = i & 1;
  if (fine.vertex) return {{half, half + odd}, {Real(0.5), Real(0.5)}};
  if (odd ? coarse.at(1, half) : coarse.at(0, half))
    return {{half, half}, {Real(1) - Real(0.25) * (odd ? coarse.side[1].self : coarse.side[0].self), 0}};
  return {{half, half + 2 * odd - 1}, {Real(0.75), Real(0.25)}};
}
}  // namespace Multigrid
