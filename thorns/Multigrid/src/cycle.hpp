// A V-cycle: sweeps, the residual to a coarser level, what that finds back, sweeps again.
#pragma once
#include "between.hpp"
#include "coefficients.hpp"
#include "kernels.hpp"
#include "levels.hpp"
namespace Multigrid {
// In `Real`, which may have fewer digits than the solution, `Solution`.
template <int form, int dim, class Real, class Solution> class Cycle {
 public:
  Cycle(const Simulation& s, const Setup& setup) : levels_(make_levels(s, setup, scalar_type<Real>)) {}
  Level& finest() { return *levels_.front(); }
  const Level& coarsest() const { return *levels_.back(); }
  const auto& last() const { return last_; }
  Axes<Real> axes(const Level& l) const { return axes_as<Real>(l.axes, a_, b_); }

  // a and b of the equation; where they vary, coefficients of the finest level are there, and those of the others
  // follow.
  void set(double a, double b, Simulation& run_) {
    a_ = a, b_ = b;
    for (std::size_t n = 1; form == variable && n < levels_.size(); ++n) {
      Level &fine = *levels_[n - 1], &l = *levels_[n];
      Handles handles = coefficients_of(1, true);
      make_valid(fine.sim, 0, handles, -1, space_of(fine.sim, coarsen_.table()));
      for (auto& h : handles) h = from_elsewhere(h);
      for (int c = 0; c < 4; ++c) handles.push_back({coefficients + c, 0, 0, Mode::write});
      coarsen_->axes = axes(fine);
      for_each_covered(fine, l, [&](const BlockBox& to, const Elsewhere& grid) {
        coarsen_->grid = grid;
        const BlockBoxes boxes{{to.block, with_faces(l, to.box)}};
        launch_on(l.sim, {.table = coarsen_.table(), .handles = handles, .other = &fine.sim, .boxes = &boxes});
      });
      if (l.alone && !fine.alone)
        for (int c = 0; c < 4; ++c) collect_on(l, fine, {coefficients + c, 0}, run_);
    }
  }
  // A box of points of a block, and the faces beyond its last points where the domain ends.
  static Box with_faces(const Level& l, Box box) {
    if (box.empty()) return box;
    for (int d = 0; d < dim; ++d)
      if (const Axis<double>& x = l.axes.of[d]; !x.vertex && x.at(1, box.hi[d] - 1)) ++box.hi[d];
    return box;
  }

  // z ≈ L⁻¹ f with f = `source`: returns which of `first_z` and `second_z` it is. The last sweep on the finest level
  // puts z·f and z·q into `products`.
  int solve(Simulation& run_, Products& products) { return solve(run_, 0, &products); }

 private:
  int solve(Simulation& run_, std::size_t n, Products* products) {
    Level& l = *levels_[n];
    const auto& omega = l.relaxation;
    const bool bottom = n + 1 == levels_.size();
    const std::size_t down = omega.size() - (bottom && products);  // sweeps before the last one
    int z = first_z;
    for (std::size_t w = begin(l, down); w < down; ++w) sweep(l, z, omega[w]);
    if (!bottom) {
      Level& coarse = *levels_[n + 1];
      const bool halves = halves_cells<dim>(l.axes);
      if (halves && form != variable) restrict_to(run_, l, coarse, z, restrict_cells_);
      else restrict_to(run_, l, coarse, z, restrict_);
      const int found = solve(run_, n + 1, nullptr);
      if (halves) correct(l, coarse, z, found, prolong_cells_);
      else correct(l, coarse, z, found, prolong_);
      for (std::size_t w = omega.size(); w-- > (products ? 1 : 0);) sweep(l, z, omega[w]);
    }
    if (products) last_sweep(l, z, bottom ? omega.back() : omega.front(), *products);
    return z;
  }
  // One or two sweeps from z = 0: returns how many.
  std::size_t begin(Level& l, std::size_t most) {
    const auto omega = [&](std::size_t n) { return static_cast<Real>(l.relaxation[n]); };
    if (form != variable && most > 1) {
      first_two_->axes = axes(l), first_two_->first = omega(0), first_two_->second = omega(1);
      launch_on(l.sim, {.table = first_two_.table(), .handles = {l.reads_source(1), l.writes(first_z)}});
      return 2;
    }
    first_->axes = axes(l), first_->omega = omega(0);
    launch_on(
        l.sim, {.table = first_.table(), .handles = with_coefficients<form>({l.reads_source()}, {l.writes(first_z)})});
    return 1;
  }
  void sweep(Level& l, int& z, double omega) {
    const int next = z == first_z ? second_z : first_z;
    sweep_->axes = axes(l), sweep_->omega = static_cast<Real>(omega);
    launch_on(l.sim, {.table = sweep_.table(),
                         .handles = with_coefficients<form>({l.reads(z, 1), l.reads_source()}, {l.writes(next)})});
    z = next;
  }
  void last_sweep(Level& l, int& z, double omega, Products& products) {
    const int next = z == first_z ? second_z : first_z;
    last_->axes = axes(l), last_->omega = static_cast<Real>(omega);
    launch_on(l.sim,
        {.table = last_.table(),
            .handles = with_coefficients<form>({l.reads(z, 1), l.reads_source(), reading(product)}, {l.writes(next)}),
            .result = &products});
    z = next;
  }
  void restrict_to(Simulation& run_, Level& fine, Level& coarse, int z, auto& restricts) {
    const bool deep = !fine.aligned;
    Handles handles{fine.reads(z, deep ? 2 : 1, deep), fine.reads_source(deep ? 1 : 0, deep)};
    if (form == variable)
      for (const auto& c : coefficients_of(deep ? 2 : 1, deep)) handles.push_back(c);
    make_valid(fine.sim, 0, handles, -1, space_of(fine.sim, restricts.table()));
    for (auto& h : handles) h = from_elsewhere(h);
    handles.push_back(coarse.writes_source());
    restricts->fine = axes(fine);
    for_each_covered(fine, coarse, [&](const BlockBox& to, const Elsewhere& grid) {
      restricts->grid = grid;
      const BlockBoxes boxes{to};
      launch_on(coarse.sim, {.table = restricts.table(), .handles = handles, .other = &fine.sim, .boxes = &boxes});
    });
    if (coarse.alone && !fine.alone) collect_on(coarse, fine, coarse.writes_source(), run_);
  }
  void correct(Level& fine, Level& coarse, int z, int found, auto& prolongs) {
    const VariableAccess there[] = {coarse.reads(found, 1, true)};
    make_valid(coarse.sim, 0, there, -1, space_of(coarse.sim, prolongs.table()));
    prolongs->fine = axes(fine), prolongs->coarser = axes(coarse);
    for_each_covered(fine, coarse, [&](const BlockBox& to, int block) {
      prolongs->grid = seen(coarse.sim, to.block);
      BlockBoxes boxes;
      if (!to.box.empty())
        boxes.push_back({block, fine.sim.grid.points(fine.sim.grid.blocks[block], fine.sim.groups[work].centre)});
      launch_on(fine.sim, {.table = prolongs.table(),
                              .handles = {from_elsewhere(there[0]), fine.changes(z)},
                              .other = &coarse.sim,
                              .boxes = &boxes});
    });
  }
  // For each block of the finer level the points of the coarser one that take in its points; without blocks, once for
  // no points, so that what is written is known to be.
  template <class F> static void for_each_covered(const Level& fine, const Level& coarse, F&& f) {
    const int blocks = static_cast<int>(fine.sim.grid.blocks.size());
    for (int b = 0; b < std::max(blocks, 1); ++b) {
      BlockBox to{coarse.alone && !fine.alone ? 0 : b, {}};
      if (blocks > 0) to.box = covered(fine, fine.sim.grid.blocks[b].cells, coarse);
      if constexpr (requires { f(to, seen(fine.sim, b)); }) f(to, seen(fine.sim, b));
      else f(to, b);
    }
  }
  static void collect_on(Level& coarse, const Level& fine, const VariableAccess& v, Simulation& run_) {
    collect(coarse.sim, v, run_, fine.sim.services.get<Driver>(), fine.sim.grid,
        [&](const BlockHome& b) { return covered(fine, b.cells, coarse, v.group); });
  }

  std::vector<std::unique_ptr<Level>> levels_;
  double a_ = 1, b_ = 0;
  Kernel<First<form, dim, Real>, dim, Solution> first_;
  Kernel<FirstTwo<form == variable ? constant : form, dim, Real>, dim, Solution> first_two_;
  Kernel<Sweep<form, dim, Real>, dim, Solution> sweep_;
  Kernel<LastSweep<form, dim, Real, Solution>, dim, Solution> last_;
  Kernel<Restrict<form, dim, Real, false>, dim, Solution> restrict_;
  Kernel<Restrict<form, dim, Real, form != variable>, dim, Solution> restrict_cells_;
  Kernel<Prolong<dim, Real, false>, dim, Solution> prolong_;
  Kernel<Prolong<dim, Real, true>, dim, Solution> prolong_cells_;
  Kernel<CoarsenCoefficients<dim, Real>, dim, Solution> coarsen_;
};
}  // namespace Multigrid
