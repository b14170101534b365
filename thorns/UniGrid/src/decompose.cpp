// Processes share the domain as a regular arrangement of boxes or, where none is good, by recursive bisection;
// bisection then cuts the blocks of a process.
#include "decompose.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <stdexcept>
#include <string>

namespace UniGrid {
namespace {
using Boxes = std::vector<Box>;

// The largest communication cost of a process: the number of points on faces towards other processes. Points on faces
// across x count four times, because each lies in a cache line of its own.
long cost(const Box& domain, const Index& periodic, const Boxes& boxes) {
  constexpr std::array<long, 3> weight{4, 1, 1};
  long most = 0;
  for (const Box& box : boxes) {
    long total = 0;
    for (int d = 0; d < 3; ++d) {
      if (box.extent(d) == domain.extent(d)) continue;
      const int faces = (periodic[d] || box.lo[d] > domain.lo[d]) + (periodic[d] || box.hi[d] < domain.hi[d]);
      total += faces * weight[d] * box.points() / box.extent(d);
    }
    most = std::max(most, total);
  }
  return most;
}

// The part-th of so many parts of an extent begins here. If uneven, every other part is larger.
int begin_of(int n, int part, int parts, int thinnest, bool uneven) {
  const int even = static_cast<int>(static_cast<long>(n) * part / parts), spare = n / parts - thinnest;
  return uneven && part % 2 == 1 && part < parts && spare > 0 ? even + std::clamp(n / parts / 4, 1, spare) : even;
}
Boxes arrange(const Box& domain, const Index& parts, int thinnest, bool uneven) {
  Boxes boxes;
  Index at;
  for (at[2] = 0; at[2] < parts[2]; ++at[2])
    for (at[1] = 0; at[1] < parts[1]; ++at[1])
      for (at[0] = 0; at[0] < parts[0]; ++at[0]) {
        Box& box = boxes.emplace_back(domain);
        for (int d = 0; d < 3; ++d) {
          const auto cut = [&](int part) {
            return domain.lo[d] + begin_of(domain.extent(d), part, parts[d], thinnest, uneven);
          };
          box.lo[d] = cut(at[d]), box.hi[d] = cut(at[d] + 1);
        }
      }
  return boxes;
}

// Each cut is across the longest axis, which leaves the least surface; on ties across the slowest. False if there are
// too many parts.
bool bisect(const Box& box, int dim, int parts, int thinnest, bool uneven, Boxes& out) {
  if (parts == 1) return out.push_back(box), true;
  int axis = dim - 1;
  for (int d = dim - 1; d >= 0; --d)
    if (box.extent(d) > box.extent(axis)) axis = d;
  const int low = parts / 2, n = box.extent(axis);
  int cut = static_cast<int>(static_cast<long>(n) * low / parts);
  if (uneven && n >= 3 * thinnest + 3) cut += std::max(1, n / 8);
  cut = std::clamp(cut, std::min(thinnest, n), std::max(n - thinnest, 0));
  if (cut < thinnest || n - cut < thinnest) return false;
  Box a = box, b = box;
  a.hi[axis] = b.lo[axis] = box.lo[axis] + cut;
  return bisect(a, dim, low, thinnest, uneven, out) && bisect(b, dim, parts - low, thinnest, uneven, out);
}

struct OwnedSpeed {
  int owner;
  double speed;
};
double sum(std::span<const OwnedSpeed> processes) {
  double all = 0;
  for (const OwnedSpeed& p : processes) all += p.speed;
  return all;
}

// On ties it takes the arrangement with fewest blocks along x, where rows stay long, then with fewest along the last
// axis, along which multi-step sweeps advance: longer sweeps start less often.
Boxes share(const Box& domain, int dim, const Index& periodic, int processes, int thinnest, bool uneven) {
  Boxes best;
  const auto consider = [&](Boxes boxes) {
    if (best.empty() || cost(domain, periodic, boxes) < cost(domain, periodic, best)) best = std::move(boxes);
  };
  for (int x = 1; x <= processes; ++x)
    for (int z = 1; x * z <= processes; ++z) {
      const Index parts{x, processes / (x * z), z};
      bool fits = parts[0] * parts[1] * parts[2] == processes;
      for (int d = 0; d < 3; ++d) fits = fits && (d < dim ? domain.extent(d) / parts[d] >= thinnest : parts[d] == 1);
      if (fits) consider(arrange(domain, parts, thinnest, uneven));
    }
  if (dim == 1) return best;
  if (Boxes boxes; bisect(domain, dim, processes, thinnest, uneven, boxes)) consider(std::move(boxes));
  return best;
}
}  // namespace

std::vector<OwnedBox> decompose(
    const Box& domain, int dim, const Index& periodic, int blocks, int processes, int thinnest, bool uneven) {
  thinnest = std::max(thinnest, 1);
  const Boxes shares = share(domain, dim, periodic, processes, thinnest, uneven);
  std::vector<OwnedBox> owned;
  bool fits = !shares.empty();
  for (int p = 0; p < processes && fits; ++p) {
    Boxes mine;
    fits = bisect(shares[p], dim, blocks / processes, thinnest, uneven, mine);
    for (const Box& box : mine) owned.push_back({box, p});
  }
  if (!fits)
    throw std::runtime_error(
        "a block would be thinner than " + std::to_string(thinnest) + " cells, the width of its ghost zones");
  return owned;
}

namespace {
// A cut as that of bisect(), with processes of either side in proportion to their speeds.
bool cut(const Box& box, int dim, std::span<const OwnedSpeed> processes, int blocks, int thinnest,
    std::vector<OwnedBox>& out) {
  if (processes.size() == 1) {
    Boxes mine;
    const bool fits = bisect(box, dim, blocks, thinnest, false, mine);
    for (const Box& b : mine) out.push_back({b, processes[0].owner});
    return fits;
  }
  const auto low = processes.first(processes.size() / 2), high = processes.subspan(low.size());
  int axis = dim - 1;
  for (int d = dim - 1; d >= 0; --d)
    if (box.extent(d) > box.extent(axis)) axis = d;
  const auto n = static_cast<int>(std::lround(box.extent(axis) * sum(low) / (sum(low) + sum(high))));
  if (n < thinnest || box.extent(axis) - n < thinnest) return false;
  Box a = box, b = box;
  a.hi[axis] = b.lo[axis] = box.lo[axis] + n;
  return cut(a, dim, low, blocks, thinnest, out) && cut(b, dim, high, blocks, thinnest, out);
}
}  // namespace

std::vector<OwnedBox> decompose_by_speed(
    const Box& domain, int dim, int blocks, std::vector<double> speeds, int thinnest) {
  std::vector<OwnedSpeed> processes;
  for (std::size_t p = 0; p < speeds.size(); ++p)
    if (speeds[p] > 0) processes.push_back({static_cast<int>(p), speeds[p]});
  for (std::vector<OwnedBox> owned; !processes.empty(); owned.clear()) {
    if (cut(domain, dim, processes, blocks, std::max(thinnest, 1), owned)) return owned;
    processes.erase(std::ranges::min_element(processes, {}, &OwnedSpeed::speed));
  }
  throw std::runtime_error("no process has a block");
}
}  // namespace UniGrid
