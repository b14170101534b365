// Programs as text: a thorn's kernels.hpp and its declaration.
#pragma once
#include "equations/kernel.hpp"
namespace cereus::equations {
// Subexpressions that are the same at all points: members of a kernel, computed on the host.
struct Constant {
  int node = 0;
  std::string name, type;  // "Real" or "bool"
  std::string value;       // C++ on the host, from `p`, the parameters
};
std::string print_constant(const Program&, Term);
std::string parameter_name(const Node&);  // "k_x", "data_is_pulse", or empty if it is no parameter
std::vector<Constant> constants_of(const Program&, const Kernel&);
// The statements of a kernel on a grid of `dim` dimensions, or on_shell; `handles`: what a variable is called as an
// input and an output.
struct Handles {
  std::map<int, std::string> in, out;
};
std::string print_body(
    const Program&, const Kernel&, int dim, const Handles&, const std::vector<Constant>&, const std::string& indent);
// Of a large kernel, and how many slots it needs.
std::string print_large_body(const Program&, const Kernel&, int dim, const Handles&, const std::vector<Constant>&,
    const std::string& indent, int& slots);
// Which of a group's variables a kernel reads or writes, and by which struct.
struct Member {
  std::string group, type, name;  // of the struct and of the member
  std::vector<int> variables;
  bool whole = false;  // all of the group: the struct is the group's
  bool writes = false, reads = false;
};
std::vector<Member> members_of(const Program&, const Kernel&);
std::string print_operators(const Program&);
std::string print_reach(const Reach&);                  // "order / 2 + 1"
std::string order_text(const OperatorText&, int more);  // "order~+~2": of an operator, and some more
// A name of the text as one of C++: with `_` behind it if it is a word of C++ or of what kernels are written in.
std::string identifier(const std::string& name);
std::string camel(const std::string& name);  // "state" → "State"
std::string components_of(const Declared&);  // "xx xy xz yy yz zz", as a group's `tensor` takes them
std::string doc_of(const Kernel&);           // of its routine: "Right-hand side"
std::string print_kernels(const Program&);   // kernels.hpp
std::string print_thorn(const Program&);     // NAME.cpp
std::string print_tables(const Program&, const std::string& real);  // of one dimension: what a run has compiled
std::string print_graph(const Program&);                            // of a program with one Target (thorn.hpp)
// A number of C++: "Real(0.5)", "Real(1. / 3)".
std::string print_number(const Rational&);
}  // namespace cereus::equations
