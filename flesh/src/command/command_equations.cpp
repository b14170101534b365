// cereus equations FILE: checks a text of equations, shows what becomes of it, or writes the thorn.
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "command/commands.hpp"
#include "equations/print.hpp"
#include "equations/thorn.hpp"

namespace cereus {
namespace {
void write(const std::filesystem::path& file, const std::string& text) {
  std::filesystem::create_directories(file.parent_path());
  std::ofstream out(file);
  out << text;
  if (!out.flush()) throw Failure(file.string() + " cannot be written");
}
}  // namespace

int command_equations(const Options& o) {
  std::ifstream in(o.file);
  if (!in) throw Error(o.file + " cannot be read");
  std::stringstream text;
  text << in.rdbuf();
  const auto thorn = equations::read_thorn({o.file}, text.str());
  const auto& program = thorn->program;
  if (!o.name.empty()) {
    const std::filesystem::path folder(o.name);
    write(folder / "kernels.hpp", equations::print_kernels(program));
    write(folder / (thorn->text.name + ".cpp"), equations::print_thorn(program));
  } else if (o.stage == "kernels") {
    fmt::print("{}", equations::print_kernels(program));
  } else if (o.stage == "thorn") {
    fmt::print("{}", equations::print_thorn(program));
  } else {
    fmt::print("{}: {} is fine\n", o.file, thorn->text.name);
  }
  return 0;
}
}  // namespace cereus
