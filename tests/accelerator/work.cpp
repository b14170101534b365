#include "accelerator/work.hpp"

#include <fmt/format.h>

#include "accelerator/oracle.hpp"

using namespace cereus;

std::string text(double x) {
  const auto o = oracle::decode(x);
  if (!o) return fmt::format("{}", x);
  return fmt::format("[variable {}, writer {}, version {}{}, at {} {} {}]", o->variable, o->writer, o->version,
      o->condition ? ", by condition" : "", o->at[0], o->at[1], o->at[2]);
}

void Work::operator()(Findings& findings) const {
  for (const auto& r : reads)
    if (*r.at != r.value) findings.add(fmt::format("{} reads {} instead of {}", who, text(*r.at), text(r.value)));
  for (const auto& w : writes) *w.at = w.value;
  for (const auto& c : conditions) {
    const auto o = oracle::decode(*c.from);
    *c.to = o ? oracle::encode({o->variable, o->writer, o->version, true, c.at}) : *c.from;
  }
}

namespace {
struct WorkKernel {  // what a launch table carries to the device
  const Work* work;
  Findings* findings;
};
}  // namespace

KernelTable kernel_of(int dim, std::span<const VariableAccess> handles, const Work& work, Findings& findings) {
  KernelTable t;
  t.dim = dim, t.handles = static_cast<int>(handles.size());
  for (const auto& a : handles) {
    t.accesses.emplace_back();
    t.accesses.back().components = 1, t.accesses.back().mode = a.mode, t.accesses.back().region = a.region;
  }
  KernelLoops loops;
  loops.host = [](const void* kernel, const Launch&) {
    const auto* k = static_cast<const WorkKernel*>(kernel);
    (*k->work)(*k->findings);
  };
  t.own = std::make_shared<KernelLoops>(loops);
  t.kernel = std::make_shared<WorkKernel>(WorkKernel{&work, &findings});
  t.kernel_size = sizeof(WorkKernel);
  return t;
}
