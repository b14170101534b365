// Values, how they are written, and the ranges that allow or refuse them.
#include <cereus/parameter.hpp>
#include <cereus/text.hpp>

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace cereus {
namespace {

template <class F> auto visit_value(const Value& value, F&& f) {
  if (value.holds<bool>()) return f(value.get<bool>());
  if (value.holds<std::int64_t>()) return f(value.get<std::int64_t>());
  if (value.holds<double>()) return f(value.get<double>());
  return f(value.get<std::string>());
}

std::string quoted(const std::string& text) {
  static const std::vector<std::string> other_meaning{"true", "false", "null", "yes", "no", "on", "off", "y", "n"};
  std::string lower = text;
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  if (is_name(text) && std::find(other_meaning.begin(), other_meaning.end(), lower) == other_meaning.end()) return text;
  std::string result = "\"";
  for (const char c : text) {
    constexpr const char* digits = "0123456789abcdef";
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') result += {'\\', c};
    else if (c == '\n') result += "\\n";
    else if (c == '\t') result += "\\t";
    else if (byte < 0x20 || byte == 0x7f) result += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
    else result += c;
  }
  return result + '"';
}

struct Yaml {
  std::string operator()(bool x) const { return x ? "true" : "false"; }
  std::string operator()(std::int64_t x) const { return std::to_string(x); }
  std::string operator()(double x) const {
    if (std::isnan(x)) return ".nan";
    if (std::isinf(x)) return x > 0 ? ".inf" : "-.inf";
    const std::string text = format_double(x);
    return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;  // seen to be a real number
  }
  std::string operator()(const std::string& x) const { return quoted(x); }
};

// std::regex recurses once or more per character: a long text would overflow the stack.
constexpr std::size_t longest_matched = 1000;

}  // namespace

std::vector<Value> Value::elements() const {
  return std::visit(
      [this](const auto& data) -> std::vector<Value> {
        using T = std::decay_t<decltype(data)>;
        if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, std::string>) {
          return {*this};
        } else {
          std::vector<Value> all;
          for (const auto& x : data) all.emplace_back(typename T::value_type(x));
          return all;
        }
      },
      data_);
}

std::string to_yaml(const Value& value) {
  if (!value.is_list()) return visit_value(value, Yaml());
  std::vector<std::string> items;
  for (const Value& element : value.elements()) items.push_back(visit_value(element, Yaml()));
  return "[" + join(items, ", ") + "]";
}

bool Range::contains(const Value& value) const {
  const std::vector<Value> all = value.elements();
  return std::all_of(all.begin(), all.end(), [this](const Value& v) { return contains_one(v); });
}

bool Range::contains_one(const Value& value) const {
  if (!choices_.empty() &&
      std::none_of(choices_.begin(), choices_.end(), [&](const Choice& choice) { return choice.value == value; }))
    return false;
  if (value.holds<std::string>()) {
    const std::string& text = value.get<std::string>();
    return pattern_.empty() || (text.size() <= longest_matched && matches(text, pattern_));
  }
  if (value.holds<bool>()) return true;
  const double x = value.holds<double>() ? value.get<double>() : double(value.get<std::int64_t>());
  const bool over = !lower_ ? x != -INFINITY : lower_->included ? x >= lower_->value : x > lower_->value;
  const bool under = !upper_ ? x != INFINITY : upper_->included ? x <= upper_->value : x < upper_->value;
  return over && under && !std::isnan(x);
}

std::string Range::text() const {
  if (!choices_.empty()) {
    std::vector<std::string> words;
    for (const Choice& choice : choices_)
      words.push_back(choice.value.holds<std::string>() ? choice.value.get<std::string>() : to_yaml(choice.value));
    return (words.size() == 1 ? "" : "one of ") + join(words, ", ");
  }
  if (!pattern_.empty()) return description_;
  if (lower_ && upper_ && lower_->included && upper_->included)
    return "between " + format_double(lower_->value) + " and " + format_double(upper_->value);
  const std::string low = !lower_ ? "" : (lower_->included ? ">= " : "> ") + format_double(lower_->value);
  const std::string high = !upper_ ? "" : (upper_->included ? "<= " : "< ") + format_double(upper_->value);
  return low + (lower_ && upper_ ? " and " : "") + high;
}

Range make_range(std::optional<Range::Bound> lower, std::optional<Range::Bound> upper) {
  Range range;
  range.lower_ = lower;
  range.upper_ = upper;
  return range;
}

Range make_range(std::vector<Range::Choice> choices) {
  if (choices.empty()) throw std::logic_error("a range of no values");
  Range range;
  range.choices_ = std::move(choices);
  return range;
}

Range any() { return {}; }
Range above(double lower) { return make_range(Range::Bound{lower, false}, {}); }
Range at_least(double lower) { return make_range(Range::Bound{lower, true}, {}); }
Range below(double upper) { return make_range({}, Range::Bound{upper, false}); }
Range at_most(double upper) { return make_range({}, Range::Bound{upper, true}); }
Range between(Range::Bound lower, Range::Bound upper) { return make_range(lower, upper); }
Range between(double lower, double upper) { return between(Range::Bound{lower, true}, Range::Bound{upper, true}); }

Range integers_of(std::vector<std::int64_t> values) {
  std::vector<Range::Choice> choices;
  for (const std::int64_t value : values) choices.push_back({value, ""});
  return make_range(std::move(choices));
}

Range matching(std::string pattern, std::string description) {
  matches("", pattern);  // a mistake in it shows at once
  Range range;
  range.pattern_ = std::move(pattern);
  range.description_ = std::move(description);
  return range;
}

Range one_of(std::initializer_list<Keyword> keywords) {
  std::vector<Range::Choice> choices;
  for (const Keyword& keyword : keywords) choices.push_back({keyword.word, keyword.doc});
  return make_range(std::move(choices));
}

Range one_of(const std::vector<std::string>& keywords) {
  std::vector<Range::Choice> choices;
  for (const std::string& word : keywords) choices.push_back({word, ""});
  return make_range(std::move(choices));
}

}  // namespace cereus
