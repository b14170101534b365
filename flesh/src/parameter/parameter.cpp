// Declarations of parameters, and the values of one thorn.
#include <cereus/parameter.hpp>
#include <cereus/text.hpp>

#include <algorithm>

namespace cereus {
namespace {

ParameterType type_of(const Value& value, const Range& range) {
  if (value.holds<bool>() || value.holds<std::vector<bool>>()) return ParameterType::boolean;
  if (value.holds<std::int64_t>() || value.holds<std::vector<std::int64_t>>()) return ParameterType::integer;
  if (value.holds<double>() || value.holds<std::vector<double>>()) return ParameterType::real;
  return range.choices().empty() ? ParameterType::string : ParameterType::keyword;
}

void check_name(const std::string& name) {
  if (!is_name(name)) throw std::logic_error("'" + name + "' is no name for a parameter");
}

std::string noun(ParameterType type, bool plural) {
  switch (type) {
    case ParameterType::boolean: return plural ? "booleans" : "true or false";
    case ParameterType::integer: return plural ? "integers" : "an integer";
    case ParameterType::real: return plural ? "numbers" : "a number";
    case ParameterType::string: return plural ? "strings" : "a string";
    case ParameterType::keyword: return plural ? "keywords" : "a keyword";
    case ParameterType::variables: return "variables such as WaveToy::u or WaveToy::*";
  }
  return "";
}

}  // namespace

ParameterSpec& ParameterSpec::may_steer() {
  steerable = true;
  return *this;
}

ParameterSpec& ParameterSpec::must_be_given() {
  required = true;
  return *this;
}

ParameterSpec& ParameterSpec::was_called(std::string old_name) {
  check_name(old_name);
  aliases.push_back(std::move(old_name));
  return *this;
}

ParameterSpec& ParameterSpec::only_with(std::string other, std::vector<std::string> values) {
  check_name(other);
  with = std::move(other);
  with_values = std::move(values);
  return *this;
}

ParameterSpec& ParameterSpec::length(std::size_t n) { return length(n, n); }

ParameterSpec& ParameterSpec::length(std::size_t least, std::size_t most) {
  if (!list || least > most) throw std::logic_error("parameter '" + name + "': a length is for lists, least first");
  min_length = least;
  max_length = most;
  return *this;
}

std::string condition(const ParameterSpec& spec) {
  return spec.with + (spec.with_values.empty() ? "" : ": " + join(spec.with_values, " or "));
}

ParameterSpec make_parameter(std::string name, Value default_value, Range range, std::string doc) {
  check_name(name);
  if (doc.empty()) throw std::logic_error("parameter '" + name + "' has no documentation");
  ParameterSpec spec;
  spec.name = std::move(name);
  spec.type = type_of(default_value, range);
  spec.list = default_value.is_list();
  spec.default_value = std::move(default_value);
  spec.range = std::move(range);
  spec.doc = std::move(doc);
  return spec;
}

ParameterSpec make_parameter(std::string name, Variables default_value, Range range, std::string doc) {
  ParameterSpec spec =
      make_parameter(std::move(name), Value(std::move(default_value.patterns)), std::move(range), std::move(doc));
  spec.type = ParameterType::variables;
  return spec;
}

ParameterSpec make_parameter(std::string name, std::initializer_list<double> list, Range range, std::string doc) {
  return make_parameter(std::move(name), Value(std::vector<double>(list)), std::move(range), std::move(doc));
}

ParameterSpec make_parameter(std::string name, std::initializer_list<int> list, Range range, std::string doc) {
  return make_parameter(std::move(name), Value(std::vector<int>(list)), std::move(range), std::move(doc));
}

ParameterSpec make_parameter(std::string name, std::initializer_list<const char*> list, Range range, std::string doc) {
  return make_parameter(
      std::move(name), Value(std::vector<std::string>(list.begin(), list.end())), std::move(range), std::move(doc));
}

std::string requirement(const ParameterSpec& spec) {
  const std::string range = spec.range.text();
  const bool closed = !spec.range.choices().empty(), described = !spec.range.pattern().empty();
  if (!spec.list && !range.empty() && (described || spec.type == ParameterType::keyword)) return range;
  std::string text = noun(spec.type, spec.list);
  if (spec.list) {
    const auto count = [](std::size_t n) { return std::to_string(n) + " "; };
    std::string length;
    if (spec.min_length == spec.max_length) length = count(spec.min_length);
    else if (spec.max_length < SIZE_MAX) length = count(spec.min_length) + "to " + count(spec.max_length);
    else if (spec.min_length > 0) length = "at least " + count(spec.min_length);
    text = "a list of " + length + text;
  }
  if (range.empty()) return text;
  return text + (spec.list ? ", each " : closed || described ? ", " : " ") + range;
}

Parameters::Parameters(std::string thorn, std::vector<ParameterSpec> specs)
    : thorn_(std::move(thorn)),
      specs_(std::move(specs)) {
  for (ParameterSpec& spec : specs_) {
    spec.thorn = thorn_;
    if (!settings_.emplace(spec.name, Setting{spec.default_value, false, {}}).second)
      throw std::logic_error(thorn_ + " declares the parameter '" + spec.name + "' twice");
  }
}

void Parameters::set(const std::string& name, Value value, Where where) {
  setting(name);  // throws if undeclared
  settings_[name] = {std::move(value), true, std::move(where)};
}

const Parameters::Setting& Parameters::setting(const std::string& name) const {
  if (const auto found = settings_.find(name); found != settings_.end()) return found->second;
  std::vector<std::string> names;
  for (const ParameterSpec& spec : specs_) names.push_back(spec.name);
  throw std::logic_error(thorn_ + " has declared no parameter '" + name + "'" + did_you_mean(name, names));
}

template <class T> const T& Parameters::get(const std::string& name, const char* type) const {
  const Value& value = setting(name).value;
  if (value.holds<T>()) return value.get<T>();
  const auto spec = std::find_if(specs_.begin(), specs_.end(), [&](const ParameterSpec& s) { return s.name == name; });
  throw std::logic_error(thorn_ + "." + name + " is read as " + type + ", but was declared as " +
                         (spec->list ? "a list of " : "") + noun(spec->type, spec->list));
}

const Value& Parameters::operator[](const std::string& name) const { return setting(name).value; }
bool Parameters::changed(const std::string& name) const {
  const auto spec = std::ranges::find(specs_, name, &ParameterSpec::name);
  return was_set(name) && to_yaml((*this)[name]) != to_yaml(spec->default_value);
}

bool Parameters::was_set(const std::string& name) const { return setting(name).set; }
const Where& Parameters::where(const std::string& name) const { return setting(name).where; }

bool Parameters::boolean(const std::string& name) const { return get<bool>(name, "a boolean"); }
std::int64_t Parameters::integer(const std::string& name) const { return get<std::int64_t>(name, "an integer"); }
const std::string& Parameters::string(const std::string& name) const { return get<std::string>(name, "a string"); }

double Parameters::real(const std::string& name) const {
  const Value& value = setting(name).value;
  return value.holds<std::int64_t>() ? double(value.get<std::int64_t>()) : get<double>(name, "a number");
}

std::vector<bool> Parameters::booleans(const std::string& name) const {
  return get<std::vector<bool>>(name, "a list of booleans");
}

std::vector<std::int64_t> Parameters::integers(const std::string& name) const {
  return get<std::vector<std::int64_t>>(name, "a list of integers");
}

std::vector<double> Parameters::reals(const std::string& name) const {
  using Integers = std::vector<std::int64_t>;
  if (const Value& value = setting(name).value; value.holds<Integers>())
    return {value.get<Integers>().begin(), value.get<Integers>().end()};
  return get<std::vector<double>>(name, "a list of numbers");
}

std::vector<std::string> Parameters::strings(const std::string& name) const {
  return get<std::vector<std::string>>(name, "a list of strings");
}

}  // namespace cereus
