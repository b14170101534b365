// Variables that one launch treats: those of one scalar type and centring, for which the same holds at the faces.
#pragma once
#include <cereus/simulation.hpp>
#include <functional>
#include <map>

#include "conditions.hpp"
#include "kernels.hpp"
namespace Boundary {
struct Variable {
  VariableAccess access;
  Faces faces;
};
using Batch = std::span<const Variable>;

// With what the thorn of the variable declares.
inline Faces faces_of(const Simulation& s, const Conditions& c, int group, int component) {
  const Group& g = s.groups[group];
  Outgoing o;
  if (!g.outgoing.empty()) o = g.outgoing[component];
  Conditions::Declared declared;
  if (g.condition) declared = [&](int face) { return g.condition(s.of(g.thorn), component, face); };
  return c.of(s.variable_name(group, component), g.full_name(), o.far,
      o.speed ? std::optional(o.speed(s.of(g.thorn))) : std::nullopt, declared);
}

// Calls f(batch) for all variables, with those together for which key(variable) is the same.
template <class Key, class F> void for_each_batch(const std::vector<Variable>& list, Key&& key, F&& f) {
  std::map<decltype(key(list[0])), std::vector<Variable>> alike;
  for (const Variable& v : list) alike[key(v)].push_back(v);
  for (const auto& [k, all] : alike)
    for (std::size_t n = 0; n < all.size(); n += together)
      f(Batch(all).subspan(n, std::min<std::size_t>(together, all.size() - n)));
}

template <class T> T number(double x) {
  if constexpr (requires(T c) { c.re; }) return {static_cast<real_of_t<T>>(x), 0};
  else return static_cast<T>(x);
}
// What the kernels at the faces across an axis are told, with a multiple of each face's value.
template <class T> Across<T> across(const Simulation& s, int level, Batch batch, int axis, double factor = 1) {
  const Box& cells = s.grid.levels[level].space.cells;
  const bool vertex = s.groups[batch[0].access.group].centre[axis] == Centre::vertex;
  Across<T> a{axis, cells.lo[axis], cells.hi[axis] - (vertex ? 0 : 1), static_cast<int>(batch.size()), {}};
  for (std::size_t n = 0; n < batch.size(); ++n)
    for (const int side : {0, 1}) a.value[n][side] = number<T>(factor * batch[n].faces[2 * axis + side].value);
  return a;
}
// The handles of a launch: one for each variable, and the last one again where there are fewer.
template <class F = std::identity> std::array<VariableAccess, together> handles_of(Batch batch, F access = {}) {
  std::array<VariableAccess, together> handles;
  for (std::size_t n = 0; n < together; ++n) handles[n] = access(batch[std::min(n, batch.size() - 1)].access);
  return handles;
}
}  // namespace Boundary
