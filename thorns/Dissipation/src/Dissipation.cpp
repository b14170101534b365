// Adds dissipation to the right-hand sides of whatever evolves.
#include <cereus/thorn.hpp>

#include "kernels.hpp"

namespace Dissipation {
using namespace cereus;
constexpr choices<4, 6, 8> orders;

int reach(const Parameters& par) { return static_cast<int>(par.integer("order")) / 2 + 1; }
double strength(const Parameters& par) {
  if (par.real("strength") > 0) return par.real("strength");
  return par.integer("order") == 4 ? 0.3 : 0.4;
}

// One launch a variable, of all levels that share a piece of memory, which waits for no other.
class Damper {
 public:
  explicit Damper(const Parameters& par) : order_(static_cast<int>(par.integer("order"))), strength_(strength(par)) {}
  void operator()(Context& c) {
    Simulation& s = c.simulation();
    for (const VariableAccess& rhs : c.accesses()) {
      const int state = rhs.mode == Mode::update ? s.groups[rhs.group].evolves : -1;
      if (state >= 0 && s.groups[rhs.group].kind == GroupKind::grid_function) damp(s, c.levels(), rhs, state);
    }
  }

 private:
  void damp(Simulation& s, Selection levels, const VariableAccess& rhs, int state) {
    const int dim = s.grid.dim;
    bool found = false;
    visit_scalar(s.type(rhs.group), [&]<class T>(T) {
      if constexpr (!std::is_integral_v<T>) [&]<int... order>(detail::ints<order...>) {
          (with<order, 1, T>(s, levels, rhs, state, dim, found), ...);
          (with<order, 2, T>(s, levels, rhs, state, dim, found), ...);
          (with<order, 3, T>(s, levels, rhs, state, dim, found), ...);
        }
      (detail::ints<4, 6, 8>{});
    });
    if (!found)
      throw Failure("Dissipation: " + s.variable_name(state, rhs.component) + " has no real or complex numbers");
  }
  template <int order, int dim, class T>
  void with(Simulation& s, Selection levels, const VariableAccess& rhs, int state, int of, bool& found) {
    if (order != order_ || dim != of) return;
    found = true;
    static Kernel<Damp<order, dim, T>, dim, T> kernel;
    kernel->strength = static_cast<real_of_t<T>>(strength_);
    const VariableAccess handles[] = {{state, rhs.component, 0, Mode::read, Region::interior, order / 2 + 1}, rhs};
    std::vector<LevelBoxes> boxes;
    for (int l = levels.first; l < levels.last; ++l) boxes.push_back({l, &interiors(s, l, s.groups[state].centre)});
    launch(s, {.table = &kernel.table(), .handles = handles, .who = "Dissipation"}, boxes);
  }
  int order_;
  double strength_;
};

void declare(Declaration& d) {
  d.describe("Kreiss and Oliger's dissipation, added to the right-hand sides of evolved grid functions");
  d.parameter("variables", Variables{{"@rhs"}}, any(),
      "Right-hand sides that it is added to: names, patterns or @tags, WaveToy::*_rhs; @rhs: all");
  d.parameter("order", 4, orders, "Order of the differences beside which it is small: it is of the next odd one");
  d.parameter("strength", 0.0, between(0.0, 1.0), "What the highest waves are damped by; 0: 0.3 for order 4, else 0.4");
}

void check(Context& c) {
  const Parameters& par = c.parameters();
  const Simulation& s = c.simulation();
  for (const std::string& pattern : par.strings("variables"))
    for (const int v : s.match(pattern))
      if (const Group& g = s.groups[s.variables[v].group]; g.evolves < 0 || g.kind != GroupKind::grid_function)
        throw Error(par.where("variables"),
            "Dissipation.variables: " + s.variables[v].name + " is no right-hand side of a grid function" +
                (g.rhs >= 0 ? "; take " + s.variable_name(g.rhs, s.variables[v].component) : ""));
}

void schedule(Schedule& s, const Parameters& par) {
  s.routine("check", "Whether all variables are right-hand sides", check).at(bin::paramcheck).once();
  s.routine("damp", "Adds dissipation to right-hand sides", Damper(par))
      .reads({"@evolved"}, Region::interior, reach(par))
      .updates(par.strings("variables"))
      .launches_kernels()
      .together()
      .in(MoL::rhs);  // before conditions at outer faces
}
}  // namespace Dissipation
CEREUS_THORN(Dissipation, Dissipation::declare, Dissipation::schedule)
