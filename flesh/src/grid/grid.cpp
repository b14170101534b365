// Geometry of patches and blocks, and how tensors change sign under reflections.
#include "cereus/grid.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "cereus/error.hpp"
#include "cereus/kernel/map.hpp"

namespace cereus {
Patch Patch::refined(int ratio, int dim) const {
  Patch fine = *this;
  for (int d = 0; d < dim; ++d) {
    fine.cells.lo[d] *= ratio;
    fine.cells.hi[d] *= ratio;
    fine.spacing[d] /= ratio;
  }
  fine.tables = nullptr;
  return fine;
}

Box Patch::points(Box box, const std::array<Centre, 3>& centre, int dim) const {
  for (int d = 0; d < dim; ++d)
    if (centre[d] == Centre::vertex && !periodic[d] && box.hi[d] == cells.hi[d]) ++box.hi[d];
  return box;
}

std::array<double, 3> Patch::place(const std::array<double, 3>& X) const {
  if (!map) return X;
  const OnShell at{map, std::tan(X[0]), std::tan(X[1]), X[2]};
  return {at.x(0), at.x(1), at.x(2)};
}

std::array<double, 3> Patch::coordinates_of(const std::array<double, 3>& x) const {
  if (!map) return x;
  const auto angle = [&](int n) { return std::atan(x[OnShell::axis(map, n)] / x[OnShell::axis(map, 0)]); };
  return {angle(1), angle(2), std::hypot(x[0], x[1], x[2])};
}
int shell_at(const std::array<double, 3>& x) {
  constexpr double same = 1 + 1e-12;  // what is computed on two ways
  int along = 0;
  for (const int d : {1, 2})
    if (std::abs(x[d]) > same * std::abs(x[along])) along = d;
  return 1 + 2 * along + (x[along] < 0);
}

double Patch::smallest_distance(int axis) const {
  if (map && axis < 2) return std::sqrt(0.5) * lower[2] * spacing[axis];  // at the ends of the other angle
  double least = distance(axis, Centre::cell, cells.lo[axis]);
  for (int i = cells.lo[axis] + 1; stretched(axis) && i < cells.hi[axis]; ++i)
    least = std::min(least, distance(axis, Centre::cell, i));
  return least;
}

void Patch::tabulate(const Index& ghosts) {
  constexpr int behind = 16;  // at least as many as a wide loop does at once
  AxisTables t;
  t.first = grow(cells, ghosts).lo;
  for (int d = 0; d < 3; ++d) t.pitch = std::max<Offset>(t.pitch, cells.extent(d) + 2 * ghosts[d] + 1 + behind);
  for (int d = 0; d < 3; ++d)
    for (const Centre c : {Centre::vertex, Centre::cell}) {
      const std::size_t at = t.values.size(), n = static_cast<std::size_t>(t.pitch);
      t.values.resize(at + 3 * n);
      for (std::size_t i = 0; i < n; ++i) {
        const int index = t.first[d] + static_cast<int>(i);
        const double X = lower[d] + (index - cells.lo[d] + (c == Centre::cell ? 0.5 : 0.0)) * spacing[d];
        const double slope = stretched(d) ? stretch[d].slope(X) : 1;
        const double x = map && d < 2 ? std::tan(coordinate(d, c, index)) : coordinate(d, c, index);
        t.values[at + i] = x;
        t.values[at + n + i] = 1 / (slope * spacing[d]);
        if (map) t.values[at + 2 * n + i] = d < 2 ? 1 / (1 + x * x) : 1 / x;
        else t.values[at + 2 * n + i] = stretched(d) ? stretch[d].curvature(X) / (slope * slope) : 0;
      }
    }
  tables = std::make_shared<AxisTables>(std::move(t));
}

Geometry Patch::geometry(const std::array<Centre, 3>& centre, const Clock& clock, Space space) const {
  Geometry g{};
  constexpr int none = std::numeric_limits<int>::min();
  for (int d = 0; d < 3; ++d) {
    const auto ends = [&](int side) { return !periodic[d] && !(joined >> (2 * d + side) & 1); };
    g.face[d][0] = ends(0) ? cells.lo[d] : none, g.face[d][1] = ends(1) ? cells.hi[d] : none;
    g.spacing[d] = spacing[d];
    g.inv_spacing[d] = 1 / spacing[d];
    g.inv_spacing2[d] = 1 / (spacing[d] * spacing[d]);
    g.centre[d] = centre[d] == Centre::cell ? 0.5 : 0.0;
    g.origin[d] = lower[d];
    if (cells.lo[d] != 0) g.origin[d] -= cells.lo[d] * spacing[d];
  }
  g.map = map;
  if (stretched() || map) {
    if (!tables || (space == Space::device && !tables->device))
      throw Failure("the driver has stretched axes or shells, and has made no tables of them");
    const auto* values = space == Space::host ? tables->values.data() : reinterpret_cast<double*>(tables->device.get());
    g.pitch = tables->pitch;
    for (int d = 0; d < 3; ++d)
      g.axis[d] = values + (2 * d + (centre[d] == Centre::cell)) * 3 * g.pitch - tables->first[d];
  }
  g.time = clock.time;
  g.dt = clock.dt;
  return g;
}

std::string Level::name() const {
  if (space.map) return std::string("the shell around ") + (space.map % 2 ? '+' : '-') + "xyz"[(space.map - 1) / 2];
  return "level " + std::to_string(number);
}

void Grid::add(Level level, std::vector<Block> more) {
  const int number = static_cast<int>(levels.size());
  level.first_block = static_cast<int>(blocks.size());
  for (Block& b : more) {
    b.level = number;
    b.slot = static_cast<int>(blocks.size());
    for (int d = 0; d < dim; ++d) {
      if (level.space.periodic[d]) continue;
      for (const int side : {0, 1}) {
        const bool at_end = side ? b.cells.hi[d] == level.space.cells.hi[d] : b.cells.lo[d] == level.space.cells.lo[d];
        Face& face = b.face[2 * d + side];
        const bool joined = level.space.joined >> (2 * d + side) & 1;
        if (at_end && face == Face::neighbour) face = joined ? Face::patch : Face::outer;  // else its maker knows
      }
    }
    blocks.push_back(b);
  }
  level.last_block = static_cast<int>(blocks.size());
  levels.push_back(std::move(level));
}

Box Grid::boundary(const Block& b, const std::array<Centre, 3>& centre, int axis, int side) const {
  if (axis >= dim || !b.outer(axis, side)) return {};
  Box box = everywhere(b, centre);
  const Box own = points(b, centre);
  if (side) box.lo[axis] = own.hi[axis];
  else box.hi[axis] = own.lo[axis];
  return box;
}

std::uint8_t Grid::outer_faces(const Level& l) const {
  std::uint8_t faces = 0;
  for (int d = 0; d < dim; ++d)
    if (!l.space.periodic[d]) faces |= static_cast<std::uint8_t>(3 << (2 * d));
  return faces & static_cast<std::uint8_t>(~l.space.joined);
}

int parity(const Group& g, int component, int axis) {
  if (component >= std::ssize(g.characters)) return 1;
  const Character& c = g.characters[component];
  const auto along = [&](char a) { return a == "xyz"[axis] || a == "XYZ"[axis]; };
  return (std::ranges::count_if(c.component, along) + c.axial) % 2 != 0 ? -1 : 1;
}
}  // namespace cereus
