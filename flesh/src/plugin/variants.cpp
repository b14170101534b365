#include "variants.hpp"

#include "build.hpp"
#include "load.hpp"

#include <cereus/embedded.hpp>
#include <cereus/error.hpp>
#include <cereus/kernel_loops.hpp>
#include <cereus/thorn.hpp>

#include <dlfcn.h>
#include <fmt/format.h>

#include <map>
#include <mutex>
#include <string_view>

namespace cereus {
namespace fs = std::filesystem;
namespace {

bool has_variant(const detail::ThornIdentity& thorn, const std::string& variant) {
  return fmt::format(" {} ", thorn.variants).find(" " + variant + " ") != std::string::npos;
}

fs::path library_of_loops(const fs::path& thorn, const std::string& variant) {
  return thorn.parent_path() / fmt::format("{}.{}.so", thorn.stem().string(), variant);
}

/// Where NAME.so is, or would be: what asks may be a test, which the thorn is linked into.
fs::path library_of(const detail::ThornIdentity& thorn) {
  Dl_info asking{};
  const std::string file = std::string(thorn.name) + ".so";
  if (dladdr(&thorn, &asking) != 0 && fs::path(asking.dli_fname).filename() == file)
    return fs::canonical(asking.dli_fname);
  Dl_info flesh{};
  if (dladdr(reinterpret_cast<const void*>(&variant_name), &flesh) == 0) return file;
  return fs::canonical(flesh.dli_fname).parent_path() / "../lib/cereus/thorns" / file;
}

/// Loops of a thorn. Their file is up to date if it was built from the thorn's sources, with this executable's headers.
Library loops_of(const fs::path& file, const detail::ThornIdentity& thorn) { return {file, {thorn.hash, abi_headers}}; }

/// The loops of one library, opened when first asked for.
const detail::RegisteredLoops* open_loops(const detail::ThornIdentity& thorn, const std::string& variant) {
  static std::mutex mutex;
  static std::map<fs::path, const detail::RegisteredLoops*> opened;
  const std::scoped_lock lock(mutex);
  const fs::path file = library_of_loops(library_of(thorn), variant);
  if (const auto found = opened.find(file); found != opened.end()) return found->second;
  build_libraries({loops_of(file, thorn)});
  if (!fs::exists(file))
    throw Error(
        fmt::format("{} is not there: the loops of thorn {} for {}D and {}; install them with the thorn, or build them",
            file.string(), thorn.name, variant[1], variant.ends_with("32") ? "float" : "double"));
  return opened[file] = load_loops({thorn.name, file, file.parent_path()}, this_build(), thorn.hash);
}

}  // namespace

std::string variant_name(int dim, bool single) { return fmt::format("d{}f{}", dim, single ? 32 : 64); }

bool is_variant(const fs::path& file) {
  const std::string end = file.stem().extension().string();
  return file.extension() == ".so" && end.size() == 6 && end.starts_with(".d") &&
         (end.ends_with("f32") || end.ends_with("f64"));
}

void prepare_variants(const std::vector<const Plugin*>& thorns, int dim, bool single) {
  const std::string variant = variant_name(dim, single);
  std::vector<Library> libraries;
  for (const Plugin* p : thorns)
    if (p->entry && p->entry->identity && has_variant(*p->entry->identity, variant))
      libraries.push_back(loops_of(library_of_loops(p->path, variant), *p->entry->identity));
  build_libraries(libraries);
}

const KernelLoops& detail::find_loops(const ThornIdentity& thorn, int dim, bool single, const char* key) {
  const std::string variant = variant_name(dim, single);
  if (!*thorn.variants)
    throw Error(fmt::format(
        "thorn {} has kernels, and no loops of them are built: kernels stand in src/kernels.hpp", thorn.name));
  if (!has_variant(thorn, variant))
    throw Error(fmt::format("thorn {} is built for {} alone, not for {}", thorn.name, thorn.variants, variant));
  for (const RegisteredLoops* r = open_loops(thorn, variant); r; r = r->next)
    if (std::string_view(r->key) == key) return r->loops();
  throw Failure(fmt::format(
      "thorn {} has no loops for {}: its file {}.cpp is to instantiate all kernels", thorn.name, key, thorn.name));
}

}  // namespace cereus
