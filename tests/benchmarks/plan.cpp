// The plan of a ghost exchange of one process among 32,768, with 8 blocks of 32³ cells each, edges and corners; and
// among
// 64. The process knows its own blocks and their neighbours, so neither time nor memory may grow with the number of
// processes. Prints milliseconds, bytes and pieces.
#include <malloc.h>

#include <chrono>
#include <cstdio>

#include <Exchange/pieces.hpp>

using namespace cereus;

namespace {
// The blocks of a cube of processes, and of all that touch it; a process has 2 × 2 × 2 blocks.
std::vector<BlockHome> around(int processes_an_axis, Index mine) {
  const int n = 2 * processes_an_axis, cells = 32;
  std::vector<BlockHome> blocks;
  for_each_point({{-1, -1, -1}, {3, 3, 3}}, [&](int i, int j, int k) {
    const Index at{(2 * mine[0] + i + n) % n, (2 * mine[1] + j + n) % n, (2 * mine[2] + k + n) % n};
    const int owner = at[0] / 2 + processes_an_axis * (at[1] / 2 + processes_an_axis * (at[2] / 2));
    const Index lo{at[0] * cells, at[1] * cells, at[2] * cells};
    blocks.push_back({at[0] + n * (at[1] + n * at[2]), owner, {lo, {lo[0] + cells, lo[1] + cells, lo[2] + cells}}});
  });
  return blocks;
}

void measure(int processes_an_axis) {
  Patch space;
  space.cells.hi = {64 * processes_an_axis, 64 * processes_an_axis, 64 * processes_an_axis};
  space.periodic = {1, 1, 1};
  const Index mine{processes_an_axis - 1, 0, processes_an_axis / 2};
  const int rank = mine[0] + processes_an_axis * (mine[1] + processes_an_axis * mine[2]);
  const auto homes = around(processes_an_axis, mine);
  const auto before = mallinfo2().uordblks;
  const auto start = std::chrono::steady_clock::now();
  const BlockIndex blocks(homes);
  const auto pieces = exchange::ghost_pieces(space, 3, blocks, rank, {}, 4, true);
  const double ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  std::printf("%6d processes: %.3f ms, %.3f MB, %zu pieces\n",
      processes_an_axis * processes_an_axis * processes_an_axis, ms,
      static_cast<double>(mallinfo2().uordblks - before) / 1e6, pieces.size());
}
}  // namespace

int main() {
  measure(4);
  measure(32);
}
