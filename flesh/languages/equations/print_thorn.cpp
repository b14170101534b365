// NAME.cpp: what a thorn of equations declares, and when its kernels run.
#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "cereus/text.hpp"
#include "equations/effect.hpp"
#include "equations/print.hpp"

namespace cereus::equations {
namespace {
std::string quoted(const std::string& s) {
  std::string q = "\"";
  for (const char c : s) q += (c == '"' || c == '\\' ? std::string("\\") : std::string()) + c;
  return q + "\"";
}
// A line of C++ for each of the text.
std::string print_text(const std::string& text) {
  std::istringstream in(text);
  std::string s;
  for (std::string line; std::getline(in, line);) {
    const std::string q = equations::quoted(line);
    s += "\n      " + q.substr(0, q.size() - 1) + "\\n\"";
  }
  return s;
}
std::string print_double(const Rational& q) {
  if (is_integer(q)) return numerator(q).str() + ".0";
  return format_double(to_double(q));
}

std::string print_range(const ParameterText& p) {
  if (!p.choices.empty()) {
    std::vector<std::string> all;
    for (const auto& c : p.choices)
      all.push_back(p.is_integer() ? to_string(c.number) : fmt::format("{{{}, {}}}", quoted(c.word), quoted(c.doc)));
    return fmt::format("{}({{{}}})", p.is_integer() ? "integers_of" : "one_of", join(all, ", "));
  }
  const auto one = [](const char* open, const char* closed, const auto& b) {
    return fmt::format("{}({})", b.included ? closed : open, print_double(b.value));
  };
  const auto end = [](const auto& b) { return fmt::format("{{{}, {}}}", print_double(b.value), b.included); };
  if (p.lower && p.upper && p.lower->included && p.upper->included)
    return fmt::format("between({}, {})", print_double(p.lower->value), print_double(p.upper->value));
  if (p.lower && p.upper) return fmt::format("between({}, {})", end(*p.lower), end(*p.upper));
  if (p.lower) return one("above", "at_least", *p.lower);
  if (p.upper) return one("below", "at_most", *p.upper);
  return "any()";
}
std::string print_effect(const Effect& effect) {
  std::vector<std::string> values;
  for (const std::string& v : effect.values) values.push_back(quoted(v));
  return effect.choice.empty() ? "" : fmt::format(".only_with({}, {{{}}})", quoted(effect.choice), join(values, ", "));
}
std::string print_parameter(const ParameterText& p, const Effect& effect) {
  std::string value;
  if (p.is_choice_of_words()) value = quoted(p.keyword);
  else if (p.is_integer()) value = to_string(p.value.at(0));
  else if (p.value.size() == 1 && p.declared.indices.empty()) value = print_double(p.value[0]);
  else {
    std::vector<std::string> all;
    for (const Rational& q : p.value) all.push_back(print_double(q));
    value = "{" + join(all, ", ") + "}";
  }
  return fmt::format("  d.parameter({}, {}, {}, {}){}{}{};\n", quoted(p.declared.name), value, print_range(p),
      quoted(p.declared.doc), p.declared.indices.empty() ? "" : fmt::format(".length({})", p.value.size()),
      p.steerable ? ".may_steer()" : "", print_effect(effect));
}

// Variables of a group that do the same far away, each kind in one line.
std::string print_far(const Program& program, const std::string& group) {
  std::map<std::string, std::string> names;  // by what they do
  for (const auto& [v, far] : program.far) {
    const Variable& x = program.model->variables()[v];
    if (x.group != group) continue;
    std::string what = ".far = " + print_double(far.value);
    if (far.speed)
      what += fmt::format(
          ", .speed = [](const Parameters& p) {{ return (void)p, double({}); }}", print_constant(program, *far.speed));
    names[what] += (names[what].empty() ? "" : ", ") + quoted(x.name);
  }
  std::string s;
  for (const auto& [what, list] : names) s += fmt::format("\n      .outgoing({{{}}}, {{{}}})", list, what);
  return s;
}

std::string print_centre(const std::array<Centre, 3>& centre) {
  if (centre == std::array<Centre, 3>{}) return "";
  std::vector<std::string> axes;
  for (const Centre c : centre) axes.emplace_back(c == Centre::cell ? "Centre::cell" : "Centre::vertex");
  return "\n      .centre(" + join(axes, ", ") + ")";
}

std::string print_group(const Program& program, const GroupText& g) {
  const Model& m = *program.model;
  std::string variables, tensors;
  for (const Variable& v : m.variables())
    if (v.group == g.name) variables += (variables.empty() ? "" : ", ") + quoted(v.name);
  for (const Declared& d : g.tensors) {
    if (d.indices.empty() && !d.axial) continue;
    std::string names;
    for (const Variable& v : m.variables())
      if (v.tensor == d.name) names += (names.empty() ? "" : ", ") + quoted(v.name);
    tensors += fmt::format("\n      .tensor({}, {{{}}}{})", quoted(components_of(d)), names, d.axial ? ", true" : "");
  }
  return fmt::format("  d.group<{0}>({1}, {{{2}}}, {3}){4}{5};\n", camel(g.name), quoted(g.name), variables,
      quoted(g.doc), print_centre(m.text().centre) + tensors + print_far(program, g.name),
      g.evolved                       ? ".rhs<" + camel(g.name) + "Rhs>()"
      : only_derived(program, g.name) ? ".not_checkpointed()"
                                      : "");
}

std::string print_kernel_item(const Program& program, const Kernel& k) {
  using Kind = Calculation::Kind;
  const Model& m = *program.model;
  std::vector<std::string> list;
  for (const int d : program.dimensions) list.push_back(std::to_string(d));
  const std::string dimensions =
      list.size() == 3 ? "" : fmt::format(", {}dimensions<{}>", k.order ? "" : "detail::Reals, ", join(list, ", "));
  std::string s = fmt::format("  s.kernel<{}{}>({}, {})", k.name, dimensions, quoted(k.routine), quoted(doc_of(k)));
  if (k.order) s += fmt::format("\n      .variant(orders, par[{}])", quoted(program.order_parameter));
  s += "\n      .one_centring()";
  if (!k.of->with.empty()) s += fmt::format("\n      .with_thorn({})", quoted(k.of->with));
  const auto constants = constants_of(program, k);
  if (!constants.empty()) {
    s += "\n      .set([](auto& k, const Parameters& p) {\n";
    for (const Constant& c : constants)
      s += fmt::format("        k.{} = static_cast<decltype(k.{})>({});\n", c.name, c.name, c.value);
    s += "      })";
  }
  for (const Member& x : members_of(program, k)) {
    if (x.whole) continue;
    std::vector<std::string> names;
    for (const int v : x.variables) {
      const Variable& variable = m.variables()[v];
      const bool rate = k.of->kind == Kind::rhs && x.writes;
      names.push_back(quoted(
          (variable.thorn == m.text().name ? "" : variable.thorn + "::") + variable.name + (rate ? "_rhs" : "")));
    }
    s += fmt::format("\n      .bind<{}>({{{}}})", x.type, join(names, ", "));
  }
  if (k.of->every > 0) s += fmt::format("\n      .every({{.iterations = {}}})", k.of->every);
  switch (k.of->kind) {
    case Kind::initial:
      s += "\n      .at(bin::initial)";
      if (!k.after.empty()) s += fmt::format("\n      .after({})", quoted(k.after));
      break;
    case Kind::store:
    case Kind::rhs: s += "\n      .in(MoL::rhs)"; break;
    case Kind::after_substep: s += "\n      .in(MoL::post_substep)"; break;
    case Kind::after_step: s += "\n      .at(bin::poststep)"; break;
    case Kind::analysis: s += "\n      .at(bin::analysis)\n      .on_demand()"; break;
  }
  return s + ";\n";
}
}  // namespace

std::string doc_of(const Kernel& k) {
  const char* docs[] = {"Initial data", "Right-hand side", "What holds after each stage", "What holds after each step",
      "Analysis", "What right-hand sides read"};
  return docs[static_cast<int>(k.of->kind)] + (k.of->with.empty() ? "" : ": what " + k.of->with + " adds");
}

std::string components_of(const Declared& d) {
  std::vector<std::string> names;
  for (const auto& c : components_of(d.indices))
    names.push_back(component_name("", d.indices, c, true).substr(!c.empty()));
  return join(names, " ");
}

std::string print_thorn(const Program& program) {
  const Model& m = *program.model;
  const ThornText& t = m.text();
  std::string s = fmt::format(
      "// {}: what it declares, and when its kernels run. Made by `cereus equations`.\n#include "
      "<cereus/thorn.hpp>\n"
      "#include <algorithm>\n#include <cmath>\n\n#include \"kernels.hpp\"\n\nnamespace {} {{\nvoid "
      "declare(Declaration& d) {{\n  "
      "d.describe({});\n  d.equations({});\n",
      t.doc, t.name, quoted(t.doc), print_text(m.source().text()));
  auto effect = effects(program);
  for (const auto& p : t.parameters) s += print_parameter(p, effect[p.declared.name]);
  for (const auto& g : t.groups) s += print_group(program, g);
  for (const StepLimit& limit : program.limits)
    if (!limit.values.empty())
      s += fmt::format(
          "  d.scalars(\"{}\", {{\"{}\"}}, \"{}\")\n      .not_checkpointed()\n      .tag(\"{}\")\n"
          "      .type(ScalarType::float64);\n",
          limit.group, limit.scalar, limit.doc, limit.tag);
  s += "}\n\nvoid schedule(Schedule& s, const Parameters& par) {\n  (void)par;\n";
  for (const Kernel& k : program.kernels) s += print_kernel_item(program, k);
  for (const StepLimit& limit : program.limits) {
    if (limit.values.empty()) continue;
    std::vector<std::string> values;
    for (const Term& v : limit.values) values.push_back("double(" + print_constant(program, v) + ")");
    s += fmt::format(
        "  s.routine(\"{}\", \"{}\",\n       [](Context& c) {{\n"
        "         const auto& p = c.parameters();\n         (void)p;\n"
        "         c.values<double>(\"{}\")[0] = std::max({{{}}});\n       }})\n"
        "      .writes({{\"{}\"}})\n      .at(bin::basegrid)\n      .once();\n",
        limit.group, limit.offers, limit.scalar, join(values, ", "), limit.scalar);
  }
  return s + fmt::format("}}\n}}  // namespace {0}\nCEREUS_THORN({0}, {0}::declare, {0}::schedule)\n", t.name);
}
}  // namespace cereus::equations
