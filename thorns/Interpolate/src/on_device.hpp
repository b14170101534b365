// Evaluation where a device holds the fields: targets travel there once, and only values come back.
#pragma once
#include <cereus/beside.hpp>

#include "kernels.hpp"
#include "plan.hpp"
namespace Interpolate {
// Whether the variable's values are valid on a device, and not all on the host.
inline bool on_device(const Simulation& s, const Places& places, int group, int component) {
  const ScalarType type = s.type(group);
  if (!s.services.find<Device>()) return false;
  if (type != ScalarType::float32 && type != ScalarType::float64) return false;
  if (s.grid.levels.size() > most_levels) return false;
  bool on_host = true;
  for (int l = 0; l < static_cast<int>(s.grid.levels.size()); ++l) {
    if (places.levels[l].blocks().empty()) continue;
    const Validity& v = s.fields.validity(group, component, 0, l);
    if (!v[Space::device].interior) return false;
    on_host = on_host && v[Space::host].interior;
  }
  return !on_host;
}

// The targets of a plan on the device.
class OnDevice {
 public:
  bool fits(const Plan& plan, int order) const { return capacity_ >= length(plan, order); }
  // Memory for a plan, and for others of that size.
  OnDevice(const Simulation& s, const Plan& plan, int order) : capacity_(length(plan, order)) {
    Group g;
    g.thorn = "Interpolate", g.name = "work", g.variables = {"table", "v", "v_x", "v_y", "v_z"},
    g.type = ScalarType::float64;
    g.centre = {Centre::cell, Centre::cell, Centre::cell};
    beside_ = beside(s, s.process.alone(),
        std::make_shared<beside_run::BoxDriver>(s.grid.dim, Index{static_cast<int>(capacity_), 1, 1}), {g}, 0);
  }

  void upload(Simulation& s, const Plan& plan, int order, int reader) {
    shape_ = shape_of(plan, order);
    for (std::size_t t = 0; t < plan.targets.size(); ++t) fill(s, plan.targets[t], t);
    const VariableAccess table{beside_run::work, 0};
    beside_.fields.validity(table.group, 0, 0, 0).wrote_interior(Space::host, {});
    const BlockBox rows = box(shape_.rows());
    beside_.services.get<Accelerator>().bring_boxes(beside_, 0, table, {&rows, 1}, Space::device, {});
    const VariableInfo& v = s.variables[reader];
    s.traffic.add({-1, v.group, v.component}, Moved{0, rows.box.points() * std::int64_t{sizeof(double)}});
  }

  // answers[variable · targets + target], of variables of one type.
  template <int parts> std::vector<Answer<parts>> evaluate(Simulation& s, std::span<const int> variables) {
    std::vector<Answer<parts>> all;
    for (std::size_t first = 0; first < variables.size(); first += at_once)
      some<parts>(s, variables.subspan(first, std::min<std::size_t>(at_once, variables.size() - first)), all);
    return all;
  }

 private:
  static Table shape_of(const Plan& plan, int order) {
    Table t{static_cast<int>(plan.targets.size()), {1, 1, 1}};
    for (int d = 0; d < plan.dim; ++d) t.count[d] = order + 1;
    return t;
  }
  static std::int64_t length(const Plan& plan, int order) {
    const Table t = shape_of(plan, order);
    return std::max<std::int64_t>(1, std::int64_t{t.targets} * std::max(t.rows(), at_once));
  }
  BlockBox box(int rows) const { return {0, {{0, 0, 0}, {rows * shape_.targets, 1, 1}}}; }
  double* host(int component) {
    return reinterpret_cast<double*>(beside_.fields.address(beside_run::work, component, 0, 0));
  }

  void fill(const Simulation& s, const Target& target, std::size_t t) {
    const auto put = [&](int row, double x) { host(0)[static_cast<std::size_t>(row) * shape_.targets + t] = x; };
    const Layout& l = s.fields.layout(target.block);
    const auto& axis = target.axis;
    put(0, static_cast<double>(s.fields.offset(target.block) + l.at(axis[0].first, axis[1].first, axis[2].first)));
    put(1, static_cast<double>(l.stride[1])), put(2, static_cast<double>(l.stride[2]));
    put(3, s.grid.blocks[static_cast<std::size_t>(target.block)].level);
    for (int d = 0; d < 3; ++d)
      for (int j = 0; j < shape_.count[d]; ++j)
        put(shape_.weight(d, false, j), axis[d].weight[j]), put(shape_.weight(d, true, j), axis[d].slope[j]);
  }

  template <int parts> void some(Simulation& s, std::span<const int> variables, std::vector<Answer<parts>>& all) {
    beside_run::Handles handles;
    for (std::size_t n = 0; n < at_once; ++n) {
      const VariableInfo& v = s.variables[variables[std::min(n, variables.size() - 1)]];
      handles.push_back(beside_run::from_elsewhere({v.group, v.component}));
    }
    for (int n = 0; n <= parts; ++n) handles.push_back(n ? beside_run::writing(n) : beside_run::reading(0));
    const BlockBox points = box(static_cast<int>(variables.size()));
    beside_run::for_run<int>(s, s.type(s.variables[variables[0]].group), "Interpolate", [&]<int dim, class Real>() {
      static Kernel<Gather<dim, Real, parts>, dim, Real> kernel;
      kernel->shape = shape_;
      // Where levels take steps of their own, each has its own order of buffers.
      for (std::size_t n = 0; n < variables.size(); ++n)
        for (int l = 0; l < static_cast<int>(s.grid.levels.size()); ++l) {
          const VariableInfo& v = s.variables[variables[n]];
          const auto slab = [&](int of) { return s.fields.slab(v.group, v.component, 0, of, Space::device); };
          kernel->slabs.of[n][l] = (slab(l) - slab(0)) / static_cast<Offset>(sizeof(Real));
        }
      launch(beside_,
          {.table = &kernel.table(), .handles = handles, .space = Space::device, .other = &s, .who = "Interpolate"},
          {&points, 1});
      return 1;
    });
    all.resize(all.size() + points.box.points());
    Answer<parts>* to = &all.back() + 1 - points.box.points();
    for (int n = 0; n < parts; ++n) {
      const VariableAccess values = beside_run::reading(n + 1);
      beside_.fields.validity(values.group, values.component, 0, 0).wrote_interior(Space::device, {});
      beside_.services.get<Accelerator>().bring_boxes(beside_, 0, values, {&points, 1}, Space::host, {});
      for (std::int64_t p = 0; p < points.box.points(); ++p) to[p].part[n] = host(n + 1)[p];
    }
    for (int n : variables)
      s.traffic.add({-1, s.variables[n].group, s.variables[n].component},
          Moved{std::int64_t{shape_.targets} * std::int64_t{sizeof(Answer<parts>)}, 0});
  }

  std::int64_t capacity_;
  Table shape_{};
  Simulation beside_;
};
}  // namespace Interpolate
