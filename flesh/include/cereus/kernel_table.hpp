// The type-erased launch table of a kernel: how a loop over it is started, and what it touches. Others only call this.
#pragma once
#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <vector>

#include "embedded.hpp"
#include "kernel.hpp"
#include "kernel/host_loop.hpp"
#include "kernel/record.hpp"
#include "kernel/watch.hpp"
#include "kernel/wide_loop.hpp"
#include "kernel_loops.hpp"
#include "scalar.hpp"
#if defined(__CUDACC__) && !defined(CEREUS_LOOPS_APART)
#include <accelerator_loops.hpp>  // of the device's thorn
#endif
namespace cereus {
// One set of variables that a kernel or routine touches in one way.
struct Access {
  std::string key;                     // the group's struct; or
  std::vector<std::string> variables;  // names and patterns (thorn::variable)
  int components = 0;                  // handles (kernels only)
  Mode mode = Mode::read;
  Region region = Region::interior;
  int reach = 0;
  bool corners = false;
  int timelevel = 0;
  ScalarType type = ScalarType::float64;
};

struct KernelTable {
  using Loop = KernelLoops::Loop;
  int dim = 3;
  ScalarType type = ScalarType::float64;
  int handles = 0, outputs = 0;
  // cereus/kernel/large.hpp: a device compiles late ones when the run begins, and tries shapes of thread blocks.
  bool large = false, late = false, tries_shapes = false, shares_faces = false;
  bool takes_any_numbers = false;  // whether it may be applied to made-up ones
  bool fusable = false;            // it writes each output once, and returns nothing
  bool stores = false;             // its loop of updates may store what it writes, times 1
  int slots = 0;                   // of a large one
  std::size_t result_size = 0;     // of what it returns for a reduction, 0 if it returns nothing
  void (*identity)(void*) = nullptr;
  void (*combine)(void*, const void*) = nullptr;
  double (*number)(const void*) = nullptr;  // the result as a number; null if it is none
  std::vector<Access> accesses;
  const char* type_name = "";                    // of the kernel, as the compiler writes it in symbols
  const detail::EmbeddedFile* source = nullptr;  // what it is compiled from; null outside of thorns
  std::size_t kernel_size = 0;
  std::shared_ptr<void> kernel;  // the kernel with its parameters; set again after steering
  const KernelLoops& (*compiled)() = nullptr;
  std::shared_ptr<const KernelLoops> own = {};  // in place of compiled ones

  // Its code; opens the library that has it. Throws Error if there is none.
  const KernelLoops& loops() const { return own ? *own : compiled(); }
  bool looks_at_axes() const {
    const KernelLoops& l = loops();
    return may(l.reads_place) || may(l.reads_spacing) || may(l.reads_distance);
  }
  // Whether the same values at other points may give another result.
  bool looks_where_it_is() const { return may(loops().reads_place) || may(loops().reads_index); }
  bool only_uniform_axes() const {  // no right answer on stretched ones
    const KernelLoops& l = loops();
    return looks_at_axes() && (!l.host_stretched || !l.reads_spacing || *l.reads_spacing);
  }
  // Whether its loop can leave out points along outer faces that are updated later (Epilogue::partial).
  bool updates_in_part() const { return large && !shares_faces; }
  // Whether an update of the time integrator can be fused in.
  bool may_fuse(bool stretched) const { return fusable && has_fused(stretched); }
  bool may_store(bool stretched) const { return stores && has_fused(stretched); }
  Loop loop(const Launch& l) const {
    const KernelLoops& all = loops();
    return l.stretched ? all.host_stretched : l.epilogue ? all.host_fused : all.host;
  }

 private:
  static bool may(const bool* reads) { return !reads || *reads; }
  bool has_fused(bool stretched) const { return large || !stretched || !looks_at_axes(); }
};

template <template <class> class Group> std::string group_key() { return typeid(Group<int>).name(); }

namespace detail {
struct AccessCollector {
  std::vector<Access>& list;
  template <class M> void operator()(M&) {
    using T = HandleTraits<M>;
    list.push_back({typeid(typename T::GroupKey).name(), {}, T::count, T::mode, T::region, T::reach, T::corners,
        T::timelevel, scalar_type<typename T::Real>});
  }
};
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
    if constexpr (stretches<K>())
      t.host_stretched = &WideLoop<K, dim, Real, StretchedAxes>::launch, t.reads_spacing = &K::reads_spacing;
    t.record = &record_declared<K>;
    t.watch = [](const void* kernel, const Launch&, Recording* seen) { record_declared<K>(kernel, seen); };
  } else {
    t.host = &Host::template direct<UniformAxes>;
    if constexpr (stretches<K>()) t.host_stretched = &Host::template direct<StretchedAxes>;
    if constexpr (fuses<K, dim, Real> && use == Use::scheduled) t.host_fused = &Host::template fused<Real>;
    t.record = &record<K, dim>;  // which also marks what the kernel mentions
    t.reads_time = &Mentions<K, Mentioned::time>::value;
    t.reads_place = &Mentions<K, Mentioned::place>::value;
    t.reads_index = &Mentions<K, Mentioned::index>::value;
    t.reads_spacing = &Mentions<K, Mentioned::spacing>::value;
    t.reads_distance = &Mentions<K, Mentioned::distance>::value;
    if constexpr (use != Use::by_hand) t.watch = &watch<K, dim>;
  }
#ifdef __CUDACC__
  if constexpr (is_late<K>()) {
    static_assert(fuses<K, dim, Real>, "a late kernel writes interiors, and returns nothing");
    t.device_pushes = 0;
  } else {
    using Device = DeviceLoop<K, dim, Real, (fuses<K, dim, Real> && use == Use::scheduled)>;
    t.device = &Device::launch;
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
inline const RegisteredLoops* registered_loops = nullptr;  // of this library
template <class K, int dim, class Real, Use use>
inline const RegisteredLoops registered{
    typeid(LoopsOf<K, dim, Real, use>*).name(), &loops_of<K, dim, Real, use>, registered_loops};
#endif

template <class K, int dim, class Real, Use use = Use::scheduled> KernelTable make_table() {
  static_assert(std::is_trivially_copyable_v<K> && std::is_aggregate_v<K>, "a kernel is a plain aggregate");
  using Host = HostLoop<K, dim>;
  static_assert(Host::outputs <= 64, "a kernel has at most 64 outputs");
  KernelTable t;
  t.dim = dim, t.type = scalar_type<Real>;
  t.handles = Host::handles, t.outputs = Host::outputs;
  t.late = is_late<K>(), t.tries_shapes = requires { K::late; }
  , t.shares_faces = cereus::shares_faces<K>();
  t.fusable = fuses<K, dim, Real>, t.stores = stores<K, dim, Real, use>;
  if constexpr (is_large<K>()) t.large = true, t.slots = K::slots;
  else t.takes_any_numbers = may_record<K>();
  if constexpr (Host::reduces) {
    using Value = typename Host::Value;
    t.result_size = sizeof(Value);
    t.identity = [](void* v) { *static_cast<Value*>(v) = Value::identity(); };
    if constexpr (requires(const Value& v) { static_cast<double>(v.value); })
      t.number = [](const void* v) { return static_cast<double>(static_cast<const Value*>(v)->value); };
    if constexpr (requires(const Value& v) { v.value(); })
      t.number = [](const void* v) { return static_cast<const Value*>(v)->value(); };
    t.combine = [](void* a, const void* b) { static_cast<Value*>(a)->combine(*static_cast<const Value*>(b)); };
  }
  K k{};
  for_each_handle(k, AccessCollector{t.accesses});
  t.kernel = std::make_shared<K>(k);
  t.kernel_size = sizeof(K);
  t.type_name = typeid(K).name();
  t.source = thorn_source;
#ifdef CEREUS_VARIANT
  if constexpr (dim == CEREUS_DIMENSION && is_single<Real> == is_single<CEREUS_REAL> &&
                ThisPart<K>::has(hash_of_name<LoopsOf<K, dim, Real, use>>()))
    static_cast<void>(&registered<K, dim, Real, use>);
#else
  t.compiled = &loops_of<K, dim, Real, use>;
#endif
  return t;
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
