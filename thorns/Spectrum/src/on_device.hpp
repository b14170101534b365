// The same spectra where a device holds the fields: each process transforms all of a field there, and only sums over
// the shells of each plane come back.
#pragma once
#include <Fourier/waves.hpp>
#include <map>

#include "kernels.hpp"
#include "shells.hpp"
namespace Spectrum {
struct Engine {
  virtual ~Engine() = default;
  virtual std::vector<double> power(const VariableAccess&) = 0;  // of each shell
};
using beside_run::collect, beside_run::for_run, beside_run::from_elsewhere, beside_run::launch_on, beside_run::reading;
using beside_run::seen, beside_run::work, beside_run::writing;
using Fourier::Waves, Fourier::on_box;

template <int dim, class Real> class DeviceEngine : public Engine {
 public:
  DeviceEngine(Simulation& s, const Group& group, const Shells& shells)
      : s_(s),
        count_(shells.count()),
        centre_(group.centre) {
    const Patch& space = s.grid.levels[0].space;
    Index points{1, 1, 1};
    for (int d = 0; d < dim; ++d) points[d] = space.cells.extent(d);
    for (int d = 0; d < 3; ++d) {
      widen_->first.of[d] = space.cells.lo[d];
      sum_->n.of[d] = points[d], sum_->scale.of[d] = shells.shortest_edge() / (space.spacing[d] * points[d]);
    }
    waves_.emplace(s, dim, points, "Spectrum");
    sums_ = on_box(s, dim, {count_, dim > 1 ? points[dim - 1] : 1, 1}, ScalarType::float64);
  }

  std::vector<double> power(const VariableAccess& a) override {
    bring({a.group, a.component, a.timelevel, Mode::read, Region::interior, 0, false, true});
    waves_->forward();
    launch_between(sums_, waves_->amplitudes, sum_, reading(0), 0);
    const VariableAccess all[] = {reading(0)};
    make_valid(sums_, 0, all, -1, Space::host);
    const auto* planes = reinterpret_cast<const double*>(sums_.fields.address(work, 0, 0, 0));
    const Layout& layout = sums_.fields.layout(0);
    std::vector<double> power(static_cast<std::size_t>(count_));
    const int last = dim > 1 ? sum_->n[dim - 1] : 1;
    double points = 1;
    for (int n : sum_->n.of) points *= n;
    for (int k = 0; k < last; ++k)
      for (int shell = 0; shell < count_; ++shell) power[shell] += planes[layout.at(shell, k, 0)];
    for (double& p : power) p /= points * points;
    return power;
  }

 private:
  template <class K>
  void launch_between(Simulation& to, Simulation& from, K& kernel, const VariableAccess& read, int block,
      const BlockBoxes* boxes = nullptr) {
    const VariableAccess list[] = {read};
    make_valid(from, 0, list, -1, space_of(from, kernel.table()));
    kernel->grid = seen(from, block);
    launch_on(
        to, {.table = kernel.table(), .handles = {from_elsewhere(read), writing(0)}, .other = &from, .boxes = boxes});
  }
  // All blocks of all processes, on each.
  void bring(const VariableAccess& read) {
    const Patch& space = s_.grid.levels[0].space;
    const auto points_of = [&](const Box& block) {
      return shift(space.points(block, centre_, dim), {-space.cells.lo[0], -space.cells.lo[1], -space.cells.lo[2]});
    };
    for (int b = 0; b < static_cast<int>(s_.grid.blocks.size()); ++b) {
      const BlockBoxes boxes{{0, points_of(s_.grid.blocks[b].cells)}};
      launch_between(waves_->field, s_, widen_, read, b, &boxes);
    }
    auto& driver = s_.services.get<Driver>();
    if (s_.process.size() > 1)
      collect(waves_->field, writing(0), s_, driver, s_.grid, [&](const BlockHome& b) { return points_of(b.cells); });
  }

  Simulation& s_;
  int count_;
  std::array<Centre, 3> centre_;
  Simulation sums_;
  std::optional<Waves<double>> waves_;
  Kernel<Widen<dim, Real>, dim, Real> widen_;
  Kernel<SumShell<dim, double>, dim, double> sum_;
};

class OnDevice {
 public:
  // Null where the host computes: where not all processes have a device, and for other types than float and double.
  Engine* engine_for(Simulation&, const VariableAccess&, const Shells&);

 private:
  int epoch_ = -1;  // of the grid
  std::map<std::pair<ScalarType, std::array<Centre, 3>>, std::unique_ptr<Engine>> engines_;
};

inline Engine* OnDevice::engine_for(Simulation& s, const VariableAccess& a, const Shells& shells) {
  const Group& group = s.groups[a.group];
  const ScalarType type = s.type(a.group);
  if (!s.services.find<Device>() || s.two_kinds || (type != ScalarType::float32 && type != ScalarType::float64))
    return nullptr;
  if (std::exchange(epoch_, s.grid.epoch) != s.grid.epoch) engines_.clear();
  auto& engine = engines_[{type, group.centre}];
  if (!engine)
    engine = for_run<std::unique_ptr<Engine>>(s, type, "Spectrum", [&]<int dim, class Real>() {
      return std::unique_ptr<Engine>(std::make_unique<DeviceEngine<dim, Real>>(s, group, shells));
    });
  return engine.get();
}
}  // namespace Spectrum
