// Conjugate gradients with a V-cycle as preconditioner. Where the cycle is not quite symmetric the flexible form holds
// (Notay, SIAM J. Sci. Comput. 22 (2000) 1444): β = z·(r − r_before) / (z·r)_before = −α z·q / (z·r)_before.
#pragma once
#include <Elliptic/refinement.hpp>
#include <cereus/console.hpp>

#include "cycle.hpp"
#include "directions.hpp"
namespace Multigrid {
// `Rough`: the type of cycles, which only precondition.
template <int form, int dim, class Real, class Rough> class Gradients : public Refinement<form, dim, Real> {
  using Base = Refinement<form, dim, Real>;
  using Base::axes, Base::s_, Base::setup_, Base::history_;

 public:
  Gradients(Simulation& s, const Setup& setup) : Base(s, setup, "Multigrid", correction), cycle_(s, setup) {
    if (const std::string odd = cannot_halve(cycle_.coarsest(), dim); !odd.empty() && s.process.rank() == 0)
      console::warn("Multigrid: its coarsest level has " + odd + ", which cannot be halved, and takes " +
                    std::to_string(cycle_.coarsest().relaxation.size()) +
                    " sweeps a cycle; a number of cells with a higher power of two is solved faster");
    for (const int c : {direction, product, correction})  // a kernel that changes a variable needs it to be there
      launch_on(top(), {.table = fill_.table(), .handles = {writing(c)}});
  }

 protected:
  Simulation& top() override { return cycle_.finest().sim; }
  void prepare(const Equation& e) override {
    if (form == variable) load_coefficients(e);
    const auto& axes = cycle_.finest().axes.of;
    weight_ = converts ? e.a * std::max({axes[0].weight, axes[1].weight, axes[2].weight}) + e.b : 1;
    if (!(weight_ > 0)) weight_ = 1;
    cycle_.set(e.a / weight_, e.b / weight_, s_);
  }

  void correct(const Equation& e, Outcome& o, double goal, double left) override {
    double alpha = 0, before = 0, size = size_of(left);  // what sources are in units of
    convert(size);
    while (left > goal) {
      if (o.cycles == e.most_cycles) this->fail(e, o, "it may take no more: raise most_cycles, or the tolerance");
      Products products;
      const int z = cycle_.solve(s_, products);
      this->combined(cycle_.last().table(), products);
      const double unit = size / weight_, zr = products.with_residual.value() * unit * size;
      const double beta = before == 0 ? 0 : -alpha * (products.with_applied.value() * unit) / before;
      direct_->axes = axes(e), direct_->unit = static_cast<Real>(unit), direct_->beta = static_cast<Real>(beta);
      const double curvature =
          this->template reduced<Sum>(top(), direct_.table(),
                  with_coefficients<form>({cycle_.finest().reads(z, 1)}, {changing(direction), changing(product)}))
              .value();
      if (!std::isnormal(curvature))
        this->fail(e, o, "the numbers are too small, or too large, to be multiplied: scale the equation");
      alpha = zr / curvature, before = zr;
      left = advance(alpha, size = size_of(left), history_.size() == 1);
      history_.push_back(left), ++o.cycles;
      if (stalls(history_)) break;
    }
  }

 private:
  static constexpr bool converts = !same_type<Rough, Real>;
  static double size_of(double residual) { return converts ? std::exp2(std::ilogb(residual)) : 1; }
  void convert(double size) {
    if constexpr (converts) {
      convert_->by = static_cast<Real>(1 / size);
      launch_on(top(), {.table = convert_.table(), .handles = {reading(residual), cycle_.finest().writes_source()}});
    }
  }
  // Takes a step; returns the largest residual after it.
  double advance(double alpha, double size, bool first) {
    advance_->alpha = static_cast<Real>(alpha), advance_->by = static_cast<Real>(1 / size), advance_->first = first;
    Handles handles{reading(direction), reading(product), changing(correction), changing(residual)};
    if (converts) handles.push_back(cycle_.finest().writes_source());
    return static_cast<double>(this->template reduced<Max<Real>>(top(), advance_.table(), handles).value);
  }
  // Whether a round gets nowhere any more. Rounding does that when little is left: the directions are no longer
  // conjugate, and where the mean is open, cycles do not take out what rounding puts into that of the residual.
  static bool stalls(const std::vector<double>& history) {
    constexpr std::size_t patience = 12;
    const double now = history.back(), best = *std::ranges::min_element(history);
    return (now > 10 * best && best < 1e-3 * history.front()) || !(now < 1e6 * history.front()) ||
           (history.size() > patience && now > 0.5 * history[history.size() - 1 - patience]);
  }

  void load_coefficients(const Equation& e) {
    VariableAccess a = this->of_run(e.coefficient < 0 ? e.absorption : e.coefficient, Mode::read, 1);
    VariableAccess b = this->of_run(e.absorption < 0 ? e.coefficient : e.absorption, Mode::read, 1);
    a.inside = b.inside = true;
    const VariableAccess needed[] = {a, b};
    make_valid(s_, 0, needed, -1, space_of(s_, coefficients_.table()));
    auto& k = *coefficients_;
    k.has_a = e.coefficient >= 0, k.has_b = e.absorption >= 0, k.axes = axes(e);
    constexpr int far = std::numeric_limits<int>::max() / 2;
    for (int d = 0; d < 3; ++d) {
      const auto& side = cycle_.finest().axes.of[d].side;
      const bool ends = d < dim && !s_.grid.levels[0].space.periodic[d];
      k.first.of[d] = ends ? side[0].at : -far, k.last.of[d] = ends ? side[1].at : far;
    }
    Handles handles{from_elsewhere(a), from_elsewhere(b)};
    for (int c = 0; c < 4; ++c) handles.push_back({coefficients + c, 0, 0, Mode::write});
    this->between(top(), s_, coefficients_, handles, nullptr,
        [&](const Box& box) { return cycle_.with_faces(cycle_.finest(), box); });
  }

  Cycle<form, dim, Rough, Real> cycle_;
  double weight_ = 1;  // what weights of cycles are in units of
  Kernel<LoadCoefficients<dim, Real>, dim, Real> coefficients_;
  Kernel<Direct<form, dim, Rough, Real>, dim, Real> direct_;
  Kernel<Advance<dim, Rough, Real>, dim, Real> advance_;
  std::conditional_t<converts, Kernel<Convert<dim, Rough, Real>, dim, Real>, None> convert_;
  Kernel<Fill<dim, Real>, dim, Real> fill_;
};
}  // namespace Multigrid
