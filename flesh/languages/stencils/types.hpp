// The types of expressions, found from the inside out.
#pragma once
#include "stencils/program.hpp"
namespace cereus::stencils {
class Types {
 public:
  explicit Types(const Program& program) : program_(program) {}
  // Add a mistake to the source for each rule that is broken; set the type of each expression.
  void of_function(FunctionText&, const FieldText& updated);
  void of_initial(FieldText&);
  void of_until(UntilText&);

 private:
  const Type& check(Expression&);
  void expect(Expression&, const FieldText&, bool or_number);
  void number(Expression&, const char* what);  // real from here on
  void any_number(Expression&, const char* what);
  static void make_alike(Expression&, Expression&);  // both are integers then, or both are real
  void name(Expression&);
  void access(Expression&);
  void call(Expression&);
  void binary(Expression&);
  void record(Expression&);
  const Type* let(const std::string& name) const;
  static std::string described(const Type&);
  std::size_t problems() const { return program_.source.problems().count(); }
  void add(Span span, const std::string& what, const std::string& mend = "") { program_.source.add(span, what, mend); }
  const Program& program_;
  std::set<std::string> reads_;                     // fields that may be read
  bool old_ = false;                                // whether they may be read as they were before the last step
  std::vector<std::pair<std::string, Type>> lets_;  // innermost last
};
}  // namespace cereus::stencils
