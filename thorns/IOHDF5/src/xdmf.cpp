#include "xdmf.hpp"

#include <cereus/file.hpp>
#include <cereus/text.hpp>

#include "corners.hpp"

namespace IOHDF5 {
namespace {
// x, y, z as readers want them: z first.
template <class F> std::string backwards(F&& f) { return f(2) + " " + f(1) + " " + f(0); }

// A part of a dataset of all points of a level: path|first:1:number:all.
std::string attribute(
    const NativeVariable& v, const std::string& path, std::int64_t first, std::int64_t all, const Box& box) {
  const bool single = v.type == ScalarType::float32 || v.type == ScalarType::complex64;
  const std::string type = v.type == ScalarType::int32 ? "\"Int\" Precision=\"4\""
                           : single                    ? "\"Float\" Precision=\"4\""
                                                       : "\"Float\" Precision=\"8\"";
  return "      <Attribute Name=\"" + v.name + "\" Center=\"Cell\"><DataItem Format=\"HDF\" NumberType=" + type +
         " Dimensions=\"" + backwards([&](int d) { return std::to_string(box.extent(d)); }) + "\">" + path + v.name +
         "|" + std::to_string(first) + ":1:" + std::to_string(box.points()) + ":" + std::to_string(all) +
         "</DataItem></Attribute>\n";
}
constexpr const char* number = "NumberType=\"Float\" Precision=\"8\"";

// Of the cells around the points of a box, whose corners, of a shell, begin at `first` of `all` numbers.
std::string geometry(const Patch& space, const std::array<Centre, 3>& centre, const Box& box, const std::string& path,
    std::int64_t first, std::int64_t all) {
  const std::string corners = backwards([&](int d) { return std::to_string(box.extent(d) + 1); });
  if (space.map)
    return "      <Topology TopologyType=\"3DSMesh\" Dimensions=\"" + corners +
           "\"/><Geometry GeometryType=\"XYZ\"><DataItem Format=\"HDF\" " + number + " Dimensions=\"" + corners +
           " 3\">" + path + "corners|" + std::to_string(first) + ":1:" + std::to_string(3 * count_of_corners(box)) +
           ":" + std::to_string(all) + "</DataItem></Geometry>\n";
  const auto origin = [&](int d) {
    return format_double(space.coordinate(d, centre[d], box.lo[d]) - 0.5 * space.spacing[d]);
  };
  const auto item = [](const std::string& values) {
    return std::string("<DataItem Dimensions=\"3\" ") + number + " Format=\"XML\">" + values + "</DataItem>";
  };
  return "      <Topology TopologyType=\"3DCoRectMesh\" Dimensions=\"" + corners +
         "\"/><Geometry GeometryType=\"ORIGIN_DXDYDZ\">" + item(backwards(origin)) +
         item(backwards([&](int d) { return format_double(space.spacing[d]); })) + "</Geometry>\n";
}
}  // namespace

void write_xdmf(const Simulation& s, const std::array<Centre, 3>& centre,
    const std::vector<std::vector<BlockHome>>& blocks, const std::vector<NativeVariable>& variables,
    const std::filesystem::path& native) {
  std::string text =
      "<?xml version=\"1.0\"?>\n<Xdmf Version=\"3.0\"><Domain>\n  <Grid Name=\"blocks\" GridType=\"Collection\" "
      "CollectionType=\"Spatial\">\n    <Time Value=\"" +
      format_double(s.clock.time) + "\"/>\n";
  for (int level = 0; level < static_cast<int>(blocks.size()); ++level) {
    const Patch& space = s.grid.levels[level].space;
    std::int64_t first = 0, all = 0, first_corner = 0, corners = 0;
    const auto points = [&](const BlockHome& b) { return space.points(b.cells, centre, s.grid.dim); };
    for (const BlockHome& b : blocks[static_cast<std::size_t>(level)])
      all += points(b).points(), corners += 3 * count_of_corners(points(b));
    const std::string path = native.filename().string() + ":/native/lev" + std::to_string(level) + "/";
    for (const BlockHome& b : blocks[static_cast<std::size_t>(level)]) {
      const Box box = points(b);
      text += "    <Grid Name=\"" + s.grid.levels[level].name() + " block " + std::to_string(b.number) + "\">\n" +
              geometry(space, centre, box, path, first_corner, corners);
      for (const NativeVariable& v : variables) text += attribute(v, path, first, all, box);
      text += "    </Grid>\n";
      first += box.points(), first_corner += 3 * count_of_corners(box);
    }
  }
  text += "  </Grid>\n</Domain></Xdmf>\n";
  std::filesystem::path beside = native;
  beside.replace_extension(".xmf");
  if (const std::string wrong = replace_file(beside, text); !wrong.empty())
    throw Failure("cannot write " + beside.string() + ": " + wrong);
}
}  // namespace IOHDF5
