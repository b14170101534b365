#include "overlays.hpp"

#include <cmath>

#include "arrows.hpp"
#include "ball.hpp"
#include "contours.hpp"

namespace IOImage {
namespace {
constexpr Colour outline_colour{213, 94, 0}, ink{0, 0, 0}, halo{255, 255, 255};

std::vector<int> all_named(const Simulation& s, const std::vector<std::string>& patterns) {
  std::vector<int> all;
  for (const auto& pattern : patterns)
    for (int v : s.match(pattern)) all.push_back(v);
  return all;
}

const VariableAccess* access_of(const Simulation& s, std::span<const VariableAccess> accesses, int variable) {
  for (const VariableAccess& a : accesses)
    if (a.group == s.variables[variable].group && a.component == s.variables[variable].component) return &a;
  return nullptr;
}

// Dark on light, so that it shows on any colour.
void add(std::vector<Stroke>& strokes, std::vector<Point> points, const Plane& plane) {
  for (Point& p : points) p = {plane.x + p.x * plane.dx, plane.y + p.y * plane.dy};
  strokes.push_back({points, 3, halo});
  strokes.push_back({std::move(points), 1.2, ink});
}

// Rectangles where blocks of all levels, in all processes, cross the slice; of shells, parts of rings.
std::vector<Stroke> outlines_of(const Simulation& s, const Parameters& par) {
  const auto axes = Output::axes_of(axes_of_slice(par, s.grid.dim), s.grid.dim);
  std::vector<Stroke> outlines;
  for (int l = 0; l < static_cast<int>(s.grid.levels.size()); ++l) {
    const Patch& space = s.grid.levels[l].space;
    if (space.map) {
      for (const BlockHome& block : Output::all_blocks(s, l)) {
        std::vector<Point> ring;
        for (const auto& [x, y] : outline_on_shell(s.grid, axes, l, block.cells)) ring.push_back({x, y});
        if (!ring.empty()) outlines.push_back({ring, 1.5, outline_colour});
      }
      continue;
    }
    const auto edge = [&](int axis, int index) { return space.coordinate(axis, Centre::vertex, index); };
    const auto plane = Output::region(s.grid, s.grid.levels[l], {Centre::cell, Centre::cell, Centre::cell}, axes,
        Output::point_of(par, "slice_through"));
    for (const BlockHome& block : Output::all_blocks(s, l)) {
      if (intersect(block.cells, plane).empty()) continue;
      const double x0 = edge(axes[0], block.cells.lo[axes[0]]), x1 = edge(axes[0], block.cells.hi[axes[0]]),
                   y0 = edge(axes[1], block.cells.lo[axes[1]]), y1 = edge(axes[1], block.cells.hi[axes[1]]);
      outlines.push_back({{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}, {x0, y0}}, 1.5, outline_colour});
    }
  }
  return outlines;
}
}  // namespace

void declare_overlays(Declaration& d) {
  d.parameter("contours", 0, at_least(0), "So many contour lines at equal distances within the range of the values");
  d.parameter("contour_levels", std::vector<double>{}, any(), "Contour lines at these values");
  d.parameter("contours_of", Variables{{}}, any(), "The grid function that has the contour lines; []: the one drawn");
  d.parameter("fluid", Variables{{"@fluid"}}, any(),
      "The grid function that is 0 in solid cells, which are grey and have no part in the range; []: none are solid");
  d.parameter("outlines", false, any(), "Draw the edges of blocks, of all levels");
  d.parameter("vectors", Variables{{}}, any(),
      "Grid functions whose vector arrows show: the components along the axes of the slice, or those along x, y and z");
  d.parameter("arrows", 24, at_least(1), "At most so many arrows along the longer side of a picture")
      .only_with("vectors");
}

std::vector<std::string> read_by_overlays(const Parameters& par) {
  std::vector<std::string> names = par.strings("contours_of");
  for (const auto& name : par.strings("vectors")) names.push_back(name);
  return names;
}

std::vector<VariableAccess> last_fluid(Simulation& s, const Parameters& par) {
  std::vector<VariableAccess> list;
  for (int v : all_named(s, par.strings("fluid"))) {
    const VariableAccess a{s.variables[v].group, s.variables[v].component};
    if (s.fields.buffers(a.group) == 0) continue;
    if (std::ranges::all_of(s.fields.validity(a.group, a.component, 0, 0).in, &RegionValidity::interior))
      list.push_back(a);
  }
  make_valid(s, s.grid.all(), list, -1);
  return list;
}

void check_overlays(const Simulation& s, const Parameters& par) {
  Problems problems;
  const auto check = [&](const char* parameter, auto&& allowed, const std::string& wanted) {
    const auto named = all_named(s, par.strings(parameter));
    const std::string begin = std::string("IOImage.") + parameter + ": ";
    for (int v : named)
      if (s.groups[s.variables[v].group].kind != GroupKind::grid_function)
        problems.add(
            par.where(parameter), begin + s.variables[v].name + " is a grid scalar or array, no grid function");
    if (!allowed(named.size()))
      problems.add(par.where(parameter), begin + "needs " + wanted + "; there are " + std::to_string(named.size()));
  };
  check(
      "fluid", [](std::size_t n) { return n <= 1; }, "one grid function");
  check(
      "panels", [](std::size_t n) { return n <= 16; }, "at most 16 grid functions");
  check(
      "contours_of", [](std::size_t n) { return n <= 1; }, "one grid function");
  check(
      "vectors", [](std::size_t n) { return n == 0 || n == 2 || n == 3; },
      "two grid functions, along the axes of the slice, or three, along x, y and z");
  problems.throw_if_any();
}

Overlays gather_overlays(Simulation& s, const Parameters& par, std::span<const VariableAccess> accesses) {
  Overlays overlays;
  for (int v : all_named(s, par.strings("fluid")))
    if (const auto* a = access_of(s, accesses, v)) {
      const Slice slice = cut(s, par, s.groups[a->group]);
      overlays.solid = solid_of(slice, gather_reals(s, slice, *a));
    }
  const auto axes = Output::axes_of(axes_of_slice(par, s.grid.dim), s.grid.dim);
  if (axes.size() != 2) return overlays;
  for (int v : all_named(s, par.strings("contours_of"))) {
    overlays.others = true;
    if (const auto* a = access_of(s, accesses, v)) overlays.contoured = gather_plane(s, par, *a);
  }
  if (const auto vectors = all_named(s, par.strings("vectors")); !vectors.empty())
    for (int n = 0; n < 2; ++n)
      if (const auto* a = access_of(s, accesses, vectors[vectors.size() == 3 ? axes[n] : n]))
        overlays.vectors.push_back(gather_plane(s, par, *a));
  if (overlays.vectors.size() != 2) overlays.vectors.clear();
  if (par.boolean("outlines")) overlays.outlines = outlines_of(s, par);
  return overlays;
}

namespace {
// Components may lie at different places of a cell: then one has points more, at the far end.
std::vector<Point> arrows_of(const std::vector<Plane>& vectors, int most) {
  const int nx = std::min(vectors[0].nx, vectors[1].nx), ny = std::min(vectors[0].ny, vectors[1].ny);
  std::vector<double> components[2];
  for (int n = 0; n < 2; ++n)
    for (int j = 0; j < ny; ++j) {
      const auto row = vectors[n].values.begin() + std::ptrdiff_t{j} * vectors[n].nx;
      components[n].insert(components[n].end(), row, row + nx);
    }
  return arrows(nx, ny, components[0], components[1], stride_for(nx, ny, most), vectors[0].dy / vectors[0].dx);
}
}  // namespace

std::vector<Stroke> strokes_upon(const Plane& shown, const Parameters& par, const Overlays& overlays) {
  std::vector<Stroke> strokes = overlays.outlines;
  const Plane* plane = !overlays.others ? &shown : overlays.contoured ? &*overlays.contoured : nullptr;
  if (plane) {
    const bool log = par.boolean("log") && !overlays.others;
    std::vector<double> levels = levels_between(plane->values, static_cast<int>(par.integer("contours")));
    for (const double level : par.reals("contour_levels")) levels.push_back(log ? std::log10(level) : level);
    std::vector<Point> lines;
    for (const double level : levels)
      for (const Point p : contour(plane->nx, plane->ny, plane->values, level)) lines.push_back(p);
    add(strokes, std::move(lines), *plane);
  }
  if (!overlays.vectors.empty())
    add(strokes, arrows_of(overlays.vectors, static_cast<int>(par.integer("arrows"))), overlays.vectors[0]);
  return strokes;
}

}  // namespace IOImage
