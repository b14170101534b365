#include "equations/kernel.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cereus/text.hpp"
#include "equations/check.hpp"
#include "equations/lower.hpp"
#include "equations/print.hpp"
#include "equations/shell.hpp"

namespace cereus::equations {
namespace {
using CK = Calculation::Kind;

void check_operators(const Model& m) {
  std::string parameter;  // for whose values kernels are compiled
  for (const OperatorText& o : m.text().operators) {
    if (parameter.empty()) parameter = o.parameter;
    if (!o.parameter.empty() && o.parameter != parameter)
      m.source().add(o.span, fmt::format("a second parameter for orders, beside '{}'", parameter),
          fmt::format("{0}({1}), {0}({1} + 1), or a number", o.name, parameter));
    if (m.op(o.name) != &o) m.source().add(o.span, fmt::format("'{}' is chosen twice", o.name));
    if (o.name != "centred" && o.name != "upwind" && o.name != "dissipation") {
      m.source().add(
          o.span, fmt::format("'{}' is no operator", o.name), "centred, upwind, dissipation, forward, backward");
      continue;
    }
    std::vector<Rational> orders{0};
    if (!o.parameter.empty()) {
      const ParameterText* p = m.parameter(o.parameter);
      if (!p || !p->is_integer()) {
        m.source().add(o.span, fmt::format("the order '{}' is no parameter with a list of numbers", o.parameter),
            fmt::format("{} = 4 in {{2, 4, 6, 8}} \"Order of the finite differences\"", o.parameter));
        continue;
      }
      orders.clear();
      for (const auto& c : p->choices) orders.push_back(c.number);
    }
    const bool odd = o.name == "dissipation";
    for (const Rational& q : orders) {
      const Rational order = q + o.value;
      const int most = odd ? 17 : o.name == "centred" ? 8 : 16;
      if (!is_integer(order) || order < (odd ? 1 : 2) || order > most || (to_int(order) % 2 != 0) != odd)
        m.source().add(o.span, fmt::format("{} of order {}", o.name, to_string(order)),
            fmt::format("an {} number from {} to {}", odd ? "odd" : "even", odd ? 1 : 2, most));
    }
  }
}

bool evolved(const Model& m, const std::string& tensor) {
  for (const GroupText& g : m.text().groups)
    for (const Declared& d : g.tensors)
      if (d.name == tensor) return g.evolved;
  return false;
}

// Whether a left side names a variable as it is declared.
bool check_left(const Model& m, const Equation& q, const Tensor* t) {
  const auto& indices = q.left.indices;
  if (!t || t->kind != Tensor::Kind::variable) {
    m.source().add(q.left.span,
        t ? fmt::format("'{}' is no variable", q.left.name)
          : fmt::format("'{}' is not declared{}", q.left.name, did_you_mean(q.left.name, m.names())),
        "declare it under `evolve` or `derive`, or give it its name under `let`");
    return false;
  }
  if (t->rank() != static_cast<int>(indices.size())) {
    m.source().add(q.left.span,
        fmt::format("'{}' has {}, not {}", written(t->name, t->indices), count_of(t->rank()), indices.size()));
    return false;
  }
  for (std::size_t n = 0; n < indices.size() && m.has_metric(); ++n)
    if (indices[n].up != t->indices[n].up)
      m.source().add(q.left.span,
          fmt::format("'{}' is declared as '{}'", written(q.left.name, indices), written(t->name, t->indices)));
  return true;
}

// The variables that a left side stands for.
std::vector<int> variables_of(const Model& m, const Equation& q, const Tensor& t) {
  auto pattern = q.left.indices;
  for (std::size_t n = 0; n < pattern.size(); ++n) {
    pattern[n].group = t.indices[n].group, pattern[n].antisymmetric = t.indices[n].antisymmetric;
    if (pattern[n].name == "t") pattern[n].component = -1;
  }
  for (std::size_t a = 0; a < pattern.size(); ++a)
    for (std::size_t b = a + 1; b < pattern.size(); ++b)
      if (pattern[a].group && pattern[a].group == pattern[b].group &&
          ((pattern[a].component < 0) != (pattern[b].component < 0) ||
              (pattern[a].component >= 0 && pattern[a].component > pattern[b].component)))
        m.source().add(q.left.span,
            fmt::format("'{}' is not how its components are set", written(q.left.name, q.left.indices)),
            "all of them by letters, or one with its numbers in order, as in g_12");
  std::vector<int> list;
  for (const auto& components : components_of(pattern)) list.push_back(m.variable(t, components).first);
  return list;
}

using Lines = std::map<int, int>;  // of the equations of variables

void check_additions(
    const Model& m, const Calculation& c, const Equation& q, const std::vector<int>& variables, const Lines& above) {
  const bool completes = !c.with.empty();
  const std::string left = (q.of_rate ? "D_t " : "") + written(q.left.name, q.left.indices);
  if (q.adds != completes)
    m.source().add(q.span, completes ? "a section `with` a thorn adds" : "only a section `with` a thorn adds",
        left + (completes ? ": + …" : " = …"));
  else if (completes && std::ranges::any_of(variables, [&](int v) { return !above.contains(v); }))
    m.source().add(q.left.span, fmt::format("the section above does not set '{}'", left));
}

// `above`: what the last section of its kind has set that is not `with` a thorn.
void check_calculation(const Model& m, const Calculation& c, Lines& above) {
  Lines set;
  if (c.every > 0 && c.kind != CK::analysis) m.source().add(c.span, "`every` belongs to `analysis`");
  if (!c.region.empty() && c.kind == CK::rhs) m.source().add(c.span, "right-hand sides are of the interior");
  std::vector<std::string> others;
  for (const auto& f : m.text().foreign) others.push_back(f.thorn);
  if (!c.with.empty() && !std::ranges::count(others, c.with))
    m.source().add(c.with_span,
        fmt::format("no variables of '{}' are declared{}", c.with, did_you_mean(c.with, others)),
        "foreign " + c.with + ": …");
  for (const Equation& q : c.equations) {
    const Tensor* t = m.find(q.left.name);
    if (t && t->kind == Tensor::Kind::local && !q.of_rate && !q.adds) {
      if (t->rank() != static_cast<int>(q.left.indices.size()))
        m.source().add(
            q.left.span, fmt::format("'{}' has {} elsewhere", q.left.name, count_of(t->rank())), "rename it");
      continue;
    }
    if (!check_left(m, q, t)) continue;
    if (q.of_rate && !evolved(m, q.left.name) && c.with.empty()) continue;  // check_rates says so
    if (q.of_rate != (c.kind == CK::rhs))
      m.source().add(q.span, q.of_rate ? "D_t stands under `rhs` only" : "an equation under `rhs` is of D_t",
          q.of_rate ? "" : "D_t " + written(q.left.name, q.left.indices));
    const auto variables = variables_of(m, q, *t);
    check_additions(m, c, q, variables, above);
    for (const int v : variables)
      if (const auto [at, fresh] = set.emplace(v, m.source().where(q.span.begin).line); !fresh)
        m.source().add(
            q.span, fmt::format("two equations for {} (also in line {})", m.variables()[v].name, at->second));
  }
  if (c.with.empty()) above = set;
}

void check_rates(const Model& m) {  // each evolved variable has one equation
  std::set<std::string> found;
  bool any = false;
  for (const Calculation& c : m.text().calculations)
    if (c.kind == CK::rhs && c.with.empty())
      for (const Equation& q : c.equations) found.insert(q.left.name), any = true;
  for (const GroupText& g : m.text().groups)
    for (const Declared& d : g.tensors) {
      if (g.evolved && !found.contains(d.name))
        m.source().add(d.span, fmt::format("'{}' is evolved and has no equation", written(d.name, d.indices)),
            "D_t " + written(d.name, d.indices) + " = …, or declare it under `derive`");
      if (!g.evolved && found.contains(d.name))
        m.source().add(
            d.span, fmt::format("'{}' has an equation of D_t and is not evolved", d.name), "declare it under `evolve`");
    }
  if (!any && m.text().calculations.empty())
    m.source().add(m.text().span, "a thorn without calculations", "rhs, initial, analysis");
}

// What `analysis` sets is there when something looks at it, at times that the rest of a run knows nothing of.
void check_analysis(Program& program) {
  const Model& m = *program.model;
  std::set<int> late, early;
  for (const Kernel& k : program.kernels)
    for (const int v : k.writes) (k.of->kind == CK::analysis ? late : early).insert(v);
  for (const Kernel& k : program.kernels)
    for (const int v : k.reads)
      if (k.of->kind != CK::analysis && late.contains(v) && !early.contains(v) && !m.variables()[v].group.empty())
        m.source().add(k.of->span, fmt::format("'{}' is read here, and only `analysis` sets it", m.variables()[v].name),
            "set it under `after substep`, and under `initial after exchange`");
}

// As many numbers as components that differ; rows are those of a matrix.
void check_components(const Model& m, const ParameterText& p) {
  const auto& indices = p.declared.indices;
  if (std::ranges::any_of(indices, [](const Index& i) { return i.component >= 0; }) || indices.size() > 2)
    return m.source().add(p.declared.span, "a parameter is declared with all components, of one index or two",
        fmt::format("{}_i = (1, 0, 0)", p.declared.name));
  const auto all = components_of(indices);
  const bool matrix = all.size() == 9, rows = matrix && p.rows == std::vector<std::size_t>(3, 3);
  if (p.value.size() == all.size() && (p.rows.empty() || rows)) return;
  std::vector<std::string> names;
  for (const auto& c : all) names.push_back(component_name("", indices, c, false).substr(!c.empty()));
  const std::string form = matrix ? "((xx, xy, xz), (yx, yy, yz), (zx, zy, zz))" : "(" + join(names, ", ") + ")";
  m.source().add(p.declared.span,
      fmt::format("'{}' has {} number{}{}", p.declared.name, p.value.size(), p.value.size() == 1 ? "" : "s",
          p.rows.empty() ? "" : " in rows"),
      indices.empty() ? "one" : form);
}
// Defaults obey their ranges.
void check_parameters(const Model& m) {
  for (const ParameterText& p : m.text().parameters) {
    const auto bad = [&](const std::string& mend) {
      m.source().add(p.declared.span, fmt::format("the default of '{}' is out of its range", p.declared.name), mend);
    };
    for (const auto& c : p.choices)
      if (c.word.empty() != p.choices[0].word.empty() ||
          (c.word.empty() && (!is_integer(c.number) || absolute(c.number) > 1'000'000'000)))
        m.source().add(p.declared.span,
            fmt::format("the list of '{}' mixes words and numbers, or has a fraction", p.declared.name),
            "words, or whole numbers up to 1e9");
    if (p.is_choice_of_words() || p.is_integer()) {
      const bool known = std::ranges::any_of(p.choices, [&](const auto& c) {
        return p.is_integer() ? p.value.size() == 1 && c.number == p.value[0] : c.word == p.keyword;
      });
      if (!known) bad("one of the list");
    } else if (!p.keyword.empty() || p.value.empty()) {
      m.source().add(p.declared.span, fmt::format("the default of '{}' is no number", p.declared.name));
    } else {
      check_components(m, p);
    }
    for (const Rational& q : p.value) {
      if (p.lower && (q < p.lower->value || (q == p.lower->value && !p.lower->included))) bad("");
      if (p.upper && (q > p.upper->value || (q == p.upper->value && !p.upper->included))) bad("");
    }
  }
}

void merge(Reach& r, const Reach& o) {
  const bool both = r.half_order || o.half_order;  // half an order is at least 1
  const auto beyond = [&](const Reach& x) { return both && !x.half_order ? std::max(x.more - 1, 0) : x.more; };
  r.more = std::max(beyond(r), beyond(o));
  r.half_order = both, r.corners |= o.corners;
}

Reach reach_of(const Model& m, const Node& n) {
  if (n.op == Op::neighbour) {
    const auto far = [](int offset) { return std::abs(offset); };
    return {.corners = std::ranges::count(n.along, 0) < 2, .more = far(std::ranges::max(n.along, {}, far))};
  }
  const char* name = n.op == Op::derivative ? "centred" : n.op == Op::dissipation ? "dissipation" : "upwind";
  const OperatorText* o = m.op(name);
  Reach r;
  if (!o || n.op == Op::variable) return r;
  int highest = 0, axes = 0;
  for (int a = 0; a < 3 && n.op == Op::derivative; ++a) highest = std::max(highest, n.along[a]), axes += n.along[a] > 0;
  r.corners = axes > 1;
  const int beyond = n.op == Op::derivative                          ? (highest + 1) / 2 - 1
                     : n.op == Op::upwind_even || n.op == Op::upwind ? 1
                                                                     : 0;
  // dissipation(order + 1) takes δ of order + 2, which reaches order/2 + 1.
  const int value = n.op == Op::dissipation ? o->value + 1 : o->value;
  r.half_order = !o->parameter.empty();
  r.more = beyond + value / 2;
  return r;
}

Kernel make_kernel(Program& program, const Calculation& c) {
  const Model& m = *program.model;
  Kernel k;
  k.of = &c;
  std::set<int> reads, writes;
  for (const int dim : grids_of(program)) {
    Expansion expansion(m, program.graph, dim);
    const auto before = m.source().problems().count();
    k.assignments[dim] = dim == on_shell ? on_a_shell(program, k.assignments.at(3), c.span) : expansion.expand(c);
    if (m.source().problems().count() > before) break;  // most mistakes are those of all dimensions
    std::vector<int> roots;
    for (const auto& a : k.assignments[dim]) roots.push_back(a.value.node), writes.insert(a.variable);
    for (const int n : cone(program.graph, roots)) {
      k.nodes.insert(n);
      const Node& node = program.graph[n];
      if (node.variable < 0) continue;
      reads.insert(node.variable);
      const Reach r = reach_of(m, node);
      merge(k.reach[group_of(m, node.variable)], r);
      for (int a = 0; a < 3; ++a)
        if (node.op == Op::derivative || node.op == Op::neighbour ? node.along[a] != 0
                                                                  : node.op != Op::variable && node.along[0] == a)
          merge(k.along[node.variable][a], r);
      k.order |= r.half_order;
    }
  }
  for (const auto& [group, r] : k.reach)
    if (!c.region.empty() && c.region != "interior" && c.kind != CK::store && !r.pointwise())
      m.source().add(c.span, fmt::format("a calculation on {} takes no derivatives", c.region), "on interior");
  k.reads.assign(reads.begin(), reads.end()), k.writes.assign(writes.begin(), writes.end());
  for (const int v : k.writes)
    if (c.kind != CK::rhs && reads.contains(v) && !c.with.empty())
      m.source().add(c.with_span, fmt::format("'{}' is read here, and added to", m.variables()[v].name),
          "a name for what is meant, under `let`");
    else if (c.kind != CK::rhs && reads.contains(v) && !k.reach[group_of(m, v)].pointwise())
      for (const int n : k.nodes)
        if (program.graph[n].variable == v && program.graph[n].op != Op::variable)
          m.source().add(c.span, fmt::format("'{}' is set from its own neighbours", m.variables()[v].name),
              "keep the old values in a variable of `derive`");
  return k;
}
// What says how long a step may be is made of parameters.
Term limit_of(Program& program, const Expression& e, int which, const char* name) {
  Expansion expansion(*program.model, program.graph, 3);
  const Term t = expansion.expand(e);
  if (!program.graph[t.node].uniform)
    program.model->source().add(e.span, std::string(name) + " is made of parameters and numbers");
  auto& values = program.limits[which].values;
  const auto same = [&](const Term& known) { return known.node == t.node && known.factor == t.factor; };
  if (std::ranges::none_of(values, same)) values.push_back(t);
  return t;
}
Term speed_of(Program& program, const Expression& e) { return limit_of(program, e, 0, "a speed"); }
void read_far(Program& program, const Declared& d) {
  const Model& m = *program.model;
  if (d.diffusivity) limit_of(program, *d.diffusivity, 1, "a diffusivity");
  for (std::size_t v = 0; v < m.variables().size(); ++v) {
    if (m.variables()[v].tensor != d.name || (!d.far && !d.speed)) continue;
    FarAway& far = program.far[static_cast<int>(v)];
    if (d.speed) far.speed = speed_of(program, *d.speed);
    if (!d.far) continue;
    const Term t = Expansion(m, program.graph, 3).expand(*d.far, d.indices, m.variables()[v].components);
    if (!program.graph.is_number(t)) m.source().add(d.far->span, "what a variable is far away is a number");
    far.value = t.factor;
  }
}
void read_radiation(Program& program, const Radiate& r) {
  const Model& m = *program.model;
  for (const Declared& name : r.names) {
    bool found = false;
    for (std::size_t v = 0; v < m.variables().size(); ++v) {
      const Variable& x = m.variables()[v];
      if (x.tensor != name.name && x.group != name.name) continue;
      found = true;
      FarAway& far = program.far[static_cast<int>(v)];
      if (r.speed) far.speed = speed_of(program, *r.speed);
    }
    if (!found) m.source().add(name.span, fmt::format("'{}' is no variable and no group", name.name));
  }
}
}  // namespace

bool only_derived(const Program& program, const std::string& group) {
  for (const Kernel& k : program.kernels)
    for (const int v : k.writes)
      if (k.of->kind != CK::analysis && k.of->kind != CK::store && group_of(*program.model, v) == group) return false;
  return true;
}

namespace {
// What is the same at all points is written out for the host, and what occurs twice in it twice.
void check_constants(const Program& program) {
  constexpr double most = 10'000;
  const auto& g = program.graph;
  std::vector<double> length(g.size(), 1);
  for (int n = 0; n < g.size(); ++n)  // operands come before what they are of
    for (const int a : g[n].args) length[n] += length[a];
  const auto check = [&](const auto& nodes, Span span) {
    if (std::ranges::any_of(nodes, [&](int n) { return g[n].uniform && length[n] > most; }))
      program.model->source().add(span, "parameters are combined by more than 10,000 operations here");
  };
  for (const Kernel& k : program.kernels) check(k.nodes, k.of->span);
  for (const StepLimit& limit : program.limits)
    for (const Term& value : limit.values) check(std::vector{value.node}, program.model->text().span);
}
// What kernels have room for: cereus/make_table.hpp and cereus/kernel/member.hpp.
void check_sizes(const Program& program) {
  constexpr std::size_t most = 64;
  const auto add = [&](const Kernel& k, std::size_t n, const char* what, const char* mend) {
    if (n > most)
      program.model->source().add(k.of->span, fmt::format("{} {} here, of at most {}", n, what, most), mend);
  };
  for (const Kernel& k : program.kernels) {
    add(k, k.writes.size(), "variables are set", "another section of this name for some of them");
    add(k, members_of(program, k).size() + constants_of(program, k).size(),
        "groups and combinations of parameters are used",
        "fewer parameters, or some of them in a variable of `derive`");
  }
}
}  // namespace

bool occurs(const Program& program, const Kernel& k, Op op) {
  return std::ranges::any_of(k.nodes, [&](int n) { return program.graph[n].op == op; });
}

bool is_large(const Program& program, const Kernel& k) {
  constexpr int most = 400;  // operations: the right-hand side of Maxwell's equations has about 200, BSSN's 1,800
  const auto counts = [&](int n) { return !program.graph[n].uniform && !program.graph[n].args.empty(); };
  const bool in_place = std::ranges::any_of(k.writes, [&](int v) { return std::ranges::count(k.reads, v) > 0; });
  if (occurs(program, k, Op::noise)) return false;  // it is of one point, and large kernels compute several at once
  return !k.reads.empty() && k.of->with.empty() && std::ranges::count_if(k.nodes, counts) > most &&
         (k.of->kind == CK::rhs || !in_place) && (k.of->region.empty() || k.of->region == "interior");
}

std::string group_of(const Model& m, int v) {
  const Variable& x = m.variables()[v];
  return x.group.empty() ? x.thorn : x.group;
}

int margin_of(const Program& program, const Kernel& k) {
  if (k.of->kind != CK::store) return 0;
  int margin = 0;
  for (const auto& [v, along] : k.along)
    for (const Reach& r : along) margin = std::max(margin, r.more);
  int behind = 0;  // what an earlier kernel of `store` has left out
  for (const Kernel& other : program.kernels)
    for (const int v : other.writes)
      if (&other != &k && std::ranges::count(k.reads, v)) behind = std::max(behind, margin_of(program, other));
  return margin + behind;
}

namespace {
// A calculation for those names that are stored at once: none of them reads another one of them.
void collect_stored(Program& program) {
  const Model& m = *program.model;
  std::vector<Calculation> stages;
  std::map<std::string, std::size_t> stage_of;
  for (const Equation& q : m.text().lets) {
    if (!q.stored) continue;
    Calculation c;
    c.kind = CK::store, c.region = "everywhere", c.span = q.span, c.equations = {q};
    std::size_t stage = 0;
    for (const int v : make_kernel(program, c).reads)
      if (const auto read = stage_of.find(m.variables()[v].tensor); read != stage_of.end())
        stage = std::max(stage, read->second + 1);
    stage_of[q.left.name] = stage;
    if (stage == stages.size()) stages.push_back(c);
    else stages[stage].equations.push_back(q);
  }
  for (const Calculation& c : stages) program.storing.push_back(std::make_shared<const Calculation>(c));
}
}  // namespace

std::vector<int> grids_of(const Program& program) {
  std::vector<int> all = program.dimensions;
  if (program.shells) all.push_back(on_shell);
  return all;
}

Program make_program(const Model& m, bool shells) {
  Program program;
  program.model = &m, program.shells = shells;
  program.dimensions = m.text().dimensions.empty() ? std::vector{1, 2, 3} : m.text().dimensions;
  check_operators(m);
  check_parameters(m);
  IndexRules(m).check_all();
  std::map<CK, Lines> set;
  for (const auto& c : m.text().calculations) check_calculation(m, c, set[c.kind]);
  check_rates(m);
  if (!m.source().problems().empty()) return program;
  for (const auto& o : m.text().operators)
    if (!o.parameter.empty()) program.order_parameter = o.parameter;
  if (const auto* p = m.parameter(program.order_parameter))
    for (const auto& c : p->choices) program.orders.push_back(to_int(c.number));
  for (const auto& g : m.text().groups)
    for (const auto& d : g.tensors) read_far(program, d);
  for (const auto& r : m.text().boundary) read_radiation(program, r);
  collect_stored(program);
  std::vector<const Calculation*> calculations;
  for (const auto& c : program.storing) calculations.push_back(c.get());
  for (const auto& c : m.text().calculations) calculations.push_back(&c);
  std::map<std::string, int> count;
  for (const Calculation* of : calculations) {
    const Calculation& c = *of;
    Kernel k = make_kernel(program, c);
    const char* names[] = {"SetInitial", "CalcRhs", "Enforce", "EnforceStep", "Analyse", "Store"};
    const char* routines[] = {"initial", "rhs", "enforce", "enforce_step", "analysis", "store"};
    const int kind = static_cast<int>(c.kind), number = count[names[kind]] += c.with.empty();
    k.name = names[kind], k.routine = routines[kind];
    if (c.kind == CK::initial && !c.from.empty()) k.name = "From" + c.from, k.routine = "from_" + c.from;
    if (number > 1) k.name += std::to_string(number), k.routine += "_" + std::to_string(number);
    if (!c.with.empty()) k.name += "With" + c.with, k.routine += "_with_" + c.with;
    for (const Kernel& before : program.kernels)
      if (c.kind == CK::initial && before.of->kind == CK::initial) k.after = before.routine;
    if (m.source().problems().empty() && is_large(program, k)) lower(program, k);
    program.kernels.push_back(std::move(k));
  }
  check_analysis(program), check_constants(program);
  if (m.source().problems().empty()) check_sizes(program);
  if (m.source().problems().empty()) {
    Graph graph;
    Expansion(m, graph, std::ranges::max(program.dimensions)).check_symmetries();
  }
  return program;
}
}  // namespace cereus::equations
