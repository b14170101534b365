// What goes from one grid to another: between levels, and between the run and the finest level.
#pragma once
#include "near.hpp"
namespace Multigrid {
// The residual of z on the finer level, as the source of a coarser one.
template <int form, int dim, class Real> struct Restrict {
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
  CEREUS_KERNEL void operator()(auto& p) const {
    const auto x = children(fine.of[0], p.index(0)), y = children(fine.of[1], p.index(1)),
               z_ = children(fine.of[2], p.index(2));
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
  Read<One, elsewhere, Real> coarse;
  Modify<One, interior, Real> z;
  Axes<Real> fine, coarser;
  Elsewhere grid;
  CEREUS_KERNEL void operator()(auto& p) const {
    const auto x = parents(fine.of[0], coarser.of[0], p.index(0)), y = parents(fine.of[1], coarser.of[1], p.index(1)),
               z_ = parents(fine.of[2], coarser.of[2], p.index(2));
    Real sum = 0;
    for (int k = 0; k < (dim > 2 ? 2 : 1); ++k)
      for (int j = 0; j < (dim > 1 ? 2 : 1); ++j)
        for (int i = 0; i < 2; ++i)
          sum += (x.weight[i] * ((dim > 1 ? y.weight[j] : Real(1)) * (dim > 2 ? z_.weight[k] : Real(1)))) *
                 element(p, coarse.v, grid(x.at[i], y.at[j], z_.at[k]));
    p(z.v) += sum;
  }
};

// r = ρ − L φ, where ghost zones and conditions of φ are those of the run.
struct Start {
  double residual, source, terms;  // largest: of r, of ρ, and of what is added up in L φ
  Sum sum, points;                 // of r; of the shares of points
  static CEREUS_KERNEL constexpr Start identity() { return {0, 0, 0, {}, {}}; }
  CEREUS_KERNEL constexpr void combine(const Start& b) {
    residual = max(residual, b.residual), source = max(source, b.source), terms = max(terms, b.terms);
    sum.combine(b.sum), points.combine(b.points);
  }
};
template <int form, int dim, class Real> struct Load {
  Read<One, elsewhere, Real> phi, rho;
  Given<form, star<1>, Real> c;
  Write<One, interior, Real> r;
  Axes<Real> axes;
  Elsewhere grid;
  // A face outside the outermost vertex is the image of that inside.
  template <int axis> CEREUS_KERNEL void add(Applied<Real>& sum, const auto& around, const auto& values, int i) const {
    const Axis<Real>& x = axes.of[axis];
    const Real below = around.template face<axis, 0>(), above = around.template face<axis, 1>();
    const Real lower = x.weight * (x.at(0, i) && x.side[0].image > 0 ? above : below);
    const Real upper = x.weight * (x.at(1, i) && x.side[1].image > 0 ? below : above);
    sum.neighbours += lower * values.template value<axis, -1>() + upper * values.template value<axis, 1>();
    sum.diagonal += lower + upper;
  }
  CEREUS_KERNEL bool is_fixed(const Indices& at) const {
    bool fixed = false;
    for (int d = 0; d < dim; ++d)
      for (int n = 0; n < 2; ++n) fixed = fixed || (axes.of[d].at(n, at[d]) && is_known(axes.of[d].side[n]));
    return fixed;
  }
  CEREUS_KERNEL Start operator()(auto& p) const {
    const Indices at = place(p);
    const Offset n = grid(at[0], at[1], at[2]);
    const None none{};
    const auto around = without_values<form, Real>(p, c);
    const auto values = there<constant>(p, none, phi.v, grid, n);
    Applied<Real> l{0, around.absorption(axes)};
    add<0>(l, around, values, at[0]);
    if constexpr (dim > 1) add<1>(l, around, values, at[1]);
    if constexpr (dim > 2) add<2>(l, around, values, at[2]);
    const Real here = element(p, phi.v, n), rho_here = element(p, rho.v, n);
    const bool fixed = is_fixed(at);
    const Real left = fixed ? Real(0) : rho_here - (l.neighbours - l.diagonal * here), w = share<dim>(axes, at);
    p(r.v) = left;
    return {fabs(double(left)), fixed ? 0 : fabs(double(rho_here)), fabs(double(l.diagonal * here)), double(w * left),
        double(w)};
  }
};
// φ += e; gives the sum of φ.
template <int dim, class Real> struct Store {
  Read<One, elsewhere, Real> e;
  Modify<One, interior, Real> phi;
  Axes<Real> axes;
  Elsewhere grid;
  CEREUS_KERNEL Sum operator()(auto& p) const {
    const Indices at = place(p);
    const Real now = p(phi.v) + element(p, e.v, grid(at[0], at[1], at[2]));
    p(phi.v) = now;
    return share<dim>(axes, at) * now;
  }
};

template <class Real> CEREUS_KERNEL Real harmonic(Real a, Real b) {
  return a + b > 0 ? quotient(2 * (a * b), a + b) : Real(0);
}
// Coefficients of the finest level, from those at points; at the outermost faces those of the outermost points.
template <int dim, class Real> struct LoadCoefficients {
  Read<One, elsewhere, Real> a, b;
  Write<Coefficients, interior, Real> c;
  Elsewhere grid;
  int has_a, has_b;     // whether they vary
  Indices first, last;  // of the domain; of periodic axes, any
  Real absorption;
  CEREUS_KERNEL Real at(const auto& p, In<Real, elsewhere> v, int axis, int by) const {
    int i[3] = {p.index(0), p.index(1), p.index(2)};
    if (axis >= 0) i[axis] += by;
    for (int d = 0; d < 3; ++d) i[d] = min(max(i[d], first[d]), last[d]);
    return element(p, v, grid(i[0], i[1], i[2]));
  }
  template <int axis> CEREUS_KERNEL Real face(const auto& p) const {
    if (axis >= dim) return 0;
    return has_a ? harmonic(at(p, a.v, axis, -1), at(p, a.v, axis, 0)) : Real(1);
  }
  CEREUS_KERNEL void operator()(auto& p) const {
    p(c.a[0]) = face<0>(p), p(c.a[1]) = face<1>(p), p(c.a[2]) = face<2>(p);
    p(c.b) = absorption + (has_b ? at(p, b.v, -1, 0) : Real(0));
  }
};
// Of a coarser level. A face of a cell is the mean of those that it covers; an edge between vertices is two edges, one
// after the other.
template <int dim, class Real> struct CoarsenCoefficients {
  Read<Coefficients, elsewhere, Real> fine;
  Write<Coefficients, interior, Real> c;
  Axes<Real> axes;  // of the finer level
  Elsewhere grid;
  CEREUS_KERNEL int first(int d, int i) const { return axes.of[d].ratio * i; }
  CEREUS_KERNEL int count(int d) const { return axes.of[d].vertex ? 1 : axes.of[d].ratio; }
  CEREUS_KERNEL Real mean(const auto& p, In<Real, elsewhere> v, int across) const {
    Real sum = 0;
    const int n[3] = {across == 0 ? 1 : count(0), across == 1 ? 1 : count(1), across == 2 ? 1 : count(2)};
    for (int k = 0; k < n[2]; ++k)
      for (int j = 0; j < n[1]; ++j)
        for (int i = 0; i < n[0]; ++i)
          sum += element(p, v, grid(first(0, p.index(0)) + i, first(1, p.index(1)) + j, first(2, p.index(2)) + k));
    return quotient(sum, Real(n[0] * n[1] * n[2]));
  }
  template <int d> CEREUS_KERNEL Real face(const auto& p) const {
    if (!axes.of[d].vertex || axes.of[d].ratio == 1) return mean(p, fine.a[d], d);
    const Offset n = grid(first(0, p.index(0)), first(1, p.index(1)), first(2, p.index(2)));
    return harmonic(element(p, fine.a[d], n), element(p, fine.a[d], n - grid.stride[d]));
  }
  CEREUS_KERNEL void operator()(auto& p) const {
    p(c.a[0]) = face<0>(p);
    p(c.a[1]) = dim > 1 ? face<1>(p) : Real(0);
    p(c.a[2]) = dim > 2 ? face<2>(p) : Real(0);
    p(c.b) = mean(p, fine.b, -1);
  }
};
}  // namespace Multigrid
