// Histograms of grid functions over time, as text: what is declared, checked and written.
#include <Analysis/communicator.hpp>
#include <Analysis/variables.hpp>
#include <cereus/growing_file.hpp>
#include <cereus/thorn.hpp>

#include "count.hpp"

namespace Histogram {
using Analysis::Communicator;

void declare(Declaration& d) {
  d.describe("Counts of the points of grid functions by value, in equal bins");
  d.parameter("variables", Variables{{"@evolved"}}, any(), "Real grid functions of which to write the histogram");
  Output::declare_every(d, 1);
  d.parameter("bins", 64, between(1, 1e6), "Number of bins");
  d.parameter("range", "fixed",
      one_of({{"fixed", "bins between `lower` and `upper`"},
          {"auto", "bins between the smallest and the largest finite value of the moment"}}),
      "Between which values the bins lie");
  d.parameter("lower", -1.0, any(), "Lower end of the first bin").only_with("range", {"fixed"});
  d.parameter("upper", 1.0, any(), "Upper end of the last bin").only_with("range", {"fixed"});
}

void check(Context& c) {
  Problems problems;
  Analysis::for_each_chosen(c, [&](const VariableInfo& v, const Group& g) {
    const bool counts = g.kind == GroupKind::grid_function;
    const std::string what = !counts ? "a grid scalar or array" : "complex";
    if (!counts || is_complex(g.type.value_or(c.simulation().real)))
      problems.add(c.parameters().where("variables"),
          "Histogram.variables: " + v.name + " is " + what + ", and a histogram is of a real grid function");
  });
  problems.throw_if_any();
}

// The smallest and largest value over all processes. Where nothing is finite, all lies outside an empty range.
// Collective.
Interval range_of(Context& c, const VariableAccess& a, const Communicator& comm) {
  const Interval mine = extremes(c, a);
  const double in[2] = {mine.lower, -mine.upper};
  double out[2];
  Analysis::check(MPI_Allreduce(in, out, 2, MPI_DOUBLE, MPI_MIN, comm.get()), "finding extremes");
  if (out[0] > -out[1]) return {0, 0};
  return {0.0 + out[0], 0.0 - out[1]};  // never −0: which zero is the smaller depends on the order of points
}

std::string header(const std::string& variable) {
  return "# Histogram of " + variable +
         "\n# Points with a value in [from, to), in the last bin in [from, to]; rows: below the bins, the bins, above "
         "them, not-a-number\n# 1:iteration 2:time 3:from 4:to [unit of the variable] 5:points\n";
}

std::string lines(const Clock& clock, const std::vector<double>& edges, const Counts& counts) {
  constexpr double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> ends{-infinity};
  ends.insert(ends.end(), edges.begin(), edges.end());
  ends.push_back(infinity);
  const std::string when = std::to_string(clock.iteration) + " " + cereus::all_digits(clock.time);
  std::string text;
  const auto row = [&](double from, double to, std::int64_t points) {
    text += when + " " + cereus::all_digits(from) + " " + cereus::all_digits(to) + " " + std::to_string(points) + "\n";
  };
  for (std::size_t n = 0; n + 1 < ends.size(); ++n) row(ends[n], ends[n + 1], counts[n]);
  row(nan, nan, counts.back());
  return text;
}

void write(Context& c, const Communicator& comm) {
  const Parameters& par = c.parameters();
  for (const auto& a : Analysis::each_once(c)) {
    const bool fixed = par.string("range") == "fixed";
    const Interval range = fixed ? Interval{par.real("lower"), par.real("upper")} : range_of(c, a, comm);
    const auto edges = edges_of(range, static_cast<int>(par.integer("bins")));
    const Counts mine = count(c, a, edges);
    Counts all(mine.size());
    Analysis::check(
        MPI_Reduce(mine.data(), all.data(), static_cast<int>(mine.size()), MPI_INT64_T, MPI_SUM, 0, comm.get()),
        "adding counts");
    if (comm.rank() == 0)
      cereus::append_lines(
          Analysis::text_file(c, a, "histogram"), header(c.name(a)), lines(c.clock(), edges, all) + "\n");
  }
}

void require_range(const Parameters& par) {
  if (par.string("range") == "fixed" && !(par.real("lower") < par.real("upper")))
    throw Error(par.where(par.was_set("upper") ? "upper" : "lower"),
        "Histogram.upper must be greater than Histogram.lower; they are " + format_double(par.real("upper")) + " and " +
            format_double(par.real("lower")));
}

void schedule(Schedule& s, const Parameters& par) {
  require_range(par);
  const auto variables = par.strings("variables");
  if (variables.empty()) return;
  const auto comm = std::make_shared<Communicator>();
  s.routine("check", "Checks that there can be histograms", check).at(bin::paramcheck).once();
  s.routine("connect", "Makes a communicator for counts", [comm](Context& c) { comm->open(c.simulation().process); })
      .at(bin::startup)
      .once();
  s.routine("histograms", "Counts of points by value", [comm](Context& c) { write(c, *comm); })
      .reads(variables)
      .at(bin::output)
      .every(Output::every_of(par))
      .once();
}
}  // namespace Histogram
CEREUS_THORN(Histogram, Histogram::declare, Histogram::schedule)
