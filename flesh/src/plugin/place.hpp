// Loading a library runs its code as ourselves, so a thorn is taken only from where nobody else could have put it:
// named folders, and in them files that belong to us or to root and that others cannot write or exchange.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace cereus {

/// Folders in the order in which they are searched; absolute.
struct SearchPath {
  std::vector<std::filesystem::path> folders;
};

/// One file that offers to be a thorn.
struct ThornFile {
  std::string name;
  std::filesystem::path path;    // absolute, as found: a symbolic link is not yet followed
  std::filesystem::path folder;  // the folder of the search path that holds it
  bool shadowed = false;         // an earlier file of that name wins; this one is kept for `list`
  std::string refused = {};      // why it may not be loaded; empty: its place is safe
};

/// The variable that adds folders, separated by colons. Ignored in a set-uid or otherwise privileged process.
inline constexpr const char* thorn_path_variable = "CEREUS_THORN_PATH";

/// First the folders given on the command line or by a parameter (relative ones start at the working directory), then
/// `executable_dir/../lib/cereus/thorns` if it is there, then those of the environment, which must be absolute.
/// Throws Error for an empty entry and for a folder that somebody named and that does not exist.
SearchPath make_search_path(
    const std::vector<std::filesystem::path>& given, const std::filesystem::path& executable_dir);

/// All thorns in these folders, as NAME.so, NAME/NAME.so or NAME/build/NAME.so: by folder, then by name. Nothing is
/// opened; a file that must not be loaded is listed with the reason.
std::vector<ThornFile> find_thorns(const SearchPath& path);

/// Throws Error with the reason if this file must not be loaded; else returns the real path of the file.
std::filesystem::path check_place(const ThornFile& file);

/// The same for a program that a thorn runs and that lies beside it.
std::filesystem::path check_program(const std::filesystem::path& file);

}  // namespace cereus
