// The service Interpolation, and time series at points: each point is evaluated by the process that owns its cell, from
// points and ghost zones that this process has, in an order that no decomposition changes.
#include <cereus/text.hpp>
#include <cereus/thorn.hpp>

#include <cmath>
#include <fstream>
#include <numeric>
#include <optional>

#include "on_device.hpp"

namespace Interpolate {
class Interpolator : public Interpolation {
 public:
  explicit Interpolator(const Parameters& p)
      : order_(static_cast<int>(p.integer("order"))),
        on_device_(p.boolean("on_device")) {}

  void interpolate(Simulation& s, std::span<const int> variables, std::span<const Point> points,
      std::span<double> values, std::span<Point> gradients) override {
    if (!exchange_) exchange_.emplace(s.process);
    if (places_.epoch != s.grid.epoch) places_ = places_in(s);
    const Request r{variables, points, values, gradients};
    if (gradients_asked(points, gradients)) each_kind<4>(s, r);
    else each_kind<1>(s, r);
  }

 private:
  struct Request {
    std::span<const int> variables;
    std::span<const Point> points;
    std::span<double> values;
    std::span<Point> gradients;
  };
  struct Kept {
    Plan plan;
    std::unique_ptr<OnDevice> device;
    bool uploaded = false;
    int points = 0;  // of all processes
    std::int64_t last_use = 0;
  };

  // Processes without points go along with the others.
  bool gradients_asked(std::span<const Point> points, std::span<const Point> gradients) const {
    constexpr int values = 1, slopes = 2;
    const int all = exchange_->bits_of_all(points.empty() ? 0 : gradients.empty() ? values : slopes);
    if (all == (values | slopes))
      throw Failure(
          "Interpolate: some processes ask for gradients, and some for values alone; all that have points must ask for "
          "the same");
    return all == slopes;
  }

  // Variables of one centring and type, in one space, at a time; in any, where processes are of two kinds.
  template <int parts> void each_kind(Simulation& s, const Request& r) {
    std::vector<int> todo(r.variables.size());  // positions in `variables`
    std::iota(todo.begin(), todo.end(), 0);
    while (!todo.empty()) {
      const auto first = kind_of(s, r.variables[todo[0]]);
      std::vector<int> now, later, asked;
      for (int v : todo) (kind_of(s, r.variables[v]) == first ? now : later).push_back(v);
      for (int v : now) asked.push_back(r.variables[v]);
      const auto& [centre, type, where] = first;
      const Space space = s.two_kinds ? space_of(s, asked) : where;
      require(s, asked, space);
      Kept& kept = plan_for(s, centre, r.points, mirrors(s, asked));
      const auto mine = space == Space::device ? there<parts>(s, kept, asked) : here<parts>(s, kept.plan, asked);
      const std::size_t each = kept.plan.targets.size();
      for (std::size_t n = 0; n < now.size(); ++n)
        answer<parts>(s, kept.plan, now[n], std::span(mine).subspan(n * each, each), r);
      todo = later;
    }
  }

  std::tuple<std::array<Centre, 3>, ScalarType, Space> kind_of(const Simulation& s, int variable) const {
    const auto& [name, group, component] = s.variables[variable];
    if (s.groups[group].kind != GroupKind::grid_function)
      throw Failure("Interpolate interpolates grid functions, and " + name + " is none");
    if (is_complex(s.type(group)))
      throw Failure("Interpolate interpolates real variables, and " + name + " is complex");
    return {s.groups[group].centre, s.type(group), s.two_kinds ? Space::host : space_of(s, {&variable, 1})};
  }
  // The device, if all of the variables are there.
  Space space_of(const Simulation& s, std::span<const int> variables) const {
    const bool there = on_device_ && std::ranges::all_of(variables, [&](int v) {
      return on_device(s, places_, s.variables[v].group, s.variables[v].component);
    });
    return there ? Space::device : Space::host;
  }

  // Ghost zones as wide as a stencil are there, and valid.
  void require(Simulation& s, std::span<const int> variables, Space space) const {
    const int reach = reach_of(order_);
    for (int d = 0; d < s.grid.dim; ++d)
      if (s.grid.ghosts[d] < reach)
        throw Failure("Interpolate of order " + std::to_string(order_) + " needs " + std::to_string(reach) +
                      " ghost zones, the grid has " + std::to_string(s.grid.ghosts[d]) +
                      "; lower Interpolate.order, or declare the reach where the service is used");
    std::vector<VariableAccess> accesses;
    for (int v : variables)
      accesses.push_back(
          {s.variables[v].group, s.variables[v].component, 0, Mode::read, Region::interior, reach, true});
    make_valid(s, s.grid.all(), accesses, -1, space);
  }

  static Places places_in(const Simulation& s) {
    Places places{s.grid.epoch, {}};
    for (int l = 0; l < static_cast<int>(s.grid.levels.size()); ++l)
      places.levels.emplace_back(s.services.get<Driver>().all_blocks(s.grid, l));
    return places;
  }

  // The faces beyond which all these variables go on as mirror images.
  static unsigned mirrors(const Simulation& s, std::span<const int> variables) {
    const auto* conditions = s.services.find<BoundaryConditions>();
    unsigned all = 0;
    for (int face = 0; conditions && face < 2 * s.grid.dim; ++face)
      if (s.grid.outer_faces(s.grid.levels[0]) >> face & 1 && std::ranges::all_of(variables, [&](int v) {
            return conditions->reflects(s, s.variables[v].group, s.variables[v].component, face);
          }))
        all |= 1U << face;
    return all;
  }
  static double sign_of(const Simulation& s, int variable, unsigned mirrored) {
    const auto& [name, group, component] = s.variables[variable];
    double sign = 1;
    for (int d = 0; d < s.grid.dim; ++d)
      if (mirrored >> d & 1) sign *= parity(s.groups[group], component, d);
    return sign;
  }

  // All processes use the same plan, or all make a new one. Points that move, as those of a surface that is searched
  // for, take the places of each other, and not those of spheres.
  Kept& plan_for(
      const Simulation& s, const std::array<Centre, 3>& centre, std::span<const Point> points, unsigned mirrors) {
    int found = -1;
    for (std::size_t n = 0; n < plans_.size(); ++n)
      if (plans_[n].plan.fits(s.grid, centre, points, mirrors)) found = static_cast<int>(n);
    found = exchange_->common(found);
    if (found < 0) {
      Plan plan = make_plan(s.grid, places_, *exchange_, centre, points, mirrors, order_);
      found = place_for(exchange_->sum(static_cast<int>(points.size())));
      plans_[found].plan = std::move(plan), plans_[found].uploaded = false;
    }
    plans_[found].last_use = ++calls_;
    return plans_[found];
  }
  // A new one, or that of the plan that was used longest ago: of those for so many points, if there are some.
  int place_for(int points) {
    constexpr int most = 16, most_alike = 4;
    const auto alike = [&](const Kept& k) { return k.points == points; };
    const bool replace_alike = std::ranges::count_if(plans_, alike) == most_alike;
    std::size_t place = plans_.size();
    if (plans_.size() < most && !replace_alike) plans_.emplace_back();
    else {
      place = 0;
      std::int64_t oldest = calls_ + 1;
      for (std::size_t n = 0; n < plans_.size(); ++n)
        if ((!replace_alike || alike(plans_[n])) && plans_[n].last_use < oldest) place = n, oldest = plans_[n].last_use;
    }
    plans_[place].points = points;
    return static_cast<int>(place);
  }

  // The answers for variables at the targets of a plan, one after another: from the host, or from the device.
  template <int parts>
  std::vector<Answer<parts>> here(const Simulation& s, const Plan& plan, std::span<const int> variables) const {
    const auto n = static_cast<std::int64_t>(plan.targets.size());
    std::vector<Answer<parts>> all(variables.size() * plan.targets.size());
    for (std::size_t v = 0; v < variables.size(); ++v) {
      const VariableInfo& info = s.variables[variables[v]];
      const ScalarType type = s.type(info.group);
      const auto address = [&](int block) { return s.fields.address(info.group, info.component, 0, block); };
      const auto of = [&]<class T>(T, const Target& t) { return evaluate<T, parts>(s.fields, t, address); };
      Answer<parts>* to = all.data() + v * plan.targets.size();
#pragma omp parallel for schedule(static) if (n > 256)
      for (std::int64_t t = 0; t < n; ++t)
        to[t] = type == ScalarType::float32 ? of(float{}, plan.targets[t])
                : type == ScalarType::int32 ? of(std::int32_t{}, plan.targets[t])
                                            : of(double{}, plan.targets[t]);
    }
    return all;
  }
  template <int parts> std::vector<Answer<parts>> there(Simulation& s, Kept& k, std::span<const int> variables) const {
    if (k.plan.targets.empty()) return {};
    if (!k.device || !k.device->fits(k.plan, order_)) k.device = std::make_unique<OnDevice>(s, k.plan, order_);
    if (!std::exchange(k.uploaded, true)) k.device->upload(s, k.plan, order_, variables[0]);
    return k.device->evaluate<parts>(s, variables);
  }

  // Sends what others asked for of a variable, by its position among those asked for, and puts what comes back where
  // the caller wants it.
  template <int parts>
  void answer(const Simulation& s, const Plan& plan, int position, std::span<const Answer<parts>> mine,
      const Request& r) const {
    const auto theirs = exchange_->swap(mine, plan.evaluated, plan.asked);
    for (std::size_t p = 0; p < plan.order.size(); ++p) {
      const auto n = static_cast<std::size_t>(plan.order[p]);
      const std::size_t to = static_cast<std::size_t>(position) * r.points.size() + n;
      const double sign = sign_of(s, r.variables[position], plan.mirrored[n]);
      r.values[to] = sign * theirs[p].part[0];
      for (int d = 0; d + 1 < parts; ++d)
        r.gradients[to][d] =
            (plan.mirrored[n] >> d & 1 ? -sign : sign) * slope(plan.maps[n], r.points[n], theirs[p], d);
    }
  }

  // ∂/∂x_axis, from those by the coordinates of the patch.
  template <int parts> static double slope(int map, const Point& x, const Answer<parts>& found, int axis) {
    if (map == 0) return found.part[axis + 1];
    const double first = x[OnShell::axis(map, 0)];
    const OnShell at{
        map, x[OnShell::axis(map, 1)] / first, x[OnShell::axis(map, 2)] / first, std::hypot(x[0], x[1], x[2])};
    double sum = 0;
    for (int c = 0; c < 3; ++c) sum += at.slope(c, axis) * found.part[c + 1];
    return sum;
  }

  int order_;
  bool on_device_;
  std::optional<Exchange> exchange_;
  Places places_;
  std::vector<Kept> plans_;  // rebuilt from points and grid after a restart
  std::int64_t calls_ = 0;
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
      "on_device", true, any(), "Evaluate where a device holds the variables; else they are copied to the host");
  d.parameter(
       "variables", Variables{}, any(), "Grid functions whose values at `points` are written to interpolated.asc")
      .only_with("points");
  d.parameter("points", std::vector<double>{}, any(),
       "x, y, z of each point, one after another; what the grid lacks is ignored")
      .only_with("variables");
  d.parameter("every", 1, at_least(1), "Write each time the iteration is a multiple of this");
  d.provides<Interpolation>([](const Parameters& p) { return std::make_shared<Interpolator>(p); });
  d.needs<Driver>();
}

void schedule(Schedule& s, const Parameters& par) {
  const auto variables = par.strings("variables");
  if (par.reals("points").size() % 3)
    throw Error(par.where("points"), "Interpolate.points must be a list of 3 numbers a point: x, y, z");
  if (variables.empty()) return;
  auto series = s.routine("series", "Writes values at points", write_series)
                    .reads(variables, Region::interior, reach_of(static_cast<int>(par.integer("order"))))
                    .at(bin::output)
                    .every({static_cast<int>(par.integer("every"))})
                    .once();
  if (par.boolean("on_device")) series.launches_kernels();
}
}  // namespace Interpolate
CEREUS_THORN(Interpolate, Interpolate::declare, Interpolate::schedule)
