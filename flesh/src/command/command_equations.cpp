// cereus equations FILE: checks a text of equations, shows what becomes of it, or writes the thorn.
#include <fmt/format.h>

#include <filesystem>

#include "cereus/file.hpp"
#include "command/commands.hpp"
#include "equations/print.hpp"
#include "equations/thorn.hpp"

namespace cereus {
namespace {
namespace fs = std::filesystem;
// What somebody wrote stays.
void check_free(const fs::path& file, const std::string& text) {
  const std::string there = content_of(file).value_or(text);
  if (there != text && there.find("Made by `cereus equations`") == there.npos)
    throw Error(file.string() + " is there already, and was not made by `cereus equations`; choose another folder");
}
void write(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  if (const std::string error = replace_file(file, text); !error.empty()) throw Failure(error);
}
const std::map<std::string, std::string (*)(const equations::Program&)> stages{{"graph", equations::print_graph},
    {"kernels", equations::print_kernels}, {"thorn", equations::print_thorn}, {"latex", equations::print_latex},
    {"opencl", equations::print_opencl}};
}  // namespace

int command_equations(const Options& o) {
  const auto text = content_of(o.file);
  if (!text) throw Error(o.file + " cannot be read");
  std::optional<equations::Target> target;
  if (o.stage == "opencl" || o.stage == "graph" || o.stage == "latex") target = {o.dimensions, o.order};
  const auto thorn = equations::read_thorn({o.file}, *text, target);
  const auto& program = thorn->program;
  if (!o.name.empty()) {
    const fs::path folder(o.name);
    const std::pair<fs::path, std::string> files[] = {{folder / "kernels.hpp", equations::print_kernels(program)},
        {folder / (thorn->text.name + ".cpp"), equations::print_thorn(program)}};
    for (const auto& [file, text] : files) check_free(file, text);
    for (const auto& [file, text] : files) write(file, text);
  } else if (const auto stage = stages.find(o.stage); stage != stages.end()) {
    fmt::print("{}", stage->second(program));
  } else {
    fmt::print("{}: {} is fine\n", o.file, thorn->text.name);
  }
  return 0;
}
}  // namespace cereus
