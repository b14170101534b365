// Programs without a thorn: a World is a run, written down in C++ instead of in a parameter file and a thorn.
//
//   view::World world(argc, argv, {.cells = {512, 512, 512}, .lower = {0}, .upper = {1}});
//   auto [t] = world.group<Heat>("heat", {"t"}, {.timelevels = 2});
//   t = exp(-100 * square(view::x - 0.5));
//   auto step = world.map<Diffuse>("step", [](auto& k) { k.c = 0.1; });
//   world.run(step, 1000);
#pragma once
#include <cereus/kernel.hpp>

#include <cereus/abi.hpp>
#include "view/map.hpp"
namespace cereus::view {
template <int dim> struct Domain {
  std::array<int, dim> cells{};
  std::vector<double> lower = {-1}, upper = {1};  // corners; one number for all axes, or one an axis
  std::vector<bool> periodic = {true};            // the same
  double dt = 1;                                  // time of a step
};

// Kernels are compiled for this dimension and this type alone: World<2> and World<3, float>.
template <int dim = 3, class Real = double> class World {
 public:
  // Takes options of `cereus run` from the command line: --set, --activate, --thorns, --fresh; --graph and --dot, which
  // show the schedule; and --verbose.
  World(int argc, char** argv, const Domain<dim>& d, const Place& place = {})
      : program_(argc, argv, dim, scalar_type<Real>, this_build(), place) {
    program_.set("UniGrid",
        {{"cells", std::vector<int>(d.cells.begin(), d.cells.end())}, {"lower", d.lower}, {"upper", d.upper},
            {"periodic", d.periodic}},
        place);
    program_.set("Time", {{"dt", d.dt}}, place);
  }

  // The fields of a group, in the struct that kernels know it by.
  template <template <class> class G>
  G<Field<dim, Real>> group(const std::string& name, std::vector<std::string> variables,
      const GroupOptions& options = {}, const Place& place = {}) {
    constexpr std::size_t n = sizeof(G<int>) / sizeof(int);
    const int number = program_.add_group(name, std::move(variables), n, group_key<G>(), options, place);
    G<Field<dim, Real>> fields;
    for (std::size_t c = 0; c < n; ++c)
      reinterpret_cast<Field<dim, Real>*>(&fields)[c].name({&program_, number, static_cast<int>(c)});
    return fields;
  }
  // A field that no kernel but expressions touches.
  Field<dim, Real> field(const std::string& name, const GroupOptions& options = {}, const Place& place = {}) {
    Field<dim, Real> f;
    f.name({&program_, program_.add_group(name + "_group", {name}, 1, "", options, place), 0});
    return f;
  }

  // A kernel that run() applies to all points; with .on(box), to those of a box. `set` fills in its members before each
  // run; `more` may say more of how it is scheduled, as a thorn does:
  // [](auto& item) { item.template bind<Heat>({"heat"}); }.
  template <template <int, class> class K, class Set, class More>
  Map<dim, Real> map(const std::string& name, Set set, More more, const Place& place = {}) {
    const Step step = program_.add_map(
        name,
        [name, set, more](Schedule& s, const std::string& after) {
          auto item = s.kernel<K, types<Real>, dimensions<dim>>(name, "A map of the program");
          item.set([set](auto& kernel, const Parameters&) { set(kernel); }).at(bin::evolve);
          if (!after.empty()) item.after(after);
          more(item);
        },
        place);
    return {program_, step};
  }
  template <template <int, class> class K, class Set>
  Map<dim, Real> map(const std::string& name, Set set, const Place& place = {}) {
    return map<K>(
        name, set, [](auto&) {}, place);
  }
  template <template <int, class> class K> Map<dim, Real> map(const std::string& name, const Place& place = {}) {
    return map<K>(
        name, [](auto&) {}, place);
  }

  void run(Step step, int steps, const Place& place = {}) { program_.run({step}, steps, place); }
  // Several maps a step, in this order.
  void run(std::vector<Step> maps, int steps, const Place& place = {}) { program_.run(std::move(maps), steps, place); }

  void activate(const std::string& thorn, const Settings& settings = {}, const Place& place = {}) {
    program_.activate(thorn, settings, place);
  }
  void set(const std::string& thorn, const Settings& settings, const Place& place = {}) {
    program_.set(thorn, settings, place);
  }
  int rank() const { return program_.rank(); }
  int processes() const { return program_.processes(); }
  int iteration() { return program_.iteration(); }
  double time() { return program_.time(); }

 private:
  Program program_;
};
}  // namespace cereus::view
