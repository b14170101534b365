#include "equations/thorn.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace cereus::equations {
namespace {
void fix_dimensions(const Source& source, ThornText& t, int dimensions) {
  const std::vector<int> all = t.dimensions.empty() ? std::vector{1, 2, 3} : t.dimensions;
  if (dimensions != 0 && !std::ranges::count(all, dimensions))
    source.add(t.span, fmt::format("{} is not for {} dimensions", t.name, dimensions),
        fmt::format("for {}", fmt::join(all, ", ")));
  t.dimensions = {dimensions == 0 ? all.back() : dimensions};
}
void fix_order(const Source& source, ThornText& t, int order) {
  for (OperatorText& o : t.operators)
    for (const ParameterText& p : t.parameters) {
      if (p.declared.name != o.parameter || !p.is_integer() || p.value.size() != 1) continue;
      std::vector<std::string> all;
      for (const auto& c : p.choices) all.push_back(to_string(c.number));
      if (order != 0 && !std::ranges::count(all, std::to_string(order)))
        source.add(o.span, fmt::format("order {} is not in the list of '{}'", order, o.parameter),
            fmt::format("{}", fmt::join(all, ", ")));
      o.value += order != 0 ? order : to_int(p.value[0]);
      o.parameter.clear();
    }
}
ThornText read(const Source& source, const std::optional<Target>& target) {
  ThornText t = parse(source);
  if (target) fix_dimensions(source, t, target->dimensions), fix_order(source, t, target->order);
  return t;
}
}  // namespace

Thorn::Thorn(Source s, const std::optional<Target>& target, bool shells)
    : source(std::move(s)),
      text(read(source, target)),
      model(source, text) {
  if (source.problems().empty()) program = make_program(model, shells);
}

std::unique_ptr<Thorn> read_thorn(
    const Where& start, const std::string& text, const std::optional<Target>& target, bool shells) {
  auto thorn = std::make_unique<Thorn>(Source(start, text), target, shells);
  thorn->source.problems().throw_if_any();
  return thorn;
}
}  // namespace cereus::equations
