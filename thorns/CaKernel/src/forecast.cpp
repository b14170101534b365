#include "forecast.hpp"

#include <algorithm>
#include <cereus/text.hpp>
namespace CaKernel {
namespace {
std::string one_by_one(bool stages) { return stages ? "stages one by one" : "steps one by one"; }
std::string counted(int n, const char* what) { return std::to_string(n) + " " + what + (n > 1 ? "s" : ""); }
}  // namespace

std::string way_text(const sweep::Program& g, const TileShape& t) {
  switch (t.way()) {
    case TileShape::in_passes: return counted(t.stages, "stage") + " a pass";
    case TileShape::by_levels: return counted(g.substeps, "stage") + " a sweep, by " + counted(t.levels, "level");
    case TileShape::in_registers: break;
  }
  const std::string steps = counted(t.steps, "step"), stages = counted(g.substeps, "stage");
  return (g.substeps == 1 ? steps : t.steps == 1 ? stages : steps + " of " + stages) + " a sweep";
}

std::string forecast_text(bool stages, const std::string& why) {
  return "CaKernel: " + one_by_one(stages) + ", because " + why;
}

std::string forecast_text(const StepProgram& p, const std::vector<Candidate>& list, bool trials) {
  std::vector<std::string> ways;
  for (const auto way : {TileShape::in_registers, TileShape::by_levels, TileShape::in_passes}) {
    const Candidate* most = nullptr;  // the tile of most steps: it stands for the others of its way
    for (const Candidate& c : list)
      if (c.tile.way() == way && (!most || c.tile.steps > most->tile.steps)) most = &c;
    if (most) ways.push_back((most->tile.steps > 1 ? "up to " : "") + way_text(p.program, most->tile));
  }
  if (trials) ways.push_back(one_by_one(p.program.substeps > 1));
  return "CaKernel: " + join(ways, ", or ") + (trials ? "; trials in the first steps choose" : "; a model chooses");
}
}  // namespace CaKernel
