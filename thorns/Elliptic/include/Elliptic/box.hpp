// A box of points that each process has whole, without neighbours: for transforms, and for tables that kernels read.
#pragma once
#include <cereus/simulation.hpp>

namespace Elliptic {
using namespace cereus;
struct BoxDriver : Driver {
  int dim;
  Patch space;
  BoxDriver(int dimension, const Index& points) : dim(dimension) {
    space.cells.hi = points, space.periodic = {1, 1, 1};
  }
  int dimension() const override { return dim; }
  Grid make_grid(int, const Process&) override {
    Grid g;
    g.dim = dim;
    g.add({.space = space}, {{.cells = space.cells}});
    return g;
  }
  bool has_ghosts(const Grid&) const override { return false; }
  std::vector<BlockHome> all_blocks(const Grid&, int) const override { return {{0, 0, space.cells}}; }
  std::unique_ptr<Exchange> exchange(Simulation&, std::span<const Ghosts>, Space, int) override { return nullptr; }
  void combine_over_processes(void*, std::size_t, void (*)(void*, const void*)) override {}
  std::vector<std::vector<char>> gather(std::span<const char> mine) override { return {{mine.begin(), mine.end()}}; }
};
}  // namespace Elliptic
