// Neighbours in expressions: a field further along its axes, and its derivatives.
#pragma once
#include "expression.hpp"
namespace cereus::view {
// A leaf whose value is Op::of(point, handle): from points up to Op::reach away.
template <class Field, class Op> struct Near {
  using Uses = Reads<1, Field, Op::reach, Op::corners>;
  template <class Real, int first> CEREUS_KERNEL Real at(const auto& p, const auto& in) const {
    return Op::of(p, in.v[first]);
  }
};
template <int i, int j, int k> struct Shifted {
  static constexpr int reach = cereus::max(cereus::max(i < 0 ? -i : i, j < 0 ? -j : j), k < 0 ? -k : k);
  static constexpr bool corners = (i != 0) + (j != 0) + (k != 0) > 1;
  static CEREUS_KERNEL auto of(const auto& p, auto v) { return cereus::at<i, j, k>(p, v); }
};
template <int order> struct Centred {
  static_assert(order == 2 || order == 4 || order == 6 || order == 8, "differences are of the orders 2, 4, 6 and 8");
  static constexpr int reach = order / 2;
  static constexpr bool corners = false;
};
template <int order> struct Laplacian : Centred<order> {
  static CEREUS_KERNEL auto of(const auto& p, auto v) { return cereus::laplacian<order>(p, v); }
};
template <int order, int axis> struct Derivative : Centred<order> {
  static CEREUS_KERNEL auto of(const auto& p, auto v) { return cereus::derivative<order, axis>(p, v); }
};
template <class Op, int dim, class Real>
constexpr Expression<Near<Field<dim, Real>, Op>> near(const Field<dim, Real>& f) {
  return {{}, {f.variable()}};
}

// The field's value so many points further along x, y and z: shift<1>(f) - shift<-1>(f), shift<0, 1>(f).
template <int i, int j = 0, int k = 0, int dim, class Real> constexpr auto shift(const Field<dim, Real>& f) {
  static_assert((dim > 1 || j == 0) && (dim > 2 || k == 0), "shift<i, j, k>(f) goes along the axes that the World has");
  return near<Shifted<i, j, k>>(f);
}
// Δf, by centred differences of this order.
template <int order, int dim, class Real> constexpr auto laplacian(const Field<dim, Real>& f) {
  return near<Laplacian<order>>(f);
}
// ∂f along an axis, by the same.
template <int order, int axis, int dim, class Real> constexpr auto derivative(const Field<dim, Real>& f) {
  static_assert(axis >= 0 && axis < dim, "derivative<order, axis>(f) is along an axis that the World has, from 0");
  return near<Derivative<order, axis>>(f);
}

// Of an expression, which lies nowhere, there are no neighbours.
template <class T> inline constexpr bool lies_somewhere = false;
#define CEREUS_VIEW_NEEDS_FIELD(name)                                                                       \
  template <int..., class Node> constexpr auto name(const Expression<Node>& e) {                            \
    static_assert(lies_somewhere<Node>, #name "<…> takes a field: assign the expression to a field first"); \
    return e;                                                                                               \
  }
CEREUS_VIEW_NEEDS_FIELD(shift)
CEREUS_VIEW_NEEDS_FIELD(laplacian)
CEREUS_VIEW_NEEDS_FIELD(derivative)
#undef CEREUS_VIEW_NEEDS_FIELD
}  // namespace cereus::view
