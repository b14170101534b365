#include "late.hpp"

#include <algorithm>
#include <cereus/embedded.hpp>
#include <cereus/text.hpp>

namespace CaKernel {
namespace {
std::string list(const int (&n)[3]) {
  return "{" + std::to_string(n[0]) + ", " + std::to_string(n[1]) + ", " + std::to_string(n[2]) + "}";
}
const char* text(bool b) { return b ? "true" : "false"; }

std::string program_text(const sweep::Program& g) {
  constexpr const char* modes[] = {"read", "write", "update", "add"};
  std::string out = "    Program p;\n    p.dim = " + std::to_string(g.dim) +
                    ", p.fields = " + std::to_string(g.fields) + ", p.stages = " + std::to_string(g.stages) +
                    ", p.substeps = " + std::to_string(g.substeps) + ", p.faces = " + text(g.faces) +
                    ", p.ragged = " + text(g.ragged) + ";\n";
  for (int f = 0; f < g.fields; ++f) out += "    p.stored[" + std::to_string(f) + "] = " + text(g.stored[f]) + ";\n";
  for (int n = 0; n < g.substeps; ++n) {
    const auto& substep = g.substep[n];
    out += "    p.substep[" + std::to_string(n) + "] = {" + std::to_string(substep.destination) + ", " +
           std::to_string(substep.sources) + ", {";
    for (int i = 0; i < substep.sources; ++i) out += (i ? ", " : "") + std::to_string(substep.source[i]);
    out += "}, {";
    for (int i = 0; i < substep.sources; ++i) out += (i ? ", " : "") + format_double(substep.factor[i]);
    out += "}};\n";
  }
  for (int s = 0; s < g.stages; ++s) {
    const std::string stage = "    p.stage[" + std::to_string(s) + "]";
    out += stage + ".handles = " + std::to_string(g.stage[s].handles) + ";\n" + stage +
           ".integrates = " + text(g.stage[s].integrates) + ";\n";
    for (int h = 0; h < g.stage[s].handles; ++h) {
      const auto& u = g.stage[s].use[h];
      out += stage + ".use[" + std::to_string(h) + "] = {" + std::to_string(u.field) +
             ", cereus::Mode::" + modes[static_cast<int>(u.mode)] + ", " + text(u.past) + ", " + list(u.lo) + ", " +
             list(u.hi) + ", " + text(u.corners) + "};\n";
      if (u.mode != Mode::read)
        out += stage + ".wants[" + std::to_string(h) + "] = {" + std::to_string(g.stage[s].wants[h].here) + ", " +
               std::to_string(g.stage[s].wants[h].near) + "};\n";
    }
  }
  return out + "    return p;\n";
}

}  // namespace

std::string source_of(const StepProgram& p, const sweep::TileShape& t, Offset row, Offset plane) {
  std::string kernels, get, number, parameters, arguments;
  for (std::size_t s = 0; s < p.stages.size(); ++s) {
    const std::string n = std::to_string(s), type = type_of(*p.stages[s].table);
    kernels += "    " + type + " k" + n + ";\n";
    get += "      " + std::string(s ? "else " : "") + "if constexpr (s == " + n + ") return k" + n + ";\n";
    number += " cereus::detail::number_handles(k" + n + ");";
    parameters += ", const __grid_constant__ " + type + " k" + n;
    arguments += (s ? ", k" : "k") + n;
  }
  const bool passes = t.stages > 0, levels = t.levels > 0;
  return "#include \"kernels.hpp\"\n#include \"sweep/" +
         std::string(passes   ? "stages"
                     : levels ? "levels"
                              : "sweep") +
         ".hpp\"\nusing namespace cereus::sweep;\nstruct Prog {\n  "
         "using Real = " +
         std::string(p.type == ScalarType::float32 ? "float" : "double") +
         ";\n  static constexpr cereus::Offset row = " + std::to_string(row) + ", plane = " + std::to_string(plane) +
         ";\n  static constexpr TileShape tile{" + text_of(t) + "};\n  struct Kernels {\n" + kernels +
         "    template <int s> __device__ __forceinline__ auto& get() {\n" + get +
         "    }\n    __device__ __forceinline__ void number() {" + number +
         " }\n  };\n  static constexpr Program about = [] {\n" + program_text(p.program) +
         "  }();\n};\nextern \"C\" __global__ void __launch_bounds__(" + std::to_string(32 * t.warps) + ", " +
         std::to_string(t.blocks) + ") " + function_name + "(const __grid_constant__ Arguments a" +
         (passes ? ", const __grid_constant__ Pass pass" : "") + parameters + ") { " +
         (passes      ? "run_stages<Prog>(a, pass, {"
             : levels ? "run_levels<Prog>(a, {"
                      : "run<Prog>(a, {") +
         arguments + "}); }\n";
}

std::vector<Text> headers_of(const StepProgram& p) {
  std::vector<Text> headers;
  const auto add = [&](const detail::EmbeddedFile* files, bool kernels) {
    for (; files && files->name; ++files) {
      const bool known = std::ranges::any_of(headers, [&](const auto& h) { return h.first == files->name; });
      if (!known && (kernels || std::string(files->name) != "kernels.hpp"))
        headers.emplace_back(files->name, files->text);
    }
  };
  add(p.stages.front().table->source, true);
  add(detail::thorn_source, false);
  return headers;
}
}  // namespace CaKernel
