// Stencil programs, declared from their text; and what they say of the run that they are for.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "cereus/declaration.hpp"
#include "cereus/text.hpp"
#include "late/late_thorn.hpp"
#include "stencils/print.hpp"

namespace cereus {
using namespace stencils;
namespace {
// Whole numbers among the parameters that the file gives.
Values values_in(const ParameterFile& file, const std::string& thorn) {
  Values values;
  const auto block = file.blocks.find(thorn);
  if (block == file.blocks.end()) return values;
  for (const auto& [key, setting] : block->second.settings) {
    const std::string& text = setting.value.text;
    std::int64_t n = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
    if (error == std::errc() && end == text.data() + text.size()) values[key] = n;
  }
  return values;
}

ThornRecord declare(const Program& program) {
  ThornRecord record;
  record.name = program.thorn, record.path = program.source.name();
  Declaration d(record);
  d.describe(description_of(program));
  for (const ParameterText& p : program.text.parameters) {
    const double number = default_of(p);
    const bool whole = program.integers.contains(p.name);
    const Value value = whole ? Value(static_cast<std::int64_t>(number)) : Value(number);
    auto& spec = d.parameter(p.name, value, any(), doc_of(program, p));
    if (!p.value) spec.must_be_given();
  }
  for (const FieldText& f : program.text.fields) {
    auto group = d.group("of_" + f.name, variables_of(f), "Field " + f.name).cell_centred();
    record.groups.back().key = struct_key(namespace_of(program), "Of_" + f.name);
    if (program.two_levels(&f)) group.timelevels(2);
    if (f.scratch) group.not_checkpointed();
    const bool integer = f.type.kind == Type::Kind::integer;
    if (integer) group.type(ScalarType::int32);
    if (!is_copied(program, f)) continue;
    auto before = variables_of(f);
    for (std::string& v : before) v += "_before";
    auto copy = d.group("before_" + f.name, before, f.name + " before it is updated").cell_centred();
    copy.not_checkpointed();
    if (integer) copy.type(ScalarType::int32);
    record.groups.back().key = struct_key(namespace_of(program), "Before_" + f.name);
  }
  if (const auto& until = program.text.grids[0].until)
    d.scalars("until", {"until_value"}, doc_of(*until)).type(ScalarType::float64).not_checkpointed();
  return record;
}

// What the program says of the run, as an arrangement: the file may say something else.
void offer(const Program& program, ParameterFile& file, Problems& problems) {
  const auto sets = [&](const std::string& thorn, std::initializer_list<const char*> keys) {
    const auto block = file.blocks.find(thorn);
    return block != file.blocks.end() &&
           std::ranges::any_of(keys, [&](const char* key) { return block->second.settings.contains(key); });
  };
  const auto active = [&](const char* thorn) {
    return std::ranges::find(file.thorns, thorn, &Named::name) != file.thorns.end();
  };
  std::string cells, periodic, yaml;
  for (int index = program.dim() - 1; index >= 0; --index) {
    cells += fmt::format("{}{}", cells.empty() ? "" : ", ", program.points_updated(index));
    periodic += fmt::format("{}{}", periodic.empty() ? "" : ", ", program.is_periodic(index));
  }
  if (active("UniGrid") && program.unknown.empty() && !sets("UniGrid", {"cells"}))
    yaml += fmt::format("UniGrid: {{cells: [{}], periodic: [{}]}}\n", cells, periodic);
  if (active("Boundary") && static_cast<int>(program.text.periodic.size()) < program.dim())
    yaml += "Boundary: {all: fixed}\n";
  if (active("Time") && !sets("Time", {"dt", "courant"})) yaml += "Time: {dt: 1}\n";
  const GridText& grid = program.text.grids[0];
  const auto steps = value_of(grid.until ? grid.until->most : *grid.steps, program.values);
  if (steps && !sets("Cereus", {"iterations", "final_time", "wall_clock"}))
    yaml += fmt::format("Cereus: {{iterations: {}}}\n", *steps);
  const std::string place = fmt::format("what {} says of the run", program.source.name());
  merge(file, arrangement_from(parse_yaml(yaml, place, problems), problems), problems);
}
}  // namespace

LateThorn late_program(const Where& start, const std::string& text, const std::string& name, ParameterFile& file) {
  const auto program = std::make_shared<const Program>(Source(start, text), name, values_in(file, name));
  program->source.problems().throw_if_any();
  Problems problems;
  offer(*program, file, problems);
  problems.throw_if_any();
  LateThorn late;
  late.name = name, late.description = description_of(*program), late.text = text, late.is_program = true;
  late.where = program->source.where(0), late.dimensions = {program->dim()};
  late.record = declare(*program);
  late.print = [program](const CompileFor&) {
    return LateThorn::Sources{print_kernels(*program), print_thorn(*program)};
  };
  return late;
}
}  // namespace cereus
