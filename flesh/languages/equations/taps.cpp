#include "equations/taps.hpp"

#include "equations/stencil.hpp"

namespace cereus::equations {
namespace {
std::array<int, 3> along(int axis, int offset) {
  std::array<int, 3> at{};
  at[axis] = offset;
  return at;
}
Taps along_axis(const Stencil& s, int axis, int over_h) {
  Taps t;
  for (std::size_t n = 0; n < s.weights.size(); ++n)
    if (s.weights[n] != 0) t.list.push_back({along(axis, s.first + static_cast<int>(n)), s.weights[n]});
  t.over_h[axis] = over_h;
  return t;
}
// The differences of both, one after the other.
Taps product(const Taps& a, const Taps& b) {
  Taps t;
  for (const Tap& x : a.list)
    for (const Tap& y : b.list) {
      Tap both{x.at, x.weight * y.weight};
      for (int d = 0; d < 3; ++d) both.at[d] += y.at[d];
      t.list.push_back(both);
    }
  for (int d = 0; d < 3; ++d) t.over_h[d] = a.over_h[d] + b.over_h[d];
  return t;
}
Taps along_diagonals(const Stencil& second, int first_axis, int second_axis) {
  Taps t;
  for (std::size_t n = 0; n < second.weights.size(); ++n)
    for (const int sign : {1, -1}) {
      const int offset = second.first + static_cast<int>(n);
      Tap tap{along(first_axis, offset), second.weights[n] * Rational(sign, 4)};
      tap.at[second_axis] = sign * offset;
      if (offset != 0) t.list.push_back(tap);
    }
  t.over_h[first_axis] = t.over_h[second_axis] = 1;
  return t;
}
Taps derivative(const Model& m, const std::array<int, 3>& orders) {
  const OperatorText& centred_operator = *m.op("centred");
  std::vector<int> axes;
  for (int a = 0; a < 3; ++a)
    if (orders[a] > 0) axes.push_back(a);
  if (centred_operator.diagonal && axes.size() == 2 && orders[axes[0]] == 1 && orders[axes[1]] == 1)
    return along_diagonals(centred(2, centred_operator.value), axes[0], axes[1]);
  Taps t{{{{}, 1}}, {}};
  for (const int a : axes) t = product(t, along_axis(centred(orders[a], centred_operator.value), a, orders[a]));
  return t;
}
}  // namespace

Taps taps_of(const Model& m, const Node& n) {
  const auto order = [&](const char* name) { return m.op(name)->value; };
  switch (n.op) {
    case Op::neighbour: return {{{n.along, 1}}, {}};
    case Op::derivative: return derivative(m, n.along);
    case Op::upwind: return along_axis(antisymmetric(lopsided(order("upwind"))), n.along[0], 1);
    case Op::upwind_odd: return along_axis(antisymmetric(lopsided(order("upwind"))), n.along[0], 0);
    case Op::upwind_even: return along_axis(symmetric(lopsided(order("upwind"))), n.along[0], 1);
    case Op::dissipation: return along_axis(kreiss_oliger(order("dissipation")), n.along[0], 1);
    case Op::delta: return along_axis(delta(std::stoi(n.text)), n.along[0], 0);
    default: return {{{{}, 1}}, {}};
  }
}

Rational weight_of(const Model& m, const std::string& name) {
  const int order = m.op(name)->value;
  const Stencil s = name == "upwind" ? symmetric(lopsided(order)) : kreiss_oliger(order);
  return s.weight(s.reach());
}
}  // namespace cereus::equations
