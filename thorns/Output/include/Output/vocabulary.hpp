// The words that all output thorns share: which variables, how often, which part of the grid, and what files are
// called.
#pragma once

#include <algorithm>
#include <array>
#include <cctype>
#include <cereus/console.hpp>
#include <cereus/context.hpp>
#include <cereus/text.hpp>
#include <cmath>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

namespace Output {
using namespace cereus;

inline void declare_every(Declaration& d, int every, bool at_end = false) {
  d.parameter("every", every, at_least(0), "Write every so many iterations; 0: not by iterations");
  d.parameter("every_time", 0.0, at_least(0), "Write at this interval of time as well; 0: not by time");
  d.parameter("at_end", at_end, any(), "Write at the last step of the run as well");
}

inline Every every_of(const Parameters& par, const char* name = "every") {
  Every e;
  e.iterations = static_cast<int>(par.integer(name));
  e.time = par.real("every_time");
  e.never = e.iterations == 0 && e.time == 0;
  e.at_end = par.boolean("at_end");
  if (e.iterations == 1 && e.time > 0)
    console::say(Problem{par.where("every_time"),
        "every_time adds nothing where " + std::string(name) + " is 1, each iteration; let that be 0 for times alone"}
                     .text());
  return e;
}

// Throws Error where somebody has said what to write, and nothing of when; `every: 0` says never.
inline void check_asked(const Parameters& par, const Every& every, const std::string& thorn) {
  const bool said = par.was_set("every") || par.was_set("every_time") || par.was_set("at_end");
  if (every.nowhere() && !said && par.was_set("variables") && !par.strings("variables").empty())
    throw Error(par.where("variables"), thorn + ".variables are never written: say when, by " + thorn + ".every, " +
                                            thorn + ".every_time or " + thorn + ".at_end: true; or give no variables");
}

// Says which of the lines and slices of a list the grid has no axes for.
inline void say_left_out(const Context& c, const std::string& key) {
  for (const auto& axes : c.parameters().was_set(key) ? c.parameters().strings(key) : std::vector<std::string>())
    if (std::ranges::any_of(axes, [&](char axis) { return axis - 'x' >= c.grid().dim; }))
      console::say(
          Problem{c.parameters().where(key), key + ": '" + axes + "' is left out: the grid has no such axis"}.text());
}

inline std::array<double, 3> point_of(const Parameters& par, const char* name) {
  const auto x = par.reals(name);
  return {x[0], x[1], x[2]};
}

inline std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}
inline std::string upper_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

// Files are named after groups the way Cactus does it: thorn-group, in lower case. Readers know groups by the hyphen.
inline std::string file_stem(const Group& g) { return lower_case(g.thorn + "-" + g.name); }

// wave → wave_00000010, where an output of all variables has a file of its own.
inline std::string numbered(const std::string& name, const Simulation& s) {
  char number[16];
  std::snprintf(number, sizeof number, "_%08d", s.clock.iteration);
  return name + number;
}
// WaveToy::u → WaveToy__u, within a file.
inline std::string path_name(std::string variable) {
  for (std::size_t at; (at = variable.find("::")) != std::string::npos;) variable.replace(at, 2, "__");
  return variable;
}

// A complex variable is written as two real ones. (An underscore, because kuibit, openPMD and VTK want letters, digits
// and underscores in names.)
inline int parts(ScalarType t) { return is_complex(t) ? 2 : 1; }
inline std::string part_name(const std::string& name, ScalarType t, int part) {
  return is_complex(t) ? name + (part ? "_im" : "_re") : name;
}

// The chosen variables of one group, in the order of its components.
struct Chosen {
  int group;
  std::vector<VariableAccess> accesses;
};

inline std::vector<Chosen> by_group(std::span<const VariableAccess> accesses) {
  std::vector<Chosen> list;
  for (const auto& a : accesses) {
    auto it = std::find_if(list.begin(), list.end(), [&](const Chosen& c) { return c.group == a.group; });
    if (it == list.end()) it = list.insert(list.end(), {a.group, {}});
    auto& known = it->accesses;
    const auto same = [&](const VariableAccess& b) { return a.component == b.component; };
    if (std::none_of(known.begin(), known.end(), same)) known.push_back(a);  // patterns may overlap
  }
  for (auto& c : list)
    std::sort(c.accesses.begin(), c.accesses.end(), [](auto& a, auto& b) { return a.component < b.component; });
  return list;
}

inline const std::string& short_name(const Simulation& s, const VariableAccess& a) {
  return s.groups[a.group].variables[a.component];
}

// For the end of a run, where nothing is computed any more: of these variables those that hold values of the last
// iteration, brought to the host. Analysis on demand may be older; `stale` takes the names of what is left out.
inline std::vector<VariableAccess> present(
    Simulation& s, const std::vector<std::string>& patterns, std::vector<std::string>* stale = nullptr) {
  std::vector<VariableAccess> list;
  for (const auto& pattern : patterns)
    for (int v : s.match(pattern)) {
      const VariableAccess a{s.variables[v].group, s.variables[v].component};
      if (s.groups[a.group].kind != GroupKind::grid_function || s.fields.buffers(a.group) == 0) continue;
      bool fresh = true;
      for (int l = 0; l < static_cast<int>(s.grid.levels.size()); ++l) {
        if (s.services.get<Driver>().all_blocks(s.grid, l).empty()) continue;
        const auto& valid = s.fields.validity(a.group, a.component, 0, l);
        fresh = fresh && std::any_of(valid.in.begin(), valid.in.end(), [&](const RegionValidity& v) {
          return v.interior && v.why_interior.iteration == s.clock.iteration;
        });
      }
      if (fresh) list.push_back(a);
      else if (stale) stale->push_back(s.variables[v].name);
    }
  make_valid(s, s.grid.all(), list, -1);
  return list;
}

// The point of a level nearest to a coordinate; a periodic axis wraps around, another one clamps.
inline int nearest_index(const Grid& grid, const Level& l, const std::array<Centre, 3>& centre, int axis, double x) {
  const Box all = l.space.points(centre, grid.dim);
  if (axis >= grid.dim) return all.lo[axis];
  const double first = l.space.coordinate(axis, centre[axis], all.lo[axis]);
  const double steps = std::round(l.space.stretched(axis) ? l.space.cells_to(axis, x) - l.space.cells_to(axis, first)
                                                          : (x - first) / l.space.spacing[axis]);
  const int n = all.extent(axis);
  if (!l.space.periodic[axis]) return all.lo[axis] + static_cast<int>(std::clamp(steps, 0.0, n - 1.0));
  return all.lo[axis] + static_cast<int>(steps - n * std::floor(steps / n));
}

// Axes from their names: "xz" is {0, 2}; those that the grid does not have are left out.
inline std::vector<int> axes_of(const std::string& names, int dim) {
  std::vector<int> axes;
  for (char c : names)
    if (c - 'x' < dim) axes.push_back(c - 'x');
  return axes;
}

// A point, line, plane or all of a level: the named axes in full, the others at the points nearest to `through`.
inline Box region(const Grid& grid, const Level& l, const std::array<Centre, 3>& centre, const std::vector<int>& axes,
    const std::array<double, 3>& through) {
  Box box = l.space.points(centre, grid.dim);
  for (int d = 0; d < 3; ++d)
    if (std::find(axes.begin(), axes.end(), d) == axes.end()) {
      box.lo[d] = nearest_index(grid, l, centre, d, through[d]);
      box.hi[d] = box.lo[d] + 1;
    }
  return box;
}

// Boxes for routines that read only these.
inline Parts regions(const std::vector<std::string>& names, const std::array<double, 3>& through) {
  return [=](const Simulation& s, int level, int group) {
    std::vector<Box> boxes;
    for (const auto& axes : names)
      boxes.push_back(region(s.grid, s.grid.levels[level], s.groups[group].centre, axes_of(axes, s.grid.dim), through));
    return boxes;
  };
}

inline double coordinate(const Grid& grid, const Level& l, const std::array<Centre, 3>& centre, int axis, int index) {
  return axis < grid.dim ? l.space.coordinate(axis, centre[axis], index) : 0.0;
}
}  // namespace Output
