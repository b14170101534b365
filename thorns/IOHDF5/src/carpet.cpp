// Carpet's HDF5: one dataset a variable and iteration, all of it one component, so that a file does not tell on how
// many processes it was written; of several levels each block, which parameters fix, is a component. Ghost zones are
// not written, and the parameters in the file say so: kuibit would otherwise cut off points on every side.
#include <optional>

#include "formats.hpp"

namespace IOHDF5 {
namespace {
constexpr const char* global = "Parameters and Global Attributes";

// thorn::parameter = value, a line each.
std::string all_parameters(const Simulation& s) {
  std::string text = "carpetiohdf5::output_ghost_points = no\n";
  for (const auto& [thorn, par] : s.parameters)
    for (const auto& spec : par.specs()) text += thorn + "::" + spec.name + " = " + to_yaml(par[spec.name]) + "\n";
  return text;
}

void write_global(File& f, const Simulation& s) {
  if (f.exists(std::string("/") + global)) return;
  const Handle g = f.group(std::string("/") + global);
  f.attribute(g, "main loop index", static_cast<std::int32_t>(s.clock.iteration));
  f.attribute(g, "GH$iteration", static_cast<std::int32_t>(s.clock.iteration));
  f.attribute(g, "nioprocs", std::int32_t{1});
  f.attribute(g, "carpet_reflevels", static_cast<std::int32_t>(s.grid.levels.size()));
  f.attribute(g, "carpet_global_time", s.clock.time);
  f.attribute(g, "carpet_delta_time", s.clock.dt);
  f.attribute(g, "Cactus version", std::string("Cereus"));
  f.text(std::string("/") + global + "/All Parameters", all_parameters(s));
  write_provenance(f, s, global);
}

struct Slice {
  int level;
  std::vector<int> axes;
  Box box;
  int component = 0;
};
// What is written of a level, and of each of its blocks the entry there.
struct Slices {
  std::vector<Slice> list;
  std::vector<std::size_t> of_block;
};
Slices slices_of(const Simulation& s, const Slice& level, const Group& g, const std::vector<BlockHome>& blocks) {
  Slices slices;
  if (s.grid.levels.size() == 1) return {{level}, std::vector<std::size_t>(blocks.size())};
  for (const BlockHome& b : blocks) {
    const Box cut = intersect(s.grid.levels[level.level].space.points(b.cells, g.centre, s.grid.dim), level.box);
    slices.of_block.push_back(slices.list.size());
    if (!cut.empty()) slices.list.push_back({level.level, level.axes, cut, b.number});
  }
  return slices;
}

void describe(File& f, hid_t d, const Simulation& s, const Slice& slice, const Group& g, const std::string& name) {
  const Level& l = s.grid.levels[slice.level];
  std::vector<double> origin, delta;
  std::vector<std::int32_t> first;
  for (int x : slice.axes) {
    origin.push_back(coordinate(s.grid, l, g.centre, x, slice.box.lo[x]));
    delta.push_back(l.space.stretched() ? std::nan("") : l.space.spacing[x]);  // nobody shall take it for one spacing
    first.push_back(slice.box.lo[x]);
    if (!l.space.stretched()) continue;
    std::vector<double> at;
    for (int i = slice.box.lo[x]; i < slice.box.hi[x]; ++i) at.push_back(coordinate(s.grid, l, g.centre, x, i));
    f.attribute(d, (std::string("coordinates_") + "xyz"[x]).c_str(), at);
  }
  const std::size_t n = slice.axes.size();
  f.attribute(d, "name", name);
  f.attribute(d, "time", s.clock.time);
  f.attribute(d, "timestep", static_cast<std::int32_t>(s.clock.iteration));
  f.attribute(d, "level", static_cast<std::int32_t>(slice.level));
  f.attribute(d, "carpet_mglevel", std::int32_t{0});
  f.attribute(d, "group_timelevel", std::int32_t{0});
  f.attribute(d, "origin", origin);
  f.attribute(d, "delta", delta);
  f.attribute(d, "iorigin", first);
  f.attribute(d, "ioffset", std::vector<std::int32_t>(n, 0));
  f.attribute(d, "ioffsetdenom", std::vector<std::int32_t>(n, 1));
  f.attribute(d, "cctk_nghostzones", std::vector<std::int32_t>(n, 0));
  f.attribute(d, "cctk_bbox", std::vector<std::int32_t>(2 * n, 1));
}

// Start and extent of a box within the slice, slowest axis first.
std::pair<std::vector<hsize_t>, std::vector<hsize_t>> selection(const Slice& slice, const Box& box) {
  std::vector<hsize_t> start, count;
  for (auto x = slice.axes.rbegin(); x != slice.axes.rend(); ++x) {
    start.push_back(static_cast<hsize_t>(box.lo[*x] - slice.box.lo[*x]));
    count.push_back(static_cast<hsize_t>(box.extent(*x)));
  }
  return {start, count};
}

// Makes a dataset for each part of a variable (a complex one has two).
std::vector<Handle> make_datasets(
    File& file, const Simulation& s, const VariableAccess& a, const Slice& slice, std::vector<std::string>& replaced) {
  const Group& g = s.groups[a.group];
  const ScalarType type = s.type(a.group);
  std::vector<Handle> data;
  for (int p = 0; p < parts(type); ++p) {
    const std::string name = upper_case(g.thorn) + "::" + part_name(short_name(s, a), type, p);
    std::string path = "/" + name + " it=" + std::to_string(s.clock.iteration) +
                       " tl=0 rl=" + std::to_string(slice.level) + " c=" + std::to_string(slice.component);
    // Of a run that was stopped and went on from before: it stays, with its place, until there is another one.
    if (file.exists(path)) replaced.push_back(path), path += " new";
    data.push_back(file.dataset(path, type_of(type), {selection(slice, slice.box).second}));
    describe(file, data.back(), s, slice, g, name);
  }
  return data;
}

// Collective.
void write_level(Simulation& s, const VariableAccess& a, const Slice& whole, std::optional<File>& file,
    RankZero& rank_zero, std::vector<std::string>& replaced) {
  const ScalarType type = s.type(a.group);
  const auto blocks = all_blocks(s, whole.level);
  const Slices slices = slices_of(s, whole, s.groups[a.group], blocks);
  std::vector<std::vector<Handle>> data;
  rank_zero([&] {
    for (const Slice& slice : slices.list) data.push_back(make_datasets(*file, s, a, slice, replaced));
  });
  stream(s, whole.level, a, whole.box, blocks, [&](const Piece& piece, const char* bytes) {
    rank_zero([&] {
      const std::size_t n = slices.of_block[static_cast<std::size_t>(piece.block)];
      const auto [start, count] = selection(slices.list[n], piece.box);
      for (int p = 0; p < parts(type); ++p)
        file->write(data[n][static_cast<std::size_t>(p)], type_of(type), start, count, bytes, parts(type), p);
    });
  });
}
}  // namespace

void write_carpet(Simulation& s, std::span<const VariableAccess> accesses, const std::string& names,
    const std::array<double, 3>& through) {
  const auto axes = axes_of(names, s.grid.dim);
  if (axes.size() != names.size()) return;  // a plane that this grid does not have
  for (const auto& chosen : by_group(accesses)) {
    const Group& g = s.groups[chosen.group];
    if (g.kind != GroupKind::grid_function) continue;
    RankZero rank_zero(s.process);
    std::optional<File> file;
    std::vector<std::string> replaced;
    rank_zero([&] {
      file.emplace(s.output / (file_stem(g) + "." + names + ".h5"), File::Mode::append);
      write_global(*file, s);
    });
    for (int level = 0; level < static_cast<int>(s.grid.levels.size()); ++level) {
      const Slice whole{level, axes, region(s.grid, s.grid.levels[level], g.centre, axes, through)};
      for (const auto& a : chosen.accesses) write_level(s, a, whole, file, rank_zero, replaced);
    }
    rank_zero([&] {
      for (const auto& path : replaced) file->replace(path, path + " new");
      file->finish();
    });
    file.reset();
    rank_zero.agree();
  }
}
}  // namespace IOHDF5
