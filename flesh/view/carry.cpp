// What a simulation holds, on its way to the next one of the same program: an image, as a checkpoint has it.
#include <algorithm>
#include <cstring>

#include "view/session.hpp"

namespace cereus::view {
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
          "maps or expressions that came late read more neighbours, and what holds outside the domain is not "
          "known so far out; say what reads most before a field is looked at");
    p.boundary = 0;  // the conditions fill it again, as deep as it is now
  }
  return p;
}

// A piece with its bytes, as processes tell each other.
struct Sent {
  Piece piece;
  const char* data;
};
struct Header {
  int timelevel, level;
  Box box;
  bool interior, along;
  std::uint8_t boundary, constant;
  std::uint64_t bytes;
};
std::string packed(const std::vector<Sent>& list) {
  std::string text;
  for (const auto& [p, data] : list) {
    const Header h{p.timelevel, p.level, p.box, p.interior, p.along, p.boundary, p.constant, p.bytes};
    text.append(reinterpret_cast<const char*>(&h), sizeof h).append(data, p.bytes);
  }
  return text;
}
std::vector<Sent> unpacked(const std::string& text, const std::string& variable) {
  std::vector<Sent> list;
  for (std::size_t at = 0; at < text.size();) {
    Header h;
    std::memcpy(&h, text.data() + at, sizeof h);
    at += sizeof h;
    Piece& p = list.emplace_back(Sent{{.variable = variable}, text.data() + at}).piece;
    p.timelevel = h.timelevel, p.level = h.level, p.box = h.box, p.bytes = h.bytes;
    p.interior = h.interior, p.along = h.along, p.boundary = h.boundary, p.constant = h.constant;
    at += h.bytes;
  }
  return list;
}

// A variable of this process; from what all had, where that is not what each has.
void put_variable_back(Simulation& s, const Saved& saved, int number, Restored& restored) {
  const std::string& name = s.variables[number].name;
  std::vector<Sent> mine;
  bool corners = false;  // of the boundary, which lie in ghost zones
  for (const Piece& piece : saved.image.pieces)
    if (piece.variable == name)
      if (const auto p = fitted(s, saved, piece)) {
        mine.push_back({*p, saved.image.data.get() + p->offset});
        restored.add(s, *p);
        corners = corners || (p->constant && p->along);
      }
  for (const auto& [p, data] : mine) put_back(s, p, data);
  if (s.process.size() == 1 || !s.process.any(corners || !restored.whole(number))) return;
  for (int from = 0; from < s.process.size(); ++from) {
    const bool here = from == s.process.rank();
    const std::string text = s.process.broadcast_from(from, here ? packed(mine) : std::string());
    for (const auto& [piece, data] : unpacked(text, name)) {
      if (here || piece.level < 0) continue;
      restored.add(s, piece);
      if (wants(s, piece)) put_back(s, piece, data);
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
    for (int v = 0; v < static_cast<int>(s.variables.size()); ++v) put_variable_back(s, saved, v, restored);
    restored.note(s);
  });
}
}  // namespace cereus::view
