#include "equations/shell.hpp"

namespace cereus::equations {
namespace {
class Shell {
 public:
  Shell(Program& program, Span span) : m_(*program.model), g_(program.graph), span_(span) {}

  Term of(Term t) {
    return g_.replace(t, [&](int n) {
      const Node node = g_[n];  // a copy: the list of nodes grows
      switch (node.op) {
        case Op::derivative: return g_.derivative_of_variable(derivative(node), node.variable);
        case Op::upwind: return along_all([&](int c) { return times(slope(c, node.along[0]), Op::upwind, node, {c}); });
        case Op::upwind_even:
          // |v| Σ |∂c/∂x| damps no less than |Σ v ∂c/∂x| does.
          return along_all(
              [&](int c) { return times(g_.call("abs", {slope(c, node.along[0])}), Op::upwind_even, node, {c}); });
        case Op::dissipation:  // over lengths: those of angles are r times as long
          return node.along[0] == 2 ? Term{1, n} : g_.multiply(g_.leaf(Op::inverse_radius, ""), {1, n});
        case Op::neighbour: return refuse(n, "an operator of one's own");
        case Op::inverse_spacing:
        case Op::spacing: return refuse(n, "the spacing h of an axis");
        default: return Term{1, n};
      }
    });
  }

 private:
  template <class F> Term along_all(F&& f) { return g_.sum({f(0), f(1), f(2)}); }
  Term slope(int c, int axis) { return g_.leaf(Op::slope, "", -1, {c, axis}); }
  Term bend(int c, int i, int j) {  // i ≤ j
    return g_.leaf(Op::bend, "", -1, {c, i == 0 ? j : i + j + 1});
  }
  Term times(Term by, Op op, const Node& of, std::array<int, 3> along) {
    return g_.multiply(by, g_.leaf(op, "", of.variable, along));
  }
  // ∂²u/∂x_i∂x_j = Σ_c ∂c/∂x_i (Σ_e ∂e/∂x_j ∂²u/∂c∂e) + ∂²c/∂x_i∂x_j ∂u/∂c.
  Term derivative(const Node& node) {
    std::vector<int> axes;
    for (int a = 0; a < 3; ++a) axes.insert(axes.end(), static_cast<std::size_t>(node.along[a]), a);
    const auto first = [&](int c) {
      std::array<int, 3> along{};
      along[c] = 1;
      return along;
    };
    if (axes.size() == 1)
      return along_all([&](int c) { return times(slope(c, axes[0]), Op::derivative, node, first(c)); });
    if (axes.size() > 2) {
      cannot("a third derivative");
      return g_.number(0);
    }
    return along_all([&](int c) {
      const Term inner = along_all([&](int e) {
        auto along = first(c);
        ++along[e];
        return times(slope(e, axes[1]), Op::derivative, node, along);
      });
      return g_.add(
          g_.multiply(slope(c, axes[0]), inner), times(bend(c, axes[0], axes[1]), Op::derivative, node, first(c)));
    });
  }
  Term refuse(int n, const char* what) { return cannot(what), Term{1, n}; }
  void cannot(const std::string& what) {
    if (!said_)
      m_.source().add(span_, what + " has no value on the shells of this run", "first and second derivatives");
    said_ = true;
  }

  const Model& m_;
  Graph& g_;
  const Span span_;
  bool said_ = false;
};
}  // namespace

std::vector<Assignment> on_a_shell(Program& program, const std::vector<Assignment>& assignments, Span span) {
  Shell shell(program, span);
  std::vector<Assignment> all = assignments;
  for (Assignment& a : all) a.value = shell.of(a.value);
  return all;
}
}  // namespace cereus::equations
