// Each declaration becomes a schema: its type, its range, its default, its documentation.
#include "schema.hpp"

#include <cmath>

namespace cereus {
namespace {

using nlohmann::json;

json to_json(const Value& value) {
  if (value.is_list()) {
    json list = json::array();
    for (const Value& element : value.elements()) list.push_back(to_json(element));
    return list;
  }
  if (value.holds<bool>()) return value.get<bool>();
  if (value.holds<std::int64_t>()) return value.get<std::int64_t>();
  if (value.holds<std::string>()) return value.get<std::string>();
  const double x = value.get<double>();
  return std::isfinite(x) ? json(x) : json(to_yaml(value));  // JSON knows no infinity
}

/// Text that could be arithmetic: it contains a digit or one of the two named numbers.
json expression() { return {{"type", "string"}, {"pattern", "[0-9]|\\bpi\\b|\\be\\b|\\binf\\b"}}; }

json number_schema(const ParameterSpec& spec) {
  json result{{"type", spec.type == ParameterType::integer ? "integer" : "number"}};
  const auto& lower = spec.range.lower();
  const auto& upper = spec.range.upper();
  if (lower && std::isfinite(lower->value)) result[lower->included ? "minimum" : "exclusiveMinimum"] = lower->value;
  if (upper && std::isfinite(upper->value)) result[upper->included ? "maximum" : "exclusiveMaximum"] = upper->value;
  for (const Range::Choice& choice : spec.range.choices()) result["enum"].push_back(to_json(choice.value));
  return {{"anyOf", {result, expression()}}};
}

json element(const ParameterSpec& spec) {
  switch (spec.type) {
    case ParameterType::boolean: return {{"type", "boolean"}};
    case ParameterType::integer:
    case ParameterType::real: return number_schema(spec);
    case ParameterType::variables: return {{"type", "string"}, {"pattern", "^(@.+|[^:]+::[^:]+)$"}};
    case ParameterType::keyword: {
      json words = json::array();
      for (const Range::Choice& choice : spec.range.choices()) words.push_back(to_json(choice.value));
      return {{"enum", words}};
    }
    case ParameterType::string: break;
  }
  // Without quotes, 5 and true are strings to us, but not to a schema.
  if (spec.range.pattern().empty()) return {{"type", {"string", "number", "boolean"}}};
  return {{"type", "string"}, {"pattern", "^(?:" + spec.range.pattern() + ")$"}};
}

json parameter(const ParameterSpec& spec) {
  json result = element(spec);
  if (spec.list) {
    json list{{"type", "array"}, {"items", result}};
    if (spec.min_length > 0) list["minItems"] = spec.min_length;
    if (spec.max_length < SIZE_MAX) list["maxItems"] = spec.max_length;
    const bool one_will_do = spec.min_length <= 1 && spec.max_length >= 1;
    result = one_will_do ? json{{"anyOf", {list, result}}} : list;
  }
  std::string description = spec.doc;
  for (const Range::Choice& choice : spec.range.choices())
    if (!choice.doc.empty()) description += "\n" + to_yaml(choice.value) + ": " + choice.doc;
  if (spec.steerable) description += "\nMay be changed during a run.";
  if (!spec.with.empty()) description += "\nOnly with " + condition(spec) + ".";
  result["description"] = description;
  if (!spec.required) result["default"] = to_json(spec.default_value);
  return result;
}

json block(const ThornParameters& thorn) {
  json result{{"type", {"object", "null"}}, {"description", thorn.description}, {"additionalProperties", false},
      {"properties", json::object()}};
  for (const ParameterSpec& spec : thorn.specs) {
    result["properties"][spec.name] = parameter(spec);
    for (const std::string& old : spec.aliases) {
      json alias = parameter(spec);
      alias["description"] = "Old name of '" + spec.name + "'; please rename it.";
      alias["deprecationMessage"] = alias["description"];  // which the editors show struck through
      result["properties"][old] = std::move(alias);
    }
    // With an old name it may be given under either; then only the run can tell.
    if (spec.required && spec.aliases.empty()) result["required"].push_back(spec.name);
  }
  return result;
}

json list_of_names(const std::string& description, const std::vector<std::string>& names) {
  json name{{"type", "string"}};
  if (!names.empty()) name["enum"] = names;
  return {{"description", description}, {"anyOf", {{{"type", "array"}, {"items", name}, {"uniqueItems", true}}, name}}};
}

}  // namespace

json json_schema(const std::vector<ThornParameters>& thorns, const std::vector<std::string>& arrangements) {
  json schema{{"$schema", "http://json-schema.org/draft-07/schema#"}, {"title", "Cereus parameter file"},
      {"type", "object"}, {"additionalProperties", {{"type", {"object", "null"}}}}};  // blocks of thorns of equations
  std::vector<std::string> names;
  for (const ThornParameters& thorn : thorns) {
    schema["properties"][thorn.name] = block(thorn);
    if (thorn.name != "Cereus") names.push_back(thorn.name);
  }
  schema["properties"]["arrangements"] = list_of_names("Named lists of thorns that belong together", arrangements);
  schema["properties"]["thorns"] = list_of_names("The thorns of this run, besides those of the arrangements", names);
  for (json& form : schema["properties"]["thorns"]["anyOf"]) {  // a file of text is one, too
    json& name = form.contains("items") ? form["items"] : form;
    name = {{"anyOf", {name, {{"type", "string"}, {"pattern", "\\.(edl|stencil)$"}}}}};
  }
  const json text{{"type", "string"}};
  schema["properties"]["equations"] = {
      {"description", "Texts of equations, each a thorn"}, {"anyOf", {text, {{"type", "array"}, {"items", text}}}}};
  schema["properties"]["stencils"] = {
      {"description", "Texts of stencil programs, by thorn"}, {"type", "object"}, {"additionalProperties", text}};
  return schema;
}

}  // namespace cereus
