// `cereus new-thorn`: the folder of a thorn that builds and passes its test, from a template or from another thorn.
#include <fmt/format.h>

#include "cereus/file.hpp"
#include "cereus/text.hpp"
#include "command/commands.hpp"
#include "run/catalog.hpp"

namespace cereus {
namespace {
namespace fs = std::filesystem;
using Replacements = std::vector<std::pair<std::string, std::string>>;  // of words

// Words: WaveToy, but not WaveToys. What begins with @ is one wherever it stands.
std::string renamed(std::string text, const Replacements& words) {
  for (const auto& [from, to] : words) {
    const std::string bound = from.starts_with("@") ? "" : "\\b";
    text = replaced(text, bound + from + bound, to);
  }
  return text;
}

void write(const fs::path& to, const std::string& text) {
  fs::create_directories(to.parent_path());
  if (const std::string wrong = replace_file(to, text); !wrong.empty())
    throw Failure(fmt::format("cannot write {}: {}", to.string(), wrong));
}

std::string read_all(const fs::path& path) {
  if (const auto text = content_of(path)) return *text;
  throw Failure(fmt::format("cannot read {}", path.string()));
}

void copy(const fs::path& from, const fs::path& to, const Replacements& words) {
  for (auto entry = fs::recursive_directory_iterator(from); entry != fs::recursive_directory_iterator(); ++entry)
    if (!entry->is_directory())
      write(to / renamed(fs::relative(entry->path(), from).string(), words), renamed(read_all(entry->path()), words));
}

// The one command in a thorn's CMakeLists.txt; throws Error if it has more, which outside the source tree may not work.
std::string recipe_of(const fs::path& thorn, const std::string& name) {
  const std::string text = replaced(read_all(thorn / "CMakeLists.txt"), "#[^\n]*\n|^\\s+|\\s+$", "");
  if (!matches(text, "add_(thorn|equations|stencil)\\([^()]*\\)") || text.find("LIBRARIES") != std::string::npos)
    throw Error(fmt::format("'{}' cannot be copied: it is built from more than one thorn's sources", name));
  return text;
}

// The first parameter file in its README.
std::string example_of(const fs::path& thorn, const std::string& name) {
  const std::string text = content_of(thorn / "README.md").value_or("");
  for (std::size_t at = 0; (at = text.find("```yaml\n", at)) != std::string::npos; ++at) {
    const std::string example = text.substr(at + 8, text.find("\n```", at) + 1 - (at + 8));
    if (example.starts_with("thorns:") || example.find("\nthorns:") != std::string::npos) return example;
  }
  throw Error(fmt::format("'{}' cannot be copied: its README has no parameter file for a test", name));
}

// Whether three resolutions of it can be compared, in seconds: it says at which time it ends, and has at most two axes.
bool shows_order(const std::string& example) {
  return example.find("final_time:") != std::string::npos &&
         replaced(example, "cells: *\\[[^\\],]*(,[^\\],]*)?\\]", "") != example;
}

void copy_thorn(const std::string& like, const std::string& name, const fs::path& share) {
  const fs::path from = share / "thorns" / like;
  if (!fs::exists(from / "CMakeLists.txt")) {
    std::vector<std::string> known;
    for (const auto& entry : fs::directory_iterator(share / "thorns"))
      known.push_back(entry.path().filename().string());
    throw Error(fmt::format("no thorn '{}' can be copied{}", like, did_you_mean(like, known)));
  }
  const Replacements words{{like, name}};
  const std::string recipe = renamed(recipe_of(from, like), words), example = renamed(example_of(from, like), words);
  copy(from, name, words);
  fs::remove_all(fs::path(name) / "tests");  // of its parts, with what only the source tree has
  copy(share / "copy-thorn", name, {{"@NAME@", name}, {"@RECIPE@", recipe}});
  write(fs::path(name) / "tests/example.yaml", example);
  if (!shows_order(example)) fs::remove(fs::path(name) / "tests/convergence.sh");
}
}  // namespace

int command_new_thorn(const Options& options) {
  const std::string& name = options.name;
  if (!is_name(name))
    throw Error(fmt::format("'{}' cannot name a thorn: use letters, digits and _, first a letter", name));
  const Catalog catalog = make_catalog(options.thorn_folders);
  if (const auto* known = catalog.find(name))
    throw Error(fmt::format("there is a thorn '{}' already, {}; choose another name", name, known->path.string()));
  if (fs::exists(name)) throw Error(fmt::format("'{}' exists already; choose another name or remove it", name));
  const fs::path share = fs::canonical(executable_folder() / "../share/cereus");
  try {
    if (options.like.empty()) copy(share / "new-thorn", name, {{"@NAME@", name}});
    else copy_thorn(options.like, name, share);
    copy(share / "editors", name, Replacements{});
  } catch (const std::exception&) {
    std::error_code error;
    fs::remove_all(name, error);  // half a thorn helps nobody
    throw;
  }
  const fs::path here = fs::canonical(executable_folder() / "..");
  const bool installed = !fs::exists(here / "CMakeCache.txt");
  if (installed) fmt::print("wrote the thorn {}; build and test it with\n", name);
  else
    fmt::print(
        "wrote the thorn {}; as a folder of thorns/ in the clone it is built when a run needs it; elsewhere, after "
        "./cereus build, with\n  cmake --install {} --prefix $HOME/cereus\n",
        name, here.string());
  fmt::print(
      "  cmake -S {0} -B {0}/build -G Ninja -DCMAKE_PREFIX_PATH={1} && cmake --build {0}/build && ctest --test-dir "
      "{0}/build\n",
      name, installed ? here.string() : "$HOME/cereus");
  return 0;
}
}  // namespace cereus
