// What solvers launch: kernels on a simulation of their own beside the run, which may read another one.
#pragma once
#include <cereus/simulation.hpp>

#include <algorithm>
#include <iterator>

#include "near.hpp"
namespace Elliptic {
using Handles = std::vector<VariableAccess>;
// A component of group `work` of a solver's simulation, read around a point, or written. What lies outside the domain
// is not used.
inline constexpr int work = 0, coefficients = 1;  // of these a group for each axis, and one for b
inline VariableAccess reading(int component, int reach = 0, bool corners = false) {
  return {work, component, 0, Mode::read, Region::interior, reach, corners, true};
}
inline VariableAccess writing(int component) { return {work, component, 0, Mode::write}; }
inline VariableAccess changing(int component) { return {work, component, 0, Mode::update}; }
inline VariableAccess from_elsewhere(VariableAccess a) { return a.elsewhere = true, a; }
inline Handles coefficients_of(int reach, bool corners) {
  Handles handles;
  for (int c = 0; c < 4; ++c)
    handles.push_back({coefficients + c, 0, 0, Mode::read, Region::interior, reach, corners, true});
  return handles;
}
// What a kernel reads first, then coefficients if there are any, then what it writes.
template <int form> Handles with_coefficients(Handles in, const Handles& out) {
  if (form == variable)
    for (const auto& c : coefficients_of(1, false)) in.push_back(c);
  in.insert(in.end(), out.begin(), out.end());
  return in;
}

// Runs a kernel on boxes, or on all points: makes valid what it reads, and notes what it writes. Variables that
// lie elsewhere are those of `other`, and the caller has made them valid.
struct Run {
  const KernelTable& table;
  Handles handles;
  void* result = nullptr;
  const Simulation* other = nullptr;
  const BlockBoxes* boxes = nullptr;
};
inline void launch_on(Simulation& s, const Run& r) {
  const Space space = space_of(s, r.table);
  Handles mine;
  std::ranges::copy_if(r.handles, std::back_inserter(mine), [](const auto& a) { return !a.elsewhere; });
  make_valid(s, 0, mine, -1, space);
  LaunchRequest request{
      .table = &r.table, .handles = r.handles, .result = r.result, .other = r.other, .who = "Elliptic"};
  if (r.boxes) launch(s, request, *r.boxes);
  else {
    request.list = interiors(s, 0, s.groups[mine.front().group].centre).list();
    launch(s, request);
  }
  for (const VariableAccess& a : mine)
    if (a.mode != Mode::read)
      s.fields.validity(a.group, a.component, a.timelevel, 0).wrote_interior(space, {s.clock.iteration, -1});
}
// A block of a grid as a kernel on another one sees it.
inline Elsewhere seen(const Simulation& s, int block) {
  const Layout& l = s.fields.layout(block);
  return {s.fields.offset(block), {l.stride[0], l.stride[1], l.stride[2]}, {l.first[0], l.first[1], l.first[2]}};
}
// Each process has what a variable is at points of its blocks, points_of(block): then each has all of it, in the only
// block of a simulation `alone`. Collective; `driver` knows the blocks of all processes.
template <class PointsOf>
void collect(Simulation& alone, const VariableAccess& v, Simulation& run, Driver& driver, const Grid& grid,
    PointsOf&& points_of) {
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
}  // namespace Elliptic
