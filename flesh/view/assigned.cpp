// Assignments of a program, target = formula: a thorn goes through their steps until that has taken as long as
// compiling does; from then on they are code of their own.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "cereus/console.hpp"
#include "cereus/text.hpp"
#include "schedule/build.hpp"
#include "view/session.hpp"

namespace cereus::view {
namespace {
constexpr double patience = 2;  // seconds

CompileFor target_of(const Simulation& s, const VariableAccess& target) {
  CompileFor c;
  c.dimension = s.grid.dim, c.real = name_of(s.type(target.group));
  c.device = s.services.find<Device>() && std::ranges::any_of(s.offers, [](const ServiceOffer& o) {
    return o.service == Device::service_name && o.kind == "cuda";
  });
  c.contract = false;
  c.stretches = s.grid.levels.front().space.stretched(), c.audits = s.of("Cereus").boolean("audit");
  return c;
}
// Whether code lies in the cache; not so where that cannot be looked at.
bool is_known(const LateThorn& thorn, const CompileFor& target) {
  try {
    return languages().is_compiled(thorn, target);
  } catch (const std::exception&) { return false; }
}
}  // namespace

// Whether there is code of its own; all processes agree, as on a device bits may differ.
bool Session::compiled(Assigned& a, const AssignmentThorn& code) {
  if (a.made) return true;
  if (!simulation.of("Cereus").boolean("compile") || a.seconds == 0)
    return false;  // it is known to be right after once
  const int v = simulation.variable_number(code.target);
  const CompileFor target = target_of(simulation, {simulation.variables[v].group, simulation.variables[v].component});
  if (!std::exchange(a.looked, true)) a.there = !process.any(!is_known(code.thorn, target));
  if (a.failed || (!a.there && !process.any(a.seconds > patience))) return false;
  std::string why;
  try {
    a.made = made_of(declared(languages().compile(code.thorn, target)), code.parameters);
    simulation.parameters[code.thorn.name] = a.made->parameters;  // its routine stays
  } catch (const std::exception& e) { why = e.what(); }
  if (a.failed = process.any(!why.empty()); !a.failed) return true;
  a.made.reset();
  if (!why.empty()) console::say(fmt::format("{} = … has no code of its own: {}", code.target, why));
  return false;
}

void Session::assign(const AssignmentThorn& code, const std::string& thorn, const std::string& block) {
  ensure();
  Assigned& a = assigned_[code.thorn.name + " " + code.target + " " + join(code.inputs, " ")];
  if (compiled(a, code)) {
    simulation.parameters.at(code.thorn.name).set("numbers", code.numbers);
    for (const int n : a.made->routines) set_members(simulation, simulation.routines[static_cast<std::size_t>(n)]);
    return carry_out(*a.made);
  }
  const auto begin = std::chrono::steady_clock::now();
  carry_out(thorn, block);
  a.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}
}  // namespace cereus::view
