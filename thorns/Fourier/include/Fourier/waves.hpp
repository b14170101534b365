// A field on one box, which each process has whole, and the amplitudes of its waves: on a device if that has a
// transform of such a size, else on the host.
#pragma once
#include <cereus/beside.hpp>
#include <cereus/console.hpp>

#include "host_transform.hpp"
namespace Fourier {
inline constexpr std::array<Centre, 3> cells{Centre::cell, Centre::cell, Centre::cell};
inline Group work_group(std::vector<std::string> variables, ScalarType type, const std::array<Centre, 3>& centre) {
  Group g;
  g.thorn = "Fourier", g.name = "work", g.variables = std::move(variables), g.type = type, g.centre = centre;
  return g;
}
// A simulation of one variable on such a box.
inline Simulation on_box(const Simulation& s, int dim, const Index& points, ScalarType type) {
  return beside(s, s.process.alone(), std::make_shared<beside_run::BoxDriver>(dim, points),
      {work_group({"field"}, type, cells)}, 0);
}
template <class Real> class Waves {
 public:
  Simulation field, amplitudes;  // n_x × n_y × n_z numbers; n_x/2 + 1 complex ones along x

  // `points` along each axis; 1 along those that the grid does not have.
  Waves(const Simulation& s, int dim, const Index& points, const std::string& who)
      : field(on_box(s, dim, points, scalar_type<Real>)),
        amplitudes(on_box(s, dim, {points[0] / 2 + 1, points[1], points[2]}, scalar_type<complex<Real>>)),
        device_(s.services.find<Device>()) {
    const Layout &r = field.fields.layout(0), &c = amplitudes.fields.layout(0);
    const TransformShape shape{
        {points[0], points[1], points[2]}, {r.stride[1], r.stride[2]}, {c.stride[1], c.stride[2]}, sizeof(Real) == 4};
    if (device_ && !device_->runs_host_code()) {
      transform_ = device_->transform(shape);
      if (!transform_ && s.process.rank() == 0)
        console::warn(who + ": no cuFFT that takes fields of this size, so the host transforms them");
    }
    if (!transform_ && !(device_ && device_->runs_host_code())) device_ = nullptr;
    if (!transform_) transform_ = host_transform(shape);
  }
  void forward() {
    apply(field, amplitudes, [](Transform& t, char* from, char* to) { t.forward(from, to); });
  }
  void backward() {  // times the number of points
    apply(amplitudes, field, [](Transform& t, char* from, char* to) { t.backward(from, to); });
  }

 private:
  template <class F> void apply(Simulation& from, Simulation& to, F&& f) {
    const VariableAccess all[] = {beside_run::reading(0)};
    const Space where = device_ ? Space::device : Space::host;
    make_valid(from, 0, all, -1, where);
    const auto place = [&](Simulation& s) { return s.fields.address(beside_run::work, 0, 0, 0, where); };
    char *const a = place(from), *const b = place(to);
    if (device_ && device_->runs_host_code()) device_->run([t = transform_.get(), a, b, f] { f(*t, a, b); });
    else f(*transform_, a, b);
    to.fields.validity(beside_run::work, 0, 0, 0).wrote_interior(where, {});
  }
  Device* device_;  // where the transform runs; null: on the host
  std::unique_ptr<Transform> transform_;
};
}  // namespace Fourier
