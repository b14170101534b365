// The service Reduction: two passes over the owned points, then one combination over processes for each.
#include <cereus/thorn.hpp>

#include <cmath>
#include <limits>

#include "kernels.hpp"

namespace Reduce {
struct Passes {  // for one dimension and scalar type
  KernelTable extremes, moments;
  void (*set)(KernelTable&, const Terms&);
};
template <int dim, class Real> Passes make_passes() {
  return {Kernel<FindExtremes<dim, Real>, dim, Real>().table(), Kernel<SumMoments<dim, Real>, dim, Real>().table(),
      [](KernelTable& t, const Terms& x) { Kernel<SumMoments<dim, Real>, dim, Real>::of(t).terms = x; }};
}
Passes make_passes(int dim, ScalarType type) {
  return visit_scalar(type, [&]<class Real>(Real) {
    return dim == 1 ? make_passes<1, Real>() : dim == 2 ? make_passes<2, Real>() : make_passes<3, Real>();
  });
}

class Reducer : public Reduction {
 public:
  Norms reduce(Simulation& s, int group, int component, int timelevel) override {
    const Group& g = s.groups[group];
    if (g.kind != GroupKind::grid_function)
      throw Failure("Reduce reduces grid functions, and " + s.variable_name(group, component) + " is none");
    const VariableAccess access{group, component, timelevel};
    auto found = passes_.find({s.grid.dim, s.type(group)});
    if (found == passes_.end())
      found = passes_.emplace(std::pair{s.grid.dim, s.type(group)}, make_passes(s.grid.dim, s.type(group))).first;
    Passes& passes = found->second;
    const int levels = static_cast<int>(s.grid.levels.size());

    Extremes extremes = Extremes::identity();
    make_valid(s, s.grid.all(), {&access, 1}, -1, kernel_space(s));
    for (int l = 0; l < levels; ++l) run(s, passes.extremes, access, l, extremes);
    combine(s, passes.extremes, extremes);

    const double minimum = value_of(extremes.smallest), maximum = value_of(extremes.largest);
    const double largest = std::max(std::fabs(minimum), std::fabs(maximum));
    const bool finite = !extremes.has_nan() && largest <= std::numeric_limits<double>::max();
    const int exponent = finite ? scale_exponent(largest, s) : 0;
    Terms terms = terms_of(extremes, exponent);

    // Where |v| is largest: at the minimum or at the maximum, and where both are as large, at the first of them.
    const bool low = extremes.has_nan() || std::fabs(minimum) >= std::fabs(maximum);
    const bool high = extremes.has_nan() || std::fabs(maximum) >= std::fabs(minimum);
    constexpr long long nowhere = Moments::identity().at_low;

    const bool by_block = sums_by_block(s, access);
    Norms n{};
    double sum = 0, absolute = 0, squares = 0;
    bool found_low = false, found_high = false, found_norm_inf = false;
    for (int l = 0; l < levels; ++l) {
      const Level& level = s.grid.levels[l];
      const Box points = level.space.points(g.centre, s.grid.dim);
      place(terms, s.grid, level.space, points, g.centre);
      passes.set(passes.moments, terms);
      Moments m = Moments::identity();
      run(s, passes.moments, access, l, m);
      if (by_block) sum_by_block(s, passes, terms, access, l, m);
      combine(s, passes.moments, m);
      const double cell = cell_of(level.space, points, g.centre, s.grid.dim);
      sum += m.sum.value() * cell, absolute += m.absolute.value() * cell, squares += m.squares.value() * cell;
      n.volume += volume_of(s, l, g.centre, terms, by_block);
      if (extremes.has_nan()) m.at_low = m.at_high = std::min(m.at_low, m.at_high);
      const auto note = [&](bool& found, long long number, std::array<double, 3>& where) {
        if (found || number == nowhere) return;
        found = true;
        where = coordinates(s.grid, level.space, points, g.centre, number);
      };
      note(found_low, m.at_low, n.where_minimum);
      note(found_high, m.at_high, n.where_maximum);
      note(found_norm_inf, std::min(low ? m.at_low : nowhere, high ? m.at_high : nowhere), n.where_norm_inf);
    }
    n.minimum = minimum, n.maximum = maximum, n.norm_inf = largest;
    if (finite) set_sums(n, sum, absolute, squares, exponent);
    else set_infinite(n, extremes.has_nan());
    return n;
  }

 private:
  static void set_sums(Norms& n, double sum, double absolute, double squares, int exponent) {
    n.sum = std::ldexp(sum, exponent);
    n.average = std::ldexp(sum / n.volume, exponent);
    n.norm1 = std::ldexp(absolute / n.volume, exponent);
    n.norm2 = std::ldexp(std::sqrt(squares / n.volume), exponent);
  }
  // Norms of values of which one at least is NaN or infinite, from the smallest and the largest.
  static void set_infinite(Norms& n, bool has_nan) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    if (has_nan) n.minimum = n.maximum = n.norm_inf = nan;
    n.norm1 = n.norm2 = n.norm_inf;
    const bool both = std::isinf(n.minimum) && std::isinf(n.maximum) && n.minimum != n.maximum;
    n.sum = n.average = both ? nan : std::isinf(n.minimum) ? n.minimum : n.maximum;
  }
  static Terms terms_of(const Extremes& extremes, int exponent) {
    Terms terms{};
    terms.low = extremes.has_nan() ? key_of_minus_infinity - 1 : extremes.smallest;
    terms.high = extremes.has_nan() ? key_of_infinity + 1 : extremes.largest;
    terms.root_scale = std::ldexp(1.0, -exponent / 2);
    return terms;
  }

  static double largest_distance(const Patch& p, const std::array<Centre, 3>& centre, const Box& points, int axis) {
    double largest = p.distance(axis, centre[axis], points.lo[axis]);
    for (int i = points.lo[axis] + 1; p.stretched(axis) && i < points.hi[axis]; ++i)
      largest = std::max(largest, p.distance(axis, centre[axis], i));
    return largest;
  }
  // What a sum of weights is multiplied by.
  static double cell_of(const Patch& p, const Box& points, const std::array<Centre, 3>& centre, int dim) {
    double cell = p.map ? p.outer_radius() * p.outer_radius() : 1;
    for (int d = 0; d < dim; ++d) cell *= largest_distance(p, centre, points, d);
    return cell;
  }
  // What the weights of a level add up to.
  double volume_of(
      const Simulation& s, int level, const std::array<Centre, 3>& centre, const Terms& terms, bool by_block) {
    const Patch& p = s.grid.levels[level].space;
    const Box points = p.points(centre, s.grid.dim);
    if (p.stretched()) return volume(p, centre, points, s.grid.dim);
    return (p.map ? weights_of_shell(p, terms) : weights(s, level, centre, by_block)) *
           cell_of(p, points, centre, s.grid.dim);
  }
  // The sum of all weights where axes are stretched, which are of one level: the same bits whatever the blocks are.
  static double volume(const Patch& p, const std::array<Centre, 3>& centre, const Box& points, int dim) {
    double product = 1;
    for (int d = 0; d < dim; ++d) {
      const bool ends = centre[d] == Centre::vertex && !p.periodic[d];
      double length = 0;
      for (int i = points.lo[d]; i < points.hi[d]; ++i)
        length += (ends && (i == p.cells.lo[d] || i == p.cells.hi[d]) ? 0.5 : 1.0) * p.distance(d, centre[d], i);
      product *= length;
    }
    return product;
  }
  // The sum of the weights of a shell's points: once, for all six have the same.
  double weights_of_shell(const Patch& p, const Terms& terms) {
    const Box points = p.points({}, 3);
    for_each_point(shell_weights_ ? Box{} : points, [&](int i, int j, int k) {
      double w = 1;
      for (const auto& [d, n] : {std::pair{0, i}, {1, j}, {2, k}})
        w *= n == points.lo[d] || n == points.hi[d] - 1 ? 0.5 : 1.0;
      const OnShell at{1, std::tan(p.coordinate(0, Centre::vertex, i)), std::tan(p.coordinate(1, Centre::vertex, j)),
          p.coordinate(2, Centre::vertex, k)};
      shell_weights_ += w * weight_on(at, terms.part, terms.cube);
    });
    return shell_weights_;
  }
  // The sum of the weights of points that no finer level has, too: of halves, hence exact.
  static double weights(const Simulation& s, int level, const std::array<Centre, 3>& centre, bool by_block) {
    const Patch& space = s.grid.levels[level].space;
    const Box all = space.points(centre, s.grid.dim);
    double sum = 0;
    for (const BlockHome& b : s.services.get<Driver>().all_blocks(s.grid, level)) {
      if (b.covered) continue;
      if (by_block) {
        sum += static_cast<double>(b.cells.points());
        continue;
      }
      const Box own = space.points(b.cells, centre, s.grid.dim);
      double product = 1;
      for (int d = 0; d < s.grid.dim; ++d)
        product *= own.extent(d) -
                   (halves(space, all, centre, d) ? 0.5 * ((own.lo[d] == all.lo[d]) + (own.hi[d] == all.hi[d])) : 0.0);
      sum += product;
    }
    return sum;
  }
  // Whether the points at the ends of the domain have half a cell.
  static bool halves(const Patch& p, const Box& points, const std::array<Centre, 3>& centre, int d) {
    return !p.periodic[d] && centre[d] == Centre::vertex && points.extent(d) > p.cells.extent(d);
  }
  // An even e with |v| ≤ 2ᵉ for all v, raised where so many points are summed that 63 bits would not hold them.
  static int scale_exponent(double largest, const Simulation& s) {
    int e = 0, bits = 0;
    std::frexp(largest, &e);
    double points = 0;
    for (const auto& l : s.grid.levels)
      points = std::max(points, static_cast<double>(grow(l.space.cells, {1, 1, 1}).points()));
    std::frexp(points, &bits);
    e += std::max(0, bits - 32);
    return e % 2 ? e + 1 : e;
  }

  static void place(
      Terms& t, const Grid& grid, const Patch& level, const Box& points, const std::array<Centre, 3>& centre) {
    t.cube = -grid.levels[0].space.lower[0];
    long long stride = 1;
    for (int d = 0; d < 3; ++d) {
      t.part[d] = 1 / largest_distance(level, centre, points, d);
      if (level.map && d == 0) t.part[d] = 1 / (level.outer_radius() * level.outer_radius());
      t.first[d] = points.lo[d];
      t.stride[d] = stride;
      stride *= points.extent(d);
      const bool half = halves(level, points, centre, d);
      t.lower_face[d] = half ? points.lo[d] : std::numeric_limits<int>::min();
      t.upper_face[d] = half ? points.hi[d] - 1 : std::numeric_limits<int>::min();
    }
  }

  static std::array<double, 3> coordinates(
      const Grid& grid, const Patch& level, const Box& points, const std::array<Centre, 3>& centre, long long number) {
    Index at = points.lo;
    for (int d = 0; d < grid.dim; ++d) at[d] += static_cast<int>(number % points.extent(d)), number /= points.extent(d);
    std::array<double, 3> x = level.place(centre, at);
    for (int d = grid.dim; d < 3; ++d) x[d] = 0;
    return x;
  }

  template <class Value>
  static void run(Simulation& s, const KernelTable& table, const VariableAccess& access, int level, Value& value) {
    auto boxes = boxes_of(s, level, Region::interior, s.groups[access.group].centre);
    std::erase_if(boxes, [&](const BlockBox& b) { return s.grid.blocks[b.block].covered; });
    launch(s, {.table = &table, .handles = {&access, 1}, .level = level, .result = &value, .who = "Reduce"}, boxes);
  }
  // Where levels meet, points of one have no partners of the other: each block is summed by itself, with its ends,
  // which are made valid.
  static bool sums_by_block(Simulation& s, const VariableAccess& a) {
    if (s.grid.levels.size() == 1) return false;
    for (int d = 0; d < s.grid.dim; ++d)
      if (s.groups[a.group].centre[d] == Centre::cell || s.grid.ghosts[d] == 0 || !alike(s, d)) return false;
    VariableAccess ends = a;
    ends.reach = 1, ends.corners = ends.inside = true;
    make_valid(s, s.grid.all(), {&ends, 1}, -1, kernel_space(s));
    return true;
  }
  // Whether all blocks have as many cells along an axis, and begin at multiples of these.
  static bool alike(const Simulation& s, int axis) {
    for (int l = 0; l < static_cast<int>(s.grid.levels.size()); ++l) {
      const auto blocks = s.services.get<Driver>().all_blocks(s.grid, l);
      for (const BlockHome& b : blocks) {
        const int n = b.cells.extent(axis), from = b.cells.lo[axis] - s.grid.levels[l].space.cells.lo[axis];
        if (n != blocks.front().cells.extent(axis) || from % n != 0) return false;
      }
    }
    return true;
  }
  // The sums of a level's blocks, each by the trapezoidal rule: points on its ends count half, whoever owns them.
  static void sum_by_block(
      Simulation& s, Passes& passes, Terms terms, const VariableAccess& access, int level, Moments& m) {
    m.sum = m.absolute = m.squares = FixedSum::identity();
    auto boxes = boxes_of(s, level, Region::interior, s.groups[access.group].centre);
    std::erase_if(boxes, [&](const BlockBox& b) { return s.grid.blocks[b.block].covered; });
    if (boxes.empty()) return;
    for (auto& [number, box] : boxes)
      for (int d = 0; d < s.grid.dim; ++d) {
        const Box& cells = s.grid.blocks[number].cells;
        box.hi[d] = cells.hi[d] + 1;
        terms.every[d] = cells.extent(d), terms.inv_every[d] = 1.0 / cells.extent(d);
        terms.lower_face[d] = terms.first[d], terms.upper_face[d] = std::numeric_limits<int>::min();
      }
    passes.set(passes.moments, terms);
    Moments sums = Moments::identity();
    launch(s, {.table = &passes.moments, .handles = {&access, 1}, .level = level, .result = &sums, .who = "Reduce"},
        boxes);
    m.sum = sums.sum, m.absolute = sums.absolute, m.squares = sums.squares;
  }
  template <class Value> static void combine(Simulation& s, const KernelTable& table, Value& value) {
    s.services.get<Driver>().combine_over_processes(&value, sizeof value, table.combine);
  }

  std::map<std::pair<int, ScalarType>, Passes> passes_;
  double shell_weights_ = 0;
};

void declare(Declaration& d) {
  d.describe("Minimum, maximum, sum, average and norms of grid functions, the same bits on any number of processes");
  d.provides<Reduction>([](const Parameters&) { return std::make_shared<Reducer>(); });
  d.needs<Driver>();
}
void schedule(Schedule&, const Parameters&) {}
}  // namespace Reduce
CEREUS_THORN(Reduce, Reduce::declare, Reduce::schedule)
