// What MoL offers to others: where stages lie, what an update is, and what finer levels see of a step.
#pragma once
#include <cereus/services.hpp>
#include <cereus/simulation.hpp>

#include <algorithm>
#include <numeric>

#include "method.hpp"

namespace MoL {
using namespace cereus;

class Integrator : public TimeIntegrator {
 public:
  explicit Integrator(const Parameters& p)
      : alone_(make_method(p.string("method"))),
        subcycled_(keeping_start(alone_.method)),
        in_result_(weights_in_result(alone_.method)) {}
  const Method& method() const { return alone_.method; }
  const Method& method(const Simulation& s) const { return form(s).method; }
  int registers(bool subcycled) const override { return (subcycled ? subcycled_ : alone_).method.registers - 1; }
  double weight_in_result(int stage) const { return in_result_[static_cast<std::size_t>(stage)]; }
  int stages() const override { return static_cast<int>(method().stages.size()); }

  // Number of the buffer of a group that holds a register before stage n, or after the last one.
  int buffer(const Simulation& s, int state, int n, int reg) const {
    const int at = form(s).where[n][reg];
    return at == 0 ? 0 : s.groups[state].timelevels - 1 + at;
  }
  int stage(const Simulation& s) const override { return value<std::int32_t>(s, stage_, "MoL::stage"); }
  std::string cannot_subcycle() const override {
    return method().seen_by_finer.empty() ? "MoL.method: " + method().name +
                                                " keeps right-hand sides, not stages, of which finer levels would read "
                                                "sums; take RK4, RK3, SSPRK3, RK2, SSPRK2 or Euler"
                                          : "";
  }
  // The finer level is in the step that MoL::begin has begun, or about to begin the next.
  Blend seen_by_finer(const Simulation& s, int group, int level) const override {
    const Clock& coarse = s.grid.levels[level].clock;
    const Clock& fine = std::ranges::find(s.grid.levels, s.grid.levels[level].number + 1, &Level::number)->clock;
    const bool going = value<std::int32_t>(s, going_, "MoL::going") != 0;
    const double begun = going ? value<double>(s, start_, "MoL::start_time") : fine.time;
    const double left = coarse.time - begun;
    if (!(left > 0.25 * coarse.dt)) return {};  // the finer level has caught up
    const bool second = left < 0.75 * coarse.dt;
    const auto& seen = method().seen_by_finer[(second ? stages() : 0) + (going ? stage(s) : 0)];
    Blend b{.terms = 0};
    for (int r = 0; r < static_cast<int>(seen.size()); ++r)
      if (seen[r] != 0) b.buffer[b.terms] = buffer(s, group, stages(), r), b.factor[b.terms++] = seen[r];
    return b;
  }
  Update update(const Simulation& s, int state, int n, double dt) const override {
    const ScalarType type = s.type(state);
    const bool single = type == ScalarType::float32 || type == ScalarType::complex64;
    const Stage& stage = (single ? form(s).single : method(s)).stages[n];
    Update u{};
    u.destination = buffer(s, state, n, stage.target);
    u.becomes_present = stage.target == stage.current;
    for (const auto& t : stage.terms) {
      u.source[u.epilogue.sources] = buffer(s, state, n, t.source);
      u.epilogue.a[u.epilogue.sources++] = t.factor;
    }
    u.epilogue.b = stage.weight * (stage.weight_times_dt ? dt : 1);
    return u;
  }
  double suggested_dt(const Simulation& s) const override {
    return method().error_register < 0 ? 0 : value<double>(s, next_dt_, "MoL::next_dt");
  }
  double imaginary_limit() const override { return limit_along({0, 1}); }
  double decay_limit() const override { return limit_along(-1); }

 private:
  double limit_along(std::complex<double> direction) const {
    return method().error_register < 0 ? limit(method(), direction) : 0;
  }
  // A grid scalar of this thorn; its number is looked up once.
  template <class T> static T value(const Simulation& s, int& number, const char* name) {
    if (number < 0) number = s.variable_number(name);
    return *reinterpret_cast<const T*>(s.fields.plain(s.variables[number].group, s.variables[number].component, 0));
  }

  struct Form {
    Method method, single;  // single: for float
    // Which buffer holds which register before each stage, and in the end: the target of a stage becomes timelevel 0 by
    // a swap.
    std::vector<std::vector<int>> where;
    explicit Form(Method m) : method(std::move(m)), single(in_float(method)) {
      std::vector<int> now(static_cast<std::size_t>(method.registers));
      std::iota(now.begin(), now.end(), 0);
      int current = 0;
      for (const auto& stage : method.stages) {
        where.push_back(now);
        if (stage.current != current) std::swap(now[current], now[stage.current]);
        current = stage.current;
      }
      where.push_back(now);
    }
  };
  const Form& form(const Simulation& s) const { return s.services.get<Driver>().subcycles() ? subcycled_ : alone_; }

  Form alone_, subcycled_;
  std::vector<double> in_result_;
  mutable int stage_ = -1, going_ = -1, start_ = -1, next_dt_ = -1;
};
}  // namespace MoL
