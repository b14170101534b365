// Fields and slices in HDF5: what is written, when, and in which of two formats.
#include <cereus/domain_checks.hpp>
#include <cereus/thorn.hpp>

#include "formats.hpp"

namespace IOHDF5 {
void declare(Declaration& d) {
  d.describe("Fields and slices in HDF5, for ParaView, openPMD readers, yt, h5py, kuibit and VisIt");
  d.reads_provenance(provenance_of);
  d.parameter("variables", Variables{{"@evolved"}}, any(),
      "Grid functions to write; grid scalars and arrays go into native files");
  declare_every(d, 0);
  d.parameter("format", {"native"},
      one_of({{"native", "a file an output: blocks, openPMD 1.1.0 meshes and VTKHDF in one"},
          {"carpet", "a file a group, as Carpet writes it"}}),
      "Formats in which whole fields are written");
  d.parameter("slices", std::vector<std::string>{}, one_of({"x", "y", "z", "xy", "xz", "yz"}),
      "Lines and planes to write as Carpet does");
  d.parameter(
       "slices_every", 0, at_least(0), "Iterations from one output of slices to the next; 0: as for whole fields")
      .only_with("slices");
  d.parameter("slice_through", {0.0, 0.0, 0.0}, any(), "Slices pass the grid point nearest to this one")
      .length(3)
      .only_with("slices");
  d.parameter("suffix", "hdf",
       one_of({{"hdf", "NAME_ITERATION.hdf, which yt and VTK know"},
           {"h5", "which openPMD-api asks for, and others take"}}),
       "How the names of native files end")
      .only_with("format", {"[native]", "[native, carpet]", "[carpet, native]"});
  d.parameter("compression", 0, between(0, 9), "Level of compression of native files, by deflate; 0: none")
      .only_with("format", {"[native]", "[native, carpet]", "[carpet, native]"});
}

void write(Context& c) {
  Simulation& s = c.simulation();
  const Parameters& par = c.parameters();
  for (const auto& format : par.strings("format")) {
    if (format == "native")
      write_native(s, c.accesses(), static_cast<int>(par.integer("compression")), "." + par.string("suffix"));
    else write_carpet(s, c.accesses(), std::string("xyz").substr(0, static_cast<std::size_t>(s.grid.dim)), {});
  }
}

void write_slices(Context& c) {
  Simulation& s = c.simulation();
  const Parameters& par = c.parameters();
  for (const auto& slice : par.strings("slices")) write_carpet(s, c.accesses(), slice, point_of(par, "slice_through"));
}

void refuse_shells(Context& c) {
  const Parameters& par = c.parameters();
  const auto refuse = [&](const char* name) {
    throw Error(par.where(name),
        std::string("IOHDF5.") + name + ": Carpet's files have no shells; take native ones, of whole fields");
  };
  if (c.simulation().grid.outer_radius() == 0) return;
  if (!par.strings("slices").empty()) refuse("slices");
  if (std::ranges::count(par.strings("format"), "carpet") > 0) refuse("format");
}

// Says what is asked for, and that no file will have.
void check(Context& c) {
  say_left_out(c, "slices");
  refuse_shells(c);
  if (c.parameters().changed("slice_through")) warn_of_place(c, "slice_through", "; the nearest slice is taken");
  const Parameters& par = c.parameters();
  const Simulation& s = c.simulation();
  if (std::ranges::count(par.strings("format"), "native") > 0 || c.rank() != 0) return;
  for (const auto& pattern : par.was_set("variables") ? par.strings("variables") : std::vector<std::string>())
    for (const int v : s.match(pattern))
      if (s.groups[s.variables[v].group].kind != GroupKind::grid_function)
        console::warn(Problem{par.where("variables"),
            "IOHDF5.variables: " + s.variables[v].name +
                " is no grid function, and Carpet's files have these alone; native files have it, too"}
                          .text());
}

void schedule(Schedule& s, const Parameters& par) {
  const bool own_rhythm = par.integer("slices_every") > 0;
  if (par.strings("slices").empty() || !own_rhythm) check_asked(par, every_of(par), "IOHDF5");
  if (!par.strings("format").empty())
    s.routine("fields", "Fields in HDF5", write)
        .reads(par.strings("variables"))
        .at(bin::output)
        .every(every_of(par))
        .once();
  s.routine("check", "Says what is asked for, and that no file will have", check).at(bin::paramcheck).once();
  if (par.strings("slices").empty()) return;
  s.routine("slices", "Slices in HDF5", write_slices)
      .reads(par.strings("variables"))
      .only(regions(par.strings("slices"), point_of(par, "slice_through")))
      .at(bin::output)
      .every(every_of(par, own_rhythm ? "slices_every" : "every"))
      .once();
}
}  // namespace IOHDF5
CEREUS_THORN(IOHDF5, IOHDF5::declare, IOHDF5::schedule, "*.hdf *.h5")
