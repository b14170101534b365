// Which parameters of a text have an effect, and with which values of its choices.
#pragma once
#include "equations/kernel.hpp"
namespace cereus::equations {
struct Effect {
  bool any = false;                 // some equation takes the parameter
  std::string choice;               // a parameter with which it is taken only
  std::vector<std::string> values;  // where that has one of these values; none: always
};
std::map<std::string, Effect> effects(const Program&);  // by parameter
// A line, with its place, for each parameter that no equation takes.
std::vector<std::string> unused(const Program&);
}  // namespace cereus::equations
