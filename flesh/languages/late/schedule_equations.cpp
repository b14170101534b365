#include "late/schedule_equations.hpp"

#include <cmath>

#include "equations/evaluate.hpp"
#include "equations/print.hpp"
#include "equations/taps.hpp"
#include "late/late_thorn.hpp"

namespace cereus {
using namespace equations;
namespace {
class MadeItem : public TableItem {
 public:
  MadeItem(TableItem item, decltype(Item::set) set) : TableItem(std::move(item)) { item_->set = std::move(set); }
  void bind(const std::string& key, const std::vector<std::string>& names) { item_->bind(key, names, -1); }
};

// Structs of a kernel that stand for some variables of a group, or for those of another thorn.
void bind_members(MadeItem& item, const equations::Thorn& thorn, const equations::Kernel& k) {
  for (const Member& x : members_of(thorn.program, k)) {
    if (x.whole) continue;
    std::vector<std::string> names;
    for (const int v : x.variables) {
      const Variable& variable = thorn.model.variables()[v];
      const bool rate = k.of->kind == Calculation::Kind::rhs && x.writes;
      names.push_back(variable.thorn + "::" + variable.name + (rate ? "_rhs" : ""));
    }
    item.bind(struct_key(thorn.text.name, x.type), names);
  }
}

void schedule_kernel(Schedule& s, const equations::Thorn& thorn, const equations::Kernel& k, MadeKernel made) {
  using Kind = Calculation::Kind;
  MadeItem item(s.kernel(k.routine, doc_of(k), {std::move(made.table)}), std::move(made.set));
  if (made.by_structs) bind_members(item, thorn, k);
  item.one_centring();
  if (!k.of->with.empty()) item.with_thorn(k.of->with);
  if (k.of->every > 0) item.every({.iterations = k.of->every});
  switch (k.of->kind) {
    case Kind::initial:
      item.at(bin::initial);
      if (!k.after.empty()) item.after(k.after);
      break;
    case Kind::store:
    case Kind::rhs: item.in(ScheduleGroup{"MoL::rhs"}); break;
    case Kind::after_substep: item.in(ScheduleGroup{"MoL::post_substep"}); break;
    case Kind::after_step: item.at(bin::poststep); break;
    case Kind::analysis: item.at(bin::analysis), item.on_demand(); break;
  }
}
}  // namespace

double value_of(const Program& program, Term t, const Parameters& p) {
  return evaluate(program.graph, t, [&](const equations::Node& n) -> double {
    if (n.op == Op::weight) return to_double(weight_of(*program.model, n.text));
    if (n.op == Op::keyword) return p.string(n.text.substr(0, n.text.find('='))) == n.text.substr(n.text.find('=') + 1);
    return n.along[0] < 0 ? p.real(n.text) : p.reals(n.text)[n.along[0]];
  });
}

void schedule_equations(Schedule& s, const std::shared_ptr<const equations::Thorn>& thorn,
    const std::function<MadeKernel(std::size_t n, const equations::Kernel&)>& made) {
  const Program& program = thorn->program;
  for (std::size_t n = 0; n < program.kernels.size(); ++n)
    schedule_kernel(s, *thorn, program.kernels[n], made(n, program.kernels[n]));
  for (const auto& limit : program.limits)
    if (!limit.values.empty())
      s.routine(limit.group, limit.offers,
           [thorn, &limit](Context& c) {
             double largest = 0;
             for (const Term& v : limit.values)
               if (const double x = value_of(thorn->program, v, c.parameters()); std::isnan(x) || x > largest)
                 largest = x;  // what is no number Time refuses
             c.values<double>(limit.scalar)[0] = largest;
           })
          .writes({limit.scalar})
          .at(bin::basegrid)
          .once();
}
}  // namespace cereus
