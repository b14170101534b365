// The service Interpolation, and time series at points: each point is evaluated by the process that owns its cell, from
// points and ghost zones that this process has, in an order that no decomposition changes.
#include <cereus/text.hpp>
#include <cereus/thorn.hpp>

#include <fstream>
#include <optional>

#include "plan.hpp"

namespace Interpolate {
class Interpolator : public Interpolation {
 public:
  explicit Interpolator(const Parameters& p) : order_(static_cast<int>(p.integer("order"))) {}

  void interpolate(Simulation& s, std::span<const int> variables, std::span<const Point> points,
      std::span<double> values, std::span<Point> gradients) override {
    if (!exchange_) exchange_.emplace(s.process);
    require(s, variables);
    const bool slopes = exchange_->any(!gradients.empty());  // of a process that has no points there are none
    std::vector<int> todo(variables.size());                 // positions in `variables`
    for (std::size_t v = 0; v < variables.size(); ++v) todo[v] = static_cast<int>(v);
    while (!todo.empty()) {  // all variables of one centring at a time
      const auto centre = s.groups[s.variables[variables[todo[0]]].group].centre;
      std::vector<int> now, later;
      for (int v : todo) (s.groups[s.variables[variables[v]].group].centre == centre ? now : later).push_back(v);
      std::vector<int> asked;
      for (int v : now) asked.push_back(variables[v]);
      const Plan& plan = plan_for(s, centre, points, mirrors(s, asked));
      for (int v : now)
        if (slopes)
          answer<std::array<double, 4>>(s, plan, variables[v], [&](std::size_t n, const auto& all) {
            const double sign = sign_of(s, variables[v], plan.mirrored[n]);
            values[v * points.size() + n] = sign * all[0];
            for (std::size_t d = 0; d < 3; ++d)
              gradients[v * points.size() + n][d] = (plan.mirrored[n] >> d & 1 ? -sign : sign) * all[d + 1];
          });
        else
          answer<double>(s, plan, variables[v], [&](std::size_t n, double value) {
            values[v * points.size() + n] = sign_of(s, variables[v], plan.mirrored[n]) * value;
          });
      todo = later;
    }
  }

 private:
  // Grid functions of real type, with valid ghost zones as wide as a stencil.
  void require(Simulation& s, std::span<const int> variables) const {
    const int reach = reach_of(order_);
    std::vector<VariableAccess> accesses;
    for (int v : variables) {
      const auto& [name, group, component] = s.variables[v];
      if (s.groups[group].kind != GroupKind::grid_function)
        throw Failure("Interpolate interpolates grid functions, and " + name + " is none");
      if (is_complex(s.type(group)))
        throw Failure("Interpolate interpolates real variables, and " + name + " is complex");
      accesses.push_back({group, component, 0, Mode::read, Region::interior, reach, true});
    }
    for (int d = 0; d < s.grid.dim; ++d)
      if (s.grid.ghosts[d] < reach)
        throw Failure("Interpolate of order " + std::to_string(order_) + " needs " + std::to_string(reach) +
                      " ghost zones, the grid has " + std::to_string(s.grid.ghosts[d]) +
                      "; lower Interpolate.order, or declare the reach where the service is used");
    make_valid(s, s.grid.all(), accesses, -1);
  }

  // The faces beyond which each of these variables is the mirror image of a tensor, with the sign of its component.
  static unsigned mirrors(const Simulation& s, std::span<const int> variables) {
    const auto* conditions = s.services.find<BoundaryConditions>();
    unsigned all = 0;
    for (int face = 0; conditions && face < 2 * s.grid.dim; ++face) {
      bool mirror = !s.grid.levels[0].space.periodic[face / 2];
      for (int v : variables) {
        const auto& [name, group, component] = s.variables[v];
        mirror =
            mirror && conditions->mirrors(s, group, component, face) == parity(s.groups[group], component, face / 2);
      }
      if (mirror) all |= 1U << face;
    }
    return all;
  }
  static double sign_of(const Simulation& s, int variable, unsigned mirrored) {
    const auto& [name, group, component] = s.variables[variable];
    double sign = 1;
    for (int d = 0; d < s.grid.dim; ++d)
      if (mirrored >> d & 1) sign *= parity(s.groups[group], component, d);
    return sign;
  }

  const Plan& plan_for(
      const Simulation& s, const std::array<Centre, 3>& centre, std::span<const Point> points, unsigned mirrors) {
    int found = -1;
    for (std::size_t n = 0; n < plans_.size(); ++n)
      if (plans_[n].fits(s.grid, centre, points, mirrors)) found = static_cast<int>(n);
    found = exchange_->common(found);  // all processes use the same plan, or all make a new one
    if (found >= 0) return plans_[found];
    constexpr std::size_t kept = 8;
    if (plans_.size() == kept) plans_.erase(plans_.begin());
    plans_.push_back(make_plan(s, *exchange_, centre, points, mirrors, order_));
    return plans_.back();
  }

  // Evaluates what others asked for, sends it, and calls take(point, result) for each that comes back.
  template <class Result, class Take>
  void answer(const Simulation& s, const Plan& plan, int variable, const Take& take) const {
    const auto n = static_cast<std::int64_t>(plan.targets.size());
    const VariableInfo& info = s.variables[variable];
    const auto address = [&](int block) { return s.fields.address(info.group, info.component, 0, block); };
    std::vector<Result> mine(plan.targets.size());
    const ScalarType type = s.type(info.group);
#pragma omp parallel for schedule(static) if (n > 256)
    for (std::int64_t t = 0; t < n; ++t)
      mine[t] = type == ScalarType::float32 ? evaluate<float, Result>(s.fields, plan.targets[t], address)
                : type == ScalarType::int32 ? evaluate<std::int32_t, Result>(s.fields, plan.targets[t], address)
                                            : evaluate<double, Result>(s.fields, plan.targets[t], address);
    const auto theirs = exchange_->swap(mine, plan.evaluated, plan.asked);
    for (std::size_t p = 0; p < plan.order.size(); ++p) take(static_cast<std::size_t>(plan.order[p]), theirs[p]);
  }

  int order_;
  std::optional<Exchange> exchange_;
  std::vector<Plan> plans_;  // rebuilt from points and grid after a restart
};

// Appends a line a point: iteration, time, x, y, z, values.
void write_series(Context& c) {
  Simulation& s = c.simulation();
  const auto flat = c.parameters().reals("points");
  std::vector<Point> points;
  if (c.rank() == 0)
    for (std::size_t n = 0; n < flat.size(); n += 3) points.push_back({flat[n], flat[n + 1], flat[n + 2]});
  std::vector<int> variables;
  for (const auto& a : c.accesses()) variables.push_back(s.groups[a.group].first_variable + a.component);
  std::vector<double> values(variables.size() * points.size());
  c.service<Interpolation>().interpolate(s, variables, points, values);
  if (c.rank() != 0) return;

  const auto path = s.output / "interpolated.asc";
  const bool fresh = !std::filesystem::exists(path);
  std::string text;
  if (fresh) {
    text = "# 1:iteration 2:time 3:x 4:y 5:z";
    for (std::size_t v = 0; v < variables.size(); ++v)
      text += " " + std::to_string(6 + v) + ":" + s.variables[variables[v]].name;
    text += "\n";
  }
  for (std::size_t n = 0; n < points.size(); ++n) {
    text += std::to_string(c.clock().iteration) + " " + format_double(c.clock().time);
    for (double x : points[n]) text += " " + format_double(x);
    for (std::size_t v = 0; v < variables.size(); ++v) text += " " + format_double(values[v * points.size() + n]);
    text += "\n";
  }
  std::ofstream file(path, std::ios::app | std::ios::binary);
  file << text << std::flush;
  if (!file) throw Failure("Interpolate cannot write " + path.string());
}

void declare(Declaration& d) {
  d.describe("Lagrange interpolation at arbitrary points, as a service and as time series");
  d.parameter("order", 3, between(0, max_order), "Order of the interpolating polynomial along each axis");
  d.parameter(
      "variables", Variables{}, any(), "Grid functions whose values at `points` are written to interpolated.asc");
  d.parameter("points", std::vector<double>{}, any(),
      "x, y, z of each point, one after another; what the grid lacks is ignored");
  d.parameter("every", 1, at_least(1), "Write each time the iteration is a multiple of this");
  d.provides<Interpolation>([](const Parameters& p) { return std::make_shared<Interpolator>(p); });
  d.needs<Driver>();
}

void schedule(Schedule& s, const Parameters& par) {
  const auto variables = par.strings("variables");
  if (par.reals("points").size() % 3)
    throw Error(par.where("points"), "Interpolate.points must be a list of 3 numbers a point: x, y, z");
  if (variables.empty()) return;
  s.routine("series", "Writes values at points", write_series)
      .reads(variables, Region::interior, reach_of(static_cast<int>(par.integer("order"))))
      .at(bin::output)
      .every({static_cast<int>(par.integer("every"))})
      .once();
}
}  // namespace Interpolate
CEREUS_THORN(Interpolate, Interpolate::declare, Interpolate::schedule)
