// Reads the conditions out of the parameters.
#include "conditions.hpp"

#include <algorithm>
#include <cereus/text.hpp>
#include <sstream>
namespace Boundary {
using namespace cereus;

namespace {
template <std::size_t n> int find(const char* const (&names)[n], const std::string& word) {
  const auto it = std::find(std::begin(names), std::end(names), word);
  return it == std::end(names) ? -1 : static_cast<int>(it - std::begin(names));
}
bool read_number(const std::string& word, double& x) {
  std::istringstream in(word);
  return in >> x && in.eof();
}
template <std::size_t n> std::vector<std::string> with_all(const char* const (&names)[n]) {
  std::vector<std::string> list(std::begin(names), std::end(names));
  list.push_back("all");
  return list;
}
}  // namespace

std::string read_override(const std::string& text, Override& result) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string w; in >> w;) words.push_back(w);
  const std::string form =
      "; an override is 'PATTERN FACE CONDITION [VALUE [SPEED]]', as in 'WaveToy::u x_lower dirichlet 1.5', or "
      "'PATTERN FACE formula FORMULA'";
  const bool formula = words.size() > 3 && words[2] == "formula";
  if (words.size() < 3 || (words.size() > 5 && !formula))
    return "it has " + std::to_string(words.size()) + " words" + form;
  const int face = find(face_names, words[1]), condition = find(condition_names, words[2]);
  if (face < 0 && words[1] != "all")
    return "'" + words[1] + "' is no face" + did_you_mean(words[1], with_all(face_names)) + form;
  if (condition < 0)
    return "'" + words[2] + "' is no condition" +
           did_you_mean(words[2], {std::begin(condition_names), std::end(condition_names)}) + form;
  const auto c = static_cast<Condition>(condition);
  result = {words[0], {}, c, {}, {}, {}};
  for (int f = 0; f < 6; ++f)
    if (face < 0 || f == face) result.faces.push_back(f);
  if (c == Condition::formula && !formula) return "a formula is missing" + form;
  if (formula) {
    for (std::size_t n = 3; n < words.size(); ++n) result.formula += (n > 3 ? " " : "") + words[n];
    return "";
  }
  if (words.size() > 3 && c != Condition::dirichlet && c != Condition::radiation)
    return words[2] + " takes no value" + form;
  if (words.size() > 4 && c != Condition::radiation) return words[2] + " takes no speed" + form;
  if (words.size() > 3 && !read_number(words[3], result.value.emplace()))
    return "'" + words[3] + "' is no number" + form;
  if (words.size() > 4 && (!read_number(words[4], result.speed.emplace()) || !(*result.speed > 0)))
    return "'" + words[4] + "' is no speed above 0" + form;
  return "";
}

Conditions::Conditions(const Parameters& par)
    : value_(par.real("value")),
      speed_(par.real("radiation_speed") > 0 ? par.real("radiation_speed") : 1),
      speed_given_(par.real("radiation_speed") > 0) {
  for (int f = 0; f < 6; ++f) {
    const std::string own = par.string(face_names[f]), condition = own == "none" ? par.string("all") : own;
    defaults_[f].condition = static_cast<Condition>(find(condition_names, condition));
    defaults_[f].speed = speed_;
    if (defaults_[f].condition == Condition::dirichlet) defaults_[f].value = value_;
  }
  Problems problems;
  for (const auto& text : par.strings("overrides")) {
    Override o;
    const std::string wrong = read_override(text, o);
    if (wrong.empty()) overrides_.push_back(std::move(o));
    else problems.add(par.where("overrides"), "Boundary.overrides: '" + text + "': " + wrong);
  }
  problems.throw_if_any();
}

Faces Conditions::of(const std::string& variable, const std::string& group, double far, std::optional<double> speed,
    const Declared& declared_at) const {
  Faces faces = defaults_;
  const double declared = speed && !speed_given_ ? *speed : speed_;
  const auto value_at = [&](Condition c) {
    return c == Condition::dirichlet ? value_ : c == Condition::radiation ? far : 0;
  };
  for (Face& f : faces) f.value = value_at(f.condition), f.speed = declared;
  const auto take = [&](const Override& o) {
    for (int f : o.faces)
      faces[f] = {o.condition, o.value.value_or(value_at(o.condition)), o.speed.value_or(declared), o.formula};
  };
  for (int f = 0; f < 6 && declared_at; ++f) {
    const std::string words = declared_at(f);
    Override o;
    if (words.empty()) continue;
    if (const auto wrong = read_override(variable + " " + face_names[f] + " " + words, o); !wrong.empty())
      throw Failure("the condition that is declared for " + variable + ": " + wrong);
    take(o);
  }
  for (const auto& o : overrides_)
    if (glob_match(o.pattern, variable) || glob_match(o.pattern, group)) take(o);
  return faces;
}
}  // namespace Boundary
