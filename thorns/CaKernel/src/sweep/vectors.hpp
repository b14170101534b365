// How a thread moves 16 bytes between memory, shared memory and registers; on the host, where tests run sweeps, too.
#pragma once
#include <cereus/kernel/math.hpp>
#include <cereus/kernel/member.hpp>
namespace cereus::sweep {
template <int n, class F> CEREUS_KERNEL void for_each_number(F&& f) {
  [&]<int... i>(detail::ints<i...>) __attribute__((always_inline)) { (f.template operator()<i>(), ...); }
  (typename detail::count_up<n>::type{});
}
CEREUS_KERNEL int within(int x, int lo, int hi) { return min(max(x, lo), hi - 1); }
// 16 bytes from memory to shared memory, there after `all_brought`.
CEREUS_KERNEL void bring(char* to, const void* from) {
#ifdef __CUDA_ARCH__
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(to));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" : : "r"(at), "l"(from) : "memory");
#else
  __builtin_memcpy(to, from, 16);
#endif
}
CEREUS_KERNEL void all_brought() {
#ifdef __CUDA_ARCH__
  asm volatile("cp.async.wait_all;" : : : "memory");
#endif
}
// A vector in shared memory. Loads stay where they are written: compilers would load all rows first, and registers
// would not do.
template <class Vector> CEREUS_KERNEL Vector get(const char* from) {
#ifdef __CUDA_ARCH__
  Vector v;
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(from));
  if constexpr (sizeof(v.at[0]) == 8)
    asm volatile("ld.shared.v2.f64 {%0, %1}, [%2];" : "=d"(v.at[0]), "=d"(v.at[1]) : "r"(at));
  else
    asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(v.at[0]), "=f"(v.at[1]), "=f"(v.at[2]), "=f"(v.at[3])
                 : "r"(at));
  return v;
#else
  return *reinterpret_cast<const Vector*>(from);
#endif
}
// A vector in memory that nobody writes meanwhile.
template <class Vector, class Real> CEREUS_KERNEL Vector remembered(const Real* from) {
#ifdef __CUDA_ARCH__
  if constexpr (sizeof(Real) == 8) {
    const double2 v = __ldg(reinterpret_cast<const double2*>(from));
    return {v.x, v.y};
  } else {
    const float4 v = __ldg(reinterpret_cast<const float4*>(from));
    return {v.x, v.y, v.z, v.w};
  }
#else
  Vector v;
  __builtin_memcpy(&v, from, sizeof v);
  return v;
#endif
}
template <class Vector> CEREUS_KERNEL void put(char* to, const Vector& v) {
#ifdef __CUDA_ARCH__
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(to));
  if constexpr (sizeof(v.at[0]) == 8)
    asm volatile("st.shared.v2.f64 [%0], {%1, %2};" : : "r"(at), "d"(v.at[0]), "d"(v.at[1]) : "memory");
  else
    asm volatile("st.shared.v4.f32 [%0], {%1, %2, %3, %4};"
                 :
                 : "r"(at), "f"(v.at[0]), "f"(v.at[1]), "f"(v.at[2]), "f"(v.at[3])
                 : "memory");
#else
  *reinterpret_cast<Vector*>(to) = v;
#endif
}
// To memory, without a branch, across which compilers would not move what is computed.
template <class Real> CEREUS_KERNEL void put_if(bool yes, Real* to, Real v) {
#ifdef __CUDA_ARCH__
  if constexpr (sizeof(Real) == 8)
    asm volatile("{ .reg .pred p; setp.ne.s32 p, %0, 0; @p st.global.f64 [%1], %2; }"
                 :
                 : "r"(int(yes)), "l"(to), "d"(v)
                 : "memory");
  else
    asm volatile("{ .reg .pred p; setp.ne.s32 p, %0, 0; @p st.global.f32 [%1], %2; }"
                 :
                 : "r"(int(yes)), "l"(to), "f"(v)
                 : "memory");
#else
  if (yes) *to = v;
#endif
}
template <class Real, class Vector> CEREUS_KERNEL void put_vector_if(bool yes, Real* to, const Vector& v) {
#ifdef __CUDA_ARCH__
  if constexpr (sizeof(Real) == 8)
    asm volatile("{ .reg .pred p; setp.ne.s32 p, %0, 0; @p st.global.v2.f64 [%1], {%2, %3}; }"
                 :
                 : "r"(int(yes)), "l"(to), "d"(v.at[0]), "d"(v.at[1])
                 : "memory");
  else
    asm volatile("{ .reg .pred p; setp.ne.s32 p, %0, 0; @p st.global.v4.f32 [%1], {%2, %3, %4, %5}; }"
                 :
                 : "r"(int(yes)), "l"(to), "f"(v.at[0]), "f"(v.at[1]), "f"(v.at[2]), "f"(v.at[3])
                 : "memory");
#else
  if (yes) __builtin_memcpy(to, &v, sizeof v);
#endif
}
// What nobody must ask for: a compiler that cannot drop it fails.
template <class Real> CEREUS_KERNEL Real unavailable() {
#ifdef __CUDA_ARCH__
  Real x;
  if constexpr (sizeof(Real) == 8) asm("a_value_that_is_not_there %0;" : "=d"(x));
  else asm("a_value_that_is_not_there %0;" : "=f"(x));
  return x;
#else
  return Real(0) / Real(0);
#endif
}
}  // namespace cereus::sweep
