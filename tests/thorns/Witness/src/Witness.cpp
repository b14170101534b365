// A slow host routine that must see the evolution as it was when its turn came: data, clock and scalars.
#include <cereus/thorn.hpp>

#include <chrono>
#include <fstream>
#include <thread>

#include "kernels.hpp"

namespace Witness {
void look(Context& c) {
  std::this_thread::sleep_for(std::chrono::milliseconds(c.parameters().integer("milliseconds")));
  const auto iteration = c.read_values<std::int32_t>("iteration")[0];
  if (iteration != c.clock().iteration)
    throw Failure("Witness saw the scalar of iteration " + std::to_string(iteration) + " in iteration " +
                  std::to_string(c.clock().iteration));
  if (c.parameters().integer("mark") != c.clock().iteration)
    throw Failure("Witness saw the parameters of iteration " + std::to_string(c.parameters().integer("mark")));
  for (const auto& b : c.blocks()) {
    const auto v = c.read<Clock>(b);
    for_each_point(b.interior({}), [&](int i, int j, int k) {
      if (v.now(i, j, k) != c.clock().time + i)
        throw Failure(
            "Witness saw " + std::to_string(v.now(i, j, k) - i) + " at time " + std::to_string(c.clock().time));
    });
  }
  if (c.clock().iteration == c.parameters().integer("fail_at")) throw Failure("Witness fails as it was told");
  const auto seen =
      c.service<Driver>().gather(std::to_string(iteration));  // collective, beside the ghost zones of the evolution
  if (c.rank() == 0)
    std::ofstream(c.simulation().output / "seen.txt", std::ios::app) << iteration << ' ' << seen.size() << '\n';
}

void declare(Declaration& d) {
  d.describe("Looks at the evolution slowly: a test of the lane");
  d.parameter("milliseconds", 20, at_least(0), "How long it sleeps first");
  d.parameter("fail_at", -1, any(), "Iteration in which it fails");
  d.parameter("mark", 0, any(), "The iteration: set in each step");
  d.group<Clock>("clock", {"now"}, "The time, at each point");
  d.scalars("count", {"iteration"}, "The iteration").type(ScalarType::int32);
}
void schedule(Schedule& s, const Parameters&) {
  s.kernel<SetNow>("set_first", "Sets the time").at(bin::initial);
  s.kernel<SetNow>("set", "Sets the time").at(bin::poststep);
  s.routine("mark", "Changes a parameter", [](Context& c) {
     c.simulation().parameters.at("Witness").set("mark", std::int64_t{c.clock().iteration});
   }).at(bin::prestep);
  s.routine(
       "count", "Notes the iteration", [](Context& c) { c.values<std::int32_t>("iteration")[0] = c.clock().iteration; })
      .writes({"iteration"})
      .at(bin::analysis)
      .once();
  s.routine("look", "Checks what it sees", look).reads<Clock>().reads({"iteration"}).at(bin::analysis).once();
}
}  // namespace Witness
CEREUS_THORN(Witness, Witness::declare, Witness::schedule)
