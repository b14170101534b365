#include "late/late_thorn.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "cereus/file.hpp"
#include "cereus/text.hpp"

namespace cereus {
namespace fs = std::filesystem;
namespace {
// YAML takes the indentation of a block off: columns count from the file's.
Where start_of(const Named& text) {
  Where start = text.where;
  std::istringstream lines(content_of(start.file).value_or(""));
  std::string line;
  for (int n = 0; n < start.line && std::getline(lines, line);) ++n;
  const auto blanks = [](const std::string& s) { return static_cast<int>(s.find_first_not_of(' ')); };
  if (!line.empty() && blanks(line) >= blanks(text.name)) start.column = 1 + blanks(line) - blanks(text.name);
  return start;
}

class Taker {
 public:
  Taker(ParameterFile& file, Problems& problems) : file_(file), problems_(problems) {}
  LateThorns all() {
    for (Named& n : file_.thorns) from_file(n);
    for (const Named& n : file_.equations) add(start_of(n), [&](const Where& w) { return late_equations(w, n.name); });
    for (const auto& [name, n] : file_.stencils)
      add(start_of(n), [&](const Where& w) { return late_program(w, n.name, name, file_); });
    return std::move(thorns_);
  }

 private:
  void from_file(Named& n) {
    const bool program = n.name.ends_with(".stencil");
    if (!program && !n.name.ends_with(".edl")) return;
    const fs::path path = fs::path(file_.path).parent_path() / n.name;
    n.name = path.stem();
    const auto text = content_of(path);
    if (!text) return problems_.add(n.where, fmt::format("{} cannot be read", path.string()));
    if (program && !is_name(n.name))
      return problems_.add(n.where,
          fmt::format("a program is called as its file, of letters, digits and underscores: '{}' is no name", n.name));
    const auto made = [&](const Where& w) {
      return program ? late_program(w, *text, n.name, file_) : late_equations(w, *text);
    };
    if (const std::string thorn = add({path.string()}, made, false); !thorn.empty()) n.name = thorn;
  }
  template <class F> std::string add(const Where& start, F&& make, bool list = true) {
    try {
      thorns_.push_back(make(start));
    } catch (const Error& e) {
      problems_.add(e.what());
      return "";
    }
    const std::string& name = thorns_.back().name;
    if (list && std::ranges::find(file_.thorns, name, &Named::name) == file_.thorns.end())
      file_.thorns.push_back({name, start});
    return name;
  }

  ParameterFile& file_;
  Problems& problems_;
  LateThorns thorns_;
};
}  // namespace

LateThorns take_late(ParameterFile& file, Problems& problems) { return Taker(file, problems).all(); }

std::string as_yaml(const LateThorns& thorns) {
  std::string yaml;
  for (const bool programs : {false, true}) {
    std::string block;
    for (const LateThorn& t : thorns) {
      if (t.is_program != programs) continue;
      block += programs ? "  " + t.name + ": |2\n" : "  - |2\n";
      std::istringstream lines(t.text);
      for (std::string line; std::getline(lines, line);) block += line.empty() ? "\n" : "    " + line + "\n";
    }
    if (!block.empty()) yaml += (programs ? "\nstencils:\n" : "\nequations:\n") + block;
  }
  return yaml;
}

std::string struct_key(const std::string& name_space, const std::string& type) {
  return fmt::format("N{}{}{}{}IiEE", name_space.size(), name_space, type.size(), type);
}
}  // namespace cereus
