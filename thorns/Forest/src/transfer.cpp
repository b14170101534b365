#include "transfer.hpp"

#include <algorithm>

#include <cereus/kernel/lanes.hpp>

#include "parallel.hpp"
#include "values.hpp"

namespace Forest {
using namespace cereus;
namespace {
// A box of points somewhere, by the indices of the points.
struct Region {
  int place;
  Offset first;  // of the point `lo`
  Index lo;
  Offset row, plane;
  Offset at(const Index& p) const { return first + (p[0] - lo[0]) + (p[1] - lo[1]) * row + (p[2] - lo[2]) * plane; }
};
Region packed(int place, Offset first, const Box& box) {
  return {place, first, box.lo, box.extent(0), Offset{box.extent(0)} * box.extent(1)};
}

class Maker {
 public:
  Maker(const Simulation& s, const Known& from, const Known& to, int rank) : s_(s), from_(from), to_(to), rank_(rank) {}

  Transfer make(std::span<const Part> parts) {
    made_.cells = parts.front().plan->cells;
    for (const Part& part : parts) add(part);
    number(made_.local), number(made_.local_last);
    for (auto* lists : {&made_.pack, &made_.unpack})
      for (auto& [rank, list] : *lists) number(list);
    number(made_.interpolated), number(made_.interpolated_last);
    number_values(made_.lines), number_values(made_.lines_last);
    return std::move(made_);
  }

  Transfer make(const FacePlan& plan, InScratch at, Side side) {
    made_.cells = true, axis_ = plan.axis;
    waits_.assign(plan.faces.size(), false);
    for (const CoarseFace& f : plan.faces) {
      add(f, at, side != Side::finer);
      at.coarser += f.at.points(), at.finer += f.at.points();
    }
    if (side != Side::coarser) add(plan.moves);
    number(made_.local), number(made_.corrected);
    for (auto* lists : {&made_.pack, &made_.unpack})
      for (auto& [rank, list] : *lists) number(list);
    return std::move(made_);
  }

 private:
  Region block(const Block& b) const {
    const Layout l = s_.fields.layout(b);
    return {b.level, b.slot * l.size, l.first, l.stride[1], l.stride[2]};
  }
  // Point p of the box is point step · (p − shift) of the source, or its mirror image.
  Piece piece(
      const Box& box, int step, const Index& shift, const Region& from, const Region& to, unsigned mirrored = 0) const {
    Index first{}, steps{1, 1, 1};
    for (int d = 0; d < 3; ++d) {
      if (d < s_.grid.dim) steps[d] = mirrored >> d & 1 ? -step : step;
      first[d] = steps[d] * (box.lo[d] - shift[d]);
    }
    Piece p{from.at(first), to.at(box.lo), {steps[0], steps[1] * from.row, steps[2] * from.plane}, {to.row, to.plane},
        {box.extent(0), box.extent(1), box.extent(2)}, 0, from.place, to.place, {1, 1, 1}, mirrored};
    for (int d = 0; d < s_.grid.dim && made_.cells; ++d) p.mean[d] = d == axis_ ? 1 : step;
    return p;
  }
  // Ghost zones across x in whole sectors of a device's memory, four doubles, where both sides have room for that: a
  // part of a sector is read before it is written.
  Box in_sectors(const Move& m) const {
    constexpr int sector = 4;
    const int width = m.to.extent(0), more = (sector - width % sector) % sector;
    if (m.step != 1 || m.mirrored || m.prolongation != -1 || m.direction[0] == 0 || more == 0) return m.to;
    const Block &source = from_.at(m.level, m.source), &target = to_.at(m.target_level, m.target);
    const Layout l = s_.fields.layout(target);
    const int cells = target.cells.extent(0);
    const Index& g = s_.grid.ghosts;
    const Offset free = l.before - g[0] - g[1] * l.stride[1] - g[2] * l.stride[2];  // in front of the first row
    Box box = m.to;
    (m.direction[0] < 0 ? box.lo[0] : box.hi[0]) += m.direction[0] * more;
    const bool fits = cells % sector == 0 && l.stride[1] >= cells + 2 * (width + more) && free >= more &&
                      box.lo[0] - m.shift[0] >= source.cells.lo[0] && box.hi[0] - m.shift[0] <= source.cells.hi[0];
    return fits ? box : m.to;
  }
  void add(const Part& part) {
    const Plan& plan = *part.plan;
    coarse_.clear(), waits_.assign(plan.prolongations.size(), false);
    for (const Move& m : plan.moves)
      if (m.to_rank == rank_ && m.from != rank_ && m.prolongation >= 0)
        waits_[static_cast<std::size_t>(m.prolongation)] = true;
    for (const Prolongation& p : plan.prolongations) {
      if (p.shares >= 0) {
        coarse_.push_back(coarse_[static_cast<std::size_t>(p.shares)]);
        continue;
      }
      coarse_.push_back(packed(in_scratch, made_.scratch, p.gathered));
      made_.scratch += p.gathered.points();
    }
    add(plan.moves, part.filled);
    for (std::size_t n = 0; n < plan.prolongations.size(); ++n) {
      const Prolongation& p = plan.prolongations[n];
      const bool last = waits_[n];
      if (!p.crossing) add(p, coarse_[n], last ? made_.interpolated_last : made_.interpolated);
      else add_crossing(p, coarse_[n], last ? made_.lines_last : made_.lines, last ? made_.spots_last : made_.spots);
    }
  }
  // Of each move a place in a list, and in a message, one after the other; then all pieces beside each other.
  void add(const std::vector<Move>& moves, unsigned filled = 0) {
    struct Slot {
      const Move* move;
      std::vector<Piece>* list;
      std::size_t place;
      Offset message;
    };
    std::vector<Slot> slots;
    slots.reserve(moves.size()), made_.local.reserve(made_.local.size() + moves.size());
    for (const Move& m : moves) {
      if (filled && is_filled(m, filled, rank_)) continue;
      const bool mine = m.from == rank_, here = m.to_rank == rank_;
      const bool last = m.prolongation >= 0 && waits_[static_cast<std::size_t>(m.prolongation)];
      auto& list = !here ? made_.pack[m.to_rank] : !mine ? made_.unpack[m.from] : last ? made_.local_last : made_.local;
      Offset local = 0, &end = !here ? made_.outgoing[m.to_rank] : !mine ? made_.incoming[m.from] : local;
      slots.push_back({&m, &list, list.size(), end});
      end += m.to.points();
      list.emplace_back();
    }
    in_parallel(slots.size(),
        [&](std::size_t n) { (*slots[n].list)[slots[n].place] = piece_of(*slots[n].move, slots[n].message); });
  }
  Piece piece_of(const Move& m, Offset message) const {
    const bool mine = m.from == rank_, here = m.to_rank == rank_;
    const Region source = mine ? block(from_.at(m.level, m.source)) : packed(in_message, message, m.to);
    const Region target = !here                ? packed(in_message, message, m.to)
                          : m.prolongation < 0 ? block(to_.at(m.target_level, m.target))
                                               : coarse_[static_cast<std::size_t>(m.prolongation)];
    if (!mine) return piece(m.to, 1, {}, source, target);
    return piece(here ? in_sectors(m) : m.to, m.step, m.shift, source, target, m.mirrored);
  }
  // A face's own fluxes go to scratch; elsewhere in it is room for those of the finer leaves.
  void add(const CoarseFace& f, const InScratch& at, bool own) {
    const Region target = block(to_.at(f.level, f.target));
    coarse_.push_back(packed(in_scratch, at.finer, f.at));
    if (own) made_.local.push_back(piece(f.at, 1, {}, target, packed(in_scratch, at.coarser, f.at)));
    Index cell = f.at.lo;
    cell[axis_] -= f.side;
    const Offset added = f.side ? at.coarser : at.finer, taken = f.side ? at.finer : at.coarser;
    const double h = s_.grid.levels[static_cast<std::size_t>(f.level)].space.spacing[static_cast<std::size_t>(axis_)];
    made_.corrected.push_back({target.at(cell), {target.row, target.plane}, added, taken,
        {f.at.extent(0), f.at.extent(1), f.at.extent(2)}, 0, target.place, 1 / h});
  }
  void add(const Prolongation& p, const Region& coarse, std::vector<Interpolated>& list) {
    const Region target = block(to_.at(p.level, p.target));
    const Offset from_stride[] = {1, coarse.row, coarse.plane}, to_stride[] = {1, target.row, target.plane};
    Interpolated i{.scratch = coarse.at(p.from.lo),
        .stride = {},
        .to = target.at(p.to.lo),
        .to_stride = {},
        .extent = {},
        .size = {},
        .first_part = 0,
        .to_place = target.place,
        .along = {},
        .dim = s_.grid.dim,
        .first = {},
        .cells = made_.cells};
    for (int n = 0; n < 3; ++n) {
      const int d = p.axes[n];
      i.stride[n] = from_stride[d], i.to_stride[n] = to_stride[d];
      i.extent[n] = p.to.extent(d), i.size[n] = p.from.extent(d);
      i.first[n] = p.to.lo[d] - (d < s_.grid.dim ? 2 : 1) * p.from.lo[d];
      if (!made_.cells) i.along[n] = along(p.along[d].get());
    }
    list.push_back(i);
  }
  void add_crossing(
      const Prolongation& p, const Region& gathered, std::vector<Line>& lines, std::vector<InSpot>& spots) {
    const Region target = block(to_.at(p.level, p.target));
    const Crossing& c = *p.crossing;
    const int weights = static_cast<int>(made_.weights.size());
    made_.weights.insert(made_.weights.end(), c.weights.begin(), c.weights.end());
    const auto add_line = [&](const DonorLine& l, int place, Offset to, Offset stride) {
      Line made{.from = 0,
          .next = 0,
          .along = 0,
          .beside = 0,
          .to = to,
          .to_stride = stride,
          .from_place = 0,
          .to_place = place,
          .split = l.points,
          .points = l.points,
          .weight = weights + l.weights,
          .count = l.count,
          .first = 0};
      if (p.donors.numbers.empty()) {
        set_source(made, l, gathered, gathered, l.first), lines.push_back(made);
      } else {
        add_pieces(made, l, p.donors, lines);
      }
    };
    for (const DonorLine& l : c.lines) add_line(l, target.place, target.at(l.to), target.plane);
    std::vector<int> begin;  // of each inner line's values
    for (const DonorLine& l : c.inner) {
      begin.push_back(static_cast<int>(made_.of_lines) - l.first[l.beside]);
      add_line(l, of_lines, made_.of_lines, 1);
      made_.of_lines += l.count;
    }
    for (const Spot& s : c.spots) {
      InSpot in{target.at(s.to), target.place, c.points, s.rows, weights + s.outer, {}, {}};
      for (std::size_t n = 0; n < static_cast<std::size_t>(s.rows); ++n)
        in.from[n] = begin[static_cast<std::size_t>(s.line[n])] + s.first[n], in.weight[n] = weights + s.weights[n];
      spots.push_back(in);
    }
  }
  // A line from point `first` on, in regions with the same strides: from a split on in the next one.
  static void set_source(Line& made, const DonorLine& l, const Region& from, const Region& next, const Index& first) {
    const Offset strides[] = {1, from.row, from.plane};
    made.from = from.at(first), made.next = next.at(first);
    made.along = strides[l.along], made.beside = strides[l.beside], made.from_place = from.place;
  }
  // Of blocks that are read where they lie: a piece for each that the line goes through.
  void add_pieces(const Line& all, const DonorLine& l, const Donors& donors, std::vector<Line>& lines) const {
    Index first = l.first;
    for (int done = 0; done < l.count;) {
      Line piece = all;
      piece.to += done * all.to_stride;
      piece.count = std::min(l.count - done, donors.end(first, l.beside) - first[l.beside]);
      piece.split = std::min(l.points, donors.end(first, l.along) - first[l.along]);
      Index next = first;
      if (piece.split < l.points) next[l.along] += piece.split;
      const auto region = [&](const Index& at) { return block(from_.at(donors.level, donors.number(at))); };
      set_source(piece, l, region(first), region(next), first);
      lines.push_back(piece);
      done += piece.count, first[l.beside] += piece.count;
    }
  }
  // Where an interpolation begins in Transfer::along; null: that along an axis which the grid lacks.
  int along(const Interpolation* i) {
    const auto [found, fresh] = along_.try_emplace(i, static_cast<int>(made_.along.size()));
    if (fresh && !i) made_.along.push_back({0, weights({1.0}), 1});
    for (std::size_t n = 0; fresh && i && n < i->first.size(); ++n)
      made_.along.push_back({i->first[n], weights(i->weight[n]), static_cast<int>(i->weight[n].size())});
    return found->second;
  }
  int weights(const std::vector<double>& list) {
    const auto [found, fresh] = weights_.try_emplace(list, static_cast<int>(made_.weights.size()));
    if (fresh) made_.weights.insert(made_.weights.end(), list.begin(), list.end());
    return found->second;
  }
  static void number_values(std::vector<Line>& list) {
    unsigned values = 0;
    for (Line& l : list) l.first = std::exchange(values, values + static_cast<unsigned>(l.count));
  }
  template <class List> static void number(List& list) {
    unsigned parts = 0;
    for (auto& entry : list) entry.first_part = std::exchange(parts, parts + parts_of(entry));
  }

  const Simulation& s_;
  const Known &from_, &to_;
  int rank_;
  int axis_ = -1;  // of faces
  Transfer made_;
  std::vector<Region> coarse_;  // of each prolongation of a plan, or face
  std::vector<bool> waits_;     // for messages
  std::map<std::vector<double>, int> weights_;
  std::map<const Interpolation*, int> along_;
};

template <class F> void for_each_row(const int (&extent)[3], F&& f) {
  for (int k = 0; k < extent[2]; ++k)
    for (int j = 0; j < extent[1]; ++j) f(j, k);
}

template <class T> void move(const Piece& p, const Bases& bases) {
  const T* from = reinterpret_cast<const T*>(bases.at[p.from_place]) + p.from;
  T* to = reinterpret_cast<T*>(bases.at[p.to_place]) + p.to;
  if constexpr (!whole_number<T>)
    if (p.from_place == bases.summed)
      return for_each_row(p.extent, [&](int j, int k) {
        const Elements in = p.from + j * p.from_stride[1] + k * p.from_stride[2];
        T* out = to + j * p.to_stride[0] + k * p.to_stride[1];
        for (int i = 0; i < p.extent[0]; ++i) out[i] = mirrored(p, bases, sum_of<T>(bases, in + i * p.from_stride[0]));
      });
  for_each_row(p.extent, [&](int j, int k) {
    const T* in = from + j * p.from_stride[1] + k * p.from_stride[2];
    T* out = to + j * p.to_stride[0] + k * p.to_stride[1];
    if (is_mean(p)) {
      for (int i = 0; i < p.extent[0]; ++i) out[i] = mirrored(p, bases, mean_of(p, in + i * p.from_stride[0]));
    } else if (p.from_stride[0] == 1 && !p.mirrored) {
      std::copy_n(in, p.extent[0], out);
    } else {
      for (int i = 0; i < p.extent[0]; ++i) out[i] = mirrored(p, bases, in[i * p.from_stride[0]]);
    }
  });
}

// Σ weight · value, the points `stride` apart, for n values that lie `step` apart. Values at the same distance from the
// middle are added first, so that mirror images have the same bits.
template <class T>
void weigh(const double* weight, int points, const T* from, Offset stride, Offset step, T* to, int n) {
  const auto each = [&](auto by) {
    if (points == 1) {
      for (int i = 0; i < n; ++i) to[i] = from[i * by];
      return;
    }
    const bool even = points % 2 == 0 && weight[0] == weight[points - 1];
    std::fill_n(to, n, T{});
    for (int m = points / 2 - 1; even && m >= 0; --m) {
      const auto w = static_cast<T>(weight[m]);
      const T *low = from + m * stride, *high = from + (points - 1 - m) * stride;
      for (int i = 0; i < n; ++i) to[i] += w * (low[i * by] + high[i * by]);
    }
    for (int m = 0; !even && m < points; ++m) {
      const auto w = static_cast<T>(weight[m]);
      for (int i = 0; i < n; ++i) to[i] += w * from[m * stride + i * by];
    }
  };
  if (step == 1) each(std::integral_constant<Offset, 1>{});
  else each(step);
}

// Plane by plane along the last axis, then along the one before, then along the first.
template <class T> void interpolate(const Transfer& t, const Interpolated& p, const Bases& bases) {
  const T* coarse = reinterpret_cast<const T*>(bases.at[in_scratch]) + p.scratch;
  T* to = reinterpret_cast<T*>(bases.at[p.to_place]) + p.to;
  const int columns = p.size[0], rows = p.size[1];
  std::vector<T> row(static_cast<std::size_t>(columns)), plane(row.size() * static_cast<std::size_t>(rows));
  const auto along = [&](int axis, int n, const T* from, Offset stride, Offset step, T* values, int count) {
    const Along& a = t.along[static_cast<std::size_t>(p.along[axis] + n)];
    weigh(
        &t.weights[static_cast<std::size_t>(a.weight)], a.points, from + a.first * stride, stride, step, values, count);
  };
  for (int k = 0; k < p.extent[2]; ++k) {
    if (p.stride[0] == 1 && p.stride[1] == columns) along(2, k, coarse, p.stride[2], 1, plane.data(), columns * rows);
    else
      for (int b = 0; b < rows; ++b)
        along(2, k, coarse + b * p.stride[1], p.stride[2], p.stride[0], plane.data() + b * columns, columns);
    for (int j = 0; j < p.extent[1]; ++j) {
      along(1, j, plane.data(), columns, 1, row.data(), columns);
      T* out = to + j * p.to_stride[1] + k * p.to_stride[2];
      for (int i = 0; i < p.extent[0]; ++i) along(0, i, row.data(), 1, 1, out + i * p.to_stride[0], 1);
    }
  }
}
template <> void interpolate<std::int32_t>(const Transfer& t, const Interpolated& p, const Bases& bases) {
  const auto* coarse = reinterpret_cast<const std::int32_t*>(bases.at[in_scratch]) + p.scratch;
  auto* to = reinterpret_cast<std::int32_t*>(bases.at[p.to_place]) + p.to;
  const auto nearest = [&](int d, int n) {
    return heaviest(t.along[static_cast<std::size_t>(p.along[d] + n)], t.weights.data()) * p.stride[d];
  };
  for_each_row(p.extent, [&](int j, int k) {
    for (int i = 0; i < p.extent[0]; ++i)
      to[i * p.to_stride[0] + j * p.to_stride[1] + k * p.to_stride[2]] =
          coarse[nearest(0, i) + nearest(1, j) + nearest(2, k)];
  });
}

template <class T> void spread(const Interpolated& p, const Bases& bases) {
  const T* coarse = reinterpret_cast<const T*>(bases.at[in_scratch]) + p.scratch;
  T* to = reinterpret_cast<T*>(bases.at[p.to_place]) + p.to;
  for_each_row(p.extent, [&](int j, int k) {
    T* row = to + j * p.to_stride[1] + k * p.to_stride[2];
    for (int i = 0; i < p.extent[0]; ++i) row[i] = cell_within(p, coarse, i, j, k);
  });
}

template <class T> void interpolate(const Transfer& t, const Line& l, const Bases& bases) {
  const T* const all = reinterpret_cast<const T*>(bases.at[l.from_place]);
  T* const to = reinterpret_cast<T*>(bases.at[l.to_place]) + l.to;
  const double* const weights = &t.weights[static_cast<std::size_t>(l.weight)];
  if constexpr (whole_number<T>) {
    const int m = heaviest(weights, l.points);
    const T* const from = all + (m < l.split ? l.from : l.next) + m * l.along;
    for (int i = 0; i < l.count; ++i) to[i * l.to_stride] = from[i * l.beside];
  } else {
    with_points(l.points, [&]<class N>(N) {
      typename Parts<T>::Real weight[N::value];
      const T* at[N::value];
      for (int m = 0; m < N::value; ++m)
        weight[m] = static_cast<typename Parts<T>::Real>(weights[m]),
        at[m] = all + (m < l.split ? l.from : l.next) + m * l.along;
      const auto each = [&](auto beside, auto step) {
#pragma GCC ivdep
        for (int i = 0; i < l.count; ++i) {
          T sum{};
          for (int m = 0; m < N::value; ++m) sum += weight[m] * at[m][i * beside];
          to[i * step] = sum;
        }
      };
      constexpr std::integral_constant<Offset, 1> side_by_side;
      if (l.beside == 1 && l.to_stride == 1) each(side_by_side, side_by_side);
      else each(l.beside, l.to_stride);
    });
  }
}
template <class T> void interpolate(const Transfer& t, const InSpot& s, const Bases& bases) {
  const T* const values = reinterpret_cast<const T*>(bases.at[of_lines]);
  const double* const weights = t.weights.data();
  T& to = reinterpret_cast<T*>(bases.at[s.to_place])[s.to];
  if constexpr (whole_number<T>) {
    const int n = heaviest(weights + s.outer, s.rows);
    to = values[s.from[n] + heaviest(weights + s.weight[n], s.points)];
  } else {
    with_points(s.points, [&]<class N>(N) { to = value_of<N::value>(s, weights, values); });
  }
}

template <class T> void correct(const Corrected& p, double weight, const Bases& bases) {
  const T* fluxes = reinterpret_cast<const T*>(bases.at[in_scratch]);
  T* to = reinterpret_cast<T*>(bases.at[p.to_place]) + p.to;
  Offset n = 0;
  for_each_row(p.extent, [&](int j, int k) {
    T* row = to + j * p.to_stride[0] + k * p.to_stride[1];
    for (int i = 0; i < p.extent[0]; ++i) row[i] += correction(p, weight, fluxes, n++);
  });
}
}  // namespace

Transfer make_transfer(const Simulation& s, std::span<const Part> parts, const Known& from, const Known& to, int rank) {
  return Maker(s, from, to, rank).make(parts);
}
Transfer make_transfer(
    const Simulation& s, const FacePlan& plan, const Known& known, const InScratch& at, Side side, int rank) {
  return Maker(s, known, known, rank).make(plan, at, side);
}

void add_up_on_host(const AddedUp& a, const Bases& bases, ScalarType type) {
  visit_scalar(type, [&]<class T>(T) {
    if constexpr (!whole_number<T>)
      for (Offset n = a.first; n < a.first + a.count; ++n) add_up<T>(bases, n, a.weight, a.adds);
  });
}

void correct_on_host(std::span<const Corrected> list, double weight, const Bases& bases, ScalarType type) {
  visit_scalar(type, [&]<class T>(T) {
    if constexpr (!whole_number<T>) {
#pragma omp parallel for schedule(dynamic, 4)
      for (std::size_t n = 0; n < list.size(); ++n) correct<T>(list[n], weight, bases);
    }
  });
}

void move_on_host(std::span<const Piece> pieces, const Bases& bases, ScalarType type) {
  visit_scalar(type, [&]<class T>(T) {
#pragma omp parallel for schedule(dynamic, 4)
    for (std::size_t n = 0; n < pieces.size(); ++n) move<T>(pieces[n], bases);
  });
}

void interpolate_on_host(const Transfer& t, std::span<const Interpolated> list, const Bases& bases, ScalarType type) {
  visit_scalar(type, [&]<class T>(T) {
#pragma omp parallel for schedule(dynamic, 4)
    for (std::size_t n = 0; n < list.size(); ++n) {
      if (t.cells) spread<T>(list[n], bases);
      else interpolate<T>(t, list[n], bases);
    }
  });
}
void interpolate_on_host(const Transfer& t, std::span<const Line> list, const Bases& bases, ScalarType type) {
  visit_scalar(type, [&]<class T>(T) {
#pragma omp parallel for schedule(dynamic, 64)
    for (std::size_t n = 0; n < list.size(); ++n) interpolate<T>(t, list[n], bases);
  });
}
void interpolate_on_host(const Transfer& t, std::span<const InSpot> list, const Bases& bases, ScalarType type) {
  visit_scalar(type, [&]<class T>(T) {
#pragma omp parallel for schedule(static)
    for (std::size_t n = 0; n < list.size(); ++n) interpolate<T>(t, list[n], bases);
  });
}
}  // namespace Forest
