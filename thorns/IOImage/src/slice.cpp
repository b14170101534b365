#include "slice.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "ball.hpp"

namespace IOImage {
using namespace Output;

std::string axes_of_slice(const Parameters& par, int dim) {
  std::string names;
  for (int d : axes_of(par.string("slice"), dim)) names += static_cast<char>('x' + d);
  return names.empty() ? "x" : names;
}

std::string number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", x);
  return text;
}

Window window_of(const Parameters& par) {
  Window window;
  const auto ends = par.reals("window");
  for (std::size_t n = 0; n + 1 < ends.size(); n += 2) window.push_back({ends[n], ends[n + 1]});
  return window;
}

namespace {
// On a stretched axis a picture has cells as narrow as the smallest, and each shows the point whose own cell it is in.
Slice::Axis axis_of(const Patch& space, int d, Centre centre, const cereus::Box& box) {
  const int lo = box.lo[d], n = box.extent(d);
  Slice::Axis axis;
  axis.ends = {
      space.coordinate(d, Centre::vertex, space.cells.lo[d]), space.coordinate(d, Centre::vertex, space.cells.hi[d])};
  for (int i = 0; i < n; ++i) axis.at.push_back(space.coordinate(d, centre, lo + i));
  if (!space.stretched(d)) {
    axis.first = axis.at.front(), axis.last = axis.at.back(), axis.spacing = space.spacing[d];
    for (int i = 0; i < n; ++i) axis.shown.push_back(i);
    return axis;
  }
  constexpr double most = 2000;
  const bool vertex = centre == Centre::vertex;
  const auto edge = [&](int i) {
    return space.coordinate(d, vertex ? Centre::cell : Centre::vertex, vertex ? i - 1 : i);
  };
  const double lower = edge(lo), upper = edge(lo + n),
               cells = std::ceil(std::min(most, (upper - lower) / space.smallest_distance(d)));
  axis.spacing = (upper - lower) / cells, axis.first = lower + 0.5 * axis.spacing,
  axis.last = upper - 0.5 * axis.spacing;
  for (int i = 0; i < cells; ++i) {
    const double at = space.cells_to(d, axis.first + i * axis.spacing) + (vertex ? 0.5 : 0.0);
    axis.shown.push_back(std::clamp(static_cast<int>(std::floor(at)) + space.cells.lo[d] - lo, 0, n - 1));
  }
  return axis;
}
}  // namespace

namespace {
int shown_level(const Grid& grid, const std::vector<int>& axes, const Window& window) {
  constexpr int most = 1024;
  int shown = 0;
  for (int l = 1; l < static_cast<int>(grid.levels.size()); ++l) {
    const Patch& space = grid.levels[l].space;
    double longest = 0;
    for (std::size_t n = 0; n < axes.size(); ++n) {
      const double all = space.cells.extent(axes[n]);
      const auto to = [&](double x) { return std::clamp(space.cells_to(axes[n], x), 0.0, all); };
      longest = std::max(longest, window.empty() ? all : to(window[n].second) - to(window[n].first));
    }
    if (longest <= most) shown = l;
  }
  return shown;
}

// Leaves those points of an axis whose place is in a window; where none is, the one that is nearest to its middle.
void narrow(Box& box, const Patch& space, Centre centre, int d, std::pair<double, double> window) {
  const auto cells = [&](double x) {  // above the lower end of the box, not beyond either
    const double n = space.cells_to(d, x) + space.cells.lo[d] - box.lo[d] - (centre == Centre::cell ? 0.5 : 0);
    return std::clamp(n, 0.0, box.extent(d) - 1.0);
  };
  constexpr double hair = 1e-6;
  int first = static_cast<int>(std::ceil(cells(window.first) - hair)),
      last = static_cast<int>(std::floor(cells(window.second) + hair));
  if (first > last) first = last = static_cast<int>(std::lround(cells(0.5 * (window.first + window.second))));
  box.hi[d] = box.lo[d] + last + 1, box.lo[d] += first;
}

// The points of the shown level, along an axis, at which a point of a block is shown. `shift`: by how many powers of 2
// the shown level is finer.
std::pair<int, int> shown_at(int index, int shift, Centre centre, const Box& points, int cells_end, int d) {
  if (shift < 0) {
    const int step = 1 << -shift;
    return index % step ? std::pair{0, 0} : std::pair{index / step, index / step + 1};
  }
  const int many = 1 << shift, half = centre == Centre::vertex ? many / 2 : 0;
  const bool vertex_at_end = points.hi[d] > cells_end;
  return {index == points.lo[d] ? index * many : index * many - half, index < points.hi[d] - 1
                                                                          ? (index + 1) * many - half
                                                                      : vertex_at_end ? index * many + 1
                                                                                      : (index + 1) * many};
}
}  // namespace

Slice cut(const Simulation& s, const Parameters& par, const Group& g) {
  if (is_ball(s.grid)) return cut_ball(s, par);
  Slice slice;
  slice.names = axes_of_slice(par, s.grid.dim);
  slice.axes = axes_of(slice.names, s.grid.dim);
  const Window window = window_of(par);
  slice.level = shown_level(s.grid, slice.axes, window);
  const Level& l = s.grid.levels[slice.level];
  slice.box = region(s.grid, l, g.centre, slice.axes, point_of(par, "slice_through"));
  for (std::size_t n = 0; n < window.size(); ++n)
    narrow(slice.box, l.space, g.centre[slice.axes[n]], slice.axes[n], window[n]);
  const std::string& unit = par.string("length_unit");
  for (int d = 0; d < s.grid.dim; ++d) {
    const auto at = [&](int index) { return Output::coordinate(s.grid, l, g.centre, d, index); };
    if (std::find(slice.axes.begin(), slice.axes.end(), d) == slice.axes.end())
      slice.where += std::string(", ") + static_cast<char>('x' + d) + " = " + number(at(slice.box.lo[d])) +
                     (unit.empty() ? "" : " " + unit);
  }
  for (int d : slice.axes) slice.along.push_back(axis_of(l.space, d, g.centre[d], slice.box));
  for (std::size_t n = 0; n < window.size(); ++n) slice.along[n].ends = window[n];
  return slice;
}

Plane plane_of(const Slice& slice, const std::vector<double>& values) {
  const Slice::Axis &x = slice.along[0], &y = slice.along[1];
  Plane plane{
      static_cast<int>(x.shown.size()), static_cast<int>(y.shown.size()), {}, x.first, y.first, x.spacing, y.spacing};
  if (values.empty()) return plane;
  for (const int j : y.shown)
    for (const int i : x.shown) plane.values.push_back(values[static_cast<std::size_t>(j) * x.at.size() + i]);
  return plane;
}

Box points_of(const Simulation& s, const Slice& slice, const Group& g, int level) {
  if (is_ball(s.grid)) return points_of_ball(s.grid, slice.axes, level);
  Box box = s.grid.levels[level].space.points(g.centre, s.grid.dim);
  const int shift = slice.level - level;
  const auto here = [&](int index) { return shift < 0 ? index << -shift : index >> shift; };
  for (int d = 0; d < s.grid.dim; ++d)
    if (std::ranges::count(slice.axes, d) == 0) box.lo[d] = here(slice.box.lo[d]), box.hi[d] = box.lo[d] + 1;
    else
      box.lo[d] = std::max(box.lo[d], here(slice.box.lo[d])),
      box.hi[d] = std::min(box.hi[d], here(slice.box.hi[d]) + 2);
  return box;
}

std::vector<char> gather_slice(Simulation& s, const Slice& slice, const VariableAccess& a) {
  if (is_ball(s.grid)) return gather_ball(s, slice, a);
  if (s.grid.levels.size() == 1) return gather_bytes(s, 0, a, slice.box, all_blocks(s, 0));
  const Group& g = s.groups[a.group];
  const std::size_t size = size_of(s.type(a.group));
  std::vector<char> all(s.process.rank() == 0 ? static_cast<std::size_t>(slice.box.points()) * size : 0);
  for (int l = 0; l < static_cast<int>(s.grid.levels.size()); ++l) {
    const auto blocks = all_blocks(s, l);
    stream(s, l, a, points_of(s, slice, g, l), blocks, [&](const Piece& piece, const char* data) {
      const Box& cells = blocks[piece.block].cells;
      const Box points = s.grid.levels[l].space.points(cells, g.centre, s.grid.dim);
      for_each_point(piece.box, [&](int i, int j, int k) {
        const Index at{i, j, k};
        Box to = slice.box;
        for (const int d : slice.axes)
          std::tie(to.lo[d], to.hi[d]) = shown_at(at[d], slice.level - l, g.centre[d], points, cells.hi[d], d);
        for_each_point(intersect(to, slice.box), [&](int u, int v, int w) {
          const std::int64_t line = std::int64_t{w - slice.box.lo[2]} * slice.box.extent(1) + (v - slice.box.lo[1]);
          std::memcpy(
              &all[static_cast<std::size_t>(line * slice.box.extent(0) + (u - slice.box.lo[0])) * size], data, size);
        });
        data += size;
      });
    });
  }
  return all;
}

std::vector<double> gather_reals(Simulation& s, const Slice& slice, const VariableAccess& a) {
  return part_of(gather_slice(s, slice, a), s.type(a.group), 0);
}

Plane gather_plane(Simulation& s, const Parameters& par, const VariableAccess& a) {
  const Slice slice = cut(s, par, s.groups[a.group]);
  return plane_of(slice, gather_reals(s, slice, a));
}
}  // namespace IOImage
