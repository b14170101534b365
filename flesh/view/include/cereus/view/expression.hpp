// Expressions over fields, as types: an assignment is one kernel, whose handles are bound when it runs.
#pragma once
#include <array>
#include <concepts>

#include <cereus/kernel/noise.hpp>
#include "program.hpp"
namespace cereus::view {
// What a node reads: how many handles, of which fields, Field<dim, Real>, and how far around the point; void: of none.
template <int fields_, class Field_, int reach_ = 0, bool corners_ = false> struct Reads {
  static constexpr int fields = fields_, reach = reach_;
  static constexpr bool corners = corners_;
  using Field = Field_;
  using Reach = std::conditional_t<corners, box<reach>, star<reach>>;
};
template <class A, class B, class Field = std::conditional_t<std::is_void_v<typename A::Field>, B, A>>
struct Together
    : Reads<A::fields + B::fields, typename Field::Field, cereus::max(A::reach, B::reach), A::corners || B::corners> {
  static_assert(std::is_void_v<typename B::Field> || std::same_as<typename Field::Field, typename B::Field>,
      "fields of one expression are of one dimension and type");
};

// The nodes: at<Real, first>(p, in) takes handles from `in`, from `first` on.
struct Number {
  using Uses = Reads<0, void>;
  double value;
  template <class Real, int> CEREUS_KERNEL Real at(const auto&, const auto&) const { return static_cast<Real>(value); }
};
template <class Field> struct Leaf {
  using Uses = Reads<1, Field>;
  template <class Real, int first> CEREUS_KERNEL Real at(const auto& p, const auto& in) const { return p(in.v[first]); }
};
template <int axis> struct Coordinate {
  using Uses = Reads<0, void>;
  template <class Real, int> CEREUS_KERNEL Real at(const auto& p, const auto&) const {
    return static_cast<Real>(axis == 0 ? p.x() : axis == 1 ? p.y() : p.z());
  }
};
struct IndexAlong {
  using Uses = Reads<0, void>;
  int axis;
  template <class Real, int> CEREUS_KERNEL Real at(const auto& p, const auto&) const { return Real(p.index(axis)); }
};
struct Noise {
  using Uses = Reads<0, void>;
  unsigned seed;
  template <class Real, int> CEREUS_KERNEL Real at(const auto& p, const auto&) const {
    return cereus::noise<Real>(p, seed);
  }
};
struct Time {
  using Uses = Reads<0, void>;
  template <class Real, int> CEREUS_KERNEL Real at(const auto& p, const auto&) const { return Real(p.time()); }
};
template <class Op, class A> struct Unary {
  using Uses = typename A::Uses;
  A a;
  template <class Real, int first> CEREUS_KERNEL auto at(const auto& p, const auto& in) const {
    return Op::of(a.template at<Real, first>(p, in));
  }
};
template <class Op, class A, class B> struct Binary {
  using Uses = Together<typename A::Uses, typename B::Uses>;
  A a;
  B b;
  template <class Real, int first> CEREUS_KERNEL auto at(const auto& p, const auto& in) const {
    return Op::of(a.template at<Real, first>(p, in), b.template at<Real, first + A::Uses::fields>(p, in));
  }
};
template <class C, class A, class B> struct Choice {
  using Uses = Together<Together<typename C::Uses, typename A::Uses>, typename B::Uses>;
  static constexpr int a_from = C::Uses::fields, b_from = a_from + A::Uses::fields;
  C c;
  A a;
  B b;
  template <class Real, int first> CEREUS_KERNEL Real at(const auto& p, const auto& in) const {
    return choose(bool(c.template at<Real, first>(p, in)), Real(a.template at<Real, first + a_from>(p, in)),
        Real(b.template at<Real, first + b_from>(p, in)));
  }
};

template <class Node_> struct Expression {
  using Node = Node_;
  Node node{};
  std::array<Variable, Node::Uses::fields> fields{};
};
template <int dim, class Real> class Field;

constexpr Expression<Number> expression(std::floating_point auto x) { return {{static_cast<double>(x)}}; }
constexpr Expression<Number> expression(std::integral auto x) { return {{static_cast<double>(x)}}; }
template <class Node> constexpr const Expression<Node>& expression(const Expression<Node>& e) { return e; }
template <int dim, class Real> constexpr Expression<Leaf<Field<dim, Real>>> expression(const Field<dim, Real>& f) {
  return {{}, {f.variable()}};
}
template <class T>
concept Operand = requires(const T& x) {
  expression(x);
};
template <class T>
concept NotNumber = Operand<T> && !std::is_arithmetic_v<T>;
template <class T> using NodeOf = typename std::remove_cvref_t<decltype(expression(std::declval<const T&>()))>::Node;

template <class Node, class... E> constexpr Expression<Node> joined(const Node& node, const E&... parts) {
  Expression<Node> e{node};
  std::size_t n = 0;
  const auto append = [&](const auto& list) {
    for (const Variable& v : list) e.fields[n++] = v;
  };
  (append(parts.fields), ...);
  return e;
}
template <class Op> constexpr auto unary(const auto& a) {
  return joined(Unary<Op, std::remove_cvref_t<decltype(a.node)>>{a.node}, a);
}
template <class Op> constexpr auto binary(const auto& a, const auto& b) {
  using Node = Binary<Op, std::remove_cvref_t<decltype(a.node)>, std::remove_cvref_t<decltype(b.node)>>;
  return joined(Node{a.node, b.node}, a, b);
}

inline constexpr Expression<Coordinate<0>> x{};
inline constexpr Expression<Coordinate<1>> y{};
inline constexpr Expression<Coordinate<2>> z{};
inline constexpr Expression<Time> t{};
constexpr Expression<IndexAlong> index(int axis) { return {{axis}}; }
// Between 0 and 1, from the global index of a point and the seed alone.
constexpr Expression<Noise> noise(unsigned seed) { return {{seed}}; }

// Functions take operands by value, as those of kernel.hpp do: the narrower of two is then chosen.
#define CEREUS_VIEW_OPERATOR(Name, op)                                                        \
  struct Name {                                                                               \
    static CEREUS_KERNEL auto of(auto a, auto b) { return a op b; }                           \
  };                                                                                          \
  template <Operand A, Operand B>                                                             \
  requires(NotNumber<A> || NotNumber<B>) constexpr auto operator op(const A& a, const B& b) { \
    return binary<Name>(expression(a), expression(b));                                        \
  }
CEREUS_VIEW_OPERATOR(Plus, +)
CEREUS_VIEW_OPERATOR(Minus, -)
CEREUS_VIEW_OPERATOR(Times, *)
CEREUS_VIEW_OPERATOR(Over, /)
CEREUS_VIEW_OPERATOR(Less, <)
CEREUS_VIEW_OPERATOR(Greater, >)
CEREUS_VIEW_OPERATOR(AtMost, <=)
CEREUS_VIEW_OPERATOR(AtLeast, >=)
CEREUS_VIEW_OPERATOR(Equal, ==)
CEREUS_VIEW_OPERATOR(Unequal, !=)
CEREUS_VIEW_OPERATOR(And, &&)
CEREUS_VIEW_OPERATOR(Or, ||)
#undef CEREUS_VIEW_OPERATOR
struct Minus1 {
  static CEREUS_KERNEL auto of(auto a) { return -a; }
};
struct Not {
  static CEREUS_KERNEL bool of(bool a) { return !a; }
};
constexpr auto operator-(const NotNumber auto& a) { return unary<Minus1>(expression(a)); }
constexpr auto operator!(const NotNumber auto& a) { return unary<Not>(expression(a)); }

#define CEREUS_VIEW_FUNCTION(name)                                   \
  struct Op_##name {                                                 \
    static CEREUS_KERNEL auto of(auto a) { return cereus::name(a); } \
  };                                                                 \
  template <NotNumber T> constexpr auto name(T x) { return unary<Op_##name>(expression(x)); }
CEREUS_VIEW_FUNCTION(sqrt)
CEREUS_VIEW_FUNCTION(fabs)
CEREUS_VIEW_FUNCTION(exp)
CEREUS_VIEW_FUNCTION(log)
CEREUS_VIEW_FUNCTION(sin)
CEREUS_VIEW_FUNCTION(cos)
CEREUS_VIEW_FUNCTION(tan)
CEREUS_VIEW_FUNCTION(asin)
CEREUS_VIEW_FUNCTION(acos)
CEREUS_VIEW_FUNCTION(atan)
CEREUS_VIEW_FUNCTION(log10)
CEREUS_VIEW_FUNCTION(sinh)
CEREUS_VIEW_FUNCTION(cosh)
CEREUS_VIEW_FUNCTION(tanh)
CEREUS_VIEW_FUNCTION(erf)
CEREUS_VIEW_FUNCTION(floor)
CEREUS_VIEW_FUNCTION(ceil)
CEREUS_VIEW_FUNCTION(square)
#undef CEREUS_VIEW_FUNCTION
#define CEREUS_VIEW_FUNCTION(name)                                                                                 \
  struct Op_##name {                                                                                               \
    static CEREUS_KERNEL auto of(auto a, auto b) { return cereus::name(a, b); }                                    \
  };                                                                                                               \
  template <NotNumber T> constexpr auto name(T a, T b) { return binary<Op_##name>(expression(a), expression(b)); } \
  template <Operand A, Operand B>                                                                                  \
  requires((NotNumber<A> || NotNumber<B>)&&!std::same_as<A, B>) constexpr auto name(A a, B b) {                    \
    return binary<Op_##name>(expression(a), expression(b));                                                        \
  }
CEREUS_VIEW_FUNCTION(pow)
CEREUS_VIEW_FUNCTION(atan2)
CEREUS_VIEW_FUNCTION(min)
CEREUS_VIEW_FUNCTION(max)
#undef CEREUS_VIEW_FUNCTION
// a where the condition holds, else b; both are computed.
template <NotNumber C, Operand A, Operand B> constexpr auto where(C c, A a, B b) {
  const auto& ec = expression(c);
  const auto& ea = expression(a);
  const auto& eb = expression(b);
  return joined(Choice<NodeOf<C>, NodeOf<A>, NodeOf<B>>{ec.node, ea.node, eb.node}, ec, ea, eb);
}
}  // namespace cereus::view
