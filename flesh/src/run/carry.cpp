#include "run/carry.hpp"

#include <algorithm>
#include <cstring>

namespace cereus {
using Piece = Image::Piece;

Saved save(Simulation& s) {
  Saved saved{.image = {}, .grid = s.services.get<Driver>().grid_text(), .ghosts = s.grid.ghosts, .clock = s.clock};
  for (const Level& l : s.grid.levels) saved.levels.push_back(l.clock);
  take_image(s, saved.image, Kept::all);
  return saved;
}

namespace {
// What of a piece is right in the new simulation; none: it has no place there.
std::optional<Piece> fitted(const Simulation& s, const Saved& saved, Piece p) {
  const int number = s.variable_number(p.variable);
  if (number < 0 || p.level >= static_cast<int>(s.grid.levels.size())) return {};
  const int g = s.variables[number].group;
  const Group& group = s.groups[g];
  const bool plain = group.kind != GroupKind::grid_function;
  const auto elements = plain ? s.fields.elements(g) : p.box.points();
  if (plain != (p.level < 0) || p.timelevel >= std::min(group.timelevels, s.fields.buffers(g)) ||
      static_cast<std::uint64_t>(elements) * size_of(s.type(g)) != p.bytes)
    return {};
  for (int d = 0; d < s.grid.dim; ++d) {
    if (saved.ghosts[d] >= s.grid.ghosts[d]) continue;
    if (p.constant)
      throw Error(
          "maps or expressions that came late read more neighbours, and what holds outside the domain does not fit "
          "the new blocks; say what reads most before a field is looked at");
    p.boundary = 0;  // the conditions fill it again, as deep as it is now
  }
  return p;
}

// Of a piece, as processes tell each other.
struct Header {
  int timelevel, level;
  Box box;
  bool interior, along;
  std::uint8_t boundary, constant;
  std::uint64_t bytes;
};
std::string packed(const Piece& p) {
  const Header h{p.timelevel, p.level, p.box, p.interior, p.along, p.boundary, p.constant, p.bytes};
  return {reinterpret_cast<const char*>(&h), sizeof h};
}
Piece unpacked(const std::string& text, std::size_t at, const std::string& variable) {
  Header h;
  std::memcpy(&h, text.data() + at, sizeof h);
  Piece p{.variable = variable};
  p.timelevel = h.timelevel, p.level = h.level, p.box = h.box, p.bytes = h.bytes;
  p.interior = h.interior, p.along = h.along, p.boundary = h.boundary, p.constant = h.constant;
  return p;
}

// A variable: all processes hear which pieces there are, so that they hold the same for valid; and what lies in them,
// where a process needs those of others.
void put_variable_back(Simulation& s, const Saved& saved, const std::string& variable, Restored& restored) {
  const char* const data = saved.image.data.get();
  std::string headers, mine;
  for (const Piece& piece : saved.image.pieces)
    if (piece.variable == variable)
      if (const auto p = fitted(s, saved, piece)) put_back(s, *p, data + p->offset), headers += packed(*p);
  std::vector<std::vector<Piece>> all;  // by process
  bool needs = false;
  for (int from = 0; from < s.process.size(); ++from) {
    const std::string told = s.process.broadcast_from(from, headers);
    auto& pieces = all.emplace_back();
    for (std::size_t at = 0; at < told.size(); at += sizeof(Header)) {
      pieces.push_back(unpacked(told, at, variable));
      restored.add(s, pieces.back());
      needs = needs || (from != s.process.rank() && pieces.back().level >= 0 && wants(s, pieces.back()));
    }
  }
  if (!s.process.any(needs)) return;
  for (const Piece& piece : saved.image.pieces)
    if (piece.variable == variable && piece.level >= 0 && fitted(s, saved, piece))
      mine.append(data + piece.offset, piece.bytes);
  for (int from = 0; from < s.process.size(); ++from) {
    const std::string told = s.process.broadcast_from(from, mine);
    std::size_t at = 0;
    for (const Piece& p : all[static_cast<std::size_t>(from)]) {
      if (p.level < 0) continue;
      if (wants(s, p)) put_back(s, p, told.data() + at);
      at += p.bytes;
    }
  }
}
}  // namespace

void put_back(Simulation& s, const Saved& saved) {
  if (saved.grid != s.services.get<Driver>().grid_text()) change_grid(s, saved.grid);
  s.clock = saved.clock;
  for (std::size_t l = 0; l < s.grid.levels.size(); ++l)  // a level that is new goes on with the finest one
    s.grid.levels[l].clock = saved.levels[std::min(l, saved.levels.size() - 1)];
  s.process.agree([&] {
    Restored restored(s, Kept::all);
    for (const VariableInfo& v : s.variables) put_variable_back(s, saved, v.name, restored);
    restored.note(s);
  });
}
}  // namespace cereus
