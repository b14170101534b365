// What a plan is made of in memory: plain lists, which hosts and devices read. No address is in them.
#pragma once
namespace Forest {
using Elements = long;  // as cereus::Offset

// Where elements lie: in the slab of a level, from the first point of slot 0; in scratch; in a message; in scratch for
// values of lines.
inline constexpr int most_places = 23, in_scratch = 20, in_message = 21, of_lines = 22, most_terms = 5;
struct Bases {  // of one variable
  char* at[most_places];
  unsigned odd;  // axes (bits) whose mirrors change its sign
  // Where levels subcycle, what is read of a level for a finer one is a sum: Σ factor · buffer.
  int summed = -1, terms = 0;  // the level, if there is one
  char* from[most_terms];
  double factor[most_terms];
};

inline constexpr int points_a_part = 256;
constexpr unsigned parts_of(const int (&extent)[3]) {
  return (static_cast<unsigned>(extent[0]) * extent[1] * extent[2] + points_a_part - 1) / points_a_part;
}
struct Piece {                                      // a box of points
  Elements from, to, from_stride[3], to_stride[2];  // along x the target has no gaps
  int extent[3];
  unsigned first_part;  // of the list: a piece has parts of points_a_part points, the last one fewer
  int from_place, to_place;
  int mean[3];  // along each axis, of so many elements that follow each other with stride |from_stride| / mean; 1:
                // copied
  unsigned mirrored;  // axes (bits), whose from_stride is negative
};

// Value n along an axis: Σ_m weights[weight + m] · coarse[first + m], of so many points.
struct Along {
  int first, weight, points;
};
// A box of points, from a box of coarse ones in scratch. Of vertices, axes come in the order of Prolongation::axes, and
// a part is a tile of a plane across the last.
struct Interpolated {
  Elements scratch, stride[3], to, to_stride[3];
  int extent[3], size[3];  // fine and coarse points
  unsigned first_part;
  int to_place, along[3];  // vertices: where the entries of its axes begin
  int dim, first[3];       // cells: which half of a coarse one the first is, from the first coarse one
  bool cells;
};
// Columns and rows of a tile are so many at most, and about as many in all tiles; the coarse ones below it are half as
// many and up to `most_points` of an interpolation.
inline constexpr int tile = 44, most_points = 12, coarse_tile = tile / 2 + most_points;
constexpr int pieces_of(int n, int by) { return (n + by - 1) / by; }
constexpr unsigned parts_of(const Interpolated& p) {
  return p.cells ? parts_of(p.extent)
                 : static_cast<unsigned>(pieces_of(p.extent[0], tile)) * pieces_of(p.extent[1], tile) * p.extent[2];
}
template <class Entry> constexpr unsigned parts_of(const Entry& p) { return parts_of(p.extent); }
// Values n = 0 … count − 1 along a line, Σ_m weights[weight + m] · the element from + m · along + n · beside; from
// m = `split` on of the element next + m · along + n · beside, because they lie in another block.
struct Line {
  Elements from, next, along, beside, to, to_stride;
  int from_place, to_place, split, points, weight, count;
  unsigned first;  // the number of its first value in the list
};
constexpr unsigned line_group = 32;  // a table behind the list says which line the first of so many values belongs to
// Σ_n Σ_m weights[outer + n] weights[weight[n] + m] · value from[n] + m of lines, in so many rows n of `points` m.
inline constexpr int most_rows = 10;
struct InSpot {
  Elements to;
  int to_place, points, rows, outer, from[most_rows], weight[most_rows];
};
struct Corrected {  // a layer of cells, by inv_h times the difference of two fluxes in scratch, which lie without gaps
  Elements to, to_stride[2], added, taken;
  int extent[3];
  unsigned first_part;
  int to_place;
  double inv_h;
};

// Kernels of a device, null where there is none. Arguments: the list with its table of parts, its length, the kind of
// scalar (and of_cells), Batch; the list, its length, Along, weights, that kind, Batch; and the list, its length, the
// weight, that kind, Batch. A thread block takes a part for one variable, or, where it moves points, for all; of lines
// and spots for `at_once` variables.
inline constexpr int most_variables = 13, threads = 128, at_once = 4;
struct Batch {
  Bases variable[most_variables];
  int variables;
};
static_assert(sizeof(Batch) <= 4096 - 64 && most_variables <= 16);  // all arguments of a kernel are at most 4 KiB
enum class Scalar : int { float32, float64, complex64, complex128, int32 };
inline constexpr int scalars = 5, of_cells = 8;
extern const void* const move_kernels[scalars];  // by kind of scalar
extern const void* const interpolate_kernels[scalars];
extern const void* const line_kernels[scalars];  // the list with its table, its length, values, weights, kind, Batch
extern const void* const spot_kernels[scalars];  // the list, its length, weights, kind, Batch
extern const void* const correct_kernel;
extern const void* const
    add_up_kernel;  // elements from … to − 1 of scratch, the weight, whether they are added, kind, Batch
}  // namespace Forest
