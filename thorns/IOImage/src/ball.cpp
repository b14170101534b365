#include "ball.hpp"

#include <cereus/kernel/map.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace IOImage {
using namespace Output;
namespace {
constexpr int cells_a_radius = 256;

int crossed(const std::vector<int>& axes) { return 3 - axes[0] - axes[1]; }  // the axis that the plane is normal to
// Of a shell, the coordinate across which the plane lies, 0 or 1; −1 where they do not meet.
int across(int map, const std::vector<int>& axes) { return OnShell::turn(map, crossed(axes)) - 1; }
// The point of an axis that is nearest to a place.
int nearest(const cereus::Patch& space, int axis, double x) {
  return space.cells.lo[axis] + static_cast<int>(std::lround(space.cells_to(axis, x)));
}

// What no point has: not a number, or 0.
std::vector<char> nothing(ScalarType type) {
  std::vector<char> bytes(size_of(type), 0);
  const auto fill = [&](auto nan) {
    for (std::size_t at = 0; at < bytes.size(); at += sizeof nan) std::memcpy(&bytes[at], &nan, sizeof nan);
  };
  if (type == ScalarType::float32 || type == ScalarType::complex64) fill(std::numeric_limits<float>::quiet_NaN());
  else if (type != ScalarType::int32) fill(std::numeric_limits<double>::quiet_NaN());
  return bytes;
}

// The points of a level in the plane, on rank 0.
struct Points {
  cereus::Box box;
  std::vector<char> values;
  std::vector<bool> there;
  std::size_t at(const Index& p) const {
    const std::int64_t line = std::int64_t{p[2] - box.lo[2]} * box.extent(1) + (p[1] - box.lo[1]);
    return static_cast<std::size_t>(line * box.extent(0) + (p[0] - box.lo[0]));
  }
  bool has(const Index& p) const { return box.contains(p) && there[at(p)]; }
};

Points gather_points(Simulation& s, const Slice& slice, const VariableAccess& a, int level) {
  const std::size_t size = size_of(s.type(a.group));
  Points points{points_of_ball(s.grid, slice.axes, level), {}, {}};
  const auto n = s.process.rank() == 0 ? static_cast<std::size_t>(points.box.points()) : 0;
  points.values.resize(n * size), points.there.resize(n);
  if (points.box.empty()) return points;
  stream(s, level, a, points.box, all_blocks(s, level), [&](const Piece& piece, const char* data) {
    for_each_point(piece.box, [&](int i, int j, int k) {
      const std::size_t at = points.at({i, j, k});
      std::memcpy(&points.values[at * size], std::exchange(data, data + size), size);
      points.there[at] = true;
    });
  });
  return points;
}

// Of a place in the plane: the level that shows it, and the point there; −1 beyond the ball.
std::pair<int, Index> shown_at(const Grid& grid, const std::vector<Points>& levels, const std::array<double, 3>& x) {
  for (int l = static_cast<int>(levels.size()) - 1; l >= 0; --l) {
    const cereus::Patch& space = grid.levels[l].space;
    if (space.map) continue;
    const Index at{nearest(space, 0, x[0]), nearest(space, 1, x[1]), nearest(space, 2, x[2])};
    if (levels[l].has(at)) return {l, at};
  }
  const int map = cereus::shell_at(x);
  for (int l = 0; l < static_cast<int>(levels.size()); ++l) {
    const cereus::Patch& space = grid.levels[l].space;
    if (space.map != map) continue;
    const auto c = space.coordinates_of(x);
    const Index at{nearest(space, 0, c[0]), nearest(space, 1, c[1]), nearest(space, 2, c[2])};
    if (levels[l].has(at)) return {l, at};
  }
  return {-1, {}};
}
}  // namespace

bool is_ball(const Grid& grid) { return grid.outer_radius() > 0; }

Slice cut_ball(const Simulation& s, const Parameters& par) {
  Slice slice;
  slice.names = axes_of_slice(par, 3), slice.axes = axes_of(slice.names, 3);
  slice.box = {{0, 0, 0}, {1, 1, 1}};
  slice.where = std::string(", ") + "xyz"[crossed(slice.axes)] + " = 0";
  const double radius = s.grid.outer_radius();
  Window window = window_of(par);
  if (window.empty()) window.assign(2, {-radius, radius});
  const auto length = [](const std::pair<double, double>& ends) { return ends.second - ends.first; };
  const double longer = std::max(length(window[0]), length(window[1])) / (2 * cells_a_radius);
  for (std::size_t n = 0; n < 2; ++n) {
    Slice::Axis& axis = slice.along.emplace_back();
    const int cells = std::max(1, static_cast<int>(std::lround(length(window[n]) / longer)));
    const double h = length(window[n]) / cells;
    slice.box.hi[slice.axes[n]] = cells + 1;
    axis.first = window[n].first, axis.last = axis.first + cells * h, axis.spacing = h, axis.ends = window[n];
    for (int i = 0; i <= cells; ++i) axis.at.push_back(axis.first + i * h), axis.shown.push_back(i);
  }
  return slice;
}

cereus::Box points_of_ball(const Grid& grid, const std::vector<int>& axes, int level) {
  const cereus::Patch& space = grid.levels[level].space;
  cereus::Box box = space.points({}, 3);
  const int axis = space.map ? across(space.map, axes) : crossed(axes);
  if (axis < 0) return {};
  box.lo[axis] = nearest(space, axis, 0), box.hi[axis] = box.lo[axis] + 1;
  return box;
}

std::vector<char> gather_ball(Simulation& s, const Slice& slice, const VariableAccess& a) {
  std::vector<Points> levels;
  for (int l = 0; l < static_cast<int>(s.grid.levels.size()); ++l) levels.push_back(gather_points(s, slice, a, l));
  std::vector<char> all;
  if (s.process.rank() != 0) return all;
  const std::vector<char> none = nothing(s.type(a.group));
  for (const double y : slice.along[1].at)
    for (const double x : slice.along[0].at) {
      std::array<double, 3> place{};
      place[slice.axes[0]] = x, place[slice.axes[1]] = y;
      const auto [level, at] = shown_at(s.grid, levels, place);
      const char* from = level < 0 ? none.data() : &levels[level].values[levels[level].at(at) * none.size()];
      all.insert(all.end(), from, from + none.size());
    }
  return all;
}

std::vector<std::array<double, 2>> outline_on_shell(
    const Grid& grid, const std::vector<int>& axes, int level, const cereus::Box& cells) {
  constexpr int steps = 16;
  const cereus::Patch& space = grid.levels[level].space;
  const cereus::Box plane = points_of_ball(grid, axes, level);
  if (plane.empty() || intersect(cells, plane).empty()) return {};
  const int other = 1 - across(space.map, axes);
  std::vector<std::array<double, 2>> points;
  const auto add = [&](double angle, double radius) {
    std::array<double, 3> at{};
    at[other] = space.lower[other] + angle * space.spacing[other];
    at[2] = space.lower[2] + radius * space.spacing[2];
    const auto x = space.place(at);
    points.push_back({x[axes[0]], x[axes[1]]});
  };
  const double begin = cells.lo[other], end = cells.hi[other];
  for (int n = 0; n <= steps; ++n) add(begin + (end - begin) * n / steps, cells.lo[2]);
  for (int n = steps; n >= 0; --n) add(begin + (end - begin) * n / steps, cells.hi[2]);
  add(begin, cells.lo[2]);
  return points;
}
}  // namespace IOImage
