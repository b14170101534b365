// Groups: variables declared together, which share centring, timelevels, storage, scalar type and output.
#pragma once
#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "scalar.hpp"
namespace cereus {
enum class GroupKind : std::uint8_t { grid_function, scalar, array };
enum class Centre : std::uint8_t { vertex, cell };
// How components transform; parities under reflections follow from it. Those of vectors are x y z, of symmetric tensors
// xx xy xz yy yz zz. Weight is the density weight.
enum class Tensor : std::uint8_t { scalar, vector, covector, symmetric, symmetric_up };

struct Character {        // of a variable: a component of a tensor
  std::string component;  // "xY" of T_x^y: capital letters are upper indices
  bool axial = false;     // reflections change its sign once more, as that of ∇×E
  double weight = 0;
};

class Parameters;
struct Outgoing {  // of a variable far from all sources, as radiating boundaries take it: u = far + f(r − speed t) / r
  double far = 0;
  std::function<double(const Parameters&)> speed;  // from the parameters of the variable's thorn; none: not said
};

// What holds outside the domain for a component at a face (2·axis + side), in the words of Boundary.overrides, as in
// "dirichlet 1.5"; empty: what the parameters of Boundary say.
using FaceCondition = std::function<std::string(const Parameters&, int component, int face)>;

struct Group {
  std::string thorn, name, doc;  // full name thorn::name
  std::string key;               // the group's struct, as every library names it ("" if declared by names)
  GroupKind kind = GroupKind::grid_function;
  std::vector<std::string> variables;  // names without the thorn
  std::string names_parameter;         // or the list parameter whose entries begin with them, "NAME = …"
  // What such an entry reads: its variable has the centring of the first of these, in a group of that centring.
  std::function<std::vector<std::string>(const std::string& entry)> reads;
  std::optional<ScalarType> type;     // unset: the run's Cereus.real
  std::array<Centre, 3> centre{};     // per axis
  std::vector<Character> characters;  // of each variable; none: all are scalars
  std::vector<Outgoing> outgoing;     // of each variable; none: all go to 0
  FaceCondition condition;            // from the parameters of the group's thorn; none: not said
  int timelevels = 1;
  std::vector<int> shape;         // of a grid array
  std::string shape_parameter;    // or the integer-list parameter that gives it
  std::string rhs_of;             // full name of the group whose right-hand side this is
  std::string fluxes_of;          // full name of the group whose fluxes through the lower faces of cells this is
  std::vector<std::string> tags;  // e.g. "Time::speed"
  bool checkpointed = true;
  // Once all groups are known: the number of the group whose right-hand side this is, or −1; of the group of right-hand
  // sides of this one, or −1; of the group of its fluxes, or −1; of the first component among all variables.
  int evolves = -1, rhs = -1, fluxes = -1, first_variable = 0;
  std::string full_name() const { return thorn + "::" + name; }
  bool has_tag(const std::string& t) const {
    for (const auto& tag : tags)
      if (tag == t) return true;
    return false;
  }
};

// +1 or −1: how component c of a group changes under x_axis → −x_axis.
int parity(const Group&, int component, int axis);

// "at vertices", "in cells", "on faces across x" or "on edges along x", on a grid of so many dimensions.
std::string name_of(const std::array<Centre, 3>&, int dim);

// A variable of a run: number v of all, component c of group g.
struct VariableInfo {
  std::string name;  // thorn::variable
  int group = 0, component = 0;
};
}  // namespace cereus
