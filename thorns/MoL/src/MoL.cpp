// The method of lines: runs the right-hand sides of all evolved groups through the stages of a Runge–Kutta method.
// Stages live in buffers beside the timelevels; the present one is always timelevel 0, so that every routine reads the
// stage it should without knowing of it.
#include <cereus/console.hpp>
#include <cereus/text.hpp>
#include <cereus/thorn.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include "integrator.hpp"
#include "kernels.hpp"

namespace MoL {
using namespace cereus;

struct Evolved {
  int state, rhs;
};

std::vector<Evolved> evolved_groups(const Simulation& s) {
  std::vector<Evolved> list;
  for (int g = 0; g < static_cast<int>(s.groups.size()); ++g)
    if (const int state = s.groups[g].evolves; state >= 0 && s.fields.buffers(state) > 0) list.push_back({state, g});
  return list;
}
// The routine into which the update by these right-hand sides is fused; null if it is a sweep of its own.
const Routine* fused_into(const Simulation& s, int rhs) {
  for (const auto& r : s.routines)
    if (std::find(r.fused.begin(), r.fused.end(), rhs) != r.fused.end()) return &r;
  return nullptr;
}

Integrator& integrator(Context& c) { return static_cast<Integrator&>(c.service<TimeIntegrator>()); }

constexpr int most_terms = 5;  // of one sweep; longer sums take several
constexpr int in_strip = 8;    // components of one sweep along outer faces, where a launch has few points

// Calls f.operator()<dim>() for the dimension of a run.
template <class F> auto in_dimension_of(const Simulation& s, F&& f) {
  if (s.grid.dim == 1) return f.template operator()<1>();
  return s.grid.dim == 2 ? f.template operator()<2>() : f.template operator()<3>();
}

template <int dim, class Real> KernelTable combine_table(int terms, int together, const std::vector<double>& factors) {
  KernelTable table;
  const auto make = [&]<int count, int many>() {
    if (terms != count || together != many) return;
    Kernel<Combine<count, many, Real>, dim, Real> k;
    for (int i = 0; i < count; ++i) k->a.f[i] = static_cast<real_of_t<Real>>(factors[i]);
    table = k.table();
  };
  [&]<int... n>(detail::ints<n...>) {
    (make.template operator()<n + 1, 1>(), ...);
    if constexpr (std::is_floating_point_v<Real>) (make.template operator()<n + 1, in_strip>(), ...);
  }
  (detail::count_up<most_terms>::type{});
  return table;
}

struct Source {
  int group, buffer;
  double factor;
};
struct Sum {  // into a buffer of a group
  int group, target;
  std::vector<Source> sources;
};

// Sums of several groups have the same factors; their variables are of one type and centring.
template <class Real>
void sweep_fields(Simulation& s, Selection levels, const std::vector<Sum>& sums, const Strip& strip) {
  struct Component {
    const Sum& sum;
    int number;
  };
  std::vector<Component> all;
  for (const Sum& sum : sums)
    for (int c = 0; c < static_cast<int>(s.groups[sum.group].variables.size()); ++c) all.push_back({sum, c});
  std::vector<double> factors;
  for (const auto& x : sums.front().sources) factors.push_back(x.factor);
  for (std::span<const Component> rest = all, now; !rest.empty(); rest = rest.subspan(now.size())) {
    const bool many = std::is_floating_point_v<Real> && strip.layers > 0 && rest.size() >= in_strip;
    now = rest.first(many ? in_strip : 1);
    const auto table = in_dimension_of(s, [&]<int dim>() {
      return combine_table<dim, Real>(static_cast<int>(factors.size()), static_cast<int>(now.size()), factors);
    });
    std::vector<VariableAccess> handles;
    for (const auto& [sum, c] : now)
      for (const auto& x : sum.sources) handles.push_back({x.group, c, x.buffer});
    make_valid(s, levels, handles, -1, kernel_space(s));
    for (const auto& [sum, c] : now) handles.push_back({sum.group, c, sum.target, Mode::write});
    std::vector<LevelBoxes> boxes;
    for (int l = levels.first; l < levels.last; ++l)
      boxes.push_back({l, &interiors(s, l, s.groups[sums.front().group].centre, strip)});
    launch(s, {.table = &table, .handles = handles, .who = "MoL"}, boxes);
    for (int l = levels.first; l < levels.last; ++l)
      for (const auto& [sum, c] : now)
        s.fields.validity(sum.group, c, sum.target, l).wrote_interior(kernel_space(s), {s.clock.iteration, -1});
  }
}

template <class Real> void sweep_values(Simulation& s, const Sum& sum) {
  using Factor = real_of_t<Real>;
  for (int c = 0; c < static_cast<int>(s.groups[sum.group].variables.size()); ++c)
    for (std::int64_t e = 0; e < s.fields.elements(sum.group); ++e) {
      const auto term = [&](const Source& x) {
        return Factor(x.factor) * reinterpret_cast<const Real*>(s.fields.plain(x.group, c, x.buffer))[e];
      };
      Real total = term(sum.sources.front());  // not 0 first, which would turn −0 into 0
      for (const auto& x : std::span(sum.sources).subspan(1)) total += term(x);
      reinterpret_cast<Real*>(s.fields.plain(sum.group, c, sum.target))[e] = total;
    }
}

// Point by point over the interior (or its outermost layers along outer faces), or element by element; grid scalars and
// arrays step with level 0.
void sweep(Simulation& s, Selection levels, std::vector<Sum> sums, const Strip& strip = {}) {
  while (sums.front().sources.size() > most_terms) {  // the first five go into the target, which then leads the rest
    auto first = sums;
    for (Sum& sum : first) sum.sources.resize(most_terms);
    sweep(s, levels, first, strip);
    for (auto& [group, target, sources] : sums) {
      sources.erase(sources.begin(), sources.begin() + most_terms - 1);
      sources.front() = {group, target, 1.0};
    }
  }
  const Group& group = s.groups[sums.front().group];
  const bool fields = group.kind == GroupKind::grid_function;
  if (!fields && levels.first > 0) return;
  visit_scalar(s.type(sums.front().group), [&]<class Real>(Real) {
    if constexpr (__is_same(Real, std::int32_t))
      throw Failure(group.full_name() + " is of integers, which cannot be evolved");
    else if (fields) sweep_fields<Real>(s, levels, sums, strip);
    else
      for (const Sum& sum : sums) sweep_values<Real>(s, sum);
  });
}

// Exchanges two buffers of a state.
void swap(Simulation& s, Selection levels, int group, int buffer) {
  if (buffer == 0) return;
  const bool fields = s.groups[group].kind == GroupKind::grid_function;
  for (int l = levels.first; l < (fields ? levels.last : levels.first == 0 ? 1 : 0); ++l)
    s.fields.swap(group, l, 0, buffer);
}

void set_time(Context& c, double time) {
  for (int l = c.levels().first; l < c.levels().last; ++l) c.simulation().grid.levels[l].clock.time = time;
}

void begin(Context& c) {
  Simulation& s = c.simulation();
  const Clock& clock = c.clock();
  c.values<std::int32_t>("stage")[0] = 0;
  c.values<std::int32_t>("going")[0] = 1;
  c.values<double>("start_time")[0] = clock.time;
  for (const auto& e : evolved_groups(s))  // with past timelevels the step starts from a copy: the past stays
    if (s.groups[e.state].timelevels > 1) sweep(s, c.levels(), {{e.state, 0, {{e.state, 1, 1.0}}}});
}

void begin_stage(Context& c) {
  const int n = c.values<std::int32_t>("stage")[0];
  set_time(c, c.values<double>("start_time")[0] + integrator(c).method().stages[n].c * c.clock().dt);
}

struct Tolerated {
  double absolute, relative;
};
// The largest |error| / (absolute + relative · |y|) of the groups' variables on all processes; `buffer` says where the
// error of a group lies.
template <int dim, class F>
double largest_error(Context& c, const std::vector<int>& groups, const Tolerated& tolerated, F&& buffer) {
  Simulation& s = c.simulation();
  auto largest = Max<double>::identity();
  for (const int g : groups)
    visit_scalar(s.type(g), [&]<class Real>(Real) {
      if constexpr (std::is_floating_point_v<Real>) {
        Kernel<ErrorNorm<Real>, dim, Real> k;
        k->absolute = static_cast<Real>(tolerated.absolute);
        k->relative = static_cast<Real>(tolerated.relative);
        for (int v = 0; v < static_cast<int>(s.groups[g].variables.size()); ++v) {
          const VariableAccess handles[] = {{g, v, buffer(g)}, {g, v, 0}};
          make_valid(s, c.levels(), handles, -1, kernel_space(s));
          for (int l = c.levels().first; l < c.levels().last; ++l)
            launch(s, {.table = &k.table(),
                          .handles = handles,
                          .level = l,
                          .list = interiors(s, l, s.groups[g].centre).list(),
                          .result = &largest,
                          .who = "MoL"});
        }
      }
    });
  c.service<Driver>().combine_over_processes(&largest, sizeof largest,
      [](void* a, const void* b) { static_cast<Max<double>*>(a)->combine(*static_cast<const Max<double>*>(b)); });
  return largest.value;
}

std::vector<int> evolved_fields(const Simulation& s) {
  std::vector<int> list;
  for (const auto& e : evolved_groups(s))
    if (s.groups[e.state].kind == GroupKind::grid_function) list.push_back(e.state);
  return list;
}

// The error of an embedded method, over all evolved groups, relative to what is tolerated.
template <int dim> double error_norm(Context& c, int error_register) {
  const Simulation& s = c.simulation();
  const int last = static_cast<int>(integrator(c).method().stages.size()) - 1;
  const auto fields = evolved_fields(s);
  for (const int g : fields)
    if (is_complex(s.type(g)))
      throw Failure(
          "MoL: the adaptive method RK45 evolves groups of float and double only, not " + s.groups[g].full_name());
  return largest_error<dim>(c, fields, {c.parameters().real("absolute_error"), c.parameters().real("relative_error")},
      [&](int g) { return integrator(c).buffer(s, g, last, error_register); });
}

// Warns at the end of a run of real values that grew beyond all measure of those that evolved groups began with: a step
// that is too long ends in large numbers long before it ends in none. A run that goes on from a checkpoint says
// nothing.
class Growth {
 public:
  void operator()(Context& c) {
    const Simulation& s = c.simulation();
    for (const int g : evolved_fields(s)) {
      if (is_complex(s.type(g))) continue;
      const double size = in_dimension_of(s, [&]<int dim>() {
        return largest_error<dim>(c, {g}, {1, 0}, [](int) { return 0; });
      });
      if (c.clock().iteration == 0) first_ = std::max(first_, size), begun_ = true;
      else if (begun_ && c.rank() == 0 && (first_ > 0 ? !(size <= most * first_) : !std::isfinite(size)))
        console::warn("MoL: the largest value of " + s.groups[g].full_name() + " is " + format_double(size) +
                      ", and what evolves began with " + format_double(first_) +
                      " at most; if the equations do not say so, steps are too long (Time.courant, Time.dt), or the "
                      "method does not bear waves (MoL.method: Euler)");
    }
  }

 private:
  static constexpr double most = 1e8;
  bool begun_ = false;
  double first_ = 0;
};

// After the last stage of an embedded method: accept and lengthen the step, or go back and shorten it
// (Hairer, Nørsett, Wanner, Solving ODEs I, §II.4).
bool accept(Context& c, int order, int error_register) {
  Simulation& s = c.simulation();
  const Clock clock = c.clock();
  const double error = in_dimension_of(s, [&]<int dim>() { return error_norm<dim>(c, error_register); });
  constexpr double shortest = 0.2, longest = 5;  // also where the error is no number
  const double factor = std::isfinite(error)
                            ? std::clamp(0.9 * std::pow(std::max(error, 1e-10), -1.0 / order), shortest, longest)
                            : shortest;
  c.values<double>("next_dt")[0] = clock.dt * factor;
  if (error <= 1) return true;
  if (!(clock.dt * factor > 1e-14 * std::max(1.0, std::fabs(clock.time))))
    throw Failure("MoL: the step of RK45 became too small; loosen relative_error and absolute_error, or look for NaNs");
  for (int l = c.levels().first; l < c.levels().last; ++l) s.grid.levels[l].clock.dt *= factor;
  return false;
}

void update(Context& c) {
  Simulation& s = c.simulation();
  const auto& integrate = integrator(c);
  const Method& method = integrate.method(s);
  auto& stage_number = c.values<std::int32_t>("stage")[0];
  const int n = stage_number;
  const Stage& stage = method.stages[n];
  const Selection levels = c.levels();
  const double dt = c.clock().dt, start = c.values<double>("start_time")[0];
  const auto groups = evolved_groups(s);
  std::map<std::tuple<ScalarType, std::array<Centre, 3>, Strip>, std::vector<Sum>> strips;  // of fused updates
  for (const auto& e : groups) {
    const auto place = [&](int reg) { return integrate.buffer(s, e.state, n, reg); };
    const Routine* fused = fused_into(s, e.rhs);
    if (fused && fused->unfused_strip.layers == 0) continue;
    // The rate last, as in the epilogue of a fused kernel: both forms give the same bits.
    Sum sum{e.state, place(stage.target), {}};
    for (const auto& t : stage.terms) sum.sources.push_back({e.state, place(t.source), t.factor});
    sum.sources.push_back({e.rhs, 0, stage.weight * (stage.weight_times_dt ? dt : 1)});
    if (!fused) sweep(s, levels, {sum});
    else strips[{s.type(e.state), s.groups[e.state].centre, fused->unfused_strip}].push_back(sum);
  }
  for (const auto& [alike, sums] : strips) sweep(s, levels, sums, std::get<2>(alike));
  const double taken = c.service<Driver>().subcycles() ? integrate.weight_in_result(n) * dt
                                                       : stage.weight * (stage.weight_times_dt ? dt : 1);
  for (const auto& e : groups)
    if (s.groups[e.state].fluxes >= 0)
      c.service<Driver>().reflux(s, levels, e.state, integrate.buffer(s, e.state, n, stage.target), taken);
  for (const auto& e : groups) {
    const auto place = [&](int reg) { return integrate.buffer(s, e.state, n, reg); };
    for (const auto& w : stage.sweeps) {
      Sum sum{e.state, place(w.target), {}};
      for (const auto& t : w.terms) sum.sources.push_back({e.state, place(t.source), t.factor * (t.times_dt ? dt : 1)});
      sweep(s, levels, {sum});
    }
    swap(s, levels, e.state, place(stage.current));
  }
  if (n + 1 < static_cast<int>(method.stages.size())) {
    ++stage_number;
    return set_time(c, start + method.stages[n + 1].c * dt);
  }
  if (method.error_register >= 0 && !accept(c, method.order, method.error_register)) {
    for (const auto& e : groups)  // y is where the last swap put it
      swap(s, levels, e.state, integrate.buffer(s, e.state, n, 0));
    stage_number = 0;
    return set_time(c, start);
  }
  c.values<std::int32_t>("going")[0] = 0;
  set_time(c, start + dt);
}

void declare(Declaration& d) {
  d.describe("Method of lines: Runge–Kutta integration of all groups that declare right-hand sides");
  d.parameter("method", "RK4",
      one_of({{"Euler", "first order"}, {"RK2", "second order, midpoint"},
          {"SSPRK2", "second order, strong stability preserving"}, {"RK3", "third order, Kutta's"},
          {"SSPRK3", "third order, strong stability preserving"}, {"RK4", "fourth order, classical"},
          {"RKF78", "eighth order, Fehlberg"}, {"DP87", "eighth order, Prince and Dormand"},
          {"RK45", "fifth order, Dormand and Prince, adaptive step"}}),
      "Integration method");
  d.parameter("relative_error", 1e-8, above(0), "RK45: error tolerated a step, relative to the state")
      .only_with("method", {"RK45"});
  d.parameter("absolute_error", 1e-10, above(0), "RK45: error tolerated a step").only_with("method", {"RK45"});
  d.scalars("control", {"stage", "going"}, "Where in the step the integrator is").type(ScalarType::int32);
  d.scalars("times", {"start_time", "next_dt"}, "Start of the step, and the next dt of an adaptive method")
      .type(ScalarType::float64);
  d.provides<TimeIntegrator>([](const Parameters& p) { return std::make_shared<Integrator>(p); });
}

void schedule(Schedule& s, const Parameters&) {
  s.routine("begin", "Starts a step", begin)
      .writes({"stage", "going", "start_time", "next_dt"})
      .together()
      .at(bin::evolve);
  const auto substep = s.group("substep", "One stage of the integrator").at(bin::evolve).after("begin").while_("going");
  s.routine("begin_stage", "Sets the time of the stage", begin_stage)
      .updates({"stage", "start_time"})
      .together()
      .in(substep);
  s.group("rhs", "Right-hand sides of evolved groups").in(substep).after("begin_stage");
  s.group("rhs_boundary", "Conditions on right-hand sides").in(substep).after("rhs");
  std::string last = "rhs_boundary";
  for (const char axis : {'x', 'y', 'z'}) {
    const std::string name = std::string("fluxes_") + axis;
    s.group(name, "Fluxes across an axis where levels meet").in(substep).after(last).before("update");
    last = name;
  }
  s.routine("update", "Advances all evolved groups by one stage", update)
      .reads({"@rhs"})
      .updates({"stage", "going", "start_time", "next_dt"})
      .writes({"@evolved"})
      .launches_kernels()
      .together()
      .in(substep)
      .after("rhs_boundary");
  s.routine("growth", "Warns at the end of values that grew beyond all measure",
       [growth = std::make_shared<Growth>()](Context& c) { (*growth)(c); })
      .reads({"@evolved"})
      .launches_kernels()
      .together()
      .at(bin::analysis)
      .every({.iterations = std::numeric_limits<int>::max(), .at_end = true});
  s.group("post_substep", "What is to hold after each stage: constraints, boundaries by hand")
      .in(substep)
      .after("update");
}
}  // namespace MoL
CEREUS_THORN(MoL, MoL::declare, MoL::schedule)
