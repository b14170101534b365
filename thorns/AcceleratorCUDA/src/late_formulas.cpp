#include "late_formulas.hpp"

#include <cereus/hash.hpp>
#include <cstring>

#include "late_code.hpp"
#include "late_formula.hpp"
#include "nvrtc.hpp"

namespace AcceleratorCUDA {
namespace {
// Steps of formulas at points of a process that take as long as the compiler, by estimate: ten milliseconds a time, or
// three quarters of a second in initial data, which come once.
double worth_compiling(const Routine& r) {
  const std::string& where = r.item->where;
  return where == bin::initial.name || where == bin::postinitial.name || where == bin::postpostinitial.name ? 1e10
                                                                                                            : 1e8;
}

template <class F> void for_each_formula(const KernelTable& t, F f) {
  if (t.each_formula)
    t.each_formula(
        t.kernel.get(), [](const Steps& s, void* to) { (*static_cast<F*>(to))(s); }, &f);
}
double points_of(const Simulation& s) {
  double points = 0;
  for (int l = 0; l < static_cast<int>(s.grid.levels.size()); ++l)
    for (const BlockHome& b : s.services.get<Driver>().all_blocks(s.grid, l))
      points += static_cast<double>(b.cells.points());
  return points / s.process.size();
}
bool same(const Steps& a, const Steps& b) {
  return a.count == b.count && std::memcmp(a.operation, b.operation, sizeof a.operation) == 0 &&
         std::memcmp(a.number, b.number, sizeof a.number) == 0;
}
}  // namespace

void LateFormulas::choose(const Simulation& s) {
  chosen_.clear();
  if (!CaKernel::Nvrtc::instance()) return;
  const double points = points_of(s);
  for (const Routine& r : s.routines) {
    if (!r.is_kernel || r.table->late || !r.table->fusable) continue;
    Chosen c;
    double steps = 0;
    for_each_formula(*r.table, [&](const Steps& f) { c.steps.push_back(f), steps += f.count; });
    if (steps * points < worth_compiling(r)) continue;
    for (std::size_t n = 0; n < c.steps.size(); ++n) c.text += CaKernel::text_of(c.steps[n], static_cast<int>(n));
    c.identity = hash_of(CaKernel::identity_of(*r.table, s.services.get<Driver>().stretches_axes()) + c.text);
    chosen_.emplace(r.table, std::move(c));
  }
}
const LateFormulas::Chosen* LateFormulas::of(const KernelTable& t) const {
  const auto found = t.each_formula ? chosen_.find(&t) : chosen_.end();
  if (found == chosen_.end()) return nullptr;
  std::size_t n = 0;
  bool known = true;
  const auto& steps = found->second.steps;
  for_each_formula(t, [&](const Steps& f) { known = known && n < steps.size() && same(f, steps[n++]); });
  return known ? &found->second : nullptr;
}
}  // namespace AcceleratorCUDA
