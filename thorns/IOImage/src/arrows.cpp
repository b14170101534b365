#include "arrows.hpp"

#include <algorithm>
#include <cmath>

namespace IOImage {

namespace {
constexpr double head_length = 0.35, head_width = 0.15;  // of the arrow's length; the width to either side
}  // namespace

std::vector<Point> arrows(
    int nx, int ny, std::span<const double> u, std::span<const double> v, int stride, double aspect) {
  struct Place {
    double x, y, u, v;
  };
  std::vector<Place> places;
  double longest = 0;
  const auto first = [&](int n) { return (n - 1) % stride / 2; };  // as far from one end as from the other
  for (int j = first(ny); j < ny; j += stride)
    for (int i = first(nx); i < nx; i += stride) {
      const auto at = std::size_t(j) * std::size_t(nx) + std::size_t(i);
      const double length = std::hypot(u[at], v[at]);
      if (!std::isfinite(length) || length == 0) continue;
      places.push_back({double(i), double(j), u[at], v[at]});
      longest = std::max(longest, length);
    }
  const double scale = stride * std::min(1.0, aspect) / longest;
  std::vector<Point> lines;
  for (const Place& p : places) {
    const double du = p.u * scale, dv = p.v * scale;  // in widths of a cell
    const auto at = [&](double along, double across) {
      return Point{p.x + along * du - across * dv, p.y + (along * dv + across * du) / aspect};
    };
    lines.insert(lines.end(), {at(-0.5, 0), at(0.5, 0), gap, at(0.5 - head_length, head_width), at(0.5, 0),
                                  at(0.5 - head_length, -head_width), gap});
  }
  return lines;
}

int stride_for(int nx, int ny, int most) { return std::max(1, (std::max(nx, ny) + most - 1) / most); }

}  // namespace IOImage
