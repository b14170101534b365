// A simulation of a thorn's own beside the run, on another grid: levels of a solver, boxes for transforms, tables that
// kernels read. It has no schedule: the thorn launches kernels on it.
#pragma once
#include "kernel_item.hpp"
#include "simulation.hpp"
namespace cereus {
// Makes a simulation with these groups on the grid of another driver, in the same processes and on the same devices.
// `width`: the number of ghost layers.
Simulation beside(const Simulation&, const Process&, std::shared_ptr<Driver>, std::vector<Group>, int width);

namespace beside_run {
// A driver whose only block is a box of points; each process has all of it, without ghost zones.
struct BoxDriver : Driver {
  int dim;
  Patch space;
  BoxDriver(int dimension, const Index& points) : dim(dimension) {
    space.cells.hi = points, space.periodic = {1, 1, 1};
  }
  int dimension() const override { return dim; }
  Grid make_grid(int width, const Process&) override;
  bool has_ghosts(const Grid&) const override { return false; }
  std::vector<BlockHome> all_blocks(const Grid&, int) const override { return {{0, 0, space.cells}}; }
  std::unique_ptr<Exchange> exchange(Simulation&, std::span<const Ghosts>, Space, int) override { return nullptr; }
  void combine_over_processes(void*, std::size_t, void (*)(void*, const void*)) override {}
  std::vector<std::vector<char>> gather(std::span<const char> mine) override { return {{mine.begin(), mine.end()}}; }
};

using Handles = std::vector<VariableAccess>;
// An access to a component of the first group, which is read around a point, or written. Values outside the domain are
// not used.
inline constexpr int work = 0;
inline VariableAccess reading(int component, int reach = 0, bool corners = false) {
  return {work, component, 0, Mode::read, Region::interior, reach, corners, true};
}
inline VariableAccess writing(int component) { return {work, component, 0, Mode::write}; }
inline VariableAccess changing(int component) { return {work, component, 0, Mode::update}; }
inline VariableAccess from_elsewhere(VariableAccess a) { return a.elsewhere = true, a; }

// A kernel on boxes, or on all points. launch_on makes valid what it reads, runs it, and notes its writes. Variables
// with VariableAccess::elsewhere are those of `other`; the caller has made them valid.
struct Run {
  const KernelTable& table;
  Handles handles;
  void* result = nullptr;
  const Simulation* other = nullptr;
  const BlockBoxes* boxes = nullptr;
};
void launch_on(Simulation&, const Run&);
// A block of a simulation as a kernel on another grid reads it.
Elsewhere seen(const Simulation&, int block);
// Gives each process the values of a variable at all points. `alone` is a simulation with one block, in which each
// process has the values at points_of(block) for its own blocks of `grid`. Collective; `driver` knows all blocks.
void collect(Simulation& alone, const VariableAccess&, Simulation& run, Driver& driver, const Grid&,
    const std::function<Box(const BlockHome&)>& points_of);

// Calls make<dim, Real>() with the dimension and the scalar type of the run: kernels that are not scheduled need that.
template <class Made, class Make>
Made for_run(const Simulation& s, ScalarType type, const std::string& who, Make&& make) {
  Made made{};
  [&]<int... dim, class... Real>(detail::ints<dim...>, types<Real...>) {
    const auto each = [&]<int d>() {
      ((s.grid.dim == d && type == scalar_type<Real> ? void(made = make.template operator()<d, Real>()) : void()), ...);
    };
    (each.template operator()<dim>(), ...);
  }
  (detail::Dimensions{}, detail::Reals{});
  if (!made)
    throw Error(
        who + " was not built for " + std::to_string(s.grid.dim) + "D runs of type " + std::string(name_of(type)));
  return made;
}
}  // namespace beside_run
}  // namespace cereus
