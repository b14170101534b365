// Values of parameters, and which of them are allowed.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace cereus {

/// A value of a parameter: a boolean, an integer, a real number, a string, or a list of one of these.
class Value {
 public:
  using Data = std::variant<bool, std::int64_t, double, std::string, std::vector<bool>, std::vector<std::int64_t>,
      std::vector<double>, std::vector<std::string>>;

  Value() = default;
  template <std::integral T> Value(T x) {
    if constexpr (std::same_as<T, bool>) data_ = x;
    else data_ = static_cast<std::int64_t>(x);
  }
  template <std::floating_point T> Value(T x) : data_(static_cast<double>(x)) {}
  Value(const char* x) : data_(std::string(x)) {}
  Value(std::string x) : data_(std::move(x)) {}
  Value(std::vector<bool> x) : data_(std::move(x)) {}
  Value(const std::vector<int>& x) : data_(std::vector<std::int64_t>(x.begin(), x.end())) {}
  Value(std::vector<std::int64_t> x) : data_(std::move(x)) {}
  Value(std::vector<double> x) : data_(std::move(x)) {}
  Value(std::vector<std::string> x) : data_(std::move(x)) {}

  template <class T> bool holds() const { return std::holds_alternative<T>(data_); }
  template <class T> const T& get() const { return std::get<T>(data_); }  ///< throws std::bad_variant_access
  bool is_list() const { return data_.index() >= 4; }
  std::vector<Value> elements() const;  ///< of a list; of anything else the value itself
  bool operator==(const Value&) const = default;

 private:
  Data data_;
};

/// As it is written in a parameter file, on one line; reads back to the same value.
std::string to_yaml(const Value& value);

/// Which values are allowed, and how to say so. Of a list, the range is that of each element.
class Range {
 public:
  struct Choice {
    Value value;
    std::string doc;
  };
  struct Bound {
    double value;
    bool included;
  };

  Range() = default;  ///< anything goes, but infinity and not-a-number
  /// A closed list of the kernels, `inline constexpr choices<2, 4, 6, 8> orders;`, is a range too.
  template <template <int...> class Choices, int... n> Range(Choices<n...>) : choices_{Choice{n, ""}...} {}

  bool contains(const Value& value) const;
  std::string text() const;  ///< `> 0`, `between 0 and 1`, `one of 2, 4, 6, 8`, or "" if anything goes

  const std::optional<Bound>& lower() const { return lower_; }
  const std::optional<Bound>& upper() const { return upper_; }
  const std::vector<Choice>& choices() const { return choices_; }
  const std::string& pattern() const { return pattern_; }

 private:
  friend Range make_range(std::optional<Bound> lower, std::optional<Bound> upper);
  friend Range make_range(std::vector<Choice> choices);
  friend Range matching(std::string pattern, std::string description);
  bool contains_one(const Value& value) const;

  std::optional<Bound> lower_, upper_;
  std::vector<Choice> choices_;
  std::string pattern_, description_;
};

Range any();
Range above(double lower);
Range at_least(double lower);
Range below(double upper);
Range at_most(double upper);                ///< at_most(infinity) allows `.inf`; nothing allows not-a-number
Range between(double lower, double upper);  ///< both ends included
Range between(Range::Bound lower, Range::Bound upper);
Range integers_of(std::vector<std::int64_t> values);
/// Strings that match an ECMAScript regular expression as a whole; the description follows "must be".
Range matching(std::string pattern, std::string description);

/// A keyword and what it means.
struct Keyword {
  Keyword(const char* word, const char* doc = "") : word(word), doc(doc) {}
  std::string word, doc;
};
Range one_of(std::initializer_list<Keyword> keywords);  ///< one_of({"none", {"flat", "zero slope"}})
Range one_of(const std::vector<std::string>& keywords);

}  // namespace cereus
