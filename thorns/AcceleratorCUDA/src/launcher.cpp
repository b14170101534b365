#include "launcher.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace AcceleratorCUDA {
using namespace detail;
namespace {
constexpr int pieces(int n, int by) { return (n + by - 1) / by; }
// Threads of a thread block along x and y, about `all` of them, for so many rows of so many vectors: block_x side by
// side, unless others need a tenth fewer warps (129 points are four times 32 and one more).
dim3 tile_of(int vectors, int rows, int all) {
  constexpr int warp = 32, least = 16, most = 64;
  const auto warps = [&](int x, int y) { return Offset{pieces(vectors, x)} * pieces(rows, y) * pieces(x * y, warp); };
  dim3 found(block_x, static_cast<unsigned>(all / block_x));
  Offset fewest = warps(block_x, all / block_x) * 9 / 10;
  for (int tiles = pieces(vectors, most); pieces(vectors, tiles) >= least; ++tiles)
    for (int x = pieces(vectors, tiles), y = 1; x * y <= std::min(all * 5 / 4, device_bound); ++y)
      if (const Offset n = warps(x, y); n < fewest)
        fewest = n, found = dim3(static_cast<unsigned>(x), static_cast<unsigned>(y));
  return found;
}
constexpr bool splits_vectors_in(int dim) { return dim == 3 ? splits_vectors<3> : splits_vectors<2>; }

// DeviceBlocks for so many addresses, as bytes.
template <bool many>
std::vector<char> blocks_of(const Launch& l, const BlockLaunch* on_device, int addresses, int planes) {
  using Blocks = DeviceBlocks<1, many>;
  std::vector<char> bytes(sizeof(Blocks) + static_cast<std::size_t>(addresses) * sizeof(char*));
  auto& d = *new (bytes.data()) Blocks{};
  if constexpr (many) {
    d.blocks = on_device, d.planes = planes;
    std::copy_n(l.geometry, l.geometries, d.geometry);
  } else {
    d.block = l.list.blocks[0];
    d.geometry = l.geometry[d.block.geometry];
  }
  d.row = l.stride[1], d.plane = l.stride[2];
  std::memcpy(bytes.data() + offsetof(Blocks, address), l.address, static_cast<std::size_t>(addresses) * sizeof(char*));
  bytes.resize(sizeof(Blocks) + static_cast<std::size_t>(addresses) * sizeof(char*) - sizeof(char*));
  return bytes;
}
}  // namespace

// Thread blocks over all boxes, where a thread does `lanes` points side by side in each of `planes` planes (rows, in
// 2D).
struct Launcher::Shape {
  dim3 grid, threads;
  int columns, planes_;  // columns: thread blocks along z, for the thickest box
  // rows_of_march: those of a thread block of block_x times as many threads, which marches were measured with.
  Shape(const Launch& l, int dim, int lanes, int planes, unsigned rows_of_march = 0) : planes_(planes) {
    const unsigned rows = rows_of_march ? rows_of_march : block_y;
    int most[3] = {}, vectors = 0;
    for (int n = 0; n < l.list.n_blocks; ++n) {
      const BlockLaunch& b = l.list.blocks[n];
      for (int d = 0; d < 3; ++d) most[d] = std::max(most[d], b.hi[d] - b.lo[d]);
      const int before = (b.lo[0] - b.first[0]) % lanes;
      vectors = std::max(vectors, (before + b.hi[0] - b.lo[0] + lanes - 1) / lanes);
    }
    // A layer along a face across x is a few points wide, and takes more rows instead; one across y takes longer rows.
    const unsigned all = block_x * rows;
    unsigned x = vectors > block_x / 2 ? block_x : vectors < 1 ? 1 : vectors, y = dim == 1 ? 1 : all / x;
    while (y > 1 && static_cast<int>(y) / 2 >= most[1]) y /= 2;
    const bool fills = dim > 1 && x == block_x && y == rows && !rows_of_march;
    if (dim == 1 || (x == block_x && vectors > block_x)) x = all / y;
    if (dim > 1) most[dim - 1] = pieces(most[dim - 1], planes);
    threads = fills ? tile_of(vectors, most[1], static_cast<int>(all)) : dim3(x, y);
    columns = most[2];
    grid =
        dim3((vectors + threads.x - 1) / threads.x, (most[1] + threads.y - 1) / threads.y, columns * l.list.n_blocks);
  }
  static int least(const Launch& l, int axis) {  // points of a box
    int n = l.list.blocks[0].hi[axis] - l.list.blocks[0].lo[axis];
    for (int b = 1; b < l.list.n_blocks; ++b) n = std::min(n, l.list.blocks[b].hi[axis] - l.list.blocks[b].lo[axis]);
    return n;
  }
  EdgeTiles edges(const Launch& l) const {
    EdgeTiles edges{};
    edges.planes = columns;
    if (!l.epilogue->pushed) return edges;
    const int rows[2] = {static_cast<int>(threads.y), planes_};
    const unsigned all[2] = {grid.y, edges.planes};
    for (int d = 0; d < 2; ++d) {
      const int layers = l.epilogue->layers[d + 1], extent = least(l, d + 1);
      if (layers == 0) continue;
      edges.low[d] = (layers + rows[d] - 1) / rows[d];
      edges.high[d] = all[d] - (layers < extent ? (extent - layers) / rows[d] : 0);
    }
    return edges;
  }
};

struct Launcher::Call {
  Queue& queue;
  const DeviceLoops& k;
  const void* kernel;
  const Launch& l;
  const LaunchInfo& info;
  bool many = info.blocks != nullptr;

  template <class... More>
  void start(
      const void* function, dim3 grid, dim3 threads, const std::vector<char>& blocks, const More&... more) const {
    queue.start({function, {grid.x, grid.y, grid.z}, {threads.x, threads.y, threads.z}, 2 + sizeof...(more),
                    {kernel, blocks.data(), &more...},
                    {static_cast<unsigned>(k.kernel_size), static_cast<unsigned>(blocks.size()),
                        static_cast<unsigned>(sizeof more)...}},
        info.who);
  }
  std::vector<char> blocks(int addresses, int planes) const {
    return many ? blocks_of<true>(l, info.blocks, addresses, planes) : blocks_of<false>(l, nullptr, addresses, planes);
  }
};

// What a thread would keep in memory for want of registers.
bool Launcher::spills(const void* function) {
  const auto [place, fresh] = spills_.try_emplace(function, true);
  cudaFuncAttributes a{};
  if (fresh && cudaFuncGetAttributes(&a, function) == cudaSuccess) place->second = a.localSizeBytes > 0;
  return place->second;
}

// Whether there are boxes that such a loop can go through, large enough that fewer threads keep all multiprocessors
// busy (so many thread blocks each: 3D from about 105³ doubles or 130³ floats on, 2D from 1,300² or 1,800²; measured on
// an H200 from 128³ to 168³, and from 1,448² to 2,048²).
bool Launcher::may_march(const Call& c, const Shape& shape) const {
  const int dim = c.k.dim, lanes = c.k.lanes;
  for (int n = 0; n < c.l.list.n_blocks && !splits_vectors_in(dim); ++n) {
    const BlockLaunch& b = c.l.list.blocks[n];
    if ((b.lo[0] - b.first[0]) % lanes != 0 || (b.hi[0] - b.lo[0]) % lanes != 0) return false;
  }
  return dim == 1 ||
         static_cast<Offset>(shape.grid.x) * shape.grid.y * shape.grid.z >= (dim == 3 ? 4 : 12) * multiprocessors_;
}

// Whether so many planes of a loop fit the cache, read and written, twice: once for those that the thread blocks above
// will read again.
bool Launcher::fit_cache(const Call& c, int planes) const {
  const BlockLaunch& b = c.l.list.blocks[0];
  return Offset{2} * planes * c.k.real_size * (b.hi[0] - b.lo[0]) * (b.hi[1] - b.lo[1]) <= cache_bytes_ / 2;
}

bool Launcher::try_march(const Call& c, const DeviceFunctions& f) {
  const int sources = std::min(c.l.epilogue->sources, 2);
  const void* const function = f.march[sources][c.many];
  const March& m = c.k.march[sources];
  const int planes = m.planes_if_large == m.planes || fit_cache(c, m.planes) ? m.planes : m.planes_if_large;
  const Shape shape(c.l, c.k.dim, c.k.lanes, planes, static_cast<unsigned>(m.rows));
  if (spills(function) || !may_march(c, shape)) return false;
  c.start(function, shape.grid, shape.threads, c.blocks(c.k.fused_width(), shape.columns), *c.l.epilogue, planes);
  return true;
}

void Launcher::fused(const Call& c, const DeviceFunctions& f, AxesOf axes) {
  const bool mapped = axes == AxesOf::mapped;
  const Shape shape(c.l, c.k.dim, mapped ? 1 : c.k.lanes, mapped ? fused_planes<MappedAxes> : 1);
  c.start(f.fused[static_cast<int>(axes)][c.many], shape.grid, shape.threads,
      c.blocks(c.k.fused_width(), shape.columns), *c.l.epilogue, shape.edges(c.l));
}

bool Launcher::try_modify(const Call& c, const DeviceFunctions& f) {
  if (spills(f.modify[c.many])) return false;
  const Shape shape(c.l, c.k.dim, c.k.lanes, 1);
  c.start(f.modify[c.many], shape.grid, shape.threads, c.blocks(c.k.handles, shape.columns));
  return true;
}

void Launcher::direct(Call c, const DeviceFunctions& f, AxesOf axes) {
  Shape shape(c.l, c.k.dim, 1, 1);
  const auto points = static_cast<unsigned>(c.k.points[static_cast<int>(axes)]);
  shape.grid.x = (shape.grid.x + points - 1) / points;
  shape.grid.x *= c.k.groups(c.kernel);
  std::vector<std::max_align_t> copy;
  if (c.k.number) {
    copy.resize((static_cast<std::size_t>(c.k.kernel_size) + sizeof copy[0] - 1) / sizeof copy[0]);
    std::memcpy(copy.data(), c.kernel, static_cast<std::size_t>(c.k.kernel_size));
    c.k.number(copy.data()), c.kernel = copy.data();
  }
  c.start(f.direct[static_cast<int>(axes)][c.many], shape.grid, shape.threads, c.blocks(c.k.handles, shape.columns));
}

int Launcher::resident(const void* function) {
  const auto [place, fresh] = resident_.try_emplace(function, reduce_blocks);
  int n = 0;
  if (fresh && cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, function, reduce_threads, 0) == cudaSuccess)
    place->second = std::max(n, 1);
  return place->second;
}

// Leaves the result at LaunchInfo::result.
void Launcher::reduce(const Call& c, const DeviceFunctions& f, AxesOf axes) {
  const void* const function = f.reduce[static_cast<int>(axes)];
  constexpr int most_layers = 32, bricks_each = 4;
  const int across = c.k.dim == 1 ? reduce_threads : 32, rows = reduce_threads / across;
  const int most = std::min(multiprocessors_ * resident(function), c.info.most_partials);
  const int length = c.k.points[static_cast<int>(axes)] * across;
  Offset bricks = 0;  // of one layer
  for (int n = 0; n < c.l.list.n_blocks; ++n) {
    const BlockLaunch& b = c.l.list.blocks[n];
    bricks +=
        Offset{b.hi[0] - b.lo[0] + length - 1} / length * ((b.hi[1] - b.lo[1] + rows - 1) / rows) * (b.hi[2] - b.lo[2]);
  }
  const int layers = static_cast<int>(std::clamp(bricks / (bricks_each * most), Offset{1}, Offset{most_layers}));
  const auto grid = static_cast<unsigned>(std::clamp(bricks, Offset{1}, Offset{most}));
  char *const result = c.info.result, *const partial = grid > 1 ? c.info.partial : result;
  c.start(function, dim3(grid), dim3(static_cast<unsigned>(across), static_cast<unsigned>(rows)),
      c.blocks(c.k.handles, 1), c.l.list.n_blocks, layers, partial);
  if (const int n = static_cast<int>(grid); n > 1)
    queue_.start({f.combine, {1, 1, 1}, {reduce_threads, 1, 1}, 3, {&partial, &n, &result},
                     {sizeof partial, sizeof n, sizeof result}},
        c.info.who);
}

void Launcher::launch(const DeviceLoops& k, const void* kernel, const Launch& l, const LaunchInfo& info) {
  const AxesOf axes = l.stretched && k.has[static_cast<int>(AxesOf::stretched)] ? AxesOf::stretched
                      : l.mapped && k.has[static_cast<int>(AxesOf::mapped)]     ? AxesOf::mapped
                                                                                : AxesOf::uniform;
  const DeviceFunctions& f = k.is_late() ? late_.of(k, axes, info.who) : k.functions;
  const Call c{queue_, k, kernel, l, info};
  if (k.value) return reduce(c, f, axes);
  if (l.epilogue && k.has_fused(axes)) {
    if (axes != AxesOf::uniform || !k.marches || !try_march(c, f)) fused(c, f, axes);
    return;
  }
  if (axes != AxesOf::uniform || !k.modifies || !try_modify(c, f)) direct(c, f, axes);
}
}  // namespace AcceleratorCUDA
