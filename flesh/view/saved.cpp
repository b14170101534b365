// What a simulation holds, on its way to the next one of the same program, and to and from the program.
#include <algorithm>
#include <cstring>

#include "exec/valid.hpp"
#include "view/rows.hpp"
#include "view/session.hpp"

namespace cereus::view {
namespace {
CopyPiece packing(Simulation& s, const VariableAccess& a, int block, const Box& box, char* packed) {
  const Layout& l = s.fields.layout(block);
  return {address(s, a, block, box.lo), packed, {l.stride[1], l.stride[2]},
      {box.extent(0), Offset{box.extent(0)} * box.extent(1)}, {box.extent(0), box.extent(1), box.extent(2)},
      static_cast<int>(size_of(s.type(a.group)))};
}

template <class F> void for_each_timelevel(Simulation& s, F&& f) {
  for (int g = 0; g < s.fields.groups(); ++g)
    for (int c = 0; c < static_cast<int>(s.groups[g].variables.size()); ++c)
      for (int t = 0; t < std::min(s.groups[g].timelevels, s.fields.buffers(g)); ++t) f(VariableAccess{g, c, t});
}
int local_block(const Simulation& s, int number) {
  const Level& l = s.grid.levels[0];
  for (int b = l.first_block; b < l.last_block; ++b)
    if (s.grid.blocks[b].number == number) return b;
  return -1;
}
}  // namespace

char* address(Simulation& s, const VariableAccess& a, int block, const Index& i) {
  return s.fields.address(a.group, a.component, a.timelevel, block) +
         s.fields.layout(block).at(i[0], i[1], i[2]) * static_cast<Offset>(size_of(s.type(a.group)));
}

void copy_out(Simulation& s, const VariableAccess& a, int block, const Box& box, char* packed) {
  const CopyPiece p = packing(s, a, block, box, packed);
  copy_on_host({&p, 1});
}

void copy_in(Simulation& s, const VariableAccess& a, int block, const Box& box, const char* packed) {
  const CopyPiece p = packing(s, a, block, box, nullptr);
  const CopyPiece back{packed, const_cast<char*>(p.from), {p.to_stride[0], p.to_stride[1]},
      {p.from_stride[0], p.from_stride[1]}, {p.extent[0], p.extent[1], p.extent[2]}, p.element};
  copy_on_host({&back, 1});
}

Saved save(Simulation& s) {
  Saved saved{.pieces = {}, .plain = {}, .clock = s.clock, .levels = {}};
  for (const Level& l : s.grid.levels) saved.levels.push_back(l.clock);
  for_each_timelevel(s, [&](VariableAccess a) {
    const Group& g = s.groups[a.group];
    if (g.kind != GroupKind::grid_function) {
      const char* from = s.fields.plain(a.group, a.component, a.timelevel);
      const auto bytes = static_cast<std::size_t>(s.fields.elements(a.group)) * size_of(s.type(a.group));
      auto& to = saved.plain[g.full_name()];
      to.insert(to.end(), from, from + bytes);
      return;
    }
    for (int level = 0; level < static_cast<int>(s.grid.levels.size()); ++level) {
      const Validity& v = s.fields.validity(a.group, a.component, a.timelevel, level);
      if (!v[Space::host].interior && !v[Space::device].interior) continue;
      make_valid(s, level, {&a, 1}, -1, Space::host);
      const auto keep = [&](Region region) {
        for (const auto& [block, box] : boxes_of(s, level, region, g.centre)) {
          std::vector<char> data(static_cast<std::size_t>(box.points()) * size_of(s.type(a.group)));
          copy_out(s, a, block, box, data.data());
          saved.pieces.push_back({s.variable_name(a.group, a.component), a.timelevel, level, box,
              region != Region::interior, std::move(data)});
        }
      };
      keep(Region::interior);
      const auto faces = s.grid.outer_faces(s.grid.levels[level]);
      if (faces && (v[Space::host].constant & faces) == faces) keep(Region::boundary);
    }
  });
  return saved;
}

namespace {
// Whose the piece is now; no group: of nobody.
VariableAccess access_of(const Simulation& s, const Saved::Piece& p) {
  const int v = s.variable_number(p.variable);
  const bool there = v >= 0 && p.timelevel < s.fields.buffers(s.variables[v].group) &&
                     p.level < static_cast<int>(s.grid.levels.size());
  if (!there) return {-1};
  return {s.variables[v].group, s.variables[v].component, p.timelevel, Mode::write,
      p.boundary ? Region::boundary : Region::interior};
}
// The block that has the piece as a box of its own; −1: none has.
int block_of(const Simulation& s, const Saved::Piece& p, const VariableAccess& a) {
  for (const auto& [block, box] : boxes_of(s, p.level, a.region, s.groups[a.group].centre))
    if (box == p.box) return block;
  return -1;
}
bool is_interior(const Saved::Piece& p) { return !p.boundary && p.level == 0; }

// Where blocks are others than before, interiors go through process 0, a variable at a time.
void hand_round(Simulation& s, const Saved& saved) {
  for (std::size_t n = 0; n < saved.pieces.size(); ++n) {
    const Saved::Piece& first = saved.pieces[n];
    const auto same = [&](const Saved::Piece& p) {
      return is_interior(p) && p.variable == first.variable && p.timelevel == first.timelevel;
    };
    if (!is_interior(first) || std::any_of(saved.pieces.begin(), saved.pieces.begin() + static_cast<long>(n), same))
      continue;
    const VariableAccess a = access_of(s, first);
    if (a.group < 0) continue;
    std::vector<char> mine;
    for (const Saved::Piece& p : saved.pieces) {
      if (!same(p)) continue;
      const char* box = reinterpret_cast<const char*>(&p.box);
      mine.insert(mine.end(), box, box + sizeof p.box);
      mine.insert(mine.end(), p.data.begin(), p.data.end());
    }
    const auto sent = s.services.get<Driver>().gather(mine);
    const Box all = s.grid.levels[0].space.points(s.groups[a.group].centre, s.grid.dim);
    const std::size_t size = size_of(s.type(a.group));
    std::vector<char> whole(s.process.rank() == 0 ? static_cast<std::size_t>(all.points()) * size : 0);
    for (const auto& from : sent)
      for (std::size_t at = 0; s.process.rank() == 0 && at < from.size();) {
        Box box;
        std::memcpy(&box, from.data() + at, sizeof box);
        at += sizeof box;
        for_each_row(all, box, size, [&](auto to, auto packed, auto bytes) {
          std::memcpy(whole.data() + to, from.data() + at + packed, bytes);
        });
        at += static_cast<std::size_t>(box.points()) * size;
      }
    scatter(s, a, [&](const Box& box, char* data) {
      for_each_row(all, box, size,
          [&](auto from, auto packed, auto bytes) { std::memcpy(data + packed, whole.data() + from, bytes); });
    });
  }
}
}  // namespace

void put_back(Simulation& s, const Saved& saved) {
  s.clock = saved.clock;
  for (std::size_t l = 0; l < s.grid.levels.size(); ++l)  // a level that is new goes on with the finest one
    s.grid.levels[l].clock = saved.levels[std::min(l, saved.levels.size() - 1)];
  bool moved = false, misfit = false;  // here; processes inside the domain hold no values outside it
  for (const Saved::Piece& p : saved.pieces)
    if (const VariableAccess a = access_of(s, p); a.group >= 0 && block_of(s, p, a) < 0)
      (is_interior(p) ? moved : misfit) = true;
  s.process.agree([&] {
    if (misfit)
      throw Error(
          "maps or expressions that came late read more neighbours, and what holds outside the domain does not fit "
          "the new blocks; say what reads most before a field is looked at");
  });
  const bool other_blocks = s.process.any(moved);
  if (other_blocks) hand_round(s, saved);
  for (const Saved::Piece& p : saved.pieces) {
    const VariableAccess a = access_of(s, p);
    if (a.group < 0 || (other_blocks && is_interior(p))) continue;
    copy_in(s, a, block_of(s, p, a), p.box, p.data.data());
    note_write(s, p.level, a, Space::host, {s.clock.iteration, -1});
  }
  for (int g = 0; g < s.fields.groups(); ++g) {
    const auto it = saved.plain.find(s.groups[g].full_name());
    if (it == saved.plain.end()) continue;
    const auto bytes = static_cast<std::size_t>(s.fields.elements(g)) * size_of(s.type(g));
    const auto components = s.groups[g].variables.size();
    if (bytes == 0) continue;
    const std::size_t before = it->second.size() / (components * bytes);  // timelevels; components are one by one
    const auto now = static_cast<std::size_t>(std::min(s.groups[g].timelevels, s.fields.buffers(g)));
    for (std::size_t c = 0; c < components; ++c)
      for (std::size_t t = 0; t < std::min(now, before); ++t)
        std::memcpy(s.fields.plain(g, static_cast<int>(c), static_cast<int>(t)),
            it->second.data() + (c * before + t) * bytes, bytes);
  }
}

void gather(Simulation& s, const VariableAccess& a, const std::function<void(const Box&, const char*)>& f) {
  auto& driver = s.services.get<Driver>();
  make_valid(s, 0, {&a, 1}, -1, Space::host);
  for (const BlockHome& home : driver.all_blocks(s.grid, 0)) {
    const Box box = s.grid.levels[0].space.points(home.cells, s.groups[a.group].centre, s.grid.dim);
    std::vector<char> mine;
    if (home.owner == s.process.rank()) {
      mine.resize(static_cast<std::size_t>(box.points()) * size_of(s.type(a.group)));
      copy_out(s, a, local_block(s, home.number), box, mine.data());
    }
    const auto all = driver.gather(mine);
    if (s.process.rank() == 0) f(box, all[static_cast<std::size_t>(home.owner)].data());
  }
}

void scatter(Simulation& s, const VariableAccess& a, const std::function<void(const Box&, char*)>& f) {
  for (const BlockHome& home : s.services.get<Driver>().all_blocks(s.grid, 0)) {
    const Box box = s.grid.levels[0].space.points(home.cells, s.groups[a.group].centre, s.grid.dim);
    std::string data;
    if (s.process.rank() == 0) {
      data.resize(static_cast<std::size_t>(box.points()) * size_of(s.type(a.group)));
      f(box, data.data());
    }
    data = s.process.broadcast(std::move(data));
    if (home.owner == s.process.rank()) copy_in(s, a, local_block(s, home.number), box, data.data());
  }
  note_write(s, 0, a, Space::host, {s.clock.iteration, -1});
}
}  // namespace cereus::view
