// A thorn's kernels in OpenCL C: plain pointers, and differences as sums over neighbours.
#include <fmt/format.h>

#include <algorithm>

#include "equations/print_expression.hpp"
#include "equations/stencil.hpp"
#include "equations/taps.hpp"

namespace cereus::equations {
namespace {
std::string print_real(const Rational& q) {
  const Rational binary = q * 1024;  // short in any notation
  if (is_integer(q)) return numerator(q).str() + ".";
  return is_integer(binary) ? fmt::format("{}", to_double(q))
                            : fmt::format("({}. / {}.)", numerator(q).str(), denominator(q).str());
}

constexpr const char* noise_of_a_point =  // cereus/kernel/noise.hpp
    R"(// Noise between 0 and 1, from a seed and the index of a point, counted from the first one of the whole grid.
double noise(ulong x, const long i, const long j, const long k) {
  const long index[] = {i, j, k};
  for (int d = 0; d < 3; ++d) {
    x += 0x9e3779b97f4a7c15UL * (ulong)(index[d] + 1000);
    x ^= x >> 30, x *= 0xbf58476d1ce4e5b9UL, x ^= x >> 27, x *= 0x94d049bb133111ebUL, x ^= x >> 31;
  }
  return (double)(x >> 40) * (1. / 16777216.);
}

)";

// Differences on a grid of spacing 1, as functions of a pointer to the point and the strides of the axes.
class Differences {
 public:
  explicit Differences(const Model& m) : m_(m) {}
  // What a leaf is called, once there is a function for it; empty: it is no difference.
  std::string use(const Node& n) {
    switch (n.op) {
      case Op::derivative: return derivative(n);
      case Op::upwind:
      case Op::upwind_odd: return add("upwind", antisymmetric(lopsided(order("upwind"))));
      case Op::upwind_even: return add("upwind_even", symmetric(lopsided(order("upwind"))));
      case Op::dissipation: return add("dissipation", kreiss_oliger(order("dissipation")));
      case Op::delta: return add("delta_" + n.text, delta(std::stoi(n.text)));
      default: return "";
    }
  }
  Rational weight(const std::string& op) const { return weight_of(m_, op); }
  const std::string& text() const { return text_; }

 private:
  int order(const std::string& op) const { return m_.op(op)->value; }
  std::string derivative(const Node& n) {
    std::vector<int> orders;
    for (const int d : n.along)
      if (d > 0) orders.push_back(d);
    const bool diagonal = m_.op("centred")->diagonal && orders == std::vector{1, 1};
    return diagonal ? along_diagonals() : mixed(orders);
  }
  std::string mixed(std::vector<int> orders) {
    const Stencil s = centred(orders[0], order("centred"));
    const std::string name = fmt::format("derivative_{}", fmt::join(orders, "_"));
    orders.erase(orders.begin());
    return add(name, s, orders.empty() ? "" : mixed(orders), orders.size());
  }
  std::string along_diagonals() {
    const std::string second = mixed({2}), name = "derivative_diagonal";
    if (known_.insert(name).second)
      text_ += fmt::format(
          "double {}(global const double* u, const long s, const long t) {{\n"
          "  return 0.25 * ({}(u, s + t) - {}(u, s - t));\n}}\n",
          name, second, second);
    return name;
  }
  // `inner`: the difference along the other axes, of which this one is taken.
  std::string add(const std::string& name, const Stencil& s, const std::string& inner = "", std::size_t others = 0) {
    if (!known_.insert(name).second) return name;
    const char* names[] = {"t", "r"};
    std::string strides, arguments;
    for (std::size_t n = 0; n < others; ++n)
      strides += fmt::format(", const long {}", names[n]), arguments += fmt::format(", {}", names[n]);
    const auto at = [&](const std::string& offset) {
      if (inner.empty()) return fmt::format("u[{}]", offset);
      return fmt::format("{}(u{}{})", inner, offset == "0" ? "" : " + " + offset, arguments);
    };
    std::string sum = s.weight(0) == 0 ? "" : print_real(s.weight(0)) + " * " + at("0");
    for (int m = 1; m <= s.reach(); ++m) {
      const std::string offset = m == 1 ? "s" : fmt::format("{} * s", m);
      sum += fmt::format("{}{} * ({} {} {})", sum.empty() ? "" : " +\n         ", print_real(s.weight(m)), at(offset),
          s.weight(m) == s.weight(-m) ? "+" : "-", at("-" + offset));
    }
    text_ +=
        fmt::format("double {}(global const double* u, const long s{}) {{\n  return {};\n}}\n", name, strides, sum);
    return name;
  }

  const Model& m_;
  std::set<std::string> known_;
  std::string text_;
};

class CLExpressions : public Expressions {
 public:
  CLExpressions(
      const Program& program, const Handles& handles, const std::vector<Constant>& parameters, Differences& differences)
      : Expressions(program, handles, parameters, "  "),
        differences_(differences) {
    taken_.insert({"i", "j", "k", "at", "extent", "ghosts", "stride", "h", "inv_h", "first", "time", "kernel", "global",
        "local", "constant", "half", "uint", "ulong", "upwind", "upwind_even", "dissipation"});
  }

 protected:
  const char* real() const override { return "double"; }
  std::string number(const Rational& q) const override { return q < 0 ? "(" + print_real(q) + ")" : print_real(q); }
  Text call(const std::string& function, const std::vector<Text>& args) const override {
    static const std::map<std::string, std::string> others{
        {"abs", "fabs"}, {"min", "fmin"}, {"max", "fmax"}, {"inverse_sqrt", "rsqrt"}};
    if (function == "quotient")
      return {bracket(args[0], product_level) + " / " + bracket(args[1], atom), product_level};
    const auto other = others.find(function);
    std::string s = other == others.end() ? function : other->second;
    for (std::size_t n = 0; n < args.size(); ++n) s += (n ? ", " : "(") + args[n].text;
    return {s + ")"};
  }
  Text leaf(const Node& n) const override {
    const char axis = "xyz"[std::clamp(n.along[0], 0, 2)];
    if (n.op == Op::pi) return {"M_PI"};
    if (n.op == Op::time) return {"time"};
    if (n.op == Op::noise) return {fmt::format("noise({}, i, j, k)", n.text)};
    if (n.op == Op::spacing) return {fmt::format("h.{}", axis)};
    if (n.op == Op::inverse_spacing) return {fmt::format("inv_h.{}", axis)};
    if (n.op == Op::coordinate) return {fmt::format("first.{0} + {1} * h.{0}", axis, "ijk"[n.along[0]]), sum_level};
    if (n.op == Op::weight) return {number(differences_.weight(n.text))};
    const std::string pointer = handles_.in.at(n.variable);
    if (n.op == Op::variable) return {pointer + "[at]"};
    if (n.op == Op::neighbour)
      return {fmt::format(
          "{}[at + {} * stride.x + {} * stride.y + {} * stride.z]", pointer, n.along[0], n.along[1], n.along[2])};
    std::string strides, scale;
    std::array<int, 3> along = n.along;
    if (n.op != Op::derivative) along = {}, along[n.along[0]] = 1;
    for (int a = 0; a < 3; ++a) {
      if (along[a] > 0) strides += fmt::format(", stride.{}", "xyz"[a]);
      for (int d = 0; d < along[a]; ++d) scale += fmt::format(" * inv_h.{}", "xyz"[a]);
    }
    if (n.op == Op::upwind_odd || n.op == Op::delta) scale.clear();
    return {fmt::format("{}({}~+~at{}){}", differences_.use(n), pointer, strides, scale),
        scale.empty() ? atom : product_level};
  }
  std::string at_point(const std::string& handle) const override { return handle + "[at]"; }

 private:
  Differences& differences_;
};

// Parameters that a kernel needs, as its arguments.
std::vector<Constant> parameters_of(const Graph& g, const std::vector<Assignment>& assignments) {
  std::vector<int> roots;
  for (const Assignment& a : assignments) roots.push_back(a.value.node);
  std::vector<Constant> list;
  for (const int n : cone(g, roots))
    if (g[n].op == Op::parameter || g[n].op == Op::keyword)
      list.push_back({n, identifier(parameter_name(g[n])), g[n].op == Op::keyword ? "int" : "double", ""});
  return list;
}

std::string print_arguments(const std::vector<std::string>& arguments) {
  std::string text, line = "   ";
  for (const auto& a : arguments) {
    if (line.size() + a.size() > 114) text += line + "\n", line = "   ";
    line += " " + a + (&a == &arguments.back() ? "" : ",");
  }
  return text + line;
}

// Where a work item is; it has nothing to do beyond the region.
std::string print_place(const std::string& region, int dim, int margin) {
  const bool all = region == "everywhere" || region == "boundary";
  std::string s = "  const int ", beyond, inside;
  for (int a = 0; a < 3; ++a) {
    const char i = "ijk"[a], x = "xyz"[a];
    s += fmt::format("{}{} = get_global_id({}){}", a ? ", " : "", i, a, all ? fmt::format(" - ghosts.{}", x) : "");
    beyond += fmt::format("{}{} >= extent.{}{}", a ? " || " : "", i, x, all ? fmt::format(" + ghosts.{}", x) : "");
    if (margin > 0 && a < dim) beyond += fmt::format(" - {0} || {1} < {0} - ghosts.{2}", margin, i, x);
    inside += fmt::format("{}{} >= 0 && {} < extent.{}", a ? " && " : "", i, i, x);
  }
  s += ";\n  if (" + beyond + ") return;\n";
  if (region == "boundary") s += "  if (" + inside + ") return;\n";
  return s + "  const long at = (i + ghosts.x) * stride.x + (j + ghosts.y) * stride.y + (k + ghosts.z) * stride.z;\n";
}

std::string print_kernel(const Program& program, const Kernel& k, Differences& differences) {
  const Model& m = *program.model;
  const auto& assignments = k.assignments.at(program.dimensions.front());
  const bool rates = k.of->kind == Calculation::Kind::rhs;
  const auto in_list = [](const std::vector<int>& list, int v) { return std::ranges::count(list, v) > 0; };
  std::vector<std::string> arguments{"const int3 extent", "const int3 ghosts", "const long3 stride", "const double3 h",
      "const double3 first", "const double time"};
  const auto parameters = parameters_of(program.graph, assignments);
  for (const Constant& c : parameters) arguments.push_back(fmt::format("const {} {}", c.type, c.name));
  Handles handles;
  for (const int v : k.reads) {
    const bool both = !rates && in_list(k.writes, v);
    handles.in[v] = m.variables()[v].name + (both ? "_inout" : "_in");
    if (both) handles.out[v] = handles.in[v];
    arguments.push_back(fmt::format("global {}double* restrict {}", both ? "" : "const ", handles.in[v]));
  }
  for (const int v : k.writes) {
    if (!handles.out.try_emplace(v, m.variables()[v].name + (rates ? "_rhs" : "_out")).second) continue;
    arguments.push_back("global double* restrict " + handles.out[v]);
  }
  const std::string body = CLExpressions(program, handles, parameters, differences).statements(assignments);
  return fmt::format("// Line {}.\nkernel void {}(\n{}) {{\n{}{}{}}}\n\n", m.source().line(k.of->span.begin), k.name,
      print_arguments(arguments), print_place(k.of->region, program.dimensions.front(), margin_of(program, k)),
      body.find("inv_h") == std::string::npos ? "" : "  const double3 inv_h = 1 / h;\n", body);
}
}  // namespace

std::string print_opencl(const Program& program) {
  Differences differences(*program.model);
  std::string kernels;
  for (const Kernel& k : program.kernels) kernels += print_kernel(program, k, differences);
  const bool noise = std::ranges::any_of(program.kernels, [&](auto& k) { return occurs(program, k, Op::noise); });
  const ThornText& t = program.model->text();
  return fmt::format(
             R"(// {}: {}.
// Made by `cereus equations`, for {} dimension{}. A work item is a point: of `extent` points, or of those and
// `ghosts` on both sides of each axis if all are set. Pointers are to the first number that is stored; from a
// point to the next it is `stride`. Spacing: `h`. `first`: where the first point behind the ghosts lies.
// What `store` names is written as far into the ghosts as it finds what it reads.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

)",
             t.name, t.doc, program.dimensions.front(), program.dimensions.front() == 1 ? "" : "s") +
         (noise ? noise_of_a_point : "") + (differences.text().empty() ? "" : differences.text() + "\n") + kernels;
}
}  // namespace cereus::equations
