#include "place.hpp"

#include "variants.hpp"

#include <cereus/abi.hpp>
#include <cereus/error.hpp>
#include <cereus/program.hpp>

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string_view>
#include <system_error>

namespace cereus {
namespace fs = std::filesystem;
namespace {

/// Whoever owns or may write any folder on the way to a file can exchange the file.
void check_chain(const fs::path& absolute) {
  for (fs::path p = absolute;; p = p.parent_path()) {
    struct stat info {};
    if (lstat(p.c_str(), &info) != 0) {
      throw Error(fmt::format("{}: {} cannot be examined; check its permissions", absolute.string(), p.string()));
    }
    if (info.st_uid != 0 && info.st_uid != geteuid()) {
      throw Error(
          fmt::format("{}: {} belongs to user {}, and may belong only to you or root; copy the file to a "
                      "folder of yours",
              absolute.string(), p.string(), info.st_uid));
    }
    // In a sticky folder, such as /tmp, others may add files but not exchange ours. A link has no mode of its own.
    const bool sticky = S_ISDIR(info.st_mode) && (info.st_mode & S_ISVTX) != 0;
    if (!S_ISLNK(info.st_mode) && !sticky && (info.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
      throw Error(fmt::format("{}: {} may be written by others (mode {:o}); run chmod go-w {}", absolute.string(),
          p.string(), static_cast<unsigned>(info.st_mode) & 07777u, p.string()));
    }
    if (p == p.root_path()) return;
  }
}

bool lies_within(const fs::path& inner, const fs::path& outer) {
  const auto [end, rest] = std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end());
  return end == outer.end() && rest != inner.end();
}

fs::path real_path(const fs::path& p) {
  std::error_code error;
  fs::path real = fs::canonical(p, error);
  if (error) throw Error(fmt::format("{}: {}; check the path", p.string(), error.message()));
  return real;
}

/// Without a slash at the end, which would count as one more parent.
fs::path absolute_folder(const fs::path& p) {
  const fs::path a = fs::absolute(p);
  return a.has_filename() || a == a.root_path() ? a : a.parent_path();
}

void add_folder(SearchPath& path, const fs::path& folder, std::string_view who) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) {
    throw Error(fmt::format(
        "{}: no such folder, though {} names it as a place of thorns; create it or take it out", folder.string(), who));
  }
  path.folders.push_back(absolute_folder(folder));
}

void add_environment(SearchPath& path) {
  const char* variable = std::getenv(thorn_path_variable);
  if (variable == nullptr || *variable == '\0' || getauxval(AT_SECURE) != 0) return;
  std::string_view rest = variable;
  for (;;) {
    const std::size_t colon = rest.find(':');
    const std::string_view entry = rest.substr(0, colon);
    // The working directory is wherever somebody happens to start the run: often a folder full of downloads.
    if (entry.empty() || entry.front() != '/') {
      throw Error(fmt::format("{}={}: the entry '{}' is {}; give absolute folders, separated by single colons",
          thorn_path_variable, variable, entry, entry.empty() ? "empty" : "relative to the working directory"));
    }
    add_folder(path, fs::path(entry), thorn_path_variable);
    if (colon == std::string_view::npos) return;
    rest.remove_prefix(colon + 1);
  }
}

/// A link counts, also a broken one: better an error at its name than a thorn that silently is not there.
bool is_file_or_link(const fs::path& p) {
  struct stat info {};
  return lstat(p.c_str(), &info) == 0 && !S_ISDIR(info.st_mode);
}

std::vector<ThornFile> thorns_in(const fs::path& folder) {
  std::vector<ThornFile> found;
  const auto offer = [&](const std::string& name, const fs::path& path) {
    if (is_file_or_link(path)) found.push_back({.name = name, .path = path, .folder = folder});
  };
  std::vector<fs::path> entries;
  std::error_code error;
  for (fs::directory_iterator i(folder, error), end; !error && i != end; i.increment(error)) entries.push_back(*i);
  if (error) throw Error(fmt::format("{}: {}; check the folder's permissions", folder.string(), error.message()));
  std::sort(entries.begin(), entries.end());
  for (const fs::path& entry : entries) {
    const std::string name = entry.filename().string();
    if (entry.extension() == ".so" && !is_variant(entry)) offer(entry.stem().string(), entry);
    offer(name, entry / (name + ".so"));
    offer(name, entry / "build" / (name + ".so"));
  }
  // "A.so" sorts behind "A" as a path: within a folder the order is NAME.so, NAME/NAME.so, NAME/build/NAME.so.
  std::stable_sort(found.begin(), found.end(), [](const ThornFile& a, const ThornFile& b) {
    const auto depth = [](const ThornFile& f) { return std::distance(f.path.begin(), f.path.end()); };
    return a.name != b.name ? a.name < b.name : depth(a) < depth(b);
  });
  return found;
}

/// The real path of a file whose code is to run, from a folder that we trust.
fs::path check_file(const fs::path& file, const fs::path& folder, std::string_view mend, std::string_view wanted) {
  const fs::path real = real_path(file);
  if (!lies_within(real, real_path(folder))) {
    throw Error(fmt::format(
        "{}: it leads to {}, outside the folder {}; {}", file.string(), real.string(), folder.string(), mend));
  }
  std::error_code error;
  if (!fs::is_regular_file(real, error)) {
    throw Error(fmt::format("{}: this is no regular file; give {}", file.string(), wanted));
  }
  // Both ways: whoever can exchange a link on the path as given can lead us elsewhere.
  check_chain(fs::absolute(file));
  check_chain(real);
  return real;
}

}  // namespace

SearchPath make_search_path(const std::vector<fs::path>& given, const fs::path& executable_dir) {
  SearchPath path;
  for (const fs::path& folder : given) {
    if (folder.empty()) throw Error("an empty name is given as a folder of thorns; write . for the working directory");
    add_folder(path, folder, "the command line or a parameter");
  }
  const fs::path installed = executable_dir / ".." / "lib" / "cereus" / "thorns";
  std::error_code error;
  if (fs::is_directory(installed, error)) path.folders.push_back(real_path(installed));
  add_environment(path);
  return path;
}

std::vector<ThornFile> find_thorns(const SearchPath& path) {
  std::vector<ThornFile> all;
  std::set<std::string> seen;
  std::set<fs::path> searched;
  for (const fs::path& folder : path.folders) {
    if (!searched.insert(real_path(folder)).second) continue;  // named twice: nothing new, and nothing shadowed
    for (ThornFile& file : thorns_in(folder)) {
      file.shadowed = !seen.insert(file.name).second;
      try {
        check_place(file);
      } catch (const Error& error) { file.refused = error.what(); }
      all.push_back(std::move(file));
    }
  }
  return all;
}

fs::path check_place(const ThornFile& file) {
  if (!is_thorn_name(file.name)) {
    throw Error(fmt::format("{}: '{}' is no name of a thorn; use a letter, then letters, digits and underscores",
        file.path.string(), file.name));
  }
  if (file.path.filename() != file.name + ".so") {
    throw Error(fmt::format("{}: the file of thorn {} must be called {}.so", file.path.string(), file.name, file.name));
  }
  return check_file(
      file.path, file.folder, "add that place to the search path instead", "the shared library of a thorn");
}

fs::path check_program(const fs::path& file) {
  return check_file(file, file.parent_path(), "copy the program there", "the program that was built with the thorn");
}

std::string why_not_ours(const fs::path& file) {
  try {
    check_file(file, file.parent_path(), "remove the link", "the file that was kept");
    return "";
  } catch (const Error& error) { return error.what(); }
}

std::string program_beside(const void* inside, const std::string& name) {
  Dl_info library{};
  if (dladdr(inside, &library) == 0 || library.dli_fname == nullptr) {
    throw Error(fmt::format("{}: the library that it lies beside is not known", name));
  }
  return check_program(fs::path(library.dli_fname).parent_path() / name).string();
}

}  // namespace cereus
