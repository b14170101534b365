// Differences as weighted sums over neighbours, for a program of one order.
#pragma once
#include "equations/graph.hpp"
#include "equations/model.hpp"
namespace cereus::equations {
struct Tap {
  std::array<int, 3> at;  // offsets
  Rational weight;
};
struct Taps {
  std::vector<Tap> list;
  std::array<int, 3> over_h{};  // along each axis, by how many powers of the spacing the sum is divided
};
// Of a leaf that reads a variable: at the point, at a neighbour, or a difference.
Taps taps_of(const Model&, const Node&);
// What Op::weight of this operator is.
Rational weight_of(const Model&, const std::string& name);
}  // namespace cereus::equations
