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
  unsigned mirrors = 0;                // faces (bit 2·axis + side) beyond which the domain goes on as a mirror image
  std::vector<Point> points;           // what this process asked for
  std::vector<std::uint8_t> mirrored;  // of each, along which axes (bits)
  std::vector<int> order;              // its points sorted by the process that evaluates them
  std::vector<int> asked;              // of each process, how many points
  std::vector<int> evaluated;          // for each process
  std::vector<Target> targets;

  bool fits(const Grid& g, const std::array<Centre, 3>& c, std::span<const Point> p, unsigned mirrors) const;
};

// Collective. A point outside the domain is a Failure on all processes, which names it.
Plan make_plan(const Simulation&, const Exchange&, const std::array<Centre, 3>&, std::span<const Point>,
    unsigned mirrors, int order);

// The value of a variable, whose first point of each block lies at address(block), at a target; and, if Result has
// four numbers, its derivatives by x, y, z.
template <class T, class Result, class Address>
Result evaluate(const Fields& fields, const Target& t, const Address& address) {
  constexpr bool slopes = sizeof(Result) > sizeof(double);
  const T* data = reinterpret_cast<const T*>(address(t.block));
  const Layout& layout = fields.layout(t.block);
  const auto& [x, y, z] = t.axis;
  double value[4] = {};
  for (int k = 0; k < z.count; ++k) {
    double plane[3] = {};
    for (int j = 0; j < y.count; ++j) {
      const T* row = data + layout.at(x.first, y.first + j, z.first + k);
      double line[2] = {};
      for (int i = 0; i < x.count; ++i) {
        line[0] += x.weight[i] * static_cast<double>(row[i]);
        if (slopes) line[1] += x.slope[i] * static_cast<double>(row[i]);
      }
      plane[0] += y.weight[j] * line[0];
      if (slopes) plane[1] += y.weight[j] * line[1], plane[2] += y.slope[j] * line[0];
    }
    value[0] += z.weight[k] * plane[0];
    if (slopes)
      value[1] += z.weight[k] * plane[1], value[2] += z.weight[k] * plane[2], value[3] += z.slope[k] * plane[0];
  }
  if constexpr (slopes) return {value[0], value[1], value[2], value[3]};
  else return value[0];
}
}  // namespace Interpolate
