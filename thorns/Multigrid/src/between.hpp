// What goes from one level to another.
#pragma once
#include "transfer.hpp"
namespace Multigrid {
// The residual of z on the finer level, as the source of a coarser one. `halves`: coefficients are constant, and a
// coarser cell takes in two along each axis.
template <int form, int dim, class Real, bool halves> struct Restrict {
  static constexpr bool stretches = false;
  Read<One, elsewhere, Real> z, f;
  Given<form, elsewhere, Real> c;
  Write<One, interior, Real> coarse;
  Axes<Real> fine;
  Elsewhere grid;
  CEREUS_KERNEL Real residual(const auto& p, const Indices& at) const {
    const Offset here = grid(at[0], at[1], at[2]);
    const Applied<Real> l = applied<dim>(fine, at, there<form>(p, c, z.v, grid, here));
    return element(p, f.v, here) - (l.neighbours - l.diagonal * element(p, z.v, here));
  }
  // Of 2^dim cells: along each axis a cell has one neighbour among them, and one outside them; where the domain ends,
  // that is the cell's own mirror image.
  CEREUS_KERNEL Real mean_of_cells(const auto& p, const Indices& at) const {
    Offset to_outer[dim][2];
    Real mirrored[dim][2];
    for (int d = 0; d < dim; ++d)
      for (int n = 0; n < 2; ++n) {
        const bool ends = fine.of[d].at(n, at[d] + n);
        to_outer[d][n] = ends ? 0 : n ? grid.stride[d] : -grid.stride[d];
        mirrored[d][n] = fine.of[d].weight * (ends ? Real(1) - fine.of[d].side[n].self : Real(1));
      }
    const Offset first = grid(at[0], at[1], at[2]);
    Real source = 0, inner = 0, outer = 0;
    for (int n = 0; n < 1 << dim; ++n) {
      const Offset here = first + (n & 1) * grid.stride[0] + (n >> 1 & 1) * grid.stride[1] + (n >> 2) * grid.stride[2];
      source += element(p, f.v, here), inner += element(p, z.v, here);
      for (int d = 0; d < dim; ++d) outer += mirrored[d][n >> d & 1] * element(p, z.v, here + to_outer[d][n >> d & 1]);
    }
    Real weights = 0;
    for (int d = 0; d < dim; ++d) weights += fine.of[d].weight;
    return (source - (outer + (weights - fine.diagonal) * inner)) * (Real(1) / (1 << dim));
  }
  CEREUS_KERNEL Real mean_of_points(const auto& p) const {
    const auto x = children(fine.of[0], p.index(0)), y = children(fine.of[1], p.index(1)),
               z_ = children(fine.of[2], p.index(2));
    Real sum = 0;
    for (int k = z_.first; k <= z_.last; ++k)
      for (int j = y.first; j <= y.last; ++j)
        for (int i = x.first; i <= x.last; ++i)
          sum += (x.weight(i) * (y.weight(j) * z_.weight(k))) * residual(p, {{i, j, k}});
    return sum;
  }
  CEREUS_KERNEL void operator()(auto& p) const {
    if constexpr (halves) p(coarse.v) = mean_of_cells(p, doubled<dim>(place(p)));
    else p(coarse.v) = mean_of_points(p);
  }
};
// What a coarser level has found is added, linear between its points.
template <int dim, class Real, bool halves> struct Prolong {
  static constexpr bool stretches = false;
  Read<One, elsewhere, Real> coarse;
  Modify<One, interior, Real> z;
  Axes<Real> fine, coarser;
  Elsewhere grid;
  struct Along {  // an axis
    Real weight[2];
    Offset to_other;
  };
  struct Seen {
    Real found, z;
  };
  CEREUS_KERNEL Real between(const auto& p, Offset here, const Along& x, const Along& y, const Along& z_) const {
    const auto row = [&](Offset n) __attribute__((always_inline)) {
      return x.weight[0] * element(p, coarse.v, n) + x.weight[1] * element(p, coarse.v, n + x.to_other);
    };
    const auto plane = [&](Offset n) __attribute__((always_inline)) {
      if constexpr (dim == 1) return row(n);
      else return y.weight[0] * row(n) + y.weight[1] * row(n + y.to_other);
    };
    if constexpr (dim < 3) return plane(here);
    else return z_.weight[0] * plane(here) + z_.weight[1] * plane(here + z_.to_other);
  }
  // Beyond the end of the domain lies the mirror image of the outermost cell.
  CEREUS_KERNEL Along of_cells(int n, int d) const {
    const bool odd = n & 1;  // sides are picked by their values: an index would put the kernel into a thread's memory
    const Axis<Real>& x = coarser.of[d];
    const bool ends = (odd ? x.side[1].at : x.side[0].at) == n >> 1;
    const Real self = odd ? x.side[1].self : x.side[0].self;
    const Offset step = odd ? grid.stride[d] : -grid.stride[d];
    return {{Real(0.75), ends ? Real(0.25) - Real(0.25) * self : Real(0.25)}, ends ? 0 : step};
  }
  CEREUS_KERNEL Along of_points(const Parents<Real>& x, int d) const {
    return {{x.weight[0], x.weight[1]}, (x.at[1] - x.at[0]) * grid.stride[d]};
  }
  CEREUS_KERNEL Real found(const auto& p) const {
    const int i = p.index(0), j = p.index(1), k = p.index(2);
    if constexpr (halves) {
      const Offset here = grid(i >> 1, dim > 1 ? j >> 1 : j, dim > 2 ? k >> 1 : k);
      return between(p, here, of_cells(i, 0), of_cells(j, 1), of_cells(k, 2));
    } else {
      const auto x = parents(fine.of[0], coarser.of[0], i), y = parents(fine.of[1], coarser.of[1], j),
                 z_ = parents(fine.of[2], coarser.of[2], k);
      return between(p, grid(x.at[0], y.at[0], z_.at[0]), of_points(x, 0), of_points(y, 1), of_points(z_, 2));
    }
  }
  CEREUS_KERNEL Seen read(const auto& p) const { return {found(p), p(z.v)}; }
  CEREUS_KERNEL void operator()(auto& p, const Seen& seen) const { p(z.v) = seen.z + seen.found; }
  CEREUS_KERNEL void operator()(auto& p) const { (*this)(p, read(p)); }
};
}  // namespace Multigrid
