// What is known of a kernel's loops where they are launched (AcceleratorCUDA/src/launcher.hpp). Where nvcc compiles the
// kernel, its functions are part of that; elsewhere NVRTC compiles them when a run begins.
#pragma once
#include <cereus/embedded.hpp>
#include <cereus/kernel/large.hpp>
#include <cereus/kernel_loops.hpp>
#include <typeinfo>
#include <utility>

#include "arguments.hpp"
#include "facts.hpp"
#ifdef __CUDACC__
#include "march.hpp"
#include "modify.hpp"
#include "reduce.hpp"
#endif
#ifndef CEREUS_CONTRACTS
#define CEREUS_CONTRACTS true
#endif
namespace cereus::detail {
enum class AxesOf { uniform, stretched, mapped };  // what a loop goes over
inline constexpr int axes_kinds = 3;

// By axes, or by the most sources of an update (0, 1, more); then for one block and for many. Null: there is none.
struct DeviceFunctions {
  const void *direct[axes_kinds][2] = {}, *fused[axes_kinds][2] = {}, *march[3][2] = {}, *modify[2] = {};
  const void *reduce[axes_kinds] = {}, *combine = nullptr;
};
inline constexpr int march_sources[3] = {0, 1, Epilogue::max_sources};

// What follows from the type of a kernel, and its functions.
struct DeviceLoops {
  const char *kernel, *real, *value;  // types, as in symbols; value: what it returns, null for nothing
  const EmbeddedFile* source;         // what the kernel is compiled from
  bool contracts;                     // whether the device may round a b + c once
  int dim, kernel_size, handles, outputs, real_size, lanes;
  bool has[axes_kinds];  // whether there are loops over such axes
  bool fuses, marches, modifies;
  int points[axes_kinds];  // of a thread
  March march[3];
  unsigned (*groups)(const void* kernel);
  void (*number)(void* kernel);  // numbers its handles; null: the device does that
  DeviceFunctions functions;
  bool is_late() const { return !functions.direct[0][0] && !functions.reduce[0]; }
  bool has_fused(AxesOf a) const { return fuses && a != AxesOf::stretched && has[static_cast<int>(a)]; }
  int fused_width() const { return handles + outputs * Epilogue::addresses; }
};

// The same, as the compiler finds it. `fusable`: whether an update of the time integrator may be fused in.
template <class K, int dim, class Real, bool fusable> struct DeviceLoopsOf {
  using Value = decltype(std::declval<const K&>()(std::declval<DirectPoint<dim>&>()));
  static constexpr bool reduces = !same_type<Value, void>, fuses = fusable && !reduces;
  static constexpr bool marches_too() {
    if constexpr (fuses) return marches<K, dim, Real>();
    else return false;
  }
  static constexpr unsigned pushes = marches_too() ? march_axes<dim> : 7;  // axes (bits) across which it fills ghosts

  static const DeviceLoops& loops() {
    static const DeviceLoops all = make();
    return all;
  }
  // Launches and does not wait. Addresses in the launch are the device's.
  static void launch(const void* kernel, const Launch& l, const DeviceQueue& q) {
    q.launch(q.owner, loops(), kernel, l, q.blocks);
  }

 private:
  static DeviceLoops make() {
    DeviceLoops d{};
    d.kernel = typeid(K).name(), d.real = typeid(Real).name(), d.source = thorn_source, d.contracts = CEREUS_CONTRACTS;
    d.dim = dim, d.kernel_size = sizeof(K), d.real_size = sizeof(Real);
    d.handles = handle_count<K>.all, d.outputs = handle_count<K>.outputs;
    d.lanes = lanes_of<K, dim, Real>();
    if constexpr (reduces) d.value = typeid(Value).name();
    d.fuses = fuses, d.marches = marches_too();
    d.modifies = !reduces && modifies_vectors<K, dim, Real>();
    for_axes<UniformAxes>(d, AxesOf::uniform);
    if constexpr (stretches<K>()) for_axes<StretchedAxes>(d, AxesOf::stretched);
    if constexpr (maps<K, dim>()) for_axes<MappedAxes>(d, AxesOf::mapped);
    if constexpr (marches_too()) { for_sources<0>(d), for_sources<1>(d), for_sources<2>(d); }
    d.groups = [](const void* k) { return groups_of(*static_cast<const K*>(k)); };
    if constexpr (picks_handles<K>()) d.number = [](void* k) { number_handles(*static_cast<K*>(k)); };
#ifdef __CUDACC__
    if constexpr (reduces) d.functions.combine = at(device_combine<Value>);
    if constexpr (!reduces && modifies_vectors<K, dim, Real>()) {
      d.functions.modify[0] = at(device_modify<K, dim, Real, false>);
      d.functions.modify[1] = at(device_modify<K, dim, Real, true>);
    }
#endif
    return d;
  }
  template <class F> static const void* at(F* function) { return reinterpret_cast<const void*>(function); }
  template <class Axes> static void for_axes(DeviceLoops& d, AxesOf of) {
    const int a = static_cast<int>(of);
    d.has[a] = true, d.points[a] = points_of_thread < K, DirectPoint<dim, Axes>,
    reduces ? reduced_points : plain_points > ();
#ifdef __CUDACC__
    if constexpr (reduces) d.functions.reduce[a] = at(device_reduce<K, dim, Value, Axes>);
    else {
      d.functions.direct[a][0] = at(device_direct<K, dim, false, Axes>);
      d.functions.direct[a][1] = at(device_direct<K, dim, true, Axes>);
    }
    if constexpr (fuses && !Axes::stretched) {
      d.functions.fused[a][0] = at(device_fused<K, dim, Real, false, Axes>);
      d.functions.fused[a][1] = at(device_fused<K, dim, Real, true, Axes>);
    }
#endif
  }
  template <int n> static void for_sources(DeviceLoops& d) {
    d.march[n] = detail::march<K, dim, Real, march_sources[n]>;
#ifdef __CUDACC__
    d.functions.march[n][0] = at(device_march<K, dim, Real, false, march_sources[n]>);
    d.functions.march[n][1] = at(device_march<K, dim, Real, true, march_sources[n]>);
#endif
  }
};
}  // namespace cereus::detail
