// What a thorn declares before any value is known: its purpose, parameters, groups and services.
#pragma once
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "group.hpp"
#include "kernel_table.hpp"
#include "parameter.hpp"
namespace cereus {
struct Simulation;
struct Service {                                  // an abstract class that some active thorn implements
  static constexpr const char* usual_thorn = "";  // for messages: one that offers it
  virtual ~Service() = default;
  virtual void grid_changed(const Simulation&) {}  // blocks are others now: what was made from them is made anew
};

struct ServiceOffer {
  std::string service, thorn, kind;  // kind: which of several alternatives, as Cereus.device names them
  std::function<std::shared_ptr<Service>(const Parameters&)> make;
};
struct Provenance {
  std::string parameters, build;
};  // of a file: the resolved parameters that made it, as YAML, and by what
using ProvenanceReader = std::function<std::optional<Provenance>(const std::filesystem::path&)>;
struct RequiredService {
  std::string service, usual_thorn;
};
struct ThornRecord {
  std::string name, description, path;
  std::string equations;  // the text that the thorn was made from, if it was
  std::vector<ParameterSpec> parameters;
  std::vector<Group> groups;
  std::vector<ServiceOffer> services;
  std::vector<RequiredService> required_services;
  std::vector<ProvenanceReader> readers;
};

// Changes the group just declared; each call returns the builder again.
class GroupDeclaration {
 public:
  GroupDeclaration(ThornRecord& r, std::size_t n) : record_(r), n_(n) {}
  GroupDeclaration& timelevels(int n) { return me().timelevels = n, *this; }
  GroupDeclaration& type(ScalarType t) { return me().type = t, *this; }
  GroupDeclaration& centre(Centre x, Centre y, Centre z) { return me().centre = {x, y, z}, *this; }
  GroupDeclaration& cell_centred() { return centre(Centre::cell, Centre::cell, Centre::cell); }
  // All variables, in the order of components, one tensor after another; or those with these names.
  GroupDeclaration& tensor(Tensor t, double weight = 0) { return tensor(t, me().variables, weight); }
  GroupDeclaration& tensor(Tensor, const std::vector<std::string>& variables, double weight = 0);
  // Of any tensor, by what its components are called: tensor("xy xz yz", …), "" for a scalar. Axial: as ∇×E is.
  GroupDeclaration& tensor(
      const std::string& components, const std::vector<std::string>& variables, bool axial = false, double weight = 0);
  // What these variables do far away: radiating boundaries need no parameters of their own then.
  GroupDeclaration& outgoing(const std::vector<std::string>& variables, Outgoing);
  // What the thorn holds at faces of the domain, unless Boundary.overrides say otherwise.
  GroupDeclaration& condition(FaceCondition c) { return me().condition = std::move(c), *this; }
  GroupDeclaration& tag(std::string);
  GroupDeclaration& shape(std::vector<int> n) { return me().shape = std::move(n), *this; }
  GroupDeclaration& shape_from(std::string parameter) { return me().shape_parameter = std::move(parameter), *this; }
  GroupDeclaration& names_from(std::string parameter) { return me().names_parameter = std::move(parameter), *this; }
  // Entries are formulas that read these variables, and lie where they do.
  GroupDeclaration& names_from(
      std::string parameter, std::function<std::vector<std::string>(const std::string&)> reads);
  GroupDeclaration& not_checkpointed() { return me().checkpointed = false, *this; }
  // Makes this group evolved: declares the group of its right-hand sides, u_rhs for u, of the same kind and centring.
  template <template <class> class R> GroupDeclaration& rhs() { return rhs(group_key<R>()); }
  GroupDeclaration& rhs(std::string key = "");
  // What an evolved group in cells changes by is the difference of fluxes through faces: declares their group, u_flux
  // for u. Kernels in MoL::fluxes set them where levels meet: along one axis at a time, in the cell above a face.
  template <template <class> class F> GroupDeclaration& fluxes() { return fluxes(group_key<F>()); }
  GroupDeclaration& fluxes(std::string key = "");

 private:
  Group& me() { return record_.groups[n_]; }
  ThornRecord& record_;
  std::size_t n_;
};

class Declaration {
 public:
  explicit Declaration(ThornRecord& r) : record_(r) {}
  void describe(std::string what) { record_.description = std::move(what); }
  void equations(std::string text) { record_.equations = std::move(text); }

  // As make_parameter().
  ParameterSpec& parameter(std::string name, Value value, const Range&, std::string doc);
  ParameterSpec& parameter(std::string name, Variables value, const Range&, std::string doc);
  ParameterSpec& parameter(std::string name, std::initializer_list<double> list, const Range&, std::string doc);
  ParameterSpec& parameter(std::string name, std::initializer_list<int> list, const Range&, std::string doc);
  ParameterSpec& parameter(std::string name, std::initializer_list<const char*> list, const Range&, std::string doc);

  // A group whose struct template G names its grid functions in the order of `variables`.
  template <template <class> class G>
  GroupDeclaration group(std::string name, std::vector<std::string> variables, std::string doc) {
    return add(std::move(name), std::move(variables), std::move(doc), GroupKind::grid_function, group_key<G>());
  }
  GroupDeclaration group(std::string name, std::vector<std::string> variables, std::string doc) {
    return add(std::move(name), std::move(variables), std::move(doc), GroupKind::grid_function, "");
  }
  GroupDeclaration scalars(std::string name, std::vector<std::string> variables, std::string doc) {
    return add(std::move(name), std::move(variables), std::move(doc), GroupKind::scalar, "");
  }
  GroupDeclaration arrays(std::string name, std::vector<std::string> variables, std::string doc) {
    return add(std::move(name), std::move(variables), std::move(doc), GroupKind::array, "");
  }
  // Offers an implementation of an abstract service; make is called once, with the thorn's parameters.
  template <class S> void provides(std::function<std::shared_ptr<S>(const Parameters&)> make, std::string kind = "") {
    offer({S::service_name, record_.name, std::move(kind), std::move(make)});
  }
  // Finds in a file that this thorn wrote what made it, for `cereus reproduce`; nothing in any other file.
  void reads_provenance(ProvenanceReader f) { record_.readers.push_back(std::move(f)); }
  template <class S> void needs() { need({S::service_name, S::usual_thorn}); }

 private:
  GroupDeclaration add(
      std::string name, std::vector<std::string> variables, std::string doc, GroupKind kind, std::string key);
  void offer(ServiceOffer);
  void need(RequiredService);
  ThornRecord& record_;
};
}  // namespace cereus
