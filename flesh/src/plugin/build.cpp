#include "build.hpp"

#include "place.hpp"

#include <cereus/error.hpp>
#include <cereus/file.hpp>
#include <cereus/text.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <map>
#include <set>
#include <sstream>

extern char** environ;

namespace cereus {
namespace fs = std::filesystem;
namespace {

constexpr const char* cache_name = "CMakeCache.txt";

/// What the wrapper says: a word that is new each time something may have changed.
std::string asked_for() {
  const char* word = std::getenv("CEREUS_BUILDS");
  return word ? word : "";
}

std::vector<std::string> lines_of(const fs::path& file) {
  std::vector<std::string> lines;
  std::istringstream text(content_of(file).value_or(""));
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

std::string cmake_of(const fs::path& tree) {
  for (const std::string& line : lines_of(tree / cache_name))
    if (const std::string key = "CMAKE_COMMAND:INTERNAL="; line.starts_with(key)) return line.substr(key.size());
  throw Failure(fmt::format("{} does not say which cmake made it; configure again", (tree / cache_name).string()));
}

/// Only one process of this host builds in a tree; the wrapper takes the same lock.
class TreeLock {
 public:
  explicit TreeLock(const fs::path& tree) : file_(open((tree / ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
    int failed;
    do failed = flock(file_, LOCK_EX);
    while (failed != 0 && errno == EINTR);
    if (failed == 0) return;
    if (file_ >= 0) close(file_);
    throw Failure(
        fmt::format("{} cannot be locked, and this run needs thorns that are not built; build them "
                    "where the folder may be written",
            (tree / ".lock").string()));
  }
  ~TreeLock() { close(file_); }
  TreeLock(const TreeLock&) = delete;

 private:
  int file_;
};

/// Runs a program with its output in a file; returns its exit code, or -1.
int run_program(const std::vector<std::string>& words, const fs::path& log) {
  std::vector<char*> arguments;
  for (const std::string& w : words) arguments.push_back(const_cast<char*>(w.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 1, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  posix_spawn_file_actions_adddup2(&files, 1, 2);
  pid_t child;
  const int failed = posix_spawn(&child, words[0].c_str(), &files, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  if (failed != 0) return -1;
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

std::string mistakes_in(const fs::path& log) {
  std::string some;
  int n = 0;
  for (const std::string& line : lines_of(log))
    if (line.find("error") != std::string::npos && ++n <= 10) some += "\n  " + line;
  return some;
}

bool is_there(const Library& library) {
  const auto bytes = content_of(library.file, std::size_t{1} << 31);
  const auto has = [&](const std::string& text) { return bytes->find(text) != std::string::npos; };
  return bytes && std::ranges::all_of(library.holds, has);
}

/// What this value of CEREUS_BUILDS has brought up to date already.
class Done {
 public:
  explicit Done(const fs::path& tree) : file_(tree / ".up_to_date"), asked_(asked_for()) {
    const auto lines = lines_of(file_);
    if (!lines.empty() && lines.front() == asked_) targets_ = {lines.begin() + 1, lines.end()};
  }
  bool lacks(const std::string& target) const { return !asked_.empty() && !targets_.contains(target); }
  void add(const std::set<std::string>& targets) {
    if (asked_.empty()) return;
    targets_.insert(targets.begin(), targets.end());
    replace_file(file_, asked_ + "\n" + join({targets_.begin(), targets_.end()}, "\n") + "\n");
  }

 private:
  fs::path file_;
  std::string asked_;
  std::set<std::string> targets_;
};

void build_in(const fs::path& tree, const std::vector<Library>& libraries) {
  if (asked_for().empty() && std::ranges::all_of(libraries, is_there)) return;
  const TreeLock lock(tree);
  Done done(tree);
  std::set<std::string> targets;
  bool anew = false;
  for (const Library& library : libraries) {
    const std::string target = library.name();
    const bool missing = !is_there(library);
    if (missing || done.lacks(target)) targets.insert(target);
    anew = anew || missing;
  }
  if (targets.empty()) return;
  const std::string names = join({targets.begin(), targets.end()}, ", ");
  if (anew) fmt::print(stderr, "cereus: building {} …\n", names);
  const auto begin = std::chrono::steady_clock::now();
  std::vector<std::string> words{cmake_of(tree), "--build", tree.string(), "--target"};
  words.insert(words.end(), targets.begin(), targets.end());
  const fs::path log = tree / "build-thorns.log";
  if (run_program(words, log) != 0)
    throw Failure(fmt::format("{} cannot be built:{}\n  all of it: {}", names, mistakes_in(log), log.string()));
  done.add(targets);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  if (anew) fmt::print(stderr, "cereus: built in {:.0f} s\n", took.count());
}

}  // namespace

fs::path build_tree_of(const fs::path& library) {
  fs::path folder = library.parent_path();
  for (int up = 0; up < 5 && folder.has_relative_path(); ++up, folder = folder.parent_path())
    if (fs::exists(folder / cache_name)) {
      check_program(folder / cache_name);
      return folder;
    }
  return {};
}

std::vector<std::string> thorns_of_build_tree(const fs::path& tree) { return lines_of(tree / "thorns.txt"); }

void build_libraries(const std::vector<Library>& libraries) {
  std::map<fs::path, std::vector<Library>> by_tree;
  for (const Library& library : libraries) by_tree[build_tree_of(library.file)].push_back(library);
  for (const auto& [tree, all] : by_tree)
    if (!tree.empty()) build_in(tree, all);
}

}  // namespace cereus
