// The statistics of a small tree, and that what is written parses.
// Mutations seen to fail: `own` keeps the time of children (Statistics); no escape of & in XML (Xml); no call of
// count_open in the report (tests/run/timers.py), in it no max with the time below (Open).
#include "report.hpp"

#include <gtest/gtest.h>

using namespace TimerReport;

namespace {
const std::vector<TimerNode> nodes{
    {"evolve", -1}, {"MoL::substep", 0}, {"A::rhs & <b>", 1}, {"output", -1}, {"unused", 3}};
const std::vector<std::vector<Sample>> samples{
    {{1, 4'000'000'000, 0}, {4, 3'000'000'000, 0}, {4, 2'000'000'000, 8'000'000'000}, {2, 1'000'000'000, 0}, {0, 0, 0}},
    {{1, 6'000'000'000, 0}, {4, 5'000'000'000, 0}, {4, 4'000'000'000, 8'000'000'000}, {2, 1'000'000'000, 0},
        {0, 0, 0}}};
}  // namespace

TEST(TimerReport, Statistics) {
  const auto lines = summarise(nodes, samples);
  ASSERT_EQ(lines.size(), 5u);
  EXPECT_DOUBLE_EQ(lines[0].minimum, 4);
  EXPECT_DOUBLE_EQ(lines[0].average, 5);
  EXPECT_DOUBLE_EQ(lines[0].maximum, 6);
  EXPECT_DOUBLE_EQ(lines[0].own, 1);
  EXPECT_NEAR(lines[0].percent, 100 * 5.0 / 6, 1e-12);
  EXPECT_EQ(lines[2].depth, 2);
  EXPECT_EQ(lines[2].calls, 4);
  EXPECT_NEAR(lines[2].bandwidth, 8.0 / 3, 1e-12);
  EXPECT_EQ(lines[3].depth, 0);
}

TEST(TimerReport, Open) {  // the report runs in a group of `terminate`, after A::draw
  const std::vector<TimerNode> tree{
      {"evolve", -1}, {"terminate", -1}, {"A::draw", 1}, {"A::last", 1}, {"TimerReport::report", 3}};
  std::vector<Sample> now{{1, 6'000'000'000, 0}, {0, 0, 0}, {1, 2'000'000'000, 0}, {0, 0, 0}, {0, 0, 0}};
  count_open(tree, "TimerReport::report", now);
  const auto lines = summarise(tree, {now});
  EXPECT_DOUBLE_EQ(lines[1].average, 2);
  EXPECT_EQ(lines[1].calls, 1);
  EXPECT_DOUBLE_EQ(lines[1].own, 0);
  EXPECT_DOUBLE_EQ(lines[0].percent, 75);
  EXPECT_DOUBLE_EQ(lines[2].percent, 25);
  EXPECT_EQ(lines[3].calls, 1);
  EXPECT_EQ(lines[4].calls, 0);
  EXPECT_NE(table(lines).find("terminate"), std::string::npos);
}

TEST(TimerReport, Tables) {
  const auto lines = summarise(nodes, samples);
  EXPECT_NE(table(lines).find("  MoL::substep"), std::string::npos);
  EXPECT_EQ(table(lines).find("unused"), std::string::npos);
  const std::string top = top_table(lines, 1);
  EXPECT_NE(top.find("A::rhs"), std::string::npos);
  EXPECT_EQ(top.find("output"), std::string::npos);
}

TEST(TimerReport, Beside) {  // a routine on the lane, and the copies for it in its turn
  const std::vector<TimerNode> tree{{"output", -1}, {"A::fields", 0}, {cereus::background_timer, -1}, {"A::fields", 2}};
  const auto top = top_table(summarise(tree, {{{1, 3, 0}, {1, 3, 0}, {1, 9, 0}, {1, 9, 0}}}), 4);
  EXPECT_EQ(top.find("\nA::fields (beside)"), top.find('\n'));
  EXPECT_NE(top.find("\nA::fields  "), std::string::npos);
}

TEST(TimerReport, Xml) {
  const std::string text = timertree(nodes, samples[1]);
  EXPECT_NE(text.find("<timer name=\"main\"> 7.0"), std::string::npos);
  EXPECT_NE(text.find("<timer name=\"A::rhs &amp; &lt;b>\"> 4.0"), std::string::npos);
  std::size_t open = 0, close = 0;
  for (std::size_t at = 0; (at = text.find("<timer ", at)) != std::string::npos; ++at) ++open;
  for (std::size_t at = 0; (at = text.find("</timer>", at)) != std::string::npos; ++at) ++close;
  EXPECT_EQ(open, 5u);  // not what never ran
  EXPECT_EQ(close, open);
}
