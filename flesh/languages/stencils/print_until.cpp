// The check for convergence: what it reduces over all points that are updated, and when it ends the run.
#include <fmt/format.h>

#include "stencils/print.hpp"

namespace cereus::stencils {
namespace {
class Until {
 public:
  explicit Until(const Program& program) : program_(program), until_(*program.text.grids[0].until) {
    for (const FieldText& f : program.text.fields)
      for (const bool old : {false, true}) handle(f, old);
    const std::string value = body_.evaluate(until_.value, "value")[0];
    body_.line(until_.reduction == "sum" ? fmt::format("return Sum(static_cast<double>({}));", value)
                                         : fmt::format("return {{{}}};", value));
  }
  std::string kernel() const {
    std::string s = "template <int dim, class Real> struct Until {\n" + members_;
    for (const Constant& c : constants_) s += fmt::format("  {} {};\n", c.type, c.name);
    const char* type = until_.reduction == "sum" ? "Sum" : until_.reduction == "max" ? "Max<Real>" : "Min<Real>";
    return s + fmt::format("  CEREUS_KERNEL {} operator()(auto& p) const {{\n{}  }}\n}};\n\n", type, body_.lines());
  }
  const std::vector<Constant>& constants() const { return constants_; }

 private:
  void handle(const FieldText& f, bool old) {
    Reach reach;
    for_each_access(until_.value, [&](const Expression& e) {
      if (e.text == f.name && e.old == old) reach.see(e);
    });
    if (!reach.at_all) return;
    const std::string name = (old ? "old_" : "in_") + f.name;
    members_ +=
        fmt::format("  Read<Of_{}, {}, {}{}> {};\n", f.name, reach.text(), number_of(f.type), old ? ", 1" : "", name);
    body_.may_read(&f, name, old);
  }

  const Program& program_;
  const UntilText& until_;
  std::vector<Constant> constants_;
  Body body_{program_, constants_, "    "};
  std::string members_;
};
}  // namespace

std::string doc_of(const UntilText& u) { return fmt::format("The {} that `until` looks at", u.reduction); }
std::string print_until(const Program& program) { return program.text.grids[0].until ? Until(program).kernel() : ""; }

std::string print_until_schedule(const Program& program) {
  const GridText& grid = program.text.grids[0];
  if (!grid.until) return "";
  const std::string when = fmt::format(
      ".every({{.iterations = static_cast<int>({})}})\n      .at(bin::checkpoint)", print_integer(*grid.steps));
  return fmt::format(R"(  s.kernel<Until, detail::Reals, dimensions<{0}>>("until_value", "{1}"){2}
      .into("until_value")
      {3};
  s.routine("until", "Ends the run where that is small or large enough",
       [](Context& c) {{
         [[maybe_unused]] const Parameters& p = c.parameters();
         const double value = c.read_values<double>("until_value")[0];
         if (!std::isfinite(value) || !(value {4} {5})) {{
           const bool last = c.clock().iteration + static_cast<int>({8}) > static_cast<int>({9});
           c.simulation().unmet = last;
           if (c.rank() == 0 && last)
             console::warn("{6}: `until` was not met in " + std::to_string(c.clock().iteration) + " steps: {7} " +
                           format_double(value) + ", not {4} " + format_double({5}));
           return;
         }}
         c.simulation().stop = true, c.simulation().unmet = false;
         if (c.rank() == 0)
           console::say("{6}: `until` ends the run after " + std::to_string(c.clock().iteration) + " steps: {7} " +
                        format_double(value));
       }})
      .reads({{"until_value"}})
      .once()
      .after("until_value")
      {3};
)",
      program.dim(), doc_of(*grid.until), print_set(Until(program).constants()), when, grid.until->comparison,
      on_host(program, grid.until->limit), program.thorn, grid.until->reduction, print_integer(*grid.steps),
      print_integer(grid.until->most));
}
}  // namespace cereus::stencils
