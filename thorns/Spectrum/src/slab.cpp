// Who has which planes, and the collective calls by which values change hands.
#include "slab.hpp"

#include <limits>
#include <numeric>

namespace Spectrum {
using Analysis::check;

namespace {
std::vector<int> offsets(const std::vector<int>& counts) {
  std::vector<int> at(counts.size());
  std::exclusive_scan(counts.begin(), counts.end(), at.begin(), 0);
  return at;
}
void require_few(std::size_t values) {
  if (values > std::numeric_limits<int>::max())  // MPI counts are ints
    throw Failure("Spectrum: more than 2³¹ points on a process; take more processes");
}
}  // namespace

Boxes cut(const Box& domain, int axis, int processes) {
  const std::int64_t planes = domain.extent(axis);
  Boxes slabs(static_cast<std::size_t>(processes), domain);
  for (int p = 0; p < processes; ++p) {
    slabs[p].lo[axis] = domain.lo[axis] + static_cast<int>(planes * p / processes);
    slabs[p].hi[axis] = domain.lo[axis] + static_cast<int>(planes * (p + 1) / processes);
  }
  return slabs;
}

std::vector<Complex> exchange(const Communicator& comm, const std::vector<Complex>& values,
    const std::vector<int>& counts, const std::vector<int>& from) {
  std::vector<Complex> received(std::accumulate(from.begin(), from.end(), std::size_t{0}));
  require_few(values.size());
  require_few(received.size());
  const auto to_at = offsets(counts), from_at = offsets(from);
  check(MPI_Alltoallv(values.data(), counts.data(), to_at.data(), MPI_C_DOUBLE_COMPLEX, received.data(), from.data(),
            from_at.data(), MPI_C_DOUBLE_COMPLEX, comm.get()),
      "exchanging slabs");
  return received;
}
}  // namespace Spectrum
