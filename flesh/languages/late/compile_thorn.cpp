// The sources of a thorn that is known by its text, compiled by the compiler that built Cereus, into the user's cache.
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <boost/process.hpp>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>

#include "cereus/console.hpp"
#include "cereus/file.hpp"
#include "cereus/hash.hpp"
#include "cereus_build.hpp"
#include "late/embed_kernels.hpp"
#include "late/late_thorn.hpp"

namespace cereus {
namespace fs = std::filesystem;
namespace {
// Where compiled code may lie: the user's cache and, for where nothing can be written there, a folder of the user among
// temporary files.
std::vector<fs::path> caches() {
  std::vector<fs::path> all;
  const char *cache = std::getenv("XDG_CACHE_HOME"), *home = std::getenv("HOME");
  if (cache && *cache) all.push_back(fs::path(cache) / "cereus/thorns");
  else if (home && *home) all.push_back(fs::path(home) / ".cache/cereus/thorns");
  std::error_code none;
  if (const fs::path temporary = fs::temp_directory_path(none); !none)
    all.push_back(temporary / fmt::format("cereus-{}", geteuid()) / "thorns");
  return all;
}
// Makes a folder for code, in which nobody else may put any. Returns why it cannot be written into, or an empty string.
std::string make_folder(const fs::path& folder) {
  std::error_code failed;
  for (const fs::path& f : {folder.parent_path().parent_path(), folder.parent_path(), folder}) {
    if (fs::create_directories(f, failed)) fs::permissions(f, fs::perms::owner_all, failed);
    if (failed) return fmt::format("{}: {}", f.string(), failed.message());
  }
  struct stat found {};
  if (stat(folder.parent_path().c_str(), &found) == 0 && found.st_uid != geteuid())
    return folder.parent_path().string() + " belongs to somebody else";
  return access(folder.c_str(), W_OK | X_OK) == 0 ? "" : fmt::format("{}: {}", folder.string(), std::strerror(errno));
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

// Of an installation, or of the build tree.
std::vector<fs::path> include_folders() {
  std::vector<fs::path> all{executable_folder() / "../include", build::include_dir};
  std::erase_if(all, [](const fs::path& f) { return !fs::is_directory(f); });
  return all;
}

// For the host, also where there is a device, for which NVRTC compiles the kernels when the run begins.
std::vector<std::string> command_for(const CompileFor& target, const fs::path& folder, const std::string& name) {
  std::vector<std::string> words{build::cxx, "-std=c++20"};
  for (const auto& w : words_of(build::flags)) words.push_back(w);
  if (target.device) words.push_back("-DCEREUS_LATE_DEVICE");
  if (target.device && !target.contract) words.push_back("-DCEREUS_CONTRACTS=false");
  words.insert(words.end(), {"-fPIC", "-fvisibility=hidden", "-fvisibility-inlines-hidden"});
  if (const auto facts = this_build(); facts.cudart != 0)
    words.push_back(fmt::format("-DCEREUS_CUDART_VERSION={}", facts.cudart));
  if (build::strict) words.push_back("-DCEREUS_STRICT=1");
  words.push_back(fmt::format("-DCEREUS_DIMENSION={}", target.dimension));
  words.push_back("-DCEREUS_REAL=" + target.real);
  for (const fs::path& f : include_folders()) words.push_back("-I" + f.string());
  words.insert(
      words.end(), {"-shared", (folder / (name + ".cpp")).string(), "-o", (folder / (name + ".part")).string()});
  return words;
}

// The flesh's headers as a build tree has compiled them, if none has changed since.
std::vector<std::string> precompiled() {
  const fs::path headers = executable_folder() / "../CMakeFiles/thorn_headers.dir/cmake_pch.hxx";
  std::error_code none;
  const auto made = fs::last_write_time(headers.string() + ".gch", none);
  if (none) return {};
  for (const fs::path& folder : include_folders())
    if (fs::exists(folder / "cereus/precompiled.hpp"))
      for (fs::recursive_directory_iterator file(folder, none), end; file != end; file.increment(none))
        if (none || file->last_write_time(none) > made) return {};  // files may come and go while a build runs
  return {"-include", headers.string()};
}

std::string first_error(const fs::path& log) {
  std::istringstream lines(content_of(log).value_or(""));
  for (std::string line; std::getline(lines, line);)
    if (const auto at = line.find("error: "); at != std::string::npos) return line.substr(at + 7);
  return "the compiler does not say why";
}

// While one process compiles, others that want the same wait; on a file system without locks each compiles.
class Lock {
 public:
  explicit Lock(const fs::path& folder) : file_(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    while (flock(file_, LOCK_EX) != 0 && errno == EINTR) {}
  }
  ~Lock() { close(file_); }
  Lock(const Lock&) = delete;

 private:
  int file_;
};

void write(const fs::path& file, const std::string& text) {
  if (const std::string error = replace_file(file, text); !error.empty()) throw Failure(error);
}
// Of many folders of code, those go that nobody has used for longest.
void prune(const fs::path& cache) {
  constexpr std::size_t most = 256;
  std::vector<std::pair<fs::file_time_type, fs::path>> folders;
  std::error_code ignored;
  for (const auto& f : fs::directory_iterator(cache, ignored))
    folders.emplace_back(f.last_write_time(ignored), f.path());
  std::ranges::sort(folders);
  for (std::size_t n = 0; n + most < folders.size(); ++n) fs::remove_all(folders[n].second, ignored);
}
Plugin load(const ThornFile& file, const LateThorn& thorn) {
  std::error_code ignored;  // a cache that may be read alone
  fs::last_write_time(file.folder, fs::file_time_type::clock::now(), ignored);
  return thorn.schedule ? load_kernels(file, this_build()) : load_thorn(file, this_build());
}
// What is compiled, and the places where it may lie afterwards.
struct Code {
  std::string kernels, source;
  std::vector<ThornFile> places;
};
// Says which loops this run can call: others are not compiled.
std::string print_asked(const CompileFor& target) {
  return fmt::format(
      "#include <cereus/make_table.hpp>\ntemplate <class K> struct cereus::detail::Asked<K, void> {{\n"
      "  static constexpr bool stretches = {}, watches = {};\n}};\n",
      target.stretches, target.audits);
}
Code code_of(const LateThorn& thorn, const CompileFor& target) {
  const auto [kernels, own] = thorn.print(target);
  const std::string source =
      print_asked(target) + own + print_thorn_source(target.device ? kernels : "", include_folders());
  const std::string recipe = fmt::format("{}", fmt::join(command_for(target, "", thorn.name), " "));
  const std::string hash = hash_of(kernels + source + recipe + build::compiler + text_of(this_build().headers).data());
  Code code{kernels, source, {}};
  for (const fs::path& cache : caches())
    code.places.push_back({thorn.name, cache / hash / (thorn.name + ".so"), cache / hash});
  return code;
}
bool is_there(const ThornFile& file) {
  std::error_code none;
  return fs::exists(file.path, none);
}

// Writes and compiles the sources in the folder of `file`, unless another process has meanwhile.
void make(const ThornFile& file, const Code& code, const CompileFor& target) {
  const std::string& name = file.name;
  const fs::path &path = file.path, &folder = file.folder;
  const Lock lock(folder);
  if (fs::exists(path)) return;
  write(folder / "kernels.hpp", code.kernels), write(folder / (name + ".cpp"), code.source);
  const auto begin = std::chrono::steady_clock::now();
  auto words = command_for(target, folder, name);
  const fs::path part = folder / fmt::format("{}.{:x}.{}.part", name, gethostid(), getpid());
  words.back() = part.string();
  std::ranges::copy(precompiled(), std::back_inserter(words));
  console::say(fmt::format("compiling {} …", name));
  namespace bp = boost::process;
  const int failed = bp::system(bp::exe = words[0], bp::args = std::vector(words.begin() + 1, words.end()),
      bp::std_out > bp::null, bp::std_err > (folder / "log").string());
  std::error_code none;
  if (failed != 0) fs::remove(part, none);
  if (failed != 0)
    throw Failure(fmt::format("the code of {} does not compile: {}\n  all of it: {}", name, first_error(folder / "log"),
        (folder / "log").string()));
  fs::permissions(part, fs::perms::owner_all);
  fs::rename(part, path);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  console::say(fmt::format("compiled in {:.1f} s, and kept", took.count()));
  prune(folder.parent_path());
}
}  // namespace

bool is_compiled(const LateThorn& thorn, const CompileFor& target) {
  return std::ranges::any_of(code_of(thorn, target).places, is_there);
}

Plugin compile(const LateThorn& thorn, const CompileFor& target) {
  const Code code = code_of(thorn, target);
  const std::string compiler = build::cxx;
  std::string why;
  for (const ThornFile& file : code.places) {
    const bool first = &file == &code.places.front();
    try {
      if (is_there(file)) return load(file, thorn);
    } catch (const Error& e) {  // not ours: somebody else may have put it there
      if (first) throw;
      why += std::string(why.empty() ? "" : "; ") + e.what();
      continue;
    }
    if (!fs::exists(compiler))
      throw NoCompiler(fmt::format("{} needs a compiler, and {} is not there", thorn.name, compiler));
    if (const std::string wrong = make_folder(file.folder); !wrong.empty()) {
      why += (why.empty() ? "" : "; ") + wrong;
      continue;
    }
    if (!why.empty())
      console::warn(fmt::format("compiled code is kept in {}, because of {}", file.folder.parent_path().string(), why));
    make(file, code, target);
    return load(file, thorn);
  }
  throw NoCompiler(fmt::format("compiled code of {} can be kept nowhere: {}", thorn.name, why));
}
}  // namespace cereus
