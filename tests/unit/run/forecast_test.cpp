// What is foreseen of a host routine that writes what kernels evolve in a loop: copies in the first round, none later.
// Mutations seen to fail: second_round without what only the first moved, or with what both moved; timelevels that do
// not cycle.
#include "observe/forecast.hpp"

#include <gtest/gtest.h>

#include "schedule/build.hpp"

using namespace cereus;

namespace {
struct CopiesInteriors : Accelerator {
  void bring(Simulation&, int, std::span<const VariableAccess>, Space, Why) override {}
  void bring_boxes(Simulation&, int, const VariableAccess&, std::span<const BlockBox>, Space, Why) override {}
  std::int64_t bytes_to_bring(const Simulation&, int, const VariableAccess&, Validity& v, Space to) const override {
    const RegionValidity& there = v[to == Space::host ? Space::device : Space::host];
    if (v[to].interior || !there.interior) return 0;
    v[to].interior = true, v[to].why_interior = there.why_interior;
    return 4096;
  }
};
void nothing(Context&) {}

struct Foreseen {
  Simulation s;
  explicit Foreseen(const char* device, int timelevels = 1) {
    ThornRecord a;
    a.name = "A";
    Declaration d(a);
    d.group("state", {"u"}, "State").timelevels(timelevels);
    s.thorns = {a};
    Problems problems;
    collect_groups(s, problems);
    std::vector<std::shared_ptr<Item>> items;
    Schedule schedule("A", items);
    schedule.routine("host", "Writes on the host", nothing).writes({"u"}).at(bin::evolve);
    schedule.routine("device", "Reads and writes on the device", nothing)
        .updates({"u"})
        .launches_kernels()
        .at(bin::evolve)
        .after("host");
    schedule.routine("past", "Reads the past on the host", nothing)
        .reads({"u"}, Region::interior, 0, 1)
        .at(bin::analysis);
    if (timelevels == 1) items.pop_back();
    resolve_routines(s, items, problems);
    EXPECT_TRUE(problems.empty());
    s.parameters.emplace("Cereus",
        Parameters("Cereus", {make_parameter("device", device, any(), "Where kernels run"),
                                 make_parameter("lane", false, any(), "Host routines beside the evolution")}));
    s.services.add(Accelerator::service_name, std::make_shared<CopiesInteriors>());
    s.grid.levels.emplace_back();
  }
};
const std::string copy = "→ 4.0 KiB of A::u to the ";
}  // namespace

TEST(Forecast, Rounds) {
  Foreseen f("auto");
  Forecast forecast(f.s);
  EXPECT_TRUE(forecast.routine(f.s.routines[0]).empty());
  EXPECT_EQ(forecast.routine(f.s.routines[1]),
      std::vector{copy + "device: A::device reads it there, made on the host by A::host"});
  EXPECT_EQ(forecast.second_round(f.s.routines[1]),
      std::vector{copy + "device: A::device reads it there, made on the host by A::host, in the first round only"});
  for (int r : {0, 1, 0}) forecast.routine(f.s.routines[r]);
  EXPECT_EQ(forecast.second_round(f.s.routines[1]).size(), 1u) << "once, if both rounds move it";
}

TEST(Forecast, NoDevice) {
  Foreseen f("none");
  Forecast forecast(f.s);
  forecast.routine(f.s.routines[0]);
  EXPECT_TRUE(forecast.routine(f.s.routines[1]).empty());
}

TEST(Forecast, Timelevels) {
  Foreseen f("cuda", 2);
  Forecast forecast(f.s);
  for (int r : {0, 1}) forecast.routine(f.s.routines[r]);
  forecast.cycle();
  EXPECT_EQ(forecast.routine(f.s.routines[2]),
      std::vector{copy + "host: A::past reads it there, made on the device by A::device"});
}
