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
#include "scalar.hpp"
#ifdef __CUDACC__
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
  using Loop = void (*)(const void* kernel, const Launch&);
  int dim = 3;
  ScalarType type = ScalarType::float64;
  int handles = 0, outputs = 0;
  // cereus/kernel/large.hpp: a device compiles late ones when the run begins, and tries shapes of thread blocks.
  bool large = false, late = false, tries_shapes = false, shares_faces = false;
  bool takes_any_numbers = false;  // whether it may be applied to made-up ones
  int slots = 0;                   // of a large one
  unsigned device_pushes = 7;      // axes (bits) across which its loop on a device can fill ghost zones
  Loop host = nullptr;
  Loop host_stretched = nullptr;                    // on stretched axes; of a large kernel with an update as well
  Loop host_fused[Epilogue::max_sources + 1] = {};  // by number of sources; null where no update can be fused in
  // Launches and does not wait; returns the number of partial results. Null without CUDA.
  int (*device)(const void* kernel, const Launch&, const DeviceQueue&) = nullptr;
  // Whether it looks at the time, at where a point is, at the one spacing of an axis, and at the distance of points
  // there; null: it may. If it does not read the time, a captured launch can be replayed in the next step.
  const bool *reads_time = nullptr, *reads_place = nullptr, *reads_spacing = nullptr, *reads_distance = nullptr;
  void (*record)(const void* kernel, Recording*) = nullptr;                // what each handle reads at an offset
  void (*watch)(const void* kernel, const Launch&, Recording*) = nullptr;  // the same, by real data; writes nothing
  std::size_t result_size = 0;  // of what it returns for a reduction, 0 if it returns nothing
  void (*identity)(void*) = nullptr;
  void (*combine)(void*, const void*) = nullptr;
  double (*number)(const void*) = nullptr;  // the result as a number; null if it is none
  std::vector<Access> accesses;
  const char* type_name = "";                    // of the kernel, as the compiler writes it in symbols
  const detail::EmbeddedFile* source = nullptr;  // what it is compiled from; null outside of thorns
  std::size_t kernel_size = 0;
  std::shared_ptr<void> kernel;  // the kernel with its parameters; set again after steering

  bool looks_at_axes() const {
    const auto no = [](const bool* reads) { return reads && !*reads; };
    return !no(reads_place) || !no(reads_spacing) || !no(reads_distance);
  }
  bool only_uniform_axes() const {  // no right answer on stretched ones
    return looks_at_axes() && (!host_stretched || !reads_spacing || *reads_spacing);
  }
  // Whether its loop can leave out points along outer faces that are updated later (Epilogue::partial).
  bool updates_in_part() const { return large && !shares_faces; }
  // Whether an update of the time integrator can be fused in.
  bool may_fuse(bool stretched) const { return host_fused[0] && (large || !stretched || !looks_at_axes()); }
  // Whether the loop of updates may store what the kernel writes, times 1: not of complex numbers, where 1 · z may
  // differ from z.
  bool may_store(bool stretched) const {
    return may_fuse(stretched) && (type == ScalarType::float32 || type == ScalarType::float64);
  }
  Loop loop(const Launch& l) const {
    return l.stretched ? host_stretched : l.epilogue ? host_fused[l.epilogue->sources] : host;
  }
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

template <class K, int dim, class Real> KernelTable make_table() {
  static_assert(std::is_trivially_copyable_v<K> && std::is_aggregate_v<K>, "a kernel is a plain aggregate");
  using Host = HostLoop<K, dim>;
  static_assert(Host::outputs <= 64, "a kernel has at most 64 outputs");
  KernelTable t;
  t.dim = dim, t.type = scalar_type<Real>;
  t.handles = Host::handles, t.outputs = Host::outputs;
  t.late = is_late<K>(), t.tries_shapes = requires { K::late; }
  , t.shares_faces = cereus::shares_faces<K>();
  if constexpr (is_large<K>()) {
    t.large = true, t.slots = K::slots;
    t.host = &WideLoop<K, dim, Real>::launch;
    std::ranges::fill(t.host_fused, t.host);
    t.record = &record_declared<K>;
    t.reads_time = &K::reads_time, t.reads_place = &K::reads_place;
    if constexpr (stretches<K>())
      t.host_stretched = &WideLoop<K, dim, Real, StretchedAxes>::launch, t.reads_spacing = &K::reads_spacing;
    t.watch = [](const void* kernel, const Launch&, Recording* seen) { record_declared<K>(kernel, seen); };
  } else {
    t.host = &Host::template direct<UniformAxes>;
    if constexpr (stretches<K>()) t.host_stretched = &Host::template direct<StretchedAxes>;
    t.record = &record<K, dim>, t.takes_any_numbers = may_record<K>();
    t.reads_time = &Mentions<K, Mentioned::time>::value;
    t.reads_place = &Mentions<K, Mentioned::place>::value;
    t.reads_spacing = &Mentions<K, Mentioned::spacing>::value;
    t.reads_distance = &Mentions<K, Mentioned::distance>::value;
    t.watch = &watch<K, dim>;
  }
#ifdef __CUDACC__
  if constexpr (is_late<K>()) {
    static_assert(fusable<K, Real> && !Host::reduces, "a late kernel writes interiors, and returns nothing");
    t.device_pushes = 0;
  } else {
    using Device = DeviceLoop<K, dim, Real, (fusable<K, Real> && !Host::reduces)>;
    t.device = &Device::launch;
    t.device_pushes = Device::pushes;
  }
#endif
  if constexpr (Host::reduces) {
    using Value = typename Host::Value;
    t.result_size = sizeof(Value);
    t.identity = [](void* v) { *static_cast<Value*>(v) = Value::identity(); };
    if constexpr (requires(const Value& v) { static_cast<double>(v.value); })
      t.number = [](const void* v) { return static_cast<double>(static_cast<const Value*>(v)->value); };
    if constexpr (requires(const Value& v) { v.value(); })
      t.number = [](const void* v) { return static_cast<const Value*>(v)->value(); };
    t.combine = [](void* a, const void* b) { static_cast<Value*>(a)->combine(*static_cast<const Value*>(b)); };
  } else if constexpr (fusable<K, Real> && !is_large<K>()) {
    [&]<int... s>(ints<s...>) { ((t.host_fused[s] = &Host::template fused<Real, s>), ...); }
    (typename count_up<Epilogue::max_sources + 1>::type{});
  }
  K k{};
  for_each_handle(k, AccessCollector{t.accesses});
  t.kernel = std::make_shared<K>(k);
  t.kernel_size = sizeof(K);
  t.type_name = typeid(K).name();
  t.source = thorn_source;
  return t;
}
}  // namespace detail

// A kernel that no schedule holds: its launch table, and its plain members.
template <class K, int dim, class Real> class Kernel {
 public:
  const KernelTable& table() const { return table_; }
  static K& of(KernelTable& t) { return *static_cast<K*>(t.kernel.get()); }  // in a table made from this kernel
  K& operator*() { return of(table_); }
  K* operator->() { return &of(table_); }

 private:
  KernelTable table_ = detail::make_table<K, dim, Real>();
};
}  // namespace cereus
