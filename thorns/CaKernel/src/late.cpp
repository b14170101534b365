#include "late.hpp"

#include <cxxabi.h>
#include <unistd.h>

#include <algorithm>
#include <cereus/embedded.hpp>
#include <cereus/hash.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>

namespace CaKernel {
namespace {
std::string list(const int (&n)[3]) {
  return "{" + std::to_string(n[0]) + ", " + std::to_string(n[1]) + ", " + std::to_string(n[2]) + "}";
}
const char* text(bool b) { return b ? "true" : "false"; }

std::string type_of(const KernelTable& table) {
  const std::unique_ptr<char, void (*)(void*)> name(
      abi::__cxa_demangle(table.type_name, nullptr, nullptr, nullptr), std::free);
  return name ? name.get() : table.type_name;
}

std::string program_text(const sweep::Program& g) {
  constexpr const char* modes[] = {"read", "write", "update", "add"};
  std::string out = "    Program p;\n    p.dim = " + std::to_string(g.dim) +
                    ", p.fields = " + std::to_string(g.fields) + ", p.stages = " + std::to_string(g.stages) + ";\n";
  for (int f = 0; f < g.fields; ++f) out += "    p.stored[" + std::to_string(f) + "] = " + text(g.stored[f]) + ";\n";
  for (int s = 0; s < g.stages; ++s) {
    const std::string stage = "    p.stage[" + std::to_string(s) + "]";
    out += stage + ".handles = " + std::to_string(g.stage[s].handles) + ";\n" + stage +
           ".integrates = " + text(g.stage[s].integrates) + ";\n";
    for (int h = 0; h < g.stage[s].handles; ++h) {
      const auto& u = g.stage[s].use[h];
      out += stage + ".use[" + std::to_string(h) + "] = {" + std::to_string(u.field) +
             ", cereus::Mode::" + modes[static_cast<int>(u.mode)] + ", " + text(u.past) + ", " + list(u.lo) + ", " +
             list(u.hi) + ", " + text(u.corners) + "};\n";
    }
  }
  return out + "    return p;\n";
}

std::string read(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

void write_whole(const std::string& path, const std::string& bytes) {
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), error);
  const auto unfinished = path + "." + std::to_string(getpid());
  std::ofstream out(unfinished, std::ios::binary);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out.close();
  if (out) std::filesystem::rename(unfinished, path, error);
  if (!out || error) std::filesystem::remove(unfinished, error);
}

std::string kept_code(const std::string& path) {
  const std::string all = read(path), hash = all.substr(0, all.find('\n'));
  const std::string code = hash.size() < all.size() ? all.substr(hash.size() + 1) : "";
  return hash_of(code) == hash ? code : "";
}
void keep_code(const std::string& path, const std::string& code) { write_whole(path, hash_of(code) + "\n" + code); }

std::string source_of(const StepProgram& p, const sweep::TileShape& t, Offset row, Offset plane) {
  std::string kernels, get, number, parameters, arguments;
  for (std::size_t s = 0; s < p.stages.size(); ++s) {
    const std::string n = std::to_string(s), type = type_of(*p.stages[s]->table);
    kernels += "    " + type + " k" + n + ";\n";
    get += "      " + std::string(s ? "else " : "") + "if constexpr (s == " + n + ") return k" + n + ";\n";
    number += " cereus::detail::number_handles(k" + n + ");";
    parameters += ", const __grid_constant__ " + type + " k" + n;
    arguments += (s ? ", k" : "k") + n;
  }
  return "#include \"kernels.hpp\"\n#include \"sweep/sweep.hpp\"\nusing namespace cereus::sweep;\nstruct Prog {\n  "
         "using Real = " +
         std::string(p.type == ScalarType::float32 ? "float" : "double") +
         ";\n  static constexpr cereus::Offset row = " + std::to_string(row) + ", plane = " + std::to_string(plane) +
         ";\n  static constexpr TileShape tile{" + text_of(t) + "};\n  struct Kernels {\n" + kernels +
         "    template <int s> __device__ __forceinline__ auto& get() {\n" + get +
         "    }\n    __device__ __forceinline__ void number() {" + number +
         " }\n  };\n  static constexpr Program about = [] {\n" + program_text(p.program) +
         "  }();\n};\nextern \"C\" __global__ void __launch_bounds__(" + std::to_string(32 * t.warps) + ", " +
         std::to_string(t.blocks) + ") " + function_name + "(const __grid_constant__ Arguments a" + parameters +
         ") { run<Prog>(a, {" + arguments + "}); }\n";
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
  add(p.stages.front()->table->source, true);
  add(detail::thorn_source, false);
  return headers;
}

std::string cache_folder() {
  const char *cache = std::getenv("XDG_CACHE_HOME"), *home = std::getenv("HOME");
  if (cache && *cache) return std::string(cache) + "/cereus";
  return home && *home ? std::string(home) + "/.cache/cereus" : "";
}

std::string code_for(const std::string& source, const std::vector<Text>& headers, const std::string& architecture,
    const std::string& folder, Compiler& compiler, std::string& log) {
  const Nvrtc* nvrtc = Nvrtc::instance();
  std::vector<std::string> options{"-arch=" + architecture, "-std=c++20", "-default-device"};
#ifdef CEREUS_STRICT
  options.push_back("-fmad=false");
  options.push_back("-DCEREUS_STRICT=1");
#endif
  std::string all = source + (nvrtc ? nvrtc->version() : "");
  for (const auto& o : options) all += o + "\n";
  for (const auto& [name, text] : headers) all += name + "\n" + text;
  const auto path = std::filesystem::path(folder) / (hash_of(all) + ".cubin");
  if (!folder.empty())
    if (std::string kept = kept_code(path.string()); !kept.empty()) return kept;
  if (!nvrtc) return log = "there is no NVRTC (libnvrtc.so) here", "";
  std::string code = compiler.compile(*nvrtc, source, headers, options, log);
  if (!folder.empty() && !code.empty()) keep_code(path.string(), code);
  return code;
}
}  // namespace CaKernel
