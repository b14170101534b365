// Parameters as a thorn's author sees them: how one is declared, what values it may take, how it is read.
#pragma once

#include <cereus/error.hpp>
#include <cereus/range.hpp>

#include <map>

namespace cereus {

/// `keyword`: a string out of a closed list. `variables`: names or patterns of variables, `WaveToy::u`, `WaveToy::*`.
enum class ParameterType { boolean, integer, real, string, keyword, variables };

/// The default of a parameter of type `variables`.
struct Variables {
  std::vector<std::string> patterns;
};

/// Everything that is known about a parameter but its value.
struct ParameterSpec {
  std::string thorn, name;
  ParameterType type = ParameterType::boolean;
  bool list = false;
  Value default_value;
  Range range;
  std::string doc;
  bool steerable = false;                             ///< may change during a run
  bool required = false;                              ///< has no default; the user must give it
  std::vector<std::string> aliases;                   ///< earlier names, accepted with a warning
  std::size_t min_length = 0, max_length = SIZE_MAX;  ///< of a list
  std::string with;                                   ///< has an effect only if this parameter of the thorn is given,
  std::vector<std::string> with_values;               ///< or, where there are some, has one of these values

  ParameterSpec& may_steer();
  ParameterSpec& must_be_given();
  ParameterSpec& was_called(std::string old_name);
  /// A run warns if this one is given where it has no effect.
  ParameterSpec& only_with(std::string other, std::vector<std::string> values = {});
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

/// What it takes for the parameter to have an effect, to follow "only with"; empty if nothing.
std::string condition(const ParameterSpec& spec);

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
  std::vector<double> reals(const std::string& name) const;         ///< reads integers too
  std::vector<std::string> strings(const std::string& name) const;  ///< strings, keywords and variables

  bool was_set(const std::string& name) const;        ///< given by the user, not the default
  bool changed(const std::string& name) const;        ///< given by the user, and not as the default is
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
