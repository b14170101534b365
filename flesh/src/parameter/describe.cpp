// Writes declarations and values for people; the resolved file is for the reader of parameter files, too.
#include "describe.hpp"

#include <cereus/text.hpp>

#include <algorithm>

namespace cereus {
namespace {

/// A comment or an indented text must not break into a second line.
std::string one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
  return text;
}

}  // namespace

std::string describe_parameter(const ParameterSpec& spec) {
  std::string text = "  " + spec.name + ": " + requirement(spec);
  text += spec.required ? "; must be given" : "; default " + to_yaml(spec.default_value);
  if (spec.steerable) text += "; may be changed during a run";
  if (!spec.with.empty()) text += "; only with " + condition(spec);
  text += "\n      " + one_line(spec.doc) + "\n";
  for (const Range::Choice& choice : spec.range.choices())
    if (!choice.doc.empty()) text += "      " + to_yaml(choice.value) + ": " + one_line(choice.doc) + "\n";
  if (!spec.aliases.empty()) text += "      once called " + join(spec.aliases, ", ") + "\n";
  return text;
}

std::string describe_thorn(const ThornParameters& thorn) {
  std::string text = thorn.name + ": " + one_line(thorn.description) + "\n";
  if (thorn.specs.empty()) return text + "  no parameters\n";
  for (const ParameterSpec& spec : thorn.specs) text += "\n" + describe_parameter(spec);
  return text;
}

std::string resolved_yaml(const std::map<std::string, Parameters>& active, std::vector<std::string> names) {
  if (names.empty())
    for (const auto& [name, parameters] : active)
      if (name != "Cereus") names.push_back(name);
  std::string text = "thorns: [" + join(names, ", ") + "]\n";
  for (const auto& [name, parameters] : active) {
    if (parameters.specs().empty()) continue;
    text += "\n" + name + ":\n";
    for (const ParameterSpec& spec : parameters.specs()) {
      const std::string mark = parameters.was_set(spec.name) ? "" : " (default)";
      text += "  " + spec.name + ": " + to_yaml(parameters[spec.name]) + "  # " + one_line(spec.doc) + mark + "\n";
    }
  }
  return text;
}

}  // namespace cereus
