// Ten stencil programs: what is declared, and which kernels a program runs.
#include <cereus/thorn.hpp>

#include "kernels.hpp"

namespace Stencils {
void declare(Declaration& d) {
  d.describe("The ten stencil programs of Holewinski, Pouchet and Sadayappan (2012)");
  d.parameter("program", "jacobi3d",
      one_of({{"jacobi1d3", "1D, mean of 3 points"}, {"jacobi1d5", "1D, mean of 5"}, {"jacobi1d7", "1D, mean of 7"},
          {"jacobi2d", "2D, mean of 5 points"}, {"jacobi3d", "3D, mean of 7"}, {"poisson2d", "2D, 9 points"},
          {"fdtd2d", "2D, Maxwell's equations on Yee's grid"}, {"rician2d", "2D, removal of Rician noise"},
          {"gradient2d", "2D, inverse length of the gradient"}, {"tv2d", "2D, total variation"}}),
      "Which program runs, one step of it a step");
  d.parameter("eps", -1.0, any(),
      "What is added under the square root; below 0: 1e-4 (gradient2d), 1e-20 (rician2d), 1e-8 (tv2d)");
  d.parameter("rician_dt", 5.0, above(0.0), "rician2d: its step").only_with("program", {"rician2d"});
  d.parameter("sigma", 1.00001, above(0.0), "rician2d: standard deviation σ of the noise")
      .only_with("program", {"rician2d"});
  d.parameter("lambda", 1.00001, above(0.0), "rician2d: weight λ of the image; γ = λ / σ²")
      .only_with("program", {"rician2d"});
  d.parameter("alpha", 1.1, above(0.0), "tv2d: weight of the image").only_with("program", {"tv2d"});
  d.group<State>("state", {"u"}, "What is iterated").cell_centred().timelevels(2);
  d.group<Electric>("electric", {"ex", "ey"}, "Electric field, at vertices");
  d.group<Magnetic>("magnetic", {"hz"}, "Magnetic field, in cells").cell_centred();
  d.group<Edges>("edges", {"g"}, "Weights of edges").cell_centred();
  d.group<Given>("given", {"f", "v"}, "The image, and what scales it").cell_centred();
}

using Reals = types<float, double>;

double eps_of(const Parameters& p, double usual) { return p.real("eps") < 0 ? usual : p.real("eps"); }

void check_dimension(Context& c) {
  const std::string& program = c.parameters().string("program");
  const int wanted = program.find("1d") != std::string::npos ? 1 : program.find("3d") != std::string::npos ? 3 : 2;
  if (c.grid().dim != wanted)
    throw Error(c.parameters().where("program"), "Stencils.program: " + program + " runs in " + std::to_string(wanted) +
                                                     " dimensions, but UniGrid.cells gives " +
                                                     std::to_string(c.grid().dim));
}

void schedule_fdtd(Schedule& s) {
  s.kernel<Fill<interior>::OfElectric, Reals, dimensions<2>>("electric", "Noise").at(bin::initial);
  s.kernel<Fill<interior>::OfMagnetic, Reals, dimensions<2>>("magnetic", "Noise").at(bin::initial);
  s.kernel<Fill<boundary>::OfElectric, Reals, dimensions<2>>("electric_shell", "Noise")
      .at(bin::initial)
      .before("electric");
  s.kernel<Fill<boundary>::OfMagnetic, Reals, dimensions<2>>("magnetic_shell", "Noise")
      .at(bin::initial)
      .before("magnetic");
  s.kernel<StepElectric, Reals, dimensions<2>>("step_electric", "E from the rotation of H").at(bin::evolve);
  s.kernel<StepMagnetic, Reals, dimensions<2>>("step_magnetic", "H from the rotation of E")
      .at(bin::evolve)
      .after("step_electric");
}

void schedule_rician(Schedule& s) {
  s.kernel<FillEdges, Reals, dimensions<2>>("no_edges", "No edges outside").at(bin::initial);
  s.kernel<FindEdges, Reals, dimensions<2>>("edges", "Weights of edges")
      .set([]<class K>(K& k, const Parameters& p) { k.eps = static_cast<decltype(k.eps)>(eps_of(p, 1e-20)); })
      .at(bin::evolve);
  s.kernel<Denoise, Reals, dimensions<2>>("step", "Removes noise")
      .set([]<class K>(K& k, const Parameters& p) {
        using Real = decltype(k.dt);
        const double sigma2 = p.real("sigma") * p.real("sigma");
        k.dt = static_cast<Real>(p.real("rician_dt")), k.gamma = static_cast<Real>(p.real("lambda") / sigma2),
        k.inverse_sigma2 = static_cast<Real>(1 / sigma2);
      })
      .at(bin::evolve)
      .after("edges");
}

void schedule(Schedule& s, const Parameters& par) {
  const std::string program = par.string("program");
  const bool positive = program == "rician2d" || program == "gradient2d" || program == "tv2d";
  const auto fill = [positive](auto& k, const Parameters&) {
    using Real = decltype(k.low);
    k.low = positive ? Real(0.1) : Real(0), k.high = positive ? Real(10) : Real(1);
  };
  s.routine("dimension", "Checks that the grid has the program's dimension", check_dimension)
      .at(bin::paramcheck)
      .once();
  if (program == "fdtd2d") return schedule_fdtd(s);
  s.kernel<Fill<interior>::OfState>("initial", "Noise").set(fill).at(bin::initial);
  s.kernel<Fill<boundary>::OfState>("shell", "Noise").set(fill).at(bin::initial).before("initial");
  if (program == "rician2d" || program == "tv2d") {
    s.kernel<Fill<interior>::OfGiven, Reals, dimensions<2>>("given", "Noise").set(fill).at(bin::initial);
    s.kernel<Fill<boundary>::OfGiven, Reals, dimensions<2>>("given_shell", "Noise")
        .set(fill)
        .at(bin::initial)
        .before("given");
  }
  constexpr choices<3, 5, 7> points;
  if (program.starts_with("jacobi1d"))
    s.kernel<Jacobi1D, dimensions<1>>("step", "Mean of a point and its neighbours")
        .variant(points, Value(std::int64_t{program.back() - '0'}))
        .at(bin::evolve);
  if (program == "jacobi2d")
    s.kernel<Jacobi2D, Reals, dimensions<2>>("step", "Mean of a point and its neighbours").at(bin::evolve);
  if (program == "jacobi3d")
    s.kernel<Jacobi3D, Reals, dimensions<3>>("step", "Mean of a point and its neighbours").at(bin::evolve);
  if (program == "poisson2d")
    s.kernel<Poisson2D, Reals, dimensions<2>>("step", "Difference to the neighbours").at(bin::evolve);
  if (program == "gradient2d")
    s.kernel<Gradient2D, Reals, dimensions<2>>("step", "Adds the inverse length of the gradient")
        .set([]<class K>(K& k, const Parameters& p) { k.eps = static_cast<decltype(k.eps)>(eps_of(p, 1e-4)); })
        .at(bin::evolve);
  if (program == "tv2d")
    s.kernel<TotalVariation, Reals, dimensions<2>>("step", "Total variation")
        .set([]<class K>(K& k, const Parameters& p) {
          using Real = decltype(k.eps);
          k.alpha = static_cast<Real>(p.real("alpha")), k.eps = static_cast<Real>(eps_of(p, 1e-8));
        })
        .at(bin::evolve);
  if (program == "rician2d") schedule_rician(s);
}
}  // namespace Stencils
CEREUS_THORN(Stencils, Stencils::declare, Stencils::schedule)
