// Thorns of equations, declared from their text.
#include <fmt/format.h>

#include "cereus/declaration.hpp"
#include "equations/diffusivity.hpp"
#include "equations/effect.hpp"
#include "equations/evaluate.hpp"
#include "equations/print.hpp"
#include "equations/thorn.hpp"
#include "late/late_thorn.hpp"
#include "late/schedule_equations.hpp"

namespace cereus {
using namespace equations;

namespace {
Range range_of(const ParameterText& p) {
  if (p.is_integer()) {
    std::vector<std::int64_t> values;
    for (const auto& c : p.choices) values.push_back(to_int(c.number));
    return integers_of(values);
  }
  if (p.is_choice_of_words()) {
    std::vector<std::string> words;
    for (const auto& c : p.choices) words.push_back(c.word);
    return one_of(words);
  }
  const auto low = [&] { return to_double(p.lower->value); };
  const auto high = [&] { return to_double(p.upper->value); };
  if (p.lower && p.upper) return between({low(), p.lower->included}, {high(), p.upper->included});
  if (p.lower) return p.lower->included ? at_least(low()) : above(low());
  if (p.upper) return p.upper->included ? at_most(high()) : below(high());
  return any();
}
Value value_of(const ParameterText& p) {
  if (p.is_choice_of_words()) return p.keyword;
  if (p.is_integer()) return static_cast<std::int64_t>(to_int(p.value.at(0)));
  if (p.declared.indices.empty()) return to_double(p.value.at(0));
  std::vector<double> values;
  for (const Rational& q : p.value) values.push_back(to_double(q));
  return values;
}
std::function<double(const Parameters&)> speed_of(const Program& program, const FarAway& far) {
  if (!far.speed) return {};
  return [program = std::make_shared<Program>(program), speed = *far.speed](
             const Parameters& p) { return value_of(*program, speed, p); };
}

ThornRecord declare(const equations::Thorn& thorn) {
  ThornRecord record;
  record.name = thorn.text.name, record.path = thorn.source.name();
  Declaration d(record);
  d.describe(thorn.text.doc);
  d.equations(thorn.source.text());
  auto effect = effects(thorn.program);
  for (const auto& p : thorn.text.parameters) {
    auto& spec = d.parameter(p.declared.name, value_of(p), range_of(p), p.declared.doc);
    if (p.steerable) spec.may_steer();
    if (!p.declared.indices.empty()) spec.length(p.value.size());
    if (const Effect& e = effect[p.declared.name]; !e.choice.empty()) spec.only_with(e.choice, e.values);
  }
  for (const auto& g : thorn.text.groups) {
    std::vector<std::string> names;
    for (const auto& v : thorn.model.variables())
      if (v.group == g.name) names.push_back(v.name);
    auto group = d.group(g.name, names, g.doc);
    record.groups.back().key = struct_key(record.name, camel(g.name));
    record.groups.back().centre = thorn.text.centre;
    for (const auto& tensor : g.tensors) {
      std::vector<std::string> components;
      for (const auto& v : thorn.model.variables())
        if (v.tensor == tensor.name) components.push_back(v.name);
      group.tensor(components_of(tensor), components, tensor.axial);
    }
    for (const auto& [v, far] : thorn.program.far)
      if (thorn.model.variables()[v].group == g.name)
        group.outgoing({thorn.model.variables()[v].name}, {to_double(far.value), speed_of(thorn.program, far)});
    if (g.evolved) group.rhs(struct_key(record.name, camel(g.name) + "Rhs"));
    else if (only_derived(thorn.program, g.name)) group.not_checkpointed();
  }
  for (const auto& limit : thorn.program.limits)
    if (!limit.values.empty())
      d.scalars(limit.group, {limit.scalar}, limit.doc).not_checkpointed().tag(limit.tag).type(ScalarType::float64);
  return record;
}
}  // namespace

LateThorn late_equations(const Where& start, const std::string& text) {
  const std::shared_ptr<equations::Thorn> thorn = read_thorn(start, text);
  LateThorn late;
  late.name = thorn->text.name, late.description = thorn->text.doc, late.text = text;
  late.where = thorn->source.where(thorn->text.span.begin);
  late.dimensions = thorn->program.dimensions, late.order_parameter = thorn->program.order_parameter;
  late.record = declare(*thorn);
  late.warnings = unused(thorn->program);
  for (const std::string& line : other_diffusivities(thorn->program)) late.warnings.push_back(line);
  // For a grid of one kind. The text is read once more for shells.
  const auto read_for = [thorn, start, text, curved = std::make_shared<std::shared_ptr<equations::Thorn>>()](
                            const CompileFor& target) {
    if (target.maps && !*curved) *curved = read_thorn(start, text, {}, true);
    const std::shared_ptr<equations::Thorn> read = target.maps ? *curved : thorn;
    read->program.dimensions = {target.dimension};
    if (!read->program.orders.empty()) read->program.orders = {static_cast<int>(target.order)};
    return read;
  };
  late.print = [read_for](const CompileFor& target) {
    const auto thorn = read_for(target);
    const Program& program = thorn->program;
    return LateThorn::Sources{print_kernels(program), print_tables(program, target.real)};
  };
  late.schedule = [read_for](const CompileFor& target, const LateKernels& kernels, Schedule& s) {
    const auto thorn = read_for(target);
    std::vector<KernelTable> tables(thorn->program.kernels.size());
    kernels.tables(tables.data());
    schedule_equations(s, thorn, [&](std::size_t n, const equations::Kernel& k) {
      const auto set = [thorn, kernels, n, constants = constants_of(thorn->program, k)](
                           std::vector<KernelTable>& made, const Parameters& p, std::span<const double>) {
        std::vector<double> values;
        for (const Constant& c : constants) values.push_back(value_of(thorn->program, {1, c.node}, p));
        for (KernelTable& t : made) kernels.fill(static_cast<int>(n), t.kernel.get(), values.data());
      };
      return MadeKernel{tables[n], set, true};
    });
  };
  late.interpret = [start, text](const CompileFor& target, Schedule& s) {
    interpret(read_thorn(start, text, Target{target.dimension, static_cast<int>(target.order)}), target, s);
  };
  return late;
}
}  // namespace cereus
