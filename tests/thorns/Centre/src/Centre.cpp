// The centre of mass of a variable, by a routine of the host: docs/concepts/thorn.md shows it.
#include <cereus/thorn.hpp>
using namespace cereus;
void centre(Context& c) {
  Sum mass, moment[3];
  c.each_point<double>(c.accesses()[0], [&](const GridPoint& p, double v) {
    mass += v * p.volume();
    for (int d = 0; d < c.grid().dim; ++d) moment[d] += v * p.volume() * p.coordinate(d);
  });
  const double m = c.sum(mass);
  const auto centre = [&](int d) { return c.sum(moment[d]) / m; };
  c.append("centre.asc", {"mass", "x", "y", "z"}, {m, centre(0), centre(1), centre(2)});
}
void declare(Declaration& d) {
  d.describe("The centre of mass of a variable");
  d.parameter("variable", Variables{{"WaveToy::u"}}, any(), "Of what");
}
void schedule(Schedule& s, const Parameters& p) {
  s.routine("centre", "Appends the centre of mass to centre.asc", centre)
      .reads(p.strings("variable"))
      .at(bin::analysis)
      .once();
}
CEREUS_THORN(Centre, declare, schedule)
