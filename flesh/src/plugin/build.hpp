// Builds a library of a thorn when a run needs it: where it lies in a build tree of CMake's, which knows how.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace cereus {

/// The build tree that a library of a thorn lies in, or would: NAME/build or the folder four above lib/cereus/thorns;
/// empty if there is none. Throws Error if others may write there.
std::filesystem::path build_tree_of(const std::filesystem::path& library);

/// Thorns that a build tree can build, whether or not it has: as CMake listed them.
std::vector<std::string> thorns_of_build_tree(const std::filesystem::path& tree);

struct Library {
  std::filesystem::path file;
  std::vector<std::string> holds;  // texts that an up-to-date one has in it; none: any will do
  std::string target = {};         // what CMake calls it; empty: as the file, without .so
  std::string name() const { return target.empty() ? file.stem().string() : target; }
};

/// Builds those of these libraries that are not there, or lack what they should hold, where they lie in a build tree;
/// and, where the variable CEREUS_BUILDS is set, all that is not up to date, once for each of its values. One process
/// builds, others on this host wait for it. Throws Failure with the first mistakes of the compiler.
void build_libraries(const std::vector<Library>& libraries);

}  // namespace cereus
