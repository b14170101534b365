// Parameters as a thorn's author sees them: how one is declared, what values it may take, how it is read.
#pragma once

#include <cereus/error.hpp>

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace cereus {

/// `keyword`: a string out of a closed list. `variables`: names or patterns of variables, `WaveToy::u`, `WaveToy::*`.
enum class ParameterType { boolean, integer, real, string, keyword, variables };

/// The default of a parameter of type `variables`.
struct Variables {
  std::vector<std::string> patterns;
};

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
Range at_most(double upper);               ///< at_most(infinity) allows `.inf`; nothing allows not-a-number
Range between(double lower, double upper);  ///< both ends included
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

/// Everything that is known about a parameter but its value.
struct ParameterSpec {
  std::string thorn, name;
  ParameterType type = ParameterType::boolean;
  bool list = false;
  Value default_value;
  Range range;
  std::string doc;
  bool steerable = false;            ///< may change during a run
  bool required = false;             ///< has no default; the user must give it
  std::vector<std::string> aliases;  ///< earlier names, accepted with a warning
  std::size_t min_length = 0, max_length = SIZE_MAX;  ///< of a list

  ParameterSpec& may_steer();
  ParameterSpec& must_be_given();
  ParameterSpec& was_called(std::string old_name);
  ParameterSpec& length(std::size_t n);
  ParameterSpec& length(std::size_t least, std::size_t most);
};

/// The type follows from the default; a string with a range of keywords is of type keyword.
/// Throws std::logic_error if the name is no name or there is no doc.
ParameterSpec make_parameter(std::string name, Value default_value, Range range, std::string doc);
ParameterSpec make_parameter(std::string name, Variables default_value, Range range, std::string doc);
ParameterSpec make_parameter(std::string name, std::initializer_list<double> list, Range range, std::string doc);
ParameterSpec make_parameter(std::string name, std::initializer_list<int> list, Range range, std::string doc);
ParameterSpec make_parameter(std::string name, std::initializer_list<const char*> list, Range range, std::string doc);

/// What a value must be, to follow "must be": `a number > 0`, `an integer, one of 2, 4, 6, 8`, `a list of 3 strings`.
std::string requirement(const ParameterSpec& spec);

/// The parameters of one thorn. Asking for an undeclared name, or for the wrong type, is a mistake in the thorn:
/// std::logic_error.
class Parameters {
 public:
  Parameters() = default;
  Parameters(std::string thorn, std::vector<ParameterSpec> specs);  ///< all at their defaults
  void set(const std::string& name, Value value, Where where = {});

  const std::string& thorn() const { return thorn_; }
  const std::vector<ParameterSpec>& specs() const { return specs_; }
  const Value& operator[](const std::string& name) const;

  bool boolean(const std::string& name) const;
  std::int64_t integer(const std::string& name) const;
  double real(const std::string& name) const;                ///< reads integers too
  const std::string& string(const std::string& name) const;  ///< strings and keywords
  std::vector<bool> booleans(const std::string& name) const;
  std::vector<std::int64_t> integers(const std::string& name) const;
  std::vector<double> reals(const std::string& name) const;          ///< reads integers too
  std::vector<std::string> strings(const std::string& name) const;   ///< strings, keywords and variables

  bool was_set(const std::string& name) const;        ///< given by the user, not the default
  const Where& where(const std::string& name) const;  ///< by which line; nowhere if it is the default

 private:
  struct Setting {
    Value value;
    bool set = false;
    Where where;
  };
  const Setting& setting(const std::string& name) const;
  template <class T> const T& get(const std::string& name, const char* type) const;

  std::string thorn_;
  std::vector<ParameterSpec> specs_;
  std::map<std::string, Setting> settings_;
};

}  // namespace cereus
