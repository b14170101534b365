// How the thread blocks of a late kernel go through a box, as host and device see it.
#pragma once
#include <cereus/kernel/launch.hpp>
namespace cereus::detail {
// A box is cut across x into strips of about x points, as wide as each other. Where x nearly divides the points, strips
// have x of them, and the last one up to an eighth more or less: 257 points are seven times 32 and 33. (Nine times 29
// took BSSN's kernel 14 % longer on an H200, because warps did not fill rows.) A thread block has x · y · z threads:
// they take x · y points one after another, row by row and plane by plane through the rows of a tile in a strip, and
// each goes up through `march` points, by z. Strips make tiles of about so many columns and rows; thread blocks go
// through a tile, then up through all planes, then to the next tile: what a tile reads of the planes around is still in
// the cache (1.7 times as fast as plane by plane). A multiprocessor is to have registers for so many thread blocks.
// Where faces are shared, all strips are as wide as each other, a row begins with the face below its first point, the
// first thread of each 32 has a face for the second alone, and each plane begins with a thread block.
struct LateShape {
  int x, y, z, columns, rows, blocks, march = 1;
  bool shares = false;
  int threads() const { return x * y * z; }
  int points() const { return shares ? x * y / 32 * 31 : x * y; }  // of a thread block, but for z
  int planes() const { return z * march; }
};
// A number that is known before a launch: n < 2³¹ is divided by it in a multiplication and a shift (Granlund and
// Montgomery, PLDI 1994).
struct Divisor {
  unsigned by, factor, shift;
  static Divisor of(int n) {
    unsigned shift = 0;
    while ((1ULL << shift) < static_cast<unsigned long long>(n)) ++shift;
    return {static_cast<unsigned>(n), static_cast<unsigned>((((1ULL << shift) - n) << 32) / n + 1), shift};
  }
  // The remainder; n becomes the quotient.
  CEREUS_KERNEL int divide(unsigned& n) const {
    const auto high = static_cast<unsigned>((static_cast<unsigned long long>(n) * factor) >> 32);
    const unsigned quotient = (high + n) >> shift, rest = n - quotient * by;
    n = quotient;
    return static_cast<int>(rest);
  }
};
// A plane of a tile stands for as many planes of points as a thread block goes up through.
struct Walk {
  Divisor tiles, strips;     // tiles along x; strips in a tile
  Divisor blocks;            // thread blocks in a strip of a tile; where faces are shared, in one of its planes
  Divisor planes;            // planes of a tile, where faces are shared
  Divisor plane[2], row[2];  // points in a plane of a strip of a tile; in a row of it. Of the last strip: [1]
  int rows, last;            // rows of a tile; the last strip
  unsigned thread_blocks;    // in all

  // Through boxes of at most this size.
  static Walk of(const LateShape& s, const int (&size)[3]) {
    const auto pieces = [](long n, long by) { return static_cast<int>((n + by - 1) / by); };
    const auto larger = [](int a, int b) { return a > b ? a : b; };
    const auto smaller = [](long a, int b) { return a < b ? static_cast<int>(a) : b; };
    const int whole = larger(1, (size[0] + s.x / 2) / s.x), rest = size[0] - (whole - 1) * s.x;
    const bool fit = !s.shares && 8 * rest >= 7 * s.x && 8 * rest <= 9 * s.x;
    const int strips = fit ? whole : pieces(size[0], s.x), equal = pieces(size[0], strips) + s.shares,
              usual = fit && strips > 1 ? s.x : equal, last = fit ? rest : equal, most = larger(usual, last);
    // Numbers of points in a strip of a tile stay below 2³¹.
    const int planes = pieces(size[2], s.planes()),
              fitting = larger(1, smaller((1L << 30) / (long{most} * planes), size[1])),
              rows = smaller(fitting, pieces(size[1], pieces(size[1], s.rows)));
    const int in_tile = smaller(larger(1, s.columns / s.x), strips), tiles = pieces(strips, in_tile),
              blocks = s.shares ? pieces(most * rows - 1, s.points()) : pieces(long{most} * rows * planes, s.points()),
              all = tiles * in_tile * pieces(size[1], rows) * (s.shares ? planes : 1);
    return {Divisor::of(tiles), Divisor::of(in_tile), Divisor::of(blocks), Divisor::of(planes),
        {Divisor::of(usual * rows), Divisor::of(last * rows)}, {Divisor::of(usual), Divisor::of(last)}, rows,
        strips - 1, static_cast<unsigned>(all) * static_cast<unsigned>(blocks)};
  }
};
// Where the point number `n` of thread block `at` is, which takes so many points one after another; `plane` is that of
// its tile, `rows` where the tile ends. `faces`: whether rows begin with a face, at the point before the box.
struct WalkedPoint {
  int i, j, rows, plane = 0;
  bool begins;  // it is the face at the beginning of a row
  CEREUS_KERNEL WalkedPoint(const Walk& w, const BlockLaunch& b, unsigned at, int points, int n, bool faces) {
    const int in_tile = w.strips.divide(at), block = w.blocks.divide(at);
    if (faces) plane = w.planes.divide(at);
    const int strip = w.tiles.divide(at) * static_cast<int>(w.strips.by) + in_tile, last = strip == w.last;
    auto row = static_cast<unsigned>(block * points + n);
    if (!faces) {
      const int in_plane = w.plane[last].divide(row);
      plane = static_cast<int>(row), row = static_cast<unsigned>(in_plane);
    }
    const int width = static_cast<int>(w.row[0].by) - faces, begin = static_cast<int>(at) * w.rows;
    const int in_row = w.row[last].divide(row), end = b.lo[1] + begin + w.rows;
    begins = faces && in_row == 0;
    i = strip > w.last ? b.hi[0] : b.lo[0] + strip * width + in_row - faces;
    j = b.lo[1] + begin + static_cast<int>(row);
    rows = end < b.hi[1] ? end : b.hi[1];
  }
};
}  // namespace cereus::detail
