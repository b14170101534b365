// What a routine gets: views of the variables that it declared, the clock, its parameters, services. Nothing else.
#pragma once
#include "simulation.hpp"
namespace cereus {
template <class T> struct View {  // of one variable on one block, by global indices
  T* data = nullptr;
  Layout const* layout = nullptr;
  T& operator()(int i, int j = 0, int k = 0) const { return data[layout->at(i, j, k)]; }
};

struct BlockRef {
  const Grid* grid;
  const Level* level;
  int level_number, block_number;
  const Block& block() const { return level->blocks[block_number]; }
  Box interior(const std::array<Centre, 3>& c) const { return level->points(block().cells, c, grid->dim); }
  Box everywhere(const std::array<Centre, 3>& c) const { return grid->everywhere(*level, block(), c); }
};

class Context {
 public:
  Context(Simulation& s, const Routine& r, int level) : simulation_(s), routine_(r), level_(level) {}
  const Parameters& parameters() const { return simulation_.of(routine_.item->thorn); }
  const Clock& clock() const { return level_ < 0 ? simulation_.clock : simulation_.grid.levels[level_].clock; }
  const Grid& grid() const { return simulation_.grid; }
  std::vector<BlockRef> blocks() const;  // of the level that this call is for; of all levels if it runs once
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
    return {reinterpret_cast<const T*>(address(a, b)), &simulation_.fields.layout(b.level_number, b.block_number)};
  }
  // A declared grid scalar or array; writable if it was declared written.
  template <class T> std::span<T> values(const std::string& variable) {
    return {reinterpret_cast<T*>(plain(variable, scalar_type<T>, true)), elements(variable)};
  }
  template <class T> std::span<const T> read_values(const std::string& variable) {
    return {reinterpret_cast<const T*>(plain(variable, scalar_type<T>, false)), elements(variable)};
  }
  template <class S> S& service() const { return simulation_.services.get<S>(); }
  int rank() const { return simulation_.process.rank(); }
  int processes() const { return simulation_.process.size(); }
  int level() const { return level_; }
  Simulation& simulation() { return simulation_; }  // for infrastructure thorns: drivers, integrators, output
  const Routine& routine() const { return routine_; }

 private:
  char* find(const std::string& key, int component, ScalarType, const BlockRef&, int timelevel, bool write) const;
  char* address(const VariableAccess&, const BlockRef&) const;
  char* plain(const std::string& variable, ScalarType, bool write) const;
  std::size_t elements(const std::string& variable) const;
  template <template <class> class G, class T>
  G<View<T>> views(const std::string& key, ScalarType type, const BlockRef& b, int timelevel, bool write) {
    G<View<T>> g{};
    constexpr int n = sizeof(G<View<T>>) / sizeof(View<T>);
    auto* v = reinterpret_cast<View<T>*>(&g);
    for (int c = 0; c < n; ++c)
      v[c] = {reinterpret_cast<T*>(find(key, c, type, b, timelevel, write)),
          &simulation_.fields.layout(b.level_number, b.block_number)};
    return g;
  }
  Simulation& simulation_;
  const Routine& routine_;
  int level_;
};
}  // namespace cereus
