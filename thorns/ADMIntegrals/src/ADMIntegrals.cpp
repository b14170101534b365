// Mass, momentum and angular momentum on spheres; process 0 asks for the values at all points and adds them up, in an
// order that no decomposition changes.
#include <Analysis/inside.hpp>
#include <Analysis/sphere.hpp>
#include <cereus/growing_file.hpp>
#include <cereus/text.hpp>
#include <cereus/thorn.hpp>
#include <set>

#include "integrand.hpp"

namespace ADMIntegrals {
using namespace cereus;
const std::vector<std::string> metric{
    "ADMBase::gxx", "ADMBase::gxy", "ADMBase::gxz", "ADMBase::gyy", "ADMBase::gyz", "ADMBase::gzz"};
const std::vector<std::string> curvature{
    "ADMBase::kxx", "ADMBase::kxy", "ADMBase::kxz", "ADMBase::kyy", "ADMBase::kyz", "ADMBase::kzz"};
constexpr int component[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};

std::vector<int> numbers(const Simulation& s, const std::vector<std::string>& names) {
  std::vector<int> all;
  for (const auto& name : names) all.push_back(s.variable_number(name));
  return all;
}

// Values of six components, and their gradients, at points. Collective.
struct Sampled {
  std::size_t points;
  std::vector<double> values;
  std::vector<Vector> gradients;
  Sampled(Context& c, const std::vector<std::string>& names, const std::vector<Vector>& at, bool slopes)
      : points(at.size()),
        values(6 * at.size()),
        gradients(slopes ? 6 * at.size() : 0) {
    Simulation& s = c.simulation();
    if (slopes) c.service<Interpolation>().interpolate(s, numbers(s, names), at, values, gradients);
    else c.service<Interpolation>().interpolate(s, numbers(s, names), at, values);
  }
  double value(int i, int j, std::size_t n) const { return values[component[i][j] * points + n]; }
  const Vector& gradient(int i, int j, std::size_t n) const { return gradients[component[i][j] * points + n]; }
};

Charges on_sphere(
    const Sampled& g, const Sampled& k, const std::vector<Analysis::SpherePoint>& nodes, std::size_t first, double r) {
  Charges sum;
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    Geometry at;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        at.gamma[i][j] = g.value(i, j, first + n), at.curvature[i][j] = k.value(i, j, first + n);
        for (int d = 0; d < 3; ++d) at.change[d][i][j] = g.gradient(i, j, first + n)[d];
      }
    const Vector& e = nodes[n].direction;
    sum.add(nodes[n].weight * r * r / (8 * std::numbers::pi), integrand(at, e, {r * e[0], r * e[1], r * e[2]}));
  }
  return sum;
}

std::vector<Analysis::SpherePoint> nodes_of(const Parameters& par) {
  const auto n = par.integers("points");
  return Analysis::gauss_sphere(static_cast<int>(n[0]), static_cast<int>(n[1]));
}
// All points of all spheres, one sphere after another.
std::vector<Vector> places(const Parameters& par) {
  const auto centre = par.reals("centre");
  const auto nodes = nodes_of(par);
  std::vector<Vector> points;
  for (double r : par.reals("radii"))
    for (const auto& node : nodes)
      points.push_back(
          {centre[0] + r * node.direction[0], centre[1] + r * node.direction[1], centre[2] + r * node.direction[2]});
  return points;
}

void check(Context& c) {
  std::vector<int> variables = numbers(c.simulation(), metric);
  for (int v : numbers(c.simulation(), curvature)) variables.push_back(v);
  const std::string wrong = Analysis::outside(c.simulation(), variables, places(c.parameters()));
  if (!wrong.empty())
    throw Error(c.parameters().where("radii"),
        "ADMIntegrals.radii: spheres must lie inside the grid; take smaller ones: " + wrong);
}

void integrate(Context& c) {
  const Parameters& par = c.parameters();
  const auto radii = par.reals("radii");
  const auto nodes = nodes_of(par);
  const std::vector<Vector> points = c.rank() == 0 ? places(par) : std::vector<Vector>{};
  std::optional<Sampled> g, k;
  try {
    g.emplace(c, metric, points, true), k.emplace(c, curvature, points, false);
  } catch (const Failure& e) {
    throw Failure(par.where("radii"),
        std::string("ADMIntegrals.radii: spheres must lie inside the grid; take smaller ones: ") + e.what());
  }
  if (c.rank() != 0) return;
  const std::string clock = std::to_string(c.clock().iteration) + " " + cereus::all_digits(c.clock().time);
  for (std::size_t s = 0; s < radii.size(); ++s) {
    const Charges q = on_sphere(*g, *k, nodes, s * nodes.size(), radii[s]);
    std::string line = clock;
    for (double x : {q.mass, q.momentum[0], q.momentum[1], q.momentum[2], q.spin[0], q.spin[1], q.spin[2]})
      line += " " + cereus::all_digits(x);
    cereus::append_lines(c.simulation().output / ("adm.r" + format_double(radii[s]) + ".asc"),
        "# 1:iteration 2:time 3:M 4:Px 5:Py 6:Pz 7:Jx 8:Jy 9:Jz\n", line + "\n");
  }
}

void declare(Declaration& d) {
  d.describe("Mass, momentum and angular momentum of space on spheres, after Arnowitt, Deser and Misner");
  d.parameter("radii", std::vector<double>{}, above(0), "Radii of the spheres").must_be_given();
  d.parameter("centre", {0.0, 0.0, 0.0}, any(), "Their centre, and that of angular momentum").length(3);
  d.parameter("points", {24, 48}, at_least(2), "Points of a sphere along θ and φ").length(2);
  d.parameter("every", 1, at_least(1), "Write each time the iteration is a multiple of this");
  d.needs<Interpolation>();
}

void schedule(Schedule& s, const Parameters& par) {
  const auto radii = par.reals("radii");
  if (radii.empty() || std::set(radii.begin(), radii.end()).size() < radii.size())
    throw Error(par.where("radii"), "ADMIntegrals.radii must name one sphere or more, each once");
  const int reach = static_cast<int>(s.parameters("Interpolate").integer("order")) / 2 + 1;
  s.routine("check", "Checks that spheres lie inside the grid", check).at(bin::paramcheck).once();
  auto integrals = s.routine("integrate", "Integrates over spheres", integrate)
                       .reads(metric, Region::interior, reach)
                       .reads(curvature, Region::interior, reach)
                       .at(bin::output)
                       .every({static_cast<int>(par.integer("every"))})
                       .once();
  if (s.parameters("Interpolate").boolean("on_device")) integrals.launches_kernels();
}
}  // namespace ADMIntegrals
CEREUS_THORN(ADMIntegrals, ADMIntegrals::declare, ADMIntegrals::schedule)
