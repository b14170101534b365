// Every mistake of a parameter file is reported at once, with its place, what is allowed, and what was meant.
#include "parameter/resolve.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

using namespace cereus;

namespace {

template <int... n> struct choices {};

std::vector<ThornParameters> known() {
  std::vector<ParameterSpec> wave{
      make_parameter("amplitude", 1.0, any(), "Amplitude of the initial Gaussian").was_called("amp"),
      make_parameter("speed", 1.0, above(0), "Wave speed").may_steer(),
      make_parameter("order", 4, choices<2, 4, 6, 8>(), "Order of the finite differences"),
      make_parameter("boundary", "periodic", one_of({{"periodic", "as on a torus"}, "reflecting"}), "The boundary"),
      make_parameter("verbose", false, any(), "Say more"),
      make_parameter("every", 10, at_least(1), "Steps between two outputs"),
      make_parameter("centre", {0.0, 0.0, 0.0}, any(), "Centre of the Gaussian").length(3),
      make_parameter("levels", std::vector<int>{}, between(0, 9), "Levels"),
      make_parameter("output", Variables{{"WaveToy::u"}}, any(), "Variables to write"),
      make_parameter("title", "wave", any(), "A title"),
      make_parameter("limit", 1.0, at_most(std::numeric_limits<double>::infinity()), "A limit"),
      make_parameter("tag", "a1", matching("[a-z][0-9]", "a letter and a digit"), "A tag"),
      make_parameter("flags", std::vector<bool>{true}, any(), "Flags"),
  };
  return {{"Cereus", "The flesh", {make_parameter("steps", 100, at_least(0), "Number of steps")}, true},
      {"WaveToy", "Scalar waves", wave, true},
      {"Diffusion", "Heat", {make_parameter("k", 1.0, above(0), "Diffusivity")}, false}, {"Needy", "Needs", {}, false}};
}

struct Result {
  std::map<std::string, Parameters> values;
  std::string problems;
  std::vector<std::string> warnings;
};

Result run(const std::string& text, const std::vector<std::string>& sets = {},
    const std::vector<ThornParameters>& thorns = known()) {
  Problems problems;
  Result result;
  ParameterFile file = parameter_file_from(parse_yaml(text, "wave.yaml", problems), problems);
  for (const std::string& set : sets) apply_set(file, set, problems);
  result.values = resolve(file, thorns, problems, result.warnings);
  for (const Problem& p : problems.list()) result.problems += p.text() + "\n";
  return result;
}

/// The one message about a value of WaveToy.
std::string wave(const std::string& setting) { return run("WaveToy:\n  " + setting + "\n").problems; }

}  // namespace

TEST(Resolve, values_of_a_good_file) {
  const Result r = run(R"~(thorns: [WaveToy]
Cereus: {steps: 1e3}
WaveToy:
  amplitude: 2*pi/3
  speed: "sqrt(2)"
  order: 010-2
  boundary: reflecting
  verbose: true
  centre: [1, 2/4, -.5]
  levels: 3
  output: [WaveToy::*, 'ADM::g[0]']
  title: 5
  limit: .inf
  flags: [true, false]
)~");
  EXPECT_EQ(r.problems, "");
  EXPECT_TRUE(r.warnings.empty());
  const Parameters& p = r.values.at("WaveToy");
  EXPECT_EQ(p.real("amplitude"), 2 * 3.141592653589793 / 3);
  EXPECT_EQ(p.real("speed"), std::sqrt(2.0));
  EXPECT_EQ(p.integer("order"), 8);
  EXPECT_EQ(p.real("order"), 8.0);
  EXPECT_EQ(p.string("boundary"), "reflecting");
  EXPECT_TRUE(p.boolean("verbose"));
  EXPECT_EQ(p.reals("centre"), (std::vector<double>{1, 0.5, -0.5}));
  EXPECT_EQ(p.integers("levels"), std::vector<std::int64_t>{3});
  EXPECT_EQ(p.reals("levels"), std::vector<double>{3});
  EXPECT_EQ(p.strings("output"), (std::vector<std::string>{"WaveToy::*", "ADM::g[0]"}));
  EXPECT_EQ(p.string("title"), "5");
  EXPECT_EQ(p.real("limit"), std::numeric_limits<double>::infinity());
  EXPECT_EQ(p.booleans("flags"), (std::vector<bool>{true, false}));
  EXPECT_EQ(p.integer("every"), 10);
  EXPECT_FALSE(p.was_set("every"));
  EXPECT_TRUE(p.was_set("speed"));
  EXPECT_EQ(p.where("speed"), (Where{"wave.yaml", 5, 10}));
  EXPECT_EQ(p["title"], Value("5"));
  EXPECT_EQ(r.values.at("Cereus").integer("steps"), 1000);
  EXPECT_EQ(r.values.count("Diffusion"), 0u);
}

TEST(Resolve, all_mistakes_of_a_file_at_once) {
  const Result r = run(R"~(thorns: [WavToy, WaveToy, Cereus, ../evil]
Cereus:
  stepz: 4
Diffusion:
  k: 1
WaveToy:
  speed: -1
  order: four
  boundary: perodic
  verbose: yes
  every: 2.5
  ampitude: 3
  centre: [1, 2]
  levels: [1, 10, x]
  output: u
  tag: nope
  title:
Difusion:
  k: 2
)~");
  EXPECT_EQ(r.problems, R"~(wave.yaml:1:10: no thorn is called 'WavToy'; did you mean 'WaveToy'?
wave.yaml:1:27: 'Cereus' is the flesh and always there; remove it
wave.yaml:1:35: '../evil' is not a name; 'thorns' is a list of thorns
wave.yaml:3:3: Cereus has no parameter 'stepz'; did you mean 'steps'? (Number of steps)
wave.yaml:4:1: 'Diffusion' is not active; add it to thorns: or remove this block
wave.yaml:7:10: WaveToy.speed = -1: must be > 0 (Wave speed)
wave.yaml:8:10: WaveToy.order = four: must be an integer, one of 2, 4, 6, 8 (Order of the finite differences)
wave.yaml:9:13: WaveToy.boundary = perodic: must be one of periodic, reflecting; did you mean 'periodic'? (The boundary)
wave.yaml:10:12: WaveToy.verbose = yes: must be true or false; write true (Say more)
wave.yaml:11:10: WaveToy.every = 2.5: must be an integer >= 1; this is 2.5 (Steps between two outputs)
wave.yaml:12:3: WaveToy has no parameter 'ampitude'; did you mean 'amplitude'? (Amplitude of the initial Gaussian)
wave.yaml:13:11: WaveToy.centre = [1, 2]: must be a list of 3 numbers, not 2 (Centre of the Gaussian)
wave.yaml:14:15: WaveToy.levels = 10: each element must be between 0 and 9 (Levels)
wave.yaml:14:19: WaveToy.levels = x: each element must be an integer between 0 and 9 (Levels)
wave.yaml:15:11: WaveToy.output = u: must be a list of variables such as WaveToy::u or WaveToy::* (Variables to write)
wave.yaml:16:8: WaveToy.tag = nope: must be a letter and a digit (A tag)
wave.yaml:17:3: WaveToy.title has no value: it must be a string (A title)
wave.yaml:18:1: no thorn is called 'Difusion'; did you mean 'Diffusion'?
)~");
}

TEST(Resolve, scalars_are_strict) {
  EXPECT_EQ(wave("verbose: 'true'"),
      "wave.yaml:2:12: WaveToy.verbose = \"true\": must be true or false; write true (Say more)\n");
  EXPECT_EQ(
      wave("verbose: off"), "wave.yaml:2:12: WaveToy.verbose = off: must be true or false; write false (Say more)\n");
  EXPECT_EQ(wave("verbose: 2"), "wave.yaml:2:12: WaveToy.verbose = 2: must be true or false (Say more)\n");
  EXPECT_EQ(wave("every: '16'"),
      "wave.yaml:2:10: WaveToy.every = \"16\": must be an integer >= 1; remove the quotes (Steps between two "
      "outputs)\n");
  EXPECT_EQ(wave("every: 2**70"),
      "wave.yaml:2:10: WaveToy.every = 2**70: must be an integer >= 1; write out all digits of a number this "
      "large (Steps between two outputs)\n");
  EXPECT_EQ(wave("every: 9223372036854775808"),
      "wave.yaml:2:10: WaveToy.every = 9223372036854775808: must be an integer >= 1; this one needs more than 64 "
      "bits (Steps between two outputs)\n");
  EXPECT_EQ(wave("every: 2147483647"), "");
  EXPECT_TRUE(wave("every: 2147483648")
                  .starts_with(
                      "wave.yaml:2:10: WaveToy.every = 2147483648: must be an integer from -2147483647 to 2147483647"));
  EXPECT_EQ(wave("every: 0"), "wave.yaml:2:10: WaveToy.every = 0: must be >= 1 (Steps between two outputs)\n");
  EXPECT_EQ(wave("speed: 2*"),
      "wave.yaml:2:10: WaveToy.speed = 2*: must be a number > 0; column 3: the expression ends where a number is "
      "expected (Wave speed)\n");
  EXPECT_EQ(wave("speed: .inf"), "wave.yaml:2:10: WaveToy.speed = .inf: must be finite and > 0 (Wave speed)\n");
  EXPECT_EQ(wave("amplitude: -.inf"),
      "wave.yaml:2:14: WaveToy.amplitude = -.inf: must be finite (Amplitude of the initial Gaussian)\n");
  EXPECT_EQ(wave("amplitude: .nan"),
      "wave.yaml:2:14: WaveToy.amplitude = .nan: must be a number (Amplitude of the initial Gaussian)\n");
  EXPECT_EQ(wave("amplitude: nan"),
      "wave.yaml:2:14: WaveToy.amplitude = nan: must be a number (Amplitude of the initial Gaussian)\n");
  EXPECT_EQ(wave("amplitude: [1]"),
      "wave.yaml:2:14: WaveToy.amplitude = [1]: must be a number, not a list (Amplitude of the initial Gaussian)\n");
  EXPECT_EQ(wave("title: {a: 1}"),
      "wave.yaml:2:10: WaveToy.title = {...}: must be a string; quote a text that contains ': ' (A title)\n");
  EXPECT_EQ(wave("title: ''"), "");
  EXPECT_EQ(wave("mass: 1"),
      "wave.yaml:2:3: WaveToy has no parameter 'mass'; it has amplitude, speed, order, boundary, verbose, every, "
      "centre, levels, output, title, limit, tag, flags\n");
  EXPECT_EQ(wave("tag: " + std::string(100'000, 'a')).substr(0, 40), "wave.yaml:2:8: WaveToy.tag = aaaaaaaaaaa");
}

TEST(Resolve, top_level) {
  EXPECT_EQ(run("thorn: WaveToy\n").problems,
      "wave.yaml:1:1: 'thorn' must be followed by parameters, one a line and indented; did you mean 'thorns'?\n");
  EXPECT_EQ(run("thorns: {a: 1}\n").problems, "wave.yaml:1:9: 'thorns' must be a list of thorns, such as [One, Two]\n");
  EXPECT_EQ(
      run("thorns: [WaveToy,\n WaveToy]\n").problems, "wave.yaml:2:2: 'WaveToy' is listed twice, first in line 1\n");
  EXPECT_EQ(run("[a, b]\n").problems,
      "wave.yaml:1:1: the file must consist of lines such as 'thorns: [WaveToy]' and 'WaveToy:'\n");
  EXPECT_EQ(run("WaveToy:\n").problems, "");
  EXPECT_EQ(run("thorns: WaveToy\n").problems, "");
}

TEST(Resolve, command_line_wins) {
  const Result r =
      run("WaveToy: {speed: 2, order: 2}\n", {"WaveToy.speed=pi/2", "WaveToy.centre=[1,2,3]", "Cereus.steps=7"});
  EXPECT_EQ(r.problems, "");
  EXPECT_EQ(r.values.at("WaveToy").real("speed"), 3.141592653589793 / 2);
  EXPECT_EQ(r.values.at("WaveToy").integer("order"), 2);
  EXPECT_EQ(r.values.at("WaveToy").reals("centre").at(2), 3);
  EXPECT_EQ(r.values.at("Cereus").integer("steps"), 7);
  EXPECT_EQ(to_string(r.values.at("WaveToy").where("speed")), "--set WaveToy.speed=pi/2");
  EXPECT_EQ(run("WaveToy:\n",
                {"WaveToy.sped=1", "speed=1", "WaveToy.speed", "WaveToy.speed=", "WaveToy.order=[2", "Diffusion.k=1"})
                .problems,
      "--set speed=1: expected Thorn.parameter=value, such as WaveToy.order=4\n"
      "--set WaveToy.speed: expected Thorn.parameter=value, such as WaveToy.order=4\n"
      "--set WaveToy.order=[2: not valid YAML: end of sequence flow not found\n"
      "--set Diffusion.k=1: 'Diffusion' is not active; add it to thorns: or remove this block\n"
      "--set WaveToy.speed=: WaveToy.speed has no value: it must be a number > 0 (Wave speed)\n"
      "--set WaveToy.sped=1: WaveToy has no parameter 'sped'; did you mean 'speed'? (Wave speed)\n");
}

TEST(Resolve, arrangements_give_defaults) {
  Problems problems;
  std::vector<std::string> warnings;
  const auto parse = [&](const char* text, const char* name) { return parse_yaml(text, name, problems); };
  ParameterFile file = parameter_file_from(
      parse("thorns: [WaveToy]\narrangements: [Waves, More]\nWaveToy: {speed: 3, every: 9}\n", "wave.yaml"), problems);
  ASSERT_EQ(file.arrangements.size(), 2u);
  EXPECT_EQ(file.arrangements[1].where, (Where{"wave.yaml", 2, 23}));
  const Arrangement waves = arrangement_from(
      parse("description: All waves\nthorns: [WaveToy, Diffusion]\nWaveToy: {speed: 2, order: 8, every: 1}\n",
          "arrangements/Waves.yaml"),
      problems);
  EXPECT_EQ(waves.name, "Waves");
  EXPECT_EQ(waves.description, "All waves");
  merge(file, waves, problems);
  EXPECT_EQ(file.thorns.size(), 2u);
  EXPECT_TRUE(problems.empty());
  merge(file,
      arrangement_from(parse("thorns: []\nWaveToy:\n  order: 6\n  every: 2\n", "arrangements/More.yaml"), problems),
      problems);
  ASSERT_EQ(problems.count(), 1u);
  EXPECT_EQ(problems.list()[0].text(),
      "arrangements/More.yaml:3:3: WaveToy.order = 6, but arrangements/Waves.yaml:3:21 wants 8; decide in the "
      "parameter file");
  const auto values = resolve(file, known(), problems, warnings);
  EXPECT_EQ(values.at("WaveToy").real("speed"), 3);
  EXPECT_EQ(values.at("WaveToy").integer("order"), 8);
}

TEST(Resolve, old_names) {
  const Result r = run("WaveToy:\n  amp: 2\n");
  EXPECT_EQ(r.problems, "");
  EXPECT_EQ(r.values.at("WaveToy").real("amplitude"), 2);
  EXPECT_EQ(
      r.warnings, std::vector<std::string>{"wave.yaml:2:3: WaveToy.amp is now called 'amplitude'; please rename it"});
  EXPECT_EQ(wave("amp: 2\n  amplitude: 3"),
      "wave.yaml:2:3: WaveToy.amp is the old name of 'amplitude', which is given too; remove one of the two\n");
  EXPECT_EQ(run("WaveToy: {amplitude: 2}\n", {"WaveToy.amp=5"}).values.at("WaveToy").real("amplitude"), 5);
}

TEST(Resolve, required_parameters_and_wrong_defaults) {
  std::vector<ThornParameters> thorns = known();
  thorns[3].active = true;
  thorns[3].specs = {make_parameter("mass", 0.0, above(0), "The mass").must_be_given(),
      make_parameter("bad", 5, integers_of({2, 4}), "Bad")};
  const std::string wrong =
      "thorn Needy is wrong: the default of Needy.bad = 5, but it must be an integer, one of 2, 4\n";
  EXPECT_EQ(run("thorns: []\n", {}, thorns).problems,
      "wave.yaml: Needy.mass must be given: a number > 0 (The mass)\n" + wrong);
  EXPECT_EQ(run("thorns: []\nNeedy: {bad: 2}\n", {}, thorns).problems,
      "wave.yaml:2:1: Needy.mass must be given: a number > 0 (The mass)\n" + wrong);
  EXPECT_EQ(run("Needy: {mass: 2}\n", {}, thorns).problems, wrong);
}

TEST(Parameters, mistakes_of_the_author) {
  const Result r = run("WaveToy:\n");
  const Parameters& p = r.values.at("WaveToy");
  const auto complaint = [](auto&& f) -> std::string {
    try {
      f();
    } catch (const std::logic_error& error) { return error.what(); }
    return "";
  };
  EXPECT_EQ(complaint([&] { p.real("sped"); }), "WaveToy has declared no parameter 'sped'; did you mean 'speed'?");
  EXPECT_EQ(
      complaint([&] { p.integer("speed"); }), "WaveToy.speed is read as an integer, but was declared as a number");
  EXPECT_EQ(complaint([&] { p.real("centre"); }),
      "WaveToy.centre is read as a number, but was declared as a list of numbers");
  EXPECT_EQ(complaint([] { make_parameter("a b", 1, any(), "Doc"); }), "'a b' is no name for a parameter");
  EXPECT_EQ(complaint([] { make_parameter("a", 1, any(), ""); }), "parameter 'a' has no documentation");
  EXPECT_EQ(complaint([] {
    Parameters("T", {make_parameter("a", 1, any(), "A"), make_parameter("a", 2, any(), "A")});
  }),
      "T declares the parameter 'a' twice");
}

TEST(Parameters, types_follow_from_defaults) {
  const auto type = [](const ParameterSpec& s) { return std::pair(s.type, s.list); };
  using enum ParameterType;
  EXPECT_EQ(type(make_parameter("a", true, any(), "A")), std::pair(boolean, false));
  EXPECT_EQ(type(make_parameter("a", 1, any(), "A")), std::pair(integer, false));
  EXPECT_EQ(type(make_parameter("a", std::int64_t(1), any(), "A")), std::pair(integer, false));
  EXPECT_EQ(type(make_parameter("a", 1.0, any(), "A")), std::pair(real, false));
  EXPECT_EQ(type(make_parameter("a", "x", any(), "A")), std::pair(string, false));
  EXPECT_EQ(type(make_parameter("a", std::string("x"), one_of({"x", "y"}), "A")), std::pair(keyword, false));
  EXPECT_EQ(type(make_parameter("a", {1.0}, any(), "A")), std::pair(real, true));
  EXPECT_EQ(type(make_parameter("a", {1, 2}, any(), "A")), std::pair(integer, true));
  EXPECT_EQ(type(make_parameter("a", {"x", "y", "z"}, any(), "A")), std::pair(string, true));
  EXPECT_EQ(type(make_parameter("a", std::vector<std::string>{}, any(), "A")), std::pair(string, true));
  EXPECT_EQ(type(make_parameter("a", Variables{}, any(), "A")), std::pair(variables, true));
}

TEST(Range, bounds) {
  EXPECT_FALSE(above(0).contains(0.0));
  EXPECT_TRUE(above(0).contains(1e-300));
  EXPECT_TRUE(at_least(0).contains(0));
  EXPECT_FALSE(below(1).contains(1.0));
  EXPECT_TRUE(at_most(1).contains(1.0));
  EXPECT_FALSE(between(0, 1).contains(std::vector<double>{0.5, 1.5}));
  EXPECT_FALSE(between({0, false}, {1, true}).contains(0.0));
  EXPECT_TRUE(between({0, false}, {1, true}).contains(1.0));
  EXPECT_EQ(between({0, false}, {1, false}).text(), "> 0 and < 1");
  EXPECT_FALSE(any().contains(std::numeric_limits<double>::quiet_NaN()));
  EXPECT_FALSE(any().contains(std::numeric_limits<double>::infinity()));
  EXPECT_EQ(above(0).text(), "> 0");
  EXPECT_EQ(at_least(0.5).text(), ">= 0.5");
  EXPECT_EQ(below(1).text(), "< 1");
  EXPECT_EQ(at_most(1).text(), "<= 1");
  EXPECT_EQ(between(0, 1).text(), "between 0 and 1");
  EXPECT_EQ(integers_of({2, 4, 6, 8}).text(), "one of 2, 4, 6, 8");
  EXPECT_EQ(one_of({"a", "b"}).text(), "one of a, b");
  EXPECT_EQ(one_of({{"a", "doc a"}, {"b", "doc b"}}).choices().at(1).doc, "doc b");
}

TEST(Resolve, SaysWhatHasNoEffect) {
  std::vector<ThornParameters> thorns{{"Wave", "Waves",
      {make_parameter("data", "pulse", one_of({{"pulse", ""}, {"plane", ""}}), "Data"),
          make_parameter("width", 0.1, above(0), "Width").only_with("data", {"pulse"}),
          make_parameter("from", 1.0, any(), "From").only_with("factor"),
          make_parameter("factor", 1.0, any(), "Factor")},
      true}};
  const auto warnings = [&](const std::string& values) {
    const Result r = run("thorns: [Wave]\nWave: {" + values + "}\n", {}, thorns);
    EXPECT_EQ(r.problems, "");
    return r.warnings;
  };
  EXPECT_EQ(warnings("data: plane, width: 0.3"),
      std::vector<std::string>{
          "wave.yaml:2:28: Wave.width has no effect with data: plane, only with data: pulse; remove "
          "one of the two"});
  EXPECT_EQ(warnings("from: 2"),
      std::vector<std::string>{
          "wave.yaml:2:14: Wave.from has no effect with factor: 1.0, only with factor given; remove one of the two"});
  for (const char* fine : {"data: plane, width: 0.1", "width: 0.3", "from: 2, factor: 3", "data: plane"})
    EXPECT_TRUE(warnings(fine).empty()) << fine;
}
