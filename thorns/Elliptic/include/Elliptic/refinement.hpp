// What solvers have in common: a residual of the run's solution, a correction, and the residual again, until that is
// small.
#pragma once
#include <cereus/thorn.hpp>
#include <cstdio>

#include "launching.hpp"
#include "residual.hpp"
#include "setup.hpp"
namespace Elliptic {
inline std::string brief(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", x);
  return text;
}
struct Engine {
  virtual ~Engine() = default;
  virtual Outcome solve(const Equation&) = 0;
};

// A solver has a simulation of its own, top(), on the run's grid, in which the component 0 of `work` takes the residual
// and the component `correction` is what is to be added.
template <int form, int dim, class Real> class Refinement : public Engine {
 public:
  Refinement(Simulation& s, const Setup& setup, std::string who, int correction)
      : s_(s),
        setup_(setup),
        axes_(axes_of(s.grid.levels[0].space, dim, setup)),
        who_(std::move(who)),
        correction_(correction) {}

  // In rounds: what is left once a correction was added is the residual itself, not one that was updated.
  Outcome solve(const Equation& e) override {
    prepare(e);
    forget_boundary(e);
    Outcome o;
    double before = 0;  // the residual of the last round
    for (int round = 0;; ++round) {
      Start start = load(e, 0);
      if (!std::isfinite(start.of_residual.value()))
        throw Failure(who_ + ": the residual of " + name(e) + " is no number at " + worst() +
                      ": look at the source, the coefficients and the first guess there");
      if (round == 0) source_ = start.source, unit_ = source_ > 0 ? source_ : start.residual;
      const bool open = !setup_.pinned() && start.absorption == 0;
      if (const double mean = start.mean_of(start.of_residual); open && mean != 0) {
        if (round == 0) o.mean = mean, o.mean_share = unit_ > 0 ? std::abs(mean) / unit_ : 0;
        if (form == variable) start = load(e, mean);  // points in holes have no equation
        else start.residual = take_out(mean);
      }
      o.residual = unit_ > 0 ? start.residual / unit_ : 0;
      // Rounding leaves about as much as that of the terms of L φ, which are at least half as large as ρ.
      const double floor = 8 * double{std::numeric_limits<Real>::epsilon()} * std::max(start.terms, unit_ / 2);
      const double goal = std::max(e.tolerance * unit_, floor);
      if (start.residual <= goal) {
        if (open) shift(e, -start.mean_of(start.of_solution));
        return o;
      }
      if (round > 0 && !(start.residual < 0.5 * before))
        fail(e, o,
            std::string("more cycles do not make it smaller: look at the source and the coefficients there") +
                (e.coefficient >= 0 ? "; if holes cut the domain into pieces, the source has a mean in one" : ""));
      before = start.residual, history_ = {start.residual};
      correct(e, o, goal, start.residual);
      store(e);
    }
  }

 protected:
  virtual Simulation& top() = 0;
  virtual void prepare(const Equation&) = 0;
  // Finds a correction, so that the residual is below `goal`, or as far as rounding lets it, or throws by fail().
  virtual void correct(const Equation&, Outcome&, double goal, double residual) = 0;

  template <class T> T& combined(const KernelTable& table, T& value) {
    s_.services.get<Driver>().combine_over_processes(&value, sizeof value, table.combine);
    return value;
  }
  template <class T> T reduced(Simulation& s, const KernelTable& table, beside_run::Handles handles) {
    T value = T::identity();
    beside_run::launch_on(s, {.table = table, .handles = std::move(handles), .result = &value});
    return combined(table, value);
  }
  VariableAccess of_run(int variable, Mode mode = Mode::read, int reach = 0) const {
    const VariableInfo& v = s_.variables[static_cast<std::size_t>(variable)];
    return {v.group, v.component, 0, mode, Region::interior, reach};
  }
  Axes<Real> axes(const Equation& e) const { return axes_as<Real>(axes_, e.a, e.b); }
  // A kernel on one of two simulations on the same grid, block by block, that reads the other one.
  template <class K>
  void between(
      Simulation& s, Simulation& other, K& kernel, const beside_run::Handles& handles, void* result, auto&& box_of) {
    const int blocks = static_cast<int>(s.grid.blocks.size());
    for (int b = 0; b < std::max(blocks, 1); ++b) {  // where there is none, it is noted that all of them are written
      kernel->grid = beside_run::seen(other, b);
      BlockBoxes boxes;
      if (blocks > 0) boxes.push_back({b, box_of(s.grid.points(s.grid.blocks[b], setup_.centre))});
      beside_run::launch_on(
          s, {.table = kernel.table(), .handles = handles, .result = result, .other = &other, .boxes = &boxes});
    }
  }
  static Box as_it_is(const Box& box) { return box; }
  [[noreturn]] void fail(const Equation& e, const Outcome& o, const std::string& why) {
    std::string factors;
    for (std::size_t n = std::max<std::size_t>(history_.size(), 4) - 3; n < history_.size(); ++n)
      factors += (factors.empty() ? " (factors of the last cycles: " : ", ") + brief(history_[n] / history_[n - 1]);
    throw Failure(who_ + ": " + name(e) + " did not converge: after " + std::to_string(o.cycles) +
                  " cycles the residual, over " + (source_ > 0 ? "the largest source" : "the first one") + ", is " +
                  brief(history_.back() / unit_) + (factors.empty() ? "" : factors + ")") + ", the tolerance " +
                  brief(e.tolerance) + "; it is largest at " + worst() + "; " + why);
  }

 private:
  std::string name(const Equation& e) const { return s_.variables[static_cast<std::size_t>(e.solution)].name; }
  std::string worst() {  // where the residual is largest
    const Worst worst = reduced<Worst>(top(), worst_.table(), {beside_run::reading(0)});
    std::string place;
    for (int d = 0; d < dim; ++d)
      place += std::string(d ? ", " : "") + "xyz"[d] + " = " +
               brief(s_.grid.levels[0].space.coordinate(d, setup_.centre[d], worst.index(d)));
    return place;
  }
  // Conditions of φ may be others than when it was written: they may look at the time.
  void forget_boundary(const Equation& e) {
    const VariableAccess phi = of_run(e.solution);
    const Space space = space_of(s_, load_.table());
    make_valid(s_, 0, {&phi, 1}, -1, space);
    Validity& v = s_.fields.validity(phi.group, phi.component, 0, 0);
    v.wrote_interior(space, v[space].why_interior);
  }
  Start load(const Equation& e, double mean) {
    const VariableAccess phi = of_run(e.solution, Mode::read, 1), rho = of_run(e.source);
    const VariableAccess needed[] = {phi, rho};
    make_valid(s_, 0, needed, -1, space_of(s_, load_.table()));
    load_->axes = axes(e), load_->mean = static_cast<Real>(mean);
    Start start = Start::identity();
    between(top(), s_, load_,
        with_coefficients<form>(
            {beside_run::from_elsewhere(phi), beside_run::from_elsewhere(rho)}, {beside_run::writing(0)}),
        &start, as_it_is);
    return combined(load_.table(), start);
  }
  double take_out(double mean) {
    take_out_->mean = static_cast<Real>(mean);
    return static_cast<double>(reduced<Max<Real>>(top(), take_out_.table(), {beside_run::changing(0)}).value);
  }
  void store(const Equation& e) {
    const VariableAccess there[] = {beside_run::reading(correction_)};
    make_valid(top(), 0, there, -1, space_of(s_, store_.table()));
    between(
        s_, top(), store_, {beside_run::from_elsewhere(there[0]), of_run(e.solution, Mode::update)}, nullptr, as_it_is);
  }
  void shift(const Equation& e, double by) {
    shift_->by = static_cast<Real>(by);
    beside_run::launch_on(s_, {.table = shift_.table(), .handles = {of_run(e.solution, Mode::update)}});
  }

 protected:
  Simulation& s_;
  const Setup setup_;
  std::vector<double> history_;  // residuals in the course of a round

 private:
  double source_ = 0, unit_ = 0;  // the largest |ρ|; of what residuals are fractions
  const Axes<double> axes_;
  const std::string who_;
  const int correction_;
  Kernel<Load<form, dim, Real>, dim, Real> load_;
  Kernel<TakeOut<dim, Real>, dim, Real> take_out_;
  Kernel<Store<dim, Real>, dim, Real> store_;
  Kernel<Shift<dim, Real>, dim, Real> shift_;
  Kernel<FindWorst<dim, Real>, dim, Real> worst_;
};

// A service that makes an engine for each problem: make(simulation, setup).
template <class Make> class EngineOf : public Solver {
 public:
  EngineOf(std::string who, Make make) : who_(std::move(who)), make_(std::move(make)) {}
  Outcome solve(Simulation& s, const Equation& e) override {
    const Setup setup = setup_of(s, e, who_);
    auto& engine = engines_[setup];
    if (!engine) engine = make_(s, setup);
    return engine->solve(e);
  }
  void grid_changed(const Simulation&) override { engines_.clear(); }

 private:
  std::string who_;
  Make make_;
  std::map<Setup, std::unique_ptr<Engine>> engines_;
};
}  // namespace Elliptic
