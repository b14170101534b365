// The interpolation formula, for host and device, and the kernel that evaluates it where fields lie.
#pragma once
#include <cereus/kernel.hpp>
namespace Interpolate {
using namespace cereus;
inline constexpr int max_order = 7;

// The value, and where there are four parts its derivatives by x, y, z.
template <int parts> struct Answer { double part[parts]; };

// The tensor product of three polynomials: the sum of values(i, j, k) with the weights of each axis, along one axis
// with their derivatives. weights(axis, derived, j)
template <int parts, class Weights, class Values>
CEREUS_KERNEL Answer<parts> interpolated(const int* count, const Weights& weights, const Values& values) {
  constexpr bool slopes = parts > 1;
  constexpr int most = max_order + 1;
  double along[2][most], value[most], sum[4] = {};  // a line is read whole, or each sum would wait for each value
  for (int i = 0; i < most; ++i)
    if (i < count[0]) along[0][i] = weights(0, false, i), along[1][i] = slopes ? weights(0, true, i) : 0;
  for (int k = 0; k < count[2]; ++k) {
    double plane[3] = {};
    for (int j = 0; j < count[1]; ++j) {
      double line[2] = {};
      for (int i = 0; i < most; ++i)
        if (i < count[0]) value[i] = values(i, j, k);
      for (int i = 0; i < most; ++i) {
        if (i >= count[0]) break;
        line[0] += along[0][i] * value[i];
        if (slopes) line[1] += along[1][i] * value[i];
      }
      const double w = weights(1, false, j);
      plane[0] += w * line[0];
      if (slopes) plane[1] += w * line[1], plane[2] += weights(1, true, j) * line[0];
    }
    const double w = weights(2, false, k);
    sum[0] += w * plane[0];
    if (slopes) sum[1] += w * plane[1], sum[2] += w * plane[2], sum[3] += weights(2, true, k) * plane[0];
  }
  Answer<parts> answer;
  for (int n = 0; n < parts; ++n) answer.part[n] = sum[n];
  return answer;
}

// What a device must know of targets, a row of numbers after another, each with one for each target: where the first
// point of the stencil lies, the distance in memory of lines and of planes, its level, then weights and their
// derivatives.
struct Table {
  int targets, count[3];
  CEREUS_KERNEL int weight(int axis, bool derived, int j) const {
    int row = 4;
    for (int d = 0; d < axis; ++d) row += 2 * count[d];
    return row + derived * count[axis] + j;
  }
  CEREUS_KERNEL int rows() const { return weight(3, false, 0); }
};

inline constexpr int at_once = 8, most_levels = 20;  // at_once: variables
template <class F> struct One { F v; };
template <class F> struct Several { F v[at_once]; };
template <int parts> struct Parts {
  template <class F> struct Group { F v[parts]; };
};

struct Slabs {  // of each variable, how far behind the slab of level 0 that of a level begins
  Offset of[at_once][most_levels];
};

// Point variable · targets + target of a line.
template <int dim, class Real, int parts> struct Gather {
  Read<Several, elsewhere, Real> from;
  Read<One, pointwise, double> table;
  Write<Parts<parts>::template Group, interior, double> to;
  Table shape;
  Slabs slabs;
  CEREUS_KERNEL void operator()(auto& p) const {
    const int here = p.index(0), target = here % shape.targets;
    const auto entry = [&](int row) { return gather(p, table.v, row * shape.targets + target - here, 0, 0); };
    const int variable = here / shape.targets;
    const auto first = static_cast<Offset>(entry(0)) + slabs.of[variable][static_cast<int>(entry(3))],
               line = static_cast<Offset>(entry(1)), plane = static_cast<Offset>(entry(2));
    const auto field = from.v[variable];
    const auto answer = interpolated<parts>(
        shape.count, [&](int axis, bool derived, int j) { return entry(shape.weight(axis, derived, j)); },
        [&](int i, int j, int k) { return double(element(p, field, first + i + j * line + k * plane)); });
    for (int n = 0; n < parts; ++n) p(to.v[n]) = answer.part[n];
  }
};
}  // namespace Interpolate
