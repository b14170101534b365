// Conjugate gradients with a V-cycle as preconditioner. Where the cycle is not quite symmetric the flexible form holds
// (Notay, SIAM J. Sci. Comput. 22 (2000) 1444): β = z·(r − r_before) / (z·r)_before = −α z·q / (z·r)_before.
#pragma once
#include <Elliptic/elliptic.hpp>
#include <cereus/console.hpp>

#include <cmath>
#include <cstdio>
#include <limits>

#include "cycle.hpp"
namespace Multigrid {
inline std::string brief(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", x);
  return text;
}

struct Engine {
  virtual ~Engine() = default;
  virtual Elliptic::Outcome solve(const Elliptic::Equation&) = 0;
};

template <int form, int dim, class Real> class Gradients : public Engine {
 public:
  Gradients(Simulation& s, const Problem& problem) : s_(s), problem_(problem), cycle_(s, problem) {
    if (const std::string odd = cannot_halve(cycle_.coarsest(), dim); !odd.empty() && s.process.rank() == 0)
      console::warn("Multigrid: its coarsest level has " + odd + ", which cannot be halved, and takes " +
                    std::to_string(cycle_.coarsest().relaxation.size()) +
                    " sweeps a cycle; a number of cells with a higher power of two is solved faster");
    for (const int c : {first_direction, product}) launch_on(top(), {.table = fill_.table(), .handles = {writing(c)}});
  }

  // In rounds: what is left once the correction was added is the residual itself, not one that was updated.
  Elliptic::Outcome solve(const Elliptic::Equation& e) override {
    set(e);
    const bool open = !problem_.pinned() && e.b == 0 && e.absorption < 0;
    Elliptic::Outcome o;
    std::vector<double> history;
    while (true) {
      Start start = load(e, 0);
      if (history.empty()) unit_ = start.source > 0 ? start.source : start.residual;
      if (const double mean = start.mean_of(start.of_residual); open && mean != 0) {
        if (history.empty()) o.mean = mean;
        start = load(e, mean);
      }
      o.residual = unit_ > 0 ? start.residual / unit_ : 0;
      if (!std::isfinite(start.of_residual.value()))
        throw Failure("Multigrid: the residual of " + name(e) + " is no number at " + worst() +
                      ": look at the source, the coefficients and the guess there");
      const double goal = std::max(e.tolerance * unit_, 8 * double{std::numeric_limits<Real>::epsilon()} * start.terms);
      if (start.residual <= goal) {
        if (open) shift(e, -start.mean_of(start.of_solution));
        return o;
      }
      if (!history.empty() && !(start.residual < 0.5 * history.front()))
        fail(e, o, history, "more cycles do not make it smaller: look at the source and the coefficients there");
      history = iterate(e, o, goal, start.residual);
      store(e);
    }
  }

 private:
  Simulation& top() { return cycle_.finest().sim; }

  void set(const Elliptic::Equation& e) {
    if (form == variable) load_coefficients(e);
    cycle_.set(e.a, e.b, s_);
  }
  template <class T> T& combined(const KernelTable& table, T& value) {
    s_.services.get<Driver>().combine_over_processes(&value, sizeof value, table.combine);
    return value;
  }
  template <class T> T reduced(Simulation& s, const KernelTable& table, Handles handles) {
    T value = T::identity();
    launch_on(s, {.table = table, .handles = std::move(handles), .result = &value});
    return combined(table, value);
  }
  VariableAccess of_run(int variable, Mode mode = Mode::read, int reach = 0) const {
    const VariableInfo& v = s_.variables[static_cast<std::size_t>(variable)];
    return {v.group, v.component, 0, mode, Region::interior, reach};
  }
  // A kernel of the finest level, block by block, with what lies in the run; or the other way round.
  template <class K>
  void between(Simulation& s, Simulation& other, K& kernel, const Handles& handles, void* result, bool faces = false) {
    for (int b = 0; b < static_cast<int>(s.grid.blocks.size()); ++b) {
      kernel->grid = seen(other, b);
      BlockBoxes boxes{{b, s.grid.points(s.grid.blocks[b], problem_.centre)}};
      if (faces) boxes[0].box = cycle_.with_faces(cycle_.finest(), boxes[0]);
      launch_on(s, {.table = kernel.table(), .handles = handles, .result = result, .other = &other, .boxes = &boxes});
    }
  }

  Start load(const Elliptic::Equation& e, double mean) {
    const VariableAccess phi = of_run(e.solution, Mode::read, 1), rho = of_run(e.source);
    const VariableAccess needed[] = {phi, rho};
    make_valid(s_, 0, needed, -1, space_of(s_, load_.table()));
    load_->axes = cycle_.axes(cycle_.finest()), load_->mean = static_cast<Real>(mean);
    Start start = Start::identity();
    between(top(), s_, load_, cycle_.with_coefficients({from_elsewhere(phi), from_elsewhere(rho)}, {writing(source)}),
        &start);
    return combined(load_.table(), start);
  }
  void store(const Elliptic::Equation& e) {
    const VariableAccess there[] = {reading(correction)};
    make_valid(top(), 0, there, -1, space_of(s_, store_.table()));
    between(s_, top(), store_, {from_elsewhere(there[0]), of_run(e.solution, Mode::update)}, nullptr);
  }
  void shift(const Elliptic::Equation& e, double by) {
    const VariableAccess phi[] = {of_run(e.solution, Mode::update)};
    const Space space = space_of(s_, shift_.table());
    make_valid(s_, 0, phi, -1, space);
    shift_->by = static_cast<Real>(by);
    launch(s_, {.table = &shift_.table(),
                   .handles = phi,
                   .list = interiors(s_, 0, problem_.centre).list(),
                   .who = "Multigrid"});
    s_.fields.validity(phi[0].group, phi[0].component, 0, 0).wrote_interior(space, {s_.clock.iteration, -1});
  }

  void load_coefficients(const Elliptic::Equation& e) {
    VariableAccess a = of_run(e.coefficient < 0 ? e.absorption : e.coefficient, Mode::read, 1);
    VariableAccess b = of_run(e.absorption < 0 ? e.coefficient : e.absorption, Mode::read, 1);
    a.inside = b.inside = true;
    const VariableAccess needed[] = {a, b};
    make_valid(s_, 0, needed, -1, space_of(s_, coefficients_.table()));
    auto& k = *coefficients_;
    k.has_a = e.coefficient >= 0, k.has_b = e.absorption >= 0, k.axes = axes_of<Real>(cycle_.finest(), 1, e.b);
    constexpr int far = std::numeric_limits<int>::max() / 2;
    for (int d = 0; d < 3; ++d) {
      const auto& side = cycle_.finest().axes.of[d].side;
      const bool ends = d < dim && !s_.grid.levels[0].space.periodic[d];
      k.first.of[d] = ends ? side[0].at : -far, k.last.of[d] = ends ? side[1].at : far;
    }
    Handles handles{from_elsewhere(a), from_elsewhere(b)};
    for (int c = 0; c < 4; ++c) handles.push_back({coefficients + c, 0, 0, Mode::write});
    between(top(), s_, coefficients_, handles, nullptr, true);
  }

  // The residual before and after each cycle.
  std::vector<double> iterate(const Elliptic::Equation& e, Elliptic::Outcome& o, double goal, double residual) {
    launch_on(top(), {.table = fill_.table(), .handles = {writing(correction)}});
    std::vector<double> history{residual};
    double alpha = 0, before = 0;
    int d = first_direction;
    while (residual > goal) {
      if (o.cycles == e.most_cycles) fail(e, o, history, "it may take no more: allow more cycles, or a larger tolerance");
      Products products;
      const int z = cycle_.solve(s_, products);
      combined(cycle_.last().table(), products);
      const double zr = products.with_residual.value();
      direct_->axes = cycle_.axes(cycle_.finest());
      direct_->beta = before == 0 ? Real(0) : static_cast<Real>(-alpha * products.with_applied.value() / before);
      const int next = d == first_direction ? second_direction : first_direction;
      alpha = zr / reduced<Sum>(top(), direct_.table(),
                       cycle_.with_coefficients({reading(z, 1), reading(d, 1)}, {writing(next), writing(product)}))
                       .value();
      advance_->alpha = static_cast<Real>(alpha);
      d = next, before = zr;
      residual = static_cast<double>(reduced<Max<Real>>(
          top(), advance_.table(), {reading(d), reading(product), changing(correction), changing(source)})
                                         .value);
      history.push_back(residual), ++o.cycles;
      if (stalls(history)) break;
    }
    return history;
  }
  // Whether a round gets nowhere any more. Rounding does that when little is left: the directions are no longer
  // conjugate, and where the mean is open, cycles do not take out what rounding puts into that of the residual.
  static bool stalls(const std::vector<double>& history) {
    constexpr std::size_t patience = 12;
    const double now = history.back(), best = *std::ranges::min_element(history);
    return (now > 10 * best && best < 1e-3 * history.front()) || !(now < 1e6 * history.front()) ||
           (history.size() > patience && now > 0.5 * history[history.size() - 1 - patience]);
  }
  std::string name(const Elliptic::Equation& e) const { return s_.variables[static_cast<std::size_t>(e.solution)].name; }
  std::string worst() {
    const Worst worst = reduced<Worst>(top(), worst_.table(), {reading(source)});
    std::string place;
    for (int d = 0; d < dim; ++d) {
      const int i = static_cast<int>(worst.place >> (21 * d) & ((1 << 21) - 1));
      place += std::string(d ? ", " : "") + "xyz"[d] + " = " +
               brief(s_.grid.levels[0].space.coordinate(d, problem_.centre[d], i));
    }
    return place;
  }
  [[noreturn]] void fail(const Elliptic::Equation& e, const Elliptic::Outcome& o, const std::vector<double>& history,
      const std::string& why) {
    std::string factors;
    for (std::size_t n = history.size() < 4 ? 1 : history.size() - 3; n < history.size(); ++n)
      factors += " " + brief(history[n] / history[n - 1]);
    throw Failure("Multigrid: " + name(e) + " did not converge: after " + std::to_string(o.cycles) +
                  " cycles the residual is " + brief(history.back() / unit_) + " of the largest source at " + worst() +
                  ", where the tolerance is " + brief(e.tolerance) + ", and the last cycles changed it by factors of" +
                  factors + "; " + why);
  }

  Simulation& s_;
  Problem problem_;
  double unit_ = 0;  // of residuals
  Cycle<form, dim, Real> cycle_;
  Kernel<Load<form, dim, Real>, dim, Real> load_;
  Kernel<Store<dim, Real>, dim, Real> store_;
  Kernel<LoadCoefficients<dim, Real>, dim, Real> coefficients_;
  Kernel<Direct<form, dim, Real>, dim, Real> direct_;
  Kernel<Advance<dim, Real>, dim, Real> advance_;
  Kernel<Fill<dim, Real>, dim, Real> fill_;
  Kernel<Shift<dim, Real>, dim, Real> shift_;
  Kernel<FindWorst<dim, Real>, dim, Real> worst_;
};
}  // namespace Multigrid
