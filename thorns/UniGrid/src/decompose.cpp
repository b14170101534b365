// Recursive bisection of a box along its longest axis, in proportion to the number of blocks on each side.
#include "decompose.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace UniGrid {
namespace {
void bisect(const Box& box, int dim, int parts, int thinnest, bool uneven, std::vector<Box>& out) {
  if (parts == 1) {
    out.push_back(box);
    return;
  }
  // The cut that leaves the least surface is across the longest axis. On ties the slowest axis: rows stay long.
  int axis = dim - 1;
  for (int d = dim - 1; d >= 0; --d)
    if (box.extent(d) > box.extent(axis)) axis = d;
  const int low = parts / 2, n = box.extent(axis);
  int cut = static_cast<int>(static_cast<long>(n) * low / parts);
  if (uneven && n >= 3 * thinnest + 3) cut += std::max(1, n / 8);
  cut = std::clamp(cut, std::min(thinnest, n), std::max(n - thinnest, 0));
  if (cut < thinnest || n - cut < thinnest || cut == 0 || cut == n)
    throw std::runtime_error("a block would be thinner than " + std::to_string(std::max(thinnest, 1)) +
                             " cells, the width of its ghost zones");
  Box a = box, b = box;
  a.hi[axis] = b.lo[axis] = box.lo[axis] + cut;
  bisect(a, dim, low, thinnest, uneven, out);
  bisect(b, dim, parts - low, thinnest, uneven, out);
}
}  // namespace

std::vector<OwnedBox> decompose(const Box& domain, int dim, int blocks, int processes, int thinnest, bool uneven) {
  std::vector<Box> boxes;
  bisect(domain, dim, blocks, std::max(thinnest, 1), uneven, boxes);
  std::vector<OwnedBox> owned;
  for (int b = 0; b < blocks; ++b)
    owned.push_back({boxes[b], static_cast<int>(static_cast<long>(b) * processes / blocks)});
  return owned;
}
}  // namespace UniGrid
