// Near words, patterns and numbers as people read them.
#include <cereus/error.hpp>
#include <cereus/text.hpp>

#include <gtest/gtest.h>

#include <limits>
#include <typeinfo>

using namespace cereus;

namespace {
template <class F> struct Pair { F a, b; };
}  // namespace

TEST(Text, structs_are_named_as_they_are_written) {
  EXPECT_EQ(name_of_struct(typeid(std::vector<int>).name()), "std::vector<int, std::allocator<int> >");
  EXPECT_EQ(name_of_struct(typeid(Pair<int>).name()), "(anonymous namespace)::Pair");
  EXPECT_EQ(name_of_struct("none"), "none");
}

TEST(Text, nearest_finds_what_was_meant) {
  const std::vector<std::string> names{"amplitude", "order", "speed", "WaveToy"};
  EXPECT_EQ(nearest("ampitude", names), "amplitude");   // a letter forgotten
  EXPECT_EQ(nearest("amplitdue", names), "amplitude");  // two letters swapped
  EXPECT_EQ(nearest("ordr", names), "order");
  EXPECT_EQ(nearest("sped", names), "speed");
  EXPECT_EQ(nearest("wavetoy", names), "WaveToy");
  EXPECT_EQ(nearest("SPEED", names), "speed");
  EXPECT_EQ(nearest("boundary", names), "");
  EXPECT_EQ(nearest("spxyz", names), "");
  EXPECT_EQ(nearest("", names), "");
  EXPECT_EQ(nearest(std::string(100'000, 'a'), names), "");
  EXPECT_EQ(nearest("x", {"n", "m"}), "");
  EXPECT_EQ(nearest("x", {"y", "X"}), "X");
  EXPECT_EQ(nearest("abcdef", {"abcxyf", "abcxyz"}), "abcxyf");  // the limit is two of six
}

TEST(Text, did_you_mean) {
  EXPECT_EQ(did_you_mean("sped", {"speed"}), "; did you mean 'speed'?");
  EXPECT_EQ(did_you_mean("mass", {"speed"}), "");
}

TEST(Text, join) {
  EXPECT_EQ(join({}, ", "), "");
  EXPECT_EQ(join({"a"}, ", "), "a");
  EXPECT_EQ(join({"a", "b", "c"}, ", "), "a, b, c");
}

TEST(Text, glob) {
  EXPECT_TRUE(glob_match("WaveToy::*", "WaveToy::u"));
  EXPECT_TRUE(glob_match("*::u", "WaveToy::u"));
  EXPECT_TRUE(glob_match("*", ""));
  EXPECT_TRUE(glob_match("a*b*c", "aXbXbXc"));
  EXPECT_TRUE(glob_match("?", "x"));
  EXPECT_FALSE(glob_match("?", ""));
  EXPECT_FALSE(glob_match("WaveToy::u", "WaveToy::u2"));
  EXPECT_FALSE(glob_match("a*b", "abc"));
  EXPECT_FALSE(glob_match(std::string(200, '*') + "b", std::string(20'000, 'a')));  // and soon
}

TEST(Text, names) {
  EXPECT_TRUE(is_name("WaveToy_2"));
  for (const char* bad : {"", "2d", "_a", "a-b", "a b", "../a", "\xc3\xa4"}) EXPECT_FALSE(is_name(bad)) << bad;
}

TEST(Text, numbers_with_units) {
  EXPECT_EQ(format_bytes(0), "0 B");
  EXPECT_EQ(format_bytes(1000), "1000 B");
  EXPECT_EQ(format_bytes(1536), "1.5 KiB");
  EXPECT_EQ(format_bytes(3.25 * 1024 * 1024 * 1024), "3.2 GiB");
  EXPECT_EQ(format_bytes(1024.0 * 1024 - 1), "1.0 MiB");
  EXPECT_EQ(format_seconds(0), "0 s");
  EXPECT_EQ(format_seconds(2.5e-7), "250 ns");
  EXPECT_EQ(format_seconds(0.0123), "12.3 ms");
  EXPECT_EQ(format_seconds(1.5), "1.5 s");
  EXPECT_EQ(format_seconds(125), "2 min 05 s");
  EXPECT_EQ(format_seconds(59.99), "1 min 00 s");
  EXPECT_EQ(format_seconds(3599.9), "1 h 00 min");
  EXPECT_EQ(format_seconds(3720), "1 h 02 min");
  EXPECT_EQ(format_seconds(-1.5), "-1.5 s");
}

TEST(Text, format_double_reads_back) {
  EXPECT_EQ(format_double(0.1), "0.1");
  EXPECT_EQ(format_double(4), "4");
  EXPECT_EQ(format_double(1e300), "1e+300");
  for (const double x : {1.0 / 3, 5e-324, -0.0, std::numeric_limits<double>::max()})
    EXPECT_EQ(std::stod(format_double(x) == "5e-324" ? "0" : format_double(x)), x == 5e-324 ? 0 : x);
}

TEST(Problems, are_sorted_and_said_once) {
  Problems problems;
  EXPECT_TRUE(problems.empty());
  EXPECT_NO_THROW(problems.throw_if_any());
  problems.add("no place");
  problems.add({"b.yaml", 10, 2}, "later");
  problems.add({"b.yaml", 9, 7}, "same line, later");
  problems.add({"b.yaml", 9, 5}, "earlier");
  problems.add({"b.yaml", 9, 5}, "earlier");
  problems.add({"a.yaml"}, "another file");
  EXPECT_EQ(problems.count(), 5u);
  try {
    problems.throw_if_any();
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
        "b.yaml:9:5: earlier\nb.yaml:9:7: same line, later\nb.yaml:10:2: later\na.yaml: another file\nno place");
  }
  EXPECT_EQ(to_string(Where{}), "");
  EXPECT_EQ(to_string(Where{"f", 3, 0}), "f:3");
}
