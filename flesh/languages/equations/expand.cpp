#include "equations/expand.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace cereus::equations {
using Kind = Expression::Kind;
namespace {
constexpr int farthest = 16;  // neighbours
}

void Expansion::fail(Span span, const std::string& what, const std::string& mend) {
  if (said_.emplace(span.begin, what).second) model_.source().add(span, what, mend);
}

const std::string& Expansion::alias(const std::string& name) const {
  const auto at = arguments_.find(name);
  return at == arguments_.end() ? name : at->second;
}

std::vector<int> Expansion::components(const std::vector<Index>& indices, const Bound& bound) const {
  std::vector<int> c;
  for (const Index& i : indices) {
    int k = i.component;
    for (const auto& [name, component] : bound)
      if (k < 0 && name == i.name) k = component;
    c.push_back(std::max(k, 0));
  }
  return c;
}

// Names of indices that are left over after sums within the expression.
std::vector<std::string> Expansion::free(const Expression& e) {
  if (const auto at = free_.find(&e); at != free_.end()) return at->second;
  std::vector<std::string> all;
  for (const Index& i : e.indices)
    if (i.component < 0) all.push_back(i.name);
  if (e.kind == Kind::sum || e.kind == Kind::negative) all = free(e.args[0]);
  if (e.kind == Kind::choose) all = free(e.args[1]);
  if (e.kind == Kind::quotient) all = free(e.args[0]);
  if (e.kind == Kind::product || e.kind == Kind::apply)
    for (const auto& a : e.args) std::ranges::copy(free(a), std::back_inserter(all));
  std::vector<std::string> once;
  for (const auto& n : all)
    if (std::ranges::count(all, n) == 1) once.push_back(n);
  return free_[&e] = once;
}

// Names of indices that appear twice among those of a name, or of an operator and its operand.
std::vector<std::string> Expansion::summed(const Expression& e, const Bound& bound) {
  std::vector<std::string> all, twice;
  for (const Index& i : e.indices)
    if (i.component < 0) all.push_back(i.name);
  if (e.kind == Kind::apply) std::ranges::copy(free(e.args[0]), std::back_inserter(all));
  for (const auto& n : all)
    if (std::ranges::count(all, n) > 1 && !std::ranges::count(twice, n) &&
        std::ranges::none_of(bound, [&](const auto& b) { return b.first == n; }))
      twice.push_back(n);
  return twice;
}

Term Expansion::sum_over(std::vector<std::string> summed, Bound& bound, const std::function<Term()>& f) {
  if (summed.empty()) return f();
  const std::string name = summed.front();
  summed.erase(summed.begin());
  std::vector<Term> terms;
  for (int k = 0; k < 3; ++k) {
    bound.emplace_back(name, k);
    terms.push_back(sum_over(summed, bound, f));
    bound.pop_back();
  }
  return graph_.sum(terms);
}

// What no computer can write out is a mistake of the text.
Term Expansion::guarded(Span span, const std::function<Term()>& f) {
  work_ = depth_ = 0;
  try {
    return f();
  } catch (const std::overflow_error& e) {
    fail(span, e.what(), "a parameter may have such a value");
  } catch (const std::length_error& e) { fail(span, e.what(), "name parts of it under `let`"); }
  open_.clear();
  return graph_.number(0);
}

Term Expansion::expand(const Expression& e) { return expand(e, {}, {}); }

Term Expansion::expand(const Expression& e, const std::vector<Index>& indices, const std::vector<int>& components) {
  Bound bound;
  for (std::size_t n = 0; n < indices.size(); ++n) bound.emplace_back(indices[n].name, components[n]);
  return guarded(e.span, [&] { return value(e, bound); });
}

Term Expansion::value(const Expression& e, Bound& bound) {
  constexpr int most = 5'000'000, deepest = 1500;
  if (++work_ > most) throw std::length_error("more than a million operations");
  if (++depth_ > deepest) throw std::length_error("names stand for each other too many times");
  const Term t = value_of_kind(e, bound);
  return --depth_, t;
}

Term Expansion::value_of_kind(const Expression& e, Bound& bound) {
  switch (e.kind) {
    case Kind::number: return graph_.number(e.value);
    case Kind::negative:
    case Kind::sum:
    case Kind::product:
    case Kind::quotient: return signed_value(e, bound, 1);
    case Kind::power: {
      const Term base = value(e.args[0], bound), exponent = value(e.args[1], bound);
      if (!graph_.is_number(exponent)) return graph_.call("pow", {base, exponent});
      if (graph_.is_number(base) && base.factor == 0 && exponent.factor <= 0)
        return fail(e.span, "0 to this power has no value"), graph_.number(0);
      if (absolute(exponent.factor) > 64) return fail(e.args[1].span, "an exponent above 64"), base;
      return graph_.power(base, exponent.factor);
    }
    case Kind::compare: return compare(e, bound);
    case Kind::logic: {
      std::vector<Term> args;
      for (const auto& a : e.args) args.push_back(value(a, bound));
      return graph_.logic(e.text, args);
    }
    case Kind::choose: {
      const Term condition = value(e.args[0], bound), yes = value(e.args[1], bound);
      return graph_.choose(condition, yes, value(e.args[2], bound));
    }
    case Kind::name: return sum_over(summed(e, bound), bound, [&] { return name(e, bound); });
    case Kind::call: return sum_over(summed(e, bound), bound, [&] { return call(e, bound); });
    case Kind::apply: return sum_over(summed(e, bound), bound, [&] { return apply(e, bound); });
  }
  return {};
}

// The sign goes down to each product: what is upwind depends on it.
Term Expansion::signed_value(const Expression& e, Bound& bound, int sign) {
  if (e.kind == Kind::negative) return signed_value(e.args[0], bound, -sign);
  if (e.kind == Kind::sum) {
    std::vector<Term> terms;
    for (const auto& a : e.args) terms.push_back(signed_value(a, bound, sign));
    return graph_.sum(terms);
  }
  if (e.kind == Kind::product || e.kind == Kind::quotient) return product(e, bound, sign);
  const Term t = value(e, bound);
  return sign < 0 ? graph_.negate(t) : t;
}

bool Expansion::has_upwind(const Expression& e) {
  return (e.kind == Kind::apply && e.text == "upwind") || std::ranges::any_of(e.args, has_upwind);
}

// A product is summed over each pair of its indices; the sum runs over those factors alone that the pairs connect.
Term Expansion::product(const Expression& e, Bound& bound, int sign) {
  std::vector<Factor> factors;
  const std::function<void(const Expression&, bool)> flatten = [&](const Expression& f, bool inverted) {
    if (!inverted && (f.kind == Kind::product || f.kind == Kind::quotient)) {
      flatten(f.args[0], false), flatten(f.args[1], f.kind == Kind::quotient);
    } else {
      factors.push_back({&f, inverted});
    }
  };
  flatten(e, false);
  const auto is_bound = [&](const std::string& n) {
    return std::ranges::any_of(bound, [&](const auto& b) { return b.first == n; });
  };
  const auto is_upwind = [](const Factor& f) { return f.e->kind == Kind::apply && f.e->text == "upwind"; };
  for (const Factor& f : factors)
    if (!is_upwind(f) && has_upwind(*f.e))
      fail(f.e->span, "'upwind' within parentheses of a product", "multiply them out");
  // All other factors are the speed of an upwinded derivative, whether or not indices connect them.
  const bool together = std::ranges::any_of(factors, is_upwind);
  std::vector<bool> taken(factors.size(), false);
  Term result = graph_.number(together ? 1 : sign);
  for (std::size_t first = 0; first < factors.size(); ++first) {
    if (taken[first]) continue;
    std::vector<std::size_t> group{first};
    if (together)
      for (std::size_t n = 1; n < factors.size(); ++n) group.push_back(n);
    for (const std::size_t n : group) taken[n] = true;
    std::vector<std::string> summed;
    for (std::size_t m = 0; m < group.size(); ++m)
      for (const auto& n : free(*factors[group[m]].e))
        for (std::size_t other = 0; other < factors.size() && !is_bound(n); ++other)
          if (other != group[m] && std::ranges::count(free(*factors[other].e), n)) {
            if (!std::ranges::count(summed, n)) summed.push_back(n);
            if (!taken[other]) taken[other] = true, group.push_back(other);
          }
    std::ranges::sort(group);
    std::vector<Factor> connected;
    for (const std::size_t m : group) connected.push_back(factors[m]);
    const auto one = [&] { return one_product(connected, bound, together ? sign : 1); };
    result = graph_.multiply(result, sum_over(summed, bound, one));
  }
  return result;
}

Term Expansion::one_product(const std::vector<Factor>& factors, Bound& bound, int sign) {
  Term result = graph_.number(sign);
  const Expression* upwind = nullptr;
  for (const Factor& f : factors) {
    if (f.e->kind == Kind::apply && f.e->text == "upwind") {
      if (upwind) fail(f.e->span, "two upwinded derivatives in one product");
      upwind = f.e;
      continue;
    }
    const Term t = value(*f.e, bound);
    if (f.inverted && graph_.is_number(t) && t.factor == 0)
      return fail(f.e->span, "a division by 0" + (dim_ < 3 ? fmt::format(" on a grid in {}D", dim_) : "")),
             graph_.number(0);
    result = graph_.multiply(result, f.inverted ? graph_.invert(t) : t);
    if (result.factor == 0) return result;
  }
  return upwind ? advect(result, *upwind, bound) : result;
}

int Expansion::variable_of(Term t, Span span, const char* what) {
  const Node& n = graph_[t.node];
  if (t.factor == 1 && n.op == Op::variable) return n.variable;
  fail(span, fmt::format("'{}' is of a variable, not of an expression", what));
  return -1;
}

// v ∂u, upwinded: v times the antisymmetric half of the lopsided difference, plus |v| times the symmetric half.
Term Expansion::advect(Term speed, const Expression& e, Bound& bound) {
  if (!model_.op("upwind")) fail(e.span, "no upwinded operator is chosen", "operators upwind(order)");
  const int axis = components(e.indices, bound)[0];
  const int v = variable_of(value(e.args[0], bound), e.span, "upwind");
  if (v < 0 || axis >= dim_ || speed.factor == 0) return graph_.number(0);
  const Term odd = graph_.leaf(Op::upwind, "", v, {axis}), even = graph_.leaf(Op::upwind_even, "", v, {axis});
  return graph_.add(graph_.multiply(speed, odd), graph_.multiply(graph_.call("abs", {speed}), even));
}

Term Expansion::name(const Expression& e, Bound& bound) {
  const std::string& n = alias(e.text);
  if (each_.node >= 0 && n == "u" && e.indices.empty()) return each_;
  if (own_ && n == "h") return own_->axis < dim_ ? graph_.leaf(Op::spacing, "", -1, {own_->axis}) : graph_.number(1);
  if (n == "x" && e.indices.empty()) return graph_.leaf(Op::coordinate, "", -1, {0});
  std::vector<bool> up;
  for (const Index& i : e.indices) up.push_back(i.up);
  return component(n, up, components(e.indices, bound), e.span);
}

Term Expansion::component(const std::string& name, const std::vector<bool>& up, const std::vector<int>& c, Span span) {
  const Tensor& t = *model_.find(name);
  using TK = Tensor::Kind;
  const auto on_axis = [&](Op op, int axis) {
    return axis < dim_ ? graph_.leaf(op, "", -1, {axis}) : graph_.number(0);
  };
  switch (t.kind) {
    case TK::scalar: return name == "t" ? graph_.leaf(Op::time, "") : graph_.leaf(Op::pi, "");
    case TK::coordinate: return on_axis(Op::coordinate, c.empty() ? name[0] - 'x' : c[0]);
    case TK::spacing: return on_axis(Op::spacing, c[0]);
    case TK::delta: return graph_.number(c[0] == c[1]);
    case TK::epsilon: return graph_.number((c[0] - c[1]) * (c[1] - c[2]) * (c[2] - c[0]) / 2);
    case TK::parameter: return parameter(t, c);
    default: break;
  }
  for (std::size_t n = 0; n < up.size() && model_.has_metric(); ++n)
    if (up[n] != t.indices[n].up) return raised(t, up, c, span);
  if (t.kind == TK::let && !stored_.contains(name)) return let(t, {}, c, span);
  if (t.kind == TK::local) {
    auto sorted = c;
    const int sign = sort_components(t.indices, sorted);
    const auto at = locals_.find(component_name(name, t.indices, sorted, false));
    if (sign == 0) return graph_.number(0);
    if (at == locals_.end()) {
      fail(span, fmt::format("'{}' has no value here", component_name(name, t.indices, c, false)),
          "an earlier equation of this calculation sets it, or `let`");
      return graph_.number(0);
    }
    return sign < 0 ? graph_.negate(at->second) : at->second;
  }
  const auto [v, sign] = model_.variable(t, c);
  if (sign == 0) return graph_.number(0);
  const auto set = assigned_.find(v);
  const Term value = set == assigned_.end() ? graph_.leaf(Op::variable, "", v) : set->second;
  return sign < 0 ? graph_.negate(value) : value;
}

Term Expansion::parameter(const Tensor& t, std::vector<int> c) {
  if (c.empty()) return graph_.leaf(Op::parameter, t.name, -1, {-1, -1, -1});
  const int sign = sort_components(t.indices, c);
  if (sign == 0) return graph_.number(0);
  const auto all = components_of(t.indices);
  const auto place = static_cast<int>(std::ranges::find(all, c) - all.begin());
  return {sign, graph_.leaf(Op::parameter, t.name, -1, {place, c[0], c.size() == 2 ? c[1] : -1}).node};
}

Term Expansion::remember(const std::string& key, const std::string& name, int line, const std::function<Term()>& f) {
  if (const auto at = known_.find(key); at != known_.end()) return at->second;
  const Term t = graph_.name(f(), name, line);
  return known_[key] = t;
}

Term Expansion::inverse_metric(int i, int j, Span span) {
  const std::string& g = model_.text().metric->name;
  if (i > j) std::swap(i, j);
  const int line = model_.source().line(model_.text().metric->span.begin);
  std::vector<Index> upper(2);
  upper[0].up = upper[1].up = true;
  return remember(fmt::format("inverse {}{}", i, j), component_name(g, upper, {i, j}, true), line, [&] {
    if (model_.text().unit_determinant) return cofactor(g, i, j, span);
    return graph_.multiply(cofactor(g, i, j, span), graph_.invert(determinant(g, span)));
  });
}

// Of a tensor with its indices where they are declared, what the inverse has at ij, times the determinant.
Term Expansion::cofactor(const std::string& name, int i, int j, Span span) {
  const Tensor& t = *model_.find(name);
  const std::vector<bool> up{t.indices[0].up, t.indices[1].up};
  const auto at = [&](int a, int b) { return component(name, up, {a % 3, b % 3}, span); };
  return graph_.add(graph_.multiply(at(j + 1, i + 1), at(j + 2, i + 2)),
      graph_.negate(graph_.multiply(at(j + 2, i + 1), at(j + 1, i + 2))));
}

// T_ij inverse(T)^jk is delta_i^k: the indices of the two that stand together are one down, one up.
Term Expansion::inverse(const std::string& name, const std::vector<bool>& up, std::vector<int> c, Span span) {
  const Tensor& t = *model_.find(name);
  if (model_.has_metric() && !t.flat() && (up[0] == t.indices[1].up || up[1] == t.indices[0].up))
    fail(span, fmt::format("the inverse of {} has its indices elsewhere", written(name, t.indices)),
        t.indices[0].up != t.indices[1].up ? written("inverse(T)", t.indices)
        : t.indices[0].up                  ? "inverse(T)_ij"
                                           : "inverse(T)^ij");
  const Term det = determinant(name, span);
  const bool pair = t.indices[0].group != 0;
  const bool zero = graph_.is_number(det) && det.factor == 0;
  if (pair && t.indices[0].antisymmetric) fail(span, fmt::format("'{}' has no inverse: it is antisymmetric", name));
  else if (zero)
    fail(span,
        fmt::format("'{}' has no inverse{}: its determinant is 0", name,
            dim_ < 3 ? fmt::format(" on a grid in {}D", dim_) : ""),
        dim_ < 3 ? "along an axis that the grid lacks, delta_ij - D_i x_j is 1" : "");
  if (zero) return graph_.number(0);
  if (pair && c[0] > c[1]) std::swap(c[0], c[1]);
  std::vector<Index> indices(2);
  indices[0].up = up[0], indices[1].up = up[1];
  return remember(fmt::format("inverse {} {}{}", name, c[0], c[1]), component_name("inverse_" + name, indices, c, true),
      model_.source().line(span.begin),
      [&] { return graph_.multiply(cofactor(name, c[0], c[1], span), graph_.invert(det)); });
}

// A tensor with indices where the declaration has none: the first of those is moved by the metric, then the others.
Term Expansion::raised(const Tensor& t, std::vector<bool> up, const std::vector<int>& c, Span span) {
  std::string key = "raised " + t.name;
  std::vector<Index> indices(c.size());
  for (std::size_t n = 0; n < c.size(); ++n) key += (up[n] ? '^' : '_') + std::to_string(c[n]), indices[n].up = up[n];
  std::size_t n = 0;
  while (up[n] == t.indices[n].up) ++n;
  if (model_.is_metric(t.name)) return up[0] && up[1] ? inverse_metric(c[0], c[1], span) : graph_.number(c[0] == c[1]);
  return remember(key, component_name(t.name, indices, c, true), model_.source().line(span.begin), [&] {
    const std::string& g = model_.text().metric->name;
    auto before = up;
    before[n] = !up[n];
    Term sum = graph_.number(0);
    for (int k = 0; k < 3; ++k) {
      auto moved = c;
      moved[n] = k;
      const Term metric = up[n] ? inverse_metric(c[n], k, span) : component(g, {false, false}, {c[n], k}, span);
      sum = graph_.add(sum, graph_.multiply(metric, component(t.name, before, moved, span)));
    }
    return sum;
  });
}

Term Expansion::determinant(const std::string& name, Span span) {
  const Tensor& t = *model_.find(name);
  const std::vector<bool> up{t.indices[0].up, t.indices[1].up};
  return remember("det " + name, "det_" + name, model_.source().line(span.begin), [&] {
    const auto at = [&](int i, int j) { return component(name, up, {i, j % 3}, span); };
    Term sum = graph_.number(0);
    for (int j = 0; j < 3; ++j) {
      const Term minor = graph_.add(
          graph_.multiply(at(1, j + 1), at(2, j + 2)), graph_.negate(graph_.multiply(at(1, j + 2), at(2, j + 1))));
      sum = graph_.add(sum, graph_.multiply(at(0, j), minor));
    }
    return sum;
  });
}

Term Expansion::let(const Tensor& t, const std::vector<std::string>& args, std::vector<int> c, Span span) {
  const int sign = sort_components(t.indices, c);
  if (sign == 0) return graph_.number(0);
  std::string key = "let " + t.name;
  for (const auto& a : args) key += "(" + a;
  for (const int k : c) key += "_" + std::to_string(k);
  if (!known_.contains(key) && !open_.insert(key).second) {
    fail(t.span, fmt::format("'{}' depends on itself", t.name));
    return graph_.number(0);
  }
  const Equation* definition = nullptr;
  for (const Equation& q : model_.text().lets) {
    bool fits = q.left.name == t.name;
    for (std::size_t n = 0; fits && n < c.size(); ++n)
      fits = q.left.indices[n].component < 0 || q.left.indices[n].component == c[n];
    if (fits && !definition) definition = &q;
  }
  if (!definition)
    return fail(span, fmt::format("{} has no equation", component_name(t.name, t.indices, c, false))), graph_.number(0);
  const Term value = remember(key, component_name(t.name + (args.empty() ? "" : "_" + args[0]), t.indices, c, true),
      model_.source().line(definition->span.begin), [&] {
        Bound bound;
        for (std::size_t n = 0; n < c.size(); ++n) bound.emplace_back(definition->left.indices[n].name, c[n]);
        std::map<std::string, std::string> inner;
        for (std::size_t n = 0; n < args.size() && n < definition->arguments.size(); ++n)
          inner[definition->arguments[n]] = args[n];
        std::swap(inner, arguments_);
        const Term each = std::exchange(each_, {0, -1});
        const Term v = this->value(definition->right, bound);
        if (checks_symmetries_) check_symmetry(*definition, t, c, v);
        each_ = each;
        std::swap(inner, arguments_);
        return v;
      });
  open_.erase(key);
  return sign < 0 ? graph_.negate(value) : value;
}

Term Expansion::call(const Expression& e, Bound& bound) {
  if (own_ && e.text == own_->of->argument)
    return neighbour(own_->operand, own_->axis, to_int(value(e.args[0], bound).factor), own_->span);
  const auto c = components(e.indices, bound);
  std::vector<bool> up;
  for (const Index& i : e.indices) up.push_back(i.up);
  if (e.text == "det") return determinant(alias(e.args[0].text), e.span);
  if (e.text == "inverse") return inverse(alias(e.args[0].text), up, c, e.span);
  if (e.text == "sym") {
    const std::string& t = alias(e.args[0].text);
    const Term both = graph_.add(component(t, up, c, e.span), component(t, {up[1], up[0]}, {c[1], c[0]}, e.span));
    return graph_.multiply(graph_.number(Rational(1, 2)), both);
  }
  if (e.text == "tracefree") {
    const std::string& t = alias(e.args[0].text);
    const bool metric = model_.has_metric();
    const Term trace = remember("trace " + t, "trace_" + t, model_.source().line(e.span.begin), [&] {
      Term sum = graph_.number(0);
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
          if (metric || i == j)
            sum = graph_.add(sum, graph_.multiply(metric ? inverse_metric(i, j, e.span) : graph_.number(1),
                                      component(t, {false, false}, {i, j}, e.span)));
      return sum;
    });
    const Term g = metric ? component(model_.text().metric->name, up, c, e.span) : graph_.number(c[0] == c[1]);
    return graph_.add(component(t, up, c, e.span), graph_.multiply({Rational(-1, 3) * g.factor, g.node}, trace));
  }
  std::vector<std::string> names;
  if (const Tensor* t = model_.find(e.text); t && t->kind == Tensor::Kind::let) {
    for (const auto& a : e.args) {
      if (each_.node >= 0 && a.text == "u")
        fail(a.span, "the 'u' of `every` is no tensor's name", "write the term out");
      names.push_back(alias(a.text));
    }
    return let(*t, names, c, e.span);
  }
  if (e.text == "noise") return noise(e);
  std::vector<Term> args;
  for (const auto& a : e.args) args.push_back(value(a, bound));
  if (e.text == "sqrt") return graph_.power(args[0], Rational(1, 2));
  return graph_.call(e.text, args);
}

Term Expansion::noise(const Expression& e) {
  const bool looks = in_ && in_->kind == Calculation::Kind::analysis;
  if (in_ && !looks && in_->kind != Calculation::Kind::initial)
    fail(e.span, "'noise' is the same at all times: it stands under `initial` or `analysis`",
        "a variable of `derive` that `initial` sets to it");
  else if (in_ && !in_->region.empty() && in_->region != "interior")
    fail(e.span, fmt::format("a calculation on {} has no noise", in_->region), "on interior");
  return graph_.leaf(Op::noise, to_string(e.args[0].value));
}

Term Expansion::differentiate(Term t, int axis, Span span) {
  if (axis >= dim_) return graph_.number(0);
  return graph_.differentiate(t, axis, [&](int n, int a) {
    const Node node = graph_[n];
    if (node.op == Op::variable || node.op == Op::derivative) {
      auto along = node.op == Op::derivative ? node.along : std::array<int, 3>{};
      ++along[a];
      const int total = along[0] + along[1] + along[2], most = std::max({along[0], along[1], along[2]});
      if (most > 4 || (most > 2 && most < total))
        fail(span, "a derivative of order 5 or more, or a mixed one with more than two along an axis",
            "store a part of it in a variable");
      return graph_.leaf(Op::derivative, "", node.variable, along);
    }
    if (node.op == Op::upwind || node.op == Op::upwind_even || node.op == Op::dissipation || node.op == Op::neighbour)
      fail(span, "a derivative of 'upwind', 'dissipation' or an operator of one's own", "store it in a variable first");
    if (node.op == Op::noise) fail(span, "a derivative of 'noise'", "store it in a variable first");
    return graph_.number(node.op == Op::coordinate && node.along[0] == a);
  });
}

Term Expansion::apply(const Expression& e, Bound& bound) {
  const auto axes = components(e.indices, bound);
  if (e.text == "dissipation") {
    if (!model_.op("dissipation")) fail(e.span, "no dissipation is chosen", "operators dissipation(order + 1)");
    const int v = variable_of(value(e.args[0], bound), e.span, "dissipation");
    Term sum = graph_.number(0);
    for (int a = 0; a < dim_ && v >= 0; ++a) sum = graph_.add(sum, graph_.leaf(Op::dissipation, "", v, {a}));
    return sum;
  }
  if (e.text == "upwind") {
    fail(e.span, "'upwind' without a speed", "beta^k upwind_k u");
    return graph_.number(0);
  }
  Term t = value(e.args[0], bound);
  if (const OwnOperator* own = model_.own_operator(e.text)) {
    Bound none;
    for (const int axis : axes) own_ = Use{own, t, axis, e.span}, t = value(own->body, none);
    own_.reset();
    return t;
  }
  if (!model_.op("centred")) fail(e.span, "no operator for D is chosen", "operators centred(order)");
  for (const int axis : axes) t = differentiate(t, axis, e.span);
  return t;
}

// An expression at the point that lies so many points further along an axis; where the grid lacks that, it is the same.
Term Expansion::neighbour(Term t, int axis, int offset, Span span) {
  if (axis >= dim_ || offset == 0) return t;
  return graph_.replace(t, [&](int n) {
    const Node node = graph_[n];
    if (node.op == Op::variable || node.op == Op::neighbour) {
      auto along = node.along;
      along[axis] += offset;
      if (std::abs(along[axis]) > farthest) fail(span, fmt::format("a neighbour more than {} points away", farthest));
      return graph_.leaf(along == std::array{0, 0, 0} ? Op::variable : Op::neighbour, "", node.variable, along);
    }
    if (node.op == Op::coordinate && node.along[0] == axis)
      return graph_.add({1, n}, {offset, graph_.leaf(Op::spacing, "", -1, {axis}).node});
    if (node.variable >= 0 || node.op == Op::noise)
      fail(span, fmt::format("a neighbour of {}", node.op == Op::noise ? "'noise'" : "a difference"),
          "store it in a variable first");
    return Term{1, n};
  });
}

Term Expansion::compare(const Expression& e, Bound& bound) {
  for (int side = 0; side < 2; ++side) {
    const Expression &p = e.args[side], &word = e.args[1 - side];
    const ParameterText* parameter = p.kind == Kind::name ? model_.parameter(p.text) : nullptr;
    if (!parameter || !parameter->is_choice_of_words()) continue;
    const bool fits = word.kind == Kind::name &&
                      std::ranges::any_of(parameter->choices, [&](const auto& c) { return c.word == word.text; });
    if (!fits) {
      std::string all;
      for (const auto& c : parameter->choices) all += (all.empty() ? "" : ", ") + c.word;
      fail(word.span, fmt::format("'{}' is no value of '{}'", word.text, p.text), all);
    }
    if (e.text != "==" && e.text != "!=") fail(e.span, "words are compared by == and !=");
    const Term is = graph_.leaf(Op::keyword, p.text + "=" + word.text);
    return e.text == "!=" ? graph_.logic("not", {is}) : is;
  }
  const Term a = value(e.args[0], bound);
  return graph_.compare(e.text, a, value(e.args[1], bound));
}

// The components of the left side, each with its value.
std::vector<std::pair<std::vector<int>, Term>> Expansion::components_of_equation(const Equation& q, const Tensor& t) {
  std::vector<std::pair<std::vector<int>, Term>> all;
  auto pattern = q.left.indices;
  for (std::size_t n = 0; n < pattern.size(); ++n)
    pattern[n].group = t.indices[n].group, pattern[n].antisymmetric = t.indices[n].antisymmetric;
  for (const auto& c : components_of(pattern)) {
    Bound bound;
    for (std::size_t n = 0; n < c.size(); ++n)
      if (pattern[n].component < 0) bound.emplace_back(pattern[n].name, c[n]);
    all.emplace_back(c, guarded(q.right.span, [&] { return value(q.right, bound); }));
    if (checks_symmetries_) check_symmetry(q, t, c, all.back().second);
  }
  return all;
}

// Right-hand sides read all that is stored; what is stored itself, what stands above it.
void Expansion::find_stored(const Calculation& c, const Equation& q) {
  if (c.kind != Calculation::Kind::rhs && c.kind != Calculation::Kind::store) return;
  for (const Equation& l : model_.text().lets) {
    if (c.kind == Calculation::Kind::store && l.left.name == q.left.name) return;
    if (l.stored && stored_.insert(l.left.name).second) known_.clear();
  }
}

std::vector<Assignment> Expansion::expand(const Calculation& c) {
  std::vector<Assignment> all;
  in_ = &c;
  known_.clear(), assigned_.clear(), locals_.clear(), stored_.clear();
  for (const Equation& q : c.equations) {
    find_stored(c, q);
    const Tensor& t = *model_.find(q.left.name);
    const int line = model_.source().line(q.span.begin);
    for (const auto& [components, value] : components_of_equation(q, t)) {
      if (t.kind == Tensor::Kind::local) {
        known_.clear();
        locals_[component_name(t.name, t.indices, components, false)] =
            graph_.name(value, component_name(t.name, t.indices, components, true), line);
        continue;
      }
      const int v = model_.variable(t, components).first;
      Term sum = value;
      if (q.of_rate) {
        each_ = graph_.leaf(Op::variable, "", v);
        for (const Expression& e : c.each) sum = graph_.add(sum, expand(e));
        each_ = {0, -1};
      }
      all.push_back({v, sum, line, q.adds});
    }
    for (const Assignment& a : all)  // all components of an equation at once
      if (!q.of_rate && !q.adds && !assigned_.contains(a.variable)) assigned_[a.variable] = a.value, known_.clear();
  }
  return all;
}
}  // namespace cereus::equations
