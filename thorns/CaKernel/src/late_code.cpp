#include "late_code.hpp"

#include <cxxabi.h>
#include <unistd.h>

#include <cereus/console.hpp>
#include <cereus/hash.hpp>
#include <cereus/program.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <mutex>

namespace CaKernel {
namespace {
std::string read(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
constexpr auto owner_only = std::filesystem::perms::owner_read | std::filesystem::perms::owner_write;
}  // namespace

std::string type_of(const char* in_symbols) {
  const std::unique_ptr<char, void (*)(void*)> name(
      abi::__cxa_demangle(in_symbols, nullptr, nullptr, nullptr), std::free);
  return name ? name.get() : in_symbols;
}

std::string identity_of(const KernelTable& t, bool stretched) {
  std::string all = std::string(t.type_name) + (stretched && t.looks_at_axes() ? " stretched" : " uniform");
  for (const auto* f = t.source; f && f->name; ++f) all += std::string("\n") + f->name + "\n" + f->text;
  return hash_of(all);
}

void write_whole(const std::string& path, const std::string& bytes) {
  std::error_code error;
  const auto folder = std::filesystem::path(path).parent_path();
  if (std::filesystem::create_directories(folder, error))  // nobody else may put code there
    std::filesystem::permissions(folder, std::filesystem::perms::owner_all, error);
  const auto unfinished = path + "." + std::to_string(getpid());
  std::ofstream out(unfinished, std::ios::binary);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out.close();
  std::filesystem::permissions(unfinished, owner_only, error);
  if (out) std::filesystem::rename(unfinished, path, error);
  if (!out || error) std::filesystem::remove(unfinished, error);
}

std::string kept_code(const std::string& path) {
  if (!std::filesystem::exists(path)) return "";
  if (const std::string why = why_not_ours(path); !why.empty()) {
    static std::once_flag said;  // of all kernels it would be the same
    std::call_once(said, [&] { console::say(why + "; code that was kept there is not used"); });
    return "";
  }
  const std::string all = read(path), hash = all.substr(0, all.find('\n'));
  const std::string code = hash.size() < all.size() ? all.substr(hash.size() + 1) : "";
  return hash_of(code) == hash ? code : "";
}
void keep_code(const std::string& path, const std::string& code) { write_whole(path, hash_of(code) + "\n" + code); }

std::string cache_folder() {
  const char *cache = std::getenv("XDG_CACHE_HOME"), *home = std::getenv("HOME");
  if (cache && *cache) return std::string(cache) + "/cereus";
  return home && *home ? std::string(home) + "/.cache/cereus" : "";
}

Code code_for(const Source& source, const std::string& architecture, const std::string& folder, Compiler& compiler) {
  const Nvrtc* nvrtc = Nvrtc::instance();
  std::vector<std::string> options{"-arch=" + architecture, "-std=c++20", "-default-device"};
  if (!source.contracts) options.push_back("-fmad=false");
#ifdef CEREUS_STRICT
  if (source.contracts) options.push_back("-fmad=false");
  options.push_back("-DCEREUS_STRICT=1");
#endif
  std::string all = source.text + (nvrtc ? nvrtc->version() : "");
  for (const auto& o : options) all += o + "\n";
  for (const auto& [name, text] : source.headers) all += name + "\n" + text;
  for (const auto& f : source.functions) all += f + "\n";
  const auto path = std::filesystem::path(folder) / (hash_of(all) + ".cubin");
  Code code;
  if (!folder.empty()) code.bytes = kept_code(path.string());
  if (code.bytes.empty()) {
    if (!nvrtc) return code.log = "there is no NVRTC (libnvrtc.so) here", code;
    code.bytes = compiler.compile(*nvrtc, source, options, code.log);
    if (!folder.empty() && !code.bytes.empty()) keep_code(path.string(), code.bytes);
  }
  for (std::size_t n = 0; n < source.functions.size() && !code.bytes.empty(); ++n) {
    const std::size_t end = code.bytes.find('\n');
    code.symbols.push_back(code.bytes.substr(0, end)), code.bytes.erase(0, end + 1);
  }
  return code;
}
}  // namespace CaKernel
