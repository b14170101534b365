// The equation at a point: what kernels of solvers know of each axis.
#pragma once
#include <cereus/kernel.hpp>
namespace Elliptic {
using namespace cereus;

// Where the domain ends, and what lies outside is a mirror image of what lies inside. `at`: the index of the outermost
// point (of no point, if there is no such face). A cell beyond a face holds the value of the outermost one, with the
// sign changed where Dirichlet's condition holds. `self` is what that adds to the diagonal, in weights: 0, or 2. A
// vertex on a face has an `image` on the other side; where its own value is known to be 0, a large `self` keeps it 0.
template <class Real> struct Side {
  int at;
  Real self, image;
};
template <class Real> struct Axis {
  Real weight;  // a/h²
  Side<Real> side[2];
  int vertex, ratio;  // to the next coarser level: 2, or 1
  CEREUS_KERNEL bool at(int n, int i) const { return i == side[n].at; }
};
template <class Real> struct Axes {
  Axis<Real> of[3];
  Real absorption;         // b
  Real diagonal, inverse;  // of a point with neighbours on all sides, where coefficients are constant; and one over it
};
// Forms of an equation: coefficients are constant, they vary, or they are constant and all axes have cells.
inline constexpr int constant = 0, variable = 1, on_cells = 2;
inline constexpr double known = 1e20;  // of a vertex whose value is known
template <class Real> CEREUS_KERNEL bool is_known(const Side<Real>& s) { return s.image < 0; }

// L φ = Σ over neighbours of their values times weights − diagonal · φ. Sweeps divide by the diagonal that a point
// would have among mirror images, beyond faces, too: so they do to a field what they would do to it and its mirror
// images.
template <class Real> struct Applied { Real neighbours, diagonal, among_images; };
template <class Real> CEREUS_KERNEL Real over(Real x, Real diagonal) {  // a point without neighbours keeps 0
  return diagonal > 0 ? quotient(x, diagonal) : Real(0);
}

// What an axis contributes: `near` gives neighbours, value<axis, ±1>(), and coefficients across faces, face<axis, 0 or
// 1>(axis). What lies outside the domain is never used.
template <int axis, class Real, class Near>
CEREUS_KERNEL void add_axis(Applied<Real>& sum, const Axis<Real>& x, int i, const Near& near) {
  const bool first = x.at(0, i), last = x.at(1, i);
  const Real below = x.weight * near.template face<axis, 0>(x), above = x.weight * near.template face<axis, 1>(x);
  const Real lower = first ? Real(0) : below * (last ? Real(1) + x.side[1].image : Real(1));
  const Real upper = last ? Real(0) : above * (first ? Real(1) + x.side[0].image : Real(1));
  const Real down = near.template value<axis, -1>(), up = near.template value<axis, 1>();
  sum.neighbours += (first ? Real(0) : lower * down) + (last ? Real(0) : upper * up);
  sum.diagonal += (lower + upper) + ((first ? x.side[0].self * (x.vertex ? x.weight : below) : Real(0)) +
                                        (last ? x.side[1].self * (x.vertex ? x.weight : above) : Real(0)));
  sum.among_images += (x.vertex && first ? above : below) + (x.vertex && last ? below : above);
}
// Whether all neighbours of a point lie in the domain.
template <int dim, class Real> CEREUS_KERNEL bool is_inside(const Axes<Real>& axes, const auto& at) {
  bool inside = true;
  for (int d = 0; d < dim; ++d) inside = inside && !axes.of[d].at(0, at[d]) && !axes.of[d].at(1, at[d]);
  return inside;
}
// Of cells, beyond whose faces lie mirror images: no branch, where a device takes several points at once.
template <int axis, class Real, class Near>
CEREUS_KERNEL Real both_sides(const Axis<Real>& x, int i, const Near& near) {
  const Real down = near.template value<axis, -1>(), up = near.template value<axis, 1>(), own = near.own();
  return x.weight * ((x.at(0, i) ? own - x.side[0].self * own : down) + (x.at(1, i) ? own - x.side[1].self * own : up));
}
template <int dim, class Real, class Near>
CEREUS_KERNEL Real neighbours_of_cell(const Axes<Real>& axes, const auto& at, const Near& near) {
  Real sum = both_sides<0>(axes.of[0], at[0], near);
  if constexpr (dim > 1) sum += both_sides<1>(axes.of[1], at[1], near);
  if constexpr (dim > 2) sum += both_sides<2>(axes.of[2], at[2], near);
  return sum;
}
template <int dim, class Real, class Near> CEREUS_KERNEL Real neighbours(const Axes<Real>& axes, const Near& near) {
  Real sum = axes.of[0].weight * (near.template value<0, -1>() + near.template value<0, 1>());
  if constexpr (dim > 1) sum += axes.of[1].weight * (near.template value<1, -1>() + near.template value<1, 1>());
  if constexpr (dim > 2) sum += axes.of[2].weight * (near.template value<2, -1>() + near.template value<2, 1>());
  return sum;
}

// Inside the domain there is less to compute.
template <int dim, class Real, class Near>
CEREUS_KERNEL Applied<Real> applied(const Axes<Real>& axes, const auto& at, const Near& near) {
  if constexpr (Near::form == on_cells) return {neighbours_of_cell<dim>(axes, at, near), axes.diagonal, axes.diagonal};
  if constexpr (Near::form == constant)
    if (is_inside<dim>(axes, at)) return {neighbours<dim>(axes, near), axes.diagonal, axes.diagonal};
  Applied<Real> sum{0, near.absorption(axes), near.absorption(axes)};
  add_axis<0>(sum, axes.of[0], at[0], near);
  if constexpr (dim > 1) add_axis<1>(sum, axes.of[1], at[1], near);
  if constexpr (dim > 2) add_axis<2>(sum, axes.of[2], at[2], near);
  return sum;
}

// The share of a cell that a point stands for: a vertex on a face has half of one. L is symmetric with these weights.
template <int dim, int form = constant, class Real> CEREUS_KERNEL Real share(const Axes<Real>& axes, const auto& at) {
  Real w = 1;
  if constexpr (form == on_cells) return w;
  if (is_inside<dim>(axes, at)) return w;
  for (int d = 0; d < dim; ++d)
    for (int n = 0; n < 2; ++n)
      if (axes.of[d].at(n, at[d]) && axes.of[d].side[n].image > 0) w *= Real(0.5);
  return w;
}
}  // namespace Elliptic
