#include "asked.hpp"

#include <cereus/error.hpp>
#include <cereus/text.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <sstream>

namespace Forest {
using namespace cereus;
namespace {
constexpr std::int64_t most_cells = std::int64_t{1} << 20;  // along an axis, of a level
}

Asked::Asked(const Parameters& p) : parameters_(p), block_(static_cast<int>(p.integer("block"))) {}

cereus::Patch Asked::domain() const {
  Patch p;
  p.cells.hi = {1, 1, 1};
  const auto cells = parameters_.integers("cells");
  const auto lower = parameters_.reals("lower"), upper = parameters_.reals("upper");
  const auto periodic = parameters_.booleans("periodic");
  for (const auto* name : {"lower", "upper", "periodic"})
    if (const auto n = parameters_[name].elements().size(); n != 1 && n != cells.size())
      throw Error(parameters_.where(name),
          std::string("Forest.") + name + " needs one value, or one for each axis of Forest.cells");
  const auto axis_value = [](const auto& list, std::size_t d) { return list.size() == 1 ? list[0] : list[d]; };
  for (std::size_t d = 0; d < cells.size(); ++d) {
    if (cells[d] > most_cells)
      throw Error(parameters_.where("cells"), "Forest.cells: " + std::to_string(cells[d]) +
                                                  " cells along an axis; there may be " + std::to_string(most_cells));
    if (cells[d] % block_ != 0)
      throw Error(parameters_.where("cells"), "Forest.cells: " + std::to_string(cells[d]) +
                                                  " cells along an axis are no multiple of blocks of " +
                                                  std::to_string(block_));
    p.cells.hi[d] = static_cast<int>(cells[d]);
    p.periodic[d] = axis_value(periodic, d);
    p.lower[d] = axis_value(lower, d);
    if (!(axis_value(upper, d) > p.lower[d]))
      throw Error(parameters_.where("upper"), "Forest.upper must be greater than Forest.lower along each axis");
    p.spacing[d] = (axis_value(upper, d) - p.lower[d]) / static_cast<double>(cells[d]);
  }
  if (has_shells()) p.joined = 0b111111;
  return p;
}

void Asked::check_block(int ghost_width) const {
  if (levels() > 1 && block_ % 2)
    throw Error(parameters_.where("block"),
        "Forest.block: " + std::to_string(block_) + " cells cannot be halved where levels meet; take an even number");
  const int least = std::max(2 * points(ghost_width), 4 * ghost_width);
  if (block_ >= least) return;
  throw Error(
      parameters_.where("block"), "Forest.block: " + std::to_string(block_) + " is too small for prolongations of " +
                                      std::to_string(points(ghost_width)) + " points and ghost zones of " +
                                      std::to_string(ghost_width) + "; take " + std::to_string((least + 3) / 4 * 4));
}

// Shells begin where stencils of interpolations from them, which move inwards by no point, reach from the cube's faces.
Shells::Size Asked::shells(const Patch& domain, int ghost_width) const {
  const auto wrong = [&](const char* name, const std::string& what) {
    throw Error(parameters_.where(name), std::string("Forest.") + name + ": " + what);
  };
  const double h = domain.spacing[0], half = -domain.lower[0];
  for (int d = 0; d < 3; ++d) {
    const double upper = domain.lower[d] + domain.cells.extent(d) * domain.spacing[d];
    if (dim() != 3 || domain.cells.extent(d) != domain.cells.extent(0) || domain.lower[d] != -half ||
        std::abs(upper - half) > 1e-12 * half || domain.periodic[d])
      wrong("shell_radius",
          "shells lie around a cube whose middle is the origin; give Forest three equal numbers of "
          "cells, lower: -L, upper: L, periodic: false");
  }
  if (levels() > Leaves::most_levels - Shells::count)
    wrong("levels", "with shells there may be " + std::to_string(Leaves::most_levels - Shells::count));
  // As many as the order of differences, of which none is above 8: ghost zones of upwind ones are a layer wider.
  const int points = std::min(2 * ghost_width, Shells::most_points);
  Shells::Size n{.block = block_, .first_level = levels(), .points = points};
  const double asked = parameters_.real("shell_spacing"), along = std::numbers::pi / 2 * half / h / block_;
  n.spacing = asked > 0 ? asked : h;
  n.cells = static_cast<int>(parameters_.integer("shell_cells"));
  if (n.cells == 0) n.cells = std::max(1, static_cast<int>(std::lround(along))) * block_;
  if (parameters_.integer("shell_cells") > most_cells)
    wrong("shell_cells", "there may be " + std::to_string(most_cells) + " along an axis");
  if (n.cells % block_ != 0)
    wrong("shell_cells", std::to_string(n.cells) + " are no multiple of blocks of " + std::to_string(block_));
  n.inner = half - std::max(1, n.points / 2 - 1) * n.spacing;
  if (n.inner < 0.5 * half)
    wrong("shell_spacing", format_double(n.spacing) + " is too wide: shells would begin at " + format_double(n.inner) +
                               " in a cube of half width " + format_double(half));
  const double least = std::sqrt(3.0) * (half + ghost_width * h) + (n.points / 2) * n.spacing,
               radius = parameters_.real("shell_radius");
  if (radius < least)
    wrong("shell_radius", format_double(radius) + " is too near: stencils at the corners of the cube reach " +
                              format_double(least) + "; take that, or more");
  const double blocks = std::ceil((radius - n.inner) / n.spacing / block_ - 1e-9);
  if (blocks * block_ > most_cells)
    wrong("shell_radius", "that is more than " + std::to_string(most_cells) + " cells along the radius");
  n.radial = static_cast<int>(blocks) * block_;
  const std::int64_t each = std::int64_t{n.cells / block_} * (n.cells / block_) * (n.radial / block_);
  if (const auto many = too_many(Shells::count * each); !many.empty()) wrong("shell_radius", many);
  return n;
}

Asked::FineBox Asked::box_of(const std::string& text, const Patch& domain) const {
  std::istringstream in(text);
  FineBox box;
  in >> box.level;
  for (int d = 0; d < dim(); ++d) in >> box.lower[d] >> box.upper[d];
  std::string more;
  const auto wrong = [&](const std::string& what) {
    throw Error(parameters_.where("boxes"), "Forest.boxes: '" + text + "' " + what);
  };
  if (!in || in >> more)
    wrong("is not a level and a lower and an upper end along each axis, such as \"1 -0.5 0.5 -0.5 0.5\"");
  if (box.level < 0 || box.level >= levels())
    wrong("asks for level " + std::to_string(box.level) + "; Forest.levels: " + std::to_string(levels()) +
          " has levels 0 to " + std::to_string(levels() - 1));
  for (int d = 0; d < dim(); ++d) {
    const double end = domain.lower[d] + domain.cells.extent(d) * domain.spacing[d];
    if (!(box.lower[d] < box.upper[d]) || box.lower[d] < domain.lower[d] || box.upper[d] > end)
      wrong(std::string("is no box within the domain along ") + "xyz"[d]);
    if (std::int64_t{domain.cells.extent(d)} << box.level > most_cells)
      wrong("has a level of more than " + std::to_string(most_cells) + " cells along an axis");
  }
  return box;
}

void Asked::find_boxes(const Patch& domain) {
  boxes_.clear();
  for (const std::string& text : parameters_.strings("boxes")) boxes_.push_back(box_of(text, domain));
  const auto finest = std::ranges::max_element(boxes_, {}, &FineBox::level);
  if (!changes() && levels() > 1 && (finest == boxes_.end() || finest->level < levels() - 1))
    throw Error(parameters_.where("levels"), "Forest.levels: " + std::to_string(levels()) +
                                                 ", but no box is of level " + std::to_string(levels() - 1) +
                                                 "; or let blocks change, with Forest.every and thorn Refine");
}

int Asked::least_level(const Place& place, const Leaf& leaf) const {
  if (boxes_.empty()) return 0;
  const Patch patch = place.patch(leaf.level);
  const Box cells = place.cells(leaf);
  int level = 0;
  for (const FineBox& box : boxes_) {
    bool meets = true;
    for (int d = 0; d < dim(); ++d)
      meets = meets && patch.coordinate(d, Centre::vertex, cells.lo[d]) < box.upper[d] &&
              patch.coordinate(d, Centre::vertex, cells.hi[d]) > box.lower[d];
    if (meets) level = std::max(level, box.level);
  }
  return level;
}

std::string Asked::too_many(std::int64_t leaves) const {
  const std::int64_t most = parameters_.integer("most_blocks");
  if (leaves <= most) return "";
  return "Forest: more than most_blocks: " + std::to_string(most) + " blocks are asked for; raise it, or ask for fewer";
}
std::string Asked::too_few(std::int64_t leaves, int processes) const {
  if (leaves >= processes) return "";
  return "Forest: " + std::to_string(leaves) + " blocks of " + std::to_string(block_) +
         " cells along each axis are fewer than " + std::to_string(processes) + " processes";
}
}  // namespace Forest
