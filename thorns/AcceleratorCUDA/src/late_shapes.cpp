// Which shape of thread blocks a kernel takes that says `late`: each is tried on the blocks of a level, before there is
// anything in them, so that the next writer finds them as they were, NaN.
#include <cereus/console.hpp>
#include <cereus/hash.hpp>
#include <cereus/simulation.hpp>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

#include "late_kernels.hpp"

namespace AcceleratorCUDA {
namespace {
constexpr double never = std::numeric_limits<double>::infinity();

// The first is what the others are compared with. Registers of a thread: 255, 168 or 128 where there are many
// operations, in float also 102 or 85; else 64. Kernels that share faces do so always, because bits may depend on it.
std::vector<Shape> candidates(const KernelTable& t) {
  const bool shares = t.shares_faces && t.dim == 3, marches = t.dim == 3 && !t.large;
  const int least = t.large ? 256 : 1024, most = !t.large ? 1024 : t.type == ScalarType::float32 ? 768 : 512;
  std::vector<Shape> list;
  for (const int march : shares ? std::vector{32} : marches ? std::vector{1, 8, 32} : std::vector{1})
    for (const auto& [x, y] :
        std::initializer_list<std::array<int, 2>>{{128, 2}, {32, 4}, {32, 8}, {64, 2}, {64, 4}, {32, 16}, {64, 8}})
      for (int blocks = least / (x * y); blocks <= most / (x * y); ++blocks)
        if (blocks > 0) list.push_back({x, y, 1, 128, 32, blocks, march, shares});
  return list;
}
std::string text_of(const Shape& s) {
  return std::to_string(s.x) + " × " + std::to_string(s.y) + " threads, " + std::to_string(s.blocks) +
         " blocks a multiprocessor" + (s.march > 1 ? ", march " + std::to_string(s.march) : "");
}
std::string path(const std::string& folder, const std::string& key) {
  return (std::filesystem::path(folder) / (key + ".shape")).string();
}
const Shape* recall(
    const Process& process, const std::string& folder, const std::string& key, const std::vector<Shape>& possible) {
  std::ostringstream kept;
  if (process.rank() == 0 && !folder.empty()) kept << std::ifstream(path(folder, key)).rdbuf();
  const std::string text = process.broadcast(kept.str());
  const auto found = std::ranges::find(possible, text, text_of);
  return found == possible.end() ? nullptr : &*found;
}
// The interiors of the blocks that are of the level and size of the first, on the device, too: small blocks alone do
// not fill it.
struct Interiors {
  LaunchBoxes boxes;
  std::shared_ptr<char> on_device;
  Interiors(const Simulation& s, const std::array<Centre, 3>& centre, Device& device) {
    BlockBoxes all;
    const auto interior = [&](int n) { return BlockBox{n, s.grid.points(s.grid.blocks[n], centre)}; };
    for (int n = 0; n < static_cast<int>(s.grid.blocks.size()) && all.size() < most; ++n)
      if (s.grid.blocks[n].level == s.grid.blocks[0].level && same_size(interior(n).box, interior(0).box))
        all.push_back(interior(n));
    boxes = LaunchBoxes(s, all);
    const std::size_t bytes = boxes.blocks.size() * sizeof(BlockLaunch);
    on_device = device.allocate(bytes, "boxes of the blocks");
    check(cudaMemcpy(on_device.get(), boxes.blocks.data(), bytes, cudaMemcpyHostToDevice), "trying shapes");
  }
  const BlockLaunch* several() const {
    return boxes.blocks.size() > 1 ? reinterpret_cast<const BlockLaunch*>(on_device.get()) : nullptr;
  }
  static bool same_size(const Box& a, const Box& b) {
    return a.extent(0) == b.extent(0) && a.extent(1) == b.extent(1) && a.extent(2) == b.extent(2);
  }
  static constexpr std::size_t most = 1024;
};
// Of the update with which shapes are tried: one from the state and from another buffer.
Sum sum_of(const Routine& r) { return {r.fused.empty() ? 0 : 2}; }
}  // namespace

std::string LateKernels::key_of(const Simulation& s, const KernelTable& t) const {
  const Layout& l = s.fields.layout(0);
  std::string key =
      source_of(t, "", l.stride[1], l.stride[2], {}, candidates(t).front(), axes_of(t, false)) + device_.architecture();
  for (const auto& [name, text] : headers_of(t.source)) key += name + text;
  for (int d = 0; d < s.grid.dim; ++d) key += " " + std::to_string(s.grid.levels[0].space.cells.extent(d));
  return hash_of(key + " on " + std::to_string(s.process.size()));
}

void LateKernels::choose(const Simulation& s) {
  const Layout& l = s.fields.layout(0);
  std::vector<std::pair<const Routine*, std::vector<Late>>> trials;
  for (const Routine& r : s.routines) {
    if (!r.is_kernel || !r.table->tries_shapes || shapes_.contains(identity(*r.table))) continue;
    const std::vector<Shape> possible = candidates(*r.table);
    Shape& shape = shapes_[identity(*r.table)] = possible.front();
    if (const Shape* known = recall(s.alike, compiler_.folder, key_of(s, *r.table), possible)) {
      shape = *known;
      continue;
    }
    auto& [routine, list] = trials.emplace_back(&r, std::vector<Late>{});
    for (const Shape& tried : possible)
      list.push_back(compile(*r.table, l.stride[1], l.stride[2], sum_of(r), tried, axes_of(*r.table, false)));
  }
  for (auto& [r, list] : trials) {
    const std::vector<Shape> possible = candidates(*r->table);
    std::vector<double> times;
    for (Late& late : list) times.push_back(milliseconds(s, late, *r));
    for (double& t : times) {
      if (s.two_kinds) break;  // others have no such kernel; each device then has its own choice
      s.services.get<Driver>().combine_over_processes(&t, sizeof t, [](void* a, const void* b) {
        *static_cast<double*>(a) = std::max(*static_cast<double*>(a), *static_cast<const double*>(b));
      });
    }
    const auto best = static_cast<std::size_t>(std::ranges::min_element(times) - times.begin());
    shapes_[identity(*r->table)] = possible[best];
    if (s.alike.rank() != 0) continue;
    if (!compiler_.folder.empty())
      CaKernel::write_whole(path(compiler_.folder, key_of(s, *r->table)), text_of(possible[best]));
    char ratio[16];
    std::snprintf(ratio, sizeof ratio, "%.2f", times[best] / times[0]);
    console::say(r->name + ": " + text_of(possible[best]) + "; the fastest of " + std::to_string(possible.size()) +
                 ", in " + ratio + " of the time of " + text_of(possible[0]));
  }
}

double LateKernels::milliseconds(const Simulation& s, Late& late, const Routine& r) {
  load(late, r.name);
  if (late.loaded.blocks == 0) return never;
  const VariableAccess& output = r.accesses.back();
  const int level = s.grid.blocks[0].level;
  const Interiors interiors(s, s.groups[output.group].centre, device_);
  const Epilogue update{.sources = sum_of(r).sources, .b = 1};
  std::vector<char*> address;
  for (const auto& a : r.accesses) {
    const bool fused = a.mode != Mode::read && !r.fused.empty();  // then it has no memory of its own
    address.push_back(fused ? nullptr : s.fields.slab(a.group, a.component, a.timelevel, level, Space::device));
  }
  for (const auto& a : r.accesses) {
    if (a.mode == Mode::read) continue;
    const int state = r.fused.empty() ? a.group : s.groups[a.group].evolves;
    const int buffers = s.fields.buffers(state);
    for (int n = 0; n < Epilogue::addresses; ++n)
      address.push_back(
          s.fields.slab(state, a.component, n == 0 ? buffers - 1 : std::min(n - 1, buffers - 1), level, Space::device));
  }
  const Layout& layout = s.fields.layout(0);
  const Geometry geometry = s.grid.levels[level].space.geometry(s.groups[output.group].centre, {}, Space::device);
  Launch l{interiors.boxes.list(), address.data(), {1, layout.stride[1], layout.stride[2]}, &geometry};
  l.epilogue = &update;
  cudaEvent_t begin = nullptr, end = nullptr;
  check(cudaEventCreate(&begin), "trying shapes"), check(cudaEventCreate(&end), "trying shapes");
  constexpr int launches = 3;
  start(late, *r.table, l, interiors.several(), r.name.c_str());
  check(cudaEventRecord(begin, queue_.stream()), "trying shapes");
  for (int n = 0; n < launches; ++n) start(late, *r.table, l, interiors.several(), r.name.c_str());
  check(cudaEventRecord(end, queue_.stream()), "trying shapes");
  check(cudaEventSynchronize(end), "trying shapes");
  float time = 0;
  check(cudaEventElapsedTime(&time, begin, end), "trying shapes");
  cudaEventDestroy(begin), cudaEventDestroy(end);
  return time / launches;
}
}  // namespace AcceleratorCUDA
