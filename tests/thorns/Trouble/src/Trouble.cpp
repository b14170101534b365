// One process fails, or stays in a routine for ever.
#include <unistd.h>
#include <cereus/thorn.hpp>

#include <cstdlib>
#include <new>

namespace Trouble {
using namespace cereus;

// Known before MPI starts, as launchers say it. TROUBLE=declare: where there are no parameters yet.
int rank() {
  const char* said = std::getenv("OMPI_COMM_WORLD_RANK");
  return said ? std::atoi(said) : 0;
}

void fail(const std::string& kind) {
  if (kind == "throw") throw Failure("this process has trouble");
  if (kind == "mistake") throw Error("this process has trouble with what it was given");
  if (kind == "standard") throw std::runtime_error("this process has trouble in a library");
  if (kind == "memory") throw std::bad_alloc();
  for (;;) pause();
}

void fail_in(const std::string& place, const Parameters& p) {
  if (p.string("bin") == place && p.integer("rank") == rank()) fail(p.string("kind"));
}

struct Nuisance : Service {
  static constexpr const char* service_name = "Nuisance";
};

void declare(Declaration& d) {
  d.describe("Makes trouble on one process, for tests of how a run ends");
  d.parameter("bin", "evolve", any(), "Where: a bin, `schedule` or `service`");
  d.parameter("rank", 0, at_least(0), "On which process");
  d.parameter("iteration", 0, at_least(0), "In which iteration");
  d.parameter("kind", "throw", one_of({"throw", "mistake", "standard", "memory", "block"}), "What it does");
  if (const char* place = std::getenv("TROUBLE"); place && rank() == 1) fail(place);
  d.provides<Nuisance>([](const Parameters& p) {
    fail_in("service", p);
    return std::make_shared<Nuisance>();
  });
}
void schedule(Schedule& s, const Parameters& p) {
  fail_in("schedule", p);
  if (p.string("bin") == "schedule" || p.string("bin") == "service") return;
  s.routine("trouble", "Fails, or never returns",
       [](Context& c) {
         const Parameters& p = c.parameters();
         if (c.rank() != p.integer("rank") || c.simulation().clock.iteration < p.integer("iteration")) return;
         fail(p.string("kind"));
       })
      .at(Bin{p.string("bin").c_str()})
      .once();
}
}  // namespace Trouble
CEREUS_THORN(Trouble, Trouble::declare, Trouble::schedule)
