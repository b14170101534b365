// Looks for thorns and arrangements beside the executable and in the folders that were named.
#include "run/catalog.hpp"

#include "plugin/build.hpp"

#include <dlfcn.h>

namespace cereus {
namespace fs = std::filesystem;

const ThornFile* Catalog::find(const std::string& thorn) const {
  for (const auto& f : files)
    if (f.name == thorn && !f.shadowed) return &f;
  return nullptr;
}

std::vector<std::string> Catalog::thorn_names() const {
  std::vector<std::string> names;
  for (const auto& f : files)
    if (!f.shadowed) names.push_back(f.name);
  return names;
}

// The folder of libcereus.so, if a program of the user has loaded it: paths relative to lib and to bin are the same.
fs::path executable_folder() {
  Dl_info here{};
  if (dladdr(reinterpret_cast<void*>(&executable_folder), &here) != 0)
    if (const fs::path file = here.dli_fname; file.filename().string().starts_with("libcereus."))
      return fs::canonical(file).parent_path();
  return fs::read_symlink("/proc/self/exe").parent_path();
}

Catalog make_catalog(const std::vector<fs::path>& thorn_folders) {  // the first of a name wins
  Catalog c;
  c.files = find_thorns(make_search_path(thorn_folders, executable_folder()));
  const fs::path here = executable_folder() / "../lib/cereus/thorns";
  for (const auto& name : thorns_of_build_tree(executable_folder() / ".."))
    if (!c.find(name)) c.files.push_back({.name = name, .path = here / (name + ".so"), .folder = here});
  auto places = thorn_folders;
  places.push_back(executable_folder() / "../share/cereus/arrangements");
  for (const auto& folder : places) {
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(folder, none))
      if (entry.path().extension() == ".yaml")
        c.arrangements.emplace(entry.path().stem().string(), fs::canonical(entry.path()));
  }
  return c;
}

LoadedThorn load_and_declare(const ThornFile& file) {
  build_libraries({{file.path, {}}});
  return declared(load_thorn(file, this_build()));
}

LoadedThorn declared(const Plugin& plugin) {
  LoadedThorn t{plugin, {}};
  t.record.name = t.plugin.name;
  t.record.path = t.plugin.path.string();
  Declaration d(t.record);
  t.plugin.entry->declare(d);
  if (!t.record.readers.empty() && text_of(t.plugin.descriptor.reads).empty())
    throw Error(t.record.path + ": it calls reads_provenance(), but CEREUS_THORN(" + t.record.name +
                ", …) does not say for which files; add their names, such as \"*.png\"");
  return t;
}

std::vector<ParameterSpec> flesh_parameters() {
  std::vector<ParameterSpec> p;
  const auto add = [&](ParameterSpec spec) -> ParameterSpec& {
    spec.thorn = "Cereus";
    return p.push_back(std::move(spec)), p.back();
  };
  add(make_parameter("iterations", -1, at_least(-1), "Stop after this many iterations; -1: no limit")).may_steer();
  add(make_parameter("final_time", -1.0, any(), "Stop when the simulated time reaches this; negative: no limit"))
      .may_steer();
  add(make_parameter("wall_clock", 0.0, at_least(0), "Stop after this many minutes of wall clock; 0: no limit"))
      .may_steer();
  add(make_parameter("hang", 45.0, at_least(0),
      "Say where each process is when no step has ended for so many seconds, and for 20 times the longest step; 0: "
      "never"));
  add(make_parameter("hang_ends", false, any(), "End the run then"));
  add(make_parameter("output", "", any(), "Folder for all output; by default the parameter file's name without .yaml"));
  add(make_parameter(
      "real", "double", one_of({"double", "float"}), "Scalar type of groups that do not name their own"));
  add(make_parameter("compile", true, any(),
      "Compile equations that stand in the parameter file or beside it; else, and without a compiler, interpret them"));
  add(make_parameter("audit", false, any(), "Check what routines declare against what they do (slow)"));
  add(make_parameter("poison", true, any(), "Fill new memory with a NaN that shows what was never written"));
  add(make_parameter("fuse", true, any(),
      "Fuse the updates of the time integrator into kernels of right-hand sides, and let kernels fill ghost zones"));
  add(make_parameter("overlap", true, any(), "Run kernels on the interior while ghost zones travel"));
  add(make_parameter("lane", true, any(), "Run analysis and output of the host beside the evolution on a device"));
  add(make_parameter("exact_times", false, any(),
      "Wait for the device after each routine, so that its timer has the time of its kernels"));
  add(make_parameter("device", "auto",
      one_of({{"auto", "a GPU if there is one, else the host"}, {"none", "the host"},
          {"cuda", "a GPU; without one the run does not start"},
          {"mirror", "memory of the host that plays the part of a device: for tests"}}),
      "Where kernels run"));
  add(make_parameter("device_processes", 0, at_least(0),
      "Processes of each machine that take a device; the others compute on its cores, beside them; 0: all"));
  add(make_parameter(
      "services", std::vector<std::string>{}, any(), "Which thorn offers a service, where several do: Service=Thorn"));
  add(make_parameter("thorn_path", std::vector<std::string>{}, any(),
      "Further folders in which thorns and arrangements are looked for"));
  add(make_parameter("progress", 0.5, at_least(0), "Seconds between two lines of progress on a terminal; 0: none"));
  return p;
}
}  // namespace cereus
