// Names and types of expressions: what is real, what a record, and what nobody has declared.
#include "stencils/types.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "cereus/text.hpp"

namespace cereus::stencils {
using Kind = Expression::Kind;
namespace {
bool is_fixed(const Program& program, const Expression& e) {  // the same at all points
  const bool name = e.kind == Kind::name && program.parameter(e.text);
  const bool call = e.kind == Kind::call && is_of_host(e);
  const bool known = name || call || e.kind == Kind::number || e.kind == Kind::negative || e.kind == Kind::binary;
  return known && std::ranges::all_of(e.args, [&](const Expression& a) { return is_fixed(program, a); });
}
bool is_number(const Type& t) { return t.kind == Type::Kind::real || t.kind == Type::Kind::integer; }
bool is_integer(const Expression& e) { return e.type.kind == Type::Kind::integer; }
void make_real(Expression& e) {
  if (!is_integer(e)) return;
  Expression real;
  real.kind = Kind::call, real.text = "real", real.span = e.span;
  real.args.push_back(std::move(e));
  e = std::move(real);
}
// The parts of which an expression is an integer, if they are.
std::span<Expression> parts(Expression& e) {
  if (e.kind == Kind::choose || e.kind == Kind::let) return std::span(e.args).subspan(1);
  const bool sum = e.kind == Kind::negative || (e.kind == Kind::binary && e.text != "/");
  return sum ? std::span(e.args) : std::span<Expression>();
}
bool is_whole(Expression& e) {
  const bool digits = e.kind == Kind::number && value_of(e, {});
  return is_integer(e) || digits || (!parts(e).empty() && std::ranges::all_of(parts(e), is_whole));
}
// Numbers without a fraction, where an integer is wanted.
void make_integer(Expression& e) {
  if (is_integer(e) || !is_whole(e)) return;
  std::ranges::for_each(parts(e), make_integer);
  e.type.kind = Type::Kind::integer;
}
}  // namespace

void Types::of_function(FunctionText& f, const FieldText& field) {
  reads_.clear();
  reads_.insert(field.name);
  for (const Argument& a : f.arguments) reads_.insert(a.field);
  expect(f.value, field, false);
}
void Types::of_initial(FieldText& f) {
  reads_.clear();
  expect(*f.initial, f, true);
}
void Types::of_until(UntilText& u) {
  for (const FieldText& f : program_.text.fields) reads_.insert(f.name);
  old_ = true;
  number(u.value, "what is compared");
  if (is_fixed(program_, u.limit)) number(u.limit, "a limit");
  else add(u.limit.span, "a limit is made of numbers and parameters", "1e-6");
}
void Types::expect(Expression& e, const FieldText& field, bool or_number) {
  const std::size_t before = problems();
  check(e);
  if (field.type.kind == Type::Kind::integer) make_integer(e);
  else make_real(e);
  const Type& t = e.type;
  const bool real = t.kind == Type::Kind::real, each = or_number && real && field.type.kind == Type::Kind::record;
  if (problems() == before && t != field.type && !each)
    add(e.span, fmt::format("this is {}, and '{}' is {}", described(t), field.name, described(field.type)),
        real && field.type.kind == Type::Kind::integer ? "integer(…)" : "");
}

std::string Types::described(const Type& t) {
  if (t.kind == Type::Kind::truth) return "true or false";
  if (t.kind == Type::Kind::real) return "a number";
  if (t.kind == Type::Kind::integer) return "an integer";
  if (t.vector) return fmt::format("a vector of {}", t.members.size());
  std::vector<std::string> names;
  for (const auto& m : t.members) names.push_back(m.first);
  return fmt::format("a record of {}", join(names, ", "));
}

const Type& Types::check(Expression& e) {
  switch (e.kind) {
    case Kind::number: break;
    case Kind::name: name(e); break;
    case Kind::access: access(e); break;
    case Kind::call: call(e); break;
    case Kind::negative: e.type = check(e.args[0]); break;
    case Kind::binary: binary(e); break;
    case Kind::compare:
      for (Expression& a : e.args) any_number(a, "what is compared");
      make_alike(e.args[0], e.args[1]);
      e.type.kind = Type::Kind::truth;
      break;
    case Kind::choose:
      if (check(e.args[0]).kind != Type::Kind::truth) add(e.args[0].span, "what stands before '?' is no comparison");
      check(e.args[1]), check(e.args[2]);
      make_alike(e.args[1], e.args[2]);
      if (e.args[1].type != e.args[2].type) add(e.span, "the two sides of ':' are of different types");
      e.type = e.args[1].type;
      break;
    case Kind::let: {
      lets_.emplace_back(e.text, check(e.args[0]));
      e.type = check(e.args[1]);
      lets_.pop_back();
      break;
    }
    case Kind::record: record(e); break;
  }
  return e.type;
}

const Type* Types::let(const std::string& name) const {
  const auto at = std::find_if(lets_.rbegin(), lets_.rend(), [&](const auto& l) { return l.first == name; });
  return at == lets_.rend() ? nullptr : &at->second;
}
void Types::name(Expression& e) {
  static const std::vector<std::string> built_in{"x", "y", "z", "t", "h"};
  if (const Type* t = let(e.text)) return void(e.type = *t);
  if (program_.parameter(e.text)) return;
  if (program_.field(e.text)) {
    e.kind = Kind::access;
    return access(e);
  }
  if (std::ranges::count(built_in, e.text)) return;
  std::vector<std::string> names = built_in;
  for (const auto& p : program_.text.parameters) names.push_back(p.name);
  for (const auto& f : program_.text.fields) names.push_back(f.name);
  for (const auto& l : lets_) names.push_back(l.first);
  add(e.span, fmt::format("'{}' is not declared{}", e.text, did_you_mean(e.text, names)),
      fmt::format("a parameter: param {} = …", e.text));
}
void Types::access(Expression& e) {
  const Type* bound = e.offsets.empty() && !e.old ? let(e.text) : nullptr;
  const FieldText* f = bound ? nullptr : program_.field(e.text);
  if (!bound && !f) {
    std::vector<std::string> names;
    for (const auto& known : program_.text.fields) names.push_back(known.name);
    return add(e.span, fmt::format("'{}' is no field{}", e.text, did_you_mean(e.text, names)));
  }
  if (e.old && !old_) add(e.span, "`old` is for what follows `until`", "keep it in a field that is updated first");
  if (f && !reads_.contains(e.text))
    add(e.span,
        reads_.empty() ? "initial data read no field" : fmt::format("'{}' is no argument of the function", e.text),
        reads_.empty() ? "x, y, z and noise(1) are known" : fmt::format("{}_{}", f->name, f->grid));
  if (f && !e.offsets.empty() && static_cast<int>(e.offsets.size()) != program_.dim())
    add(e.span, fmt::format("'{}' has {} ind{}, not {}", e.text, program_.dim(), program_.dim() == 1 ? "ex" : "ices",
                    e.offsets.size()));
  const Type* t = bound ? bound : &f->type;
  for (const std::string& member : e.path) {
    const auto at = std::ranges::find(t->members, member, &std::pair<std::string, Type>::first);
    if (at == t->members.end())
      return add(e.span, fmt::format("there is no component '{}' in {}", member, described(*t)));
    t = &at->second;
  }
  e.type = *t;
}
void Types::any_number(Expression& e, const char* what) {
  const std::size_t before = problems();
  const Type& t = check(e);
  if (!is_number(t) && problems() == before)
    add(e.span, fmt::format("{} is a number, and this is {}", what, described(t)));
}
void Types::number(Expression& e, const char* what) { any_number(e, what), make_real(e); }
void Types::make_alike(Expression& a, Expression& b) {
  if (is_integer(a)) make_integer(b);
  if (is_integer(b)) make_integer(a);
  if (!is_integer(a) || !is_integer(b)) make_real(a), make_real(b);
}
void Types::call(Expression& e) {
  const auto known = functions().find(e.text);
  if (known == functions().end()) {
    std::vector<std::string> names;
    for (const auto& f : functions()) names.push_back(f.first);
    return add(e.span, fmt::format("there is no function '{}'{}", e.text, did_you_mean(e.text, names)));
  }
  if (static_cast<int>(e.args.size()) != known->second)
    return add(e.span, fmt::format("{} takes {} argument{}", e.text, known->second, known->second == 1 ? "" : "s"));
  for (Expression& a : e.args) any_number(a, "an argument");
  if (e.args.size() == 2) make_alike(e.args[0], e.args[1]);
  const bool keeps = e.text == "min" || e.text == "max" || e.text == "square";
  if (keeps) e.type = e.args[0].type;
  else if (e.text == "integer") e.type.kind = Type::Kind::integer;
  else if (e.text != "real") std::ranges::for_each(e.args, make_real);
  if (e.text == "noise" && !value_of(e.args[0], {})) add(e.args[0].span, "a seed is a whole number", "noise(1)");
}
void Types::binary(Expression& e) {
  const std::size_t before = problems();
  check(e.args[0]), check(e.args[1]);
  if (e.text == "/") std::ranges::for_each(e.args, make_real);
  else make_alike(e.args[0], e.args[1]);
  const Type a = e.args[0].type, b = e.args[1].type;
  const bool scaled = a.kind == Type::Kind::record && b.kind == Type::Kind::real && (e.text == "*" || e.text == "/");
  const bool scales = a.kind == Type::Kind::real && b.kind == Type::Kind::record && e.text == "*";
  const bool added = a == b && a.kind == Type::Kind::record && (e.text == "+" || e.text == "-");
  e.type = scales ? b : a;
  if ((is_number(a) && is_number(b)) || scaled || scales || added) return;
  if (problems() == before)
    add(e.span, fmt::format("'{}' of {} and {}", e.text, described(a), described(b)),
        "records of one type are added, and are multiplied by numbers");
}
void Types::record(Expression& e) {
  e.type.kind = Type::Kind::record, e.type.vector = e.path.empty();
  for (std::size_t i = 0; i < e.args.size(); ++i)
    check(e.args[i]), make_real(e.args[i]),
        e.type.members.emplace_back(e.path.empty() ? std::to_string(i) : e.path[i], e.args[i].type);
}
}  // namespace cereus::stencils
