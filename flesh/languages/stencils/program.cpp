#include "stencils/program.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cereus/text.hpp"

namespace cereus::stencils {
using Kind = Expression::Kind;
namespace {
const Expression& end(const Interval& i, bool high) { return high ? i.high : i.low; }
template <class T> const T* named(const std::vector<T>& list, const std::string& name) {
  const auto at = std::ranges::find(list, name, &T::name);
  return at == list.end() ? nullptr : &*at;
}
}  // namespace

Program::Program(Source s, std::string name, const Values& given)
    : source(std::move(s)),
      thorn(std::move(name)),
      text(parse_program(source)),
      values(given) {
  if (source.problems().empty()) check(*this);
  if (source.problems().empty()) find_steps(*this);
}
const FieldText* Program::field(const std::string& n) const { return named(text.fields, n); }
const GridText* Program::grid(const std::string& n) const { return named(text.grids, n); }
const ParameterText* Program::parameter(const std::string& n) const { return named(text.parameters, n); }
bool Program::is_periodic(int index) const {
  const std::string name(1, "xyz"[axis(index)]);
  return std::ranges::any_of(text.periodic, [&](const auto& p) { return p.first == name; });
}
bool Program::two_levels(const FieldText* f) const {
  for (const Step& step : steps)
    for (const Sweep& s : step)
      if (s.field == f && s.neighbours && !s.copied) return true;
  return false;
}

namespace {
// Σ coefficient · name, with the number under the name "": nothing where it is not of that form.
using Affine = std::map<std::string, std::int64_t>;
std::optional<Affine> affine(const Expression& e) {
  if (const auto number = value_of(e, {})) return Affine{{"", *number}};
  if (e.kind == Kind::name) return Affine{{e.text, 1}};
  const bool sum = e.text == "+" || e.text == "-";
  if (e.kind != Kind::negative && (e.kind != Kind::binary || !sum)) return {};
  auto a = e.kind == Kind::negative ? Affine{} : affine(e.args[0]), b = affine(e.args.back());
  if (!a || !b) return {};
  for (const auto& [name, c] : *b) (*a)[name] += e.text == "-" ? -c : c;
  return a;
}
std::optional<std::int64_t> difference(const Expression& a, const Expression& b) {  // where it is a number
  if (print_integer(a) == print_integer(b)) return 0;
  Expression e;
  e.kind = Kind::binary, e.text = "-", e.args = {a, b};
  const auto d = affine(e);
  if (!d) return {};
  for (const auto& [name, c] : *d)
    if (!name.empty() && c != 0) return {};
  return d->contains("") ? d->at("") : 0;
}
}  // namespace

std::string Program::end_of_all(int index, bool high) const {
  if (is_periodic(index)) return print_integer(end(text.grids[0].bounds[index], high));
  std::vector<const Expression*> ends;  // none of which is known to lie further in than another one
  for (const FunctionText& f : text.functions) {
    const Expression& e = end(f.bounds[index], high);
    const auto beyond = [&](const Expression& a, const Expression& b) {
      const auto d = difference(a, b);
      return d && (high ? *d >= 0 : *d <= 0);
    };
    if (std::ranges::any_of(ends, [&](const Expression* known) { return beyond(*known, e); })) continue;
    std::erase_if(ends, [&](const Expression* known) { return beyond(e, *known); });
    ends.push_back(&e);
  }
  if (ends.size() == 1) return print_integer(*ends[0]);
  std::vector<std::string> all;
  for (const Expression* e : ends) all.push_back(print_integer(*e));
  return fmt::format("std::{}({{{}}})", high ? "max" : "min", join(all, ", "));
}
bool Program::tests(const FunctionText& f, int index, bool high) const {
  return print_integer(end(f.bounds[index], high)) != end_of_all(index, high);
}

std::optional<std::int64_t> value_of(const Expression& e, const Values& values) {
  std::vector<std::int64_t> v;
  for (const Expression& a : e.args) {
    const auto value = value_of(a, values);
    if (!value) return {};
    v.push_back(*value);
  }
  std::int64_t r = 0;
  if (e.kind == Kind::number) {
    if (e.text.size() > 9 || e.text.find_first_not_of("0123456789") != std::string::npos) return {};
    return std::stol(e.text);
  }
  if (e.kind == Kind::name && values.contains(e.text)) return values.at(e.text);
  if (e.kind == Kind::negative) return -v[0];
  if (e.kind != Kind::binary || (e.text == "/" && v[1] == 0)) return {};
  const bool overflow = e.text == "+"   ? __builtin_add_overflow(v[0], v[1], &r)
                        : e.text == "-" ? __builtin_sub_overflow(v[0], v[1], &r)
                        : e.text == "*" ? __builtin_mul_overflow(v[0], v[1], &r)
                                        : (r = v[0] / v[1], false);
  constexpr std::int64_t largest = 1LL << 31;
  return overflow || r > largest || r < -largest ? std::nullopt : std::optional(r);
}

namespace {
double number_of(const Expression& e) {
  if (e.kind == Kind::number) return std::strtod(e.text.c_str(), nullptr);
  if (e.kind == Kind::negative) return -number_of(e.args[0]);
  const double a = number_of(e.args[0]), b = number_of(e.args[1]);
  return e.text == "+" ? a + b : e.text == "-" ? a - b : e.text == "*" ? a * b : a / b;
}
}  // namespace
double default_of(const ParameterText& p) { return p.value ? number_of(*p.value) : 0; }

std::string print_integer(const Expression& e) {
  if (e.kind == Kind::number) return fmt::format("{}L", *value_of(e, {}));
  if (e.kind == Kind::name) return fmt::format("p.integer(\"{}\")", e.text);
  if (e.kind == Kind::negative) return "(-" + print_integer(e.args[0]) + ")";
  return fmt::format("({} {} {})", print_integer(e.args[0]), e.text, print_integer(e.args[1]));
}

std::vector<std::string> components_of(const Type& t) {
  if (t.kind != Type::Kind::record) return {""};
  std::vector<std::string> all;
  for (const auto& [name, type] : t.members)
    for (const std::string& c : components_of(type)) all.push_back("_" + name + c);
  return all;
}
bool is_beside(const Expression& access) {
  return std::ranges::any_of(access.offsets, [](int n) { return n != 0; });
}
const std::map<std::string, int>& functions() {
  static const std::map<std::string, int> all{{"sqrt", 1}, {"abs", 1}, {"exp", 1}, {"log", 1}, {"log10", 1}, {"sin", 1},
      {"cos", 1}, {"tan", 1}, {"asin", 1}, {"acos", 1}, {"atan", 1}, {"sinh", 1}, {"cosh", 1}, {"tanh", 1}, {"erf", 1},
      {"floor", 1}, {"ceil", 1}, {"square", 1}, {"min", 2}, {"max", 2}, {"pow", 2}, {"atan2", 2}, {"noise", 1},
      {"integer", 1}, {"real", 1}};
  return all;
}
bool is_of_host(const Expression& call) {
  return call.text != "noise" && call.text != "integer" && call.text != "real";
}
}  // namespace cereus::stencils
