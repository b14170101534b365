#include "cereus/image.hpp"

#include <algorithm>
#include <cstring>
#include <utility>
namespace cereus {
using Piece = Image::Piece;
namespace {
// Calls f(group, component, timelevel) for all that is kept.
template <class F> void for_each_kept(const Simulation& s, Kept kept, F&& f) {
  for (int g = 0; g < static_cast<int>(s.groups.size()); ++g) {
    const Group& group = s.groups[g];
    if (!group.checkpointed && kept == Kept::checkpointed) continue;
    for (int c = 0; c < static_cast<int>(group.variables.size()); ++c)
      for (int t = 0; t < std::min(group.timelevels, s.fields.buffers(g)); ++t) f(g, c, t);
  }
}

// The points of a block, with the outer boundary at the faces that are right.
Box box_of(const Simulation& s, const Block& block, const Group& group, std::uint8_t boundary) {
  Box box = s.grid.points(block, group.centre);
  for (int d = 0; d < s.grid.dim; ++d) {
    if (block.outer(d, 0) && boundary >> (2 * d) & 1) box.lo[d] -= s.grid.ghosts[d];
    if (block.outer(d, 1) && boundary >> (2 * d + 1) & 1) box.hi[d] += s.grid.ghosts[d];
  }
  return box;
}

// A part of a block, to where it lies in a piece.
CopyPiece to_piece(const Simulation& s, int group, int component, int timelevel, int block, const Box& part,
    const Box& piece, char* data) {
  const Layout& layout = s.fields.layout(block);
  const auto element = static_cast<Offset>(size_of(s.type(group))), row = Offset{piece.extent(0)},
             plane = row * piece.extent(1);
  const char* const from =
      s.fields.address(group, component, timelevel, block) + layout.at(part.lo[0], part.lo[1], part.lo[2]) * element;
  char* const to =
      data +
      (part.lo[0] - piece.lo[0] + row * (part.lo[1] - piece.lo[1]) + plane * (part.lo[2] - piece.lo[2])) * element;
  return {from, to, {layout.stride[1], layout.stride[2]}, {row, plane},
      {part.extent(0), part.extent(1), part.extent(2)}, static_cast<int>(element)};
}
CopyPiece back(CopyPiece c) {
  std::swap(c.from_stride, c.to_stride);
  const char* const from = std::exchange(c.from, c.to);
  c.to = const_cast<char*>(from);
  return c;
}
// A boundary that keeps its values may have them in another buffer of the variable only: in what time tiles or stages
// of an integrator write.
void gather_boundary(Simulation& s, int level, int group, int component) {
  const auto* conditions = s.services.find<BoundaryConditions>();
  if (!conditions || !s.grid.outer_faces(s.grid.levels[level]) || !conditions->constant(s, group, component)) return;
  const VariableAccess boundary[] = {{group, component, 0, Mode::read, Region::boundary}};
  const auto& valid = s.fields.validity(group, component, 0, level);
  for (Space space : {Space::host, Space::device})
    if (valid[space].interior) return make_valid(s, level, boundary, -1, space);
}

struct Source {  // of a piece; block −1: a grid scalar or array
  int group, component, timelevel, block;
};

// Copies each source to its piece.
void fill(Simulation& s, Image& image, const std::vector<Source>& sources) {
  for (std::size_t n = 0; n < sources.size(); ++n) {
    const auto& [g, c, t, b] = sources[n];
    const Piece& p = image.pieces[n];
    std::memset(image.data.get() + p.offset + p.bytes, 0, whole_pages(p.bytes) - p.bytes);
    if (b < 0) {
      std::memcpy(image.data.get() + p.offset, s.fields.plain(g, c, t), p.bytes);
      continue;
    }
    const CopyPiece copy = to_piece(s, g, c, t, b, p.box, p.box, image.data.get() + p.offset);
    copy_on_host({&copy, 1});
  }
}
}  // namespace

void take_image(Simulation& s, Image& image, Kept kept) {
  const auto room = std::exchange(image.bytes, 0);
  image.pieces.clear();
  auto* accelerator = s.services.find<Accelerator>();
  const auto add = [&](Piece p, std::uint64_t bytes) {
    p.offset = image.bytes, p.bytes = bytes;
    image.bytes += whole_pages(bytes);
    image.pieces.push_back(std::move(p));
  };
  std::vector<Source> sources;
  for_each_kept(s, kept, [&](int g, int c, int t) {
    const Group& group = s.groups[g];
    const auto size = static_cast<std::uint64_t>(size_of(s.type(g)));
    const std::string& name = s.variable_name(g, c);
    if (group.kind != GroupKind::grid_function) {
      if (s.process.rank() != 0 && kept == Kept::checkpointed) return;
      const auto n = s.fields.elements(g);
      add({.variable = name, .timelevel = t, .level = -1, .box = {{0, 0, 0}, {static_cast<int>(n), 1, 1}}},
          static_cast<std::uint64_t>(n) * size);
      sources.push_back({g, c, t, -1});
      return;
    }
    for (int l = 0; l < static_cast<int>(s.grid.levels.size()); ++l) {
      const Level& level = s.grid.levels[l];
      if (t == 0) gather_boundary(s, l, g, c);
      const auto& valid = s.fields.validity(g, c, t, l);
      const bool interior = valid[Space::host].interior || valid[Space::device].interior;
      if (!interior && !valid[Space::host].boundary && !valid[Space::device].boundary) continue;
      if (accelerator) {  // with the boundary, which may be right in one space only
        const VariableAccess whole[] = {{g, c, t, Mode::read, interior ? Region::everywhere : Region::boundary}};
        accelerator->bring(s, l, whole, Space::host, {s.clock.iteration, -1});
      }
      const auto& here = s.fields.validity(g, c, t, l)[Space::host];
      for (int b = level.first_block; b < level.last_block; ++b) {
        const Box box = box_of(s, s.grid.blocks[b], group, here.boundary);
        add({.variable = name,
                .timelevel = t,
                .level = l,
                .box = box,
                .interior = interior,
                .boundary = here.boundary,
                .constant = here.constant,
                .along = here.along == all_layers},
            static_cast<std::uint64_t>(box.points()) * size);
        sources.push_back({g, c, t, b});
      }
    }
  });
  if (!image.data || image.bytes != room) {
    image.data.reset();
    image.data = large_memory(
        image.bytes, kept == Kept::all ? "what fields hold, on its way to a new assembly" : "a checkpoint");
  }
  fill(s, image, sources);
}

namespace {
// Calls f(block, image of the piece, part of it) for all parts that lie in blocks of this process, ghost zones and what
// is across periodic axes with them: the boundary along them is kept by nobody else.
template <class F> void for_each_part(const Simulation& s, const Piece& p, const Group& group, F&& f) {
  const Level& level = s.grid.levels[p.level];
  const Index cells{level.space.cells.extent(0), level.space.cells.extent(1), level.space.cells.extent(2)};
  const auto across = [&](int d) { return d < s.grid.dim && level.space.periodic[d] ? 1 : 0; };
  const Box images{{-across(0), -across(1), -across(2)}, {across(0) + 1, across(1) + 1, across(2) + 1}};
  for (int b = level.first_block; b < level.last_block; ++b)
    for_each_point(images, [&](int i, int j, int k) {
      const Box from = shift(p.box, {i * cells[0], j * cells[1], k * cells[2]}),
                part = intersect(from, s.grid.everywhere(s.grid.blocks[b], group.centre));
      if (!part.empty()) f(b, from, part);
    });
}
}  // namespace

bool wants(const Simulation& s, const Piece& p) {
  if (p.level < 0) return true;
  const Group& group = s.groups[s.variables[s.variable_number(p.variable)].group];
  bool any = false;
  if (p.boundary && p.along) for_each_part(s, p, group, [&](auto&&...) { any = true; });
  const Level& level = s.grid.levels[p.level];
  for (int b = level.first_block; b < level.last_block; ++b)
    any = any || !intersect(p.box, box_of(s, s.grid.blocks[b], group, p.boundary)).empty();
  return any;
}

void put_back(Simulation& s, const Piece& p, const char* data) {
  const auto& info = s.variables[s.variable_number(p.variable)];
  const int g = info.group, c = info.component;
  if (p.level < 0) {
    std::memcpy(s.fields.plain(g, c, p.timelevel), data, p.bytes);
    return;
  }
  for_each_part(s, p, s.groups[g], [&](int b, const Box& from, const Box& part) {
    const CopyPiece copy = back(to_piece(s, g, c, p.timelevel, b, part, from, const_cast<char*>(data)));
    copy_on_host({&copy, 1});
  });
}

Restored::Restored(const Simulation& s, Kept kept) {
  for_each_kept(s, kept, [&](int g, int c, int t) {
    if (s.groups[g].kind != GroupKind::grid_function) return;
    for (int l = 0; l < static_cast<int>(s.grid.levels.size()); ++l) {
      Variable& v = variables_[{s.groups[g].first_variable + c, t, l}];
      for (const BlockBox& b : boxes_of(s, l, Region::interior, s.groups[g].centre)) v.missing += b.box.points();
    }
  });
}
void Restored::add(const Simulation& s, const Piece& p) {
  if (p.level < 0) return;
  const int number = s.variable_number(p.variable);
  Variable& v = variables_.at({number, p.timelevel, p.level});
  const Group& group = s.groups[s.variables[number].group];
  for (const BlockBox& b : boxes_of(s, p.level, Region::interior, group.centre))
    v.missing -= intersect(p.box, b.box).points();
  // Where processes have the boundary of their blocks in other spaces, some may have brought less of it.
  const bool more = std::exchange(v.seen, true);
  v.interior = p.interior && (!more || v.interior), v.along = p.along && (!more || v.along);
  v.boundary = more ? v.boundary & p.boundary : p.boundary, v.constant = more ? v.constant & p.constant : p.constant;
}
void Restored::note(Simulation& s) const {
  const auto on_any_level = [&](int number, int timelevel) {
    const auto known = std::ranges::find_if(variables_, [&](const auto& v) {
      return std::get<0>(v.first) == number && std::get<1>(v.first) == timelevel && v.second.seen;
    });
    return known == variables_.end() ? Variable{} : known->second;
  };
  std::vector<bool> empty;  // levels that blocks have left
  for (int l = 0; l < static_cast<int>(s.grid.levels.size()); ++l)
    empty.push_back(s.services.get<Driver>().all_blocks(s.grid, l).empty());
  for (const auto& [key, own] : variables_) {
    const auto& [number, timelevel, level] = key;
    const auto& info = s.variables[number];
    const Variable v = empty[level] ? on_any_level(number, timelevel) : own;
    if (!v.seen) continue;  // it had no values
    if (own.missing != 0)
      throw Failure("what is put back lacks " + std::to_string(own.missing) + " points of " + info.name);
    auto& valid = s.fields.validity(info.group, info.component, timelevel, level);
    valid.wrote_interior(Space::host, {s.clock.iteration, -1});
    auto& here = valid[Space::host];
    here.interior = v.interior;
    here.boundary = v.boundary, here.constant = v.constant;
    here.along = v.boundary && v.along ? all_layers : std::int16_t{0};
  }
}
}  // namespace cereus
