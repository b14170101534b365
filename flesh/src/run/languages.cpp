// Opens libcereus_languages.so, which lies beside libcereus.so.
#include "run/languages.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>

#include "plugin/build.hpp"

namespace cereus {
namespace {
const Languages& open_library() {
  const auto file = executable_folder().parent_path() / "lib/libcereus_languages.so";
  const char* mend = "build it with `./cereus build languages`, or install Cereus again";
  build_libraries({{file, {}, "languages"}});
  if (!std::filesystem::exists(file))
    throw Error(fmt::format(
        "equations, stencil programs and compiled assignments need {}, which is not there; {}", file.string(), mend));
  void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!library) throw Error(fmt::format("{} cannot be opened: {}; {}", file.string(), dlerror(), mend));
  const auto entry = reinterpret_cast<const Languages* (*)(const char*)>(dlsym(library, "cereus_languages"));
  const Languages* opened = entry ? entry(abi_headers) : nullptr;
  if (!opened) throw Error(fmt::format("{} was built from other sources than libcereus.so; {}", file.string(), mend));
  return *opened;
}
}  // namespace

bool asks_for_languages(const ParameterFile& file) {
  return !file.equations.empty() || !file.stencils.empty() || std::ranges::any_of(file.thorns, [](const Named& n) {
    return n.name.ends_with(".edl") || n.name.ends_with(".stencil");
  });
}

const Languages& languages() {
  static const Languages& opened = open_library();
  return opened;
}
}  // namespace cereus
