// NAME.cpp: what a stencil program declares, and when its kernels run.
#include <fmt/format.h>

#include "cereus/text.hpp"
#include "stencils/print.hpp"

namespace cereus::stencils {
namespace {
std::string print_parameter(const Program& program, const ParameterText& p) {
  const bool whole = program.integers.contains(p.name);
  const std::string value = whole ? fmt::format("std::int64_t{{{}}}", static_cast<std::int64_t>(default_of(p)))
                                  : fmt::format("double({})", format_double(default_of(p)));
  return fmt::format("  d.parameter(\"{0}\", {1}, any(), \"{2}\"){3};\n", p.name, value, doc_of(program, p),
      p.value ? "" : ".must_be_given()");
}
std::string print_group(const Program& program, const FieldText& f) {
  std::vector<std::string> names, before;
  for (const std::string& v : variables_of(f))
    names.push_back("\"" + v + "\""), before.push_back("\"" + v + "_before\"");
  const std::string kept = f.scratch ? ".not_checkpointed()" : "";
  const std::string type = f.type.kind == Type::Kind::integer ? ".type(ScalarType::int32)" : "";
  std::string s = fmt::format("  d.group<Of_{0}>(\"of_{0}\", {{{1}}}, \"Field {0}\").cell_centred(){2}{3};\n", f.name,
      join(names, ", "), program.two_levels(&f) ? ".timelevels(2)" : "", kept + type);
  if (is_copied(program, f))
    s += fmt::format(
        "  d.group<Before_{0}>(\"before_{0}\", {{{1}}}, \"{0} before it is updated\").cell_centred()"
        ".not_checkpointed(){2};\n",
        f.name, join(before, ", "), type);
  return s;
}
// The grid of the run has the points that are updated.
std::string print_check(const Program& program) {
  std::string points, periodic;
  for (int axis = 0; axis < program.dim(); ++axis) {
    const int index = program.dim() - 1 - axis;
    points += fmt::format(
        "{}{} - {} + 1", axis ? ", " : "", program.end_of_all(index, true), program.end_of_all(index, false));
    periodic += fmt::format("{}{}", axis ? ", " : "", program.is_periodic(index));
  }
  return fmt::format(R"(void check_grid(Context& c) {{
  [[maybe_unused]] const Parameters& p = c.parameters();
  const std::vector<std::int64_t> points{{{0}}}, periodic{{{1}}};
  const Patch& space = c.grid().levels.at(0).space;
  if (c.grid().levels.size() > 1 || c.service<Driver>().adapts(0))
    throw Error("{3} updates the points of one level; take one level");
  bool same = c.grid().dim == {2};
  for (int a = 0; a < {2}; ++a)
    same = same && space.cells.hi[a] - space.cells.lo[a] == points[a] && space.periodic[a] == periodic[a];
  if (!same)
    throw Error("{3} updates other points than the grid has: UniGrid: {{cells: " + to_yaml(points) +
                ", periodic: " + to_yaml(Value(std::vector<bool>(periodic.begin(), periodic.end()))) + "}}");
}}

)",
      points, periodic, program.dim(), program.thorn);
}
std::string print_schedule(const Program& program) {
  const std::string variants = fmt::format("detail::Reals, dimensions<{}>", program.dim());
  std::string s =
      "void schedule(Schedule& s, [[maybe_unused]] const Parameters& p) {\n"
      "  s.routine(\"grid\", \"Checks that the grid has the points that are updated\", check_grid)\n"
      "      .at(bin::paramcheck)\n      .once();\n";
  const std::string set = print_set(constants_of_initial(program));
  s += fmt::format("  s.kernel<Initial<interior>::At, {}>(\"initial\", \"Initial data\"){}\n      .at(bin::initial);\n",
      variants, set);
  s += fmt::format(
      "  s.kernel<Initial<boundary>::At, {}>(\"shell\", \"Initial data\"){}\n      .at(bin::initial)\n"
      "      .before(\"initial\");\n",
      variants, set);
  std::string after;
  const auto kernel = [&](const std::string& type, const std::string& doc, const std::vector<Constant>& constants) {
    s += fmt::format("  s.kernel<{0}, {1}>(\"{0}\", \"{2}\"){3}\n      .at(bin::evolve){4};\n", type, variants, doc,
        print_set(constants), after);
    after = fmt::format("\n      .after(\"{}\")", type);
  };
  for (std::size_t n = 0; n < program.steps.size(); ++n) {
    const Step& step = program.steps[n];
    if (step[0].copied) kernel(fmt::format("Copy{}", n + 1), step[0].field->name + " before it is updated", {});
    kernel(fmt::format("Step{}", n + 1), doc_of(step), constants_of(program, n));
  }
  return s + print_until_schedule(program) + "}\n";
}
}  // namespace

std::string print_set(const std::vector<Constant>& constants) {
  if (constants.empty()) return "";
  std::string s = "\n      .set([](auto& k, const Parameters& p) {\n";
  for (const Constant& c : constants)
    s += fmt::format("        k.{0} = static_cast<decltype(k.{0})>({1});\n", c.name, c.value);
  return s + "      })";
}

std::string description_of(const Program& program) { return "The stencil program " + program.thorn; }
std::string doc_of(const Program& program, const ParameterText& p) {
  return fmt::format("{}, line {}", program.integers.contains(p.name) ? "A whole number of bounds" : "A number",
      program.source.line(p.span.begin));
}

std::string print_thorn(const Program& program) {
  std::string s = fmt::format(
      "// {0}: what it declares, and when its kernels run. Made by `cereus equations`.\n#include "
      "<cereus/console.hpp>\n#include <cereus/text.hpp>\n#include "
      "<cereus/thorn.hpp>\n"
      "#include <algorithm>\n#include <cmath>\n\n#include \"kernels.hpp\"\n\n"
      "namespace {1} {{\nvoid declare(Declaration& d) {{\n  d.describe(\"{2}\");\n",
      program.thorn, namespace_of(program), description_of(program));
  for (const auto& p : program.text.parameters) s += print_parameter(program, p);
  for (const auto& f : program.text.fields) s += print_group(program, f);
  if (const auto& until = program.text.grids[0].until)
    s += fmt::format(
        "  d.scalars(\"until\", {{\"until_value\"}}, \"{}\").type(ScalarType::float64).not_checkpointed();\n",
        doc_of(*until));
  return s + "}\n\n" + print_check(program) + print_schedule(program) +
         fmt::format("}}  // namespace {0}\nCEREUS_THORN({1}, {0}::declare, {0}::schedule)\n", namespace_of(program),
             program.thorn);
}
}  // namespace cereus::stencils
