// Cuts a box of cells into blocks, one or several a process, so that little surface has to be exchanged; along periodic
// axes the ends of the domain are neighbours.
#pragma once
#include <cereus/box.hpp>

#include <vector>
namespace UniGrid {
using cereus::Box;
using cereus::Index;

struct OwnedBox {
  Box cells;
  int owner = 0;  // rank
};
// Exactly `blocks` boxes that tile the domain, as many a process, none thinner than `thinnest` in the first `dim` axes;
// consecutive boxes go to the same process. Uneven: sizes alternate, to test that nothing depends on equal blocks.
// Throws std::runtime_error if there are more blocks than fit.
std::vector<OwnedBox> decompose(
    const Box& domain, int dim, const Index& periodic, int blocks, int processes, int thinnest, bool uneven);
// So many boxes a process, in proportion to how fast processes are. One whose box would be too thin has none; the
// slowest gives up first.
std::vector<OwnedBox> decompose_by_speed(
    const Box& domain, int dim, int blocks, std::vector<double> speeds, int thinnest);
}  // namespace UniGrid
