// The kernels of a thorn of equations: what each computes, and what follows from that, reads, writes and reach.
#pragma once
#include "equations/expand.hpp"
namespace cereus::equations {
struct Reach {  // in cells: half the order of the differences, if `half_order`, and some more
  bool half_order = false, corners = false;
  int more = 0;
  bool pointwise() const { return !half_order && more == 0; }
};

inline constexpr int on_shell = 0;  // as a dimension of the grid: three, on a shell around a cube (shell.hpp)

struct Kernel {
  const Calculation* of = nullptr;
  std::string name, routine;                           // of the struct, and in the schedule
  std::string after;                                   // the routine that it follows, if that must be said
  std::map<int, std::vector<Assignment>> assignments;  // by dimension of the grid, or on_shell
  std::vector<int> reads, writes;                      // variables, in the order of their declaration
  std::map<std::string, Reach> reach;                  // by group of what is read
  std::map<int, std::array<Reach, 3>> along;           // by variable, along each axis
  std::map<int, std::map<int, int>> moved;             // so, too: sums of differences, the variable of each (lower.hpp)
  bool order = false;                                  // differences occur whose order is a parameter
  std::set<int> nodes;                                 // of all dimensions
};

struct FarAway {  // what a variable does there: `far` and `speed` of the text
  Rational value = 0;
  std::optional<Term> speed;
};

// What a time step is limited by, of which the largest counts; made of parameters, as `speed` and `diffusivity` say.
struct StepLimit {
  const char *group, *scalar, *doc, *offers, *tag;
  std::vector<Term> values{};
};

struct Program {
  const Model* model = nullptr;
  Graph graph;
  std::vector<int> dimensions;
  bool shells = false;  // kernels have a text for shells around a cube, too
  std::vector<Kernel> kernels;
  std::string order_parameter;                              // whose value kernels are instantiated for, or empty
  std::vector<int> orders;                                  // these values
  std::vector<std::shared_ptr<const Calculation>> storing;  // of what `store` names, in their order
  std::map<int, FarAway> far;                               // of variables of which something is said
  StepLimit limits[2]{
      {"speeds", "max_speed", "Fastest signal", "Offers the fastest signal to the Courant limit", "Time::speed"},
      {"diffusivities", "max_diffusivity", "Largest diffusivity", "Offers the diffusivity to the limit on the step",
          "Time::diffusivity"}};
};
// Checks and expands all; mistakes go to the model's source.
Program make_program(const Model&, bool shells = false);
std::vector<int> grids_of(const Program&);  // its dimensions, and on_shell
// Whether what is in a group follows from the rest when something looks at it: then a checkpoint need not hold it.
bool only_derived(const Program&, const std::string& group);
// Whether a kernel is so long that it says itself what it reads (cereus/kernel/large.hpp).
bool is_large(const Program&, const Kernel&);
bool occurs(const Program&, const Kernel&, Op);
// In a program of one order: how many layers at the edge of the ghost zones a kernel of `store` does not write, where
// not all is stored that it reads.
int margin_of(const Program&, const Kernel&);
// The name of the group of a variable, with its thorn if it belongs to another one.
std::string group_of(const Model&, int variable);
}  // namespace cereus::equations
