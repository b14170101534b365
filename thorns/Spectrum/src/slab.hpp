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

struct Slab {
  Box box;
  std::vector<Complex> values;  // x fastest
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

// My slab of `to`. Process p has the boxes from[p]; value(b, i, j, k) is that of a point in box b of mine. Collective.
template <class Value>
Slab redistribute(const Communicator& comm, const std::vector<Boxes>& from, const Boxes& to, Value&& value) {
  const auto me = static_cast<std::size_t>(comm.rank());
  std::vector<Complex> values;
  std::int64_t points = 0;
  for (const Box& box : from[me]) points += box.points();
  values.reserve(static_cast<std::size_t>(points));
  std::vector<int> counts(to.size()), coming(to.size());
  for (std::size_t p = 0; p < to.size(); ++p) {
    for (std::size_t b = 0; b < from[me].size(); ++b) {
      const Box piece = intersect(from[me][b], to[p]);
      for_each_point(piece, [&](int i, int j, int k) { values.push_back(value(b, i, j, k)); });
      counts[p] += static_cast<int>(piece.points());
    }
    for (const Box& box : from[p]) coming[p] += static_cast<int>(intersect(box, to[me]).points());
  }
  values = exchange(comm, values, counts, coming);
  Slab slab{to[me], std::vector<Complex>(values.size())};
  auto next = values.begin();
  for (const Boxes& boxes : from)
    for (const Box& box : boxes)
      for_each_point(intersect(box, slab.box), [&](int i, int j, int k) { slab(i, j, k) = *next++; });
  return slab;
}
}  // namespace Spectrum
