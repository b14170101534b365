// The compiled loops of a kernel, and where a thorn has them: in a library apart for each dimension and scalar type,
// NAME.d3f64.so beside NAME.so, so that a run builds and opens those of its own grid alone.
//
// Both are made from NAME.cpp. In NAME.so (CEREUS_LOOPS_APART) launch tables hold no code: they look for it when it is
// first asked for. In the libraries apart (CEREUS_VARIANT) each launch table of their dimension and scalar type
// registers its loops. Elsewhere, in programs and in what is compiled for one run, a table has its loops itself.
#pragma once
#include "kernel/launch.hpp"
namespace cereus {
struct Recording;

// What a kernel is for decides which loops are compiled: those that nobody can call are not.
enum class Use {
  scheduled,  // s.kernel
  by_hand,    // Kernel<K, dim, Real>: launched by whoever holds it: no update is fused in, no audit watches
};

struct KernelLoops {
  using Loop = void (*)(const void* kernel, const Launch&);
  Loop host = nullptr;
  Loop host_stretched = nullptr;     // on stretched axes; of a large kernel with an update as well
  Loop host_mapped = nullptr;        // on shells around a cube
  Loop host_fused = nullptr;         // with an update; null where none can be fused in
  Loop host_fused_mapped = nullptr;  // with an update, on shells around a cube
  // Launches and does not wait. Null: there is none, or it is compiled for a run (KernelFacts::late).
  void (*device)(const void* kernel, const Launch&, const DeviceQueue&) = nullptr;
  const detail::DeviceLoops* device_loops = nullptr;  // what it launches
  unsigned device_pushes = 7;  // axes (bits) across which its loop on a device can fill ghost zones
  // Whether it looks at the time, at a point's coordinates, at its indices, at the one spacing of an axis, and at the
  // distance of points there; null: it may. If it does not read the time, a captured launch can be replayed in the next
  // step.
  const bool *reads_time = nullptr, *reads_place = nullptr, *reads_index = nullptr;
  const bool *reads_spacing = nullptr, *reads_distance = nullptr;
  void (*record)(const void* kernel, Recording*) = nullptr;                // what each handle reads at an offset
  void (*watch)(const void* kernel, const Launch&, Recording*) = nullptr;  // the same, by real data; writes nothing
  void (*record_mapped)(const void* kernel, Recording*) = nullptr;         // both on shells
  void (*watch_mapped)(const void* kernel, const Launch&, Recording*) = nullptr;
};

namespace detail {
struct ThornIdentity;

// The loops that a library of one dimension and scalar type has, as a list.
struct RegisteredLoops {
  RegisteredLoops(const char* name, const KernelLoops& (*made)(), const RegisteredLoops*& first)
      : key(name),
        loops(made),
        next(first) {
    first = this;
  }
  const char* key;
  const KernelLoops& (*loops)();
  const RegisteredLoops* next;
};

struct LibraryOfLoops {  // what it exports
  const ThornIdentity* thorn;
  const RegisteredLoops* loops;
};

// Opens the library of a thorn's loops for a dimension and float or double; builds it before, if it is not there and
// the thorn lies in a build tree. Throws Error, with what to do, if it cannot be had.
const KernelLoops& find_loops(const ThornIdentity&, int dim, bool single, const char* key);
}  // namespace detail
}  // namespace cereus
