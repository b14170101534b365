// Makes the launch table of a kernel's type: what the compiler knows of it, and where its loops are.
#pragma once
#include <span>
#include <type_traits>

#include "kernel.hpp"
#include "kernel/host_loop.hpp"
#include "kernel/record.hpp"
#include "kernel/watch.hpp"
#include "kernel/wide_loop.hpp"
#include "kernel_table.hpp"
// nvcc compiles the loops of a device with the thorn. Where g++ compiles for a device, too (CEREUS_LATE_DEVICE), NVRTC
// compiles them when a run begins.
#if (defined(__CUDACC__) || defined(CEREUS_LATE_DEVICE)) && !defined(CEREUS_LOOPS_APART)
#define CEREUS_HAS_DEVICE_LOOPS
#include <accelerator_loops.hpp>  // of the device's thorn
#endif
namespace cereus {
namespace detail {
// A member of a kernel, as its type says what it touches.
struct HandleFacts {
  const std::type_info* group = nullptr;
  int components = 0;
  Mode mode = Mode::read;
  Region region = Region::interior;
  int reach = 0;
  bool corners = false;
  int timelevel = 0;
  ScalarType type = ScalarType::float64;
};
template <class K> struct HandleList {
  HandleFacts of[handle_count<K>.all + 1];
  int count = 0;
  template <class M> constexpr void operator()(M&) {
    using T = HandleTraits<M>;
    of[count++] = {&typeid(typename T::GroupKey), T::count, T::mode, T::region, T::reach, T::corners, T::timelevel,
        scalar_type<typename T::Real>};
  }
};
template <class K> inline constexpr K plain{};  // without parameters
template <class K>
inline constexpr HandleList<K> handle_list = [] {
  HandleList<K> list;
  K k{};
  for_each_handle(k, list);
  return list;
}();
// The table of a kernel that has not got its loops; `kernel` is copied.
KernelTable table_of(const KernelFacts&, std::span<const HandleFacts>, const std::type_info& type, const void* kernel,
    std::size_t alignment);

// An update can be fused into a kernel that writes each of its outputs once, in one scalar type, and returns nothing.
// What it reads lies on its own grid.
template <class Real> struct FusableOutputs {
  bool fusable = true, any = false;
  template <class M> constexpr void operator()(M&) {
    using T = HandleTraits<M>;
    fusable = fusable && !T::is_elsewhere;
    if constexpr (T::mode != Mode::read) {
      any = true;
      fusable = fusable && T::mode == Mode::write && T::region == Region::interior && same_type<typename T::Real, Real>;
    }
  }
};
template <class K, class Real>
inline constexpr bool fusable = [] {
  FusableOutputs<Real> f;
  K k{};
  for_each_handle(k, f);
  return f.fusable && f.any;
}();

// Of real numbers: 1 · z may differ from z where it is complex.
template <class Real> inline constexpr bool is_real = same_type<Real, float> || same_type<Real, double>;
template <class K, int dim, class Real> inline constexpr bool fuses = fusable<K, Real> && !HostLoop<K, dim>::reduces;
template <class K, int dim, class Real, Use use>
inline constexpr bool stores = fuses<K, dim, Real>&& is_real<Real>&& use == Use::scheduled;

template <class K, int dim, class Real, Use use> struct LoopsOf;  // a name for them
// Which loops are compiled beside those over uniform axes: specialised in what is compiled for one run, which knows.
template <class, class = void> struct Asked {
  static constexpr bool stretches = true, watches = true;  // watches: under an audit
};
template <class K> inline constexpr bool stretched_too = Asked<K>::stretches&& stretches<K>();
template <class K, Use use> inline constexpr bool watched_too = Asked<K>::watches&& use != Use::by_hand;
template <class Real> inline constexpr bool is_single = same_type<real_of_t<Real>, float>;

// A test may be linked from code of all three kinds.
#if defined(CEREUS_LOOPS_APART)
#define CEREUS_KIND_OF_CODE apart
#elif defined(CEREUS_VARIANT)
#define CEREUS_KIND_OF_CODE variant
#else
#define CEREUS_KIND_OF_CODE whole
#endif
inline namespace CEREUS_KIND_OF_CODE {
#ifndef CEREUS_LOOPS_APART
template <class K, int dim, class Real, Use use> KernelLoops make_loops() {
  using Host = HostLoop<K, dim>;
  KernelLoops t;
  if constexpr (is_large<K>()) {
    t.host = t.host_fused = &WideLoop<K, dim, Real>::launch;
    t.reads_time = &K::reads_time, t.reads_place = t.reads_index = &K::reads_place;
    if constexpr (stretched_too<K>)
      t.host_stretched = &WideLoop<K, dim, Real, StretchedAxes>::launch, t.reads_spacing = &K::reads_spacing;
    if constexpr (maps<K, dim>()) t.host_mapped = t.host_fused_mapped = &WideLoop<K, dim, Real, MappedAxes>::launch;
    t.record = t.record_mapped = &record_declared<K>;
    t.watch =
        t.watch_mapped = [](const void* kernel, const Launch&, Recording* seen) { record_declared<K>(kernel, seen); };
  } else {
    t.host = &Host::template direct<UniformAxes>;
    if constexpr (stretched_too<K>) t.host_stretched = &Host::template direct<StretchedAxes>;
    if constexpr (maps<K, dim>()) {
      t.host_mapped = &Host::template direct<MappedAxes>;
      t.record_mapped = &record<K, dim, true>;
      if constexpr (watched_too<K, use>) t.watch_mapped = &watch<K, dim, MappedAxes>;
    }
    if constexpr (fuses<K, dim, Real> && use == Use::scheduled) {
      t.host_fused = &Host::template fused<Real, UniformAxes>;
      if constexpr (maps<K, dim>()) t.host_fused_mapped = &Host::template fused<Real, MappedAxes>;
    }
    t.record = &record<K, dim>;  // which also marks what the kernel mentions
    t.reads_time = &Mentions<K, Mentioned::time>::value;
    t.reads_place = &Mentions<K, Mentioned::place>::value;
    t.reads_index = &Mentions<K, Mentioned::index>::value;
    t.reads_spacing = &Mentions<K, Mentioned::spacing>::value;
    t.reads_distance = &Mentions<K, Mentioned::distance>::value;
    if constexpr (watched_too<K, use>) t.watch = &watch<K, dim>;
  }
#ifdef CEREUS_HAS_DEVICE_LOOPS
  if constexpr (is_late<K>()) {
    static_assert(fuses<K, dim, Real>, "a late kernel writes interiors, and returns nothing");
    t.device_pushes = 0;
  } else {
    using Device = DeviceLoopsOf<K, dim, Real, (fuses<K, dim, Real> && use == Use::scheduled)>;
    t.device = &Device::launch, t.device_loops = &Device::loops();
    t.device_pushes = Device::pushes;
  }
#endif
  return t;
}
#endif

template <class K, int dim, class Real, Use use> const KernelLoops& loops_of() {
#ifdef CEREUS_LOOPS_APART
  static const KernelLoops& loops =
      find_loops(thorn_identity, dim, is_single<Real>, typeid(LoopsOf<K, dim, Real, use>*).name());
#else
  static const KernelLoops loops = make_loops<K, dim, Real, use>();
#endif
  return loops;
}
#ifdef CEREUS_VARIANT
// Loops of a large thorn are compiled in several parts: a kernel's in the one that the hash of its type's name, as this
// compiler spells it, falls to.
template <class T> constexpr unsigned long hash_of_name() {
  unsigned long hash = 14695981039346656037u;  // FNV-1a
  for (const char* c = __PRETTY_FUNCTION__; *c; ++c) hash = (hash ^ static_cast<unsigned char>(*c)) * 1099511628211u;
  return hash >> 20;
}
template <class, class = void> struct ThisPart {  // specialised where there are parts, by add_thorn.cmake
  static constexpr bool has(unsigned long) { return true; }
};
__attribute__((used)) inline const RegisteredLoops* registered_loops = nullptr;  // of all parts of this library
template <class K, int dim, class Real, Use use>
inline const RegisteredLoops registered{
    typeid(LoopsOf<K, dim, Real, use>*).name(), &loops_of<K, dim, Real, use>, registered_loops};
#endif

template <class K, int dim, class Real, Use use> constexpr KernelFacts make_facts() {
  using Host = HostLoop<K, dim>;
  static_assert(Host::outputs <= 64, "a kernel has at most 64 outputs");
  KernelFacts f;
  f.dim = dim, f.type = scalar_type<Real>;
  f.handles = Host::handles, f.outputs = Host::outputs;
  f.late = is_late<K>(), f.tries_shapes = requires { K::late; }
  , f.shares_faces = cereus::shares_faces<K>();
  f.fusable = fuses<K, dim, Real>, f.stores = stores<K, dim, Real, use>;
  if constexpr (is_large<K>()) f.large = true, f.slots = slots_of<K, false>(), f.shell_slots = slots_of<K, true>();
  else f.takes_any_numbers = may_record<K>();
  if constexpr (Host::reduces) {
    using Value = typename Host::Value;
    f.result_size = sizeof(Value);
    f.identity = [](void* v) { *static_cast<Value*>(v) = Value::identity(); };
    if constexpr (requires(const Value& v) { static_cast<double>(v.value); })
      f.number = [](const void* v) { return static_cast<double>(static_cast<const Value*>(v)->value); };
    if constexpr (requires(const Value& v) { v.value(); })
      f.number = [](const void* v) { return static_cast<const Value*>(v)->value(); };
    f.combine = [](void* a, const void* b) { static_cast<Value*>(a)->combine(*static_cast<const Value*>(b)); };
  }
  f.kernel_size = sizeof(K);
  if constexpr (requires(const K& k) { k.each_formula([](const Steps&) {}); })
    f.each_formula = [](const void* kernel, void (*take)(const Steps&, void*), void* to) {
      static_cast<const K*>(kernel)->each_formula([&](const Steps& s) { take(s, to); });
    };
  return f;
}
template <class K, int dim, class Real, Use use> inline constexpr KernelFacts facts = make_facts<K, dim, Real, use>();

template <class K, int dim, class Real, Use use = Use::scheduled> KernelTable make_table() {
  static_assert(std::is_trivially_copyable_v<K> && std::is_aggregate_v<K>, "a kernel is a plain aggregate");
#ifdef CEREUS_VARIANT
  if constexpr (dim == CEREUS_DIMENSION && is_single<Real> == is_single<CEREUS_REAL> &&
                ThisPart<K>::has(hash_of_name<LoopsOf<K, dim, Real, use>>()))
    static_cast<void>(&registered<K, dim, Real, use>);
  return {};  // nobody asks this library for tables
#else
  constexpr const HandleList<K>& handles = handle_list<K>;
  KernelTable t =
      table_of(facts<K, dim, Real, use>, {handles.of, handles.of + handles.count}, typeid(K), &plain<K>, alignof(K));
  t.source = thorn_source;
  t.compiled = &loops_of<K, dim, Real, use>;
  return t;
#endif
}

// A kernel that no schedule holds: its launch table, and its plain members.
template <class K, int dim, class Real> class Kernel {
 public:
  const KernelTable& table() const { return table_; }
  static K& of(KernelTable& t) { return *static_cast<K*>(t.kernel.get()); }  // in a table made from this kernel
  K& operator*() { return of(table_); }
  K* operator->() { return &of(table_); }

 private:
  KernelTable table_ = make_table<K, dim, Real, Use::by_hand>();
};
}  // namespace CEREUS_KIND_OF_CODE
#undef CEREUS_KIND_OF_CODE
}  // namespace detail
using detail::Kernel;
}  // namespace cereus
