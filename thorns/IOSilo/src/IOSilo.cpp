// Grid functions in Silo files: a rectilinear mesh a block and centring, and over all blocks of a level multimeshes and
// multivars. Vertices are nodes of a mesh, which has the first vertices of its upper neighbours as well: what is drawn
// between nodes then has no gap between blocks. Points of any other centring are the zones of a mesh, which fill the
// space by themselves.
#include <Output/gather.hpp>
#include <Output/vocabulary.hpp>
#include <cereus/thorn.hpp>
#include <cstring>
#include <map>
#include <optional>
#include <provenance.hpp>

#include "silo_file.hpp"

namespace IOSilo {
using namespace Output;
using Centring = std::array<Centre, 3>;

void declare(Declaration& d) {
  d.describe("Fields in Silo files, for VisIt and for ParaView with its reader");
  d.reads_provenance(IOHDF5::provenance_of);
  d.parameter("variables", Variables{{"@evolved"}}, any(), "Grid functions to write, in two or three dimensions");
  declare_every(d, 0);
}

// "mesh_vvv", "mesh_cv": vertices or cells along each axis.
std::string mesh_name(const Centring& centre, int dim) {
  std::string name = "mesh_";
  for (int d = 0; d < dim; ++d) name += centre[d] == Centre::cell ? 'c' : 'v';
  return name;
}
bool on_nodes(const Centring& centre, int dim) {
  return std::all_of(centre.begin(), centre.begin() + dim, [](Centre c) { return c == Centre::vertex; });
}

// What a block shows of variables of one centring, and who has the points.
struct Part {
  Box box;
  std::vector<BlockHome> owners;
};

// An upper layer is added where the level has all of it: not at the end of the domain or of a finer level.
Part part_of_block(const Grid& grid, const Level& l, const Centring& centre, const std::vector<BlockHome>& blocks,
    const BlockHome& block) {
  const auto points = [&](const BlockHome& b) { return l.space.points(b.cells, centre, grid.dim); };
  Part part{points(block), {}};
  for (int d = 0; d < grid.dim && on_nodes(centre, grid.dim); ++d) {
    Box more = part.box;
    ++more.hi[d];
    std::int64_t there = 0;
    for (const auto& b : blocks) there += intersect(points(b), more).points();
    if (there == more.points()) part.box = more;
  }
  for (const auto& b : blocks)
    if (!intersect(points(b), part.box).empty()) part.owners.push_back(b);
  return part;
}

// Along each axis: the points, or what lies half a spacing to both sides of each.
std::vector<std::vector<double>> nodes_of(const Grid& grid, const Level& l, const Centring& centre, const Box& box) {
  const bool zones = !on_nodes(centre, grid.dim);
  std::vector<std::vector<double>> nodes(grid.dim);
  for (int d = 0; d < grid.dim; ++d)
    for (int i = box.lo[d]; i < box.hi[d] + zones; ++i)
      nodes[d].push_back(!zones || centre[d] == Centre::cell ? l.space.coordinate(d, Centre::vertex, i)
                         : l.space.stretched(d)              ? l.space.coordinate(d, Centre::cell, i - 1)
                                                : l.space.coordinate(d, Centre::vertex, i) - 0.5 * l.space.spacing[d]);
  return nodes;
}

// The real (0) or imaginary (1) parts of complex numbers, in their own type.
std::vector<char> parts_of(const std::vector<char>& bytes, ScalarType type, int part) {
  const std::size_t size = size_of(type) / 2;
  std::vector<char> values(bytes.size() / 2);
  for (std::size_t i = 0; i < values.size(); i += size)
    std::memcpy(values.data() + i, bytes.data() + 2 * i + part * size, size);
  return values;
}
int silo_type(ScalarType t) {
  if (t == ScalarType::int32) return DB_INT;
  return t == ScalarType::float32 || t == ScalarType::complex64 ? DB_FLOAT : DB_DOUBLE;
}

// One output. All functions are collective; rank 0 writes.
class Writer {
 public:
  explicit Writer(Simulation& s) : s_(s), rank_zero_(s.process) {
    rank_zero_([&] {
      file_.emplace(s.output / (numbered(s.name, s) + ".silo"), s.clock.iteration, s.clock.time);
      file_->enter("/provenance");
      file_->text("parameters", s.resolved_parameters), file_->text("build", s.provenance);
    });
  }

  void write(int level, const std::vector<Chosen>& groups) {
    const auto blocks = s_.services.get<Driver>().all_blocks(s_.grid, level);  // a level is whole, covered or not
    for (const auto& block : blocks) {
      folder_ = "/lev" + std::to_string(level) + "/block" + std::to_string(block.number);
      rank_zero_([&] { file_->enter(folder_); });
      for (const auto& chosen : groups) {
        const auto& centre = s_.groups[chosen.group].centre;
        const Part part = part_of_block(s_.grid, s_.grid.levels[level], centre, blocks, block);
        write_mesh(level, centre, part.box);
        for (const auto& a : chosen.accesses) write_variable(level, a, part);
      }
    }
  }

  void finish() {
    rank_zero_([&] {
      file_->enter("/");
      for (const auto& [name, parts] : meshes_) file_->whole_mesh(name, parts);
      for (const auto& [name, v] : variables_) file_->whole_variable(name, v.mesh, v.parts);
      file_->finish();
    });
    file_.reset();
    rank_zero_.agree();
  }

 private:
  static std::string on_level(const std::string& name, int level) {
    return level ? name + "_lvl" + std::to_string(level) : name;
  }

  void write_mesh(int level, const Centring& centre, const Box& box) {
    const std::string name = mesh_name(centre, s_.grid.dim), path = folder_ + "/" + name;
    auto& parts = meshes_[on_level(name, level)];
    if (!parts.empty() && parts.back() == path) return;  // another group has brought it
    parts.push_back(path);
    rank_zero_([&] { file_->mesh(name, nodes_of(s_.grid, s_.grid.levels[level], centre, box)); });
  }

  void write_variable(int level, const VariableAccess& a, const Part& part) {
    const auto& centre = s_.groups[a.group].centre;
    const ScalarType type = s_.type(a.group);
    const std::string mesh = mesh_name(centre, s_.grid.dim);
    const auto bytes = gather_bytes(s_, level, a, part.box, part.owners);
    for (int p = 0; p < parts(type); ++p) {
      const std::string name = part_name(path_name(s_.variable_name(a.group, a.component)), type, p);
      auto& whole = variables_[on_level(name, level)];
      whole.mesh = on_level(mesh, level), whole.parts.push_back(folder_ + "/" + name);
      rank_zero_([&] {
        const auto half = is_complex(type) ? parts_of(bytes, type, p) : std::vector<char>{};
        const std::array extent{part.box.extent(0), part.box.extent(1), part.box.extent(2)};
        file_->variable(name, mesh, {is_complex(type) ? half.data() : bytes.data(), silo_type(type), extent},
            on_nodes(centre, s_.grid.dim));
      });
    }
  }

  struct Variable {
    std::string mesh;
    std::vector<std::string> parts;
  };
  Simulation& s_;
  RankZero rank_zero_;
  std::optional<File> file_;  // on rank 0
  std::string folder_;        // of the block that is being written
  std::map<std::string, std::vector<std::string>> meshes_;
  std::map<std::string, Variable> variables_;
};

// NAME_00000010.silo.
void write(Simulation& s, std::span<const VariableAccess> accesses) {
  auto groups = by_group(accesses);
  std::erase_if(groups, [&](const Chosen& c) { return s.groups[c.group].kind != GroupKind::grid_function; });
  Writer writer(s);
  for (int level = 0; level < static_cast<int>(s.grid.levels.size()); ++level) writer.write(level, groups);
  writer.finish();
}

void check(Context& c) {
  const auto& par = c.parameters();
  if (c.grid().dim == 1 && !every_of(par).nowhere())
    throw Error(par.where(par.integer("every")         ? "every"
                          : par.real("every_time") > 0 ? "every_time"
                                                       : "at_end"),
        "IOSilo writes in two and three dimensions, but the grid has one; IOASCII (lines: [x]) and IOHDF5 write that");
}

void schedule(Schedule& s, const Parameters& par) {
  check_asked(par, every_of(par), "IOSilo");
  s.routine("check", "Checks that the grid has two or three dimensions", check).at(bin::paramcheck).once();
  s.routine("fields", "Fields in Silo files", [](Context& c) { write(c.simulation(), c.accesses()); })
      .reads(par.strings("variables"))
      .at(bin::output)
      .every(every_of(par))
      .once();
}
}  // namespace IOSilo
CEREUS_THORN(IOSilo, IOSilo::declare, IOSilo::schedule, "*.silo")
