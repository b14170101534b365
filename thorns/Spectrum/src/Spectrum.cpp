// Power spectra of grid functions over time, as text: what is declared, checked and written.
#include <Analysis/variables.hpp>
#include <cereus/growing_file.hpp>
#include <cereus/thorn.hpp>

#include "on_device.hpp"
#include "power.hpp"

namespace Spectrum {
void declare(Declaration& d) {
  d.describe("Power spectra of grid functions on a periodic grid, summed over shells of wave number");
  d.parameter("variables", Variables{{"@evolved"}}, any(), "Grid functions of which to write the spectrum");
  Output::declare_every(d, 1);
}

void check(Context& c) {
  const Where& where = c.parameters().where("variables");
  Problems problems;
  Analysis::for_each_chosen(c, [&](const VariableInfo& v, const Group& g) {
    if (g.kind != GroupKind::grid_function)
      problems.add(where,
          "Spectrum.variables: " + v.name + " is a grid scalar or array, and only grid functions have a spectrum");
  });
  const Grid& grid = c.grid();
  std::string open;
  for (int d = 0; d < grid.dim; ++d)
    if (!grid.levels.front().space.periodic[d]) open += (open.empty() ? "" : ", ") + std::string(1, "xyz"[d]);
  if (!open.empty())
    problems.add(where, "Spectrum.variables: a spectrum is of a periodic grid, and this one is not periodic along " +
                            open + "; make all axes periodic, or leave out Spectrum");
  if (grid.levels.size() > 1 || c.service<Driver>().adapts(0))
    problems.add(where,
        "Spectrum.variables: a spectrum is of one uniform level, and this grid has or may have several; leave out "
        "Spectrum");
  problems.throw_if_any();
}

std::string header(const std::string& variable, const Shells& shells) {
  const std::string edge = cereus::all_digits(shells.shortest_edge());
  return "# Power spectrum of " + variable +
         "\n# P(k): sum of |v_k|^2 over all modes of the shell k, those with round(|k| L / 2 pi) = k, L = " + edge +
         ",\n# the shortest edge of the domain; v_k = mean of v exp(-i k x); the sum of P is the mean of |v|^2\n"
         "# 1:iteration 2:time 3:k [2 pi / L] 4:P [square of the unit of v]\n";
}

struct Kept {  // from one output to the next
  Communicator comm;
  OnDevice device;
  Slab slab;
};
void write(Context& c, Kept& kept) {
  const Shells shells(c.grid().levels.front().space, c.grid().dim);
  for (const auto& a : Analysis::each_once(c)) {
    Simulation& s = c.simulation();
    Engine* const engine = kept.device.engine_for(s, a, shells);
    if (!engine) make_valid(s, c.levels(), {&a, 1}, -1);
    const auto power = engine ? engine->power(a) : power_of(c, a, shells, kept.comm, kept.slab);
    if (kept.comm.rank() != 0) continue;
    const std::string when = std::to_string(c.clock().iteration) + " " + cereus::all_digits(c.clock().time) + " ";
    std::string lines;
    for (std::size_t k = 0; k < power.size(); ++k)
      lines += when + std::to_string(k) + " " + cereus::all_digits(power[k]) + "\n";
    cereus::append_lines(Analysis::text_file(c, a, "spectrum"), header(c.name(a), shells), lines + "\n");
  }
}

void schedule(Schedule& s, const Parameters& par) {
  const auto variables = par.strings("variables");
  if (variables.empty()) return;
  const auto kept = std::make_shared<Kept>();
  s.routine("check", "Checks that there can be spectra", check).at(bin::paramcheck).once();
  s.routine("connect", "Makes a communicator for the transform",
       [kept](Context& c) { kept->comm.open(c.simulation().process); })
      .at(bin::startup)
      .once();
  s.routine("spectra", "Power spectra", [kept](Context& c) { write(c, *kept); })
      .reads(variables)
      .launches_kernels()
      .at(bin::output)
      .every(Output::every_of(par))
      .once();
}
}  // namespace Spectrum
CEREUS_THORN(Spectrum, Spectrum::declare, Spectrum::schedule)
