#pragma once
#include <ADMBase/adm_base.hpp>
#include <TmunuBase/tmunu_base.hpp>
namespace Fluid {
using namespace cereus;
template <class F> struct Space { F W, gxx, gxy, gxz, gyy, gyz, gzz; };
template <class F> struct Gauge { F alpha, betax, betay, betaz; };

// A flat slice that expands alike everywhere and in all directions.
template <int dim, class Real> struct Start {
  Write<ADMBase::Metric, everywhere, Real> g;
  Write<ADMBase::Curvature, everywhere, Real> k;
  Write<ADMBase::Lapse, everywhere, Real> lapse;
  Write<ADMBase::Shift, everywhere, Real> shift;
  Real expansion;
  CEREUS_KERNEL void operator()(auto& p) const {
    p(g.gxx) = p(g.gyy) = p(g.gzz) = 1, p(g.gxy) = p(g.gxz) = p(g.gyz) = 0;
    p(k.kxx) = p(k.kyy) = p(k.kzz) = -expansion, p(k.kxy) = p(k.kxz) = p(k.kyz) = 0;
    p(lapse.alp) = 1;
    p(shift.betax) = p(shift.betay) = p(shift.betaz) = 0;
  }
};

// T_ab = (rho + pressure) n_a n_b + pressure g_ab, where n_a = (-alpha, 0, 0, 0); rho falls with the volume
// det(γ)^(1/2).
template <int dim, class Real> struct AddFluid {
  Read<Space, pointwise, Real> s;
  Read<Gauge, pointwise, Real> gauge;
  Add<TmunuBase::Energy, Real> energy;
  Add<TmunuBase::Momentum, Real> momentum;
  Add<TmunuBase::Stress, Real> stress;
  Real density, w;
  CEREUS_KERNEL void operator()(auto& p) const {
    const Real W = p(s.W), alpha = p(gauge.alpha), bx = p(gauge.betax), by = p(gauge.betay), bz = p(gauge.betaz);
    const Real rho = density * pow<Real>(W, 3 * (1 + w)), pressure = w * rho, f = pressure / (W * W);
    const Real lower_x = f * (p(s.gxx) * bx + p(s.gxy) * by + p(s.gxz) * bz);
    const Real lower_y = f * (p(s.gxy) * bx + p(s.gyy) * by + p(s.gyz) * bz);
    const Real lower_z = f * (p(s.gxz) * bx + p(s.gyz) * by + p(s.gzz) * bz);
    p(energy.eTtt) += rho * alpha * alpha + bx * lower_x + by * lower_y + bz * lower_z;
    p(momentum.eTtx) += lower_x, p(momentum.eTty) += lower_y, p(momentum.eTtz) += lower_z;
    p(stress.eTxx) += f * p(s.gxx), p(stress.eTxy) += f * p(s.gxy), p(stress.eTxz) += f * p(s.gxz);
    p(stress.eTyy) += f * p(s.gyy), p(stress.eTyz) += f * p(s.gyz), p(stress.eTzz) += f * p(s.gzz);
  }
};
}  // namespace Fluid
