// kernels.hpp: the groups as structs, the operators that the flesh does not have, and a kernel for each calculation.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "cereus/text.hpp"
#include "equations/print.hpp"

namespace cereus::equations {
using namespace std::string_literals;
std::string identifier(const std::string& name) {
  static const std::set<std::string> words{"alignas", "alignof", "and", "auto", "bitand", "bitor", "bool", "break",
      "case", "catch", "char", "class", "compl", "concept", "const", "continue", "default", "delete", "do", "double",
      "else", "enum", "explicit", "export", "extern", "false", "float", "for", "friend", "goto", "if", "inline", "int",
      "long", "mutable", "namespace", "new", "noexcept", "not", "nullptr", "operator", "or", "private", "protected",
      "public", "register", "requires", "return", "short", "signed", "sizeof", "static", "struct", "switch", "template",
      "this", "throw", "true", "try", "typedef", "typeid", "typename", "union", "unsigned", "using", "virtual", "void",
      "volatile", "while", "xor",
      // of kernels and declarations
      "p", "k", "d", "s", "par", "dim", "order", "orders", "Real", "F", "Read", "Write", "Modify", "Declaration",
      "Schedule", "Parameters", "Context", "Tensor", "ScalarType", "MoL", "std", "cereus", "declare", "schedule",
      "star", "box", "pointwise", "interior", "everywhere", "boundary", "derivative", "quotient", "square", "Scalar",
      "Number", "choose", "on_grid", "frame", "SetInitial", "CalcRhs", "Enforce", "Analyse"};
  return words.contains(name) ? name + "_" : name;
}
std::string camel(const std::string& name) {
  std::string s;
  bool upper = true;
  for (const char c : name) {
    if (c != '_') s += upper ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    upper = c == '_';
  }
  return identifier(s);
}

namespace {
std::vector<int> variables_of(const Model& m, const std::string& group) {
  std::vector<int> list;
  for (std::size_t v = 0; v < m.variables().size(); ++v)
    if (group_of(m, static_cast<int>(v)) == group) list.push_back(static_cast<int>(v));
  return list;
}
bool is_foreign(const Model& m, const std::string& group) {
  return std::ranges::any_of(m.text().foreign, [&](const auto& f) { return f.thorn == group; });
}
std::string names_of(const Model& m, const std::vector<int>& variables, const char* suffix = "") {
  std::vector<std::string> names;
  for (const int v : variables) names.push_back(identifier(m.variables()[v].name + suffix));
  return join(names, ", ");
}

std::string print_struct(const std::string& type, const std::string& names) {
  return fmt::format("template <class F> struct {} {{ F {}; }};\n", type, names);
}

// What a large kernel says of itself.
std::string print_reads(const Program& program, const Kernel& k, const std::vector<Member>& members) {
  std::string s = "  static constexpr Reads reads[] = {";
  bool first = true;
  for (const Member& x : members)
    for (const int v : x.variables) {
      if (x.writes) continue;
      std::array<Reach, 3> along{};
      if (k.along.contains(v)) along = k.along.at(v);
      const bool corners = std::ranges::any_of(along, &Reach::corners);
      s += fmt::format("{}\n      {{{{{}, {}, {}}}, {}}}", first ? "" : ",", print_reach(along[0]),
          print_reach(along[1]), print_reach(along[2]), corners);
      first = false;
    }
  const bool spacing = std::ranges::any_of(k.nodes, [&](int n) { return asks_for_spacing(program.graph[n]); });
  return s + fmt::format("}};\n  static constexpr bool reads_time = {}, reads_place = {}, reads_spacing = {};\n",
                 occurs(program, k, Op::time), occurs(program, k, Op::coordinate), spacing);
}

bool looks_at_axes(const Program& program, const Kernel& k) {
  const auto looks = [](const Node& n) {
    using enum Op;
    return n.op == neighbour || n.op == derivative || n.op == upwind || n.op == upwind_even || n.op == dissipation ||
           n.op == upwind_odd || n.op == delta || n.op == inverse_spacing || n.op == coordinate;
  };
  return std::ranges::any_of(k.nodes, [&](int n) { return looks(program.graph[n]); });
}
// Whether a kernel needs a loop over stretched axes: it looks at axes, and does not know one spacing for all points.
bool differs_on_stretched_axes(const Program& program, const Kernel& k) {
  return looks_at_axes(program, k) &&
         std::ranges::none_of(k.nodes, [&](int n) { return asks_for_spacing(program.graph[n]); });
}

// What the text of a kernel begins with on a shell, as far as it is used.
std::string print_frame(const std::string& body, const char* indent) {
  std::string s;
  if (body.find("on_grid") != body.npos) s += fmt::format("{}const auto on_grid = along_shell(p);\n", indent);
  if (body.find("frame.") != body.npos) s += fmt::format("{}const ShellFrame frame(p.shell());\n", indent);
  return s + body;
}

// One text for all dimensions, or one for each.
std::string print_bodies(
    const Program& program, const Kernel& k, const Handles& handles, const std::vector<Constant>& constants) {
  const bool large = is_large(program, k);
  int slots = 1, shell_slots = 0;
  const auto body = [&](int dim, const char* indent) {
    int mine = 0;
    const std::string text = large ? print_large_body(program, k, dim, handles, constants, indent, mine)
                                   : print_body(program, k, dim, handles, constants, indent);
    int& most = dim == on_shell ? shell_slots : slots;
    most = std::max(most, mine);
    return dim == on_shell ? print_frame(text, indent) : text;
  };
  std::map<int, std::string> bodies;  // that of shells stands first
  for (const int dim : grids_of(program)) bodies[dim] = body(dim, "    ");
  const bool alike = std::ranges::all_of(bodies, [&](const auto& b) { return b.second == bodies.begin()->second; });
  std::string text = bodies.begin()->second;
  if (!alike) {
    text.clear();
    for (const auto& [dim, unused] : bodies)
      text += fmt::format("{}if constexpr ({}) {{\n{}    }}", text.empty() ? "    " : " else ",
          dim == on_shell ? "is_on_shell<decltype(p)>" : fmt::format("dim == {}", dim), body(dim, "      "));
    text += "\n";
  }
  return (large ? fmt::format("  static constexpr int slots = {};\n", slots) : "") +
         (large && shell_slots ? fmt::format("  static constexpr int shell_slots = {};\n", shell_slots) : "") +
         "  CEREUS_KERNEL void operator()(auto& p) const {\n" +
         (large ? "    using Real = Number<decltype(p), Scalar>;\n" : "") + text;
}

std::string print_kernel(const Program& program, const Kernel& k) {
  const Model& m = *program.model;
  const auto members = members_of(program, k);
  const auto constants = constants_of(program, k);
  Handles handles;
  std::string s;
  for (const Member& x : members) {
    if (!x.whole) s += print_struct(x.type, names_of(m, x.variables, x.type.ends_with("Rhs") ? "_rhs" : ""));
    for (const int v : x.variables) {
      const bool rate = k.of->kind == Calculation::Kind::rhs && x.writes;
      const std::string handle = x.name + "." + identifier(m.variables()[v].name + (rate ? "_rhs" : ""));
      if (x.reads) handles.in[v] = handle;
      if (x.writes) handles.out[v] = handle;
    }
  }
  const bool large = is_large(program, k);
  const std::string scalar = large ? "Scalar" : "Real";
  s += fmt::format("template <{}int dim, class {}> struct {} {{  // line {}\n", k.order ? "int order, " : "", scalar,
      k.name, m.source().line(k.of->span.begin));
  const std::string region = k.of->region.empty() ? "interior" : k.of->region;
  for (const Member& x : members) {
    if (x.reads && x.writes) {
      s += fmt::format("  Modify<{}, {}, {}> {};\n", x.type, region, scalar, x.name);
    } else if (x.writes) {
      const char* mode = k.of->with.empty() ? "Write" : "Modify";
      s += fmt::format("  {}<{}, {}, {}> {};\n", mode, x.type, region, scalar, x.name);
    } else {
      const Reach r = k.reach.at(x.group);
      s += fmt::format("  Read<{}, {}, {}> {};\n", x.type,
          r.pointwise() ? "pointwise" : fmt::format("{}<{}>", r.corners ? "box" : "star", print_reach(r)), scalar,
          x.name);
    }
  }
  for (const char* type : {"Real", "bool"}) {
    std::vector<std::string> names;
    for (const Constant& c : constants)
      if (c.type == type) names.push_back(c.name);
    if (!names.empty()) s += fmt::format("  {} {};\n", type == "Real"s ? scalar : type, join(names, ", "));
  }
  if (large) s += print_reads(program, k, members);
  else if (!differs_on_stretched_axes(program, k)) s += "  static constexpr bool stretches = false;\n";
  if (program.shells && looks_at_axes(program, k))
    s += fmt::format("  static constexpr bool maps = same_type<{}, double>;\n", scalar);
  return s + print_bodies(program, k, handles, constants) + "  }\n};\n\n";
}

}  // namespace

std::string print_reach(const Reach& r) {
  return !r.half_order ? std::to_string(r.more) : r.more ? fmt::format("order / 2 + {}", r.more) : "order / 2";
}

std::string parameter_name(const Node& n) {
  std::string name = n.text;
  if (n.op == Op::keyword) return name.replace(name.find('='), 1, "_is_");
  if (n.op != Op::parameter) return "";
  if (n.along[0] >= 0) name += '_';
  for (const int index : {n.along[1], n.along[2]})
    if (index >= 0) name += "xyz"[index];
  return name;
}

std::vector<Constant> constants_of(const Program& program, const Kernel& k) {
  const Graph& g = program.graph;
  std::set<int> wanted;
  std::vector<int> roots;
  for (const int dim : grids_of(program))
    for (const Assignment& a : k.assignments.at(dim)) roots.push_back(a.value.node);
  for (const int n : cone(g, roots))
    if (!g[n].uniform)
      for (const int a : g[n].args)
        if (g[a].uniform) wanted.insert(a);
  for (const int n : roots)
    if (g[n].uniform) wanted.insert(n);
  std::vector<Constant> list;
  int number = 0;
  for (const int n : wanted) {
    const Node& node = g[n];
    const bool plain = node.op == Op::sum && node.args == std::vector{0};
    if (node.op == Op::one || node.op == Op::pi || plain) continue;
    Constant c;
    c.node = n;
    c.type = node.op == Op::keyword || node.op == Op::compare || node.op == Op::logic ? "bool" : "Real";
    c.name = node.name;
    if (c.name.empty()) c.name = parameter_name(node);
    if (c.name.empty()) c.name = fmt::format("c{}", ++number);
    c.name = identifier(c.name);
    for (const Member& x : members_of(program, k))
      if (x.name == c.name) c.name += "_";
    while (std::ranges::count(list, c.name, &Constant::name)) c.name += "_";
    c.value = print_constant(program, {1, n});
    list.push_back(c);
  }
  return list;
}

std::vector<Member> members_of(const Program& program, const Kernel& k) {
  const Model& m = *program.model;
  const bool rates = k.of->kind == Calculation::Kind::rhs;
  std::vector<std::string> groups;
  for (const auto* list : {&k.reads, &k.writes})
    for (const int v : *list)
      if (!std::ranges::count(groups, group_of(m, v))) groups.push_back(group_of(m, v));
  std::vector<Member> members;
  for (const auto& group : groups) {
    Member read{group, "", identifier(group), {}, false, false, true}, write = read, both = read;
    write.reads = false, write.writes = true;
    both.writes = true;
    for (const int v : variables_of(m, group)) {
      const bool r = std::ranges::count(k.reads, v) > 0, w = std::ranges::count(k.writes, v) > 0;
      if (r && w && !rates) both.variables.push_back(v);
      else if (r) read.variables.push_back(v);
      if (w && !(r && !rates)) write.variables.push_back(v);
    }
    for (Member* x : {&read, &both, &write}) {
      if (x->variables.empty()) continue;
      x->whole = !is_foreign(m, group) && x->variables == variables_of(m, group);
      const std::string suffix = rates && x->writes ? "Rhs" : "";
      x->type = (x->whole ? ""
                          : k.name + (x == &read      ? "Reads"
                                         : x == &both ? "Sets"
                                                      : "Writes")) +
                camel(group) + suffix;
      if (x == &write) x->name = rates ? group + "_rhs" : "new_" + group;
      if (x == &both) x->name = group + "_now";
      members.push_back(*x);
    }
  }
  std::ranges::stable_sort(members, {}, [](const Member& x) { return x.writes; });
  return members;
}

std::string print_kernels(const Program& program) {
  const Model& m = *program.model;
  const bool noise = std::ranges::any_of(program.kernels, [&](auto& k) { return occurs(program, k, Op::noise); });
  std::string s = fmt::format(
      "// {}. Made by `cereus equations`.\n// Indices of names: small letters are lower, capital letters upper "
      "ones.\n"
      "#pragma once\n#include <cereus/kernel.hpp>\n{}namespace {} {{\nusing namespace cereus;\n\n",
      m.text().doc, noise ? "#include <cereus/kernel/noise.hpp>\n" : "", m.text().name);
  if (!program.orders.empty())
    s += fmt::format("inline constexpr choices<{}> orders;\n\n", fmt::join(program.orders, ", "));
  for (const GroupText& g : m.text().groups) {
    const auto variables = variables_of(m, g.name);
    s += print_struct(camel(g.name), names_of(m, variables));
    if (g.evolved) s += print_struct(camel(g.name) + "Rhs", names_of(m, variables, "_rhs"));
  }
  s += "\n" + print_operators(program);
  for (const Kernel& k : program.kernels) s += print_kernel(program, k);
  return s + fmt::format("}}  // namespace {}\n", m.text().name);
}
}  // namespace cereus::equations
