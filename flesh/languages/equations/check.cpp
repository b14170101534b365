#include "equations/check.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cereus/text.hpp"

namespace cereus::equations {
using Kind = Expression::Kind;
namespace {
std::string list_of(const std::vector<Index>& indices) {
  std::vector<std::string> names;
  for (const auto& i : indices) names.push_back(i.name);
  return names.empty() ? "none" : join(names, " ");
}
bool same_indices(std::vector<Index> a, std::vector<Index> b, bool positions) {
  const auto key = [&](const Index& i) { return std::pair(i.name, positions && i.up); };
  std::ranges::sort(a, {}, key), std::ranges::sort(b, {}, key);
  return std::ranges::equal(a, b, {}, key, key);
}
}  // namespace

const std::map<std::string, int>& functions() {
  static const std::map<std::string, int> all{{"sqrt", 1}, {"exp", 1}, {"log", 1}, {"sin", 1}, {"cos", 1}, {"tan", 1},
      {"asin", 1}, {"acos", 1}, {"atan", 1}, {"sinh", 1}, {"cosh", 1}, {"tanh", 1}, {"erf", 1}, {"abs", 1},
      {"floor", 1}, {"ceil", 1}, {"noise", 1}, {"min", 2}, {"max", 2}, {"pow", 2}, {"atan2", 2}};
  return all;
}

void IndexRules::add(Span span, const std::string& what, const std::string& mend) {
  model_.source().add(span, what, mend);
}

std::vector<Index> IndexRules::contract(const std::vector<Index>& all, Span span) {
  std::vector<Index> free;
  for (const Index& i : all) {
    if (i.component >= 0) continue;
    std::vector<const Index*> same;
    for (const Index& j : all)
      if (j.component < 0 && j.name == i.name) same.push_back(&j);
    if (same.size() == 1) free.push_back(i);
    if (same.size() > 2 && same[0] == &i)
      add(same[2]->span.end ? same[2]->span : span,
          fmt::format("index {} appears {} times in one product", i.name, same.size()),
          "a sum is over a pair: rename one of them");
    if (same.size() == 2 && same[0] == &i && model_.has_metric() && same[0]->up == same[1]->up && !same[0]->group &&
        !same[1]->group)
      add(same[1]->span.end ? same[1]->span : span, fmt::format("both indices {} are {}", i.name, i.up ? "up" : "down"),
          fmt::format("a sum takes one up and one down, as with {}^ij", model_.text().metric->name));
  }
  return free;
}

void IndexRules::must_be_scalar(const Expression& e, const char* what) {
  const auto f = free(e);
  if (!f.empty()) add(e.span, fmt::format("{} has the free index {}", what, list_of(f)), "it must be a number");
}

std::vector<Index> IndexRules::of_name(const Expression& e) {
  if (arguments_.contains(e.text)) {
    int& rank = arguments_[e.text];
    if (rank < 0) rank = static_cast<int>(e.indices.size());
    return contract(e.indices, e.span);
  }
  if (each_ && e.text == "u" && e.indices.empty()) return {};
  if (e.text == "x" && e.indices.empty()) return {};
  const Tensor* t = model_.find(e.text);
  if (!t) {
    if (model_.is_choice(e.text))
      add(e.span, fmt::format("'{}' is a value of a parameter: it can only be compared with it", e.text));
    else if (functions().contains(e.text))
      add(e.span, fmt::format("'{}' is a function", e.text), "'(' follows at once");
    else {
      const std::string near = nearest(e.text, model_.names());
      const Tensor* like = model_.find(near);
      add(e.span,
          fmt::format("'{}' is not declared{}{}", e.text, near.empty() ? "" : "; did you mean '" + near + "'?",
              like && !like->doc.empty() ? " (" + like->doc + ")" : ""),
          is_one_sided(e.text) ? fmt::format("operators {}(1)", e.text) : "");
    }
    return {};
  }
  if (t->rank() != static_cast<int>(e.indices.size())) {
    add(e.span, fmt::format("'{}' has {}, not {}", written(t->name, t->indices), count_of(t->rank()), e.indices.size()),
        !e.indices.empty() && e.indices[0].up ? fmt::format("letters behind ^ are indices: a power is {}^(…)", t->name)
                                              : "");
    return {};
  }
  for (const auto& l : model_.text().lets)
    if (l.left.name == e.text && !l.arguments.empty())
      return add(e.span, fmt::format("'{}' takes {} argument{}", e.text, l.arguments.size(),
                             l.arguments.size() == 1 ? "" : "s")),
             std::vector<Index>{};
  if (const ParameterText* p = model_.parameter(e.text); p && p->is_choice_of_words())
    add(e.span, fmt::format("'{}' is a word, not a number", e.text),
        fmt::format("{} == {} ? … : …", e.text, p->choices[0].word));
  auto all = e.indices;
  if (t->flat())
    for (auto& i : all) i.group = 1;  // may be summed in any position
  return contract(all, e.span);
}

namespace {
bool is_of_matrix(const std::string& f) { return f == "det" || f == "inverse" || f == "sym" || f == "tracefree"; }
int rank_in(const Expression& e, const std::string& argument) {  // with how many indices it is written; −1: nowhere
  if (e.kind == Kind::name && e.text == argument) return static_cast<int>(e.indices.size());
  const bool whole =
      e.kind == Kind::call && e.args.size() == 1 && e.args[0].kind == Kind::name && e.args[0].text == argument;
  if (whole && is_of_matrix(e.text)) return 2;
  for (const Expression& a : e.args)
    if (const int r = rank_in(a, argument); r >= 0) return r;
  return -1;
}
}  // namespace

namespace {
constexpr int largest_seed = 1 << 24;  // as in formulas of parameter files
bool is_seed(const Expression& e) { return e.kind == Kind::number && is_integer(e.value) && e.value <= largest_seed; }
}  // namespace

std::vector<Index> IndexRules::of_call(const Expression& e) {
  const auto rank_of = [&](const Expression& a) {
    if (a.kind != Kind::name || !a.indices.empty()) return -1;
    if (const auto at = arguments_.find(a.text); at != arguments_.end()) return at->second;
    const Tensor* t = model_.find(a.text);
    return t ? t->rank() : -1;
  };
  if (is_of_matrix(e.text)) {
    const std::size_t indices = e.text == "det" ? 0 : 2;
    if (e.args.size() != 1 || (rank_of(e.args[0]) != 2 && !arguments_.contains(e.args[0].text)))
      add(e.span, fmt::format("'{}' takes the name of a tensor with two indices", e.text), e.text + "(T)");
    if (e.indices.size() != indices)
      add(e.span, fmt::format("'{}' has {}, not {}", e.text, count_of(static_cast<int>(indices)), e.indices.size()));
    return contract(e.indices, e.span);
  }
  if (const Tensor* t = model_.find(e.text); t && t->kind == Tensor::Kind::let) {
    for (const auto& l : model_.text().lets)
      if (l.left.name == e.text && l.arguments.size() != e.args.size())
        add(e.span, fmt::format("'{}' takes {} arguments, not {}", e.text, l.arguments.size(), e.args.size()));
    for (const auto& l : model_.text().lets)
      for (std::size_t n = 0; l.left.name == e.text && n < std::min(l.arguments.size(), e.args.size()); ++n)
        if (const int wanted = rank_in(l.right, l.arguments[n]);
            !arguments_.contains(e.args[n].text) && wanted != rank_of(e.args[n]))
          add(e.args[n].span, fmt::format("'{}' is no tensor of {}, as '{}' needs", e.args[n].text,
                                  count_of(std::max(wanted, 0)), e.text));
    for (const auto& a : e.args)
      if (a.kind != Kind::name || !a.indices.empty())
        add(a.span, "an argument is the name of a tensor", "name it under `let`");
    if (t->indices.size() != e.indices.size())
      add(e.span, fmt::format("'{}' has {}, not {}", e.text, count_of(t->rank()), e.indices.size()));
    return contract(e.indices, e.span);
  }
  const auto f = functions().find(e.text);
  if (f == functions().end()) {
    const Tensor* t = model_.find(e.text);
    std::vector<std::string> names;
    for (const auto& [n, count] : functions()) names.push_back(n);
    add(e.span,
        t ? fmt::format("'{}' is no function", e.text)
          : fmt::format("there is no function '{}'{}", e.text, did_you_mean(e.text, names)),
        t ? "write a blank or '*' for a product" : "");
  } else if (f->second != static_cast<int>(e.args.size())) {
    add(e.span,
        fmt::format("'{}' takes {} argument{}, not {}", e.text, f->second, f->second == 1 ? "" : "s", e.args.size()));
  }
  if (e.text == "noise" && e.args.size() == 1 && !is_seed(e.args[0]))
    add(e.args[0].span, fmt::format("'noise' takes a whole number from 0 to {}", largest_seed), "noise(1)");
  for (const auto& a : e.args) must_be_scalar(a, "the argument of a function");
  if (!e.indices.empty()) add(e.span, "a function has no indices", "a power by a name is (f(x))^(n)");
  return {};
}

namespace {
void add_names(const Expression& e, std::set<std::string>& names) {
  for (const Index& i : e.indices)
    if (i.component < 0) names.insert(i.name);
  for (const Expression& a : e.args) add_names(a, names);
}
}  // namespace
// An index that is summed within an expression may not stand beside it too.
void IndexRules::check_capture(const Expression& e, const std::vector<Index>& free, const Expression& beside) {
  std::set<std::string> inside, outside;
  add_names(e, inside), add_names(beside, outside);
  for (const Index& i : free) inside.erase(i.name);
  for (const auto& n : inside)
    if (outside.contains(n))
      add(e.span, fmt::format("index {} is summed here, and stands in the other factor too", n), "rename one pair");
}
void IndexRules::must_be_condition(const Expression& e) {
  if (e.kind == Kind::compare || e.kind == Kind::logic) free(e);
  else add(e.span, "a condition compares", "x < 1, kind == word");
}

// A comparison with a parameter that is a word: Expansion looks at the other side.
bool IndexRules::compares_words(const Expression& e) const {
  return std::ranges::any_of(e.args, [&](const Expression& a) {
    const ParameterText* p = a.kind == Kind::name ? model_.parameter(a.text) : nullptr;
    return p && p->is_choice_of_words();
  });
}

std::vector<Index> IndexRules::of_operator(const Expression& e) {
  if (e.text == "dissipation" && !e.indices.empty()) add(e.span, "'dissipation' has no index: it is along all axes");
  if (model_.own_operator(e.text) && e.indices.empty())
    add(e.span, fmt::format("'{}' without an axis", e.text), e.text + "_i");
  if (e.text == "upwind" && e.indices.size() != 1) add(e.span, "'upwind' has one index", "beta^k upwind_k u");
  for (const auto& i : e.indices) {
    if (i.up && model_.has_metric()) add(i.span, "the index of a derivative is down");
    if (i.name == "t") return add(i.span, "D_t stands on the left of an equation only"), std::vector<Index>{};
  }
  const auto inner = free(e.args[0]);
  Expression own;
  own.indices = e.indices;
  check_capture(e.args[0], inner, own);
  auto all = e.indices;
  all.insert(all.end(), inner.begin(), inner.end());
  return contract(all, e.span);
}

std::vector<Index> IndexRules::free(const Expression& e) {
  const auto all_of = [&](const std::vector<Index>& a, const std::vector<Index>& b) {
    auto all = a;
    all.insert(all.end(), b.begin(), b.end());
    return contract(all, e.span);
  };
  switch (e.kind) {
    case Kind::number: return {};
    case Kind::name: return of_name(e);
    case Kind::call: return of_call(e);
    case Kind::negative: return free(e.args[0]);
    case Kind::product: {
      const auto a = free(e.args[0]), b = free(e.args[1]);
      check_capture(e.args[0], a, e.args[1]), check_capture(e.args[1], b, e.args[0]);
      return all_of(a, b);
    }
    case Kind::quotient: return must_be_scalar(e.args[1], "what is divided by"), free(e.args[0]);
    case Kind::power:
      must_be_scalar(e.args[0], "the base of a power"), must_be_scalar(e.args[1], "an exponent");
      return {};
    case Kind::apply: return of_operator(e);
    case Kind::sum: {
      const auto a = free(e.args[0]);
      for (std::size_t n = 1; n < e.args.size(); ++n)
        if (const auto b = free(e.args[n]); !same_indices(a, b, model_.has_metric()))
          add(e.args[n].span, fmt::format("the terms of a sum have different free indices: {} before, {} here",
                                  list_of(a), list_of(b)));
      return a;
    }
    case Kind::compare:
      if (!compares_words(e))
        for (const auto& a : e.args) must_be_scalar(a, "what is compared");
      return {};
    case Kind::logic:
      for (const auto& a : e.args) must_be_condition(a);
      return {};
    case Kind::choose: {
      must_be_condition(e.args[0]);
      const auto a = free(e.args[1]), b = free(e.args[2]);
      if (!same_indices(a, b, model_.has_metric()))
        add(e.args[2].span,
            fmt::format("the sides of a choice have different free indices: {} and {}", list_of(a), list_of(b)));
      return a;
    }
  }
  return {};
}

void IndexRules::check_equation(const Equation& q) {
  std::vector<Index> left;
  for (const auto& i : q.left.indices)
    if (i.component < 0) left.push_back(i);
  for (std::size_t a = 0; a < left.size(); ++a)
    for (std::size_t b = 0; b < a; ++b)
      if (left[a].name == left[b].name)
        add(left[a].span, fmt::format("index {} appears twice on the left", left[a].name),
            "letters behind _ are indices: names have no underscore");
  if (q.right.kind == Kind::number && q.right.value == 0) return;  // of any rank
  const auto right = free(q.right);
  if (same_indices(left, right, model_.has_metric()) || before_ != model_.source().problems().count()) return;
  const Index* odd = nullptr;  // the first on the right that is not on the left
  for (const auto& i : right)
    if (!odd && std::ranges::none_of(left, [&](const Index& l) { return l.name == i.name; })) odd = &i;
  const Span at = odd && odd->span.end ? odd->span : q.right.span;
  add(at, fmt::format("free indices differ: {} on the left, {} on the right", list_of(left), list_of(right)),
      odd ? odd->name + " is not summed" +
                (odd->up && model_.find(odd->name) ? "; a power by a name is u^(" + odd->name + ")" : "")
          : "");
}

void IndexRules::check_attributes(const Declared& d) {
  if (d.speed) must_be_scalar(*d.speed, "a speed");
  if (d.diffusivity) must_be_scalar(*d.diffusivity, "a diffusivity");
  if (!d.far) return;
  for (const auto& i : free(*d.far))
    if (std::ranges::none_of(d.indices, [&](const Index& own) { return own.name == i.name; }))
      add(d.far->span, fmt::format("index {} is not one of '{}'", i.name, written(d.name, d.indices)));
}

// How many neighbours the body of an operator names.
int IndexRules::check_body(const OwnOperator& o, const Expression& e) {
  const auto is_integer_number = [](const Expression& a) {
    const Expression& number = a.kind == Kind::negative ? a.args[0] : a;
    return number.kind == Kind::number && is_integer(number.value) && number.value <= 16;
  };
  if (e.kind == Kind::call && e.text == o.argument) {
    if (e.args.size() != 1 || !is_integer_number(e.args[0]) || !e.indices.empty())
      add(e.span, "a neighbour is a whole number of points away, up to 16",
          o.argument + "(+1), " + o.argument + "(-2)");
    return 1;
  }
  const ParameterText* p = e.kind == Kind::name ? model_.parameter(e.text) : nullptr;
  const bool number = p && !p->is_choice_of_words() && p->declared.indices.empty();
  if (e.kind == Kind::name && e.text == o.argument)
    add(e.span, fmt::format("'{}' where?", e.text), e.text + "(0): at the point");
  else if ((e.kind == Kind::name && !number && e.text != "h" && e.text != "pi") || e.kind == Kind::apply ||
           !e.indices.empty())
    add(e.span,
        fmt::format("an operator is made of {}(+1), {}(0), …, h, parameters and numbers", o.argument, o.argument));
  else if (e.kind == Kind::call)
    if (const auto f = functions().find(e.text); f == functions().end() || f->second != std::ssize(e.args))
      add(e.span, fmt::format("there is no function '{}' of {} number{}", e.text, e.args.size(),
                      e.args.size() == 1 ? "" : "s"));
  int neighbours = 0;
  for (const Expression& a : e.args) neighbours += check_body(o, a);
  return neighbours;
}

void IndexRules::check_operator(const OwnOperator& o) {
  if (check_body(o, o.body) == 0)
    add(o.span, fmt::format("'{}' does not look at '{}'", o.name, o.argument), o.argument + "(+1)");
}

void IndexRules::check_all() {
  for (const auto& o : model_.text().own_operators) check_operator(o);
  const auto checked = [&](const Equation& q) {
    before_ = model_.source().problems().count();
    check_equation(q);
  };
  for (const auto& l : model_.text().lets) {
    for (const auto& a : l.arguments) arguments_[a] = -1;
    checked(l);
    arguments_.clear();
  }
  for (const auto& g : model_.text().groups)
    for (const auto& d : g.tensors) check_attributes(d);
  for (const auto& r : model_.text().boundary)
    if (r.speed) must_be_scalar(*r.speed, "a speed");
  for (const auto& c : model_.text().calculations) {
    each_ = true;
    for (const auto& e : c.each) must_be_scalar(e, "what is added to each right-hand side");
    each_ = false;
    for (const auto& q : c.equations) checked(q);
  }
}
}  // namespace cereus::equations
