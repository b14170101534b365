// A thorn's equations as a document of LaTeX: what it solves, typeset, and what its kernels cost.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "equations/cost.hpp"
#include "equations/formula.hpp"
#include "equations/print.hpp"

namespace cereus::equations {
namespace {
constexpr std::size_t line_width = 150;  // characters of LaTeX that make about a line

// Lines of `align*`: terms go on in another line where one is full.
std::string print_equation(const std::string& left, const char* relation, const std::vector<std::string>& terms) {
  std::string s = fmt::format("  {} &{} ", left, relation);
  std::size_t width = left.size();
  for (const auto& term : terms) {
    if (width > left.size() && width + term.size() > line_width) s += "\\\\\n  &\\quad ", width = left.size();
    s += term + " ";
    width += term.size();
  }
  return s;
}
std::string print_left(const Equation& q) {
  const std::string rate = q.of_rate ? "\\partial_{t} " : "";
  if (q.arguments.empty()) return rate + latex(q.left.name, q.left.indices);
  return fmt::format("{}({}){}", latex(q.left.name, {}), fmt::join(q.arguments, ", "), latex("", q.left.indices));
}
std::string print_equations(const Source& source, const std::vector<Equation>& equations) {
  std::vector<std::string> lines;
  for (const Equation& q : equations)
    lines.push_back(print_equation(print_left(q), q.adds ? "\\mathrel{+}=" : "=", latex_terms(source, q.right)));
  return lines.empty() ? "" : fmt::format("\\begin{{align*}}\n{}\n\\end{{align*}}\n", fmt::join(lines, "\\\\\n"));
}

std::string print_value(const ParameterText& p) {
  std::vector<std::string> all;
  for (const Rational& q : p.value) all.push_back(to_string(q));
  return !p.keyword.empty() ? fmt::format("\\mathrm{{{}}}", p.keyword)
         : all.size() == 1  ? all[0]
                            : fmt::format("({})", fmt::join(all, ", "));
}
std::string print_names(const ThornText& t) {
  std::string s;
  const auto item = [&](const std::string& formula, const std::string& doc) {
    s += fmt::format("\\item[${}$] {}\n", formula, latex_words(doc));
  };
  for (const ParameterText& p : t.parameters)
    item(latex(p.declared.name, p.declared.indices) + " = " + print_value(p), p.declared.doc);
  for (const GroupText& g : t.groups) {
    std::vector<std::string> names;
    for (const Declared& d : g.tensors) names.push_back(latex(d.name, d.indices));
    item(fmt::format("{}", fmt::join(names, ", ")), g.doc);
    for (const Declared& d : g.tensors)
      if (!d.doc.empty()) item(latex(d.name, d.indices), d.doc);
  }
  return s.empty() ? s : "\\begin{description}\n" + s + "\\end{description}\n";
}

std::string title_of(const Calculation& c) {
  const char* titles[] = {
      "Initial data", "Evolution", "After each stage of the integrator", "After each step", "Analysis"};
  std::string s = titles[static_cast<int>(c.kind)];
  if (!c.from.empty()) s += ", from " + latex_words(c.from);
  if (!c.with.empty()) s += ", with " + latex_words(c.with);
  if (c.after_exchange) s += ", from what was set before";
  return c.region.empty() ? s : s + ", on " + c.region;
}
std::string print_calculation(const Source& source, const Calculation& c) {
  std::string s = "\\subsection*{" + title_of(c) + "}\n" + print_equations(source, c.equations);
  for (const Expression& e : c.each)
    s += fmt::format("and for each evolved $u$ on the right-hand side ${}$.\n\n", latex(source, e));
  return s;
}
}  // namespace

std::string print_latex(const Program& program) {
  const ThornText& t = program.model->text();
  const Source& source = program.model->source();
  std::string s = fmt::format(
      "\\documentclass{{article}}\n\\usepackage{{amsmath}}\n"
      "\\usepackage[margin=2cm]{{geometry}}\n\\allowdisplaybreaks\n\\begin{{document}}\n\\section*{{{}}}\n{}.\n",
      latex_words(t.name), latex_words(t.doc));
  s += print_names(t);
  if (t.metric) s += fmt::format("Indices are moved by ${}$.\n", latex(t.metric->name, t.metric->indices));
  if (!t.lets.empty()) s += "\\subsection*{Definitions}\n" + print_equations(source, t.lets);
  for (const Calculation& c : t.calculations) s += print_calculation(source, c);
  s += fmt::format("\\subsection*{{Costs: {}}}\n\\begin{{description}}\n", grid_of(program));
  for (const Kernel& k : program.kernels)
    s += fmt::format("\\item[{}] {}.\n", latex_words(k.name), describe(cost_of(program, k)));
  return s + "\\end{description}\n\\end{document}\n";
}
}  // namespace cereus::equations
