// What a thorn declares, written down.
#include "cereus/declaration.hpp"

namespace cereus {
namespace {
// A group beside another: what is there of each of its variables, and no state of the run.
Group beside(const Group& state, std::string key, const std::string& what) {
  Group g = state;
  g.key = std::move(key), g.name += what;
  g.timelevels = 1, g.checkpointed = false, g.tags.clear(), g.outgoing.clear(), g.condition = nullptr;
  g.rhs_of.clear(), g.fluxes_of.clear();
  for (auto& v : g.variables) v += what;
  return g;
}
}  // namespace

GroupDeclaration& GroupDeclaration::rhs(std::string key) {
  Group g = beside(me(), std::move(key), "_rhs");
  g.rhs_of = me().full_name(), g.doc = "Right-hand side of " + me().name;
  record_.groups.push_back(std::move(g));
  return *this;
}
GroupDeclaration& GroupDeclaration::fluxes(std::string key) {
  Group g = beside(me(), std::move(key), "_flux");
  g.fluxes_of = me().full_name(), g.tags = {"scratch", "MoL::fluxes"},
  g.doc = "Fluxes through lower faces of " + me().name;
  record_.groups.push_back(std::move(g));
  return *this;
}
GroupDeclaration& GroupDeclaration::tag(std::string t) { return me().tags.push_back(std::move(t)), *this; }

GroupDeclaration& GroupDeclaration::names_from(
    std::string parameter, std::function<std::vector<std::string>(const std::string&)> reads) {
  return me().names_parameter = std::move(parameter), me().reads = std::move(reads), *this;
}

namespace {
ParameterSpec& added(ThornRecord& r, ParameterSpec spec) {
  spec.thorn = r.name;
  return r.parameters.push_back(std::move(spec)), r.parameters.back();
}
}  // namespace
ParameterSpec& Declaration::parameter(std::string name, Value value, const Range& range, std::string doc) {
  return added(record_, make_parameter(std::move(name), std::move(value), range, std::move(doc)));
}
ParameterSpec& Declaration::parameter(std::string name, Variables value, const Range& range, std::string doc) {
  return added(record_, make_parameter(std::move(name), std::move(value), range, std::move(doc)));
}
ParameterSpec& Declaration::parameter(
    std::string name, std::initializer_list<double> list, const Range& range, std::string doc) {
  return added(record_, make_parameter(std::move(name), list, range, std::move(doc)));
}
ParameterSpec& Declaration::parameter(
    std::string name, std::initializer_list<int> list, const Range& range, std::string doc) {
  return added(record_, make_parameter(std::move(name), list, range, std::move(doc)));
}
ParameterSpec& Declaration::parameter(
    std::string name, std::initializer_list<const char*> list, const Range& range, std::string doc) {
  return added(record_, make_parameter(std::move(name), list, range, std::move(doc)));
}

GroupDeclaration Declaration::add(
    std::string name, std::vector<std::string> variables, std::string doc, GroupKind kind, std::string key) {
  Group g;
  g.thorn = record_.name, g.name = std::move(name), g.doc = std::move(doc), g.key = std::move(key);
  g.kind = kind, g.variables = std::move(variables);
  record_.groups.push_back(std::move(g));
  return {record_, record_.groups.size() - 1};
}
void Declaration::offer(ServiceOffer offer) { record_.services.push_back(std::move(offer)); }
void Declaration::need(RequiredService needed) { record_.required_services.push_back(std::move(needed)); }
}  // namespace cereus
