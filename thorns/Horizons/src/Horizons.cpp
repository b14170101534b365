// Looks for apparent horizons, follows them, and writes what is known of them.
#include <Analysis/communicator.hpp>
#include <Output/vocabulary.hpp>
#include <cereus/console.hpp>
#include <cereus/domain_checks.hpp>
#include <cereus/growing_file.hpp>
#include <cereus/text.hpp>
#include <cereus/thorn.hpp>

#include "files.hpp"
#include "sampler.hpp"

namespace Horizons {
using namespace cereus;
using Analysis::Communicator;
const std::array<std::string, 3> position{"PunctureTracker::x", "PunctureTracker::y", "PunctureTracker::z"};

void declare(Declaration& d) {
  d.describe("Apparent horizons by the fast flow: surfaces, areas, spins, masses");
  d.parameter(
      "centres", std::vector<double>{}, any(), "x, y, z of each horizon's centre, one after another, at the start");
  d.parameter("radii", std::vector<double>{}, above(0), "Of each, of the sphere that the first search starts from");
  d.parameter(
      "start_times", std::vector<double>{}, any(), "Of each, when it is first looked for; at once if there are none");
  d.parameter("punctures", std::vector<std::int64_t>{}, at_least(0),
      "Of each, which puncture of PunctureTracker (1, 2, …) a search starts around; 0: none, but where it last was");
  d.parameter("lmax", 8, between(2, 20), "Harmonics that a surface is made of");
  d.parameter("tolerance", 1e-8, above(0),
      "A surface is found when no multipole of the weighted expansion is larger, over its mean radius");
  d.parameter("most_steps", 300, at_least(1), "Of the flow in a search");
  d.parameter("beside", true, any(),
      "On a device: search beside the evolution, from copies of whole fields; else in turn, from values it sends");
  d.parameter("shapes", true, any(), "Whether to write surfaces as well");
  Output::declare_every(d, 1);
  d.needs<Interpolation>();
}

struct Tracked {  // a horizon between two searches, on process 0
  Surface last;   // of radius 0 if there is none: then its centre counts
  bool looked = false;
  bool coarse = false;  // it was said that the grid does not resolve it
};

// Where r has a part of l = 1 that is more than a hundredth of it, the centre moves so that it vanishes, to first
// order.
void recentre(const Basis& basis, Surface& s) {
  Vector shift{};
  double length2 = 0;
  for (std::size_t p = 0; p < basis.points().size(); ++p) {
    const double h = basis.at(p, s.coefficients).value * basis.points()[p].weight * 3 / (4 * std::numbers::pi);
    for (int d = 0; d < 3; ++d) shift[d] += h * basis.points()[p].direction[d];
  }
  for (double x : shift) length2 += x * x;
  if (length2 < 1e-4 * s.mean_radius() * s.mean_radius()) return;
  for (int d = 0; d < 3; ++d) s.centre[d] += shift[d];
  std::fill_n(s.coefficients.begin() + 1, 3, 0.0);
}

constexpr double fewest_points = 4;  // of a radius: with 4.5 at the start, masses of QC-0 at M/20 stay to 0.25 %

class Finder {
 public:
  explicit Finder(const Parameters& par)
      : basis_(static_cast<int>(par.integer("lmax"))),
        tracked_(par.reals("radii").size()) {}

  void open(const Process& process) { comm_.open(process); }

  void look(Context& c) {
    const auto from = c.parameters().reals("start_times");
    for (std::size_t n = 0; n < tracked_.size(); ++n) {
      const bool due = from.empty() || c.clock().time >= from[n] - 1e-9;
      if (!due && checked_) continue;
      Sampler sampler(c, comm_);
      std::string trouble;
      if (comm_.rank() == 0) trouble = due ? search(c, n, sampler) : reaches(c, n, sampler);
      trouble = comm_.rank() == 0 ? sampler.finish(trouble) : sampler.serve();
      if (!trouble.empty())
        throw Failure(c.parameters().where("centres"), "Horizons cannot look for horizon " + std::to_string(n + 1) +
                                                           ", whose first sphere must lie inside the grid: " + trouble);
    }
    checked_ = true;
  }

 private:
  Surface start(Context& c, std::size_t n) {
    Tracked& t = tracked_[n];
    const Parameters& par = c.parameters();
    if (!t.looked) {
      const auto before = last_of(surfaces(c, n), basis_.lmax());  // of this run before it was interrupted
      const auto x = par.reals("centres");
      t.last = before ? *before : sphere({x[3 * n], x[3 * n + 1], x[3 * n + 2]}, 0, basis_.lmax());
      t.looked = before.has_value();
    }
    // Between two searches a hole may move by more than its radius.
    if (const auto follows = par.integers("punctures"); !follows.empty() && follows[n] > 0)
      for (int d = 0; d < 3; ++d)
        t.last.centre[d] = c.read_values<double>(position[d])[static_cast<std::size_t>(follows[n] - 1)];
    if (t.last.mean_radius() > 0) return t.last;
    return sphere(t.last.centre, par.reals("radii")[n], basis_.lmax());
  }

  // Why the first sphere of a later search cannot be had; empty if it can.
  std::string reaches(Context& c, std::size_t n, Sampler& sampler) {
    const Surface from = start(c, n);
    const auto& directions = basis_.points();
    std::vector<Vector> places(directions.size(), from.centre);
    for (std::size_t p = 0; p < places.size(); ++p)
      for (int d = 0; d < 3; ++d) places[p][d] += from.mean_radius() * directions[p].direction[d];
    std::vector<Space> space(places.size());
    try {
      sampler(places, space);
    } catch (const Failure& e) { return e.what(); }
    return "";
  }

  // Why the run cannot go on; empty if it can, whatever was found.
  std::string search(Context& c, std::size_t n, Sampler& sampler) {
    const Parameters& par = c.parameters();
    Tracked& t = tracked_[n];
    const Surface from = start(c, n);
    const bool first = !std::exchange(t.looked, true);
    const Patch& finest = finest_patch(c);
    double distance = 0;  // of points, where the surface is
    for (int d = 0; d < 3; ++d) distance = std::max(distance, finest.distance(d, finest.cells_to(d, from.centre[d])));
    const Search how{par.real("tolerance"), static_cast<int>(par.integer("most_steps")), 2 * distance};
    const Sample sample = [&](std::span<const Vector> x, std::span<Space> space) { sampler(x, space); };
    Found f = flow(basis_, from, sample, how);
    Horizon known{};
    if (f.found) try {
        known = measure(basis_, f, sample);
      } catch (const Failure& e) {  // sections have points farther out than those of the flow
        f.found = false, f.outside = true, f.why = e.what();
      }
    if (f.outside && f.steps == 0 && first) return f.why;
    t.last = f.found ? f.surface : sphere(from.centre, 0, basis_.lmax());
    if (f.found) recentre(basis_, t.last), warn_if_coarse(n, f.surface.mean_radius(), distance);
    note(c, n, f);
    if (!f.found) return "";
    cereus::append_lines(diagnostics(c, n),
        diagnostics_header(static_cast<int>(n) + 1, static_cast<int>(tracked_.size())),
        diagnostics_line(c.clock().iteration, c.clock().time, known, f));
    const std::string name = "h.t" + std::to_string(c.clock().iteration) + file_end(n);
    if (par.boolean("shapes"))
      cereus::append_lines(
          c.simulation().output / name, "", shape(basis_, f.surface, c.clock().iteration, c.clock().time));
    return "";
  }

  void warn_if_coarse(std::size_t n, double radius, double distance) {
    if (radius >= fewest_points * distance || std::exchange(tracked_[n].coarse, true)) return;
    console::warn("Horizons: the mean radius of horizon " + std::to_string(n + 1) + " is " + format_double(radius) +
                  ", " + format_double(radius / distance) + " distances of points: the grid does not resolve it; its " +
                  "mass and spin are not to be relied on");
  }

  // A line for each search: what came of it, and what the next one starts from.
  void note(Context& c, std::size_t n, const Found& f) const {
    cereus::append_lines(c.simulation().output / ("searches.ah" + std::to_string(n + 1) + ".asc"),
        "# 1:iteration 2:time 3:found 4:steps 5:residual 6:mean radius, and why it was not found\n",
        std::to_string(c.clock().iteration) + " " + cereus::all_digits(c.clock().time) + " " + (f.found ? "1 " : "0 ") +
            std::to_string(f.steps) + " " + cereus::all_digits(f.residual) + " " +
            cereus::all_digits(f.surface.mean_radius()) + (f.found ? "" : " # " + f.why) + "\n");
    cereus::append_lines(
        surfaces(c, n), surfaces_header, surfaces_line(c.clock().iteration, c.clock().time, tracked_[n].last));
  }

  static std::string file_end(std::size_t n) { return ".ah" + std::to_string(n + 1) + ".gp"; }
  std::filesystem::path diagnostics(Context& c, std::size_t n) const {
    return c.simulation().output / ("BH_diagnostics" + file_end(n));
  }
  std::filesystem::path surfaces(Context& c, std::size_t n) const {
    return c.simulation().output / ("surfaces.ah" + std::to_string(n + 1) + ".asc");
  }

  Basis basis_;
  std::vector<Tracked> tracked_;
  bool checked_ = false;
  Communicator comm_;
};

void require_lists(const Schedule& s, const Parameters& par) {
  const std::size_t n = par.reals("radii").size();
  if (par.reals("centres").size() != 3 * n)
    throw Error(par.where(par.was_set("centres") ? "centres" : "radii"),
        "Horizons.centres has " + std::to_string(par.reals("centres").size()) +
            " numbers, and must have 3 for each of the " + std::to_string(n) + " entries of Horizons.radii");
  const auto one_each = [&](const std::string& name, std::size_t entries) {
    if (entries != 0 && entries != n)
      throw Error(par.where(name), "Horizons." + name + " has " + std::to_string(entries) +
                                       " entries, and Horizons.radii " + std::to_string(n) + ": one for each, or none");
  };
  one_each("start_times", par.reals("start_times").size());
  one_each("punctures", par.integers("punctures").size());
  for (const auto number : par.integers("punctures"))
    if (number > 0 && number > s.parameters("PunctureTracker").integers("count")[0])
      throw Error(par.where("punctures"), "Horizons.punctures names puncture " + std::to_string(number) +
                                              ", and PunctureTracker.count is " +
                                              std::to_string(s.parameters("PunctureTracker").integers("count")[0]));
}

void schedule(Schedule& s, const Parameters& par) {
  require_lists(s, par);
  if (par.reals("radii").empty()) return;
  const auto finder = std::make_shared<Finder>(par);
  const int reach = static_cast<int>(s.parameters("Interpolate").integer("order")) / 2 + 1;
  s.routine(
       "connect", "Makes a communicator for searches", [finder](Context& c) { finder->open(c.simulation().process); })
      .at(bin::startup)
      .once();
  auto search = s.routine("search", "Looks for apparent horizons", [finder](Context& c) { finder->look(c); })
                    .reads({"ADMBase::metric", "ADMBase::curv"}, Region::interior, reach)
                    .at(bin::output)
                    .every(Output::every_of(par))
                    .once();
  if (std::ranges::any_of(par.integers("punctures"), [](auto number) { return number > 0; }))
    search.reads({position.begin(), position.end()});
  if (!par.boolean("beside") && s.parameters("Interpolate").boolean("on_device")) search.launches_kernels();
}
}  // namespace Horizons
CEREUS_THORN(Horizons, Horizons::declare, Horizons::schedule)
