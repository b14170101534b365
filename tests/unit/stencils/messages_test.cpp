// Wrong programs, each with its message to the letter: wrong.txt. All mistakes of a text are said at once.
#include "stencils/print.hpp"
#include "unit/wrong_texts.hpp"

namespace cereus::stencils {
namespace {
std::string message_of(const std::string& text) {
  try {
    const Program program({{"T.stencil"}, text}, "T", {});
    program.source.problems().throw_if_any();
    print_kernels(program), print_thorn(program);
    return "";
  } catch (const Error& e) { return std::string(e.what()) + "\n"; }
}
}  // namespace

TEST(Messages, AreThoseOfTheList) { check_wrong_texts("tests/unit/stencils/wrong.txt", 80, message_of); }

// A tree is limited by its height: sums nest to the left.
TEST(Messages, WhatIsTooDeepForAStackHasItsLine) {
  const auto message = [](const std::string& e) {
    return message_of("G = [0..9], 1\nA_G : real\nf_A(A_G)[1..8] = " + e + "\n");
  };
  std::string terms, deep = "A";
  for (int n = 0; n < 2999; ++n) terms += " + A";
  for (int n = 0; n < 100; ++n) deep = (n % 2 ? "max(1, " : "(") + deep + ")" + terms;
  EXPECT_EQ(message("A" + terms), "");
  for (const std::string& e : {"A" + terms + terms, deep})
    EXPECT_NE(message(e).find("more than 3000 operations within each other"), std::string::npos) << message(e);
  EXPECT_NE(message(deep).find("T.stencil:3:"), std::string::npos);
}

// Tokens dropped, doubled, exchanged: a message, or a program; never anything else.
TEST(Messages, NoTextBreaksTheReader) {
  for (const char* name : {"rician2d", "fdtd2d", "jacobi3d"}) {
    const std::string text = read_source(std::string("thorns/Stencils/programs/") + name + ".stencil");
    const auto tokens = read_words(Source({"T.stencil"}, text));
    std::mt19937 engine(1);
    for (int n = 0; n < 2000; ++n) message_of(mutant_of(text, tokens, engine));
  }
}

// What a step does: which functions share a kernel, and what the points that are updated are.
TEST(Program, FunctionsThatDoNotLookAtEachOtherShareAKernel) {
  const Program p({{"T"}, read_source("thorns/Stencils/programs/fdtd2d.stencil")}, "T", {{"N", 7}, {"M", 9}});
  ASSERT_EQ(p.steps.size(), 2u);
  EXPECT_EQ(doc_of(p.steps[0]), "f_Ey, f_Ex");
  EXPECT_EQ(p.points_updated(0), 8);
  EXPECT_EQ(p.points_updated(1), 10);
}
TEST(Program, ADifferenceOfBoundsIsSeen) {
  const Program p(
      {{"T"}, "G = [0..N+1], 1\nA_G : real\nB_G : real\nf_A(B_G)[1..N-1+1] = B\nf_B(A_G)[2..N] = A\n"}, "T", {});
  ASSERT_TRUE(p.source.problems().empty());
  EXPECT_FALSE(p.tests(p.text.functions[0], 0, true) || p.tests(p.text.functions[0], 0, false));
  EXPECT_TRUE(p.tests(p.text.functions[1], 0, false));
}
}  // namespace cereus::stencils
