// Boxes of what fields hold, on their way to and from the program.
#include "exec/valid.hpp"
#include "view/session.hpp"

namespace cereus::view {
namespace {
CopyPiece packing(Simulation& s, const VariableAccess& a, int block, const Box& box, char* packed) {
  const Layout& l = s.fields.layout(block);
  return {address(s, a, block, box.lo), packed, {l.stride[1], l.stride[2]},
      {box.extent(0), Offset{box.extent(0)} * box.extent(1)}, {box.extent(0), box.extent(1), box.extent(2)},
      static_cast<int>(size_of(s.type(a.group)))};
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
