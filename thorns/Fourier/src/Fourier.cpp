// Solves elliptic equations with constant coefficients by Fourier transforms of the residual and its mirror images.
#include <Elliptic/refinement.hpp>
#include <cereus/console.hpp>
#include <cereus/thorn.hpp>

#include "host_transform.hpp"
#include "kernels.hpp"

namespace Fourier {
// One box of points that each process has, without neighbours.
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

Group group(std::vector<std::string> variables, ScalarType type, const std::array<Centre, 3>& centre) {
  Group g;
  g.thorn = "Fourier", g.name = "work", g.variables = std::move(variables), g.type = type, g.centre = centre;
  return g;
}
constexpr std::array<Centre, 3> cells{Centre::cell, Centre::cell, Centre::cell};

template <int dim, class Real> class Waves : public Refinement<constant, dim, Real> {
  using Base = Refinement<constant, dim, Real>;
  using Base::s_, Base::setup_;
  using Complex = complex<Real>;
  static constexpr int source = 0, correction = 1;

 public:
  Waves(Simulation& s, const Setup& setup) : Base(s, setup, "Fourier", correction) {
    auto& driver = s.services.get<Driver>();
    const auto beside_run = [&](bool alone, std::vector<std::string> variables) {
      auto same = driver.coarsened({1, 1, 1}, alone, 0);
      if (!same) throw Error("Fourier: the driver has no grids for solvers; take UniGrid");
      return beside(
          s, alone ? s.process.alone() : s.process, same, {group(std::move(variables), setup.type, setup.centre)}, 0);
    };
    top_ = beside_run(false, {"residual", "correction"});
    many_ = driver.all_blocks(s.grid, 0).size() > 1;
    if (many_) whole_ = beside_run(true, {"residual"});
    Index period{1, 1, 1}, half;
    Fold* folds[] = {&unfold_->fold.x, &unfold_->fold.y, &unfold_->fold.z};
    for (int d = 0; d < 3; ++d) {
      *folds[d] = {1, 1, 0, {1, 1}};
      if (d < dim) period[d] = (*folds[d] = fold_of(d)).period;
    }
    half = period, half[0] = period[0] / 2 + 1;
    const auto box = [&](const Index& points, ScalarType type) {
      return beside(s, s.process.alone(), std::make_shared<BoxDriver>(dim, points), {group({"field"}, type, cells)}, 0);
    };
    real_ = box(period, scalar_type<Real>), waves_ = box(half, scalar_type<Complex>);
    const Layout &r = real_.fields.layout(0), &c = waves_.fields.layout(0);
    const TransformShape shape{
        {period[0], period[1], period[2]}, {r.stride[1], r.stride[2]}, {c.stride[1], c.stride[2]}, sizeof(Real) == 4};
    if (auto* device = s.services.find<Device>(); device && !device->runs_host_code())
      transform_ = device->transform(shape);
    where_ = transform_ || (s.services.find<Device>() && s.services.get<Device>().runs_host_code()) ? Space::device
                                                                                                    : Space::host;
    if (!transform_) {
      if (s.services.find<Device>() && where_ == Space::host && s.process.rank() == 0)
        console::warn("Fourier: no cuFFT that takes fields of this size, so the host transforms them");
      transform_ = host_transform(shape);
    }
  }

 protected:
  Simulation& top() override { return top_; }
  void prepare(const Equation&) override {}
  void correct(const Equation& e, Outcome& o, double, double) override {
    Simulation& field = many_ ? collected() : top_;
    launch_between(real_, field, unfold_, {reading(source)}, writing(0));
    transformed(real_, waves_, [](Transform& t, char* from, char* to) { t.forward(from, to); });
    divide(e);
    transformed(waves_, real_, [](Transform& t, char* from, char* to) { t.backward(from, to); });
    for (int b = 0; b < static_cast<int>(top_.grid.blocks.size()); ++b) {
      const BlockBoxes boxes{{b, top_.grid.points(top_.grid.blocks[b], setup_.centre)}};
      launch_between(top_, real_, take_, {reading(0)}, writing(correction), &boxes);
    }
    ++o.cycles;
  }

 private:
  // What a mirror at each end makes of an axis: as long again, or, where they differ, four times as long.
  Fold fold_of(int d) const {
    const Patch& space = s_.grid.levels.front().space;
    const int n = space.cells.extent(d), low = setup_.mirrors[2 * d], high = setup_.mirrors[2 * d + 1];
    return {n, low == 0 ? n : low == high ? 2 * n : 4 * n, low != 0 && setup_.centre[d] == Centre::vertex, {low, high}};
  }
  // All of the residual, on each process.
  Simulation& collected() {
    for (int b = 0; b < static_cast<int>(top_.grid.blocks.size()); ++b) {
      const BlockBoxes boxes{{0, top_.grid.points(top_.grid.blocks[b], setup_.centre)}};
      launch_between(whole_, top_, take_, {reading(source)}, writing(source), &boxes, b);
    }
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
  template <class F> void transformed(Simulation& from, Simulation& to, F&& apply) {
    const VariableAccess all[] = {reading(0)};
    make_valid(from, 0, all, -1, where_);
    char *const a = from.fields.address(work, 0, 0, 0, where_), *const b = to.fields.address(work, 0, 0, 0, where_);
    auto* device = where_ == Space::device ? s_.services.template find<Device>() : nullptr;
    if (device && device->runs_host_code()) device->run([t = transform_.get(), a, b, apply] { apply(*t, a, b); });
    else apply(*transform_, a, b);
    to.fields.validity(work, 0, 0, 0).wrote_interior(where_, {});
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
    launch_on(waves_, {.table = divide_.table(), .handles = {changing(0)}});
  }

  Simulation top_, whole_, real_, waves_;
  bool many_ = false;  // blocks
  Space where_ = Space::host;
  std::unique_ptr<Transform> transform_;
  Kernel<Unfold<dim, Real>, dim, Real> unfold_;
  Kernel<Divide<dim, Complex>, dim, Complex> divide_;
  Kernel<Take<dim, Real>, dim, Real> take_;
};

std::unique_ptr<Engine> make_engine(Simulation& s, const Setup& setup) {
  if (setup.coefficients)
    throw Error("Fourier solves equations with constant coefficients; take Multigrid for others, as with obstacles");
  return for_run<std::unique_ptr<Engine>>(s, setup.type, "Fourier",
      [&]<int dim, class Real>() -> std::unique_ptr<Engine> { return std::make_unique<Waves<dim, Real>>(s, setup); });
}

void declare(Declaration& d) {
  d.describe("Solves elliptic equations with constant coefficients, by Fourier transforms");
  d.provides<Elliptic::Solver>(
      [](const Parameters&) { return std::make_shared<EngineOf<decltype(&make_engine)>>("Fourier", &make_engine); });
}
void schedule(Schedule&, const Parameters&) {}
}  // namespace Fourier
CEREUS_THORN(Fourier, Fourier::declare, Fourier::schedule)
