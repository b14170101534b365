// The transform goes axis by axis: slabs cut across the last axis have whole lines along the others; then they are cut
// across another, and the lines along the last are whole. The final sum runs over planes in their order, on rank 0.
#include "power.hpp"

#include "transform.hpp"

namespace Spectrum {
namespace {
// The variable's own points, in slabs.
void fill(Slab& slab, Context& c, const VariableAccess& a, const Boxes& slabs, const Communicator& comm) {
  const auto blocks = c.blocks();
  std::vector<Boxes> theirs(static_cast<std::size_t>(comm.size()));
  for (const BlockHome& b : c.service<Driver>().all_blocks(c.grid(), 0))
    theirs[b.owner].push_back(c.grid().levels[0].space.points(b.cells, c.group(a).centre, c.grid().dim));
  visit_scalar(c.type(a), [&]<class T>(T) {
    std::vector<View<const T>> views;
    for (const auto& b : blocks) views.push_back(c.view<T>(a, b));
    redistribute(comm, theirs, slabs, slab, [&](std::size_t b, int i, int j, int k) {
      const T& v = views[b](i, j, k);
      if constexpr (requires { v.re; }) return Complex(v.re, v.im);
      else return Complex(v, 0);
    });
  });
}

// The sums of all planes on rank 0, in the order of planes, which is that of processes.
std::vector<double> gather(
    const std::vector<double>& mine, const Boxes& slabs, int axis, int shells, const Communicator& comm) {
  std::vector<int> counts, at;
  int total = 0;
  for (const Box& slab : slabs) {
    counts.push_back(slab.extent(axis) * shells);
    at.push_back(total);
    total += counts.back();
  }
  std::vector<double> all(comm.rank() == 0 ? static_cast<std::size_t>(total) : 0);
  Analysis::check(MPI_Gatherv(mine.data(), static_cast<int>(mine.size()), MPI_DOUBLE, all.data(), counts.data(),
                      at.data(), MPI_DOUBLE, 0, comm.get()),
      "gathering sums");
  return all;
}
}  // namespace

std::vector<double> power_of(
    Context& c, const VariableAccess& a, const Shells& shells, const Communicator& comm, Slab& slab) {
  const Box& domain = c.grid().levels.front().space.cells;
  const int dim = c.grid().dim, last = dim - 1,
            other = dim == 1 ? 1 : last - 1;  // in 1D one process has the whole line
  const Boxes across_last = cut(domain, last, comm.size()), across_other = cut(domain, other, comm.size());

  fill(slab, c, a, across_last, comm);
  for (int axis = 0; axis < last; ++axis) transform(slab, axis);
  if (comm.size() > 1) {
    std::vector<Boxes> from;
    for (const Box& box : across_last) from.push_back({box});
    redistribute(comm, from, across_other, slab, [&](std::size_t, int i, int j, int k) { return slab(i, j, k); });
  }
  transform(slab, last);

  const auto planes = gather(sum_planes(slab, other, shells), across_other, other, shells.count(), comm);
  std::vector<double> power(comm.rank() == 0 ? static_cast<std::size_t>(shells.count()) : 0);
  for (std::size_t n = 0; n < planes.size(); ++n) power[n % power.size()] += planes[n];
  const auto points = static_cast<double>(domain.points());
  for (double& p : power) p /= points * points;  // Parseval: Σ |f̂|² = N Σ |f|², and the mean has another N
  return power;
}
}  // namespace Spectrum
