// Solves elliptic equations with constant coefficients by Fourier transforms of the residual and its mirror images.
#include <Elliptic/refinement.hpp>
#include <Fourier/waves.hpp>
#include <cereus/thorn.hpp>

#include "kernels.hpp"

namespace Fourier {
using beside_run::changing, beside_run::collect, beside_run::for_run, beside_run::from_elsewhere, beside_run::Handles;
using beside_run::launch_on, beside_run::reading, beside_run::seen, beside_run::writing;

// A simulation on the run's own grid, or on the same points on each process alone.
Simulation on_grid(const Simulation& s, bool alone, std::vector<std::string> variables, ScalarType type,
    const std::array<Centre, 3>& centre) {
  auto same = s.services.get<Driver>().coarsened({1, 1, 1}, alone, 0);
  if (!same) throw Error("Fourier: the driver has no grids for solvers; take UniGrid");
  return beside(s, alone ? s.process.alone() : s.process, same, {work_group(std::move(variables), type, centre)}, 0);
}

template <int dim, class Real> class ByWaves : public Refinement<constant, dim, Real> {
  using Base = Refinement<constant, dim, Real>;
  using Base::s_, Base::setup_;
  using Complex = complex<Real>;
  static constexpr int source = 0, correction = 1;

 public:
  ByWaves(Simulation& s, const Setup& setup) : Base(s, setup, "Fourier", correction) {
    const auto grid = [&](bool alone, std::vector<std::string> variables) {
      return on_grid(s, alone, std::move(variables), setup.type, setup.centre);
    };
    top_ = grid(false, {"residual", "correction"});
    many_ = s.process.size() > 1 || s.grid.blocks.size() > 1;
    if (many_) whole_ = grid(true, {"residual"});
    Index period{1, 1, 1};
    Fold* folds[] = {&unfold_->fold.x, &unfold_->fold.y, &unfold_->fold.z};
    for (int d = 0; d < 3; ++d) {
      *folds[d] = {1, 1, 0, {1, 1}};
      if (d < dim) period[d] = (*folds[d] = fold_of(d)).period;
    }
    waves_.emplace(s, dim, period, "Fourier");
  }

 protected:
  Simulation& top() override { return top_; }
  void prepare(const Equation&) override {}
  void correct(const Equation& e, Outcome& o, double, double) override {
    Simulation& field = many_ ? collected() : top_;
    launch_between(waves_->field, field, unfold_, {reading(source)}, writing(0));
    waves_->forward();
    divide(e);
    waves_->backward();
    for_each_block([&](const BlockBoxes& own, const BlockBoxes&, int) {
      launch_between(top_, waves_->field, take_, {reading(0)}, writing(correction), &own);
    });
    ++o.cycles;
  }

 private:
  // What a mirror at each end makes of an axis: as long again, or, where they differ, four times as long.
  Fold fold_of(int d) const {
    const Patch& space = s_.grid.levels.front().space;
    const int n = space.cells.extent(d), low = setup_.mirrors[2 * d], high = setup_.mirrors[2 * d + 1];
    return {n, low == 0 ? n : low == high ? 2 * n : 4 * n, low != 0 && setup_.centre[d] == Centre::vertex, {low, high}};
  }
  // A block's points in the block, and in the one block of all points; without blocks, once for no points.
  template <class F> void for_each_block(F&& f) {
    const int blocks = static_cast<int>(top_.grid.blocks.size());
    for (int b = 0; b < std::max(blocks, 1); ++b) {
      BlockBoxes own, in_whole;
      if (blocks > 0) own = {{b, top_.grid.points(top_.grid.blocks[b], setup_.centre)}}, in_whole = {{0, own[0].box}};
      f(own, in_whole, b);
    }
  }
  // All of the residual, on each process.
  Simulation& collected() {
    for_each_block([&](const BlockBoxes&, const BlockBoxes& in_whole, int b) {
      launch_between(whole_, top_, take_, {reading(source)}, writing(source), &in_whole, b);
    });
    collect(whole_, writing(source), s_, s_.services.template get<Driver>(), s_.grid,
        [&](const BlockHome& b) { return s_.grid.levels[0].space.points(b.cells, setup_.centre, dim); });
    return whole_;
  }
  template <class K>
  void launch_between(Simulation& to, Simulation& from, K& kernel, const Handles& read, const VariableAccess& written,
      const BlockBoxes* boxes = nullptr, int block = 0) {
    make_valid(from, 0, read, -1, space_of(from, kernel.table()));
    kernel->grid = seen(from, block);
    launch_on(
        to, {.table = kernel.table(), .handles = {from_elsewhere(read[0]), written}, .other = &from, .boxes = boxes});
  }
  void divide(const Equation& e) {
    const Patch& space = s_.grid.levels[0].space;
    auto& waves = divide_->of;
    waves = {};
    waves.absorption = e.b, waves.points = 1;
    const Fold* folds[] = {&unfold_->fold.x, &unfold_->fold.y, &unfold_->fold.z};
    for (int d = 0; d < dim; ++d) {
      waves.weight[d] = e.a / (space.spacing[d] * space.spacing[d]);
      waves.per_index[d] = 2 * pi / folds[d]->period, waves.points *= folds[d]->period;
    }
    launch_on(waves_->amplitudes, {.table = divide_.table(), .handles = {changing(0)}});
  }

  Simulation top_, whole_;
  bool many_ = false;  // blocks
  std::optional<Waves<Real>> waves_;
  Kernel<Unfold<dim, Real>, dim, Real> unfold_;
  Kernel<Divide<dim, Complex>, dim, Complex> divide_;
  Kernel<Take<dim, Real>, dim, Real> take_;
};

std::unique_ptr<Engine> make_engine(Simulation& s, const Setup& setup) {
  if (setup.coefficients)
    throw Error("Fourier solves equations with constant coefficients; take Multigrid for others, as with obstacles");
  return for_run<std::unique_ptr<Engine>>(s, setup.type, "Fourier",
      [&]<int dim, class Real>() -> std::unique_ptr<Engine> { return std::make_unique<ByWaves<dim, Real>>(s, setup); });
}

void declare(Declaration& d) {
  d.describe("Solves elliptic equations with constant coefficients, by Fourier transforms");
  d.provides<Elliptic::Solver>(
      [](const Parameters&) { return std::make_shared<EngineOf<decltype(&make_engine)>>("Fourier", &make_engine); });
}
void schedule(Schedule&, const Parameters&) {}
}  // namespace Fourier
CEREUS_THORN(Fourier, Fourier::declare, Fourier::schedule)
