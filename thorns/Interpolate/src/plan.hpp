// Who evaluates which point: made once for a set of points and used again while neither points nor grid change.
#pragma once
#include <cereus/block_index.hpp>
#include <cereus/simulation.hpp>

#include "exchange.hpp"
#include "kernels.hpp"
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
  std::vector<int> maps;               // of each, the shell around the cube that it lies in; 0: none
  std::vector<int> order;              // its points sorted by the process that evaluates them
  std::vector<int> asked;              // of each process, how many points
  std::vector<int> evaluated;          // for each process
  std::vector<Target> targets;

  bool fits(const Grid& g, const std::array<Centre, 3>& c, std::span<const Point> p, unsigned mirrors) const;
};

// The blocks of each level, of all processes, by place.
struct Places {
  int epoch = -1;
  std::vector<BlockIndex> levels;
};

// Collective. A point outside the domain is a Failure on all processes, which names it.
Plan make_plan(const Grid&, const Places&, const Exchange&, const std::array<Centre, 3>&, std::span<const Point>,
    unsigned mirrors, int order);

// The answer at a target, of a variable whose first point of each block lies at address(block).
template <class T, int parts, class Address>
Answer<parts> evaluate(const Fields& fields, const Target& t, const Address& address) {
  const Layout& layout = fields.layout(t.block);
  const T* data =
      reinterpret_cast<const T*>(address(t.block)) + layout.at(t.axis[0].first, t.axis[1].first, t.axis[2].first);
  const int count[3] = {t.axis[0].count, t.axis[1].count, t.axis[2].count};
  const Offset line = layout.stride[1], plane = layout.stride[2];
  return interpolated<parts>(
      count, [&](int axis, bool derived, int j) { return (derived ? t.axis[axis].slope : t.axis[axis].weight)[j]; },
      [&](int i, int j, int k) { return static_cast<double>(data[i + j * line + k * plane]); });
}
}  // namespace Interpolate
