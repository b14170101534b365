#include "equations/model.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cereus/text.hpp"
#include "equations/check.hpp"

namespace cereus::equations {
int sort_components(const std::vector<Index>& indices, std::vector<int>& c) {
  int sign = 1;
  const std::size_t n = indices.size();
  for (std::size_t pass = 0; pass < n; ++pass)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = i + 1; j < n; ++j)
        if (indices[i].group != 0 && indices[i].group == indices[j].group) {
          if (c[i] == c[j] && indices[i].antisymmetric) return 0;
          if (c[i] > c[j]) std::swap(c[i], c[j]), sign = indices[i].antisymmetric ? -sign : sign;
        }
  return sign;
}

std::vector<std::vector<int>> components_of(const std::vector<Index>& indices) {
  std::vector<std::vector<int>> all{{}};
  for (const Index& i : indices) {
    std::vector<std::vector<int>> longer;
    for (const auto& c : all)
      for (int k = 0; k < 3; ++k)
        if (i.component < 0 || i.component == k) longer.push_back(c), longer.back().push_back(k);
    all = std::move(longer);
  }
  std::erase_if(all, [&](const auto& c) {
    auto sorted = c;
    return sort_components(indices, sorted) == 0 || sorted != c;
  });
  return all;
}

std::string component_name(
    const std::string& name, const std::vector<Index>& indices, const std::vector<int>& c, bool positions) {
  std::string s = name + (c.empty() ? "" : "_");
  for (std::size_t n = 0; n < c.size(); ++n) s += static_cast<char>((positions && indices[n].up ? 'X' : 'x') + c[n]);
  return s;
}

std::string count_of(int indices) { return indices == 1 ? "1 index" : std::to_string(indices) + " indices"; }

std::string written(const std::string& name, const std::vector<Index>& indices) {
  std::string s = name;
  for (std::size_t n = 0; n < indices.size(); ++n) {
    if (n == 0 || indices[n].up != indices[n - 1].up) s += indices[n].up ? '^' : '_';
    s += indices[n].name.size() == 1 ? indices[n].name : "{" + indices[n].name + "}";
  }
  return s;
}

Model::Model(const Source& source, const ThornText& text) : source_(source), text_(text) {
  const auto builtin = [&](const char* name, Tensor::Kind kind, int rank) {
    Tensor t;
    t.name = name, t.kind = kind, t.indices.resize(rank);
    tensors_[name] = t;
  };
  for (const char* n : {"t", "pi"}) builtin(n, Tensor::Kind::scalar, 0);
  builtin("x", Tensor::Kind::coordinate, 1), builtin("h", Tensor::Kind::spacing, 1);
  builtin("y", Tensor::Kind::coordinate, 0), builtin("z", Tensor::Kind::coordinate, 0);
  builtin("delta", Tensor::Kind::delta, 2), builtin("eps", Tensor::Kind::epsilon, 3);
  for (const auto& p : text.parameters) {
    Tensor t;
    t.kind = Tensor::Kind::parameter, t.name = p.declared.name, t.doc = p.declared.doc, t.span = p.declared.span;
    t.indices = p.declared.indices;
    declare(t, "parameter");
  }
  for (const auto& o : text.own_operators) {
    Tensor t;
    t.kind = Tensor::Kind::function, t.name = o.name, t.span = o.span, t.indices.resize(1);
    declare(t, "operator");
  }
  for (const auto& g : text.groups) {
    if (!g.stored) add_variables(g.tensors, text.name, g.name);
    if (!g.stored && g.name == "stored") source.add(g.span, "the group 'stored' has what `store` names", "rename it");
  }
  for (const auto& f : text.foreign) add_variables(f.tensors, f.thorn, "");
  for (const auto& l : text.lets) {
    if (const Tensor* known = find(l.left.name); known && known->kind == Tensor::Kind::let) {  // by components
      const auto fixed = [](const Index& i) { return i.component >= 0; };
      if (std::ranges::none_of(l.left.indices, fixed) || known->rank() != static_cast<int>(l.left.indices.size()))
        source.add(l.left.span, fmt::format("two equations for '{}'", l.left.name));
      continue;
    }
    Tensor t;
    t.kind = Tensor::Kind::let, t.name = l.left.name, t.span = l.left.span, t.indices = l.left.indices;
    if (l.stored) t.first = static_cast<int>(variables_.size());
    declare(t, "let name");
    if (l.stored) add_components(l.left, text.name, "stored");
  }
  for (const auto& c : text.calculations)
    for (const auto& q : c.equations)
      if (!q.of_rate && !q.adds && !find(q.left.name)) {  // a name of the calculation's own
        Tensor t;
        t.kind = Tensor::Kind::local, t.name = q.left.name, t.span = q.left.span, t.indices = q.left.indices;
        declare(t, "name");
      }
  if (text.metric) {
    const Tensor* g = find(text.metric->name);
    const auto pair = [](const Tensor& t) {
      return t.rank() == 2 && t.indices[0].group && !t.indices[0].antisymmetric && !t.indices[0].up && !t.indices[1].up;
    };
    if (!g || g->rank() != 2 || g->kind == Tensor::Kind::parameter || !pair(*g))
      source.add(text.metric->span,
          fmt::format("the metric '{}' is not declared as a symmetric tensor with lower indices", text.metric->name),
          fmt::format("{}_(ij) under `evolve`, `foreign` or `let`", text.metric->name));
  }
}

void Model::declare(Tensor t, const std::string& what) {
  static const std::set<std::string> words{
      "D", "upwind", "dissipation", "det", "inverse", "tracefree", "sym", "and", "or", "not", "every"};
  const bool scalar_d = t.name == "D" && t.indices.empty();  // a diffusivity; `D_i` is the derivative
  if ((words.contains(t.name) && !scalar_d) || functions().contains(t.name))
    return source_.add(
        t.span, fmt::format("{} '{}' has the name of something that is built in", what, t.name), "rename it");
  for (std::size_t a = 0; a < t.indices.size(); ++a)
    for (std::size_t b = 0; b < a; ++b)
      if (t.indices[a].component < 0 && t.indices[a].name == t.indices[b].name)
        return source_.add(t.indices[a].span, fmt::format("index {} appears twice", t.indices[a].name),
            "letters behind _ are indices: names have no underscore");
  const auto [at, fresh] = tensors_.try_emplace(t.name, t);
  if (fresh || t.name.empty()) return;
  if (at->second.span.end == 0)
    source_.add(t.span, fmt::format("{} '{}' has the name of something that is built in", what, t.name), "rename it");
  else
    source_.add(t.span,
        fmt::format("'{}' is declared twice, first in line {}", t.name, source_.where(at->second.span.begin).line));
}

void Model::add_variables(const std::vector<Declared>& list, const std::string& thorn, const std::string& group) {
  for (const Declared& d : list) {
    Tensor t;
    t.name = d.name, t.doc = d.doc, t.span = d.span, t.indices = d.indices;
    t.first = static_cast<int>(variables_.size());
    declare(t, "variable");
    add_components(d, thorn, group);
  }
}
void Model::add_components(const Declared& d, const std::string& thorn, const std::string& group) {
  for (const auto& c : components_of(d.indices)) {
    std::string name = component_name(d.name, d.indices, c, false);
    if (!d.as.empty()) name = d.as + (c.empty() ? "" : component_name("", d.indices, c, false).substr(1));
    variables_.push_back({name, d.name, thorn, group, c});
  }
}

const Tensor* Model::find(const std::string& name) const {
  const auto at = tensors_.find(name);
  return at == tensors_.end() ? nullptr : &at->second;
}
std::vector<std::string> Model::names() const {
  std::vector<std::string> list;
  for (const auto& [name, t] : tensors_) list.push_back(name);
  return list;
}
const ParameterText* Model::parameter(const std::string& name) const {
  for (const auto& p : text_.parameters)
    if (p.declared.name == name) return &p;
  return nullptr;
}
const OperatorText* Model::op(const std::string& name) const {
  for (const auto& o : text_.operators)
    if (o.name == name) return &o;
  return nullptr;
}
const OwnOperator* Model::own_operator(const std::string& name) const {
  for (const auto& o : text_.own_operators)
    if (o.name == name) return &o;
  return nullptr;
}
bool Model::is_choice(const std::string& word) const {
  for (const auto& p : text_.parameters)
    for (const auto& c : p.choices)
      if (!c.word.empty() && c.word == word) return true;
  return false;
}

std::pair<int, int> Model::variable(const Tensor& t, std::vector<int> components) const {
  const int sign = sort_components(t.indices, components);
  for (std::size_t n = t.first; sign != 0 && n < variables_.size(); ++n)
    if (variables_[n].components == components && variables_[n].tensor == t.name) return {static_cast<int>(n), sign};
  return {-1, 0};
}
}  // namespace cereus::equations
