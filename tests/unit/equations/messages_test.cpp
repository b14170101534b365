// Wrong texts, each with its message to the letter: wrong.txt. All mistakes of a text are said at once.
#include <fmt/format.h>

#include "equations/print.hpp"
#include "equations/thorn.hpp"
#include "unit/wrong_texts.hpp"

namespace cereus::equations {
namespace {
std::string message_of(const std::string& text) {
  try {
    const auto thorn = read_thorn({"T.edl"}, text);
    print_kernels(thorn->program), print_thorn(thorn->program);
    return "";
  } catch (const Error& e) { return std::string(e.what()) + "\n"; }
}
}  // namespace

TEST(Messages, AreThoseOfTheList) { check_wrong_texts("tests/unit/equations/wrong.txt", 60, message_of); }

// A large kernel is not arranged where its text is wrong.
TEST(Messages, ALargeTextWithoutOperators) {
  std::string text = read_source("thorns/BSSN/equations.edl");
  const std::size_t at = text.find("\noperators ");
  text.erase(at, text.find('\n', at + 1) - at);
  EXPECT_NE(message_of(text).find("no upwinded operator is chosen"), std::string::npos);
}

// A tree is limited by its height: brackets, and products that nest to the left, one within the other.
TEST(Messages, WhatIsTooDeepForAStackHasItsLine) {
  const std::string begin = "thorn T \"T\"\nparameter\n  k = 1 in (0, inf) \"K\"\nevolve s \"S\"\n  u\n";
  const auto deep = [](std::string e, const std::string& before, const std::string& factors) {
    for (int n = 0; n < 199; ++n) e = before + "(" + e + ")" + factors;
    return e;
  };
  std::string factors, conditions = "not u > 0", lets = "let\n  a0 = u\n";
  for (int n = 0; n < 999; ++n) factors += " u";
  for (int n = 0; n < 1300; ++n) conditions = "not " + conditions;
  for (int n = 1; n < 2000; ++n) lets += fmt::format("  a{} = a{}\n", n, n - 1);
  const std::string high = "more than 1200 operations within each other";
  const auto message = [&](const std::string& e) { return message_of(begin + "rhs\n  D_t u = " + e + "\n"); };
  EXPECT_EQ(message("u" + factors), "");
  EXPECT_NE(message(deep("u", "", factors)).find("T.edl:7:"), std::string::npos);
  for (const auto& e :
      {deep("u", "", factors), deep("u", "sin", factors), "u" + factors + factors, conditions + " ? u : u"})
    EXPECT_NE(message(e).find(high), std::string::npos) << message(e).substr(0, 300);
  EXPECT_NE(message_of(begin + lets + "rhs\n  D_t u = a1999\n").find("names stand for each other too many times"),
      std::string::npos);
}

TEST(Messages, MoreVariablesThanAKernelHasRoomFor) {
  std::string names, rates, more;
  for (int n = 0; n < 65; ++n) {
    names += fmt::format("{}u{}a", n ? ", " : "", n), rates += fmt::format("  D_t u{0}a = u{0}a\n", n);
    if (n == 63) more = "rhs\n";
    rates += std::exchange(more, "");
  }
  const std::string begin = "thorn T \"T\"\nevolve s \"S\"\n  " + names + "\nrhs\n";
  EXPECT_EQ(message_of(begin + rates), "");
  rates.erase(rates.find("rhs\n"), 4);
  const std::string message = message_of(begin + rates);
  EXPECT_NE(message.find("T.edl:4:1: 65 variables are set here, of at most 64"), std::string::npos) << message;
  std::string parameters, sum = "u";
  for (int n = 0; n < 70; ++n)
    parameters += fmt::format("  k{}a = 1 in (0, inf) \"K\"\n", n), sum += fmt::format(" + k{0}a sin(k{0}a u)", n);
  const std::string many =
      message_of("thorn T \"T\"\nparameter\n" + parameters + "evolve s \"S\"\n  u\nrhs\n  D_t u = " + sum + "\n");
  EXPECT_NE(many.find("T.edl:75:1: 72 groups and combinations"), std::string::npos) << many.substr(0, 300);
}

// Tokens dropped, doubled, exchanged: a message, or a thorn; never anything else.
TEST(Messages, NoTextBreaksTheReader) {
  for (const std::string& file : {std::string("thorns/BSSN/equations.edl"), std::string("thorns/Wave/equations.edl"),
           std::string("thorns/Maxwell/equations.edl")}) {
    const std::string text = read_source(file);
    const auto tokens = read_tokens(Source({"T.edl"}, text));
    std::mt19937 engine(1);
    for (int n = 0; n < (file.find("BSSN") != file.npos ? 12 : 400); ++n) message_of(mutant_of(text, tokens, engine));
  }
}
}  // namespace cereus::equations
