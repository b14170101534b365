// Finite differences in exact numbers.
#pragma once
#include <vector>

#include "equations/rational.hpp"
namespace cereus::equations {
// A difference along one axis: the weight of each neighbour on a grid of spacing 1.
struct Stencil {
  int first = 0;  // offset of the first weight
  std::vector<Rational> weights;
  Rational weight(int offset) const;
  int reach() const;  // the largest offset, without its sign, whose weight is not 0
};
// The n-th derivative at 0 from the values at first … last, as accurate as they allow
// (B. Fornberg, Math. Comp. 51 (1988) 699).
Stencil fornberg(int n, int first, int last);
// The n-th derivative from neighbours on both sides, to an even order.
Stencil centred(int n, int order);
// The first derivative from one neighbour more on the side that the signal comes from, for a positive factor; to an
// even order.
Stencil lopsided(int order);
// The two halves of a stencil: (c₊ − c₋)/2 and (c₊ + c₋)/2. With a factor v of either sign, v·antisymmetric +
// |v|·symmetric is upwinded.
Stencil antisymmetric(const Stencil&);
Stencil symmetric(const Stencil&);
// δⁿ, n even: the undivided central difference.
Stencil delta(int n);
// (−1)^((order−1)/2) δ^(order+1) / 2^(order+1): the dissipation of H.-O. Kreiss and J. Oliger, of odd order.
Stencil kreiss_oliger(int order);
}  // namespace cereus::equations
