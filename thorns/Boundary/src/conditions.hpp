// Which condition holds for which variable at which face, as the parameters say it.
#pragma once
#include <array>
#include <cereus/group.hpp>
#include <cereus/parameter.hpp>
#include <functional>
#include <optional>
#include <string>
#include <vector>
namespace Boundary {
enum class Condition { none, dirichlet, neumann, extrapolate, reflect, radiation, fixed, formula };

struct Face {
  Condition condition = Condition::none;
  double value = 0, speed = 1;  // of dirichlet and radiation; of radiation
  std::string formula = "";     // of `formula`
};
using Faces = std::array<Face, 6>;  // face 2·axis + side: x_lower, x_upper, y_lower …
inline constexpr const char* face_names[6] = {"x_lower", "x_upper", "y_lower", "y_upper", "z_lower", "z_upper"};
inline constexpr const char* condition_names[8] = {
    "none", "dirichlet", "neumann", "extrapolate", "reflect", "radiation", "fixed", "formula"};

struct Override {  // "WaveToy::u x_lower dirichlet 1.5"
  std::string pattern;
  std::vector<int> faces;
  Condition condition = Condition::none;
  std::optional<double> value, speed;
  std::string formula;
};

class Conditions {
 public:
  explicit Conditions(const cereus::Parameters&);  // throws one Error that lists all mistakes
  // The last override whose pattern is like the variable or its group wins; else what the variable's thorn declares for
  // a face, in the words of an override; else the parameters of the faces. Where nothing gives the value or the speed
  // of a radiating face, they are those that the variable's thorn declares.
  using Declared = std::function<std::string(int face)>;
  Faces of(const std::string& variable, const std::string& group, double far = 0, std::optional<double> speed = {},
      const Declared& = {}) const;
  const std::vector<Override>& overrides() const { return overrides_; }
  const Faces& defaults() const { return defaults_; }

 private:
  Faces defaults_;
  double value_, speed_;  // what holds where nothing else is said
  bool speed_given_;
  std::vector<Override> overrides_;
};

// Returns what is wrong with the text of an override, or "".
std::string read_override(const std::string& text, Override& result);
}  // namespace Boundary
