// The sections of a thorn. A heading begins at the first column; a statement begins at its section's first column, and
// lines further in continue it.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "cereus/text.hpp"
#include "equations/constant.hpp"
#include "equations/cursor.hpp"
#include "equations/tree.hpp"

namespace cereus::equations {
namespace {
class ThornParser : Cursor {
 public:
  ThornParser(const Source& source, const std::vector<Token>& tokens) : Cursor(source, tokens) {
    for (std::size_t n = 0; n + 1 < tokens.size(); ++n)
      if (tokens[n].first_of_line && tokens[n].column == 0 && tokens[n].is_word("operator"))
        words_.operators.insert(tokens[n + 1].text);
    std::string heading;
    for (const Token& t : tokens) {
      if (t.first_of_line && t.column == 0) heading = t.text;
      if (heading == "operators" && is_one_sided(t.text)) words_.operators.insert(t.text);
    }
  }

  ThornText thorn() {
    while (at_ < tokens_.size() - 1) section();
    if (thorn_.name.empty())
      source_.add({0, 1}, "the text does not say which thorn this is", "thorn NAME \"what it computes\"");
    return std::move(thorn_);
  }

 private:
  // Statements.
  void fail(const std::string& what, const std::string& mend = "") {  // the rest of the statement is skipped
    Cursor::fail(what, mend);
    at_ = end_;
  }
  bool expect(const char* symbol) {
    if (take(symbol)) return true;
    return fail(fmt::format("expected '{}'", symbol)), false;
  }
  std::string text() { return more() && look().kind == Token::Kind::text ? tokens_[at_++].text : ""; }
  std::string word(const char* what) {
    if (more() && look().kind == Token::Kind::name && look().indices.empty()) return tokens_[at_++].text;
    return fail(fmt::format("expected {}", what)), "";
  }
  Expression expression() {
    const std::size_t before = source_.problems().count();
    Expression e = parse_expression(source_, tokens_, at_, end_, words_);
    if (source_.problems().count() > before) failed_ = true, at_ = end_;
    return e;
  }
  std::size_t end_of_statement(int column) const {
    std::size_t e = at_ + 1;
    while (e + 1 < tokens_.size() && !(tokens_[e].first_of_line && tokens_[e].column <= column)) ++e;
    return e;
  }
  // Calls f for each statement of the section; its first line says at which column they begin.
  template <class F> void statements(F f) {
    const int column = tokens_[at_].column;
    while (at_ + 1 < tokens_.size() && tokens_[at_].column > 0) {
      end_ = end_of_statement(column);
      failed_ = false;
      const std::size_t begin = at_;
      if (tokens_[at_].column != column)
        fail(fmt::format("statements of this section begin at column {}", column + 1), "lines further in continue one");
      else f();
      if (more()) fail(fmt::format("'{}' was not expected here", look().text));
      at_ = std::max(end_, begin + 1);
    }
  }

  void section() {
    end_ = end_of_statement(0);
    const std::size_t heading_end = [&] {
      std::size_t e = at_ + 1;
      while (e < end_ && !tokens_[e].first_of_line) ++e;
      return e;
    }();
    const std::size_t section_end = [&] {
      std::size_t e = at_ + 1;
      while (e + 1 < tokens_.size() && !(tokens_[e].first_of_line && tokens_[e].column == 0)) ++e;
      return e;
    }();
    failed_ = false;
    end_ = heading_end;
    const Token heading = look();
    ++at_;
    using Section = void (ThornParser::*)(const Token&);
    static const std::map<std::string, std::pair<Section, bool>> sections{{"thorn", {&ThornParser::name, false}},
        {"dimensions", {&ThornParser::dimensions, false}}, {"parameter", {&ThornParser::parameters, true}},
        {"evolve", {&ThornParser::group, true}}, {"derive", {&ThornParser::group, true}},
        {"foreign", {&ThornParser::foreign, false}}, {"metric", {&ThornParser::metric, false}},
        {"operators", {&ThornParser::operators, false}}, {"operator", {&ThornParser::own_operator, false}},
        {"let", {&ThornParser::lets, true}}, {"initial", {&ThornParser::calculation, true}},
        {"rhs", {&ThornParser::calculation, true}}, {"after", {&ThornParser::calculation, true}},
        {"analysis", {&ThornParser::calculation, true}}, {"boundary", {&ThornParser::boundary, true}}};
    const auto known = sections.find(heading.text);
    if (heading.kind != Token::Kind::name || known == sections.end()) {
      std::vector<std::string> names;
      for (const auto& [n, s] : sections) names.push_back(n);
      source_.add(heading.span, fmt::format("'{}' is no section{}", heading.text, did_you_mean(heading.text, names)),
          "thorn, parameter, evolve, derive, foreign, metric, operators, operator, let, initial, rhs, after substep, "
          "after step, analysis, boundary");
      at_ = section_end;
      return;
    }
    if (!known->second.second) end_ = section_end;  // the heading is all of it
    (this->*known->second.first)(heading);
    if (more()) fail(fmt::format("'{}' was not expected here", look().text));
    at_ = std::max(at_, section_end);
  }
  // The heading is read; its statements follow.
  template <class F> void body(F f) {
    if (more()) fail(fmt::format("'{}' was not expected here", look().text));
    at_ = end_;
    if (at_ + 1 < tokens_.size() && tokens_[at_].column > 0) statements(f);
  }

  void name(const Token& heading) {
    if (!thorn_.name.empty()) fail("a text describes one thorn", "write the second thorn into a file of its own");
    thorn_.span = heading.span;
    thorn_.name = word("the name of the thorn");
    thorn_.doc = text();
    if (thorn_.doc.empty()) fail("the thorn is not described", "\"what it computes\"");
    if (take_word("in")) {
      if (take_word("cells")) thorn_.centre.fill(Centre::cell);
      else fail("variables lie at vertices, in cells or on faces", "in cells, or on x faces");
    } else if (take_word("on")) {
      const std::string axis = word("x, y or z");
      const auto d = axis.size() == 1 ? std::string("xyz").find(axis) : std::string::npos;
      if (d == std::string::npos || !take_word("faces")) return fail("which faces?", "on x faces");
      thorn_.centre.fill(Centre::cell), thorn_.centre[d] = Centre::vertex;
    }
  }
  void dimensions(const Token&) {
    while (more()) {
      const int n = integer("1, 2 or 3");
      if (!failed_ && (n < 1 || n > 3)) --at_, fail("a grid has 1, 2 or 3 dimensions");
      thorn_.dimensions.push_back(n);
      if (more() && !take(",")) fail("expected ','");
    }
  }

  Declared declared(const char* what) {
    Declared d;
    if (!more() || look().kind != Token::Kind::name) return fail(fmt::format("expected {}", what)), d;
    const Token& t = tokens_[at_++];
    d.name = t.text, d.indices = t.indices, d.span = t.span;
    return d;
  }
  void attributes(Declared& d) {
    words_.ends = {"far", "speed", "diffusivity", "axial"};
    while (attribute(d)) {}
    words_.ends.clear();
  }
  bool attribute(Declared& d) {
    if (more() && look().kind == Token::Kind::text) d.doc = text();
    else if (take_word("axial")) d.axial = true;
    else if (take_word("far")) d.far = expression();
    else if (take_word("speed")) d.speed = expression();
    else if (take_word("diffusivity")) d.diffusivity = expression();
    else return false;
    return true;
  }
  void group(const Token& heading) {
    GroupText g;
    g.span = heading.span;
    g.evolved = heading.text == "evolve";
    if (more() && look().kind == Token::Kind::name && !look().indices.empty())
      fail("a name has no underscore", "stateOfU");
    g.name = word("the name of the group");
    g.doc = text();
    body([&] {
      do {
        g.tensors.push_back(declared("the name of a variable"));
        attributes(g.tensors.back());
      } while (take(","));
    });
    if (g.tensors.empty()) source_.add(heading.span, "a group without variables", "their names follow, further in");
    thorn_.groups.push_back(std::move(g));
  }
  void foreign(const Token&) {
    ThornText::Foreign f;
    f.thorn = word("the thorn of the variables");
    expect(":");
    while (more()) {
      f.tensors.push_back(declared("a variable"));
      if (take_word("as")) f.tensors.back().as = word("what the names begin with in that thorn");
      if (!take(",")) break;
    }
    thorn_.foreign.push_back(std::move(f));
  }
  void metric(const Token&) {
    thorn_.metric = declared("the metric, g_ij");
    if (take_word("determinant")) {
      if (integer("1") != 1) --at_, fail("only a determinant of 1 can be said", "leave it out for any other");
      thorn_.unit_determinant = true;
    }
  }

  int integer(const char* what) {
    if (!more() || look().kind != Token::Kind::number || !is_integer(look().value) || look().value > 1000)
      return fail(fmt::format("expected {}", what)), 0;
    return to_int(tokens_[at_++].value);
  }
  Rational number() {
    words_.ends = {"in", "steerable"};
    const Expression e =
        more() && look().kind != Token::Kind::text ? expression() : (fail("expected a number"), Expression{});
    words_.ends.clear();
    return failed_ ? Rational(0) : constant(source_, e);
  }
  ParameterText::Bound bound() {
    ParameterText::Bound b;
    const bool negative = more() && look().is("-") && look(1).is_word("inf");
    if (negative) ++at_;
    if (take_word("inf")) b.infinite = true;
    else b.value = number();
    return b;
  }
  void range(ParameterText& p) {
    if (take("{")) {
      do {
        ParameterText::Choice c;
        const bool is_word = more() && look().kind == Token::Kind::name && !look().is_word("pi") && !look(1).is("(");
        if (is_word) c.word = word("a choice"), c.doc = text();
        else c.number = number();
        p.choices.push_back(std::move(c));
      } while (take(","));
      expect("}");
      return;
    }
    const bool closed = take("[");
    if (!closed && !take("(")) return fail("expected a range", "(0, inf), [0, 1] or {2, 4}");
    auto lower = bound();
    lower.included = closed;
    expect(",");
    auto upper = bound();
    upper.included = more() && look().is("]");
    if (!take("]")) expect(")");
    if (!lower.infinite) p.lower = lower;
    if (!upper.infinite) p.upper = upper;
  }
  // A name that begins no expression.
  bool is_keyword() const {
    const Token& next = look(1);
    const bool operates =
        next.kind == Token::Kind::symbol && std::string_view("(+-*/^").find(next.text) != std::string_view::npos;
    return look().kind == Token::Kind::name && look().text != "pi" && !operates;
  }
  // A comma stands between these parentheses.
  bool is_list() const {
    int depth = 0;
    for (std::size_t n = at_; n < end_ && (depth > 0 || n == at_); ++n)
      if (tokens_[n].is("(")) ++depth;
      else if (tokens_[n].is(")")) --depth;
      else if (tokens_[n].is(",") && depth == 1) return true;
    return false;
  }
  void component(ParameterText& p) {  // or a row of a matrix
    const std::size_t before = p.value.size();
    const bool row = is_list() && take("(");
    do p.value.push_back(number());
    while (row && take(","));
    if (!row) return;
    expect(")");
    p.rows.push_back(p.value.size() - before);
  }
  void value(ParameterText& p) {
    if (is_keyword()) {
      p.keyword = word("a value");
    } else if (is_list()) {
      expect("(");
      do component(p);
      while (take(","));
      expect(")");
    } else {
      p.value.push_back(number());
    }
  }
  void parameters(const Token&) {
    body([&] {
      ParameterText p;
      p.declared = declared("the name of a parameter");
      expect("=");
      if (more()) value(p);
      if (take_word("in")) range(p);
      p.declared.doc = text();
      p.steerable = take_word("steerable");
      if (!failed_ && p.declared.doc.empty())
        source_.add(p.declared.span, fmt::format("parameter '{}' is not described", p.declared.name), "\"what it is\"");
      thorn_.parameters.push_back(std::move(p));
    });
  }

  void operators(const Token&) {
    while (more()) {
      OperatorText o;
      o.span = look().span;
      o.name = word("an operator: centred, upwind, dissipation, forward, backward");
      expect("(");
      if (is_one_sided(o.name)) {
        const int order = integer("a number from 1 to 16");
        if (!failed_ && (order < 1 || order > 16))
          --at_, fail(fmt::format("{} of order {}", o.name, order), "a number from 1 to 16");
        expect(")");
        if (!failed_) thorn_.own_operators.push_back(one_sided(o.name, order, o.span));
        if (more() && !take(",")) fail("expected ','");
        continue;
      }
      if (more() && look().kind == Token::Kind::name) {
        o.parameter = word("an order");
        if (take_word("in")) {  // declares the parameter as well
          ParameterText p;
          p.declared.name = o.parameter, p.declared.span = o.span, p.declared.doc = "Order of the finite differences";
          range(p);
          expect("=");
          value(p);
          thorn_.parameters.push_back(std::move(p));
        } else if (take("+")) {
          o.value = integer("a number");
        } else if (take("-")) {
          o.value = -integer("a number");
        }
      } else {
        o.value = integer("an order");
      }
      expect(")");
      o.diagonal = o.name == "centred" && take_word("diagonal");
      thorn_.operators.push_back(std::move(o));
      if (more() && !take(",")) fail("expected ','");
    }
  }

  void own_operator(const Token&) {
    OwnOperator o;
    o.span = look().span;
    o.name = word("the name of the operator, without indices");
    expect("(");
    o.argument = word("an argument");
    expect(")");
    expect("=");
    if (!failed_) o.body = expression();
    thorn_.own_operators.push_back(std::move(o));
  }

  Equation equation(bool with_arguments) {
    Equation q;
    const int begin = look().span.begin;
    if (look().kind == Token::Kind::name && look().text == "D" && look().indices.size() == 1 &&
        look().indices[0].name == "t")
      ++at_, q.of_rate = true;
    if (!q.of_rate && look().text == "D" && look().indices.size() > 1 && look().indices[0].name == "t")
      return fail("equations are of first order in time",
                 "evolve the rate of change as a variable of its own: D_t u = v"),
             q;
    if (!q.of_rate && look().indices.size() == 1 && look().indices[0].name == "t" && !look().indices[0].up)
      return fail("a rate of change", fmt::format("D_t {} = …", look().text)), q;
    q.left = declared("the left side of an equation");
    if (with_arguments && q.left.indices.empty() && more() && look().is("(") && !look().after_blank) {
      ++at_;
      do q.arguments.push_back(word("an argument"));
      while (take(","));
      if (more() && look().is(")")) q.left.indices = look().indices;
      expect(")");
    }
    q.adds = !with_arguments && take(":");
    if (!q.adds) expect("=");
    if (!failed_) q.right = expression();
    q.span = {begin, at_ > 0 ? tokens_[at_ - 1].span.end : begin};
    return q;
  }
  void lets(const Token&) {
    body([&] {
      const bool stored = take_word("store");
      do {
        thorn_.lets.push_back(equation(true));
        if (stored && !failed_) store(thorn_.lets.back());
      } while (take(","));
    });
  }
  void store(Equation& q) {
    const bool whole = std::ranges::all_of(q.left.indices, [](const Index& i) { return i.component < 0; });
    if (!q.arguments.empty() || !whole)
      return source_.add(q.left.span, "`store` takes a name with all its components, and without arguments");
    q.stored = true;
    auto group = std::ranges::find_if(thorn_.groups, &GroupText::stored);
    if (group == thorn_.groups.end()) {
      GroupText g;
      g.name = "stored", g.doc = "Stored for right-hand sides", g.span = q.left.span, g.stored = true;
      group = thorn_.groups.insert(group, g);
    }
    group->tensors.push_back(q.left);
  }
  void calculation(const Token& heading) {
    using Kind = Calculation::Kind;
    Calculation c;
    c.span = heading.span;
    c.kind = heading.text == "initial"    ? Kind::initial
             : heading.text == "rhs"      ? Kind::rhs
             : heading.text == "analysis" ? Kind::analysis
                                          : Kind::after_substep;
    if (c.kind == Kind::after_substep && take_word("step")) c.kind = Kind::after_step;
    else if (c.kind == Kind::after_substep && !take_word("substep")) fail("expected 'substep' or 'step'");
    if (look().is_word("with")) with(c);
    while (more() && c.with.empty()) {
      if (take_word("on")) c.region = word("interior, everywhere or boundary");
      else if (take_word("from")) c.from = word("the name of a thorn");
      else if (take_word("every")) c.every = integer("a number of iterations");
      else if (c.kind == Kind::initial && take_word("after")) {
        if (take_word("exchange")) c.after_exchange = true;
        else fail("expected 'exchange'");
      } else {
        fail(fmt::format("'{}' was not expected here", look().text));
      }
    }
    if (!c.region.empty() && c.region != "interior" && c.region != "everywhere" && c.region != "boundary")
      source_.add(heading.span, fmt::format("'{}' is no region", c.region), "interior, everywhere or boundary");
    body([&] { statement(c); });
    if (c.equations.empty()) source_.add(heading.span, "a calculation without equations");
    thorn_.calculations.push_back(std::move(c));
  }
  // `rhs with Thorn`: of the points and iterations of the section above.
  void with(Calculation& c) {
    const std::string& section = tokens_[at_ - 1].text;
    if (c.kind != Calculation::Kind::rhs && c.kind != Calculation::Kind::analysis)
      return fail("only `rhs` and `analysis` are completed with another thorn");
    ++at_, c.with_span = look().span;
    c.with = word("the name of a thorn");
    if (failed_) return;
    for (auto n = thorn_.calculations.size(); n-- > 0;) {
      const Calculation& above = thorn_.calculations[n];
      if (above.kind != c.kind) continue;
      if (above.with == c.with)
        source_.add(c.with_span, fmt::format("`{} with {}` stands above already", section, c.with));
      if (!above.with.empty()) continue;
      c.region = above.region, c.every = above.every;
      return;
    }
    source_.add(c.span, fmt::format("no `{}` stands above, to which this section adds", section));
  }
  void statement(Calculation& c) {
    if (!take_word("every")) {
      do c.equations.push_back(equation(false));
      while (take(","));
      return;
    }
    const bool of_rate = more() && look().text == "D" && look().indices.size() == 1 && look().indices[0].name == "t";
    if (!of_rate || !look(1).is_word("u") || !look(2).is(":")) return fail("expected 'D_t u:'", "every D_t u: + …");
    at_ += 3;
    if (c.kind != Calculation::Kind::rhs) return fail("only right-hand sides have D_t");
    if (!c.with.empty()) return fail("`every D_t u` belongs into `rhs` itself");
    c.each.push_back(expression());
  }
  void boundary(const Token&) {
    body([&] {
      Radiate r;
      if (!take_word("radiate")) return fail("expected 'radiate'", "radiate u, rho with speed c");
      do r.names.push_back(declared("a variable or group"));
      while (take(","));
      if (take_word("with")) {
        if (!take_word("speed")) return fail("expected 'speed'");
        r.speed = expression();
      }
      thorn_.boundary.push_back(std::move(r));
    });
  }

  Words words_;
  ThornText thorn_;
};
}  // namespace

ThornText parse(const Source& source) {
  const auto tokens = read_tokens(source);
  return ThornParser(source, tokens).thorn();
}
}  // namespace cereus::equations
