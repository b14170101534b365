#include "accelerator/oracle.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace oracle {
namespace {
constexpr int below = 16;  // indices start at −width
constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
Space other(Space s) { return s == Space::host ? Space::device : Space::host; }
}  // namespace

double encode(const Origin& o) {
  std::uint64_t n = 1;  // so that no value is 0
  n = n << 4 | static_cast<unsigned>(o.variable);
  n = n << 6 | static_cast<unsigned>(o.writer);
  n = n << 9 | static_cast<unsigned>(o.version);
  n = n << 1 | static_cast<unsigned>(o.condition);
  for (int i : o.at) n = n << 6 | static_cast<unsigned>(i + below);
  return static_cast<double>(n);
}

std::optional<Origin> decode(double x) {
  if (!(x >= std::ldexp(1.0, 38) && x < std::ldexp(1.0, 39))) return {};
  auto n = static_cast<std::uint64_t>(x);
  const auto take = [&](int bits) {
    const auto low = static_cast<int>(n & ((1u << bits) - 1));
    n >>= bits;
    return low;
  };
  Origin o{};
  for (int d = 2; d >= 0; --d) o.at[d] = take(6) - below;
  o.condition = take(1), o.version = take(9), o.writer = take(6), o.variable = take(4);
  return o;
}

Oracle::Oracle(const Grid& grid, const std::vector<Group>& groups) : width_(grid.ghosts[0]) {
  const auto& level = grid.levels[0].space;
  int variables = 0;
  for (const auto& g : groups) {
    first_.push_back(variables);
    variables += static_cast<int>(g.variables.size());
    auto& list = points_.emplace_back();
    for (int b = 0; b < static_cast<int>(grid.blocks.size()); ++b) {
      const auto owned = grid.points(grid.blocks[b], g.centre);
      cereus::for_each_point(grow(owned, grid.ghosts), [&](int i, int j, int k) {
        Point p{b, {i, j, k}, {i, j, k}, {i, j, k}, false, 0, 0};
        for (int d = 0; d < grid.dim; ++d) {
          const int out = std::max({owned.lo[d] - p.at[d], p.at[d] - owned.hi[d] + 1, 0});
          p.layer = std::max(p.layer, out), p.off += out > 0;
          const int lo = level.cells.lo[d], cells = level.cells.extent(d);
          if (level.periodic[d]) {
            p.home[d] = lo + ((p.at[d] - lo) % cells + cells) % cells;
            continue;
          }
          const int last = lo + cells - (g.centre[d] == cereus::Centre::vertex ? 0 : 1);
          p.nearest[d] = std::clamp(p.at[d], lo, last);
          p.outside = p.outside || p.nearest[d] != p.at[d];
        }
        list.push_back(p);
      });
    }
    Buffer empty;
    empty.value.assign(list.size(), nothing);
    for (auto& h : empty.held) h.resize(list.size());
    buffers_.emplace_back(g.timelevels, std::vector<Buffer>(g.variables.size(), empty));
  }
}

bool Oracle::touches(const VariableAccess& a, const Point& p) const {
  if (a.region == cereus::Region::everywhere) return true;
  if (a.region == cereus::Region::boundary) return p.outside;
  return p.layer <= a.reach && (a.corners || p.off <= 1);
}

template <class Which> bool Oracle::all(const VariableAccess& a, Space s, Which which) const {
  const auto& held = of(a).held[static_cast<int>(s)];
  const auto& list = points_[a.group];
  for (std::size_t n = 0; n < list.size(); ++n)
    if (which(list[n]) && !held[n].data) return false;
  return true;
}

bool Oracle::owned_in(const VariableAccess& a, Space s) const {
  return all(a, s, [](const Point& p) { return p.owned(); });
}
// Whether so many layers are filled. Points outside the domain are no ghosts, but a layer is counted where they lie
// too.
bool Oracle::layers(const VariableAccess& a, Space s, int depth, bool corners) const {
  const auto& held = of(a).held[static_cast<int>(s)];
  const auto& list = points_[a.group];
  for (std::size_t n = 0; n < list.size(); ++n) {
    const Point& p = list[n];
    if (p.owned() || p.layer > depth || (!corners && p.off > 1)) continue;
    if (!(p.outside ? held[n].layer : held[n].data)) return false;
  }
  return true;
}

bool Oracle::readable(const VariableAccess& a) const {
  for (Space s : {Space::host, Space::device}) {
    if (owned_in(a, s)) return true;
    if (a.region == cereus::Region::boundary && all(a, s, [](const Point& p) { return p.outside; })) return true;
  }
  return false;
}

std::int64_t Oracle::read(const VariableAccess& a, Space s) {
  const auto& list = points_[a.group];
  auto& here = of(a).held[static_cast<int>(s)];
  const auto& there = of(a).held[static_cast<int>(other(s))];
  std::int64_t bytes = 0;
  const auto copy = [&](auto which) {
    for (std::size_t n = 0; n < list.size(); ++n)
      if (which(list[n])) here[n].data = there[n].data, bytes += 8;
  };
  const bool everywhere = a.region == cereus::Region::everywhere, edge = a.region == cereus::Region::boundary;
  const bool at_offset = a.reach > 0 || everywhere;

  const auto outside = [](const Point& p) { return p.outside; };
  const auto seen_outside = [&](const Point& p) { return p.outside && touches(a, p); };
  bool condition = false;
  if (!all(a, s, seen_outside)) {
    if (all(a, other(s), seen_outside)) copy(outside);
    else condition = true;
  }
  // A condition works on the interior, over tangential ghost zones too.
  if ((!edge || condition) && !owned_in(a, s)) copy([](const Point& p) { return p.owned(); });
  if (at_offset || condition) {
    const int depth = everywhere || edge ? width_ : a.reach;
    const bool corners = everywhere || edge || a.corners;
    const auto wanted = [&](const Point& p) { return !p.owned() && p.layer <= depth && (corners || p.off <= 1); };
    if (!layers(a, s, depth, corners)) {
      if (layers(a, other(s), depth, corners)) copy([&](const Point& p) { return wanted(p) && !p.outside; });
      for (std::size_t n = 0; n < list.size(); ++n)  // what was not copied the driver fills
        if (wanted(list[n])) here[n].layer = true, here[n].data = here[n].data || !list[n].outside;
    }
  }
  // Next to the interior alone a condition is right at once; further along the face it is as right as the ghost zones
  // there.
  if (condition)
    for (std::size_t n = 0; n < list.size(); ++n)
      if (list[n].outside) here[n].data = list[n].off == 1 || here[n].layer;
  return bytes;
}

void Oracle::write(const VariableAccess& a, Space s, int writer) {
  auto& b = of(a);
  const auto& list = points_[a.group];
  ++versions_;
  const bool interior = a.region != cereus::Region::boundary, everywhere = a.region == cereus::Region::everywhere;
  for (std::size_t n = 0; n < list.size(); ++n) {
    const Point& p = list[n];
    const Origin o{first_[a.group] + a.component, writer, versions_, false, p.home};
    // Points outside follow from the interior, and ghosts are copies of it: both change with it, whoever wrote them.
    if (interior || p.outside)
      b.value[n] = encode({o.variable, o.writer, o.version, p.outside && interior && !everywhere, o.at});
    const bool written = everywhere || (interior ? p.owned() : p.outside);
    for (Space t : {Space::host, Space::device}) {
      auto& held = b.held[static_cast<int>(t)][n];
      if (interior) held = {};
      if (written) held.data = t == s;
      if (everywhere) held.layer = t == s;
    }
  }
}

void Oracle::cycle(int group) {
  auto& levels = buffers_[group];
  if (levels.size() < 2) return;
  std::rotate(levels.begin(), levels.end() - 1, levels.end());
  for (auto& b : levels.front()) {
    std::fill(b.value.begin(), b.value.end(), nothing);
    for (auto& h : b.held) std::fill(h.begin(), h.end(), Held{});
  }
}
}  // namespace oracle
