#include "equations/effect.hpp"

#include <fmt/format.h>

namespace cereus::equations {
namespace {
// The leaves that results need where a parameter, `choice`, has a value.
class Reached {
 public:
  Reached(const Graph& graph, std::string choice, std::string value)
      : graph_(graph),
        choice_(std::move(choice)),
        value_(std::move(value)),
        seen_(static_cast<std::size_t>(graph.size()), false) {}
  void follow(int root) {
    std::vector<int> open{root};
    while (!open.empty()) {
      const int n = open.back();
      open.pop_back();
      if (seen_[static_cast<std::size_t>(n)]) continue;
      seen_[static_cast<std::size_t>(n)] = true;
      const Node& node = graph_[n];
      const auto known = node.op == Op::choose ? truth(node.args[0]) : std::nullopt;
      if (known) open.push_back(node.args[*known ? 1 : 2]);
      else open.insert(open.end(), node.args.begin(), node.args.end());
      if (node.op == Op::parameter) parameters.insert(node.text);
      if (node.op == Op::keyword) parameters.insert(node.text.substr(0, node.text.find('=')));
    }
  }
  std::set<std::string> parameters;

 private:
  // Of a condition, if the value alone decides it.
  std::optional<bool> truth(int n) const {
    const Node& node = graph_[n];
    if (node.op == Op::keyword && node.text.starts_with(choice_ + "=")) return node.text == choice_ + "=" + value_;
    if (node.op != Op::logic) return std::nullopt;
    const auto first = truth(node.args[0]);
    if (node.text == "not") return first ? std::optional(!*first) : std::nullopt;
    const auto second = truth(node.args[1]);
    const bool decides = node.text == "or";
    if (first == decides || second == decides) return decides;
    return first && second ? std::optional(!decides) : std::nullopt;
  }
  const Graph& graph_;
  std::string choice_, value_;
  std::vector<bool> seen_;
};

std::set<std::string> reached(const Program& program, const std::string& choice, const std::string& value) {
  Reached r(program.graph, choice, value);
  for (const Kernel& k : program.kernels)
    for (const auto& [dimension, list] : k.assignments)
      for (const Assignment& a : list) r.follow(a.value.node);
  for (const auto& [variable, far] : program.far)
    if (far.speed) r.follow(far.speed->node);
  for (const StepLimit& limit : program.limits)
    for (const Term& t : limit.values) r.follow(t.node);
  return r.parameters;
}
}  // namespace

std::map<std::string, Effect> effects(const Program& program) {
  const ThornText& text = program.model->text();
  std::map<std::string, Effect> all;
  for (const std::string& p : reached(program, "", "")) all[p].any = true;
  for (const OperatorText& o : text.operators) all[o.parameter].any = true;
  for (const ParameterText& choice : text.parameters) {
    if (!choice.is_choice_of_words()) continue;
    std::map<std::string, std::vector<std::string>> with;
    for (const auto& c : choice.choices)
      for (const std::string& p : reached(program, choice.declared.name, c.word)) with[p].push_back(c.word);
    for (auto& [p, values] : with)
      if (p != choice.declared.name && all[p].choice.empty() && values.size() < choice.choices.size())
        all[p].choice = choice.declared.name, all[p].values = values;
  }
  for (const OperatorText& o : text.operators) all[o.parameter].choice.clear(), all[o.parameter].values.clear();
  return all;
}

std::vector<std::string> unused(const Program& program) {
  std::vector<std::string> lines;
  auto effect = effects(program);
  for (const ParameterText& p : program.model->text().parameters)
    if (!effect[p.declared.name].any)
      lines.push_back(Problem{program.model->source().where(p.declared.span.begin),
          fmt::format("parameter '{}' has no effect: no equation takes it", p.declared.name)}
                          .text());
  return lines;
}
}  // namespace cereus::equations
