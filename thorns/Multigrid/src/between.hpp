// What goes from one level to another.
#pragma once
#include "transfer.hpp"
namespace Multigrid {
// The residual of z on the finer level, as the source of a coarser one.
template <int form, int dim, class Real> struct Restrict {
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
  // Of 2^dim cells with all neighbours in the domain: along each axis a cell has one neighbour among them.
  CEREUS_KERNEL Real mean_inside(const auto& p, Offset first) const {
    Real source = 0, inner = 0, outer = 0;
    for (int n = 0; n < 1 << dim; ++n) {
      const Offset here = first + (n & 1) * grid.stride[0] + (n >> 1 & 1) * grid.stride[1] + (n >> 2) * grid.stride[2];
      source += element(p, f.v, here), inner += element(p, z.v, here);
      for (int d = 0; d < dim; ++d)
        outer += fine.of[d].weight * element(p, z.v, here + ((n >> d & 1) ? grid.stride[d] : -grid.stride[d]));
    }
    Real weights = 0;
    for (int d = 0; d < dim; ++d) weights += fine.of[d].weight;
    return (source - (outer + (weights - fine.diagonal) * inner)) * (Real(1) / (1 << dim));
  }
  CEREUS_KERNEL void operator()(auto& p) const {
    const auto x = children(fine.of[0], p.index(0)), y = children(fine.of[1], p.index(1)),
               z_ = children(fine.of[2], p.index(2));
    if constexpr (form == constant)
      if (halves_cells<dim>(fine) && is_inside<dim>(fine, Indices{{x.first, y.first, z_.first}}) &&
          is_inside<dim>(fine, Indices{{x.last, y.last, z_.last}})) {
        p(coarse.v) = mean_inside(p, grid(x.first, y.first, z_.first));
        return;
      }
    Real sum = 0;
    for (int k = z_.first; k <= z_.last; ++k)
      for (int j = y.first; j <= y.last; ++j)
        for (int i = x.first; i <= x.last; ++i)
          sum += (x.weight(i) * (y.weight(j) * z_.weight(k))) * residual(p, {{i, j, k}});
    p(coarse.v) = sum;
  }
};
// What a coarser level has found is added, linear between its points.
template <int dim, class Real> struct Prolong {
  static constexpr bool stretches = false;
  Read<One, elsewhere, Real> coarse;
  Modify<One, interior, Real> z;
  Axes<Real> fine, coarser;
  Elsewhere grid;
  struct Along {  // an axis
    Real weight[2];
    Offset to_other;
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
  CEREUS_KERNEL Along along_axis(const Parents<Real>& x, int d) const {
    return {{x.weight[0], x.weight[1]}, (x.at[1] - x.at[0]) * grid.stride[d]};
  }
  CEREUS_KERNEL void operator()(auto& p) const {
    const int i = p.index(0), j = p.index(1), k = p.index(2);
    const Indices half{{i >> 1, dim > 1 ? j >> 1 : j, dim > 2 ? k >> 1 : k}};
    if (halves_cells<dim>(fine) && is_inside<dim>(coarser, half)) {
      const auto axis = [&](int n, int d) __attribute__((always_inline)) {
        return Along{{Real(0.75), Real(0.25)}, n & 1 ? grid.stride[d] : -grid.stride[d]};
      };
      p(z.v) += between(p, grid(half[0], half[1], half[2]), axis(i, 0), axis(j, 1), axis(k, 2));
      return;
    }
    const auto x = parents(fine.of[0], coarser.of[0], i), y = parents(fine.of[1], coarser.of[1], j),
               z_ = parents(fine.of[2], coarser.of[2], k);
    p(z.v) += between(p, grid(x.at[0], y.at[0], z_.at[0]), along_axis(x, 0), along_axis(y, 1), along_axis(z_, 2));
  }
};
}  // namespace Multigrid
