// Multipoles of fields on spheres, over time, as text.
#include <Analysis/inside.hpp>
#include <Analysis/sphere.hpp>
#include <Output/vocabulary.hpp>
#include <cereus/growing_file.hpp>
#include <cereus/thorn.hpp>
#include <set>

#include "decompose.hpp"

namespace Multipole {
using namespace cereus;
using Complex = std::complex<double>;

struct Field {
  std::string name;
  int spin, real, imaginary;  // imaginary: −1 if the field is real
};

void declare(Declaration& d) {
  d.describe("Multipoles of fields on spheres, over time: integrals with spherical harmonics of any spin weight");
  d.parameter("variables", Variables{}, any(), "Grid functions that are fields, or the real parts of fields");
  d.parameter("imaginary", Variables{}, any(), "Imaginary parts of the first so many of these; the others are real");
  d.parameter("names", std::vector<std::string>{}, matching("[A-Za-z0-9_]+", "letters, digits and underscores"),
      "What fields are called in names of files; by default as their variables");
  d.parameter("spin_weights", std::vector<std::int64_t>{}, between(-8, 8), "Of each field; 0 if there are none");
  d.parameter("radii", std::vector<double>{}, above(0), "Radii of the spheres");
  d.parameter("centre", {0.0, 0.0, 0.0}, any(), "Centre of the spheres").length(3);
  d.parameter("lmax", 4, between(0, 12), "Multipoles of l up to this");
  d.parameter("points", 24, between(2, 500), "Points from pole to pole; around there are twice as many");
  Output::declare_every(d, 1);
  d.needs<Interpolation>();
}

// The variables that a parameter names, in that order.
std::vector<int> numbers(Context& c, const char* parameter) {
  std::vector<int> list;
  for (const auto& pattern : c.parameters().strings(parameter))
    for (int v : c.simulation().match(pattern)) list.push_back(v);
  return list;
}

std::vector<Field> fields(Context& c) {
  const Parameters& par = c.parameters();
  const auto real = numbers(c, "variables"), imaginary = numbers(c, "imaginary");
  const auto names = par.strings("names");
  const auto spins = par.integers("spin_weights");
  std::vector<Field> list;
  for (std::size_t n = 0; n < real.size(); ++n) {
    const std::string& full = c.simulation().variables[real[n]].name;
    list.push_back({names.empty() ? full.substr(full.rfind(':') + 1) : names.at(n),
        spins.empty() ? 0 : static_cast<int>(spins.at(n)), real[n], n < imaginary.size() ? imaginary[n] : -1});
  }
  return list;
}

// mp_Psi4_l2_m-2_r100.00.asc, as kuibit expects it.
std::filesystem::path file(const Simulation& s, const Field& f, const Mode& mode, double radius) {
  char size[32];
  std::snprintf(size, sizeof size, "%.2f", radius);
  return s.output /
         ("mp_" + f.name + "_l" + std::to_string(mode.l) + "_m" + std::to_string(mode.m) + "_r" + size + ".asc");
}

void check(Context& c) {
  const Parameters& par = c.parameters();
  Problems problems;
  const std::size_t count = numbers(c, "variables").size();
  const auto as_many = [&](const char* name, std::size_t n, bool exactly) {
    if (exactly ? n != 0 && n != count : n > count)
      problems.add(par.where(name), std::string("Multipole.") + name + " has " + std::to_string(n) +
                                        " entries, and Multipole.variables names " + std::to_string(count) +
                                        (exactly ? ": one for each, or none" : ": no more than these"));
  };
  as_many("imaginary", numbers(c, "imaginary").size(), false);
  as_many("names", par.strings("names").size(), true);
  as_many("spin_weights", par.integers("spin_weights").size(), true);
  std::set<std::string> files;
  for (const Field& f : problems.empty() ? fields(c) : std::vector<Field>{})
    for (double r : par.reals("radii"))
      if (const auto path = file(c.simulation(), f, {2, 0}, r); !files.insert(path.string()).second)
        problems.add(par.where(par.reals("radii").size() > 1 ? "radii" : "names"),
            "Multipole: two results have files of one name, such as " + path.filename().string() +
                "; names must differ, and radii by 0.01 and more");
  for (auto s : par.integers("spin_weights"))
    if (std::abs(s) > par.integer("lmax"))
      problems.add(par.where("spin_weights"), "Multipole.spin_weights: a field of spin weight " + std::to_string(s) +
                                                  " has no multipole of l up to " +
                                                  std::to_string(par.integer("lmax")) + "; raise Multipole.lmax");
  if (par.integer("points") <= par.integer("lmax"))
    problems.add(par.where("points"),
        "Multipole.points must be greater than Multipole.lmax, which is " + std::to_string(par.integer("lmax")));
  problems.throw_if_any();
}

// The points of a sphere, and what integrals need there, made once for each spin weight.
class Sphere {
 public:
  Sphere(int points, int lmax) : points(Analysis::gauss_sphere(points)), lmax_(lmax) {}
  const Projection& projection(int spin) { return projections_.try_emplace(spin, points, spin, lmax_).first->second; }
  const std::vector<Analysis::SpherePoint> points;

 private:
  int lmax_;
  std::map<int, Projection> projections_;
};

// All points of all spheres, one sphere after another.
std::vector<std::array<double, 3>> places(const Parameters& par, const Sphere& sphere) {
  const auto centre = par.reals("centre");
  std::vector<std::array<double, 3>> points;
  for (double r : par.reals("radii"))
    for (const auto& p : sphere.points)
      points.push_back(
          {centre[0] + r * p.direction[0], centre[1] + r * p.direction[1], centre[2] + r * p.direction[2]});
  return points;
}

void check_places(Context& c, const Sphere& sphere) {
  std::vector<int> variables = numbers(c, "variables");
  for (int v : numbers(c, "imaginary")) variables.push_back(v);
  const std::string wrong = Analysis::outside(c.simulation(), variables, places(c.parameters(), sphere));
  if (!wrong.empty())
    throw Error(c.parameters().where("radii"),
        "Multipole.radii: spheres must lie inside the grid; take smaller ones: " + wrong);
}

void write(Context& c, const Field& f, double radius, const Projection& project, std::span<const double> real,
    std::span<const double> imaginary) {
  const auto found = project([&](std::size_t p) { return Complex(real[p], imaginary.empty() ? 0 : imaginary[p]); });
  for (std::size_t n = 0; n < found.size(); ++n)
    cereus::append_lines(file(c.simulation(), f, project.modes()[n], radius),
        "# Multipole of " + f.name + ", spin weight " + std::to_string(f.spin) + ", radius " +
            cereus::all_digits(radius) + "\n# 1:time 2:real 3:imaginary\n",
        cereus::all_digits(c.clock().time) + " " + cereus::all_digits(found[n].real()) + " " +
            cereus::all_digits(found[n].imag()) + "\n");
}

// Process 0 asks for the values at all spheres and writes; the others give it theirs.
void multipoles(Context& c, Sphere& sphere) {
  const Parameters& par = c.parameters();
  const auto radii = par.reals("radii");
  std::vector<std::array<double, 3>> points;
  if (c.rank() == 0) points = places(par, sphere);
  const auto all = fields(c);
  std::vector<int> variables;
  for (const Field& f : all) {
    variables.push_back(f.real);
    if (f.imaginary >= 0) variables.push_back(f.imaginary);
  }
  std::vector<double> values(variables.size() * points.size());
  try {
    c.service<Interpolation>().interpolate(c.simulation(), variables, points, values);
  } catch (const Failure& e) {
    throw Failure(par.where("radii"),
        std::string("Multipole.radii: spheres must lie inside the grid; take smaller ones: ") + e.what());
  }
  if (c.rank() != 0) return;
  for (std::size_t r = 0; r < radii.size(); ++r) {
    std::size_t v = 0;
    const auto next = [&] {
      return std::span(values).subspan(v++ * points.size() + r * sphere.points.size(), sphere.points.size());
    };
    for (const Field& f : all) {
      const auto real = next();
      write(c, f, radii[r], sphere.projection(f.spin), real, f.imaginary < 0 ? std::span<const double>{} : next());
    }
  }
}

void schedule(Schedule& s, const Parameters& par) {
  auto variables = par.strings("variables");
  for (const std::string empty : {"variables", "radii"})
    if (const std::string given = empty == "radii" ? "variables" : "radii";
        par.was_set(given) && (empty == "radii" ? par.reals(empty).empty() : variables.empty()))
      throw Error(par.where(given), "Multipole." + empty + " is empty, so Multipole." + given + " are for nothing");
  if (variables.empty()) return;
  for (const auto& v : par.strings("imaginary")) variables.push_back(v);
  const auto sphere =
      std::make_shared<Sphere>(static_cast<int>(par.integer("points")), static_cast<int>(par.integer("lmax")));
  const int reach = static_cast<int>(s.parameters("Interpolate").integer("order")) / 2 + 1;
  s.routine("check", "Checks that lists fit each other, and spheres the grid",
       [sphere](Context& c) {
         if (c.grid().dim != 3)
           throw Error(c.parameters().where("radii"),
               "Multipole has spheres, and the grid has " + std::to_string(c.grid().dim) + " dimensions; leave it out");
         check(c), check_places(c, *sphere);
       })
      .at(bin::paramcheck)
      .once();
  auto modes =
      s.routine("multipoles", "Integrals with spherical harmonics", [sphere](Context& c) { multipoles(c, *sphere); })
          .reads(variables, Region::interior, reach)
          .at(bin::output)
          .every(Output::every_of(par))
          .once();
  if (s.parameters("Interpolate").boolean("on_device")) modes.launches_kernels();
}
}  // namespace Multipole
CEREUS_THORN(Multipole, Multipole::declare, Multipole::schedule)
