// What sets a sum to zero before the first kernel adds to it.
#pragma once
#include "member.hpp"
namespace cereus::detail {
template <class Sum> struct Clear {};  // Sum: the handle of the kernel that adds
template <template <class> class Group, class Real> struct Clear<Add<Group, Real>> {
  Write<Group, interior, Real> sum;
  template <int... c> CEREUS_KERNEL void zero(auto& p, const Out<Real>* handles, ints<c...>) const {
    ((p(handles[c]) = Real{}), ...);
  }
  CEREUS_KERNEL void operator()(auto& p) const {
    zero(p, reinterpret_cast<const Out<Real>*>(&sum),
        typename count_up<HandleTraits<Write<Group, interior, Real>>::count>::type{});
  }
};
}  // namespace cereus::detail
