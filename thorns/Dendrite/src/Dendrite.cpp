// Crystals that grow in a melt: what is declared, and when its kernels run.
#include <cereus/domain_checks.hpp>
#include <cereus/text.hpp>
#include <cereus/thorn.hpp>

#include <algorithm>
#include <cmath>
#include <ranges>

#include "kernels.hpp"

namespace Dendrite {
void declare(Declaration& d) {
  d.describe("Dendrites by a phase field: a pure melt, or a dilute alloy");
  d.parameter("model", "melt",
      one_of({{"melt", "a pure substance: heat diffuses"}, {"alloy", "solute diffuses, in the melt alone"}}),
      "What slows growth down");
  d.parameter("anisotropy", 0.05, between(-0.3, 0.3), "Strength ε of the anisotropy of the surface");
  d.parameter("diffusivity", 1.0, above(0.0), "Diffusivity D, in W₀²/τ₀");
  d.parameter("undercooling", 0.65, any(), "U starts from minus this");
  d.parameter("coupling", 0.0, at_least(0.0), "λ; 0: D/0.6267, with which no kinetics are left");
  d.parameter("seeds", {0.0, 0.0, 0.0}, any(), "Centres of the first balls of solid: x, y, z of each")
      .length(0, 3 * Seeds::most);
  d.parameter("radius", 8.0, above(0.0), "Radius of the seeds");
  d.parameter("angles", std::vector<double>{}, any(), "By how many degrees the crystal of each seed is turned about z")
      .length(0, Seeds::most);
  d.parameter("noise", 0.0, at_least(0.0), "Strength F of the noise");
  d.parameter("noise_seed", 1, between(0, 1000000000), "Which noise").only_with("noise");
  d.parameter("frame", 0.0, between({0.0, true}, {1.0, false}),
      "Part of the box along x: when the tip is further, all moves to the left by a cell; 0: never");
  d.parameter("partition", 0.15, between({0.0, false}, {1.0, false}), "Of an alloy: k").only_with("model", {"alloy"});
  d.parameter("thermal_length", 0.0, at_least(0.0), "Of an alloy in a temperature gradient along x: l_T; 0: in none")
      .only_with("model", {"alloy"});
  d.parameter("pulling_speed", 0.0, any(), "Speed of that gradient along x").only_with("thermal_length");
  d.parameter("isotherm", 0.0, any(), "Where the reference temperature is at the start").only_with("thermal_length");
  const auto no_flux = [](const Parameters&, int, int) { return std::string("neumann"); };
  const auto melt_ahead = [](const Parameters& p, int, int face) {  // a frame that moves comes to more of it
    return p.real("frame") > 0 && face == 1 ? "dirichlet " + format_double(-p.real("undercooling")) : "neumann";
  };
  d.group<Phase>("phase", {"phi"}, "1 in the solid, −1 in the melt").cell_centred().timelevels(2).condition(no_flux);
  d.group<Field>("field", {"U"}, "Temperature, or solute, over that of an even front")
      .cell_centred()
      .timelevels(2)
      .condition(melt_ahead);
  d.group<Orientation>("orientation", {"cosine", "sine"}, "Of the angle of the crystal").cell_centred();
  d.group<Moved>("moved", {"moved_phi", "moved_U"}, "One cell further").cell_centred().not_checkpointed();
  d.group<Concentration>("concentration", {"c"}, "Of an alloy, over c_l⁰").cell_centred().not_checkpointed();
  const auto real = ScalarType::float64;
  d.scalars("diffusivities", {"max_diffusivity"}, "Of φ or U").not_checkpointed().tag("Time::diffusivity").type(real);
  d.scalars("grid", {"weight"}, "1 / cells").not_checkpointed().type(real);
  d.scalars("tips", {"tip"}, "How far solid reaches along x").not_checkpointed().type(real);
  d.scalars("fraction", {"solid"}, "Part of the box that is solid").not_checkpointed().type(real);
  d.scalars("iterations", {"iteration"}, "Which numbers the noise takes").not_checkpointed().type(real);
  d.scalars("frames", {"offset"}, "Cells by which the frame has moved").type(real);
  d.scalars("ahead", {"ahead"}, "Whether it is to move").not_checkpointed().type(ScalarType::int32);
}

[[noreturn]] void fail(const Parameters& p, const char* key, const std::string& what) {
  const std::string where = to_string(p.where(key));
  throw Error(where + (where.empty() ? "" : ": ") + "Dendrite." + key + " " + what);
}
Seeds seeds_of(const Parameters& p) {
  const auto place = p.reals("seeds"), angles = p.reals("angles");
  if (place.size() % 3)
    fail(p, "seeds", "has " + std::to_string(place.size()) + " numbers: give three for each seed, x, y and z");
  if (!angles.empty() && angles.size() != place.size() / 3)
    fail(p, "angles",
        "has " + std::to_string(angles.size()) + " numbers: give one for each of the " +
            std::to_string(place.size() / 3) + " seeds, or none");
  Seeds s{static_cast<int>(place.size() / 3), p.real("radius"), {}, {}};
  std::ranges::copy(place, s.place);
  std::ranges::transform(angles, s.angle, [](double degrees) { return degrees * pi / 180; });
  return s;
}

// Fills in what kernels have in common, whichever of it they have.
const auto fill = []<class K>(K& k, const Parameters& p) {
  const auto set = [&]<class T>(T& member, const char* key) { member = static_cast<T>(p.real(key)); };
  if constexpr (requires { k.crystal; }) {
    set(k.crystal.anisotropy, "anisotropy"), set(k.crystal.coupling, "coupling"), set(k.crystal.strength, "noise");
    using Real = decltype(k.crystal.coupling);
    if (k.crystal.coupling == 0) k.crystal.coupling = static_cast<Real>(p.real("diffusivity") / 0.6267);
  }
  if constexpr (requires { k.diffusivity; }) set(k.diffusivity, "diffusivity");
  if constexpr (requires { k.partition; }) set(k.partition, "partition");
  if constexpr (requires { k.undercooling; }) set(k.undercooling, "undercooling");
  if constexpr (requires { k.seeds; }) k.seeds = seeds_of(p);
  if constexpr (requires { k.gradient; }) {
    const double length = p.real("thermal_length");
    k.gradient = {length > 0 ? 1 / length : 0, p.real("pulling_speed"), p.real("isotherm"), 0};
  }
};
const auto follow = []<class K>(K& k, const Parameters&, std::span<const double> offset) {
  if constexpr (requires { k.gradient; }) k.gradient.offset = offset[0];
  else k.offset = offset[0];
};
const auto draw = [](auto& k, const Parameters& p, std::span<const double> iteration) {
  const auto seed = static_cast<unsigned>(p.integer("noise_seed"));
  k.crystal.seed = 0x9e3779b9U * seed + static_cast<unsigned>(iteration[0]);
};

// Of a melt one kernel, of an alloy two.
void schedule_step(Schedule& s, const Parameters& par, const Value& extra) {
  const auto grow = [&](auto step) {
    step.set(fill).at(bin::evolve);
    if (par.real("noise") > 0) step.set({"iteration"}, draw);
    return step;
  };
  if (par.string("model") == "melt") {
    grow(s.kernel<Step>("step", "Crystal and heat").variant(extras, extra));
    return;
  }
  auto step = grow(s.kernel<StepPhase>("step", "Crystal").variant(extras, extra));
  if (par.real("frame") > 0) step.set({"offset"}, follow);
  s.kernel<StepSolute>("solute", "Solute").set(fill).at(bin::evolve).after("step");
  s.kernel<CalcConcentration>("concentration", "Of solute").set(fill).at(bin::analysis).on_demand();
}

// After a step all moves by a cell at most: a tip takes many steps for one.
void schedule_frame(Schedule& s, const Parameters& par, bool turned) {
  s.routine("look", "Whether the tip is too far",
       [part = par.real("frame")](Context& c) {
         const Patch& box = c.grid().levels[0].space;
         const double cells = (c.read_values<double>("tip")[0] - box.lower[0]) / box.spacing[0];
         c.values<std::int32_t>("ahead")[0] = cells - c.read_values<double>("offset")[0] > part * box.cells.extent(0);
       })
      .reads({"tip", "offset"})
      .writes({"ahead"})
      .once()
      .at(bin::poststep)
      .after("tip");
  const auto frame = s.group("frame", "One cell to the left").at(bin::poststep).after("look").if_("ahead");
  s.kernel<Shift>("shift", "All fields, to a copy").in(frame);
  s.kernel<Settle>("settle", "And back").in(frame).after("shift");
  s.routine("count", "How far it has moved", [](Context& c) { ++c.values<double>("offset")[0]; })
      .updates({"offset"})
      .once()
      .in(frame);
  if (turned) s.kernel<Orient>("turn", "New cells").set(fill).set({"offset"}, follow).in(frame).after("count");
}

// Lengths are in widths W₀ of the surface.
void check(Context& c) {
  if (c.grid().levels.size() > 1 || c.service<Driver>().adapts(0))
    throw Error(
        "Dendrite counts cells of one size, and keeps what melts and freezes on one level only; take one level");
  warn_of_place(c, "seeds", ": nothing grows from there");
  if (c.rank() != 0) return;
  const Patch& box = c.grid().levels[0].space;
  const Seeds seeds = seeds_of(c.parameters());
  double widest = 0;
  for (int d = 0; d < c.grid().dim; ++d) widest = std::max(widest, box.spacing[d]);
  const auto covers = [&](int seed) {  // the corner that is furthest
    double r2 = 0;
    for (int d = 0; d < c.grid().dim; ++d) {
      const double x = seeds.place[3 * seed + d] - box.lower[d];
      r2 += square(std::max(x, box.spacing[d] * box.cells.extent(d) - x));
    }
    return r2 < square(seeds.radius);
  };
  if (std::ranges::any_of(std::views::iota(0, seeds.count), covers))
    console::warn("Dendrite: the domain lies within a seed of radius " + format_double(seeds.radius) +
                  ", in widths of the surface: all is solid; give the driver a larger domain");
  if (widest > 1)
    console::warn("Dendrite: cells are " + format_double(widest) +
                  " widths of the surface wide, and a surface wants 0.8 at most");
}

void schedule(Schedule& s, const Parameters& par) {
  const Seeds seeds = seeds_of(par);
  const bool noisy = par.real("noise") > 0, moves = par.real("frame") > 0;
  const bool turned = std::ranges::any_of(seeds.angle, [](double angle) { return angle != 0; });
  const int extra = noisy ? 2 : turned ? 1 : 0;
  if (moves && s.parameters("UniGrid").booleans("periodic")[0])
    fail(par, "frame", "moves along x, so that axis must not be periodic: set UniGrid.periodic");
  s.kernel<SetInitial>("initial", "Balls of solid in the melt").set(fill).at(bin::initial);
  if (extra > 0) s.kernel<Orient>("orient", "Each cell as the nearest seed").set(fill).at(bin::initial);
  schedule_step(s, par, Value(extra));
  auto tip = s.kernel<FindTip>("tip", "How far solid reaches").set(fill).into("tip");
  if (moves) tip.set({"offset"}, follow).at(bin::poststep), schedule_frame(s, par, extra > 0);
  else tip.at(bin::analysis).on_demand();
  s.kernel<SumSolid>("solid", "Part of the box that is solid")
      .set({"weight"}, [](auto& k, const Parameters&, std::span<const double> weight) { k.weight = weight[0]; })
      .into("solid")
      .at(bin::analysis)
      .on_demand();
  s.routine("check", "Refuses several levels, and warns of a box that does not show a crystal", check)
      .at(bin::paramcheck)
      .once();
  s.routine("limits", "Offers the larger diffusivity to the limit on the time step",
       [](Context& c) {
         const Parameters& p = c.parameters();
         const double epsilon = std::fabs(p.real("anisotropy")), phase = 1 + 8 * epsilon / (1 - epsilon);
         const bool graded = p.string("model") == "alloy" && p.real("thermal_length") > 0;
         c.values<double>("max_diffusivity")[0] =
             std::max(p.real("diffusivity"), graded ? phase / p.real("partition") : phase);
         c.values<double>("weight")[0] = 1 / static_cast<double>(c.grid().levels[0].space.cells.points());
       })
      .writes({"max_diffusivity", "weight"})
      .at(bin::basegrid)
      .once();
  if (noisy)
    s.routine("draw", "Other numbers in each step",
         [](Context& c) { c.values<double>("iteration")[0] = c.clock().iteration; })
        .writes({"iteration"})
        .at(bin::prestep)
        .once();
}
}  // namespace Dendrite
CEREUS_THORN(Dendrite, Dendrite::declare, Dendrite::schedule)
