// Walks the bin of the evolution: kernels become stages, variables become fields.
#include "step_program.hpp"

#include <algorithm>

#include "wants.hpp"
namespace CaKernel {
namespace {
struct Walk {
  const Simulation& s;
  StepProgram& p;
  bool late;  // whether its sweeps are compiled late

  void stop(std::string why) {
    if (p.obstacle.empty()) p.obstacle = std::move(why);
  }

  void node(const Node& n) {
    if (n.if_group >= 0) return stop(n.name + " is conditional");
    if (n.while_group >= 0 && s.groups[n.while_group].thorn != s.services.provider<TimeIntegrator>())
      return stop(n.name + " is a loop");
    if (n.routine >= 0) routine(s.routines[n.routine]);
    for (const Node& child : n.children) node(child);
  }

  void routine(const Routine& r) {
    if (r.integrates || r.item->clears) return;  // what adds to it stops the walk
    const std::string name = r.item->full_name();
    const Every& e = r.item->every;
    if (!r.is_kernel) return stop(name + " is a routine, not a kernel");
    if (e.never || e.iterations > 1 || e.time > 0) return stop(name + " does not run in each step");
    if (r.table->result_size > 0) return stop(name + " returns a value");
    if (!r.scalars.empty()) return stop(name + " is set from grid scalars");
    if (s.services.get<Driver>().stretches_axes() && r.table->looks_at_axes())
      return stop(name + " looks at axes, which are stretched");
    if (!r.table->source) return stop(name + " comes without its text");
    if (!r.table->loops().reads_time || *r.table->loops().reads_time) return stop(name + " looks at the time");
    if (!p.stages.empty() && p.stages.front().table->source != r.table->source)
      return stop("its kernels come from several thorns");
    if (p.stages.size() == sweep::most_stages)
      return stop("it has more than " + std::to_string(sweep::most_stages) + " kernels");
    if (r.table->handles > sweep::most_handles)
      return stop(name + " touches more than " + std::to_string(sweep::most_handles) + " variables");
    const bool integrates =
        std::ranges::any_of(r.accesses, [&](const auto& a) { return s.groups[a.group].evolves >= 0; });
    if (integrates) {
      if (r.fused.empty()) return stop("the update by " + name + " is a sweep of its own: " + r.not_fused);
      if (r.unfused_strip.layers > 0)
        return stop(s.services.provider<BoundaryConditions>() + " changes right-hand sides between stages");
      substeps(s.groups[r.fused.front()].evolves);
    }
    if (p.stages.empty()) p.type = r.table->type;
    if (r.table->type != p.type || (p.type != ScalarType::float32 && p.type != ScalarType::float64))
      return stop("its kernels are not all of float, or all of double");

    std::vector<Recording> seen(r.accesses.size());
    r.table->loops().record(r.table->kernel.get(), seen.data());
    sweep::Stage& stage = p.program.stage[p.program.stages++];
    p.stages.push_back(r);
    stage.handles = r.table->handles, stage.integrates = integrates;
    for (std::size_t h = 0; h < r.accesses.size(); ++h) access(r, r.accesses[h], seen[h], integrates, stage.use[h]);
    if (integrates && late && p.program.dim == 3 && r.table->takes_any_numbers && p.obstacle.empty())
      find_wants(*r.table, geometry_of(r), stage);
  }

  Geometry geometry_of(const Routine& r) const {
    const auto written = std::ranges::find_if(r.accesses, [](const auto& a) { return a.mode != Mode::read; });
    const Level& l = s.grid.levels[0];
    return l.space.geometry(s.groups[written->group].centre, l.clock);
  }

  // What the integrator makes of each stage, as long as it needs no more than states for that.
  void substeps(int state) {
    const auto& integrator = s.services.get<TimeIntegrator>();
    if (integrator.stages() > sweep::most_substeps)
      return stop("its integrator takes more than " + std::to_string(sweep::most_substeps) + " stages");
    p.integrated = state, p.program.substeps = integrator.stages();
    for (int n = 0; n < p.program.substeps; ++n) {
      const auto update = integrator.update(s, state, n, 0);
      if (!update.becomes_present) return stop("its integrator keeps right-hand sides");
      sweep::Substep& substep = p.program.substep[n];
      substep.destination = update.destination, substep.sources = update.epilogue.sources;
      std::copy_n(update.source, substep.sources, substep.source);
      std::copy_n(update.epilogue.a, substep.sources, substep.factor);
    }
  }

  void access(const Routine& r, const VariableAccess& a, const Recording& seen, bool integrates, sweep::Use& u) {
    const std::string name = r.item->full_name() + ", " + s.variable_name(a.group, a.component);
    if (s.type(a.group) != p.type) return stop(name + " is of another type");
    if (a.mode == Mode::add) return stop(name + " is a sum");
    if (a.mode != Mode::read && a.region != Region::interior) return stop(name + ": not only the interior is written");
    if (seen.gathered) return stop(name + " is read at offsets that are known only at run time");
    if (late && p.program.dim == 3 && seen.corners)
      return stop(name + ": in 3D, time tiles on a device read along the axes only");
    const int group = a.mode != Mode::read && integrates ? s.groups[a.group].evolves : a.group;
    u.field = field(group, a.component);
    if (u.field < 0) return;
    u.mode = a.mode;
    u.corners = seen.corners;
    std::copy_n(seen.lo, 3, u.lo), std::copy_n(seen.hi, 3, u.hi);
    const int levels = s.groups[group].timelevels;
    auto& kind = p.fields[u.field].kind;
    if (a.timelevel > 1) return stop(name + ": time tiles know one past timelevel only");
    if (integrates) {
      u.past = true;
      if (levels > 1) return stop(name + " has past timelevels");
      if (a.mode != Mode::read) kind = StepProgram::Field::integrated;
    } else if (a.mode == Mode::read) {
      u.past = a.timelevel == 1;
    } else {
      kind = levels > 1 ? StepProgram::Field::past : StepProgram::Field::made;  // buffered, if it comes in too
    }
  }

  int field(int group, int component) {
    for (std::size_t f = 0; f < p.fields.size(); ++f)
      if (p.fields[f].group == group && p.fields[f].component == component) return static_cast<int>(f);
    if (p.fields.size() == sweep::most_fields)
      return stop("it touches more than " + std::to_string(sweep::most_fields) + " variables"), -1;
    p.fields.push_back({group, component});
    return p.program.fields++;
  }

  bool writes_several_centrings(const Routine& r) const {
    const VariableAccess* first = nullptr;
    return std::ranges::any_of(r.accesses, [&](const VariableAccess& a) {
      if (a.mode == Mode::read) return false;
      if (!first) first = &a;
      return s.groups[a.group].centre != s.groups[first->group].centre;
    });
  }
  bool is_stage(const Routine& r) const { return std::ranges::find(p.stages, r.id, &Routine::id) != p.stages.end(); }

  // Whether anybody else looks at a variable; at a past timelevel of it, in each step. Who does so less often sees a
  // step that was taken alone.
  bool wanted(int group, int component, bool past) const {
    return std::ranges::any_of(s.routines, [&](const Routine& r) {
      if (past && (r.item->every.iterations > 1 || r.item->every.time > 0)) return false;
      return !is_stage(r) && !r.integrates && std::ranges::any_of(r.accesses, [&](const auto& a) {
        return a.group == group && a.component == component && a.mode != Mode::write && (a.timelevel > 0) == past;
      });
    });
  }

  bool ragged(const Block& b) const {
    const int vector = 16 / bytes_of(p);
    return std::ranges::any_of(p.fields, [&](const StepProgram::Field& f) {
      return s.grid.points(b, s.groups[f.group].centre).extent(0) % vector != 0;
    });
  }

  void finish() {
    if (!p.obstacle.empty()) return;
    if (p.stages.empty()) return stop("it has no kernels");
    for (int n = 1; n < p.program.stages; ++n)
      if (p.program.stage[n].integrates != p.program.stage[0].integrates)
        return stop("it has right-hand sides and other kernels");
    const auto plan = sweep::make_plan<sweep::most_substeps>(p.program, 1);
    for (int v = 0; v < plan.loaded; ++v) p.fields[plan.version[v].field].comes_in = true;
    for (int n = 0; n < p.program.stages; ++n)
      for (int h = 0; h < p.program.stage[n].handles; ++h) {
        const auto& u = p.program.stage[n].use[h];
        for (int d = 0; d < 3; ++d) p.fields[u.field].at_offset |= u.lo[d] > 0 || u.hi[d] > 0;
      }
    for (int v = 0; v < plan.loaded; ++v)
      if (auto& kind = p.fields[plan.version[v].field].kind; kind == StepProgram::Field::made)
        kind = StepProgram::Field::buffered;
    for (std::size_t f = 0; f < p.fields.size(); ++f) {
      const auto& field = p.fields[f];
      const std::string& name = s.variable_name(field.group, field.component);
      if (field.kind == StepProgram::Field::constant) continue;
      p.program.stored[f] = field.kind != StepProgram::Field::made || wanted(field.group, field.component, false);
      if (field.kind == StepProgram::Field::past && wanted(field.group, field.component, true))
        return stop("somebody reads the past of " + name);
      for (int c = 0; c < static_cast<int>(s.groups[field.group].variables.size()); ++c)
        if (std::ranges::none_of(p.fields, [&](const auto& other) {
              return other.group == field.group && other.component == c && other.kind == field.kind;
            }))
          return stop("it changes only a part of " + s.groups[field.group].full_name());
    }
    bool outer = false;
    for (const auto& l : s.grid.levels) outer = outer || s.grid.outer_faces(l);
    p.program.faces = outer;
    p.program.ragged = std::ranges::any_of(s.grid.blocks, [&](const Block& b) { return ragged(b); });
    const auto* conditions = s.services.find<BoundaryConditions>();
    for (const Routine& r : p.stages)
      if (outer && writes_several_centrings(r))
        return stop(r.item->full_name() + " writes variables that have different points where the domain ends");
    for (const auto& field : p.fields)
      if (outer && field.kind != StepProgram::Field::constant &&
          (!conditions || !conditions->constant(s, field.group, field.component)))
        return stop("the boundary of " + s.variable_name(field.group, field.component) +
                    " is not fixed, and changes between steps");
  }
};
}  // namespace

StepProgram program_of(const Simulation& s, bool late) {
  StepProgram p;
  p.program.dim = s.services.get<Driver>().dimension();
  Walk walk{s, p, late};
  for (const char* bin : {"prestep", "poststep"})
    for (const Node& n : s.bins.at(bin).children) walk.stop(n.name + " runs in each step, at " + bin);
  if (s.grid.levels.size() > 1) walk.stop("there are several levels");
  else if (s.services.get<Driver>().adapts(0)) walk.stop("there may be several levels");
  if (s.audit) walk.stop("this is an audit");
  for (const Node& n : s.bins.at("evolve").children) walk.node(n);
  walk.finish();
  return p;
}
}  // namespace CaKernel
