// How the host's loop over a large kernel shares faces: what it computes for the upper faces of points is kept for the
// points behind them, along each axis.
#pragma once
#include <vector>

#include "faces.hpp"
#include "wide_point.hpp"
namespace cereus {
template <class K, class Wide> struct SharingPoint : Wide {
  using Flux = FluxOf<K, Wide>;
  static constexpr bool shares_faces = true;
  Flux* below[3];  // the upper fluxes of the points in front, along each axis: of those before a vector along x
  bool known[3];   // whether there are any yet
  template <int axis> CEREUS_KERNEL Sides<Flux> faces(const K& k) const {
    const Wide& p = *this;
    Sides<Flux> f;
    f.upper = k.template face<axis, 1>(p);
    if (known[axis]) f.lower = *below[axis];
    else f.lower = k.template face<axis, 0>(p);
    if constexpr (axis == 0) f.lower = behind(f.lower, known[0] ? Wide::Many::lanes - 1 : 0, f.upper);
    *below[axis] = f.upper;
    return f;
  }
  // The lower fluxes of a vector: one lane of `first`, then the upper fluxes but for the last.
  CEREUS_KERNEL static Flux behind(const Flux& first, int lane, const Flux& upper) {
    using Many = typename Wide::Many;
    static_assert(sizeof(Flux) % sizeof(Many) == 0, "a flux is made of numbers");
    Flux lower;
    for (int n = 0; n < static_cast<int>(sizeof(Flux) / sizeof(Many)); ++n) {
      Many& to = reinterpret_cast<Many*>(&lower)[n];
      to.v[0] = reinterpret_cast<const Many*>(&first)[n].v[lane];
      for (int l = 1; l < Many::lanes; ++l) to.v[l] = reinterpret_cast<const Many*>(&upper)[n].v[l - 1];
    }
    return lower;
  }
};
template <class K, class Wide, class Real> struct NumberOf<SharingPoint<K, Wide>, Real> : NumberOf<Wide, Real> {};

namespace detail {
// The fluxes that a thread keeps of a box: of a vector, a row and a plane.
template <class K, class Wide> class KnownFaces {
 public:
  using Point = SharingPoint<K, Wide>;
  explicit KnownFaces(const BlockLaunch& b)
      : first_(b.lo[1]),
        vectors_((b.hi[0] - b.lo[0] + Wide::Many::lanes - 1) / Wide::Many::lanes),
        row_(Wide::dim > 1 ? vectors_ : 0),
        plane_(Wide::dim > 2 ? vectors_ * (b.hi[1] - b.lo[1]) : 0),
        planes_(static_cast<std::size_t>(b.hi[1] - b.lo[1]), b.lo[2] - 2) {}
  void begin_row(int j, int l) {
    row_number_ = static_cast<std::size_t>(j - first_);
    known_[1] = row_number_ > 0 && j_ == j - 1 && planes_[row_number_ - 1] == l;
    known_[2] = planes_[row_number_] == l - 1;
    j_ = j, planes_[row_number_] = l;
  }
  Point point(const Wide& p, int vector) {
    const auto v = static_cast<std::size_t>(vector);
    return {p, {&vector_, row_.data() + v, plane_.data() + row_number_ * vectors_ + v}, {v > 0, known_[1], known_[2]}};
  }

 private:
  using Flux = typename Point::Flux;
  int first_, j_ = -1;
  std::size_t vectors_, row_number_ = 0;
  bool known_[3] = {};
  Flux vector_;
  std::vector<Flux> row_, plane_;
  std::vector<int> planes_;  // of each row: the last plane that was done
};
template <class Wide> struct NoFaces {
  using Point = Wide;
  explicit NoFaces(const BlockLaunch&) {}
  void begin_row(int, int) {}
  Point point(const Wide& p, int) { return p; }
};
}  // namespace detail
}  // namespace cereus
