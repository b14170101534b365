// Who evaluates which point: made once for a set of points and used again while neither points nor grid change.
#pragma once
#include <cereus/simulation.hpp>

#include "exchange.hpp"
#include "lagrange.hpp"

namespace Interpolate {
using namespace cereus;
using Point = std::array<double, 3>;

struct Target {  // a point, mine or another process's, that lies in a block of mine
  int block;
  std::array<AxisStencil, 3> axis;  // first: global index
};

struct Plan {
  int epoch = -1, dim = 3;
  std::array<Centre, 3> centre{};
  std::vector<Point> points;   // what this process asked for
  std::vector<int> order;      // its points sorted by the process that evaluates them
  std::vector<int> asked;      // of each process, how many points
  std::vector<int> evaluated;  // for each process
  std::vector<Target> targets;

  bool fits(const Grid& g, const std::array<Centre, 3>& c, std::span<const Point> p) const;
};

// Collective. A point outside the domain is a Failure on all processes, which names it.
Plan make_plan(const Simulation&, const Exchange&, const std::array<Centre, 3>&, std::span<const Point>, int order);

// The value of a variable, whose first point of each block lies at address(block), at a target.
template <class T, class Address> double evaluate(const Fields& fields, const Target& t, const Address& address) {
  const T* data = reinterpret_cast<const T*>(address(t.block));
  const Layout& layout = fields.layout(t.block);
  const auto& [x, y, z] = t.axis;
  double value = 0;
  for (int k = 0; k < z.count; ++k) {
    double plane = 0;
    for (int j = 0; j < y.count; ++j) {
      const T* row = data + layout.at(x.first, y.first + j, z.first + k);
      double line = 0;
      for (int i = 0; i < x.count; ++i) line += x.weight[i] * static_cast<double>(row[i]);
      plane += y.weight[j] * line;
    }
    value += z.weight[k] * plane;
  }
  return value;
}
}  // namespace Interpolate
