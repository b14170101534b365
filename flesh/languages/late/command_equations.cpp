// cereus equations FILE: checks a text of equations or a stencil program, shows what becomes of it, or writes the
// thorn.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <functional>

#include "cereus/file.hpp"
#include "command/commands.hpp"
#include "equations/conserve.hpp"
#include "equations/diffusivity.hpp"
#include "equations/effect.hpp"
#include "equations/print.hpp"
#include "equations/thorn.hpp"
#include "late/late_thorn.hpp"
#include "stencils/print.hpp"

namespace cereus {
namespace {
namespace fs = std::filesystem;
struct Made {
  std::string thorn, said;
  std::map<std::string, std::function<std::string()>> stages;
};
Made from_equations(const Options& o, const std::string& text) {
  std::optional<equations::Target> target;
  if (o.stage == "graph") target = {o.dimensions, o.order};
  const std::shared_ptr<equations::Thorn> thorn = equations::read_thorn({o.file}, text, target);
  Made made{thorn->text.name, "", {}};
  for (const std::string& line : equations::lost_sums(thorn->text, thorn->source)) made.said += "\n  " + line;
  for (const auto& lines : {equations::unused(thorn->program), equations::other_diffusivities(thorn->program)})
    for (const std::string& line : lines) made.said += "\n  " + line;
  const auto add = [&](const char* stage, std::string (*print)(const equations::Program&)) {
    made.stages[stage] = [thorn, print] { return print(thorn->program); };
  };
  add("graph", equations::print_graph), add("kernels", equations::print_kernels), add("thorn", equations::print_thorn);
  return made;
}
Made from_program(const Options& o, const std::string& text) {
  const std::string name = o.thorn.empty() ? fs::path(o.file).stem().string() : o.thorn;
  const auto program = std::make_shared<stencils::Program>(equations::Source{{o.file}, text}, name, stencils::Values{});
  program->source.problems().throw_if_any();
  Made made{name, "", {}};
  for (std::size_t n = 0; n < program->steps.size(); ++n)
    made.said += fmt::format("\n  kernel {}: {}", n + 1, stencils::doc_of(program->steps[n]));
  for (const std::string& note : program->notes) made.said += "\n  " + note;
  made.stages["kernels"] = [program] { return stencils::print_kernels(*program); };
  made.stages["thorn"] = [program] { return stencils::print_thorn(*program); };
  return made;
}
// What somebody wrote stays.
void check_free(const fs::path& file, const std::string& text) {
  const std::string there = content_of(file).value_or(text);
  if (there != text && there.find("Made by `cereus equations`") == there.npos)
    throw Error(file.string() + " is there already, and was not made by `cereus equations`; choose another folder");
}
void write(const Made& made, const fs::path& folder) {
  const std::pair<fs::path, std::string> files[] = {{folder / "kernels.hpp", made.stages.at("kernels")()},
      {folder / (made.thorn + ".cpp"), made.stages.at("thorn")()}};
  for (const auto& [file, text] : files) check_free(file, text);
  fs::create_directories(folder);
  for (const auto& [file, text] : files) {
    if (content_of(file) == text) continue;  // nothing that is made of it need be made again
    if (const std::string error = replace_file(file, text); !error.empty()) throw Failure(error);
  }
}
}  // namespace

int check_or_write(const Options& o) {
  const auto text = content_of(o.file);
  if (!text) throw Error(o.file + " cannot be read");
  if (const auto kind = fs::path(o.file).extension(); kind == ".yaml" || kind == ".yml")
    throw Error(
        o.file + " is a parameter file, whose texts `cereus check " + o.file + "` checks; give a text by itself");
  const Made made = fs::path(o.file).extension() == ".stencil" ? from_program(o, *text) : from_equations(o, *text);
  const auto stage = made.stages.find(o.stage);
  if (!o.name.empty()) write(made, o.name);
  else if (stage != made.stages.end()) fmt::print("{}", stage->second());
  else if (!o.stage.empty()) throw Error(fmt::format("{} has no stage '{}'", o.file, o.stage));
  else fmt::print("{}: {} is fine{}\n", o.file, made.thorn, made.said);
  return 0;
}
}  // namespace cereus
