// The method of lines: runs the right-hand sides of all evolved groups through the stages of a Runge–Kutta method.
// Stages live in buffers beside the timelevels; the present one is always timelevel 0, so that every routine reads the
// stage it should without knowing of it.
#include <cereus/thorn.hpp>

#include <algorithm>
#include <cmath>

#include "kernels.hpp"
#include "method.hpp"

namespace MoL {
using namespace cereus;

struct Evolved {
  int state, rhs;
};

std::vector<Evolved> evolved_groups(const Simulation& s) {
  std::vector<Evolved> list;
  for (int g = 0; g < static_cast<int>(s.groups.size()); ++g)
    if (const auto& of = s.groups[g].rhs_of; !of.empty())
      if (const int state = s.group_number(of); s.fields.buffers(state) > 0) list.push_back({state, g});
  return list;
}
// The routine into which the update by these right-hand sides is fused; null if it is a sweep of its own.
const Routine* fused_into(const Simulation& s, int rhs) {
  for (const auto& r : s.routines)
    if (std::find(r.fused.begin(), r.fused.end(), rhs) != r.fused.end()) return &r;
  return nullptr;
}

template <class T> T& scalar(const Simulation& s, const char* name) {
  const auto& v = s.variables[s.variable_number(std::string("MoL::") + name)];
  return *reinterpret_cast<T*>(s.fields.address(v.group, v.component, 0));
}

class Integrator : public TimeIntegrator {
 public:
  explicit Integrator(const Parameters& p) : method_(make_method(p.string("method"))) {
    // Which buffer holds which register before each stage: the target of a stage becomes timelevel 0 by a swap.
    std::vector<int> where(static_cast<std::size_t>(method_.registers));
    for (int r = 0; r < method_.registers; ++r) where[r] = r;
    int current = 0;
    for (const auto& stage : method_.stages) {
      where_.push_back(where);
      if (stage.current != current) std::swap(where[current], where[stage.current]);
      current = stage.current;
    }
  }
  const Method& method() const { return method_; }
  int stages() const override { return method_.registers - 1; }
  int substeps() const override { return static_cast<int>(method_.stages.size()); }

  // Number of the buffer of a group that holds a register before stage n.
  int buffer(const Simulation& s, int state, int n, int reg) const {
    const int at = where_[n][reg];
    return at == 0 ? 0 : s.groups[state].timelevels - 1 + at;
  }
  Update update(const Simulation& s, int state, int level) const override {
    const int n = scalar<std::int32_t>(s, "stage");
    const Stage& stage = method_.stages[n];
    Update u{};
    u.destination = buffer(s, state, n, stage.target);
    u.becomes_present = stage.target == stage.current;
    for (const auto& t : stage.terms) {
      u.source[u.epilogue.sources] = buffer(s, state, n, t.source);
      u.epilogue.a[u.epilogue.sources++] = t.factor;
    }
    u.epilogue.b = stage.weight * (stage.weight_times_dt ? s.grid.levels[level].clock.dt : 1);
    return u;
  }
  double suggested_dt(const Simulation& s) const override {
    return method_.error_register < 0 ? 0 : scalar<double>(s, "next_dt");
  }

 private:
  Method method_;
  std::vector<std::vector<int>> where_;
};

Integrator& integrator(Context& c) { return static_cast<Integrator&>(c.service<TimeIntegrator>()); }

constexpr int most_terms = 5;  // of one sweep; longer sums take several

template <class Real> KernelTable combine_table(int terms, const std::vector<double>& factors) {
  KernelTable table;
  [&]<int... n>(detail::ints<n...>) {
    const auto make = [&]<int count>() {
      table = detail::make_table<Combine<count, Real>, 3, Real>();
      auto& k = *static_cast<Combine<count, Real>*>(table.kernel.get());
      for (int i = 0; i < count; ++i) k.a.f[i] = static_cast<real_of_t<Real>>(factors[i]);
    };
    ((terms == n + 1 ? make.template operator()<n + 1>() : void()), ...);
  }
  (detail::count_up<most_terms>::type{});
  return table;
}

struct Source {
  int group, buffer;
  double factor;
};

void run_kernel(Simulation& s, const KernelTable& table, std::span<const VariableAccess> handles, int level,
    std::span<const std::pair<int, Box>> boxes, void* result = nullptr) {
  LaunchRequest request{&table, handles, level, boxes};
  request.result = result, request.who = "MoL";
  launch(s, request);
}

template <class Real>
void sweep_fields(Simulation& s, int level, int group, int target, const std::vector<Source>& sources, int strip) {
  const Group& g = s.groups[group];
  std::vector<double> factors;
  for (const auto& x : sources) factors.push_back(x.factor);
  const auto table = combine_table<Real>(static_cast<int>(sources.size()), factors);
  const auto boxes = strip > 0 ? strip_of(s, level, strip, g.centre) : boxes_of(s, level, Region::interior, g.centre);
  for (int c = 0; c < static_cast<int>(g.variables.size()); ++c) {
    std::vector<VariableAccess> handles;
    for (const auto& x : sources) handles.push_back({x.group, c, x.buffer});
    make_valid(s, level, handles, -1, kernel_space(s));
    handles.push_back({group, c, target, Mode::write});
    run_kernel(s, table, handles, level, boxes);
    s.fields.validity(group, c, target, level).wrote_interior(kernel_space(s), {s.clock.iteration, -1});
  }
}

template <class Real> void sweep_values(Simulation& s, int group, int target, const std::vector<Source>& sources) {
  using Factor = real_of_t<Real>;
  for (int c = 0; c < static_cast<int>(s.groups[group].variables.size()); ++c)
    for (std::int64_t e = 0; e < s.fields.elements(group); ++e) {
      Real total{};
      for (const auto& x : sources) {
        const Real* from = reinterpret_cast<const Real*>(s.fields.address(x.group, c, x.buffer));
        total += Factor(x.factor) * from[e];
      }
      reinterpret_cast<Real*>(s.fields.address(group, c, target))[e] = total;
    }
}

// target buffer of a group = Σ factor · source: point by point over the interior (or its outermost layers along outer
// faces), or element by element.
void sweep(Simulation& s, int level, int group, int target, std::vector<Source> sources, int strip = 0) {
  while (
      static_cast<int>(sources.size()) > most_terms) {  // the first five go into the target, which then leads the rest
    sweep(s, level, group, target, {sources.begin(), sources.begin() + most_terms}, strip);
    sources.erase(sources.begin(), sources.begin() + most_terms - 1);
    sources.front() = {group, target, 1.0};
  }
  const bool fields = s.groups[group].kind == GroupKind::grid_function;
  visit_scalar(s.type(group), [&]<class Real>(Real) {
    if constexpr (__is_same(Real, std::int32_t))
      throw Failure(s.groups[group].full_name() + " is of integers, which cannot be evolved");
    else
      fields ? sweep_fields<Real>(s, level, group, target, sources, strip)
             : sweep_values<Real>(s, group, target, sources);
  });
}

void begin(Context& c) {
  Simulation& s = c.simulation();
  const Clock& clock = c.clock();
  c.values<std::int32_t>("stage")[0] = 0;
  c.values<std::int32_t>("going")[0] = 1;
  c.values<double>("start_time")[0] = clock.time;
  for (const auto& e : evolved_groups(s))  // with past timelevels the step starts from a copy: the past stays
    if (s.groups[e.state].timelevels > 1) sweep(s, c.level(), e.state, 0, {{e.state, 1, 1.0}});
}

void begin_stage(Context& c) {
  Simulation& s = c.simulation();
  Clock& clock = s.grid.levels[c.level()].clock;
  const int n = c.values<std::int32_t>("stage")[0];
  clock.time = c.values<double>("start_time")[0] + integrator(c).method().stages[n].c * clock.dt;
}

// The error of an embedded method, over all evolved groups and processes, relative to what is tolerated.
double error_norm(Context& c, int level, int error_register) {
  Simulation& s = c.simulation();
  const Parameters& p = c.parameters();
  auto largest = Max<double>::identity();
  const int last = static_cast<int>(integrator(c).method().stages.size()) - 1;
  for (const auto& e : evolved_groups(s)) {
    if (s.groups[e.state].kind != GroupKind::grid_function) continue;
    visit_scalar(s.type(e.state), [&]<class Real>(Real) {
      if constexpr (std::is_floating_point_v<Real>) {
        auto table = detail::make_table<ErrorNorm<Real>, 3, Real>();
        auto& k = *static_cast<ErrorNorm<Real>*>(table.kernel.get());
        k.absolute = static_cast<Real>(p.real("absolute_error")),
        k.relative = static_cast<Real>(p.real("relative_error"));
        const auto boxes = boxes_of(s, level, Region::interior, s.groups[e.state].centre);
        for (int v = 0; v < static_cast<int>(s.groups[e.state].variables.size()); ++v) {
          const VariableAccess handles[] = {
              {e.state, v, integrator(c).buffer(s, e.state, last, error_register)}, {e.state, v, 0}};
          make_valid(s, level, handles, -1, kernel_space(s));
          run_kernel(s, table, handles, level, boxes, &largest);
        }
      } else
        throw Failure("MoL: the adaptive method RK45 evolves groups of float and double only, not " +
                      s.groups[e.state].full_name());
    });
  }
  c.service<Driver>().combine_over_processes(&largest, sizeof largest,
      [](void* a, const void* b) { static_cast<Max<double>*>(a)->combine(*static_cast<const Max<double>*>(b)); });
  return largest.value;
}

// After the last stage of an embedded method: accept and lengthen the step, or go back and shorten it
// (Hairer, Nørsett, Wanner, Solving ODEs I, §II.4).
bool accept(Context& c, int order, int error_register) {
  Simulation& s = c.simulation();
  Clock& clock = s.grid.levels[c.level()].clock;
  const double error = error_norm(c, c.level(), error_register);
  const double factor = std::clamp(0.9 * std::pow(std::max(error, 1e-10), -1.0 / order), 0.2, 5.0);
  c.values<double>("next_dt")[0] = clock.dt * factor;
  if (error <= 1) return true;
  if (!(clock.dt * factor > 1e-14 * std::max(1.0, std::fabs(clock.time))))
    throw Failure("MoL: the step of RK45 became too small; loosen relative_error and absolute_error, or look for NaNs");
  return clock.dt *= factor, false;
}

void update(Context& c) {
  Simulation& s = c.simulation();
  const auto& integrate = integrator(c);
  const Method& method = integrate.method();
  auto& stage_number = c.values<std::int32_t>("stage")[0];
  const int n = stage_number;
  const Stage& stage = method.stages[n];
  const int level = c.level();
  const double dt = s.grid.levels[level].clock.dt;
  const auto groups = evolved_groups(s);
  for (const auto& e : groups) {
    const auto place = [&](int reg) { return integrate.buffer(s, e.state, n, reg); };
    const Routine* fused = fused_into(s, e.rhs);
    if (!fused || fused->unfused_strip > 0) {
      std::vector<Source> sources;
      for (const auto& t : stage.terms) sources.push_back({e.state, place(t.source), t.factor});
      // First, as in the epilogue of a fused kernel: both forms give the same bits.
      sources.insert(sources.begin(), {e.rhs, 0, stage.weight * (stage.weight_times_dt ? dt : 1)});
      sweep(s, level, e.state, place(stage.target), sources, fused ? fused->unfused_strip : 0);
    }
    for (const auto& w : stage.sweeps) {
      std::vector<Source> sources;
      for (const auto& t : w.terms) sources.push_back({e.state, place(t.source), t.factor * (t.times_dt ? dt : 1)});
      sweep(s, level, e.state, place(w.target), sources);
    }
    if (const int b = place(stage.current); b != 0) s.fields.swap(e.state, level, 0, b);
  }
  if (n + 1 < static_cast<int>(method.stages.size())) {
    ++stage_number;
    s.grid.levels[level].clock.time = c.values<double>("start_time")[0] + method.stages[n + 1].c * dt;
    return;
  }
  if (method.error_register >= 0 && !accept(c, method.order, method.error_register)) {
    for (const auto& e : groups)  // y is where the last swap put it
      s.fields.swap(e.state, level, 0, integrate.buffer(s, e.state, n, 0));
    stage_number = 0;
    s.grid.levels[level].clock.time = c.values<double>("start_time")[0];
    return;
  }
  c.values<std::int32_t>("going")[0] = 0;
  s.grid.levels[level].clock.time = c.values<double>("start_time")[0] + dt;
}

void declare(Declaration& d) {
  d.describe("Method of lines: Runge–Kutta integration of all groups that declare right-hand sides");
  d.parameter("method", "RK4",
      one_of({{"Euler", "first order"}, {"RK2", "second order, midpoint"}, {"RK3", "third order, Kutta's"},
          {"SSPRK3", "third order, strong stability preserving"}, {"RK4", "fourth order, classical"},
          {"RKF78", "eighth order, Fehlberg"}, {"DP87", "eighth order, Prince and Dormand"},
          {"RK45", "fifth order, Dormand and Prince, adaptive step"}}),
      "Integration method");
  d.parameter("relative_error", 1e-8, above(0), "RK45: error tolerated a step, relative to the state");
  d.parameter("absolute_error", 1e-10, above(0), "RK45: error tolerated a step");
  d.scalars("control", {"stage", "going"}, "Where in the step the integrator is").type(ScalarType::int32);
  d.scalars("times", {"start_time", "next_dt"}, "Start of the step, and the next dt of an adaptive method")
      .type(ScalarType::float64);
  d.provides<TimeIntegrator>([](const Parameters& p) { return std::make_shared<Integrator>(p); });
}

void schedule(Schedule& s, const Parameters&) {
  s.routine("begin", "Starts a step", begin).writes({"stage", "going", "start_time", "next_dt"}).at(bin::evolve);
  const auto substep = s.group("substep", "One stage of the integrator").at(bin::evolve).after("begin").while_("going");
  s.routine("begin_stage", "Sets the time of the stage", begin_stage).updates({"stage", "start_time"}).in(substep);
  s.group("rhs", "Right-hand sides of evolved groups").in(substep).after("begin_stage");
  s.group("rhs_boundary", "Conditions on right-hand sides").in(substep).after("rhs");
  s.routine("update", "Advances all evolved groups by one stage", update)
      .reads({"@rhs"})
      .updates({"stage", "going", "start_time", "next_dt"})
      .writes({"@evolved"})
      .launches_kernels()
      .in(substep)
      .after("rhs_boundary");
  s.group("post_substep", "What is to hold after each stage: constraints, boundaries by hand")
      .in(substep)
      .after("update");
}
}  // namespace MoL
CEREUS_THORN(MoL, MoL::declare, MoL::schedule)
