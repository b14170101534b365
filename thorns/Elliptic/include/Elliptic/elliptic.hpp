// The service that solves elliptic equations; thorns that do are alternatives.
#pragma once
#include <cereus/services.hpp>
namespace Elliptic {
// ∇·(a ∇φ) − b φ = ρ on level 0, to second order; the conditions of φ at faces of the domain are those of
// BoundaryConditions, and must be mirror images: Dirichlet, Neumann, reflection, or a formula of that kind. Variables
// are numbers of the run, at timelevel 0, with one scalar type and centring.
struct Equation {
  int solution = -1, source = -1;  // φ, of which the interior is the first guess; ρ
  int coefficient = -1;  // what multiplies a; between two points the harmonic mean holds, so that it may jump, and be 0
  int absorption = -1;   // what b has besides; ≥ 0
  double a = 1, b = 0;   // a > 0, b ≥ 0
  double tolerance = 1e-10;  // largest residual, over the largest |ρ| (where ρ is 0: over the first residual)
  int most_cycles = 100;
};
struct Outcome {
  int cycles = 0;
  double residual = 0;  // largest |∇·(a ∇φ) − b φ − ρ|, in units of what `tolerance` refers to
  double mean = 0;  // of ρ, taken out: without Dirichlet faces, and with b = 0, a source with a mean has no solution
  double mean_share = 0;  // its size, over the largest |ρ|
};
struct Solver : cereus::Service {
  static constexpr const char *service_name = "Elliptic", *usual_thorn = "Multigrid";
  // Collective. Throws Failure, with the place, if it does not converge. Where the equation leaves a constant open, the
  // mean of φ is 0. The caller's routine reads φ and a with a reach of 1, ρ and b at the point, and updates φ.
  virtual Outcome solve(cereus::Simulation&, const Equation&) = 0;
};
}  // namespace Elliptic
