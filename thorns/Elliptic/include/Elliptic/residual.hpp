// Between the run and a solver: the residual of a solution, and its correction.
#pragma once
#include "near.hpp"
namespace Elliptic {
// r = ρ − mean − L φ, where ghost zones and conditions of φ are those of the run. A point without neighbours, where the
// equation says nothing, is left out.
struct Start {
  double residual, source, terms, absorption;  // largest: of r, of ρ, of what is added up in L φ, of b
  Sum of_residual, of_solution;                // each point by its share
  Count shares;                                // of points, in eighths
  static CEREUS_KERNEL constexpr Start identity() { return {0, 0, 0, 0, {}, {}, {}}; }
  double mean_of(const Sum& sum) const { return shares.value > 0 ? 8 * sum.value() / double(shares.value) : 0; }
  CEREUS_KERNEL constexpr void combine(const Start& b) {
    residual = cereus::max(residual, b.residual), source = cereus::max(source, b.source);
    terms = cereus::max(terms, b.terms), absorption = cereus::max(absorption, b.absorption);
    of_residual.combine(b.of_residual), of_solution.combine(b.of_solution), shares.combine(b.shares);
  }
};
template <int form, int dim, class Real> struct Load {
  Read<One, elsewhere, Real> phi, rho;
  Given<form, star<1>, Real> c;
  Write<One, interior, Real> r;
  Axes<Real> axes;
  Elsewhere grid;
  Real mean;
  // A face outside the outermost vertex is the image of that inside.
  template <int axis> CEREUS_KERNEL void add(Applied<Real>& sum, const auto& around, int i) const {
    const Axis<Real>& x = axes.of[axis];
    const Real below = around.template face<axis, 0>(x), above = around.template face<axis, 1>(x);
    const Real lower = x.weight * (x.at(0, i) && x.side[0].image > 0 ? above : below);
    const Real upper = x.weight * (x.at(1, i) && x.side[1].image > 0 ? below : above);
    sum.neighbours += lower * around.template value<axis, -1>() + upper * around.template value<axis, 1>();
    sum.diagonal += lower + upper;
  }
  CEREUS_KERNEL bool is_fixed(const Indices& at) const {
    bool fixed = false;
    for (int d = 0; d < dim; ++d)
      for (int n = 0; n < 2; ++n) fixed = fixed || (axes.of[d].at(n, at[d]) && is_known(axes.of[d].side[n]));
    return fixed;
  }
  struct Seen {
    Star<dim, Real> phi;
    Real rho;
  };
  CEREUS_KERNEL Seen read(const auto& p) const {
    const Offset n = grid(p.index(0), p.index(1), p.index(2));
    const auto value = [&]<int axis, int by>() __attribute__((always_inline)) {
      return element(p, phi.v, n + by * grid.stride[axis]);
    };
    return {star_of<dim, Real>(value), element(p, rho.v, n)};
  }
  CEREUS_KERNEL Applied<Real> apply(const auto& p, const Indices& at, const Star<dim, Real>& seen) const {
    const auto around = near<form>(p, c, seen);
    if constexpr (form != variable)
      if (is_inside<dim>(axes, at)) return {neighbours<dim>(axes, around), axes.diagonal, 0};
    Applied<Real> l{0, around.absorption(axes), 0};
    add<0>(l, around, at[0]);
    if constexpr (dim > 1) add<1>(l, around, at[1]);
    if constexpr (dim > 2) add<2>(l, around, at[2]);
    return l;
  }
  CEREUS_KERNEL Start operator()(auto& p) const { return (*this)(p, read(p)); }
  CEREUS_KERNEL Start operator()(auto& p, const Seen& seen) const {
    const Indices at = place(p);
    const Applied<Real> l = apply(p, at, seen.phi);
    const Real here = seen.phi.here, rho_here = seen.rho;
    const bool counts = !is_fixed(at) && l.diagonal > 0;
    const auto counted = [&](Real x) { return double(counts ? x : Real(0)); };
    const Real left = rho_here - mean - (l.neighbours - l.diagonal * here), w = share<dim, form>(axes, at);
    p(r.v) = Real(counted(left));
    return {fabs(counted(left)), fabs(counted(rho_here)), fabs(counted(l.diagonal * here)),
        counted(near<form>(p, c, seen.phi).absorption(axes)), counted(w * left), counted(w * here),
        {static_cast<long long>(8 * counted(w))}};
  }
};
// r − mean, where each point has an equation.
template <int dim, class Real> struct TakeOut {
  Modify<One, interior, Real> r;
  Real mean;
  CEREUS_KERNEL Max<Real> operator()(auto& p) const {
    const Real left = p(r.v) - mean;
    p(r.v) = left;
    return {fabs(left)};
  }
};
// φ += e
template <int dim, class Real> struct Store {
  Read<One, elsewhere, Real> e;
  Modify<One, interior, Real> phi;
  Elsewhere grid;
  CEREUS_KERNEL void operator()(auto& p) const {
    p(phi.v) += element(p, e.v, grid(p.index(0), p.index(1), p.index(2)));
  }
};
template <int dim, class Real> struct Shift {
  Modify<One, interior, Real> x;
  Real by;
  CEREUS_KERNEL void operator()(auto& p) const { p(x.v) += by; }
};
// Where something is largest.
struct Worst {
  double value;
  long long place;  // of 2²¹ points along each axis
  int index(int axis) const { return static_cast<int>(place >> (21 * axis) & ((1 << 21) - 1)); }
  static CEREUS_KERNEL constexpr Worst identity() { return {-1, 0}; }
  CEREUS_KERNEL constexpr void combine(Worst b) {
    if (b.value > value || (b.value == value && b.place < place)) *this = b;
  }
};
template <int dim, class Real> struct FindWorst {
  Read<One, pointwise, Real> r;
  CEREUS_KERNEL Worst operator()(auto& p) const {
    const auto size = static_cast<double>(fabs(p(r.v)));
    return {size == size ? size : __builtin_huge_val(),  // what is no number is worst
        p.index(0) + (static_cast<long long>(p.index(1)) << 21) + (static_cast<long long>(p.index(2)) << 42)};
  }
};
}  // namespace Elliptic
