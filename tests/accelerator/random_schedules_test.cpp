// Random schedules on host and mirror device against the oracle: every reader must see what was written last, exactly
// the bytes that the oracle names may move, and forecasts must say the same.
//
// CEREUS_SCHEDULES=N runs N schedules, CEREUS_FIRST_SCHEDULE=S starts at seed S, CEREUS_FINDINGS=F stops after F that
// fail, CEREUS_TRACE=1 names each routine before it runs.
//
// Mutations, each seen to fail within the first 20 seeds (Accelerators that are broken are in
// broken_accelerators_test.cpp, to be found by each run of the tests; these were tried by hand):
//   validity     a write of the interior leaves the other space valid; keeps ghost zones; keeps outer faces; drops what
//   is derived
//                in its own space only; a write of the boundary leaves the other space valid; a condition counts as
//                right along all ghost zones, or as a write
//   execute      a write of the interior counts as everywhere; a write of the boundary marks the interior; what a
//   device routine
//                wrote is noted on the host
//   make_valid   ghost zones filled for a star count for a box
//   fields       cycle keeps what was valid; cycle moves buffers the wrong way
//   Accelerator  takes a star for a box where it copies; faces twice where they overlap; the interior for a reader of
//   the boundary;
//                a copied boundary counts along all ghost zones; takes one that is right less far along
//   mirror       a copy from the host reads the host's memory late
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "accelerator/random_schedules.hpp"

TEST(RandomSchedules, see_what_was_written_and_move_what_they_must) {
  const int schedules = environment("CEREUS_SCHEDULES", 500), first = environment("CEREUS_FIRST_SCHEDULE", 1);
  Schedules::Counts total;
  int wrong = 0;
  for (int seed = first; seed < first + schedules; ++seed) {
    Schedules one(static_cast<std::uint64_t>(seed));
    one.run();
    total += one.counts;
    if (one.findings.count() == 0) continue;
    ADD_FAILURE() << "seed " << seed << ": " << one.findings.first();
    if (++wrong == environment("CEREUS_FINDINGS", 5)) break;
  }
  const auto percent = [](std::int64_t part, std::int64_t whole) {
    return 100.0 * static_cast<double>(part) / static_cast<double>(std::max<std::int64_t>(1, whole));
  };
  const auto writes = total.writes[0] + total.writes[1] + total.writes[2];
  const double again = percent(total.star_then_box, total.offset_reads), cycles = percent(total.cycles, total.steps);
  fmt::print(
      "{} schedules, {} routines, {:.0f} % on the device, {} slices\n"
      "writes: {:.0f} % interior only, {:.0f} % outer boundary only, {:.0f} % everywhere\n"
      "reads at an offset: {:.0f} % with a box after a star; steps: {:.0f} % are cycles\n"
      "bytes moved: {} to the host, {} to the device\n",
      schedules, total.routines, percent(total.on_device, total.routines), total.slices,
      percent(total.writes[0], writes), percent(total.writes[1], writes), percent(total.writes[2], writes), again,
      cycles, total.bytes[0], total.bytes[1]);
  if (schedules < 100 || wrong > 0) return;  // too few to speak of
  for (auto n : total.writes) EXPECT_GT(percent(n, writes), 20);
  EXPECT_GT(again, 20);
  EXPECT_GT(cycles, 20);
}
