// Names, bounds and what is read around them. Values of parameters that nobody has given are made up, all different.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cereus/text.hpp"
#include "stencils/types.hpp"

namespace cereus::stencils {
namespace {
using Kind = Expression::Kind;
using Ends = std::pair<std::int64_t, std::int64_t>;

class Check {
 public:
  explicit Check(Program& p) : p_(p), s_(p.source), t_(p.text) {}
  void all() {
    parameters();
    grids();
    if (bad()) return;
    fields();
    for (FunctionText& f : t_.functions) function(f);
    if (t_.functions.empty()) add({0, 1}, "a program without functions", "f(A_G)[1..N-2] = …");
    if (bad()) return;
    updated();
    overlaps();
    if (t_.grids[0].until) until(*t_.grids[0].until);
  }

 private:
  bool bad() const { return !s_.problems().empty(); }
  void add(Span span, const std::string& what, const std::string& mend = "") { s_.add(span, what, mend); }
  template <class List> static std::vector<std::string> names_of(const List& list) {
    std::vector<std::string> names;
    for (const auto& x : list) names.push_back(x.name);
    return names;
  }
  template <class List> void once(const List& list, const char* what) {
    std::map<std::string, int> seen;
    for (const auto& x : list)
      if (const auto [at, fresh] = seen.emplace(x.name, s_.where(x.span.begin).line); !fresh)
        add(x.span, fmt::format("'{}' is {} already (line {})", x.name, what, at->second));
  }

  static std::string indices(std::size_t n) { return fmt::format("{} ind{}", n, n == 1 ? "ex" : "ices"); }

  // Parameters: those of bounds are whole numbers, and need not be declared.
  void parameters() {
    once(t_.parameters, "a parameter");
    for (const GridText& g : t_.grids) {
      for (const Interval& i : g.bounds) whole(i.low), whole(i.high);
      if (g.steps) whole(*g.steps);
      if (g.until) whole(g.until->most);
    }
    for (const FunctionText& f : t_.functions)
      for (const Interval& i : f.bounds) whole(i.low), whole(i.high);
    int next = 100;
    for (const ParameterText& q : t_.parameters) {
      if (q.value && !constant(*q.value))
        add(q.value->span, "a default is made of numbers", "give it to the parameter");
      else if (!std::isfinite(default_of(q))) add(q.value->span, "a default is a finite number");
      if (!p_.integers.contains(q.name)) continue;
      const auto value = q.value ? value_of(*q.value, {}) : std::nullopt;
      if (q.value && !value) add(q.value->span, fmt::format("'{}' stands in bounds, so it is a whole number", q.name));
      if (!value && !p_.values.contains(q.name)) p_.unknown.insert(q.name);
      p_.values.emplace(q.name, value.value_or(next)), next += 10;
    }
  }
  static bool constant(const Expression& e) {
    const bool known = e.kind == Kind::number || e.kind == Kind::negative || e.kind == Kind::binary;
    return known && std::ranges::all_of(e.args, constant);
  }
  void whole(const Expression& e) {
    const bool known = e.kind == Kind::name || e.kind == Kind::number || e.kind == Kind::negative ||
                       (e.kind == Kind::binary && e.args.size() == 2);
    const bool digits = e.kind != Kind::number || value_of(e, {});
    if (!known || !digits) return add(e.span, "bounds and steps are made of whole numbers and parameters", "[1..N-2]");
    for (const Expression& a : e.args) whole(a);
    if (e.kind != Kind::name) return;
    p_.integers.insert(e.text);
    if (!p_.parameter(e.text)) t_.parameters.push_back({e.text, e.span, {}});
  }

  // " (with N = 100, M = 110)": of the names that an expression has.
  void names_in(const Expression& e, std::set<std::string>& names) const {
    if (e.kind == Kind::name) names.insert(e.text);
    for (const Expression& a : e.args) names_in(a, names);
  }
  std::string with(const Bounds& bounds) const {
    std::set<std::string> names;
    for (const Interval& i : bounds) names_in(i.low, names), names_in(i.high, names);
    std::vector<std::string> values;
    for (const std::string& n : names) values.push_back(fmt::format("{} = {}", n, p_.values.at(n)));
    return values.empty() ? "" : fmt::format(" (with {})", join(values, ", "));
  }
  std::string written(const Expression& e) const { return s_.text().substr(e.span.begin, e.span.end - e.span.begin); }
  std::string written(const Interval& i) const {
    const std::string low = written(i.low), high = written(i.high);
    return low == high ? low : low + ".." + high;
  }
  Ends ends(const Interval& i) const {
    return {value_of(i.low, p_.values).value_or(0), value_of(i.high, p_.values).value_or(0)};
  }
  std::string points(const Bounds& bounds, const char* of) {  // says what is wrong with them; "" if nothing is
    for (const Interval& i : bounds) {
      const Span span{i.low.span.begin, i.high.span.end};
      if (!value_of(i.low, p_.values) || !value_of(i.high, p_.values))
        return add(span, "a bound is beyond 2147483648, or divides by 0"), "bad";
      if (const auto [low, high] = ends(i); high < low)
        return add(span, fmt::format("no point lies in {} of {}{}", written(i), of, with({i}))), "bad";
    }
    return "";
  }
  // Whether bounds lie within those of a grid, which are right.
  bool within(const Bounds& bounds, const std::string& what, const GridText& g) {
    const std::size_t before = s_.problems().count();
    for (std::size_t n = 0; n < bounds.size(); ++n) {
      const auto [low, high] = ends(bounds[n]);
      const auto [first, last] = ends(g.bounds[n]);
      if (low < first || high > last)
        add({bounds[n].low.span.begin, bounds[n].high.span.end},
            fmt::format(
                "{} leave grid {}, which is {}{}", what, g.name, written(g.bounds[n]), with({bounds[n], g.bounds[n]})));
    }
    return s_.problems().count() == before;
  }

  void grids() {
    once(t_.grids, "a grid");
    if (t_.grids.empty()) return add({0, 1}, "a program without a grid", "G = [0..N-1], 100");
    const GridText& whole = t_.grids[0];
    if (!whole.steps) add(whole.span, "the first grid says how many steps there are", "G = [0..N-1], 100");
    if (!whole.parent.empty()) add(whole.span, "the first grid is part of no other one", "G = [0..N-1], 100");
    if (whole.bounds.size() > 3) add(whole.span, "a grid has 1, 2 or 3 dimensions");
    for (const GridText& g : t_.grids) {
      if (&g != &whole && g.steps) add(g.span, "only the first grid has steps", "S = G[1..N-2]");
      if (!g.parent.empty() && !p_.grid(g.parent))
        add(g.span, fmt::format("there is no grid '{}'{}", g.parent, did_you_mean(g.parent, names_of(t_.grids))));
      if (g.bounds.size() != whole.bounds.size())
        add(g.span, fmt::format("grid {} has {}, and grid {} has {}", g.name, indices(g.bounds.size()), whole.name,
                        indices(whole.bounds.size())));
      else if (points(g.bounds, "the grid").empty() && &g != &whole &&
               p_.grid(g.parent.empty() ? whole.name : g.parent))
        within(g.bounds, "the bounds", *p_.grid(g.parent.empty() ? whole.name : g.parent));
    }
    for (const auto& [axis, span] : t_.periodic)
      if (!bad() && (axis.size() != 1 || axis[0] < 'x' || axis[0] >= 'x' + p_.dim()))
        add(span, fmt::format("there is no axis '{}'", axis), "x is that of the last index");
  }
  const GridText* grid(const std::string& name, Span span) {
    const GridText* g = p_.grid(name);
    if (!g) add(span, fmt::format("there is no grid '{}'{}", name, did_you_mean(name, names_of(t_.grids))));
    return g;
  }

  void fields() {
    for (std::size_t n = 0; n < t_.fields.size(); ++n) {
      FieldText& f = t_.fields[n];
      grid(f.grid, f.span);
      for (std::size_t m = 0; m < n; ++m)
        if (t_.fields[m].name == f.name)
          add(f.span, fmt::format("'{}' is a field already (line {}): the name of the grid does not tell them apart",
                          f.name, s_.where(t_.fields[m].span.begin).line));
      if (p_.parameter(f.name)) add(f.span, fmt::format("'{}' is a parameter and a field", f.name), "rename one");
      if (f.initial) Types(p_).of_initial(f);
    }
  }

  void function(FunctionText& f) {
    for (const Argument& a : f.arguments) argument(a);
    const FieldText* updated = p_.updated(f);
    const std::string name = f.subscript.empty() ? f.name : f.name + "_" + f.subscript;
    if (!updated) return;
    if (updated->in) add(f.span, fmt::format("{} updates '{}', which is `in`", name, updated->name));
    const GridText* g = p_.grid(updated->grid);
    if (!g) return;
    if (f.bounds.size() != g->bounds.size())
      return add(f.span, fmt::format("{} has bounds of {}, and grid {} has {}", name, indices(f.bounds.size()), g->name,
                             indices(g->bounds.size())));
    Types(p_).of_function(f, *updated);
    if (!points(f.bounds, name.c_str()).empty()) return;
    if (!within(f.bounds, fmt::format("{}'s bounds", name), *g)) return;
    for_each_access(f.value, [&](const Expression& e) { read(f, name, e); });
  }
  void argument(const Argument& a) {
    const FieldText* f = p_.field(a.field);
    if (!f)
      add(a.span, fmt::format("'{}' is no field{}", a.field, did_you_mean(a.field, names_of(t_.fields))),
          fmt::format("{}_{} : real", a.field, a.grid));
    else if (f->grid != a.grid && p_.grid(f->grid))
      add(a.span, fmt::format("'{}' is on grid {}", a.field, f->grid), a.field + "_" + f->grid);
  }
  // The check looks at all points that are updated.
  void until(UntilText& u) {
    const auto steps = value_of(*t_.grids[0].steps, p_.values);
    if (!steps || *steps < 1) add(t_.grids[0].steps->span, "a check comes after at least one step", "100 until …");
    Types(p_).of_until(u);
    for_each_access(u.value, [&](const Expression& e) {
      const FieldText* f = p_.field(e.text);
      if (!f) return;
      const bool updated = std::ranges::any_of(t_.functions, [&](const auto& g) { return p_.updated(g) == f; });
      if (e.old && !updated) add(e.span, fmt::format("no function updates '{}'", f->name), f->name);
      bool outside = false;
      for (std::size_t n = 0; n < p_.updated_ends.size(); ++n) {
        const auto [low, high] = p_.updated_ends[n];
        const auto [first, last] = ends(p_.grid(f->grid)->bounds[n]);
        const int offset = e.offsets.size() == p_.updated_ends.size() ? e.offsets[n] : 0;
        outside = outside || (!p_.is_periodic(static_cast<int>(n)) && (low + offset < first || high + offset > last));
      }
      if (outside) add(e.span, fmt::format("{} leaves grid {} at some points that are updated", written(e), f->grid));
    });
  }
  void read(const FunctionText& f, const std::string& name, const Expression& e) {
    const FieldText* field = p_.field(e.text);
    const GridText* g = field ? p_.grid(field->grid) : nullptr;
    if (!g || (!e.offsets.empty() && e.offsets.size() != g->bounds.size())) return;
    for (std::size_t n = 0; n < g->bounds.size(); ++n) {
      if (p_.is_periodic(static_cast<int>(n))) continue;
      const int offset = e.offsets.empty() ? 0 : e.offsets[n];
      const auto [low, high] = ends(f.bounds[n]);
      const auto [first, last] = ends(g->bounds[n]);
      const auto outside = [&](std::int64_t at, const char* verb, std::int64_t right) {
        add(e.span,
            fmt::format("{} at index {} of {}'s bounds {} is outside grid {}{}", written(e), at, name,
                written(f.bounds[n]), g->name, with({f.bounds[n], g->bounds[n]})),
            fmt::format("{} at {}, or give the grid another point", verb, right));
      };
      if (low + offset < first) outside(low, "start", first - offset);
      if (high + offset > last) outside(high, "end", last - offset);
    }
  }

  // The points that are updated; across a periodic axis all of them.
  void updated() {
    for (std::size_t n = 0; n < t_.grids[0].bounds.size(); ++n) {
      Ends all = ends(p_.is_periodic(static_cast<int>(n)) ? t_.grids[0].bounds[n] : t_.functions[0].bounds[n]);
      for (const FunctionText& f : t_.functions)
        all.first = std::min(all.first, ends(f.bounds[n]).first),
        all.second = std::max(all.second, ends(f.bounds[n]).second);
      p_.updated_ends.push_back(all);
    }
  }
  void overlaps() {
    for (std::size_t n = 1; n < t_.functions.size(); ++n)
      for (std::size_t m = n; m-- > 0 && !t_.functions[m + 1].then;) {
        const FunctionText &above = t_.functions[m], &f = t_.functions[n];
        if (p_.updated(above) != p_.updated(f)) break;
        bool apart = false;
        for (std::size_t i = 0; i < f.bounds.size(); ++i) {
          const Ends a = ends(above.bounds[i]), b = ends(f.bounds[i]);
          apart = apart || a.second < b.first || b.second < a.first;
        }
        if (!apart)
          add(f.span,
              fmt::format("line {} updates some of these points of '{}', too", s_.where(above.span.begin).line,
                  p_.updated(f)->name),
              "`then` between them: the second one sees what the first one wrote");
      }
  }

  Program& p_;
  const Source& s_;
  ProgramText& t_;
};
}  // namespace

void check(Program& p) { Check(p).all(); }
}  // namespace cereus::stencils
