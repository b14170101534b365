#include "run/late_thorn.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "cereus/file.hpp"
#include "cereus/text.hpp"
#include "equations/evaluate.hpp"
#include "equations/print.hpp"

namespace cereus {
namespace fs = std::filesystem;
using namespace equations;

namespace {
void take(LateThorns& thorns, ParameterFile& file, Named* place, const Where& start, const std::string& text,
    Problems& problems) {
  try {
    thorns.push_back(read_thorn(start, text));
  } catch (const Error& e) {
    problems.add(e.what());
    if (place) place->name = fs::path(place->name).stem();
    return;
  }
  const std::string& name = thorns.back()->text.name;
  if (place) place->name = name;
  else if (std::ranges::find(file.thorns, name, &Named::name) == file.thorns.end())
    file.thorns.push_back({name, start});
}
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
}  // namespace

LateThorns take_equations(ParameterFile& file, Problems& problems) {
  LateThorns thorns;
  for (Named& n : file.thorns) {
    if (!n.name.ends_with(".edl")) continue;
    const fs::path path = fs::path(file.path).parent_path() / n.name;
    const auto text = content_of(path);
    if (text) take(thorns, file, &n, {path.string()}, *text, problems);
    else problems.add(n.where, fmt::format("{} cannot be read", path.string()));
  }
  for (const Named& n : file.equations) take(thorns, file, nullptr, start_of(n), n.name, problems);
  return thorns;
}

std::string as_yaml(const LateThorns& thorns) {
  std::string yaml = thorns.empty() ? "" : "\nequations:\n";
  for (const auto& t : thorns) {
    yaml += "  - |2\n";  // the indentation of the block: the first line may have more
    std::istringstream lines(t->source.text());
    for (std::string line; std::getline(lines, line);) yaml += line.empty() ? "\n" : "    " + line + "\n";
  }
  return yaml;
}

namespace {
Range range_of(const ParameterText& p) {
  if (p.is_integer()) {
    std::vector<std::int64_t> values;
    for (const auto& c : p.choices) values.push_back(to_int(c.number));
    return integers_of(values);
  }
  if (p.is_choice_of_words()) {
    std::vector<std::string> words;
    for (const auto& c : p.choices) words.push_back(c.word);
    return one_of(words);
  }
  const auto low = [&] { return to_double(p.lower->value); };
  const auto high = [&] { return to_double(p.upper->value); };
  if (p.lower && p.upper) return between({low(), p.lower->included}, {high(), p.upper->included});
  if (p.lower) return p.lower->included ? at_least(low()) : above(low());
  if (p.upper) return p.upper->included ? at_most(high()) : below(high());
  return any();
}
Value value_of(const ParameterText& p) {
  if (p.is_choice_of_words()) return p.keyword;
  if (p.is_integer()) return static_cast<std::int64_t>(to_int(p.value.at(0)));
  if (p.declared.indices.empty()) return to_double(p.value.at(0));
  std::vector<double> values;
  for (const Rational& q : p.value) values.push_back(to_double(q));
  return values;
}
std::function<double(const Parameters&)> speed_of(const Program& program, const FarAway& far) {
  if (!far.speed) return {};
  return [graph = std::make_shared<Graph>(program.graph), speed = *far.speed](const Parameters& p) {
    return evaluate(*graph, speed, [&](const equations::Node& n) -> double {
      if (n.op == Op::keyword)
        return p.string(n.text.substr(0, n.text.find('='))) == n.text.substr(n.text.find('=') + 1);
      return n.along[0] < 0 ? p.real(n.text) : p.reals(n.text)[n.along[0]];
    });
  };
}
// As group_key says it of the struct template that the thorn's kernels have.
std::string key_of(const std::string& thorn, const std::string& type) {
  return fmt::format("N{}{}{}{}IiEE", thorn.size(), thorn, type.size(), type);
}
}  // namespace

ThornRecord declare(const equations::Thorn& thorn) {
  ThornRecord record;
  record.name = thorn.text.name, record.path = thorn.source.name();
  Declaration d(record);
  d.describe(thorn.text.doc);
  d.equations(thorn.source.text());
  for (const auto& p : thorn.text.parameters) {
    auto& spec = d.parameter(p.declared.name, value_of(p), range_of(p), p.declared.doc);
    if (p.steerable) spec.may_steer();
    if (!p.declared.indices.empty()) spec.length(3);
  }
  for (const auto& g : thorn.text.groups) {
    std::vector<std::string> names;
    for (const auto& v : thorn.model.variables())
      if (v.group == g.name) names.push_back(v.name);
    auto group = d.group(g.name, names, g.doc);
    record.groups.back().key = key_of(record.name, camel(g.name));
    for (const auto& tensor : g.tensors) {
      std::vector<std::string> components;
      for (const auto& v : thorn.model.variables())
        if (v.tensor == tensor.name) components.push_back(v.name);
      group.tensor(components_of(tensor), components, tensor.axial);
    }
    for (const auto& [v, far] : thorn.program.far)
      if (thorn.model.variables()[v].group == g.name)
        group.outgoing({thorn.model.variables()[v].name}, {to_double(far.value), speed_of(thorn.program, far)});
    if (g.evolved) group.rhs(key_of(record.name, camel(g.name) + "Rhs"));
    else if (only_analysed(thorn.program, g.name)) group.not_checkpointed();
  }
  if (!thorn.program.speeds.empty())
    d.scalars("speeds", {"max_speed"}, "Fastest signal")
        .not_checkpointed()
        .tag("Time::speed")
        .type(ScalarType::float64);
  return record;
}
}  // namespace cereus
