#include "contours.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace IOImage {

namespace {
struct Square {
  std::array<Point, 4> at;      // counterclockwise
  std::array<double, 4> above;  // by how much the values there exceed the level

  // Edge e goes from corner e to the next one.
  bool crossed(int e) const { return (above[e] >= 0) != (above[(e + 1) % 4] >= 0); }
  Point crossing(int e) const {
    const Point a = at[e], b = at[(e + 1) % 4];
    const double t = above[e] / (above[e] - above[(e + 1) % 4]);
    return {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
  }
};

void add_pieces(const Square& s, std::vector<Point>& line) {
  const auto add = [&](int e, int f) { line.insert(line.end(), {s.crossing(e), s.crossing(f), gap}); };
  std::array<int, 4> edges;
  int count = 0;
  for (int e = 0; e < 4; ++e)
    if (s.crossed(e)) edges[count++] = e;
  if (count == 2) add(edges[0], edges[1]);
  if (count < 4) return;
  // Corners 0 and 2 are on one side, 1 and 3 on the other: pieces cut off those that the middle does not side with.
  const double middle = s.above[0] + s.above[1] + s.above[2] + s.above[3];
  const bool cut_first = (middle >= 0) != (s.above[0] >= 0);
  add(0, cut_first ? 3 : 1);
  add(2, cut_first ? 1 : 3);
}
}  // namespace

std::vector<Point> contour(int nx, int ny, std::span<const double> values, double level) {
  std::vector<Point> line;
  for (int j = 0; j + 1 < ny; ++j)
    for (int i = 0; i + 1 < nx; ++i) {
      const double x = i, y = j, *row = &values[std::size_t(j) * std::size_t(nx) + std::size_t(i)];
      const Square square{{{{x, y}, {x + 1, y}, {x + 1, y + 1}, {x, y + 1}}},
          {row[0] - level, row[1] - level, row[nx + 1] - level, row[nx] - level}};
      if (std::ranges::all_of(square.above, [](double v) { return std::isfinite(v); })) add_pieces(square, line);
    }
  return line;
}

std::vector<double> levels_between(std::span<const double> values, int count) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const double v : values)
    if (std::isfinite(v)) low = std::min(low, v), high = std::max(high, v);
  std::vector<double> levels;
  if (low < high)
    for (int i = 1; i <= count; ++i) levels.push_back(low + (high - low) * i / (count + 1));
  return levels;
}

}  // namespace IOImage
