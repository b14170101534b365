#include "arguments.hpp"

#include <algorithm>
namespace CaKernel {
namespace {
using sweep::far;

sweep::Extent local(const Box& box, const Layout& layout) {
  sweep::Extent e;
  for (int d = 0; d < 3; ++d) e.lo[d] = box.lo[d] - layout.first[d], e.hi[d] = box.hi[d] - layout.first[d];
  return e;
}
}  // namespace

int buffer_in(const StepProgram::Field& f) { return f.kind == StepProgram::Field::past ? 1 : 0; }
int buffer_out(const Simulation& s, const StepProgram::Field& f) {  // not where anything comes from
  if (f.kind == StepProgram::Field::buffered) return s.fields.buffers(f.group) - 1;
  return f.kind == StepProgram::Field::integrated ? 1 : 0;
}

sweep::Arguments arguments_of(const Simulation& s, const StepProgram& p, int b, const Box& part, Space space) {
  const int dim = p.program.dim;
  const Level& level = s.grid.levels[0];
  const Layout& layout = s.fields.layout(b);
  const Block& block = s.grid.blocks[b];
  const auto points = [&](int group) { return local(s.grid.points(block, s.groups[group].centre), layout); };
  const auto stored = [&](int group) {
    sweep::Extent e = points(group);
    for (int d = 0; d < 3; ++d) {
      if (part.lo[d] > block.cells.lo[d]) e.lo[d] = part.lo[d] - layout.first[d];
      if (part.hi[d] < block.cells.hi[d]) e.hi[d] = part.hi[d] - layout.first[d];
    }
    return e;
  };
  sweep::Arguments a{};
  for (std::size_t f = 0; f < p.fields.size(); ++f) {
    const auto& field = p.fields[f];
    a.in[f] = s.fields.address(field.group, field.component, buffer_in(field), b, space);
    a.out[f] = s.fields.address(field.group, field.component, buffer_out(s, field), b, space);
    a.stored[f] = stored(field.group);
    for (int d = 0; d < 3; ++d) {
      if (f == 0 || a.stored[f].lo[d] < a.begin[d]) a.begin[d] = a.stored[f].lo[d];
      if (f == 0 || a.stored[f].hi[d] > a.end[d]) a.end[d] = a.stored[f].hi[d];
    }
  }
  for (int n = 0; n < p.program.stages; ++n) {
    const auto& list = p.stages[n].accesses;
    const int group = std::ranges::find_if(list, [](const auto& x) { return x.mode != Mode::read; })->group;
    a.g[n] = level.space.geometry(s.groups[group].centre, level.clock);
    a.g[n].time = 0;  // no stage looks at it
    a.changing[n] = points(group);
    for (int d = 0; d < 3; ++d) {  // as far as there are points, but for outer faces
      if (d >= dim || !block.outer(d, 0)) a.changing[n].lo[d] = -far;
      if (d >= dim || !block.outer(d, 1)) a.changing[n].hi[d] = far;
    }
  }
  for (int n = 0; n < p.program.substeps && p.integrated >= 0; ++n) {
    const auto update = s.services.get<TimeIntegrator>().update(s, p.integrated, n, level.clock.dt);
    std::copy_n(update.epilogue.a, Epilogue::max_sources, a.a[n]), a.b[n] = update.epilogue.b;
  }
  for (int d = 0; d < 3; ++d) {
    const int ghosts = d < dim ? s.grid.ghosts[d] : 0, vertex = d < dim ? 1 : 0;
    a.readable.lo[d] = -ghosts, a.readable.hi[d] = block.cells.extent(d) + vertex + ghosts;
    a.first[d] = layout.first[d];
    a.period.lo[d] = level.space.periodic[d] ? level.space.cells.lo[d] : -far,
    a.period.hi[d] = level.space.periodic[d] ? level.space.cells.hi[d] : far;
  }
  return a;
}
}  // namespace CaKernel
