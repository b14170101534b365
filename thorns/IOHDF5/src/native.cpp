// One file an output, four kinds of readers. The data lie once, in /native: for each level and variable the blocks one
// after another, x fastest, and a list of their boxes. Over them, without a copy:
//   /data/ITERATION/meshes   openPMD 1.1.0: N-dimensional arrays, which are HDF5 virtual datasets
//   /VTKHDF                  an OverlappingAMR, whose cell data are the very datasets of /native under a second name
// VTK knows cells only, so a point is shown as the cell around it: for vertices the origin moves by half a spacing.
// Where that is another one on each level, there is an .xmf file instead; and so for shells around a cube, with the
// corners of their cells.
#include <cereus/file.hpp>
#include <ctime>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>

#include "corners.hpp"
#include "fill.hpp"
#include "formats.hpp"
#include "write_packed.hpp"
#include "xdmf.hpp"

namespace IOHDF5 {
namespace {
using Centring = std::array<Centre, 3>;

std::string level_path(int level) { return "/native/lev" + std::to_string(level); }

std::string now() {
  char text[40];
  const std::time_t t = std::time(nullptr);
  std::tm utc{};
  std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S +0000", gmtime_r(&t, &utc));
  return text;
}

// (z, y, x) of what is given as x, y, z: only the axes that the grid has.
template <class T, class A> std::vector<T> slowest_first(const A& xyz, int dim) {
  std::vector<T> v;
  for (int d = dim - 1; d >= 0; --d) v.push_back(static_cast<T>(xyz[d]));
  return v;
}

class NativeFile {
 public:
  NativeFile(
      Simulation& s, const Centring& centre, const std::filesystem::path& path, int compression, RankZero& rank_zero)
      : s_(s),
        centre_(centre),
        compression_(compression),
        rank_zero_(rank_zero),
        path_(path),
        vtk_(!s.grid.levels.front().space.stretched() &&
             (s.grid.levels.size() == 1 || std::ranges::count(centre, Centre::cell) >= s.grid.dim)) {
    rank_zero_([&] {
      file_.emplace(path, File::Mode::create);
      write_root();
    });
    for (int l = 0; l < static_cast<int>(s.grid.levels.size()); ++l) {
      blocks_.push_back(all_blocks(s, l));
      rank_zero_([&] { write_level(l); });
    }
  }

  void write(const VariableAccess& a) {
    const ScalarType type = s_.type(a.group);
    for (int p = 0; p < parts(type); ++p)
      written_.push_back({part_name(path_name(s_.variable_name(a.group, a.component)), type, p), type});
    for (int level = 0; level < static_cast<int>(s_.grid.levels.size()); ++level) {
      const auto name = [&](int part) {
        return part_name(path_name(s_.variable_name(a.group, a.component)), type, part);
      };
      const Chunks chunks(s_, level, a, blocks_[level]);
      const bool packed = compression_ > 0 && chunks.length() > 0;
      Target target;
      rank_zero_([&] {
        target.file = &*file_;
        const auto chunk = static_cast<hsize_t>(packed ? chunks.length() : 0);
        for (int p = 0; p < parts(type); ++p)
          target.data.push_back(
              file_->dataset(level_path(level) + "/" + name(p), type_of(type), {{points(level)}, chunk, compression_}));
      });
      if (packed) write_packed(s_, chunks, type, compression_, target, shared(), rank_zero_);
      else place(level, a, target.data, name);
      rank_zero_([&] {
        for (int p = 0; p < parts(type); ++p) write_views(level, name(p), type_of(type));
      });
    }
  }

  // Grid scalars and arrays: one small dataset each.
  void write_plain(const VariableAccess& a) {
    rank_zero_([&] {
      const ScalarType type = s_.type(a.group);
      const auto n = static_cast<hsize_t>(s_.fields.elements(a.group));
      for (int p = 0; p < parts(type); ++p) {
        const std::string name = part_name(path_name(s_.variable_name(a.group, a.component)), type, p);
        const Handle d = file_->dataset("/native/values/" + name, type_of(type), {{n}});
        file_->write(d, type_of(type), {0}, {n}, s_.fields.plain(a.group, a.component, 0), parts(type), p);
      }
    });
  }

  void finish() {
    if (!placed_.empty()) fill(s_, shared(), placed_, blocks_);
    if (shared_) shared_->finish(rank_zero_);
    rank_zero_([&] { file_->finish(); });
    file_.reset();
    if (s_.grid.levels.size() > 1 && !vtk_) rank_zero_([&] { write_xdmf(s_, centre_, blocks_, written_, path_); });
  }
  bool has_vtk() const { return vtk_; }

 private:
  // Where a variable will lie, and the checksums of its blocks.
  template <class Name> void place(int level, const VariableAccess& a, const std::vector<Handle>& data, Name&& name) {
    Placed placed{level, a, points_of(level), {}};
    rank_zero_([&] {
      for (std::size_t p = 0; p < data.size(); ++p) {
        const std::string sums = level_path(level) + "/checksums/" + name(static_cast<int>(p));
        const Handle of_blocks = file_->dataset(sums, H5T_NATIVE_UINT64, {{blocks_[level].size()}});
        placed.parts.push_back({file_->place_of(data[p]), file_->place_of(of_blocks)});
      }
    });
    placed_.push_back(std::move(placed));
  }
  // Once what rank 0 has laid out so far is there for all.
  SharedFile& shared() {
    if (shared_) return *shared_;
    rank_zero_([&] { file_->flush(); });
    rank_zero_.agree();
    return shared_.emplace(s_, path_);
  }
  Box box_of(int level, const BlockHome& b) const {
    return s_.grid.levels[level].space.points(b.cells, centre_, s_.grid.dim);
  }
  Box points_of(int level) const { return s_.grid.levels[level].space.points(centre_, s_.grid.dim); }
  hsize_t points(int level) const {
    return std::accumulate(blocks_[level].begin(), blocks_[level].end(), hsize_t{0},
        [&](hsize_t n, const BlockHome& b) { return n + static_cast<hsize_t>(box_of(level, b).points()); });
  }
  std::string iteration() const { return std::to_string(s_.clock.iteration); }

  void write_root() {
    File& f = *file_;
    const Handle root = f.group("/");
    f.attribute(root, "openPMD", std::string("1.1.0"));
    const std::uint32_t no_extension = 0;
    f.attribute(root, "openPMDextension", H5T_NATIVE_UINT32, {}, &no_extension);
    f.attribute(root, "basePath", std::string("/data/%T/"));
    f.attribute(root, "meshesPath", std::string("meshes/"));
    f.attribute(root, "iterationEncoding", std::string("fileBased"));
    const std::string stem = path_.stem().string();
    f.attribute(root, "iterationFormat", stem.substr(0, stem.rfind('_')) + "_%T" + path_.extension().string());
    f.attribute(root, "software", std::string("Cereus"));
    f.attribute(root, "softwareVersion", std::string("0.1.0"));
    f.attribute(root, "date", now());
    f.attribute(root, "comment", std::string("lengths and times are in the units of the run; the SI factors are 1"));
    const Handle data = f.group("/data/" + iteration());
    f.attribute(data, "time", s_.clock.time);
    f.attribute(data, "dt", s_.clock.dt);
    f.attribute(data, "timeUnitSI", 1.0);
    f.group("/data/" + iteration() + "/meshes");

    const Handle native = f.group("/native");
    f.attribute(native, "version", native_version);
    f.attribute(native, "iteration", static_cast<std::int32_t>(s_.clock.iteration));
    f.attribute(native, "time", s_.clock.time);
    f.attribute(native, "dt", s_.clock.dt);
    f.attribute(native, "dimension", static_cast<std::int32_t>(s_.grid.dim));
    write_provenance(f, s_, "provenance");

    const Level& l = s_.grid.levels.front();
    std::vector<double> origin;  // the lower corner of cell 0
    for (int d = 0; d < 3; ++d) origin.push_back(coordinate(s_.grid, l, centre_, d, 0) - 0.5 * l.space.spacing[d]);
    if (!vtk_) return;
    const Handle vtk = f.group("/VTKHDF");
    const std::int64_t version[] = {1, 0};
    f.attribute(vtk, "Version", H5T_NATIVE_INT64, {2}, version);
    f.attribute(vtk, "Type", std::string("OverlappingAMR"));
    f.attribute(vtk, "GridDescription", std::string("XYZ"));
    f.attribute(vtk, "Origin", origin);
  }

  void write_level(int level) {
    File& f = *file_;
    const Level& l = s_.grid.levels[level];
    std::vector<std::int32_t> native, amr;  // half-open boxes of points; VTK's are closed and alternate lo and hi
    for (const auto& b : blocks_[level]) {
      const Box box = box_of(level, b);
      native.insert(native.end(), {box.lo[0], box.lo[1], box.lo[2], box.hi[0], box.hi[1], box.hi[2]});
      for (int d = 0; d < 3; ++d) amr.insert(amr.end(), {box.lo[d], box.hi[d] - 1});
    }
    const hsize_t n = blocks_[level].size();
    const Handle here = f.group(level_path(level));
    f.attribute(here, "number", static_cast<std::int32_t>(l.number));
    f.attribute(here, "spacing", std::vector<double>(l.space.spacing.begin(), l.space.spacing.end()));
    std::vector<double> first;
    const Box all = points_of(level);
    for (int d = 0; d < 3; ++d) first.push_back(coordinate(s_.grid, l, centre_, d, all.lo[d]));
    f.attribute(here, "first_point", first);
    f.attribute(
        here, "points", std::vector<std::int32_t>{all.lo[0], all.lo[1], all.lo[2], all.hi[0], all.hi[1], all.hi[2]});
    f.attribute(here, "periodic", std::vector<std::int32_t>(l.space.periodic.begin(), l.space.periodic.end()));
    std::vector<std::int32_t> cell;
    for (int d = 0; d < 3; ++d) cell.push_back(centre_[d] == Centre::cell);
    f.attribute(here, "cell_centred", cell);
    write_coordinates(level, all);
    if (l.space.map) write_corners(level, here);
    f.write(f.dataset(level_path(level) + "/boxes", H5T_NATIVE_INT32, {{n, 6}}), H5T_NATIVE_INT32, {0, 0}, {n, 6},
        native.data());

    if (!vtk_) return;
    const std::string path = "/VTKHDF/Level" + std::to_string(level);
    const Handle vtk = f.group(path);
    f.attribute(vtk, "Spacing", std::vector<double>(l.space.spacing.begin(), l.space.spacing.end()));
    f.write(f.dataset(path + "/AMRBox", H5T_NATIVE_INT32, {{n, 6}}), H5T_NATIVE_INT32, {0, 0}, {n, 6}, amr.data());
    for (const char* kind : {"CellData", "PointData", "FieldData"}) f.group(path + "/" + kind);
  }

  // Of stretched axes, of which readers that know one spacing can make nothing: the coordinates of points along each.
  void write_coordinates(int level, const Box& all) {
    const Level& l = s_.grid.levels[level];
    for (int d = 0; d < s_.grid.dim && l.space.stretched(); ++d) {
      std::vector<double> x;
      for (int i = all.lo[d]; i < all.hi[d]; ++i) x.push_back(coordinate(s_.grid, l, centre_, d, i));
      const std::string path = level_path(level) + "/" + "xyz"[d];
      file_->write(file_->dataset(path, H5T_NATIVE_DOUBLE, {{x.size()}}), H5T_NATIVE_DOUBLE, {0}, {x.size()}, x.data());
    }
  }

  void write_corners(int level, const Handle& here) {
    const cereus::Patch& shell = s_.grid.levels[level].space;
    const std::int32_t number = shell.map;
    file_->attribute(here, "shell", number);
    hsize_t all = 0, first = 0;
    for (const auto& b : blocks_[level]) all += static_cast<hsize_t>(3 * count_of_corners(box_of(level, b)));
    const Handle data = file_->dataset(level_path(level) + "/corners", H5T_NATIVE_DOUBLE, {{all}});
    for (const auto& b : blocks_[level]) {
      const std::vector<double> corners = corners_of(shell, box_of(level, b));
      file_->write(data, H5T_NATIVE_DOUBLE, {first}, {corners.size()}, corners.data());
      first += corners.size();
    }
  }

  void write_views(int level, const std::string& name, hid_t type) {
    File& f = *file_;
    const std::string source = level_path(level) + "/" + name;
    const bool stretched = s_.grid.levels[level].space.stretched();
    if (vtk_) f.link(source, "/VTKHDF/Level" + std::to_string(level) + "/CellData/" + name);

    const Level& l = s_.grid.levels[level];
    const int dim = s_.grid.dim;
    const Box all = points_of(level);
    std::vector<File::Part> view;
    hsize_t offset = 0;
    for (const auto& b : blocks_[level]) {
      const Box box = box_of(level, b);
      const Box at = shift(box, {-all.lo[0], -all.lo[1], -all.lo[2]});
      view.push_back({slowest_first<hsize_t>(at.lo, dim), slowest_first<hsize_t>(extent(box), dim), offset});
      offset += static_cast<hsize_t>(box.points());
    }
    const int shell = l.space.map;
    const std::string mesh = "/data/" + iteration() + "/meshes/" + name +
                             (shell         ? "_shell" + std::to_string(shell)
                                 : l.number ? "_lvl" + std::to_string(l.number)
                                            : "");
    const Handle d = f.view(mesh, type, slowest_first<hsize_t>(extent(all), dim), source, offset, view);
    std::array<double, 3> position{};
    for (int x = 0; x < 3; ++x) position[x] = centre_[x] == Centre::cell ? 0.5 : 0.0;
    f.attribute(d, "geometry", std::string(stretched || shell ? "other" : "cartesian"));
    if (shell)
      f.attribute(d, "geometryParameters",
          "shell=" + std::to_string(shell) +
              "; the axes are two angles and the radius; corners of cells: " + level_path(level) + "/corners");
    if (stretched)
      f.attribute(d, "geometryParameters",
          "coordinates=" + level_path(level) +
              "/x,y,z; gridSpacing and gridGlobalOffset count cells of the inner spacing");
    f.attribute(d, "dataOrder", std::string("C"));
    f.attribute(d, "axisLabels", slowest_first<std::string>(std::array<const char*, 3>{"x", "y", "z"}, dim));
    f.attribute(d, "gridSpacing", slowest_first<double>(l.space.spacing, dim));
    f.attribute(d, "gridGlobalOffset", slowest_first<double>(l.space.lower, dim));
    f.attribute(d, "gridUnitSI", 1.0);
    f.attribute(d, "unitSI", 1.0);
    f.attribute(d, "unitDimension", std::vector<double>(7, 0.0));
    f.attribute(d, "timeOffset", 0.0);
    f.attribute(d, "position", slowest_first<double>(position, dim));
  }
  static Index extent(const Box& b) { return {b.extent(0), b.extent(1), b.extent(2)}; }

  Simulation& s_;
  Centring centre_;
  int compression_;
  RankZero& rank_zero_;
  std::filesystem::path path_;
  std::optional<File> file_;  // on rank 0
  std::vector<std::vector<BlockHome>> blocks_;
  bool vtk_;  // whether readers of VTKHDF would see values where they are
  std::vector<NativeVariable> written_;
  std::vector<Placed> placed_;
  std::optional<SharedFile> shared_;
};

// NAME.hdf.series lists all outputs with their times: ParaView opens it as one data set, and takes .hdf.series,
// whatever the files in it are called, for VTKHDF. Replaced as a whole, so that who reads it while the run goes on sees
// the old list or the new one.
void add_to_series(const std::filesystem::path& series, const std::string& file, double time) {
  nlohmann::json list = nlohmann::json::array();
  if (std::ifstream in(series); in) {
    const auto old = nlohmann::json::parse(in, nullptr, false);
    if (old.is_object() && old.contains("files"))
      for (const auto& entry : old["files"])
        if (entry.value("name", "") != file) list.push_back(entry);
  }
  list.push_back({{"name", file}, {"time", time}});
  const std::string wrong =
      cereus::replace_file(series, nlohmann::json{{"file-series-version", "1.0"}, {"files", list}}.dump(1) + "\n");
  if (!wrong.empty()) throw Failure("cannot write " + series.string() + ": " + wrong);
}

std::string suffix(const Centring& c) {  // "-vvc": centred in the cell along z
  std::string text = "-";
  for (Centre x : c) text += x == Centre::cell ? 'c' : 'v';
  return text;
}
}  // namespace

void write_native(
    Simulation& s, std::span<const VariableAccess> accesses, int compression, const std::string& extension) {
  // VTKHDF has one origin a file, so variables of another centring go to a file of their own.
  const auto chosen = by_group(accesses);
  std::vector<Centring> centrings;
  for (const auto& c : chosen)
    if (s.groups[c.group].kind == GroupKind::grid_function &&
        std::find(centrings.begin(), centrings.end(), s.groups[c.group].centre) == centrings.end())
      centrings.push_back(s.groups[c.group].centre);
  if (centrings.empty()) centrings.push_back({});
  for (const auto& centre : centrings) {
    const std::string name = s.name + (centrings.size() == 1 || centre == Centring{} ? "" : suffix(centre));
    const std::string file_name = numbered(name, s) + extension;
    RankZero rank_zero(s.process);
    NativeFile file(s, centre, s.output / file_name, compression, rank_zero);
    for (const auto& c : chosen)
      for (const auto& a : c.accesses) {
        if (s.groups[c.group].kind != GroupKind::grid_function) {
          if (centre == centrings.front()) file.write_plain(a);
        } else if (s.groups[c.group].centre == centre) file.write(a);
      }
    file.finish();
    if (s.grid.levels.size() == 1 || file.has_vtk())
      rank_zero([&] { add_to_series(s.output / (name + ".hdf.series"), file_name, s.clock.time); });
    rank_zero.agree();
  }
}
}  // namespace IOHDF5
