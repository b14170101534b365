#include "run/regrid.hpp"

#include <algorithm>
#include <cstring>

#include "exec/background.hpp"
#include "exec/bin.hpp"
#include "exec/rebuild.hpp"
#include "exec/timed.hpp"

namespace cereus {
std::vector<CopyPiece> contiguous(const char* from, char* to, std::size_t bytes) {
  constexpr std::size_t unit = 16,
                        most = std::size_t{1} << 34;  // bytes of an element; of a piece, whose extent is an int
  std::vector<CopyPiece> all;
  for (std::size_t at = 0; at < bytes; at += most)
    all.push_back({from + at, to + at, {}, {}, {static_cast<int>(std::min(bytes - at, most) / unit), 1, 1}, unit});
  return all;
}

void put_axes_on_device(Simulation& s) {
  auto* device = s.services.find<Device>();
  for (Level& l : s.grid.levels) {
    if (!device || !l.space.tables) continue;
    auto& values = l.space.tables->values;
    const int n = static_cast<int>(values.size());
    l.space.tables->device = device->allocate(values.size() * sizeof(double), "coordinates of stretched axes");
    const CopyPiece all{
        reinterpret_cast<char*>(values.data()), l.space.tables->device.get(), {}, {}, {n, 1, 1}, sizeof(double)};
    device->copy(Space::host, Space::device, {&all, 1});
    device->wait();
  }
}

namespace {
// All processes, or none, go on: one that finds no memory for its blocks says so before others send it any.
void make_room(Simulation& s) {
  auto* device = s.services.find<Device>();
  const auto allocate = [&](std::size_t bytes, const std::string& group) { return device->allocate(bytes, group); };
  const auto copy = [&](Space space, const char* from, char* to, std::size_t bytes) {
    if (space == Space::host) {
      std::memcpy(to, from, bytes);
      return;
    }
    device->copy(space, space, contiguous(from, to, bytes));
    device->wait();  // before the old memory goes
  };
  s.process.agree([&] {
    put_axes_on_device(s);
    s.fields.regrid(s.groups, s.grid, allocate, copy);
  });
}

void change(Simulation& s, Grid now) {
  wait_for_all(s);
  for (std::size_t l = 0; l < now.levels.size(); ++l)
    now.levels[l].clock = s.grid.levels[std::min(l, s.grid.levels.size() - 1)].clock;
  now.epoch = s.grid.epoch + 1;
  s.grid = std::move(now);
  make_room(s);
  for (int g = 0; g < static_cast<int>(s.groups.size()); ++g)
    if (s.groups[g].kind == GroupKind::grid_function) s.fields.invalidate(g, {s.clock.iteration, regridded});
  s.services.grid_changed(s);
  if (s.background) s.background->grid_changed(s);
}
}  // namespace

void change_grid(Simulation& s, const std::string& blocks) { change(s, make_grid_of(s, blocks)); }

namespace {
// Timelevels of grid functions whose interior has values on all levels, in one space: on the device, if it can be; with
// ghost zones, which new blocks are interpolated from, too.
std::vector<Driver::Values> worth_carrying(Simulation& s, Space space) {
  std::vector<Driver::Values> list;
  std::vector<VariableAccess> read;
  for (int g = 0; g < static_cast<int>(s.groups.size()); ++g) {
    const Group& group = s.groups[g];
    const bool of_a_stage = group.evolves >= 0 || !group.fluxes_of.empty();  // computed anew in the next
    if (group.kind != GroupKind::grid_function || of_a_stage) continue;
    for (int c = 0; c < static_cast<int>(group.variables.size()); ++c)
      for (int t = 0; t < std::min(group.timelevels, s.fields.buffers(g)); ++t) {
        bool valid = true;
        bool constant = false;
        for (int l = 0; l < static_cast<int>(s.grid.levels.size()); ++l) {
          const Validity& v = s.fields.validity(g, c, t, l);
          valid = valid && (v[Space::host].interior || v[Space::device].interior);
          constant = constant || v[Space::host].constant || v[Space::device].constant;
        }
        if (!valid) continue;
        if (constant)
          throw Failure(s.variable_name(g, c) +
                        " keeps the values of its outer boundary, which do not go along when blocks change; give it "
                        "another condition in Boundary");
        read.push_back({g, c, t, Mode::read, Region::interior, s.grid.ghosts[0], true, true});
        list.push_back({g, c, t});
      }
  }
  make_valid(s, s.grid.all(), read, -1, space);
  return list;
}
}  // namespace

bool regrid(Simulation& s, int iteration) {
  auto& driver = s.services.get<Driver>();
  if (!driver.adapts(iteration)) return false;
  run_bin(s, "regrid", s.grid.all());
  const char* const timer = iteration > 0 ? "changes of blocks" : "first blocks";
  const Space space = kernel_space(s);
  std::vector<Driver::Values> carried;
  auto now = timed(s, timer, [&] { return driver.adapt(s, [&] { carried = worth_carrying(s, space); }); });
  if (!now) return false;
  timed(s, timer, [&] {
    const Grid before = s.grid;
    change(s, std::move(*now));
    driver.transfer(s, before, carried, space);
    for (const auto& v : carried)
      for (int l = 0; l < static_cast<int>(s.grid.levels.size()); ++l)
        s.fields.validity(v.group, v.component, v.timelevel, l).wrote_interior(space, {s.clock.iteration, regridded});
  });
  run_bin(s, "basegrid", s.grid.all());
  run_bin(s, "postregrid", s.grid.all());
  return true;
}
}  // namespace cereus
