// A grid function as a whole, over all processes: what is assigned to it, and what is asked of it.
#pragma once
#include <cmath>

#include "neighbours.hpp"
namespace cereus::view {
template <int n> struct Several {
  template <class F> struct Group { F v[n]; };
};
template <class F> struct One { F v; };

// target = expression.
template <class Node, int dim, class Real, int fields = Node::Uses::fields> struct Elementwise {
  Read<Several<fields>::template Group, typename Node::Uses::Reach, Real> in;
  Write<One, interior, Real> out;
  Node node;
  CEREUS_KERNEL void operator()(const auto& p) const { p(out.v) = Real(node.template at<Real, 0>(p, in)); }
};
template <class Node, int dim, class Real> struct Elementwise<Node, dim, Real, 0> {
  Write<One, interior, Real> out;
  Node node;
  CEREUS_KERNEL void operator()(const auto& p) const { p(out.v) = Real(node.template at<Real, 0>(p, out)); }
};
// A reduction of an expression; Result: Sum, Max<double> or Min<double>.
template <class Result, class Node, int dim, class Real> struct Reduced {
  Read<Several<Node::Uses::fields>::template Group, typename Node::Uses::Reach, Real> in;
  Node node;
  CEREUS_KERNEL Result operator()(const auto& p) const {
    return Result{static_cast<double>(node.template at<Real, 0>(p, in))};
  }
};
// Its launch table, with these numbers in it.
template <class K, int dim, class Real, class Node> KernelTable table_of(const Node& node) {
  static const KernelTable made = detail::make_table<K, dim, Real>();
  KernelTable table = made;
  auto kernel = std::make_shared<K>();
  kernel->node = node;
  table.kernel = std::move(kernel);
  return table;
}

// The values outside the domain, too: everywhere(f) = expression.
template <int dim, class Real> struct Everywhere {
  const Field<dim, Real>& field;
  template <Operand E> void operator=(const E& e) const {
    static_assert(NodeOf<E>::Uses::reach == 0, "everywhere(f) = … has no neighbours: beyond the last points are none");
    field.assign(expression(e), {.outside = true});
  }
};
// The points of a box: f.on(box) = expression.
template <int dim, class Real> struct OnBox {
  const Field<dim, Real>& field;
  Points points;
  void operator=(const Operand auto& e) const { field.assign(expression(e), points); }
};
template <int dim, class Real> Everywhere<dim, Real> everywhere(const Field<dim, Real>& f) { return {f}; }

template <class Result> double reduced(const auto& expression);

template <int dim, class Real> class Field {
 public:
  Field() = default;
  Field(const Field&) = default;  // another name for the same grid function
  Field& operator=(const Field& f) { return assign(expression(f)), *this; }
  Field& operator=(const Operand auto& e) { return assign(expression(e)), *this; }
  Field& operator+=(const Operand auto& e) { return *this = *this + e; }
  Field& operator-=(const Operand auto& e) { return *this = *this - e; }
  Field& operator*=(const Operand auto& e) { return *this = *this * e; }
  Field& operator/=(const Operand auto& e) { return *this = *this / e; }
  // Of global indices, half-open: f.on({{0, 0}, {8, 4}}) = …; what lies outside keeps its values.
  OnBox<dim, Real> on(const Box& box, const Place& place = {}) const { return {*this, {.box = box, .place = place}}; }

  // Over all points of the interior, each of which counts once in `sum`; norm2 is the root of the mean square over the
  // volume. The same bits on any number of processes.
  double sum() const { return reduced<Sum>(expression(*this)); }
  double max() const { return norms().maximum; }
  double min() const { return norms().minimum; }
  double norm2() const { return norms().norm2; }

  // By global indices, on all processes; for few points.
  Real at(int i, int j = 0, int k = 0, const Place& place = {}) const {
    return static_cast<Real>(variable_.program->at(variable_, {i, j, k}, place));
  }
  void set(const Index& point, Real value, const Place& place = {}) {
    variable_.program->set(variable_, point, static_cast<double>(value), place);
  }
  // f(box, data) on rank 0, a box of the global array at a time, x fastest: copy_in's fills the data.
  void copy_out(const std::function<void(const Box&, const Real*)>& f) const {
    variable_.program->copy_out(
        variable_, [&](const Box& box, const char* data) { f(box, reinterpret_cast<const Real*>(data)); });
  }
  void copy_in(const std::function<void(const Box&, Real*)>& f) {
    variable_.program->copy_in(variable_, [&](const Box& box, char* data) { f(box, reinterpret_cast<Real*>(data)); });
  }

  template <class Node> void assign(const Expression<Node>& e, const Points& points = {}) const {
    static_assert(Node::Uses::fields <= 64, "an expression has at most 64 fields");
    Assignment a{table_of<Elementwise<Node, dim, Real>, dim, Real>(e.node), {e.fields.begin(), e.fields.end()}, points};
    if constexpr (Node::Uses::reach > 0)
      a.copy = table_of<Elementwise<Leaf<Field>, dim, Real>, dim, Real>(Leaf<Field>{});
    variable_.program->assign(variable_, a);
  }
  const Variable& variable() const { return variable_; }
  void name(const Variable& v) { variable_ = v; }  // what it stands for from now on

 private:
  Reduction::Norms norms() const { return variable_.program->norms(variable_); }
  Variable variable_;
};

// Over all points of the interior, of an expression that is not stored.
template <class Result> double reduced(const auto& e) {
  using Node = NodeOf<std::remove_cvref_t<decltype(e)>>;
  static_assert(Node::Uses::fields > 0, "what is reduced has a field in it");
  return [&]<int dim, class Real>(Field<dim, Real>*) {
    auto result = Result::identity();
    const auto table = table_of<Reduced<Result, Node, dim, Real>, dim, Real>(e.node);
    e.fields[0].program->reduce(table, e.fields, &result);
    return table.number(&result);
  }(static_cast<typename Node::Uses::Field*>(nullptr));
}
template <NotNumber T> double sum(T e) { return reduced<Sum>(expression(e)); }
template <NotNumber T> double max(T e) { return reduced<Max<double>>(expression(e)); }
template <NotNumber T> double min(T e) { return reduced<Min<double>>(expression(e)); }
}  // namespace cereus::view
