// kernels.hpp: the groups as structs, initial data, and a kernel for each step.
#include <fmt/format.h>

#include <algorithm>

#include "cereus/text.hpp"
#include "equations/print.hpp"
#include "stencils/print.hpp"

namespace cereus::stencils {
namespace {
Reach reach_of(const Step& step, const FieldText& field) {
  Reach r;
  for (const Sweep& s : step)
    for (const FunctionText* f : s.functions)
      for_each_access(f->value, [&](const Expression& e) {
        if (e.text == field.name) r.see(e);
      });
  return r;
}
std::string list_of(const std::vector<std::string>& names) {
  std::vector<std::string> all;
  for (const auto& n : names) all.push_back(equations::identifier(n));
  return join(all, ", ");
}

class Kernel {
 public:
  Kernel(const Program& program, std::size_t step) : program_(program), number_(step), step_(program.steps[step]) {}
  std::string print() {
    for (const FieldText& f : program_.text.fields) handles(f);
    for (const Sweep& s : step_) sweep(s);
    std::string text =
        fmt::format("// {}\ntemplate <int dim, class Real> struct Step{} {{\n{}", doc_of(step_), number_ + 1, members_);
    for (const Constant& c : constants_) text += fmt::format("  {} {};\n", c.type, c.name);
    return text + fmt::format("  CEREUS_KERNEL void operator()(auto& p) const {{\n{}  }}\n}};\n\n", body_.lines());
  }
  const std::vector<Constant>& constants() const { return constants_; }

 private:
  bool updated_before(const FieldText& f) const {
    for (std::size_t n = 0; n < number_; ++n)
      if (std::ranges::count(program_.steps[n], &f, &Sweep::field)) return true;
    return false;
  }
  std::string test(const FunctionText& f) {
    std::string all;
    for (int n = 0; n < program_.dim(); ++n)
      for (const bool high : {false, true}) {
        if (!program_.tests(f, n, high)) continue;
        const int axis = program_.axis(n);
        const std::string value = fmt::format(
            "{} - {}", print_integer(high ? f.bounds[n].high : f.bounds[n].low), program_.end_of_all(n, false));
        const std::string wish = fmt::format("{}_{}", high ? "last" : "first", "xyz"[axis]);
        all += fmt::format("{}p.index({}) {} {}", all.empty() ? "" : " && ", axis,
            high ? "<=" : ">=", body_.constant("int", wish, value));
      }
    return all;
  }
  bool has_tests(const Sweep& s) const {
    for (const FunctionText* f : s.functions)
      for (int n = 0; n < program_.dim(); ++n)
        if (program_.tests(*f, n, false) || program_.tests(*f, n, true)) return true;
    return false;
  }
  void handles(const FieldText& f) {
    const auto s = std::ranges::find(step_, &f, &Sweep::field);
    const Reach reach = reach_of(step_, f);
    const bool updates = s != step_.end(), two = program_.two_levels(&f);
    if (!updates && !reach.at_all) return;
    const std::string number = number_of(f.type), now = "now_" + f.name, old = "old_" + f.name, in = "in_" + f.name;
    const auto add = [&](const std::string& handle, const std::string& name) {
      members_ += fmt::format("  {} {};\n", handle, name);
      body_.take(name);
    };
    if (!updates) {
      add(fmt::format("Read<Of_{}, {}, {}{}>", f.name, reach.text(), number, two && !updated_before(f) ? ", 1" : ""),
          in);
      return body_.may_read(&f, in);
    }
    if (s->neighbours) {
      const char* from = s->copied ? "Before" : "Of";
      add(fmt::format("Read<{}_{}, {}, {}{}>", from, f.name, reach.text(), number, two ? ", 1" : ""), old);
      add(fmt::format("Write<Of_{}, interior, {}>", f.name, number), now);
      return body_.may_read(&f, old);
    }
    const char* mode = has_tests(*s) || reach.at_all ? "Modify" : "Write";
    add(fmt::format("{}<Of_{}, interior, {}>", mode, f.name, number), now);
    body_.may_read(&f, now);
  }
  void sweep(const Sweep& s) {
    const std::size_t n = components_of(s.field->type).size();
    std::vector<std::string> tests;
    std::vector<std::vector<std::string>> values;
    for (const FunctionText* f : s.functions) {
      tests.push_back(test(*f));
      values.push_back(body_.evaluate(f->value, f->name + (f->subscript.empty() ? "" : "_" + f->subscript)));
    }
    for (std::size_t c = 0; c < n; ++c) {
      const std::string member = member_of(*s.field, c);
      std::string value = fmt::format("p({}_{}.{})", s.neighbours ? "old" : "now", s.field->name, member);
      for (std::size_t f = s.functions.size(); f-- > 0;)
        value = tests[f].empty() ? values[f][c]
                                 : fmt::format("cereus::choose<{}>({}, {}, {})", number_of(s.field->type), tests[f],
                                       values[f][c], value);
      body_.line(fmt::format("p(now_{}.{}) = {};", s.field->name, member, value));
    }
  }

  const Program& program_;
  std::size_t number_;
  const Step& step_;
  std::vector<Constant> constants_;
  Body body_{program_, constants_, "    "};
  std::string members_;
};

std::string print_initial(const Program& program, std::vector<Constant>& constants) {
  Body body(program, constants, "      ");
  std::string members;
  for (const FieldText& f : program.text.fields) {
    const std::size_t n = components_of(f.type).size();
    std::vector<std::string> values(n, number_of(f.type) + "(0)");
    if (f.initial) values = body.evaluate(*f.initial, f.name);
    for (const char* group : {"Of", "Before"}) {
      if (*group == 'B' && !is_copied(program, f)) continue;
      const std::string handle = fmt::format("{}_{}", *group == 'B' ? "before" : "now", f.name);
      members += fmt::format("    Write<{}_{}, Where, {}> {};\n", group, f.name, number_of(f.type), handle);
      for (std::size_t c = 0; c < n; ++c)
        body.line(fmt::format("p({}.{}) = {};", handle, member_of(f, c), values[values.size() == 1 ? 0 : c]));
    }
  }
  for (const Constant& c : constants) members += fmt::format("    {} {};\n", c.type, c.name);
  return "// Inside, and in the shell that no function updates.\ntemplate <class Where> struct Initial {\n"
         "  template <int dim, class Real> struct At {\n" +
         members + "    CEREUS_KERNEL void operator()(auto& p) const {\n" + body.lines() + "    }\n  };\n};\n\n";
}
std::string print_copy(const Program& program, std::size_t step) {
  const FieldText& f = *program.steps[step][0].field;
  std::string s = fmt::format(
      "template <int dim, class Real> struct Copy{1} {{\n  Read<Of_{0}, pointwise, {2}> in;\n"
      "  Write<Before_{0}, interior, {2}> before;\n  CEREUS_KERNEL void operator()(auto& p) const {{\n",
      f.name, step + 1, number_of(f.type));
  for (std::size_t c = 0; c < components_of(f.type).size(); ++c)
    s += fmt::format("    p(before.{0}) = p(in.{0});\n", member_of(f, c));
  return s + "  }\n};\n";
}
}  // namespace

void Reach::see(const Expression& access) {
  int axes = 0;
  for (const int n : access.offsets) cells = std::max(cells, std::abs(n)), axes += n != 0;
  at_all = true, corners = corners || axes > 1;
}
std::string Reach::text() const {
  return cells == 0 ? "pointwise" : fmt::format("{}<{}>", corners ? "box" : "star", cells);
}
std::vector<Constant> constants_of(const Program& program, std::size_t step) {
  Kernel k(program, step);
  k.print();
  return k.constants();
}
std::vector<Constant> constants_of_initial(const Program& program) {
  std::vector<Constant> constants;
  print_initial(program, constants);
  return constants;
}
std::vector<std::string> variables_of(const FieldText& f) {
  std::vector<std::string> names;
  for (const std::string& c : components_of(f.type)) names.push_back(f.name + c);
  return names;
}
std::string member_of(const FieldText& f, std::size_t component) {
  return equations::identifier(variables_of(f)[component]);
}
std::string doc_of(const Step& step) {
  std::vector<std::string> names;
  for (const Sweep& s : step)
    for (const FunctionText* f : s.functions)
      names.push_back(f->name + (f->subscript.empty() ? "" : "_" + f->subscript));
  return join(names, ", ");
}
bool is_copied(const Program& p, const FieldText& f) {
  return std::ranges::any_of(p.steps, [&](const Step& s) { return s[0].field == &f && s[0].copied; });
}
std::string namespace_of(const Program& program) { return program.thorn + "_program"; }

std::string print_kernels(const Program& program) {
  std::string s = fmt::format(
      "// Made by `cereus equations` of {}.\n#pragma once\n#include <cereus/kernel.hpp>\n#include "
      "<cereus/kernel/noise.hpp>\nnamespace {} {{\nusing namespace cereus;\n\n",
      program.thorn, namespace_of(program));
  for (const FieldText& f : program.text.fields)
    for (const char* group : {"Of", "Before"})
      if (*group == 'O' || is_copied(program, f))
        s += fmt::format("template <class F> struct {}_{} {{ F {}; }};\n", group, f.name, list_of(variables_of(f)));
  std::vector<Constant> unused;
  s += "\n" + print_initial(program, unused);
  for (std::size_t n = 0; n < program.steps.size(); ++n) {
    if (program.steps[n][0].copied) s += print_copy(program, n);
    s += Kernel(program, n).print();
  }
  return s + print_until(program) + fmt::format("}}  // namespace {}\n", namespace_of(program));
}
}  // namespace cereus::stencils
