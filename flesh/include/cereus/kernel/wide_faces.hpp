// How the host's loop over a large kernel shares faces: what it computes for the upper faces of points is kept for the
// points behind them, along each axis; and what it computes of cells, where the kernel has something of a cell alone.
#pragma once
#include <type_traits>

#include "wide_cells.hpp"
namespace cereus {
namespace detail {
struct Nothing {};
template <class K, class P> inline constexpr bool has_sides = requires(const K& k, const P& p) {
  k.template sides<0, 0>(p);
};
// What is kept of a face: the flux across it, and what the cell above is at its upper face.
template <class K, class P, bool sides = has_sides<K, P>> struct KeptFace {
  FluxOf<K, P> flux;
  decltype(some<K>().template sides<0, 0>(some<P>()).upper) side;
};
template <class K, class P> struct KeptFace<K, P, false> { FluxOf<K, P> flux; };
}  // namespace detail

template <class K, class Wide, class Cells> struct SharingPoint : Wide {
  using Flux = FluxOf<K, Wide>;
  using Kept = detail::KeptFace<K, Wide>;
  using Many = typename Wide::Many;
  static constexpr bool shares_faces = true;
  Kept* below[3];  // of the points in front, along each axis: of those before a vector along x
  bool known[3];   // whether there are any yet
  Cells cells;
  template <int axis, int n>
  requires requires(const Cells& c) { c.template get<axis, n>(); }
  CEREUS_KERNEL auto cell(const K&) const { return cells.template get<axis, n>(); }
  template <int axis> CEREUS_KERNEL Sides<Flux> faces(const K& k) const {
    const SharingPoint& p = *this;
    Kept& kept = *below[axis];
    Sides<Flux> f;
    if (known[axis]) f.lower = kept.flux;
    else f.lower = k.template face<axis, 0>(p);
    if constexpr (detail::has_sides<K, Wide>) {
      const auto ahead = k.template sides<axis, 1>(p);
      auto here = ahead.upper;
      if (known[axis]) here = kept.side;
      else here = k.template sides<axis, 0>(p).upper;
      if constexpr (axis == 0) here = behind(here, ahead.upper);
      f.upper = k.template across<axis, 1>(p, here, ahead.lower);
      kept.side = ahead.upper;
    } else {
      f.upper = k.template face<axis, 1>(p);
    }
    if constexpr (axis == 0) f.lower = behind(f.lower, f.upper);
    kept.flux = f.upper;
    return f;
  }

 private:
  // What is below the points of a vector along x, of what is above them: one number of what was there, then all but
  // the last.
  template <class T> CEREUS_KERNEL T behind(const T& before, const T& above) const {
    static_assert(sizeof(T) % sizeof(Many) == 0, "a flux is made of numbers");
    const int lane = known[0] ? Many::lanes - 1 : 0;
    T below;
    for (int n = 0; n < static_cast<int>(sizeof(T) / sizeof(Many)); ++n) {
      Many& to = reinterpret_cast<Many*>(&below)[n];
      to.set(0, reinterpret_cast<const Many*>(&before)[n].at(lane));
      for (int l = 1; l < Many::lanes; ++l) to.set(l, reinterpret_cast<const Many*>(&above)[n].at(l - 1));
    }
    return below;
  }
};
template <class K, class Wide, class Cells, class Real>
struct NumberOf<SharingPoint<K, Wide, Cells>, Real> : NumberOf<Wide, Real> {};

namespace detail {
template <class K, class Wide> struct NoCells {
  using Around = Nothing;
  NoCells(const BlockLaunch&, int) {}
  void begin_row(const K&, int, int, const auto&) {}
  Around around(int) const { return {}; }
};
// What a thread keeps of a box: faces of a vector, a row and a plane; cells.
template <class K, class Wide> class KnownFaces {
 public:
  using Cells = std::conditional_t<keeps_cells<K>, KnownCells<K, Wide>, NoCells<K, Wide>>;
  using Point = SharingPoint<K, Wide, typename Cells::Around>;
  KnownFaces(const BlockLaunch& b, int tile_rows)
      : first_(b.lo[1]),
        vectors_((b.hi[0] - b.lo[0] + Wide::Many::lanes - 1) / Wide::Many::lanes),
        row_(std::make_unique_for_overwrite<Kept[]>(Wide::dim > 1 ? vectors_ : 0)),
        plane_(std::make_unique_for_overwrite<Kept[]>(Wide::dim > 2 ? vectors_ * (b.hi[1] - b.lo[1]) : 0)),
        planes_(static_cast<std::size_t>(b.hi[1] - b.lo[1]), b.lo[2] - 2),
        cells_(b, tile_rows) {}
  void begin_row(const K& k, int j, int l, const auto& at) {
    row_number_ = static_cast<std::size_t>(j - first_);
    known_[1] = row_number_ > 0 && j_ == j - 1 && planes_[row_number_ - 1] == l;
    known_[2] = planes_[row_number_] == l - 1;
    j_ = j, planes_[row_number_] = l;
    cells_.begin_row(k, j, l, at);
  }
  Point point(const Wide& p, int vector) {
    const auto v = static_cast<std::size_t>(vector);
    return {p, {&vector_, row_.get() + v, plane_.get() + row_number_ * vectors_ + v}, {v > 0, known_[1], known_[2]},
        cells_.around(vector)};
  }

 private:
  using Kept = typename Point::Kept;
  int first_, j_ = -1;
  std::size_t vectors_, row_number_ = 0;
  bool known_[3] = {};
  Kept vector_;
  std::unique_ptr<Kept[]> row_, plane_;
  std::vector<int> planes_;  // of each row: the last plane that was done
  Cells cells_;
};
template <class K, class Wide> struct NoFaces {
  using Point = Wide;
  NoFaces(const BlockLaunch&, int) {}
  void begin_row(const K&, int, int, const auto&) {}
  Point point(const Wide& p, int) { return p; }
};
}  // namespace detail
}  // namespace cereus
