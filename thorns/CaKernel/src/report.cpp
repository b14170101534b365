// What was tried, how fast it was, and how that compares with what memory could do.
#include <cereus/memory.hpp>
#include <cstdio>
#include <cstring>
#include <limits>
#include <sstream>

#include "engine.hpp"
namespace CaKernel {
namespace {
// Bytes a second that copying reads and writes, the best of a few times; 0 if there is no room for it.
double copy_rate(const Simulation& s, Space space) try {
  const int bytes = space == Space::device ? 1 << 28 : 1 << 27, element = 16, row = 1 << 16;
  constexpr int repeats = 4, at_once = 4;
  auto* device = s.services.find<Device>();
  const bool on_device = space == Space::device;
  const auto room = [&] { return on_device ? device->allocate(bytes, "a report") : large_memory(bytes, "a report"); };
  const auto from = room(), to = room();
  const CopyPiece all{
      from.get(), to.get(), {row, bytes / element}, {row, bytes / element}, {row, bytes / element / row, 1}, element};
  double best = std::numeric_limits<double>::max();
  if (!on_device)
    std::memset(from.get(), 1, static_cast<std::size_t>(bytes));  // what nobody has written is one page for all
  for (int n = 0; n <= repeats; ++n) {
    const auto begin = std::chrono::steady_clock::now();
    for (int m = 0; m < at_once; ++m) on_device ? device->copy(space, space, {&all, 1}) : copy_on_host({&all, 1});
    if (on_device) device->wait();
    if (n > 0) best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  return 2.0 * at_once * bytes / best;
} catch (const Failure&) {  // no room
  return 0;
}
}  // namespace

std::string Engine::report(const Simulation& s) const {
  if (tried_.empty())
    return "time tiles: none, because " + (compiling_ ? "the run ended before they were compiled" : program_.obstacle) +
           "\n";
  const int dim = program_.program.dim,
            in = static_cast<int>(std::ranges::count_if(program_.fields, &StepProgram::Field::comes_in)),
            moved = fields_moved(program_.program);
  double points = 0;
  for (const Block& b : s.grid.blocks) points += static_cast<double>(b.cells.points());
  const double rate = copy_rate(s, sweeper_->space()),
               must = points * moved * bytes_of(program_);  // bytes, one step at a time
  std::ostringstream out;
  out << "time tiles of";
  for (const auto& r : program_.stages) out << ' ' << r.item->full_name();
  if (program_.program.substeps > 1) out << ", " << program_.program.substeps << " stages a step";
  out << ", ready in " << prepare_seconds_ << (beside_ ? " s, beside the run" : " s");
  if (rate > 0) out << "; memory copies at " << rate * 1e-9 << " GB/s";
  out << "\n  steps   ns a step  of a copy  redundant  asked for\n";
  for (const auto& t : tried_) {
    const auto& f = t.ready.candidate.facts;
    const double across = t.direct ? 1 : double(f.width) / f.inner_x * (dim == 3 ? double(f.height) / f.inner_y : 1);
    const double planes = t.ready.march.whole > 0 ? t.ready.march.planes : t.ready.march.rest,
                 along = t.direct || dim == 1 ? 1 : (planes + f.lag + f.lo[dim - 1]) / planes;
    char line[100], copies[16] = "-";
    if (t.seconds > 0 && rate > 0) std::snprintf(copies, sizeof copies, "%.2f", must / rate / t.seconds);
    std::snprintf(line, sizeof line, "  %5d  %10.0f  %9s  %9.2f  %9.2f  ", t.steps(), 1e9 * t.seconds, copies, across,
        t.direct ? 1 : (in * across * along + moved - in) / moved);
    out << line << (t.direct ? "the loops that were compiled ahead of time" : sweeper_->text(t.ready)) << '\n';
  }
  return out.str();
}
}  // namespace CaKernel
