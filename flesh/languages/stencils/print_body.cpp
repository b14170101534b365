// Expressions as C++, in the order in which the author wrote them: no sum is arranged anew.
#include <fmt/format.h>

#include <algorithm>

#include "equations/print.hpp"
#include "stencils/print.hpp"

namespace cereus::stencils {
using Kind = Expression::Kind;
namespace {
std::string as_number(std::string s) {  // a leading 0 means something else in C++, and so do too many digits
  if (s.find_first_of(".eE") == std::string::npos) {
    s.erase(0, std::min(s.find_first_not_of('0'), s.size() - 1));
    if (s.size() > 9) s += ".";
  }
  return s;
}
bool is_one(const Expression& e) { return e.kind == Kind::number && std::strtod(e.text.c_str(), nullptr) == 1; }
}  // namespace

std::string on_host(const Program& program, const Expression& e) {
  const auto arg = [&](int i) { return on_host(program, e.args[i]); };
  switch (e.kind) {
    case Kind::number: return fmt::format("double({})", as_number(e.text));
    case Kind::name:
      return fmt::format("{}(\"{}\")", program.integers.contains(e.text) ? "(double)p.integer" : "p.real", e.text);
    case Kind::negative: return "(-" + arg(0) + ")";
    case Kind::binary: return fmt::format("({} {} {})", arg(0), e.text, arg(1));
    default: break;
  }
  std::string args;
  for (std::size_t i = 0; i < e.args.size(); ++i) args += (i ? ", " : "") + arg(static_cast<int>(i));
  if (e.text == "square" || e.text == "min" || e.text == "max")
    return fmt::format("cereus::{}<double>({})", e.text, args);
  return fmt::format("std::{}({})", e.text, args);
}

std::string number_of(const Type& t) {
  return t.kind == Type::Kind::integer ? "int" : t.kind == Type::Kind::truth ? "bool" : "Real";
}

Body::Body(const Program& program, std::vector<Constant>& constants, std::string indent)
    : program_(program),
      constants_(constants),
      indent_(std::move(indent)) {}
void Body::may_read(const FieldText* field, const std::string& handle, bool old) {
  handles_[{field, old}] = handle, take(handle);
}

std::string Body::fresh(const std::string& wish) {
  std::string name = equations::identifier(wish);
  while (!taken_.insert(name).second) name += "_";
  return name;
}
std::string Body::constant(const std::string& type, const std::string& wish, const std::string& value) {
  for (const Constant& c : constants_)
    if (c.type == type && c.value == value) return c.name;
  constants_.push_back({type, fresh(wish), value});
  return constants_.back().name;
}
bool Body::is_uniform(const Expression& e) const {
  const bool let = std::ranges::any_of(lets_, [&](const auto& l) { return l.name == e.text; });
  if (e.kind == Kind::name) return !let && program_.parameter(e.text);
  const bool pure = e.kind == Kind::negative || e.kind == Kind::binary || (e.kind == Kind::call && is_of_host(e));
  const auto number = [](const Expression& a) { return a.kind == Kind::number; };
  return pure && std::ranges::all_of(e.args, [&](const auto& a) { return number(a) || is_uniform(a); }) &&
         !std::ranges::all_of(e.args, number);
}

std::vector<std::string> Body::evaluate(const Expression& e, const std::string& wish) {
  const std::size_t n = components_of(e.type).size();
  std::vector<std::string> names;
  for (std::size_t c = 0; c < n; ++c) {
    const std::string text = print(e, static_cast<int>(c));
    names.push_back(fresh(n == 1 ? wish : fmt::format("{}_{}", wish, c)));
    line(fmt::format("const {} {} = {};", number_of(e.type), names.back(), text));
  }
  return names;
}

// `level`: how tightly what stands around it binds; sums 1, products 2, signs 3.
std::string Body::print(const Expression& e, int component, int level) {
  const auto arg = [&](int i, int within = 0) { return print(e.args[i], component, within); };
  if (is_uniform(e)) return constant("Real", e.kind == Kind::name ? e.text : "c", on_host(program_, e));
  switch (e.kind) {
    case Kind::number:
      if (e.type.kind == Type::Kind::integer) return as_number(e.text);
      return fmt::format("Real({})", as_number(e.text));
    case Kind::name:
      for (auto l = lets_.rbegin(); l != lets_.rend(); ++l)
        if (l->name == e.text) return l->parts[l->parts.size() == 1 ? 0 : component];
      if (e.text == "t") return "Real(p.time())";
      return e.text == "h" ? "Real(p.h(0))" : fmt::format("Real(p.{}())", e.text);
    case Kind::access: return print_access(e, component);
    case Kind::call: return print_call(e);
    case Kind::negative: return level > 3 ? "(-" + arg(0, 4) + ")" : "-" + arg(0, 4);
    case Kind::compare: return fmt::format("({} {} {})", arg(0, 1), e.text, arg(1, 1));
    case Kind::choose: return fmt::format("cereus::choose<{}>({}, {}, {})", number_of(e.type), arg(0), arg(1), arg(2));
    case Kind::let: {
      if (!known_.contains(&e)) known_[&e] = evaluate(e.args[0], e.text);
      lets_.push_back({e.text, e.args[0].type, known_[&e]});
      const std::string value = print(e.args[1], component, level);
      lets_.pop_back();
      return value;
    }
    case Kind::record: {
      int first = 0;
      for (const Expression& a : e.args) {
        const int n = static_cast<int>(components_of(a.type).size());
        if (component < first + n) return print(a, component - first, level);
        first += n;
      }
      return "";
    }
    case Kind::binary: break;
  }
  const bool root = e.text == "/" && e.args[1].kind == Kind::call && e.args[1].text == "sqrt" && is_one(e.args[0]);
  if (root) return fmt::format("cereus::inverse_sqrt<Real>({})", print(e.args[1].args[0], 0));
  if (e.text == "/") return fmt::format("cereus::quotient<Real>({}, {})", arg(0), arg(1));
  const int own = e.text == "*" ? 2 : 1;
  const std::string text = fmt::format("{} {} {}", arg(0, own), e.text, arg(1, own + 1));
  return level > own ? "(" + text + ")" : text;
}

std::string Body::print_access(const Expression& e, int component) {
  const Type* t = nullptr;
  std::vector<std::string> names;
  const FieldText* field = nullptr;
  for (auto l = lets_.rbegin(); l != lets_.rend() && names.empty() && e.offsets.empty(); ++l)
    if (l->name == e.text) names = l->parts, t = &l->type;
  if (names.empty()) field = program_.field(e.text), t = &field->type;
  std::size_t n = components_of(e.type).size() == 1 ? 0 : component;
  for (const std::string& member : e.path)
    for (const auto& [name, type] : t->members) {
      if (name == member) {
        t = &type;
        break;
      }
      n += components_of(type).size();
    }
  if (!field) return names[n];
  const std::string variable = handles_.at({field, e.old}) + "." + member_of(*field, n);
  if (!is_beside(e)) return fmt::format("p({})", variable);
  int offset[3] = {};
  for (std::size_t i = 0; i < e.offsets.size(); ++i) offset[program_.axis(static_cast<int>(i))] = e.offsets[i];
  return fmt::format("cereus::at<{}, {}, {}>(p, {})", offset[0], offset[1], offset[2], variable);
}
std::string Body::print_call(const Expression& e) {
  if (e.text == "noise") return fmt::format("cereus::noise<Real>(p, {})", *value_of(e.args[0], {}));
  std::string args;
  for (const Expression& a : e.args) args += (args.empty() ? "" : ", ") + print(a, 0);
  if (e.text == "real") return "Real(" + args + ")";
  if (e.text == "integer") return "static_cast<int>(" + args + ")";
  return fmt::format("cereus::{}<{}>({})", e.text == "abs" ? "fabs" : e.text, number_of(e.type), args);
}
}  // namespace cereus::stencils
