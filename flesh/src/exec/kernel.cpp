// Runs a scheduled kernel around the exchange of the ghost zones that it reads. Its boxes are prepared in plan.hpp.
#include "exec/kernel.hpp"

#include <algorithm>
#include <cstring>

#include "exec/audit.hpp"
#include "exec/later.hpp"
#include "exec/plan.hpp"
#include "exec/rates.hpp"
#include "exec/valid.hpp"
#include "schedule/build.hpp"

namespace cereus {
namespace {
class KernelUpdate : public PointUpdate {
 public:
  KernelUpdate(Simulation& s, const Routine& r, Selection levels, Space space) : s_(s), r_(r), levels_(levels) {
    request_ = {.table = r.table, .handles = r.accesses, .space = space, .who = r.name.c_str()};
    if (!r.fused.empty()) fuse();
    else if (pushes_) update_.epilogue.b = 1, note_outputs();
  }

  // A large kernel is not split where conditions are to be applied: `rest` would be shells along outer faces, a few
  // points thick, on which it is so slow that more time is lost than the exchange takes.
  bool split(const Exchange& exchange, bool conditions) override {
    if (conditions && r_.table->large) return false;
    // Where most boxes wait for nothing, a device runs the kernel once, behind the messages: cut boxes cost more time
    // than the messages take (a wave on three levels of 32³ blocks, two H200s: 0.92 of twice one device, cut 0.79).
    std::ptrdiff_t all = 0, wait = 0;
    for_each_plan([&](int, KernelPlan& p) { all += std::ssize(p.boxes), wait += p.waiting(s_, exchange, conditions); });
    if (*request_.space == Space::device && 2 * wait <= all) return false;
    bool some = false;
    for_each_plan([&](int, KernelPlan& p) { some = (p.interior && p.split(s_, exchange, conditions)) || some; });
    return some;
  }

  void run(Part part) override {
    lists_.clear();
    for_each_plan([&](int level, KernelPlan& p) {
      const bool whole = part == Part::all || p.current < 0;
      if (whole && part == Part::rest) return;
      if (s_.audit && part != Part::inside) {
        request_.level = level, request_.list = p.all.list();
        watch_reads(s_, r_, request_);
      }
      lists_.push_back({level, whole                  ? &p.all
                               : part == Part::inside ? &p.splits[p.current].inside
                                                      : &p.splits[p.current].rest});
    });
    measured(s_, part == Part::inside ? 0. : points(), [&] { launch(s_, request_, lists_); });
  }

  // The next stage reads the state that this kernel makes. That is known if the kernel updates each variable whose
  // ghost zones it waited for, and if the result becomes timelevel 0.
  std::span<const Ghosts> next(std::span<const Ghosts> read) override {
    if (r_.fused.empty() || r_.unfused_strip.layers > 0 || !update_.becomes_present) return {};
    next_.assign(read.begin(), read.end());
    for (Ghosts& g : next_) {
      const auto updates = [&](const auto& a) {
        return a.mode != Mode::read && s_.groups[a.group].evolves == g.group && a.component == g.component;
      };
      if (g.timelevel != 0 || std::ranges::none_of(r_.accesses, updates)) return {};
      g.timelevel = update_.destination;
    }
    return next_;
  }

  // Outer strip of right-hand sides: the boundary condition sets it after this kernel, unless the kernel already wrote
  // it (then the plan's strip is empty).
  void run_strip() {
    request_.update = nullptr;
    lists_.clear();
    for_each_plan([&](int level, KernelPlan& p) { lists_.push_back({level, &p.strip}); });
    launch(s_, request_, lists_);
  }

  double points() {
    std::int64_t n = 0;
    for_each_plan([&](int, KernelPlan& p) { n += p.points; });
    return static_cast<double>(n);
  }
  void reduce_into(void* result) { request_.result = result; }
  bool notes_its_writes() const { return r_.fused.empty() && pushes_; }

  std::int64_t bytes() {
    std::int64_t more = 0;  // sources of the update beside the present state, which the kernel reads in any case
    for (int n = 0; n < update_.epilogue.sources; ++n) more += update_.source[n] != 0;
    std::int64_t bytes = 0;
    for_each_plan([&](int, KernelPlan& p) { bytes += p.points * (p.bytes_a_point + more * p.bytes_a_source); });
    return bytes;
  }

 private:
  template <class F> void for_each_plan(F&& f) {
    for (int level = levels_.first; level < levels_.last; ++level) f(level, s_.plans->of(s_, r_, level));
  }

  void fuse() {
    const auto& integrator = s_.services.get<TimeIntegrator>();
    const double dt = s_.grid.levels[levels_.first].clock.dt;
    update_ = integrator.update(s_, s_.groups[r_.fused.front()].evolves, integrator.stage(s_), dt);
    update_.epilogue.partial = r_.unfused_strip.layers > 0 && r_.table->updates_in_part();
    request_.update = &update_;
    for_each_plan([&](int level, KernelPlan& p) {
      bring_sources(level, p);
      for (Ghosts& o : p.outputs) o.timelevel = update_.destination;
    });
    note_outputs();
  }

  // Notes the outputs as written before the kernel runs, because Driver::write_through looks at their versions.
  void note_outputs() {
    for_each_plan([&](int level, KernelPlan& p) {
      for (const Ghosts& o : p.outputs)
        note_write(s_, level, {o.group, o.component, o.timelevel, Mode::write}, *request_.space, why());
      if (pushes_ && p.one_place) push(p);
    });
  }

  // Makes valid the states that the update reads and the kernel does not: after a restart they are on the host only.
  void bring_sources(int level, const KernelPlan& p) {
    for (const Ghosts& o : p.outputs)
      for (int n = 0; n < update_.epilogue.sources; ++n)
        if (!s_.fields.validity(o.group, o.component, update_.source[n], level)[*request_.space].interior) {
          const VariableAccess source[] = {{o.group, o.component, update_.source[n], Mode::read}};
          make_valid(s_, {level, level + 1}, source, r_.id, *request_.space);
        }
  }

  // Whether the kernel may write through ("push"): it writes ghost zones of blocks of this process while it still
  // holds the values in registers. Not in audit mode, which checks that a kernel writes interiors only; not if a strip
  // along outer faces is updated later. A kernel without an update may do so unless it is large: those are compiled for
  // the device without write-through.
  static bool may_push(const Simulation& s, const Routine& r) {
    const auto some = [&](auto is) { return std::ranges::any_of(s.grid.levels, is, &Level::space); };
    const bool stretched = some([](const Patch&p) { return p.stretched(); }),
               mapped = some([](const Patch&p) { return p.map != 0; });
    return !s.audit && r.unfused_strip.layers == 0 && r.read_at_offset && s.grid.ghosts[0] > 0 &&
           (!r.fused.empty() || (!r.table->large && r.table->may_store(stretched, mapped)));
  }

  void push(KernelPlan& p) {
    const Space space = *request_.space;
    p.pushed.clear();
    for (std::size_t o = 0; o < p.outputs.size(); ++o)
      if (r_.read_at_offset >> o & 1) p.pushed.push_back(p.outputs[o]);
    const auto w = s_.services.get<Driver>().write_through(
        s_, p.pushed, space == Space::device || s_.two_kinds ? r_.table->loops().device_pushes : 7, space);
    p.push_to(s_, w.ghosts);
    if (!w.axes) return;
    if (r_.fused.empty()) request_.epilogue = &update_.epilogue;
    update_.epilogue.pushed = r_.read_at_offset;
    for (int d = 0; d < 3; ++d) update_.epilogue.layers[d] = std::max(update_.epilogue.layers[d], w.layers[d]);
    for (const Ghosts& g : p.pushed)
      if (w.all)
        s_.fields.validity(g.group, g.component, g.timelevel, g.level)
            .filled_ghosts(space, only_copied, {static_cast<std::int16_t>(s_.grid.ghosts[0]), 0}, why());
  }
  Why why() const { return {s_.clock.iteration, r_.id}; }

  Simulation& s_;
  const Routine& r_;
  Selection levels_;
  const bool pushes_ = may_push(s_, r_);
  LaunchRequest request_{};
  TimeIntegrator::Update update_{};
  std::vector<Ghosts> next_;
  std::vector<LevelBoxes> lists_;  // of the launch under way
};

void store_result(Simulation& s, const Routine& r, void* value) {
  s.services.get<Driver>().combine_over_processes(value, r.table->result_size, r.table->combine);
  if (r.result_group < 0) return;
  const double number = r.table->number(value);
  char* to = s.fields.plain(r.result_group, r.result_component, 0);
  visit_scalar(s.type(r.result_group), [&]<class T>(T) {
    if constexpr (requires(T c) { c.re; }) *reinterpret_cast<T*>(to) = {static_cast<real_of_t<T>>(number), 0};
    else *reinterpret_cast<T*>(to) = static_cast<T>(number);
  });
}
}  // namespace

std::int64_t run_kernel(Simulation& s, const Routine& r, Selection levels) {
  if (!s.plans) s.plans = std::make_shared<LaunchPlans>();
  const Reader reader{levels, r.accesses, r.id, space_of(s, *r.table)};
  Stale& stale = s.plans->stale;
  find_stale(s, reader, stale);
  add_later(s, reader, stale);
  if (!r.scalars.empty()) {
    if (auto* device = s.services.find<Device>()) device->wait();  // queued launches may still read the members
    set_members(s, r);
  }
  std::vector<std::byte> result(r.table->result_size);
  KernelUpdate update(s, r, levels, reader.space);
  if (!result.empty()) {
    r.table->identity(result.data());
    update.reduce_into(result.data());
  }
  update_around_exchange(s, reader, stale, update);
  if (r.unfused_strip.layers > 0) update.run_strip();
  if (!update.notes_its_writes())
    for (int l = levels.first; l < levels.last; ++l) note_writes(s, r, l, reader.space);
  if (!result.empty()) store_result(s, r, result.data());
  return update.bytes();
}
}  // namespace cereus
