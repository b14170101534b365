// What the host's loop over a large kernel keeps of cells: of as many rows and planes as it reads around a point, in
// a tile of rows.
#pragma once
#include <climits>
#include <memory>
#include <vector>

#include "faces.hpp"
#include "large.hpp"
#include "wide_point.hpp"
namespace cereus::detail {
template <class K> inline constexpr bool keeps_cells = requires { K::keeps_cells; };
template <class K> constexpr int widest_read() {
  int n = 0;
  for (int r = 0; r < static_cast<int>(sizeof(K::reads) / sizeof(Reads)); ++r)  // of which nvcc knows no range
    for (const int along : K::reads[r].along) n = max(n, along);
  return n;
}

// The cells around a vector of points of a row.
template <class K, class Wide> struct CellsAround {
  using Many = typename Wide::Many;
  using Cell = decltype(some<K>().template cell<0, 0>(some<Wide>()));
  static constexpr int reach = widest_read<K>(), numbers = sizeof(Cell) / sizeof(Many);
  static_assert(sizeof(Cell) % sizeof(Many) == 0, "a cell is made of numbers");
  // Along each axis, where the first numbers of the cells of a row begin; the next are so many elements on.
  struct Rows {
    const typename Wide::Scalar* begin[3][2 * reach + 1];
    Offset apart;
  };
  const Rows* rows;
  Offset first;  // of the vector, in each row
  template <int axis, int n> CEREUS_KERNEL Cell get() const {
    const auto* from = rows->begin[axis][reach + n] + first;
    Cell cell;
    for (int m = 0; m < numbers; ++m) reinterpret_cast<Many*>(&cell)[m] = Many::load(from + m * rows->apart);
    return cell;
  }
};

// The cells that a thread keeps of a box, which it goes through in tiles of rows.
template <class K, class Wide> class KnownCells {
 public:
  using Around = CellsAround<K, Wide>;
  KnownCells(const BlockLaunch& b, int tile_rows)
      : first_(b.lo[0] - reach),
        points_((b.hi[0] - b.lo[0] + lanes - 1) / lanes * lanes + 2 * reach),
        rows_(Wide::dim < 2 ? 1 : (Wide::dim > 2 ? max(1, min(tile_rows, b.hi[1] - b.lo[1])) : 1) + 2 * reach),
        there_(static_cast<std::size_t>(planes * rows_), {INT_MIN, INT_MIN}),
        numbers_(std::make_unique_for_overwrite<Real[]>(
            there_.size() * static_cast<std::size_t>(Around::numbers * points_))) {}

  // Computes what is not there yet of the cells around a row; `at`: its points, by three indices.
  void begin_row(const K& k, int j, int l, const auto& at) {
    rows_around_.apart = points_;
    for (int n = -reach; n <= reach; ++n) {
      rows_around_.begin[0][reach + n] = row(k, j, l, at) + reach + n;
      if constexpr (Wide::dim > 1) rows_around_.begin[1][reach + n] = row(k, j + n, l, at) + reach;
      if constexpr (Wide::dim > 2) rows_around_.begin[2][reach + n] = row(k, j, l + n, at) + reach;
    }
  }
  Around around(int vector) const { return {&rows_around_, vector * lanes}; }

 private:
  using Real = typename Wide::Scalar;
  using Many = typename Wide::Many;
  static constexpr int lanes = Many::lanes, reach = Around::reach, planes = Wide::dim > 2 ? 2 * reach + 1 : 1;
  struct Row {
    int j, l;
    bool operator==(const Row&) const = default;
  };
  static int slot(int n, int slots) { return (n % slots + slots) % slots; }
  const Real* row(const K& k, int j, int l, const auto& at) {
    const auto n = static_cast<std::size_t>(slot(l, planes) * rows_ + slot(j, rows_));
    Real* const to = numbers_.get() + n * static_cast<std::size_t>(Around::numbers * points_);
    if (there_[n] == Row{j, l}) return to;
    there_[n] = {j, l};
    compute(k, j, l, at, to);
    return to;
  }
  __attribute__((noinline)) void compute(const K& kernel, int j, int l, const auto& at, Real* to) const {
    K k = kernel;
    number_handles(k);
    for (int i = 0; i < points_; i += lanes) {
      const int begin = min(i, points_ - lanes);  // no number behind the last that the loop itself would read
      const auto cell = k.template cell<0, 0>(at(first_ + begin, j, l));
      for (int m = 0; m < Around::numbers; ++m) reinterpret_cast<const Many*>(&cell)[m].store(to + m * points_ + begin);
    }
  }

  int first_, points_, rows_;  // of a row: the first point, and how many there are
  std::vector<Row> there_;     // in each place for one
  std::unique_ptr<Real[]> numbers_;
  typename Around::Rows rows_around_{};
};
}  // namespace cereus::detail
