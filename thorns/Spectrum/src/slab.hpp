// The domain in slabs, one a process: along all axes but the one that is cut, whole lines lie on one process.
#pragma once
#include <Analysis/communicator.hpp>
#include <cereus/box.hpp>
#include <complex>

namespace Spectrum {
using namespace cereus;
using Analysis::Communicator;
using Complex = std::complex<double>;
using Boxes = std::vector<Box>;

struct Slab {  // kept from one output to the next: fresh memory takes longer than what happens in it
  Box box;
  std::vector<Complex> values, sent;  // x fastest; and what changes hands
  Complex& operator()(int i, int j, int k) {
    const std::int64_t line = std::int64_t{k - box.lo[2]} * box.extent(1) + (j - box.lo[1]);
    return values[static_cast<std::size_t>(line * box.extent(0) + (i - box.lo[0]))];
  }
};

// The slab of each process once the domain is cut across an axis; with more processes than planes some have nothing.
Boxes cut(const Box& domain, int axis, int processes);
// counts[p] of the values go to process p, from[p] come from it. Collective.
std::vector<Complex> exchange(const Communicator&, const std::vector<Complex>& values, const std::vector<int>& counts,
    const std::vector<int>& from);

// Calls f(i, j, k, number of the point in the box, x fastest) on the threads of this process.
template <class F> void for_each_numbered(const Box& box, F&& f) {
  const std::int64_t row = box.extent(0), rows = box.empty() ? 0 : box.points() / row;
#pragma omp parallel for schedule(static)
  for (std::int64_t r = 0; r < rows; ++r) {
    const int j = box.lo[1] + static_cast<int>(r % box.extent(1)), k = box.lo[2] + static_cast<int>(r / box.extent(1));
    for (int i = 0; i < row; ++i) f(box.lo[0] + i, j, k, static_cast<std::size_t>(r * row + i));
  }
}

// Fills my slab of `to`. Process p has the boxes from[p]; value(b, i, j, k) is that of a point in box b of mine, and
// may look at the slab as it was. Collective.
template <class Value>
void redistribute(
    const Communicator& comm, const std::vector<Boxes>& from, const Boxes& to, Slab& slab, Value&& value) {
  const auto me = static_cast<std::size_t>(comm.rank());
  std::size_t points = 0;
  for (const Box& box : from[me]) points += static_cast<std::size_t>(box.points());
  slab.sent.resize(points);
  std::vector<int> counts(to.size()), coming(to.size());
  std::size_t at = 0;
  for (std::size_t p = 0; p < to.size(); ++p) {
    for (std::size_t b = 0; b < from[me].size(); ++b) {
      const Box piece = intersect(from[me][b], to[p]);
      for_each_numbered(piece, [&](int i, int j, int k, std::size_t n) { slab.sent[at + n] = value(b, i, j, k); });
      at += static_cast<std::size_t>(piece.points());
      counts[p] += static_cast<int>(piece.points());
    }
    for (const Box& box : from[p]) coming[p] += static_cast<int>(intersect(box, to[me]).points());
  }
  if (comm.size() > 1) slab.sent = exchange(comm, slab.sent, counts, coming);
  slab.box = to[me], slab.values.resize(slab.sent.size());
  at = 0;
  for (const Boxes& boxes : from)
    for (const Box& box : boxes) {
      const Box piece = intersect(box, slab.box);
      for_each_numbered(piece, [&](int i, int j, int k, std::size_t n) { slab(i, j, k) = slab.sent[at + n]; });
      at += static_cast<std::size_t>(piece.points());
    }
}
}  // namespace Spectrum
