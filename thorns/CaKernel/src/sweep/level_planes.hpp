// The planes of a sweep by levels: where they lie in shared memory, how they come in and move on, and what a thread has
// of them around a row.
#pragma once
#include "level_plan.hpp"
#include "vectors.hpp"
namespace cereus::sweep {
// A thread has `rows` vectors, one above the other along y.
template <class Prog> struct LevelPlanes {
  using Real = typename Prog::Real;
  static constexpr Program about = Prog::about;
  static constexpr Levels plan = levels_of(Prog::about);
  static constexpr TileShape tile = Prog::tile;
  static constexpr LevelShape shape = level_shape(Prog::tile, sizeof(Real));
  static constexpr Facts facts = level_facts(Prog::about, Prog::tile, sizeof(Real));
  static constexpr int rows = tile.rows, lanes = shape.vector, row_bytes = shape.pitch * static_cast<int>(sizeof(Real));
  static constexpr int down = reach_from(about, about.substeps - 1, 2, false),
                       lo_y = reach_from(about, about.substeps - 1, 1, false),
                       hi_y = reach_from(about, about.substeps - 1, 1, true);
  static constexpr int vectors_left = pieces(reach_from(about, about.substeps - 1, 0, false), lanes),
                       vectors_right = pieces(reach_from(about, about.substeps - 1, 0, true), lanes),
                       up = reach_from(about, about.substeps - 1, 2, true);
  static constexpr int most_slots = plan.slots(0);
  static constexpr bool reached(int i, int j, int k) {  // from a point, along one axis
    const int at[3] = {i, j, k};
    bool all = true;
    for (int d = 0; d < 3; ++d)
      all = all && -at[d] <= reach_from(about, about.substeps - 1, d, false) &&
            at[d] <= reach_from(about, about.substeps - 1, d, true);
    return all;
  }
  static constexpr int at_least_one(int n) { return n > 0 ? n : 1; }
  struct alignas(16) Vector {
    Real at[lanes];
  };

  const Arguments& a;
  char* own;                 // in shared memory: of the first plane, the thread's first row
  int below_row, above_row;  // from there to the rows of threads below and above
  int x, y, z;               // local coordinates of the first point, in the plane that came in
  int from_memory[rows];     // elements from a plane's point 0 to what is read, which always is in memory
  // Bytes to the planes of each level: from the centre up, then from the lowest one up to below the centre.
  int slot[plan.levels][most_slots];
  Vector below[plan.versions][at_least_one(down)][rows];
  Vector old[about.fields];  // what the step began with, where it is recalled
  // Around the row in hand, of the versions of the level before: its column of rows, and vectors beside and above it.
  Vector column[plan.versions][lo_y + rows + hi_y], left[plan.versions][at_least_one(vectors_left)],
      right[plan.versions][at_least_one(vectors_right)], above[plan.versions][plan.step];

  template <int l> CEREUS_KERNEL int plane_of() const { return z - l * plan.step; }
  template <int v> static constexpr int base() { return plan.first_plane[v] * shape.plane_bytes; }

  // Where a point, or the first of a few, is read along an axis: what is not there is not needed either.
  CEREUS_KERNEL int place(int axis, int at, int points = 1) const {
    const int n = a.end[axis];
    if (a.wraps >> axis & 1) at += at < 0 ? n : at >= n ? -n : 0;
    return within(at, a.readable.lo[axis], a.readable.hi[axis] - points + 1);
  }
  CEREUS_KERNEL const Real* memory(int f, int plane) const {
    return static_cast<const Real*>(a.in[f]) + place(2, plane) * Prog::plane;
  }
  // A field that no stage changes.
  template <int l, int i, int j, int k> CEREUS_KERNEL Real constant(int f, int row, int lane) const {
    return memory(f, plane_of<l>() + k)[place(0, x + lane + i) + place(1, y + row + j) * Prog::row];
  }
  // Where a row of threads' tile lies, from this thread's first row; beyond the tile, some row.
  CEREUS_KERNEL int row_at(int n) const {
    return n < 0 ? below_row + (n + lo_y) * row_bytes : n >= rows ? above_row + (n - rows) * row_bytes : n * row_bytes;
  }
  // Calls visit<v> for versions of a level.
  template <int l, class F> CEREUS_KERNEL static void each_version(F&& visit) {
    for_each_number<plan.versions>([&]<int v>() __attribute__((always_inline)) {
      if constexpr (plan.version_level[v] == l) visit.template operator()<v>();
    });
  }
  template <int v> CEREUS_KERNEL Vector plane_at(int slot, int row) const {
    return get<Vector>(own + slot + base<v>() + row * row_bytes);
  }
  // Loads what level l reads around a row, but for what the row before has.
  template <int l> CEREUS_KERNEL void look_around(int row) {
    each_version<l - 1>([&]<int v>() __attribute__((always_inline)) {
      const char* const here = own + slot[l - 1][0] + base<v>() + row_at(row);
#pragma unroll
      for (int n = row == 0 ? 0 : lo_y + row + hi_y; n <= lo_y + row + hi_y; ++n)
        column[v][n] = get<Vector>(own + slot[l - 1][0] + base<v>() + row_at(n - lo_y));
#pragma unroll
      for (int n = 0; n < vectors_left; ++n) left[v][n] = get<Vector>(here - 16 * (n + 1));
#pragma unroll
      for (int n = 0; n < vectors_right; ++n) right[v][n] = get<Vector>(here + 16 * (n + 1));
#pragma unroll
      for (int n = 0; n < up; ++n) above[v][n] = plane_at<v>(slot[l - 1][n + 1], row);
    });
    if constexpr (l == 1) keep_below<0>(row);
    recall<l>(row);
  }
  template <int l> CEREUS_KERNEL void recall(int row) {
    for_each_number<about.fields>([&]<int f>() __attribute__((always_inline)) {
      constexpr int v = plan.version[0][f];
      if constexpr (!plan.recalls[l][f] || (v >= 0 && l == 1)) return;
      else if constexpr (v >= 0)
        old[f] = plane_at<v>(slot[0][(plan.slots(0) - (l - 1) * plan.step) % plan.slots(0)], row);
      else old[f] = remembered<Vector>(memory(f, plane_of<l>()) + from_memory[row]);
    });
  }
  // Of a version of the level before, around a point.
  template <int v, int i, int j, int k> CEREUS_KERNEL Real version(int row, int lane) const {
    if constexpr (k < 0) return below[v][-k - 1][row].at[lane];
    else if constexpr (k > 0) return above[v][k - 1].at[lane];
    else {
      const int n = (lane + i + 16 * lanes) / lanes - 16, at = lane + i - n * lanes;
      return n == 0 ? column[v][lo_y + row + j].at[at] : n < 0 ? left[v][-n - 1].at[at] : right[v][n - 1].at[at];
    }
  }

  // What lies below the centre; the lowest plane gives way to the next one.
  template <int l> CEREUS_KERNEL void keep_below(int row) {
    constexpr int there = plan.below(l) < down ? plan.below(l) : down;
    each_version<l>([&]<int v>() __attribute__((always_inline)) {
#pragma unroll
      for (int d = 0; d < there; ++d) below[v][d][row] = plane_at<v>(slot[l][plan.slots(l) - 1 - d], row);
    });
  }
  template <int l> CEREUS_KERNEL void age_below(int row) {
    constexpr int there = plan.below(l);
    each_version<l>([&]<int v>() __attribute__((always_inline)) {
#pragma unroll
      for (int d = down - 1; d >= there; --d) below[v][d][row] = below[v][d - 1][row];
    });
  }
  CEREUS_KERNEL void load(int plane, int to, int row) const {
    for_each_number<about.fields>([&]<int f>() __attribute__((always_inline)) {
      constexpr int v = plan.version[0][f];
      if constexpr (v >= 0) bring(own + to + base<v>() + row * row_bytes, memory(f, plane) + from_memory[row]);
    });
  }
  template <int v> CEREUS_KERNEL void share(const Vector& made, int row) const {  // with other threads
    put(own + slot[plan.version_level[v]][plan.step] + base<v>() + row * row_bytes, made);
  }
  CEREUS_KERNEL void move_up() {  // all centres, to the next plane
    for_each_number<plan.levels>([&]<int l>() __attribute__((always_inline)) {
      constexpr int last = plan.slots(l) - 1;
      const int centre = slot[l][0];
#pragma unroll
      for (int n = 0; n < last; ++n) slot[l][n] = slot[l][n + 1];
      slot[l][last] = centre;
    });
    ++z;
  }
  // The thread takes its place in a tile of a column of tiles.
  CEREUS_KERNEL void take_place(char* all, int in_x, int in_y, int tiles) {
    own = all + level_guard + (in_y * shape.pitch + in_x) * static_cast<int>(sizeof(Real));
    below_row = -(in_y < lo_y ? in_y : lo_y) * row_bytes;
    above_row = (in_y + rows + hi_y <= shape.height ? rows : shape.height - in_y - hi_y) * row_bytes;
    x = a.begin[0] + tiles % a.columns[0] * facts.inner_x - facts.margin_lo + in_x;
    y = a.begin[1] + tiles / a.columns[0] * facts.inner_y - facts.lo[1] + in_y;
#pragma unroll
    for (int row = 0; row < rows; ++row)
      from_memory[row] = place(0, x, lanes) + place(1, y + row) * static_cast<int>(Prog::row);
    for_each_number<plan.levels>([&]<int l>() __attribute__((always_inline)) {
      for (int n = 0; n < most_slots; ++n) slot[l][n] = n * shape.plane_bytes;
    });
  }
};
}  // namespace cereus::sweep
