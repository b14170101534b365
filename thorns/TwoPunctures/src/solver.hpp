// The Hamiltonian constraint of two punctures, Δu + ⅛ Ā_ij Ā^ij ψ^(−7) = 0 with ψ = 1 + m₊/2r₊ + m₋/2r₋ + u, solved by
// expansion in functions of A, B and φ: M. Ansorg, B. Brügmann and W. Tichy, Phys. Rev. D 70 (2004) 064011.
#pragma once
#include <array>
#include <cstddef>
#include <vector>

#include "expansion.hpp"

namespace TwoPunctures {
struct Found {
  Pair<double> pair;
  double adm;                  // mass of the whole
  std::array<double, 2> mass;  // of each puncture, seen from its own infinity: M_± = m_± (1 + u_± + m_∓/4b)
  int steps;                   // of Newton's method, all together
  Points points;               // phi: waves of c, a multiple of `abreast`; the last ones are 0
};

// u = (A − 1) Σ c(i, j, m) T_i(2A − 1) T_j(B) f_m(φ)
struct Solution : Found {
  std::vector<double> c;  // m fastest, then j, then i
  double coefficient(int i, int j, int m) const {
    return c[static_cast<std::size_t>(m + points.phi * (j + points.b * i))];
  }
  double over_factor(const Spheroidal<double>&) const;  // u/(A − 1)
  double u(const Vector<double>&) const;
};

// For given bare masses; with so many points along A, B and φ, the last even. Throws Failure if Newton's method does
// not converge.
double bytes_needed(const Points&);  // of the matrices
Solution solve(const Pair<double>&, const Points&);
// For given masses M_±: finds the bare ones, and does not look at those of the pair. Throws Failure if it finds none.
Solution solve_for_masses(Pair<double>, const std::array<double, 2>& masses, const Points&);
}  // namespace TwoPunctures
