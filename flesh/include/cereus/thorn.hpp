// The one header that a thorn's NAME.cpp includes: declarations, schedule, context, and the macro that exports it.
#pragma once
#include "kernel.hpp"  // first: a mistake in a kernel is then reported with fewer lines

#include "abi.hpp"
#include "context.hpp"
#include "declaration.hpp"
#include "embedded.hpp"
#include "schedule.hpp"
#include "services.hpp"
namespace cereus {
struct ThornEntry {
  const char* name;
  void (*declare)(Declaration&);
  void (*schedule)(Schedule&, const Parameters&);
  const detail::ThornIdentity* identity;  // null where no CMake function of Cereus made the library
};
}  // namespace cereus

#ifndef CEREUS_THORN_VERSION
#define CEREUS_THORN_VERSION "0.1.0"
#endif
#ifndef CEREUS_THORN_LICENSE
#define CEREUS_THORN_LICENSE "BSD-3-Clause"
#endif
// What the library exports: the thorn, or the loops of one variant (cereus/kernel_loops.hpp).
#ifdef CEREUS_VARIANT
#define CEREUS_EXPORTED(...)                                                                              \
  extern "C" __attribute__((visibility("default"), used)) cereus::detail::LibraryOfLoops cereus_loops() { \
    return {&cereus::detail::thorn_identity, cereus::detail::registered_loops};                           \
  }
#else
#define CEREUS_EXPORTED(NAME, declare, schedule)                                                      \
  extern "C" __attribute__((visibility("default"), used)) const cereus::ThornEntry* cereus_thorn() {  \
    static const cereus::ThornEntry entry{#NAME, declare, schedule, &cereus::detail::thorn_identity}; \
    return &entry;                                                                                    \
  }
#endif
// CEREUS_THORN(NAME, declare, schedule[, "*.png *.jpg"]): the last are names of files that d.reads_provenance() is for.
#define CEREUS_THORN(NAME, declare, schedule, ...)                                                                     \
  __attribute__((section(".cereus_abi"), used, retain)) static constexpr cereus::AbiDescriptor cereus_abi_descriptor = \
      cereus::make_abi_descriptor(                                                                                     \
          #NAME, cereus::this_build(), CEREUS_THORN_VERSION, CEREUS_THORN_LICENSE, "" __VA_ARGS__);                    \
  CEREUS_EXPORTED(NAME, declare, schedule)
