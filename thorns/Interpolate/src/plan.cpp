// Finds for each point the finest level that contains it and the process that owns its cell, and tells that process.
#include "plan.hpp"

#include <cereus/error.hpp>
#include <cereus/text.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

namespace Interpolate {
namespace {
struct Request {  // travels to the process that owns the cell
  int level = -1;
  std::array<double, 3> x{};  // in cells from the lower corner of the level's index space

  Index cell(const Patch& p, int dim) const {  // that it lies in
    Index c = p.cells.lo;
    for (int d = 0; d < dim; ++d) c[d] += std::min(static_cast<int>(x[d]), p.cells.extent(d) - 1);
    return c;
  }
};
struct Located {
  Request request;
  int owner = 0;
  std::uint8_t mirrored = 0;
  int map = 0;
};

// Of a shell around a cube: outside of the cube, in the sector of the shell, to its outer end.
std::optional<Request> on_shell(const Grid& grid, int level, const Point& point) {
  const Patch &p = grid.levels[level].space, &cube = grid.levels[0].space;
  const double most = std::max({std::abs(point[0]), std::abs(point[1]), std::abs(point[2])});
  if (most <= -cube.lower[0] || shell_at(point) != p.map) return std::nullopt;
  const Point at = p.coordinates_of(point);
  Request r{level};
  for (int d = 0; d < 3; ++d) {
    const double x = (at[d] - p.lower[d]) / p.spacing[d], n = p.cells.extent(d);
    if (!(x <= n * (1 + 1e-12))) return std::nullopt;
    r.x[d] = std::clamp(x, 0.0, n);
  }
  return r;
}

// On the finest level that has a block there; of no level if the point lies outside the domain and its mirror images.
Located locate(const Grid& grid, const std::vector<BlockIndex>& blocks, const Point& point, unsigned mirrors) {
  for (int level = static_cast<int>(grid.levels.size()) - 1; level >= 0; --level) {
    const Patch& p = grid.levels[level].space;
    if (p.map) {
      if (const auto r = on_shell(grid, level, point))
        return {*r, blocks[level].find(r->cell(p, grid.dim))->owner, 0, p.map};
      continue;
    }
    Request r{level};
    bool inside = true;
    std::uint8_t mirrored = 0;
    for (int d = 0; d < grid.dim; ++d) {
      double x = p.cells_to(d, point[d]);
      const int n = p.cells.extent(d);
      const bool below = x < 0 && (mirrors >> (2 * d) & 1), above = x > n && (mirrors >> (2 * d + 1) & 1);
      if (below || above) x = below ? -x : 2 * n - x, mirrored |= static_cast<std::uint8_t>(1 << d);
      r.x[d] = into_domain(x, p.periodic[d], n);
      inside = inside && r.x[d] == r.x[d];
    }
    if (!inside) continue;
    if (const BlockHome* home = blocks[level].find(r.cell(p, grid.dim))) return {r, home->owner, mirrored};
  }
  return {};
}

std::string outside(const Grid& grid, const Point& point) {
  std::vector<std::string> x, domain;
  if (grid.outer_radius() > 0)
    return "Interpolate: the point (" + format_double(point[0]) + ", " + format_double(point[1]) + ", " +
           format_double(point[2]) + ") lies outside the ball of radius " + format_double(grid.outer_radius());
  for (int d = 0; d < grid.dim; ++d) {
    const Patch& p = grid.levels[0].space;
    x.push_back(format_double(point[d]));
    domain.push_back("[" + format_double(p.coordinate(d, Centre::vertex, p.cells.lo[d])) + ", " +
                     format_double(p.coordinate(d, Centre::vertex, p.cells.hi[d])) + "]");
  }
  return "Interpolate: the point (" + join(x, ", ") + ") lies outside the domain " + join(domain, " × ") +
         ", which goes on only beyond faces that reflect (Boundary: reflect)";
}

Target target(const Grid& grid, const Request& r, const std::array<Centre, 3>& centre, int order) {
  const Level& l = grid.levels[r.level];
  const Index cell = r.cell(l.space, grid.dim);
  Target t{l.first_block, {}};
  while (!grid.blocks[t.block].cells.contains(cell)) ++t.block;  // who sent it knows that one does
  const Box points = l.space.points(centre, grid.dim);
  for (int d = 0; d < 3; ++d) {
    if (d < grid.dim)
      t.axis[d] = lagrange(r.x[d], order, centre[d] == Centre::cell, l.space.periodic[d], points.extent(d));
    t.axis[d].first += l.space.cells.lo[d];
    for (double& slope : t.axis[d].slope) slope /= l.space.distance(d, r.x[d]);  // from cells to coordinates
  }
  return t;
}

std::string too_few_points(const Grid& grid, const std::array<Centre, 3>& centre, int order) {
  for (const auto& l : grid.levels) {
    const Box all = l.space.points(centre, grid.dim);
    for (int d = 0; d < grid.dim; ++d)
      if (all.extent(d) < order + 1)
        return "Interpolate: order " + std::to_string(order) + " needs " + std::to_string(order + 1) +
               " points along " + std::string(1, "xyz"[d]) + ", the grid has " + std::to_string(all.extent(d)) +
               "; lower Interpolate.order";
  }
  return "";
}
}  // namespace

bool Plan::fits(const Grid& g, const std::array<Centre, 3>& c, std::span<const Point> p, unsigned m) const {
  return epoch == g.epoch && dim == g.dim && centre == c && mirrors == m &&
         std::equal(p.begin(), p.end(), points.begin(), points.end());
}

Plan make_plan(const Grid& grid, const Places& places, const Exchange& exchange, const std::array<Centre, 3>& centre,
    std::span<const Point> points, unsigned mirrors, int order) {
  std::string mistake = too_few_points(grid, centre, order);

  Plan plan;
  plan.epoch = grid.epoch, plan.dim = grid.dim, plan.centre = centre, plan.mirrors = mirrors;
  plan.points.assign(points.begin(), points.end());
  plan.asked.assign(static_cast<std::size_t>(exchange.size()), 0);
  std::vector<Located> located;
  for (const auto& point : points) {
    if (!mistake.empty()) break;
    located.push_back(locate(grid, places.levels, point, mirrors));
    plan.mirrored.push_back(located.back().mirrored), plan.maps.push_back(located.back().map);
    if (located.back().request.level < 0) mistake = outside(grid, point);
    else ++plan.asked[located.back().owner];
  }
  if (const auto text = exchange.first_of(mistake); !text.empty()) throw Failure(text);

  plan.order.resize(points.size());
  std::iota(plan.order.begin(), plan.order.end(), 0);
  std::ranges::stable_sort(plan.order, {}, [&](int n) { return located[n].owner; });
  std::vector<Request> sorted;
  for (int n : plan.order) sorted.push_back(located[n].request);
  plan.evaluated = exchange.counts_from_others(plan.asked);
  for (const auto& r : exchange.swap<Request>(sorted, plan.asked, plan.evaluated))
    plan.targets.push_back(target(grid, r, centre, order));
  return plan;
}
}  // namespace Interpolate
