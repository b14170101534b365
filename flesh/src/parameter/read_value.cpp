// Strict reading of values: a scalar is what the parameter's type says, and nothing is guessed.
#include "expression.hpp"
#include "resolve.hpp"

#include <cereus/text.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace cereus {
namespace {

/// Why a scalar is not what it should be; `hint` may be empty.
struct Mismatch {
  std::string hint;
};

/// Up to here every integer is a double, so that an expression's value is exact.
constexpr double largest_exact = 9007199254740992.0;

bool read_boolean(const YamlNode& node) {
  const std::string& text = node.text;
  if (!node.quoted && (text == "true" || text == "false")) return text == "true";
  std::string lower = text;
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = char(c - 'A' + 'a');
  for (const char* yes : {"true", "yes", "on", "y", "1"})
    if (lower == yes) throw Mismatch{"; write true"};
  for (const char* no : {"false", "no", "off", "n", "0"})
    if (lower == no) throw Mismatch{"; write false"};
  throw Mismatch{};
}

double read_expression(const std::string& text) {
  try {
    return evaluate(text);
  } catch (const Error& error) {
    // A plain word is no expression gone wrong: there is nothing to explain.
    if (text.find_first_of("0123456789+-*/^()") == std::string::npos) throw Mismatch{};
    throw Mismatch{std::string("; ") + error.what()};
  }
}

std::int64_t read_integer(const YamlNode& node) {
  if (node.quoted) throw Mismatch{"; remove the quotes"};
  const char* begin = node.text.data() + (node.text.starts_with('+') ? 1 : 0);
  const char* end = node.text.data() + node.text.size();
  std::int64_t value = 0;
  const auto [stop, error] = std::from_chars(begin, end, value);
  if (stop == end && error == std::errc()) return value;
  if (stop == end && error == std::errc::result_out_of_range) throw Mismatch{"; this one needs more than 64 bits"};
  const double x = read_expression(node.text);
  if (x != std::floor(x)) throw Mismatch{"; this is " + format_double(x)};
  if (std::abs(x) > largest_exact) throw Mismatch{"; write out all digits of a number this large"};
  return std::int64_t(x);
}

double read_real(const YamlNode& node) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const std::string& text = node.text;
  if (text == ".inf" || text == "+.inf" || text == "inf") return infinity;
  if (text == "-.inf" || text == "-inf") return -infinity;
  return read_expression(text);
}

std::string read_variables(const YamlNode& node) {
  const std::size_t colons = node.text.find("::");
  const auto fits = [](std::string_view part) {
    return !part.empty() && std::all_of(part.begin(), part.end(), [](char c) {
      return is_name("a" + std::string(1, c)) || c == '*' || c == '?' || c == '[' || c == ']';
    });
  };
  const std::string_view text = node.text;
  if (text.starts_with("@") && text.size() > 1) return node.text;  // @evolved, @rhs, or the tag of a group
  if (colons == std::string::npos || !fits(text.substr(0, colons)) || !fits(text.substr(colons + 2))) throw Mismatch{};
  return node.text;
}

Value read_scalar(const YamlNode& node, ParameterType type) {
  if (node.kind != YamlNode::scalar)
    throw Mismatch{node.kind == YamlNode::map ? "; quote a text that contains ': '" : ""};
  switch (type) {
    case ParameterType::boolean: return read_boolean(node);
    case ParameterType::integer: return read_integer(node);
    case ParameterType::real: return read_real(node);
    case ParameterType::variables: return read_variables(node);
    default: return node.text;
  }
}

template <class T> Value list_of(const std::vector<Value>& values) {
  std::vector<T> list;
  for (const Value& value : values) list.push_back(value.get<T>());
  return list;
}

Value list_of(const std::vector<Value>& values, ParameterType type) {
  switch (type) {
    case ParameterType::boolean: return list_of<bool>(values);
    case ParameterType::integer: return list_of<std::int64_t>(values);
    case ParameterType::real: return list_of<double>(values);
    default: return list_of<std::string>(values);
  }
}

std::vector<std::string> keywords(const Range& range) {
  std::vector<std::string> words;
  for (const Range::Choice& choice : range.choices())
    if (choice.value.holds<std::string>()) words.push_back(choice.value.get<std::string>());
  return words;
}

// Thorns count in 32 bits; one that does not says up to where it does.
bool too_large(const Value& value, const ParameterSpec& spec) {
  return value.holds<std::int64_t>() && !spec.range.upper() && spec.range.choices().empty() &&
         std::abs(value.get<std::int64_t>()) > std::numeric_limits<std::int32_t>::max();
}

bool good_length(const ParameterSpec& spec, std::size_t n) { return n >= spec.min_length && n <= spec.max_length; }

}  // namespace

std::string doc_of(const ParameterSpec& spec) { return " (" + spec.doc + ")"; }

Value read_value(const YamlNode& node, const ParameterSpec& spec, const std::string& thorn, Problems& problems) {
  const std::string name = thorn + "." + spec.name;
  if (node.kind == YamlNode::null) {
    problems.add(node.where, name + " has no value: it must be " + requirement(spec) + doc_of(spec));
    return spec.default_value;
  }
  const bool is_list = node.kind == YamlNode::sequence;
  // A single value for a list is a list of one; what is wrong in a list is said of the element.
  const std::string each = spec.list && is_list ? "each element must be " : "must be ";
  ParameterSpec single = spec;
  if (is_list) single.list = false;
  if (is_list && !spec.list) {
    problems.add(
        node.where, name + " = " + shown(node) + ": must be " + requirement(spec) + ", not a list" + doc_of(spec));
    return spec.default_value;
  }
  std::vector<Value> values;
  bool good = true;
  for (const YamlNode& item : is_list ? node.items : std::vector<YamlNode>{node}) {
    const auto complain = [&](const std::string& what, const std::string& hint) {
      good = false;
      const std::string given = item.kind == YamlNode::null ? "(nothing)" : shown(item);
      problems.add(item.where, name + " = " + given + ": " + each + what + hint + doc_of(spec));
    };
    try {
      const Value value = read_scalar(item, spec.type);
      if (too_large(value, spec)) complain("an integer from -2147483647 to 2147483647", "");
      else if (spec.range.contains(value)) values.push_back(value);
      else if (const std::string range = spec.range.text(); range.empty()) complain("finite", "");
      else
        complain(value.holds<double>() && std::isinf(value.get<double>()) ? "finite and " + range : range,
            did_you_mean(item.text, keywords(spec.range)));
    } catch (const Mismatch& mismatch) { complain(requirement(single), mismatch.hint); }
  }
  if (good && spec.list && !good_length(spec, values.size())) {
    good = false;
    problems.add(node.where, name + " = " + shown(node) + ": must be " + requirement(spec) + ", not " +
                                 std::to_string(values.size()) + doc_of(spec));
  }
  if (!good) return spec.default_value;
  return spec.list ? list_of(values, spec.type) : values.front();
}

}  // namespace cereus
