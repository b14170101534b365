// A simulation of a thorn's own, beside the run.
#include "cereus/beside.hpp"

#include <algorithm>
#include <iterator>

namespace cereus {
Simulation beside(
    const Simulation& s, const Process& process, std::shared_ptr<Driver> driver, std::vector<Group> groups, int width) {
  Simulation b;
  b.process = process;
  b.name = s.name, b.real = s.real, b.clock = s.clock, b.overlap = s.overlap;
  b.grid = driver->make_grid(width, process);
  for (const Group& g : groups) {
    b.groups.push_back(g);
    b.groups.back().first_variable = static_cast<int>(b.variables.size());
    for (int c = 0; c < static_cast<int>(g.variables.size()); ++c)
      b.variables.push_back({g.thorn + "::" + g.variables[c], static_cast<int>(b.groups.size()) - 1, c});
  }
  b.fields = Fields(b.groups, std::vector<int>(groups.size(), 1), b.grid, b.real, true);
  b.services.add(Driver::service_name, driver);
  if (const auto device = s.services.shared<Device>()) {
    b.services.add(Device::service_name, device);
    b.services.add(Accelerator::service_name, s.services.shared<Accelerator>());
    b.fields.allocate_on_device(
        b.groups, [&](std::size_t bytes, const std::string& group) { return device->allocate(bytes, group); });
  }
  driver->prepare(b);
  return b;
}

namespace beside_run {
Grid BoxDriver::make_grid(int, const Process&) {
  Grid g;
  g.dim = dim;
  Level level;
  level.space = space;
  Block all;
  all.cells = space.cells;
  g.add(level, {all});
  return g;
}

void launch_on(Simulation& s, const Run& r) {
  const Space space = space_of(s, r.table);
  Handles mine;
  std::ranges::copy_if(r.handles, std::back_inserter(mine), [](const auto& a) { return !a.elsewhere; });
  make_valid(s, 0, mine, -1, space);
  LaunchRequest request{.table = &r.table,
      .handles = r.handles,
      .result = r.result,
      .other = r.other,
      .who = "a kernel on a grid beside the run"};
  if (r.boxes) launch(s, request, *r.boxes);
  else {
    request.list = interiors(s, 0, s.groups[mine.front().group].centre).list();
    launch(s, request);
  }
  for (const VariableAccess& a : mine)
    if (a.mode != Mode::read)
      s.fields.validity(a.group, a.component, a.timelevel, 0).wrote_interior(space, {s.clock.iteration, -1});
}

Elsewhere seen(const Simulation& s, int block) {
  if (s.grid.blocks.empty()) return {};  // nothing is launched
  const Layout& l = s.fields.layout(block);
  return {s.fields.offset(block), {l.stride[0], l.stride[1], l.stride[2]}, {l.first[0], l.first[1], l.first[2]}};
}

void collect(Simulation& alone, const VariableAccess& v, Simulation& run, Driver& driver, const Grid& grid,
    const std::function<Box(const BlockHome&)>& points_of) {
  const auto size = size_of(alone.type(v.group));
  const VariableAccess all[] = {{v.group, v.component}};
  make_valid(alone, 0, all, -1, Space::host);
  const auto rows = [&](const BlockHome& b, auto&& f) {
    const Box box = points_of(b);
    for (int k = box.lo[2]; k < box.hi[2]; ++k)
      for (int j = box.lo[1]; j < box.hi[1]; ++j)
        f(alone.fields.address(v.group, v.component, 0, 0) +
                alone.fields.layout(0).at(box.lo[0], j, k) * static_cast<Offset>(size),
            static_cast<std::size_t>(box.extent(0)) * size);
  };
  const auto blocks = driver.all_blocks(grid, 0);
  std::vector<char> mine;
  for (const BlockHome& b : blocks)
    if (b.owner == run.process.rank())
      rows(b, [&](char* row, std::size_t n) { mine.insert(mine.end(), row, row + n); });
  std::string text;
  for (const auto& part : driver.gather(mine)) text.append(part.begin(), part.end());
  text = run.process.broadcast(std::move(text));
  const char* from = text.data();
  for (int owner = 0; owner < run.process.size(); ++owner)
    for (const BlockHome& b : blocks)
      if (b.owner == owner) rows(b, [&](char* row, std::size_t n) { std::copy_n(from, n, row), from += n; });
  alone.fields.validity(v.group, v.component, 0, 0).wrote_interior(Space::host, {});
}
}  // namespace beside_run
}  // namespace cereus
