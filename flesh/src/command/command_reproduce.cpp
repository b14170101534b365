// `cereus reproduce`: the parameter file that made a file or a folder, with all values that parameters had.
#include <fmt/format.h>

#include <sstream>

#include "cereus/console.hpp"
#include "cereus/file.hpp"
#include "cereus/text.hpp"
#include "cereus_build.hpp"
#include "command/commands.hpp"
#include "run/catalog.hpp"

namespace cereus {
namespace fs = std::filesystem;
namespace {
struct Found {
  Provenance made;
  std::string where;
};

// Does the thorn's descriptor, which is read without loading the thorn, say that it reads files of this name?
bool reads(const ThornFile& thorn, const fs::path& path) {
  std::error_code error;
  const std::string end = fs::is_directory(path, error) ? "/" : "";
  const std::string name = fs::absolute(path / "").parent_path().filename().string() + end;
  const AbiDescriptor descriptor = read_descriptor(thorn.path);
  std::istringstream patterns{std::string(text_of(descriptor.reads))};
  for (std::string pattern; patterns >> pattern;)
    if (glob_match(pattern, name)) return true;
  return false;
}

// What the thorn that wrote a file finds in it; else what the folder says in which it lies. A stranger's file meets no
// other thorn's code.
Found provenance_of(const fs::path& path, const Catalog& catalog) {
  for (const auto& f : catalog.files) try {
      if (f.shadowed || !f.refused.empty() || !reads(f, path)) continue;
      for (const auto& look : load_and_declare(f).record.readers)
        if (auto found = look(path)) return {*found, path.string()};
    } catch (const Error& e) {  // it did not write this, then
      console::warn(e.what());
    }
  const fs::path start = fs::canonical(path);
  for (fs::path folder = fs::is_directory(start) ? start : start.parent_path(); folder.has_relative_path();
       folder = folder.parent_path())
    if (auto parameters = content_of(folder / "parameters.yaml"))
      return {{*parameters, content_of(folder / "provenance.txt").value_or("")},
          folder.string() + ", where " + path.string() + " is"};
  throw Error(fmt::format(
      "'{}' holds no parameters, and neither it nor a folder above it is the output of a run", path.string()));
}
}  // namespace

int command_reproduce(const Options& options) {
  if (!fs::exists(options.file))
    throw Error(fmt::format("'{}' is not there; give a file or folder that a run wrote", options.file));
  const auto [made, where] = provenance_of(options.file, make_catalog(options.thorn_folders));
  const auto print = [](const char* before, const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) fmt::print("{}{}\n", before, printable(line));
  };
  print("# The parameters that made ", printable(where) + ", by:");
  print("#   ", made.build);
  const std::string made_by = made.build.substr(0, made.build.find('\n')),
                    us = fmt::format("cereus: {} {}", build::version, build::git);
  if (made_by != us) console::warn(fmt::format("it was made by {}, and this is {}", printable(made_by), us));
  print("", made.parameters);
  return 0;
}
}  // namespace cereus
