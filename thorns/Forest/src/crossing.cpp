#include "crossing.hpp"

#include <cereus/error.hpp>
#include <cereus/kernel/map.hpp>

#include <algorithm>
#include <cmath>

#include "shells.hpp"
namespace Forest {
using namespace cereus;
namespace {
constexpr int more_on_ray = 2;
static_assert(Shells::most_points + more_on_ray == most_rows);
constexpr double rounding = 1e-9;  // of a spacing
using Place3 = std::array<double, 3>;
std::size_t at(int n) { return static_cast<std::size_t>(n); }

class Crosser {
 public:
  Crosser(const Patch& target, const Patch& donor, const Box& ghosts, int points, bool whole)
      : target_(target),
        donor_(donor),
        ghosts_(ghosts),
        owned_(donor.points({}, 3)),
        n_(points),
        whole_(whole) {
    made_.points = points;
  }
  Crossing make() {
    if (target_.map && donor_.map) add_lines();
    else if (donor_.map) add_spots_in_shell();
    else add_spots_in_cube();
    return std::move(made_);
  }

 private:
  Place3 place(const Index& i) const { return target_.place(std::array<Centre, 3>{}, i); }
  bool is_in_donor(const Place3& x) const { return donor_.map == 0 || shell_at(x) == donor_.map; }

  // The first of the points around a place along an axis of the donor: near the ends of the patch it moves inwards.
  int stencil(double where, int d, int points) const {
    if (where < owned_.lo[d] - rounding || where > owned_.hi[d] - 1 + rounding)
      throw Failure("Forest: a ghost point of a patch lies in no other one");
    return std::clamp(static_cast<int>(std::floor(where)) - points / 2 + 1, owned_.lo[d], owned_.hi[d] - points);
  }
  // Lagrange's weights of points 0 … n − 1 for a place between them.
  int add_weights(double where, int points) {
    const int begin = static_cast<int>(made_.weights.size());
    for (int i = 0; i < points && whole_; ++i) {
      double w = 1;
      for (int m = 0; m < points; ++m)
        if (m != i) w *= (where - m) / (i - m);
      made_.weights.push_back(w);
    }
    return begin;
  }
  void note_read(const DonorLine& l) {
    Index last = l.first;
    last[l.along] += l.points - 1, last[l.beside] += l.count - 1;
    for (int d = 0; d < 3; ++d) {
      made_.reads.lo[d] = std::min(made_.reads.lo[d], l.first[d]);
      made_.reads.hi[d] = std::max(made_.reads.hi[d], last[d] + 1);
    }
  }

  // One of the angles of a ghost point is that of points of the other shell. Threads of a device side by side take
  // values that follow each other here: a few of each line, and then those of the lines beside it, one layer of ghost
  // points further out, whose donors may lie side by side.
  void add_lines() {
    constexpr int piece = 8;
    const int out = ghosts_.extent(0) < ghosts_.extent(1) ? 0 : 1, beside = 1 - out;
    Index to{0, 0, ghosts_.lo[2]};
    for (to[beside] = ghosts_.lo[beside]; to[beside] < ghosts_.hi[beside]; ++to[beside]) {
      std::vector<DonorLine> lines;
      for (to[out] = ghosts_.lo[out]; to[out] < ghosts_.hi[out]; ++to[out])
        if (const Place3 x = place(to); is_in_donor(x)) lines.push_back(line(to, x));
      for (int done = 0; done < ghosts_.extent(2) && whole_; done += piece)
        for (DonorLine l : lines) {
          l.first[2] += done, l.to[2] += done, l.count = std::min(piece, l.count - done);
          made_.lines.push_back(l);
        }
    }
  }
  DonorLine line(const Index& to, const Place3& x) {
    const Place3 where = vertex_at(donor_, x);
    DonorLine l{.first = {0, 0, to[2]},
        .along = 0,
        .beside = 2,
        .count = ghosts_.extent(2),
        .points = 1,
        .weights = 0,
        .to = to};
    int between = 0;
    for (int d = 0; d < 2; ++d) {
      l.first[d] = static_cast<int>(std::lround(where[at(d)]));
      if (std::abs(where[at(d)] - l.first[d]) < rounding && owned_.lo[d] <= l.first[d] && l.first[d] < owned_.hi[d])
        continue;
      ++between, l.along = d, l.points = n_, l.first[d] = stencil(where[at(d)], d, n_);
      l.weights = add_weights(where[at(d)] - l.first[d], n_);
    }
    if (between == 0) l.weights = static_cast<int>(made_.weights.size()), made_.weights.push_back(1);
    if (between == 2) throw Failure("Forest: a ghost point of a shell lies on no line of points of the next one");
    note_read(l);
    return l;
  }

  static constexpr int none = -1;
  // Points around a place along an axis, and where their weights begin. Many ghost points take the same ones, found
  // once: of a place that is a point, rounding would find the points on either side.
  struct Around {
    int first = 0, weights = none;
  };
  Around around(double where, int d, int points) {
    const int first = stencil(where, d, points);
    return {first, add_weights(where - first, points)};
  }
  void find(Around& a, double where, int d) {
    if (a.weights == none) a = around(where, d, n_);
  }

  // In a shell, whose axes are a, b and r: all ghost points of a row along the axis of a have one b.
  void add_spots_in_shell() {
    const int normal = OnShell::axis(donor_.map, 0), of_a = OnShell::axis(donor_.map, 1),
              of_b = OnShell::axis(donor_.map, 2);
    begin(2);
    std::vector<Around> along_a(at(ghosts_.extent(normal) * ghosts_.extent(of_a)));
    Index to{};
    for (to[normal] = ghosts_.lo[normal]; to[normal] < ghosts_.hi[normal]; ++to[normal])
      for (to[of_b] = ghosts_.lo[of_b]; to[of_b] < ghosts_.hi[of_b]; ++to[of_b]) {
        next_group();
        Around b;
        for (to[of_a] = ghosts_.lo[of_a]; to[of_a] < ghosts_.hi[of_a]; ++to[of_a]) {
          const Place3 x = place(to);
          if (!is_in_donor(x)) continue;
          const Place3 where = vertex_at(donor_, x);
          Around& a =
              along_a[at((to[normal] - ghosts_.lo[normal]) * ghosts_.extent(of_a) + to[of_a] - ghosts_.lo[of_a])];
          find(a, where[0], 0), find(b, where[1], 1);
          add_spot(to, where[2], n_, [&](int plane) {
            return Row{{a.first, b.first, plane}, 1, 0, b.weights, a.weights};
          });
        }
      }
  }

  // The target's own one, or that where the point lies beyond the end of the shell.
  int sector_of(const Place3& x) const {
    const double own = std::abs(x[at(OnShell::axis(target_.map, 0))]) * (1 + rounding);
    return std::ranges::all_of(x, [&](double c) { return std::abs(c) <= own; }) ? target_.map : shell_at(x);
  }
  // In the cube: planes across the axis around which the shell lies. Where the ray from the origin through a ghost
  // point meets a plane is known there first: along one axis, then along the other. Rays that differ in b alone meet it
  // on one line. All this is of places on the ray, so the third interpolation, along the ray, is one as well; with two
  // points more, because on rays towards the cube's corners planes are √3 spacings apart.
  void add_spots_in_cube() {
    int map = 0;
    std::vector<Around> along_b;  // of planes and ghost points along b
    for (int i = ghosts_.lo[0]; i < ghosts_.hi[0]; ++i) {
      next_group();
      for (int j = ghosts_.lo[1]; j < ghosts_.hi[1]; ++j)
        for (int k = ghosts_.lo[2]; k < ghosts_.hi[2]; ++k) {
          const Place3 x = place({i, j, k});
          const int in = sector_of(x);
          if (in != map || (in != target_.map && k == ghosts_.lo[2])) {
            map = in, begin(OnShell::axis(map, 0)), next_group();
            along_b.assign(at(owned_.extent(across_) * ghosts_.extent(1)), {});
          }
          add_spot_on_ray({i, j, k}, x, map, along_b);
        }
      if (!whole_) continue;
      const auto behind = made_.spots.end() - ghosts_.extent(1) * ghosts_.extent(2);
      std::stable_sort(behind, made_.spots.end(), [](const Spot& a, const Spot& b) { return a.to[2] < b.to[2]; });
    }
  }
  void add_spot_on_ray(const Index& to, const Place3& x, int map, std::vector<Around>& along_b) {
    const int normal = OnShell::axis(map, 0), of_a = OnShell::axis(map, 1), of_b = OnShell::axis(map, 2);
    const auto where = [&](int plane, int axis) {  // the ray meets a plane
      const double out = donor_.lower[at(normal)] + plane * donor_.spacing[at(normal)];
      return (out * (x[at(axis)] / x[at(normal)]) - donor_.lower[at(axis)]) / donor_.spacing[at(axis)];
    };
    add_spot(to, vertex_at(donor_, x)[at(normal)], n_ + more_on_ray, [&](int plane) {
      Around& b = along_b[at((plane - owned_.lo[normal]) * ghosts_.extent(1) + to[1] - ghosts_.lo[1])];
      find(b, where(plane, of_b), of_b);
      Around& a = along_a_[at(plane - owned_.lo[normal])];
      find(a, where(plane, of_a), of_a);
      Index first{};
      first[normal] = plane, first[of_a] = a.first, first[of_b] = b.first;
      return Row{first, of_a, of_b, a.weights, b.weights};
    });
  }

  struct Row {  // of values that a spot reads
    Index first;
    int along, beside, weights_of_line, weights;
  };

  // From planes across an axis of the donor around the place `out`. row(plane): what is read there.
  template <class F> void add_spot(const Index& to, double out, int rows, F&& row) {
    const Around planes = around(out, across_, rows);
    Spot s{.to = to, .rows = rows, .outer = planes.weights, .line = {}, .first = {}, .weights = {}};
    for (int n = 0; n < rows; ++n) {
      const Row r = row(planes.first + n);
      s.line[at(n)] = line_of(r), s.first[at(n)] = r.first[r.beside], s.weights[at(n)] = r.weights;
    }
    if (whole_) made_.spots.push_back(s);
  }
  // The line of the group in a plane that has these values, or is next to them and gets them.
  int line_of(const Row& r) {
    Open& open = open_[at(r.first[across_] - owned_.lo[across_])];
    const int begin = r.first[r.beside], end = begin + n_;
    if (open.group == group_) {
      DonorLine& l = made_.inner[at(open.line)];
      int& first = l.first[r.beside];
      if (begin <= first + l.count && first <= end) {
        const int last = std::max(first + l.count, end);
        first = std::min(first, begin), l.count = last - first;
        note_read(l);
        return open.line;
      }
    }
    open = {group_, static_cast<int>(made_.inner.size())};
    made_.inner.push_back({r.first, r.along, r.beside, n_, n_, r.weights_of_line});
    note_read(made_.inner.back());
    return open.line;
  }
  void begin(int across) {
    across_ = across;
    open_.assign(at(owned_.extent(across)), {}), along_a_.assign(at(owned_.extent(across)), {});
  }

  void next_group() { ++group_, std::ranges::fill(along_a_, Around{}); }

  struct Open {
    int group = none, line = none;
  };
  const Patch &target_, &donor_;
  Box ghosts_, owned_;
  int n_, across_ = 0, group_ = 0;
  bool whole_;
  std::vector<Open> open_;       // the last line in each plane
  std::vector<Around> along_a_;  // of each plane where it is met by the rays of a group
  Crossing made_;
};
}  // namespace

Crossing make_crossing(const Patch& target, const Patch& donor, const Box& ghosts, int points, bool whole) {
  return Crosser(target, donor, ghosts, points, whole).make();
}
}  // namespace Forest
