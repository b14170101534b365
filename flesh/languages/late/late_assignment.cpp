// An assignment of grid functions, target = formula, as a thorn of its own, compiled for a run.
#include <fmt/format.h>

#include "cereus/hash.hpp"
#include "cereus/text.hpp"
#include "late/late_thorn.hpp"

namespace cereus {
namespace {
struct Body {
  std::string statements;
  std::vector<std::string> inputs;
  std::vector<double> numbers;
  bool changes = false;  // reads its target
};

// Of x, y, z and t, or of a variable.
std::string value_of(const std::string& name, const std::string& target, Body& body) {
  constexpr std::string_view places = "xyzt";
  if (name.size() == 1 && places.find(name[0]) != places.npos) {
    if (name == "t") return "static_cast<Real>(p.time())";
    return fmt::format("place<{}, dim, Real>(p)", places.find(name[0]));
  }
  if (name == target) return body.changes = true, "p(out.v)";
  body.inputs.push_back(name);
  return fmt::format("p(in.v[{}])", body.inputs.size() - 1);
}

Body body_of(const std::string& target, const Formula& f) {
  Body body;
  std::vector<std::string> names;
  for (const std::string& name : f.names) names.push_back(value_of(name, target, body));
  std::vector<Operation> operations;
  for (const Formula::Step& step : f.steps) operations.push_back(step.operation);
  body.statements = statements_of(operations, [&](std::size_t n) {
    if (f.steps[n].operation == Operation::name) return names[static_cast<std::size_t>(f.steps[n].name)];
    body.numbers.push_back(f.steps[n].number);
    return fmt::format("numbers.v[{}]", body.numbers.size() - 1);
  });
  body.statements += fmt::format("    p(out.v) = v{};\n", operations.size() - 1);
  return body;
}

constexpr const char* kernels = R"(#pragma once
#include <cereus/kernel.hpp>
#include <cereus/kernel/arithmetic.hpp>
#include <cereus/kernel/noise.hpp>
namespace {0} {{
using namespace cereus;
template <class F> struct Inputs {{ F v[{1}]; }};
template <class F> struct Target {{ F v; }};
template <class Real> struct Numbers {{ Real v[{4}]; }};
template <int axis, int dim, class Real> CEREUS_KERNEL Real place(const auto& p) {{
  if constexpr (axis >= dim) return Real(0);
  else return static_cast<Real>(axis == 0 ? p.x() : axis == 1 ? p.y() : p.z());
}}
template <int dim, class Real> struct Assign {{
{2}  {3}<Target, interior, Real> out;
  Numbers<Real> numbers;
  CEREUS_KERNEL void operator()(const auto& p) const {{
{5}  }}
}};
}}
)";

constexpr const char* declaration = R"(#include <cereus/thorn.hpp>
#include "kernels.hpp"
namespace {0} {{
void declare(Declaration& d) {{
  d.describe("An assignment");
  d.parameter("target", "", any(), "The variable that is set");
  d.parameter("inputs", std::vector<std::string>{{}}, any(), "Others");
  d.parameter("numbers", std::vector<double>{{}}, any(), "In the order in which they stand");
}}
void schedule(Schedule& s, const Parameters& par) {{
  auto item = s.kernel<Assign, detail::Reals, dimensions<{1}>>("assign", "An assignment");
  item.template bind<Target>({{par.string("target")}});
{2}  item.set([](auto& k, const Parameters& p) {{
    const auto numbers = p.reals("numbers");
    for (std::size_t n = 0; n < numbers.size(); ++n) k.numbers.v[n] = static_cast<CEREUS_REAL>(numbers[n]);
  }});
  item.at(bin::postinitial);
}}
}}
CEREUS_THORN({0}, {0}::declare, {0}::schedule)
)";

std::string parameters_of(const std::string& target, const Body& body) {
  std::vector<std::string> digits;
  for (const double n : body.numbers) digits.push_back(format_double(n));
  const std::string quoted = body.inputs.empty() ? "" : "\"" + join(body.inputs, "\", \"") + "\"";
  return fmt::format("{{target: \"{}\", inputs: [{}], numbers: [{}]}}", target, quoted, join(digits, ", "));
}
}  // namespace

AssignmentThorn late_assignment(const std::string& target, const Formula& f) {
  const Body body = body_of(target, f);
  AssignmentThorn a{{}, target, body.inputs, body.numbers, parameters_of(target, body)};
  const std::string shape =
      fmt::format("{} {} {} {}", body.inputs.size(), body.numbers.size(), body.changes, body.statements);
  a.thorn.name = "Assign" + hash_of(shape).substr(0, 16), a.thorn.description = "An assignment";
  a.thorn.print = [body, name = a.thorn.name](const CompileFor& to) {
    const bool reads = !body.inputs.empty();
    return LateThorn::Sources{
        fmt::format(kernels, name, std::max<std::size_t>(body.inputs.size(), 1),
            reads ? "  Read<Inputs, pointwise, Real> in;\n" : "", body.changes ? "Modify" : "Write",
            std::max<std::size_t>(body.numbers.size(), 1), body.statements),
        fmt::format(
            declaration, name, to.dimension, reads ? "  item.template bind<Inputs>(par.strings(\"inputs\"));\n" : "")};
  };
  return a;
}
}  // namespace cereus
