// What a routine gets: views of the variables that it declared, the clock, its parameters, services. Nothing else.
#pragma once
#include "simulation.hpp"
namespace cereus {
struct Sum;
template <class T> struct View {  // of one variable on one block, by global indices
  T* data = nullptr;
  Layout const* layout = nullptr;
  T& operator()(int i, int j = 0, int k = 0) const { return data[layout->at(i, j, k)]; }
};

struct BlockRef {
  const Grid* grid;
  int number;  // entry of Grid::blocks
  const Block& block() const { return grid->blocks[number]; }
  const Level& level() const { return grid->levels[block().level]; }
  Box interior(const std::array<Centre, 3>& c) const { return grid->points(block(), c); }
  Box everywhere(const std::array<Centre, 3>& c) const { return grid->everywhere(block(), c); }
};

struct GridPoint {  // of a grid function, in the interior of a block
  const BlockRef& block;
  const std::array<Centre, 3>& centre;
  int i, j, k;  // global indices
  double coordinate(int axis) const;
  double volume() const;  // of what the point stands for: with these weights a sum is an integral, as in Reduction
};

class Context {
 public:
  // `once`: the routine runs once a step, not once for each level or selection of levels.
  Context(Simulation& s, const Routine& r, Selection levels, bool once)
      : simulation_(s),
        routine_(r),
        levels_(levels),
        once_(once) {}
  const Parameters& parameters() const { return simulation_.of(routine_.item->thorn); }
  const Clock& clock() const { return once_ ? simulation_.clock : simulation_.grid.levels[levels_.first].clock; }
  const Grid& grid() const { return simulation_.grid; }
  std::vector<BlockRef> blocks() const;  // of the levels that this call is for
  Selection levels() const { return levels_; }
  std::span<const VariableAccess> accesses() const { return routine_.accesses; }
  const Group& group(const VariableAccess& a) const { return simulation_.groups[a.group]; }
  const std::string& name(const VariableAccess& a) const { return simulation_.variable_name(a.group, a.component); }
  ScalarType type(const VariableAccess& a) const { return simulation_.type(a.group); }

  // The grid functions of a declared group on a block: read<State>(b).u(i, j, k).
  template <template <class> class G, class Real = double>
  G<View<const Real>> read(const BlockRef& b, int timelevel = 0) {
    return views<G, const Real>(group_key<G>(), scalar_type<Real>, b, timelevel, false);
  }
  template <template <class> class G, class Real = double> G<View<Real>> write(const BlockRef& b) {
    return views<G, Real>(group_key<G>(), scalar_type<Real>, b, 0, true);
  }
  // A variable declared by name.
  template <class T> View<const T> view(const VariableAccess& a, const BlockRef& b) {
    return {reinterpret_cast<const T*>(address(a, scalar_type<T>, b)), &simulation_.fields.layout(b.number)};
  }
  // A declared grid scalar or array; writable if it was declared written.
  template <class T> std::span<T> values(const std::string& variable) {
    return {reinterpret_cast<T*>(plain(variable, scalar_type<T>, true)), elements(variable)};
  }
  template <class T> std::span<const T> read_values(const std::string& variable) {
    return {reinterpret_cast<const T*>(plain(variable, scalar_type<T>, false)), elements(variable)};
  }
  // Calls f(point, value) at each interior point of this process that no finer level has; points that are shared are
  // visited once. T is the variable's type.
  template <class T, class F> void each_point(const VariableAccess& a, F&& f) {
    const auto& centre = group(a).centre;
    for (const BlockRef& b : blocks()) {
      if (b.block().covered) continue;
      const View<const T> v = view<T>(a, b);
      const Box box = b.interior(centre);
      for (int k = box.lo[2]; k < box.hi[2]; ++k)
        for (int j = box.lo[1]; j < box.hi[1]; ++j)
          for (int i = box.lo[0]; i < box.hi[0]; ++i) f(GridPoint{b, centre, i, j, k}, v(i, j, k));
    }
  }
  // What all processes have added up, on all: the same bits on any number of them. Collective.
  double sum(const Sum& mine) const;
  // Appends iteration, time and `row` to a text file of the output folder, below a line that names the columns; a run
  // that goes on from a checkpoint cuts the file there. NAME.asc; process 0 writes, the others do nothing.
  void append(const std::string& file, const std::vector<std::string>& columns, const std::vector<double>& row) const;
  template <class S> S& service() const { return simulation_.services.get<S>(); }
  int rank() const { return simulation_.process.rank(); }
  int processes() const { return simulation_.process.size(); }
  int level() const { return levels_.first; }       // of a routine that runs level by level
  Simulation& simulation() { return simulation_; }  // for infrastructure thorns: drivers, integrators, output
  const Routine& routine() const { return routine_; }

 private:
  char* find(const std::string& key, int component, ScalarType, const BlockRef&, int timelevel, bool write) const;
  char* address(const VariableAccess&, ScalarType, const BlockRef&) const;
  char* plain(const std::string& variable, ScalarType, bool write) const;
  std::size_t elements(const std::string& variable) const;
  template <template <class> class G, class T>
  G<View<T>> views(const std::string& key, ScalarType type, const BlockRef& b, int timelevel, bool write) {
    G<View<T>> g{};
    constexpr int n = sizeof(G<View<T>>) / sizeof(View<T>);
    auto* v = reinterpret_cast<View<T>*>(&g);
    for (int c = 0; c < n; ++c)
      v[c] = {reinterpret_cast<T*>(find(key, c, type, b, timelevel, write)), &simulation_.fields.layout(b.number)};
    return g;
  }
  Simulation& simulation_;
  const Routine& routine_;
  Selection levels_;
  bool once_;
};
}  // namespace cereus
