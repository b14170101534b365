// The table of what travelled, and that its JSON has what it says.
// Mutations seen to fail: a column for each direction, also without bytes; bytes a step not divided by the steps; `in
// all` adds up only the rows that are shown.
#include "traffic.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

using namespace TimerReport;

namespace {
const std::vector<Flow> flows{
    {"IO::lines", "A::u", {8192, 0, 0}}, {"A::rhs", "A::u", {0, 0, 4096}}, {"A::rhs", "A::v", {0, 0, 1024}}};
}

TEST(Traffic, Table) {
  const std::string text = traffic_table(flows, 2, 4);
  EXPECT_EQ(text,
      "bytes moved, for        of                     to host      a step  to processes      a step\n"
      "IO::lines               A::u                   8.0 KiB     2.0 KiB\n"
      "A::rhs                  A::u                                             4.0 KiB     1.0 KiB\n"
      "in all                                         8.0 KiB     2.0 KiB       5.0 KiB     1.2 KiB\n");
  EXPECT_EQ(traffic_table({}, 2, 4), "");
  EXPECT_EQ(traffic_table(flows, 3, 0).find("a step"), std::string::npos);
}

TEST(Traffic, Json) {
  const auto json = nlohmann::json::parse(traffic_json(flows));
  ASSERT_EQ(json.size(), 3u);
  EXPECT_EQ(json[0]["to_host"], 8192);
  EXPECT_EQ(json[2]["variable"], "A::v");
  EXPECT_EQ(json[2]["to_processes"], 1024);
  EXPECT_TRUE(nlohmann::json::parse(traffic_json({})).empty());
}
