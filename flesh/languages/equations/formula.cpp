#include "equations/formula.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <set>
#include <span>

namespace cereus::equations {
namespace {
using Kind = Expression::Kind;
enum Level { sum_level, product_level, power_level, atom };  // how tightly a formula binds

std::string bracket(const std::string& s) { return "\\left(" + s + "\\right)"; }

std::string symbol(const std::string& name) {
  static const std::set<std::string> greek{"alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota",
      "kappa", "lambda", "mu", "nu", "xi", "pi", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega",
      "Gamma", "Delta", "Theta", "Lambda", "Xi", "Pi", "Sigma", "Upsilon", "Phi", "Psi", "Omega"};
  if (greek.contains(name)) return "\\" + name + " ";
  if (name == "eps") return "\\varepsilon ";
  return name.size() <= 1 ? name : "\\mathrm{" + name + "}";
}
// Upper and lower indices keep their order.
std::string indices_of(const std::vector<Index>& indices) {
  std::string s;
  for (std::size_t n = 0; n < indices.size(); ++n) {
    const Index& i = indices[n];
    if (n == 0 || i.up != indices[n - 1].up) s += fmt::format("{}{}{{", n ? "}{}" : "", i.up ? "^" : "_");
    s += symbol(i.name);
  }
  return indices.empty() ? s : s + "}";
}

class Formula {
 public:
  explicit Formula(const Source& source) : source_(source) {}
  std::string at_least(Level level, const Expression& e) const { return level_of(e) < level ? bracket(of(e)) : of(e); }
  std::string of(const Expression& e) const {
    const auto arg = [&](std::size_t n) { return of(e.args[n]); };
    switch (e.kind) {
      case Kind::number: return number(e);
      case Kind::name: return latex(e.text, e.indices);
      case Kind::call: return call(e);
      case Kind::apply: return apply(e);
      case Kind::sum: return fmt::format("{}", fmt::join(terms(e), " "));
      case Kind::product: return product(e);
      case Kind::quotient: return fmt::format("\\frac{{{}}}{{{}}}", arg(0), arg(1));
      case Kind::power: return at_least(atom, e.args[0]) + "^{" + exponent(e.args[1]) + "}";
      case Kind::negative: return "-" + at_least(product_level, e.args[0]);
      case Kind::compare: {
        static const std::map<std::string, std::string> signs{
            {"==", "="}, {"!=", "\\neq"}, {"<=", "\\leq"}, {">=", "\\geq"}, {"<", "<"}, {">", ">"}};
        return arg(0) + " " + signs.at(e.text) + " " + arg(1);
      }
      case Kind::logic:
        if (e.text == "not") return "\\text{not }" + bracket(arg(0));
        return at_least(product_level, e.args[0]) + "\\text{ " + e.text + " }" + at_least(product_level, e.args[1]);
      case Kind::choose: return cases(e);
    }
    return "";
  }
  // Of a sum, each with its sign.
  std::vector<std::string> terms(const Expression& e) const {
    if (e.kind != Kind::sum) return {of(e)};
    std::vector<std::string> all{of(e.args[0])};
    for (const Expression& a : std::span(e.args).subspan(1))
      all.push_back(a.kind == Kind::negative ? "- " + at_least(product_level, a.args[0]) : "+ " + of(a));
    return all;
  }

 private:
  static Level level_of(const Expression& e) {
    switch (e.kind) {
      case Kind::sum:
      case Kind::negative:
      case Kind::compare:
      case Kind::logic: return sum_level;
      case Kind::product: return product_level;
      case Kind::quotient:
      case Kind::apply:
      case Kind::call:
      case Kind::power: return power_level;
      case Kind::name: return !e.indices.empty() && e.indices.back().up ? power_level : atom;
      default: return atom;
    }
  }
  // What follows another choice is a line of its own.
  std::string cases(const Expression& e) const {
    std::string s = "\\begin{cases} ";
    const Expression* rest = &e;
    for (; rest->kind == Kind::choose; rest = &rest->args[2])
      s += of(rest->args[1]) + " & \\text{if } " + of(rest->args[0]) + " \\\\ ";
    return s + of(*rest) + " & \\text{otherwise} \\end{cases}";
  }
  std::string number(const Expression& e) const {  // as it was written
    std::string s = source_.text().substr(e.span.begin, e.span.end - e.span.begin);
    const auto exponent = s.find_first_of("eE");
    if (exponent == std::string::npos) return s;
    const std::string digits = s.substr(0, exponent);
    return fmt::format("{}10^{{{}}}", digits == "1" ? "" : digits + "\\times ", std::stoi(s.substr(exponent + 1)));
  }
  std::string exponent(const Expression& e) const {
    if (e.kind == Kind::negative) return "-" + exponent(e.args[0]);
    if (e.kind != Kind::quotient) return of(e);
    return at_least(power_level, e.args[0]) + "/" + at_least(power_level, e.args[1]);
  }
  std::string product(const Expression& e) const {
    const bool numbers = e.args[1].kind == Kind::number || e.args[1].kind == Kind::quotient;
    return at_least(product_level, e.args[0]) + (numbers ? " \\cdot " : "\\,") + at_least(power_level, e.args[1]);
  }
  std::string apply(const Expression& e) const {
    const std::string& op = e.text;
    std::string s;
    if (op == "dissipation") s = "\\mathcal{D}";
    else if (op == "upwind") s = "\\partial^{\\mathrm{up}}" + indices_of(e.indices);
    else if (op != "D") s = symbol(op) + indices_of(e.indices);
    else
      for (const Index& i : e.indices) s += "\\partial" + indices_of({i});
    return s + "\\," + (e.args[0].kind == Kind::power ? bracket(of(e.args[0])) : at_least(power_level, e.args[0]));
  }
  std::string call(const Expression& e) const {
    static const std::map<std::string, std::string> names{{"log", "\\ln"}, {"asin", "\\arcsin"}, {"acos", "\\arccos"},
        {"atan", "\\arctan"}, {"exp", "\\exp"}, {"sin", "\\sin"}, {"cos", "\\cos"}, {"tan", "\\tan"},
        {"sinh", "\\sinh"}, {"cosh", "\\cosh"}, {"tanh", "\\tanh"}, {"min", "\\min"}, {"max", "\\max"}};
    static const std::map<std::string, std::pair<const char*, const char*>> around{{"sqrt", {"\\sqrt{", "}"}},
        {"abs", {"\\left|", "\\right|"}}, {"floor", {"\\left\\lfloor ", "\\right\\rfloor "}},
        {"ceil", {"\\left\\lceil ", "\\right\\rceil "}}};
    std::string args;
    for (std::size_t n = 0; n < e.args.size(); ++n) args += (n ? ", " : "") + of(e.args[n]);
    if (const auto f = around.find(e.text); f != around.end()) return f->second.first + args + f->second.second;
    if (e.text == "pow") return at_least(atom, e.args[0]) + "^{" + exponent(e.args[1]) + "}";
    if (e.text == "det") return "\\det " + at_least(power_level, e.args[0]);
    if (e.text == "tracefree") return args + "^{\\mathrm{TF}}" + indices_of(e.indices);
    if (e.text == "sym") return args + "^{\\mathrm{sym}}" + indices_of(e.indices);
    const auto f = names.find(e.text);
    return (f == names.end() ? symbol(e.text) : f->second) + bracket(args) + indices_of(e.indices);
  }
  const Source& source_;
};
}  // namespace

std::string latex(const Source& source, const Expression& e) { return Formula(source).of(e); }
std::string latex(const std::string& name, const std::vector<Index>& indices) {
  return symbol(name) + indices_of(indices);
}
std::vector<std::string> latex_terms(const Source& source, const Expression& e) { return Formula(source).terms(e); }

std::string latex_words(const std::string& s) {
  static const std::map<std::string, std::string> formulas{{"α", "\\alpha"}, {"β", "\\beta"}, {"γ", "\\gamma"},
      {"δ", "\\delta"}, {"ε", "\\varepsilon"}, {"η", "\\eta"}, {"θ", "\\theta"}, {"κ", "\\kappa"}, {"λ", "\\lambda"},
      {"μ", "\\mu"}, {"ν", "\\nu"}, {"π", "\\pi"}, {"ρ", "\\rho"}, {"σ", "\\sigma"}, {"τ", "\\tau"}, {"φ", "\\phi"},
      {"χ", "\\chi"}, {"ψ", "\\psi"}, {"ω", "\\omega"}, {"Γ", "\\Gamma"}, {"Δ", "\\Delta"}, {"Λ", "\\Lambda"},
      {"Σ", "\\Sigma"}, {"Φ", "\\Phi"}, {"Ψ", "\\Psi"}, {"Ω", "\\Omega"}, {"∂", "\\partial"}, {"∇", "\\nabla"},
      {"²", "^2"}, {"³", "^3"}, {"−", "-"}, {"·", "\\cdot"}, {"<", "<"}, {">", ">"}, {"|", "|"}, {"\\", "\\backslash"},
      {"~", "\\sim"}};
  std::string t;
  for (std::size_t n = 0; n < s.size();) {
    std::size_t end = n + 1;
    while (end < s.size() && (s[end] & 0xC0) == 0x80) ++end;  // all bytes of a letter
    const std::string letter = s.substr(n, end - n);
    if (const auto f = formulas.find(letter); f != formulas.end()) t += "$" + f->second + "$";
    else if (letter == "^") t += "\\textasciicircum{}";
    else t += (std::string("_&%$#{}").find(letter) != std::string::npos ? "\\" : "") + letter;
    n = end;
  }
  return t;
}
}  // namespace cereus::equations
