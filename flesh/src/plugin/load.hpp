// From a file to a thorn: its place is checked, then the file, then the build that made it, and only then is it loaded
// and its one exported function called. What was built otherwise is refused before any of its code has run.
#pragma once

#include "place.hpp"

#include <cereus/abi.hpp>

#include <filesystem>
#include <string>
#include <string_view>

namespace cereus {

struct KernelTable;
struct ThornEntry;  // what a thorn hands over
namespace detail {
struct RegisteredLoops;
}

/// What a library of kernels alone exports, cereus_tables and cereus_fill: the launch tables of all its kernels, and
/// what sets the plain members of one of them.
struct LateKernels {
  void (*tables)(KernelTable*) = nullptr;
  void (*fill)(int kernel, void* members, const double* values) = nullptr;
};

/// A loaded thorn. It stays loaded until the process ends, so this is a plain value and owns nothing: types, function
/// pointers and static objects of a thorn may live anywhere.
struct Plugin {
  std::string name;
  std::filesystem::path path;  // of the file itself, links followed
  std::string hash;            // of the bytes that were checked, for provenance
  AbiDescriptor descriptor;
  const ThornEntry* entry;   // null if it has kernels alone, or no code
  LateKernels kernels = {};  // of one that has kernels alone
};

/// One line "what: A in the thorn, B here" for every fact that differs, but for another release of the same compiler;
/// empty: the thorn fits.
std::string differences(const AbiFacts& thorn, const AbiFacts& here);

/// What a thorn says of itself, read from its file without loading it. Throws Error if the file is damaged.
AbiDescriptor read_descriptor(const std::filesystem::path& file);

/// Loads the loops of a thorn for one dimension and scalar type, made from the sources that have this hash; throws as
/// load_thorn does.
const detail::RegisteredLoops* load_loops(const ThornFile& file, const AbiFacts& here, std::string_view sources);

/// Loads a library of kernels alone; throws as load_thorn does.
Plugin load_kernels(const ThornFile& file, const AbiFacts& here);

/// Loads a thorn, or throws one Error that says all that is wrong. `here` is `this_build()` of the caller.
Plugin load_thorn(const ThornFile& file, const AbiFacts& here);

}  // namespace cereus
