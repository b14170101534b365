#include "files.hpp"

#include <cereus/growing_file.hpp>

#include <fstream>
#include <sstream>

namespace Horizons {
namespace {
using cereus::all_digits;
constexpr const char* columns[] = {"cctk_iteration", "cctk_time", "centroid_x", "centroid_y", "centroid_z",
    "min radius", "max radius", "mean radius", "quadrupole_xx", "quadrupole_xy", "quadrupole_xz", "quadrupole_yy",
    "quadrupole_yz", "quadrupole_zz", "min x", "max x", "min y", "max y", "min z", "max z", "xy-plane circumference",
    "xz-plane circumference", "yz-plane circumference", "ratio of xz/xy-plane circumferences",
    "ratio of yz/xy-plane circumferences", "area", "m_irreducible", "areal radius", "expansion Theta_(l)",
    "inner expansion Theta_(n)", "product of the expansions", "mean curvature", "gradient of the areal radius",
    "gradient of the expansion Theta_(l)", "gradient of the inner expansion Theta_(n)",
    "gradient of the product of the expansions", "gradient of the mean curvature", "minimum of the mean curvature",
    "maximum of the mean curvature", "integral of the mean curvature", "spin_x", "spin_y", "spin_z", "mass", "steps",
    "residual"};
}  // namespace

std::string diagnostics_header(int number, int of) {
  std::string text = "# apparent horizon " + std::to_string(number) + "/" + std::to_string(of) +
                     "\n#\n# columns up to 40 are those of AHFinderDirect; its gradients are not computed: nan\n";
  int n = 0;
  for (const char* name : columns) {
    char line[100];
    std::snprintf(line, sizeof line, "# column %2d = %s\n", ++n, name);
    text += line;
  }
  return text;
}

std::string diagnostics_line(int iteration, double time, const Horizon& h, const Found& f) {
  std::string text = std::to_string(iteration) + "\t" + all_digits(time);
  const auto add = [&](std::initializer_list<double> list) {
    for (double x : list) text += "\t" + all_digits(x);
  };
  const auto& c = h.circumference;
  add({h.centroid[0], h.centroid[1], h.centroid[2], h.radius[0], h.radius[1], h.radius[2]});
  for (double q : h.quadrupole) add({q});
  for (int d = 0; d < 3; ++d) add({h.least[d], h.most[d]});
  add({c[0], c[1], c[2], c[1] / c[0], c[2] / c[0]});
  add({h.area, h.irreducible_mass, 2 * h.irreducible_mass, h.outer, h.inner, h.product, h.curvature[0]});
  for (int n = 0; n < 5; ++n) text += "\tnan";
  add({h.curvature[1], h.curvature[2], h.curvature[3], h.spin[0], h.spin[1], h.spin[2], h.mass});
  return text + "\t" + std::to_string(f.steps) + "\t" + all_digits(f.residual) + "\n";
}

const char* const surfaces_header =
    "# the surface from which the next search starts: r = Σ a_n Y_n around x, y, z; all 0 where none was found\n"
    "# 1:iteration 2:time 3:x 4:y 5:z 6:a0 and the others\n";

std::string surfaces_line(int iteration, double time, const Surface& s) {
  std::string text = std::to_string(iteration) + " " + all_digits(time);
  for (double x : s.centre) text += " " + all_digits(x);
  for (double a : s.coefficients) text += " " + all_digits(a);
  return text + "\n";
}

std::optional<Surface> last_of(const std::filesystem::path& surfaces, int lmax) {
  std::ifstream file(surfaces);
  std::string line, last;
  while (std::getline(file, line))
    if (!line.empty() && line[0] != '#' && !file.eof()) last = line;
  std::istringstream words(last);
  double x[5];
  for (double& number : x)
    if (!(words >> number)) return {};
  Surface s = sphere({x[2], x[3], x[4]}, 0, lmax);  // a run that goes on may have another lmax
  for (double& a : s.coefficients)
    if (!(words >> a)) a = 0;
  return s;
}

std::string shape(const Basis& basis, const Surface& s, int iteration, double time) {
  const auto place = [](const Vector& v) { return all_digits(v[0]) + " " + all_digits(v[1]) + " " + all_digits(v[2]); };
  const auto& points = basis.points();
  const std::size_t around = 2 * (basis.lmax() + 4);
  std::string text = "# apparent horizon at iteration " + std::to_string(iteration) + ", time " + all_digits(time) +
                     "\n# origin = " + place(s.centre) +
                     "\n### +z patch\n# all of the surface; 1:theta 2:phi 3:r 4:x 5:y 6:z\n";
  for (std::size_t first = 0; first < points.size(); first += around) {
    for (std::size_t n = 0; n <= around; ++n) {  // closed around the axis
      const auto& p = points[first + n % around];
      const double r = basis.at(first + n % around, s.coefficients).value;
      Vector x = s.centre;
      for (int d = 0; d < 3; ++d) x[d] += r * p.direction[d];
      text += all_digits(p.theta) + " " + all_digits(p.phi) + " " + all_digits(r) + " " + place(x) + "\n";
    }
    text += "\n";
  }
  return text;
}
}  // namespace Horizons
