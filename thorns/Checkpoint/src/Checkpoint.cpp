// Checkpoints: what is declared.
#include <cereus/console.hpp>
#include <cereus/file.hpp>
#include <cereus/thorn.hpp>

#include "checkpoint.hpp"

namespace Checkpoint {
// Of a checkpoint's folder, or its manifest.
std::optional<Provenance> provenance_of(const std::filesystem::path& path) {
  const auto text = content_of(path.filename() == manifest_name ? path : path / manifest_name);
  try {
    if (!text) return {};
    const Manifest m = manifest_from(*text);
    return Provenance{m.parameters, m.provenance};
  } catch (const Failure&) { return {}; }
}

void declare(Declaration& d) {
  d.describe("Writes the whole state while a run goes on, and goes on from the newest checkpoint that is whole");
  d.parameter("every", 0, at_least(0), "Write every so many iterations; 0: not by iterations");
  d.parameter("minutes", 0.0, at_least(0.0), "Write when so many minutes have passed since the last; 0: not by time");
  d.parameter(
      "at_end", true, any(), "Write at the end of the run, too; where it is stopped early it does so in any case");
  d.parameter("keep", 2, at_least(1), "How many are kept, the newest");
  d.parameter("asynchronous", true, any(), "Write beside the run, from a copy of the state");
  d.reads_provenance(provenance_of);
  d.provides<Checkpoints>([](const Parameters& p) { return std::make_shared<Keeper>(p); });
}
void schedule(Schedule& s, const Parameters& par) {
  if (par.integer("every") > 0 || par.real("minutes") > 0 || par.boolean("at_end")) return;
  s.routine("check", "Says that nothing will be written",
       [](Context& c) {
         if (c.rank() == 0)
           console::warn(Problem{c.parameters().where("at_end"),
               "Checkpoint writes only where a run is stopped early: every and minutes are 0, and at_end is false"}
                             .text());
       })
      .at(bin::paramcheck)
      .once();
}
}  // namespace Checkpoint
CEREUS_THORN(Checkpoint, Checkpoint::declare, Checkpoint::schedule, "manifest.json */")
