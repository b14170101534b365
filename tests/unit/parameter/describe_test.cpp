// Parameters as text; and the complete file of a run gives the same run again.
#include "parameter/describe.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

using namespace cereus;

TEST(Describe, parameter) {
  EXPECT_EQ(describe_parameter(make_parameter("order", 4, integers_of({2, 4}), "Order")),
      "  order: an integer, one of 2, 4; default 4\n      Order\n");
  EXPECT_EQ(describe_parameter(make_parameter("side", "left", one_of({{"left", "the left"}, "right"}), "Which\nside")
                                   .may_steer()
                                   .was_called("s")),
      "  side: one of left, right; default left; may be changed during a run\n"
      "      Which side\n      left: the left\n      once called s\n");
  EXPECT_EQ(describe_parameter(make_parameter("sizes", {1.0, 2.0}, above(0), "Sizes").length(1, 3).must_be_given()),
      "  sizes: a list of 1 to 3 numbers, each > 0; must be given\n      Sizes\n");
}

TEST(Describe, thorn) {
  EXPECT_EQ(describe_thorn({"Quiet", "Does nothing", {}, false}), "Quiet: Does nothing\n  no parameters\n");
  EXPECT_EQ(describe_thorn({"One", "Has one", {make_parameter("a", true, any(), "A")}, false}),
      "One: Has one\n\n  a: true or false; default true\n      A\n");
}

TEST(Describe, resolved_file) {
  Parameters wave(
      "WaveToy", {make_parameter("speed", 1.0, above(0), "Wave\nspeed"), make_parameter("n", 3, any(), "Count")});
  wave.set("speed", 0.1);
  EXPECT_EQ(resolved_yaml({{"Cereus", Parameters("Cereus", {})}, {"WaveToy", wave}}),
      "thorns: [WaveToy]\n\nWaveToy:\n  speed: 0.1  # Wave speed\n  n: 3  # Count (default)\n");
}

TEST(Describe, resolved_file_reads_back_to_the_same_values) {
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<std::string> texts{"", "a b", "true", "No", "010", "~", "a: b", "# no", "\"q\" \\ 'r'",
      "two\nlines\tand tab", "{x}", "[x]", "*x", "- x", " edge ", "\x01",
      "Schr\xc3\xb6"
      "dinger",
      "%x", "@", "e", "pi", "null", "a\rb"};
  ThornParameters thorn{"T", "Test", {}, true};
  std::vector<Value> values;
  const auto add = [&](const Value& other, Value initial, Range range = any()) {
    thorn.specs.push_back(
        make_parameter("p" + std::to_string(values.size()), std::move(initial), std::move(range), "Doc # : 'x'"));
    values.push_back(other);
  };
  for (const std::string& text : texts) add(text, "initial");
  add(texts, std::vector<std::string>{});
  add(std::vector<std::string>{}, std::vector<std::string>{"x"});
  std::mt19937_64 random(1);
  for (int i = 0; i < 200; ++i) {
    double x;
    const std::uint64_t bits = random();
    std::memcpy(&x, &bits, sizeof x);
    if (std::isfinite(x)) add(x, 1.0);
  }
  for (const double x : {0.0, 1.0, 0.1, -2.5, 5e-324, 1.7976931348623157e308}) add(x, 7.0);
  add(infinity, 1.0, at_most(infinity));
  add(std::vector<double>{1, -infinity, 0.1}, std::vector<double>{}, at_least(-infinity));
  add(std::numeric_limits<std::int64_t>::min(), 1, at_most(1e19));
  add(std::numeric_limits<std::int64_t>::max(), 1, at_most(1e19));
  add(std::vector<std::int64_t>{3, -4}, std::vector<int>{});
  add(true, false);
  add(std::vector<bool>{true, false}, std::vector<bool>{});
  add("no", "yes", one_of({"yes", "no"}));
  thorn.specs.push_back(make_parameter("vars", Variables{}, any(), "Variables"));
  Parameters given("T", thorn.specs);
  for (std::size_t i = 0; i < values.size(); ++i) given.set(thorn.specs[i].name, values[i]);
  given.set("vars", std::vector<std::string>{"WaveToy::*", "*::u", "A::b[1]"});

  Problems problems;
  std::vector<std::string> warnings;
  const std::string text = resolved_yaml({{"T", given}});
  const auto back =
      resolve(parameter_file_from(parse_yaml(text, "all.yaml", problems), problems), {thorn}, problems, warnings);
  for (const Problem& p : problems.list()) ADD_FAILURE() << p.text();
  for (const ParameterSpec& spec : thorn.specs)
    EXPECT_EQ(back.at("T")[spec.name], given[spec.name]) << to_yaml(given[spec.name]);
}
