// Finds for each point the finest level that contains it and the process that owns its cell, and tells that process.
#include "plan.hpp"

#include <cereus/error.hpp>
#include <cereus/text.hpp>

#include <algorithm>
#include <numeric>

namespace Interpolate {
namespace {
struct Owned {  // a block of some process
  int level;
  Box cells;
};
struct Request {  // travels to the process that owns the cell
  int level = -1;
  std::array<double, 3> x{};  // in cells from the lower corner of the level's domain

  Index cell(const Level& l, int dim) const {
    Index c = l.domain.lo;
    for (int d = 0; d < dim; ++d) c[d] += std::min(static_cast<int>(x[d]), l.domain.extent(d) - 1);
    return c;
  }
};

Request locate(const Grid& grid, const Point& point) {
  Request r;
  for (int level = static_cast<int>(grid.levels.size()) - 1; level >= 0; --level) {
    const Level& l = grid.levels[level];
    bool inside = true;
    for (int d = 0; d < grid.dim; ++d) {
      r.x[d] = into_domain((point[d] - l.lower[d]) / l.spacing[d], l.periodic[d], l.domain.extent(d));
      inside = inside && r.x[d] == r.x[d];
    }
    if (inside) {
      r.level = level;
      break;
    }
  }
  return r;
}

std::string outside(const Grid& grid, const Point& point) {
  std::vector<std::string> x, domain;
  for (int d = 0; d < grid.dim; ++d) {
    const Level& l = grid.levels[0];
    x.push_back(format_double(point[d]));
    domain.push_back(
        "[" + format_double(l.lower[d]) + ", " + format_double(l.lower[d] + l.domain.extent(d) * l.spacing[d]) + "]");
  }
  return "Interpolate: the point (" + join(x, ", ") + ") lies outside the domain " + join(domain, " × ");
}

Target target(const Grid& grid, const Request& r, const std::array<Centre, 3>& centre, int order) {
  const Level& l = grid.levels[r.level];
  const Index cell = r.cell(l, grid.dim);
  Target t{r.level, 0, {}};
  while (!l.blocks[t.block].cells.contains(cell)) ++t.block;  // who sent it knows that one does
  const Box points = l.points(l.domain, centre, grid.dim);
  for (int d = 0; d < 3; ++d) {
    if (d < grid.dim) t.axis[d] = lagrange(r.x[d], order, centre[d] == Centre::cell, l.periodic[d], points.extent(d));
    t.axis[d].first += l.domain.lo[d];
  }
  return t;
}
}  // namespace

bool Plan::fits(const Grid& g, const std::array<Centre, 3>& c, std::span<const Point> p) const {
  return epoch == g.epoch && dim == g.dim && centre == c &&
         std::equal(p.begin(), p.end(), points.begin(), points.end());
}

Plan make_plan(const Grid& grid, const Exchange& exchange, const std::array<Centre, 3>& centre,
    std::span<const Point> points, int order) {
  std::vector<Owned> mine;
  std::string mistake;
  for (const auto& l : grid.levels) {
    for (const auto& b : l.blocks) mine.push_back({static_cast<int>(&l - grid.levels.data()), b.cells});
    const Box all = l.points(l.domain, centre, grid.dim);
    for (int d = 0; d < grid.dim; ++d)
      if (all.extent(d) < order + 1)
        mistake = "Interpolate: order " + std::to_string(order) + " needs " + std::to_string(order + 1) +
                  " points along " + std::string(1, "xyz"[d]) + ", the grid has " + std::to_string(all.extent(d)) +
                  "; lower Interpolate.order";
  }
  std::vector<int> blocks;
  const std::vector<Owned> owned = exchange.all(mine, blocks);

  Plan plan;
  plan.epoch = grid.epoch, plan.dim = grid.dim, plan.centre = centre;
  plan.points.assign(points.begin(), points.end());
  plan.asked.assign(static_cast<std::size_t>(exchange.size()), 0);
  std::vector<Request> requests;
  std::vector<int> owner;
  for (const auto& point : points) {
    if (!mistake.empty()) break;
    requests.push_back(locate(grid, point));
    const Request& r = requests.back();
    if (r.level < 0) {
      mistake = outside(grid, point);
      break;
    }
    const Index cell = r.cell(grid.levels[r.level], grid.dim);
    int n = 0, process = 0;
    while (owned[n].level != r.level || !owned[n].cells.contains(cell)) ++n;  // blocks cover the domain
    for (int past = blocks[0]; n >= past; past += blocks[process]) ++process;
    owner.push_back(process);
    ++plan.asked[process];
  }
  if (const auto text = exchange.first_of(mistake); !text.empty()) throw Failure(text);

  plan.order.resize(points.size());
  std::iota(plan.order.begin(), plan.order.end(), 0);
  std::stable_sort(plan.order.begin(), plan.order.end(), [&](int a, int b) { return owner[a] < owner[b]; });
  std::vector<Request> sorted;
  for (int n : plan.order) sorted.push_back(requests[n]);
  plan.evaluated = exchange.counts_from_others(plan.asked);
  for (const auto& r : exchange.swap(sorted, plan.asked, plan.evaluated))
    plan.targets.push_back(target(grid, r, centre, order));
  return plan;
}
}  // namespace Interpolate
