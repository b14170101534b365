#include "late/embed_kernels.hpp"

#include <fmt/format.h>

#include <set>
#include <sstream>
#include <utility>

#include "cereus/file.hpp"

namespace cereus {
namespace fs = std::filesystem;
namespace {
constexpr std::size_t piece_size = 8000;  // characters: not every compiler takes a long literal

std::string print_entry(const std::string& name, const std::string& text) {
  std::string pieces, piece;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    piece += line + "\n";
    if (piece.size() >= piece_size) pieces += fmt::format("R\"~~~~({})~~~~\"\n", std::exchange(piece, ""));
  }
  return fmt::format("    {{\"{}\", {}R\"~~~~({})~~~~\"}},\n", name, pieces, piece);
}
class Embedded {
 public:
  explicit Embedded(const std::vector<fs::path>& folders) : folders_(folders) {}
  // NVRTC asks for a header by the name in the #include, whoever includes it: quoted names become whole ones.
  void add(const fs::path& name, const std::string& text) {
    if (!known_.insert(name).second) return;
    std::istringstream lines(text);
    std::string whole;
    for (std::string line; std::getline(lines, line); whole += line + "\n") {
      const auto begin = line.find_first_of("<\""), end = line.find_last_of(">\"");
      if (!line.starts_with("#include") || begin == end) continue;
      fs::path header = line.substr(begin + 1, end - begin - 1);
      if (line[begin] == '"') {
        header = (name.parent_path() / header).lexically_normal();
        line = "#include \"" + header.string() + "\"";
      }
      if (const auto found = find(header)) add(header, *found);
    }
    entries_ += print_entry(name, whole);
  }
  const std::string& entries() const { return entries_; }

 private:
  std::optional<std::string> find(const fs::path& header) const {  // nothing: it is a header of the compiler
    for (const fs::path& f : folders_)
      if (auto text = content_of(f / header)) return text;
    return {};
  }
  const std::vector<fs::path>& folders_;
  std::set<fs::path> known_;
  std::string entries_;
};
}  // namespace

std::string print_thorn_source(const std::string& kernels, const std::vector<fs::path>& include_folders) {
  Embedded embedded(include_folders);
  if (!kernels.empty()) embedded.add("kernels.hpp", kernels);
  return fmt::format(
      "#include <cereus/embedded.hpp>\nconst cereus::detail::EmbeddedFile cereus::detail::thorn_source[] = {{\n{}    "
      "{{nullptr, nullptr}}}};\n",
      embedded.entries());
}
}  // namespace cereus
