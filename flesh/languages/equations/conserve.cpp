#include "equations/conserve.hpp"

#include <fmt/format.h>

#include <algorithm>
namespace cereus::equations {
namespace {
class Looker {
 public:
  explicit Looker(const ThornText& t) : text_(t) {}
  // The first derivative of something that is not linear in fields; null: there is none.
  const Expression* of(const Expression& e) const {
    using Kind = Expression::Kind;
    if (e.kind == Kind::apply && e.text == "D" && !is_linear(e.args[0])) return &e;
    for (const Expression& arg : e.args)
      if (const Expression* found = of(arg)) return found;
    if (const Equation* let = unstored(e)) return of(let->right);
    return nullptr;
  }

 private:
  const Equation* unstored(const Expression& e) const {
    if (e.kind != Expression::Kind::name) return nullptr;
    const auto let = std::ranges::find_if(
        text_.lets, [&](const Equation& l) { return l.left.name == e.text && l.arguments.empty() && !l.stored; });
    return let == text_.lets.end() ? nullptr : &*let;
  }
  // Whether it is the same at all points, as numbers and parameters are.
  bool is_constant(const Expression& e) const {
    using Kind = Expression::Kind;
    if (e.kind == Kind::number) return true;
    if (e.kind == Kind::name)
      return std::ranges::any_of(text_.parameters, [&](const auto& p) { return p.declared.name == e.text; });
    return e.kind != Kind::call && e.kind != Kind::apply && !e.args.empty() &&
           std::ranges::all_of(e.args, [&](const Expression& arg) { return is_constant(arg); });
  }
  bool is_linear(const Expression& e) const {
    using Kind = Expression::Kind;
    const auto linear = [&](const Expression& arg) { return is_linear(arg); };
    switch (e.kind) {
      case Kind::number: return true;
      case Kind::name: return !unstored(e) || is_linear(unstored(e)->right);
      case Kind::apply:
      case Kind::sum:
      case Kind::negative: return std::ranges::all_of(e.args, linear);
      case Kind::product:
        return (is_constant(e.args[0]) && linear(e.args[1])) || (is_constant(e.args[1]) && linear(e.args[0]));
      case Kind::quotient: return is_constant(e.args[1]) && linear(e.args[0]);
      default: return is_constant(e);
    }
  }
  const ThornText& text_;
};
}  // namespace

std::vector<std::string> lost_sums(const ThornText& t, const Source& source) {
  const Looker looker(t);
  std::vector<std::string> lines;
  for (const Calculation& c : t.calculations)
    for (const Equation& e : c.equations)
      if (const Expression* found = e.of_rate ? looker.of(e.right) : nullptr)
        lines.push_back(
            fmt::format("line {}: the sum of {} over a periodic box changes, because D of a product becomes "
                        "products of derivatives; to keep it, say `store` under let for what D is applied to",
                source.line(found->span.begin), e.left.name));
  return lines;
}
}  // namespace cereus::equations
