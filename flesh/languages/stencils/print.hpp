// Stencil programs as text: a thorn's kernels.hpp and its declaration.
#pragma once
#include "stencils/program.hpp"
namespace cereus::stencils {
// A value that is the same at all points, computed on the host: a member of the kernel.
struct Constant {
  std::string type, name, value;  // value: C++ from the parameters `p`
};
// The statements of a kernel, one after another.
class Body {
 public:
  Body(const Program&, std::vector<Constant>&, std::string indent);
  void may_read(const FieldText*, const std::string& handle, bool old = false);
  void take(const std::string& name) { taken_.insert(name); }  // of a member of the kernel
  // The names of a value's components, after the statements that compute them.
  std::vector<std::string> evaluate(const Expression&, const std::string& wish);
  std::string constant(const std::string& type, const std::string& wish, const std::string& value);
  void line(const std::string& text) { lines_ += indent_ + text + "\n"; }
  const std::string& lines() const { return lines_; }

 private:
  std::string print(const Expression&, int component, int level = 0);
  std::string print_access(const Expression&, int component);
  std::string print_call(const Expression&);
  std::string fresh(const std::string& wish);
  bool is_uniform(const Expression&) const;
  const Program& program_;
  std::vector<Constant>& constants_;
  std::map<std::pair<const FieldText*, bool>, std::string> handles_;  // and whether it is `old`
  struct Let {
    std::string name;
    Type type;
    std::vector<std::string> parts;  // what its components are called
  };
  std::vector<Let> lets_;                                        // innermost last
  std::map<const Expression*, std::vector<std::string>> known_;  // what the components of a `let` are called
  std::set<std::string> taken_;
  std::string indent_, lines_;
};
// How far around the point a kernel reads a field.
struct Reach {
  int cells = 0;
  bool corners = false, at_all = false;
  void see(const Expression& access);
  std::string text() const;  // "star<1>"
};
std::string on_host(const Program&, const Expression&);  // C++ in double, from the parameters `p` and numbers
std::string print_set(const std::vector<Constant>&);     // of a kernel that is scheduled
// The check of `until`: its kernel, and when it runs and ends the run.
std::string print_until(const Program&);
std::string print_until_schedule(const Program&);
std::string doc_of(const UntilText&);
std::string namespace_of(const Program&);   // "heat" → "heat_program"
std::string print_kernels(const Program&);  // kernels.hpp
std::string print_thorn(const Program&);    // NAME.cpp
std::vector<Constant> constants_of(const Program&, std::size_t step);
std::vector<Constant> constants_of_initial(const Program&);
// Variables of a field: A, or A_x and A_y.
std::vector<std::string> variables_of(const FieldText&);
std::string number_of(const Type&);                              // its C++ type, or that of its components
std::string member_of(const FieldText&, std::size_t component);  // the same in C++, a member of the group's struct
std::string description_of(const Program&);
std::string doc_of(const Program&, const ParameterText&);
bool is_copied(const Program&, const FieldText&);  // a kernel copies it before another one updates it
std::string doc_of(const Step&);                   // "f_Ey, f_Ex"
}  // namespace cereus::stencils
