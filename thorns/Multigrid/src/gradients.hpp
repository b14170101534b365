// Conjugate gradients with a V-cycle as preconditioner. Where the cycle is not quite symmetric the flexible form holds
// (Notay, SIAM J. Sci. Comput. 22 (2000) 1444): β = z·(r − r_before) / (z·r)_before = −α z·q / (z·r)_before.
#pragma once
#include <Elliptic/refinement.hpp>
#include <cereus/console.hpp>

#include "cycle.hpp"
namespace Multigrid {
template <int form, int dim, class Real> class Gradients : public Refinement<form, dim, Real> {
  using Base = Refinement<form, dim, Real>;
  using Base::axes, Base::s_, Base::setup_, Base::history_;

 public:
  Gradients(Simulation& s, const Setup& setup) : Base(s, setup, "Multigrid", correction), cycle_(s, setup) {
    if (const std::string odd = cannot_halve(cycle_.coarsest(), dim); !odd.empty() && s.process.rank() == 0)
      console::warn("Multigrid: its coarsest level has " + odd + ", which cannot be halved, and takes " +
                    std::to_string(cycle_.coarsest().relaxation.size()) +
                    " sweeps a cycle; a number of cells with a higher power of two is solved faster");
    for (const int c : {first_direction, product}) launch_on(top(), {.table = fill_.table(), .handles = {writing(c)}});
  }

 protected:
  Simulation& top() override { return cycle_.finest().sim; }
  void prepare(const Equation& e) override {
    if (form == variable) load_coefficients(e);
    cycle_.set(e.a, e.b, s_);
  }

  void correct(const Equation& e, Outcome& o, double goal, double residual) override {
    launch_on(top(), {.table = fill_.table(), .handles = {writing(correction)}});
    double alpha = 0, before = 0;
    int d = first_direction;
    while (residual > goal) {
      if (o.cycles == e.most_cycles) this->fail(e, o, "it may take no more: raise most_cycles, or the tolerance");
      Products products;
      const int z = cycle_.solve(s_, products), next = d == first_direction ? second_direction : first_direction;
      this->combined(cycle_.last().table(), products);
      const double zr = products.with_residual.value();
      const double beta = before == 0 ? 0 : -alpha * products.with_applied.value() / before;
      direct_->axes = axes(e), direct_->beta = static_cast<Real>(beta);
      const double curvature =
          this->template reduced<Sum>(top(), direct_.table(),
                  with_coefficients<form>({reading(z, 1), reading(d, 1)}, {writing(next), writing(product)}))
              .value();
      if (!std::isnormal(curvature))
        this->fail(e, o, "the numbers are too small, or too large, to be multiplied: scale the equation");
      alpha = zr / curvature;
      advance_->alpha = static_cast<Real>(alpha);
      d = next, before = zr;
      residual = static_cast<double>(this->template reduced<Max<Real>>(top(), advance_.table(),
                                             {reading(d), reading(product), changing(correction), changing(source)})
                                         .value);
      history_.push_back(residual), ++o.cycles;
      if (stalls(history_)) break;
    }
  }

 private:
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

  Cycle<form, dim, Real> cycle_;
  Kernel<LoadCoefficients<dim, Real>, dim, Real> coefficients_;
  Kernel<Direct<form, dim, Real>, dim, Real> direct_;
  Kernel<Advance<dim, Real>, dim, Real> advance_;
  Kernel<Fill<dim, Real>, dim, Real> fill_;
};
}  // namespace Multigrid
