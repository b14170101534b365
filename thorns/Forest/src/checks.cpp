// What Forest refuses at the start, and what it warns of.
#include "checks.hpp"

#include <cereus/console.hpp>
#include <cereus/text.hpp>

#include "Forest/refinement.hpp"
#include "reflux.hpp"

namespace Forest {
using namespace cereus;
namespace {
// Fluxes of which a part is missing would be wrong in silence.
void check_fluxes(const Simulation& s, int group) {
  const Group& g = s.groups[group];
  for (int d = 0; d < s.grid.dim; ++d)
    if (g.centre[d] != Centre::cell)
      throw Error("Forest: fluxes are of groups in cells, and " + g.fluxes_of + " is " + name_of(g.centre, s.grid.dim));
  for (int axis = 0; axis < s.grid.dim; ++axis)
    for (int c = 0; c < static_cast<int>(g.variables.size()); ++c)
      if (!flux_kernel(s, group, c, axis))
        throw Error("Forest: no kernel in " + std::string(cereus::MoL::fluxes[axis].name) +
                    " that says .at_level_faces(" + std::to_string(axis) + ") writes " + s.variable_name(group, c) +
                    "; fluxes of a group are needed along each axis, or none");
}

// Calls f(routine, access) for all that runs in some bins.
template <class F> void each_access(const Simulation& s, std::initializer_list<const char*> bins, F&& f) {
  const auto visit = [&](const auto& self, const Node& n) -> void {
    if (n.routine >= 0)
      for (const VariableAccess& a : s.routines[n.routine].accesses) f(s.routines[n.routine], a);
    for (const Node& child : n.children) self(self, child);
  };
  for (const char* bin : bins) visit(visit, s.bins.at(bin));
}

// What cannot be known of a coarser level in the middle of its step.
void check_subcycles(const Simulation& s, const Where& where) {
  const auto* integrator = s.services.find<TimeIntegrator>();
  const auto refuse = [&](const std::string& why) { throw Error(where, "Forest.subcycle: " + why); };
  if (!integrator) refuse("nothing takes steps; add thorn MoL");
  if (const std::string why = integrator->cannot_subcycle(); !why.empty()) refuse(why);
  std::vector<bool> changes(s.groups.size(), false);
  const auto in_steps = {"prestep", "evolve", "poststep", "postrestrict"};
  each_access(s, in_steps, [&](const Routine&, const VariableAccess& a) {
    if (a.mode != Mode::read && a.region != Region::everywhere) changes[a.group] = true;
    if (a.mode != Mode::read && s.groups[a.group].timelevels > 1)
      refuse(s.groups[a.group].full_name() + " keeps past timelevels, which finer levels have at other times");
  });
  for (const Group& g : s.groups)
    if (g.rhs >= 0 && g.kind != GroupKind::grid_function)
      refuse(g.full_name() +
             " is no grid function: it steps with level 0, and finer levels would read it at the end of "
             "that step");
  each_access(s, {"evolve"}, [&](const Routine& r, const VariableAccess& a) {
    const Group& group = s.groups[a.group];
    if (r.result_group >= 0) refuse(r.name + " takes one value of all levels, which are at different times");
    if (group.kind != GroupKind::grid_function || s.fields.buffers(a.group) == 0 || a.mode == Mode::write) return;
    const bool beside = a.region != Region::interior || a.reach > 0;
    if (beside && group.rhs < 0 && group.evolves < 0 && changes[a.group])
      refuse(r.name + " reads neighbours of " + group.full_name() +
             ", which changes in a step but is not evolved: finer levels do not know it at their stages");
  });
}

void check_parameters(const Simulation& s, const Parameters& par) {
  const auto every = par.integer("every"), levels = par.integer("levels"), same = par.integer("same_steps");
  if (every > 0 && !s.services.find<Refinement>())
    throw Error(par.where("every"), "Forest.every: blocks may change, but no thorn says where; add Refine");
  if (every > 0 && levels == 1)
    throw Error(par.where("every"), "Forest.every: blocks may change, but Forest.levels: 1 has no finer ones");
  const auto steps = s.of("Cereus").integer("iterations");
  if (every > steps && steps > 0 && s.process.rank() == 0)  // no mistake where balls of Refine are to stay
    console::say("Forest.every: " + std::to_string(every) + ", and the run has " + std::to_string(steps) +
                 " steps: blocks are those of the start to its end");
  if (!par.boolean("subcycle")) return;
  if (levels == 1) throw Error(par.where("subcycle"), "Forest.subcycle: true, but Forest.levels: 1 has no finer ones");
  if (same >= levels - 1)
    throw Error(par.where("same_steps"), "Forest.same_steps: " + std::to_string(same) + ", but the finest level is " +
                                             std::to_string(levels - 1) +
                                             ": none has steps of its own; leave subcycle out");
}

// Thorns whose code reads a grid of one patch. Kernels for straight grids are refused by the flesh.
constexpr const char* know_no_shells[] = {"CaKernel", "Elliptic", "Fourier", "Histogram", "Hydro", "HTTPD",
    "Incompressible", "IOSilo", "Jacobi", "Multigrid", "Sola", "Spectrum"};

void check_shells(const Simulation& s, const Parameters& par) {
  for (const ThornRecord& t : s.thorns)
    if (std::ranges::count(know_no_shells, t.name) > 0)
      throw Error(par.where("shell_radius"),
          "Forest.shell_radius: " + t.name + " knows no shells yet; leave it out, or take a domain without shells");
  const auto ascii = s.parameters.find("IOASCII");
  if (ascii != s.parameters.end())
    for (const char* what : {"lines", "points"})
      if (ascii->second.changed(what))
        throw Error(ascii->second.where(what),
            std::string("IOASCII.") + what + ": Forest has shells, of which IOASCII writes reductions alone");
  for (const Group& g : s.groups)
    if (g.kind == GroupKind::grid_function && g.centre != std::array<Centre, 3>{})
      throw Error(par.where("shell_radius"),
          "Forest.shell_radius: " + g.full_name() + " is " + name_of(g.centre, s.grid.dim) + "; a ball has vertices");
}

void check_variables(const Simulation& s, const Parameters& par) {
  for (int g = 0; g < static_cast<int>(s.groups.size()); ++g) {
    const Group& group = s.groups[g];
    if (group.kind != GroupKind::grid_function || s.fields.buffers(g) == 0) continue;
    if (!group.fluxes_of.empty()) check_fluxes(s, g);
    for (int d = 1; d < s.grid.dim; ++d)
      if (group.centre[d] != group.centre[0])
        throw Error(par.where("levels"), "Forest interpolates between levels at vertices and in cells, and " +
                                             group.full_name() + " is on faces; take UniGrid, or one level");
    const auto points = par.integer("points");
    if (points > 0 && points < 2 * s.grid.ghosts[0] && group.rhs >= 0 && group.centre[0] == Centre::vertex &&
        s.process.rank() == 0)
      console::warn("Forest.points: interpolations of " + std::to_string(points) +
                    " points have a lower order than the differences of " + group.full_name() + ", which read " +
                    std::to_string(s.grid.ghosts[0]) +
                    " points on either side; leave it out, or take the order of the differences and 2");
    const bool conserved = group.fluxes >= 0 && s.fields.buffers(group.fluxes) > 0;
    if (group.rhs >= 0 && group.centre[0] == Centre::cell && !conserved && s.process.rank() == 0)
      console::warn("Forest: " + group.full_name() +
                    " is in cells, and its thorn says no fluxes: its sums change a little where levels meet");
  }
}
}  // namespace

void check(Context& c) {
  const Simulation& s = c.simulation();
  const Parameters& par = c.parameters();
  check_parameters(s, par);
  if (s.services.get<Driver>().maps()) check_shells(s, par);
  if (s.services.get<Driver>().subcycles()) check_subcycles(s, par.where("subcycle"));
  if (s.grid.levels.size() > 1 || par.integer("levels") > 1) check_variables(s, par);
}
}  // namespace Forest
