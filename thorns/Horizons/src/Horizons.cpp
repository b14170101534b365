// Looks for apparent horizons, follows them, and writes what is known of them.
#include <Analysis/communicator.hpp>
#include <Output/text_file.hpp>
#include <Output/vocabulary.hpp>
#include <cereus/thorn.hpp>

#include "files.hpp"
#include "sampler.hpp"

namespace Horizons {
using namespace cereus;
using Analysis::Communicator;

void declare(Declaration& d) {
  d.describe("Apparent horizons by the fast flow: surfaces, areas, spins, masses");
  d.parameter(
      "centres", std::vector<double>{}, any(), "x, y, z of each horizon's centre, one after another, at the start");
  d.parameter("radii", std::vector<double>{}, above(0), "Of each, of the sphere that the first search starts from");
  d.parameter(
      "start_times", std::vector<double>{}, any(), "Of each, when it is first looked for; at once if there are none");
  d.parameter("lmax", 8, between(2, 20), "Harmonics that a surface is made of");
  d.parameter("tolerance", 1e-8, above(0),
      "A surface is found when no multipole of the weighted expansion is larger, over its mean radius");
  d.parameter("most_steps", 300, at_least(1), "Of the flow in a search");
  d.parameter("shapes", true, any(), "Whether to write surfaces as well");
  Output::declare_every(d, 1);
  d.needs<Interpolation>();
}

struct Tracked {  // a horizon between two searches, on process 0
  std::optional<Surface> last;
  Vector centre{};
  bool looked = false;
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

class Finder {
 public:
  explicit Finder(const Parameters& par)
      : basis_(static_cast<int>(par.integer("lmax"))),
        tracked_(par.reals("radii").size()) {}

  void open() { comm_.open(); }

  void look(Context& c) {
    const auto from = c.parameters().reals("start_times");
    for (std::size_t n = 0; n < tracked_.size(); ++n) {
      if (!from.empty() && c.clock().time < from[n] - 1e-9) continue;
      Sampler sampler(c, comm_);
      std::string trouble;
      if (comm_.rank() == 0) trouble = search(c, n, sampler);
      trouble = comm_.rank() == 0 ? sampler.finish(trouble) : sampler.serve();
      if (!trouble.empty())
        throw Failure(c.parameters().where("centres"),
            "Horizons cannot look for horizon " + std::to_string(n + 1) + ": " + trouble);
    }
  }

 private:
  Surface start(Context& c, std::size_t n) {
    Tracked& t = tracked_[n];
    const Parameters& par = c.parameters();
    if (!t.looked) {
      for (int d = 0; d < 3; ++d) t.centre[d] = par.reals("centres")[3 * n + d];
      t.last = last_of(diagnostics(c, n), basis_.lmax());  // of this run before it was interrupted
      if (t.last) t.centre = t.last->centre;
    }
    t.looked = true;
    return t.last ? *t.last : sphere(t.centre, par.reals("radii")[n], basis_.lmax());
  }

  // Why the run cannot go on; empty if it can, whatever was found.
  std::string search(Context& c, std::size_t n, Sampler& sampler) {
    const Parameters& par = c.parameters();
    Tracked& t = tracked_[n];
    const bool first = !t.looked;
    const Surface from = start(c, n);
    const Patch& finest = c.grid().levels.back().space;
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
    if (f.outside && f.steps == 0 && first && !t.last) return f.why;
    note(c, n, f);
    t.last.reset();
    if (!f.found) return "";
    Output::append(diagnostics(c, n), diagnostics_header(static_cast<int>(n) + 1, static_cast<int>(tracked_.size())),
        diagnostics_line(c.clock().iteration, c.clock().time, known, f));
    const std::string name = "h.t" + std::to_string(c.clock().iteration) + file_end(n);
    if (par.boolean("shapes"))
      Output::append(c.simulation().output / name, "", shape(basis_, f.surface, c.clock().iteration, c.clock().time));
    t.last = f.surface;
    recentre(basis_, *t.last);
    t.centre = t.last->centre;
    return "";
  }

  // A line for each search.
  void note(Context& c, std::size_t n, const Found& f) const {
    Output::append(c.simulation().output / ("searches.ah" + std::to_string(n + 1) + ".asc"),
        "# 1:iteration 2:time 3:found 4:steps 5:residual 6:mean radius, and why it was not found\n",
        std::to_string(c.clock().iteration) + " " + Output::number(c.clock().time) + " " + (f.found ? "1 " : "0 ") +
            std::to_string(f.steps) + " " + Output::number(f.residual) + " " + Output::number(f.surface.mean_radius()) +
            (f.found ? "" : " # " + f.why) + "\n");
  }

  static std::string file_end(std::size_t n) { return ".ah" + std::to_string(n + 1) + ".gp"; }
  std::filesystem::path diagnostics(Context& c, std::size_t n) const {
    return c.simulation().output / ("BH_diagnostics" + file_end(n));
  }

  Basis basis_;
  std::vector<Tracked> tracked_;
  Communicator comm_;
};

void require_lists(const Parameters& par) {
  const std::size_t n = par.reals("radii").size(), times = par.reals("start_times").size();
  if (par.reals("centres").size() != 3 * n)
    throw Error(par.where("centres"), "Horizons.centres has " + std::to_string(par.reals("centres").size()) +
                                          " numbers, and must have 3 for each of the " + std::to_string(n) +
                                          " entries of Horizons.radii");
  if (times != 0 && times != n)
    throw Error(par.where("start_times"), "Horizons.start_times has " + std::to_string(times) +
                                              " entries, and Horizons.radii " + std::to_string(n) +
                                              ": one for each, or none");
}

void schedule(Schedule& s, const Parameters& par) {
  require_lists(par);
  if (par.reals("radii").empty()) return;
  const auto finder = std::make_shared<Finder>(par);
  const int reach = static_cast<int>(s.parameters("Interpolate").integer("order")) / 2 + 1;
  s.routine("connect", "Makes a communicator for searches", [finder](Context&) { finder->open(); })
      .at(bin::startup)
      .once();
  auto search = s.routine("search", "Looks for apparent horizons", [finder](Context& c) { finder->look(c); })
                    .reads({"ADMBase::metric", "ADMBase::curv"}, Region::interior, reach)
                    .at(bin::output)
                    .every(Output::every_of(par))
                    .once();
  if (s.parameters("Interpolate").boolean("on_device")) search.launches_kernels();
}
}  // namespace Horizons
CEREUS_THORN(Horizons, Horizons::declare, Horizons::schedule)
