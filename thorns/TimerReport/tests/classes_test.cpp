// Two processes of a made-up run: an exchange that one of them waits in, a routine on the lane, bytes by reader.
// Mutations seen to fail: children's time kept in `own` (AddUp); the lane's time counted as exposed (AddUp, Lane);
// 0 in place of min_element in classify (Imbalance).
#include "classes.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

using namespace TimerReport;

namespace {
constexpr std::int64_t second = 1'000'000'000;
const std::vector<TimerNode> nodes{{"initial", -1}, {"A::data", 0}, {"boundaries for A::data", 1}, {"evolve", -1},
    {"A::rhs", 3}, {"ghost zones for A::rhs", 4}, {"boundaries for A::rhs", 4}, {"output", -1}, {"B::look", 7},
    {"the lane before B::look", 8}, {"beside the evolution", -1}, {"B::look", 10}, {"the end", -1},
    {"the lane before the end", 12}};
std::vector<Sample> sample(std::initializer_list<std::int64_t> seconds) {
  std::vector<Sample> list;
  for (const auto t : seconds) list.push_back({1, t * second, 0});
  return list;
}
const std::vector<std::vector<Sample>> samples{
    sample({9, 8, 3, 20, 19, 6, 2, 5, 4, 1, 7, 7, 2, 2}), sample({9, 8, 3, 20, 19, 10, 2, 5, 4, 1, 7, 7, 2, 2})};
const ClassOf by_name = [](const std::string& bin, const std::string& routine) -> std::string {
  return bin == "initial"       ? "start"
         : routine == "A::rhs"  ? "right-hand side"
         : routine == "B::look" ? "B"
                                : "the flesh";
};
const std::vector<Flow> flows{
    {"B::look", "A::u", {.to_host = 100}}, {"A::rhs", "A::u", {.to_device = 7}}, {"B::look", "A::v", {.to_host = 11}}};
const Classes classes = classify(nodes, samples, by_name, flows, {40, 40}, 1);

const Class& row(const std::string& name) {
  return *std::ranges::find_if(classes.rows, [&](const Class& c) { return c.name == name; });
}
}  // namespace

TEST(Classes, AddUp) {
  double sum = 0;
  for (const auto& c : classes.rows) sum += c.exposed;
  EXPECT_NEAR(sum, 40, 1e-9);
  EXPECT_NEAR(row("start").exposed, 1 + 9, 1e-9);  // all of the bin
  EXPECT_NEAR(row("right-hand side").exposed, 9, 1e-9);
  EXPECT_NEAR(row("boundary condition").exposed, 2, 1e-9);
  EXPECT_NEAR(row("waiting for the lane").exposed, 3, 1e-9);
  EXPECT_NEAR(row("the flesh").exposed, 1 + 1 + (40 - 1 - 9 - 20 - 5 - 2), 1e-9);  // of bins, and between them
  EXPECT_EQ(classes.rows.back().name, "the flesh");
}

TEST(Classes, Imbalance) {
  EXPECT_NEAR(row("synchronisation").exposed, 6, 1e-9);
  EXPECT_NEAR(row("waiting for other processes").exposed, 2, 1e-9);
}

TEST(Classes, Lane) {
  EXPECT_NEAR(row("B").exposed, 3, 1e-9);
  EXPECT_NEAR(row("B").busy, 3 + 7, 1e-9);
  EXPECT_EQ(row("B").to_host, 111);
  EXPECT_EQ(row("right-hand side").to_device, 7);
}

TEST(Classes, Written) {
  const auto json = nlohmann::json::parse("{" + class_json(classes) + "}");
  EXPECT_EQ(json["wall"], 40);
  EXPECT_EQ(json["classes"].size(), classes.rows.size());
  const std::string table = class_table(classes, true, 10);
  EXPECT_NE(table.find("\n  B::look"), std::string::npos);
  EXPECT_NE(table.find("wall time"), std::string::npos);
  EXPECT_EQ(class_table(classes, false, 10).find("B::look"), std::string::npos);
}
