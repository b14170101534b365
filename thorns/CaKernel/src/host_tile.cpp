#include "host_tile.hpp"

#include <algorithm>
#include <cstring>
#ifdef __AVX__
#include <immintrin.h>
#endif
namespace CaKernel {
namespace {
constexpr std::size_t line = 64;
std::size_t up(std::size_t n, std::size_t to) { return (n + to - 1) / to * to; }
// Where a version's first plane begins in its ring: apart modulo a page, so that a store is not mistaken for a load
// beside it.
std::size_t stagger(int version) { return static_cast<std::size_t>(version) * 17 % 32 * line; }

Box box_of(const sweep::Extent& e) { return {{e.lo[0], e.lo[1], e.lo[2]}, {e.hi[0], e.hi[1], e.hi[2]}}; }

// Past the caches, where whole lines go: nobody reads it soon.
void write_past(char* to, const char* from, std::size_t bytes) {
#ifdef __AVX__
  const std::size_t head = std::min(bytes, (line - reinterpret_cast<std::uintptr_t>(to) % line) % line);
  std::memcpy(to, from, head), to += head, from += head, bytes -= head;
  for (; bytes >= line; to += line, from += line, bytes -= line)
    for (std::size_t n = 0; n < line; n += 32)
      _mm256_stream_si256(
          reinterpret_cast<__m256i*>(to + n), _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + n)));
#endif
  std::memcpy(to, from, bytes);
}
}  // namespace

HostShape::HostShape(const StepProgram& p, const HostPlan& plan, int points, int rows)
    : width(points + plan.lo[0] + plan.hi[0]),
      height(p.program.dim == 3 ? rows + plan.lo[1] + plan.hi[1] : 1) {
  const auto element = static_cast<std::size_t>(bytes_of(p)), page = Ring::page();
  std::size_t pitch = up(static_cast<std::size_t>(width) * element, line);
  if (pitch % page == 0) pitch += line;  // rows of a plane in different sets of a cache
  const std::size_t whole = up(pitch * static_cast<std::size_t>(height) + 32 * line, page);
  row = static_cast<Offset>(pitch / element), plane = static_cast<Offset>(whole / element);
  for (int v = 0; v < plan.versions; ++v)
    bytes += (pitch * static_cast<std::size_t>(height)) * static_cast<std::size_t>(plan.version[v].keep + 1);
}

HostTile::HostTile(const StepProgram& p, const HostPlan& plan, const HostShape& shape)
    : program_(p),
      plan_(plan),
      shape_(shape),
      dim_(p.program.dim),
      stream_(std::max(1, dim_ - 1)),
      bytes_(static_cast<std::size_t>(bytes_of(p))) {
  for (int v = 0; v < plan.versions; ++v)
    ring_.emplace_back(
        static_cast<std::size_t>(shape.plane) * bytes_ * static_cast<std::size_t>(plan.version[v].keep + 1));
}

// A point of a version; the planes down to `below` below it lie in front of it, and those above it behind it.
char* HostTile::at(int v, int x, int y, int plane, int below) const {
  const int planes = plan_.version[v].keep + 1;
  int slot = (plane % planes + planes) % planes;
  if (slot < below) slot += planes;
  const Offset n = slot * shape_.plane + (dim_ == 3 ? (y - box_.lo[1] + plan_.lo[1]) * shape_.row : 0) + x -
                   box_.lo[0] + plan_.lo[0];
  return ring_[v].begin() + stagger(v) + n * static_cast<Offset>(bytes_);
}
char* HostTile::memory(void* field, int x, int y, int plane) const {
  const Offset n = x + (dim_ == 3      ? y * layout_->stride[1] + plane * layout_->stride[2]
                           : dim_ == 2 ? plane * layout_->stride[1]
                                       : 0);
  return static_cast<char*>(field) + n * static_cast<Offset>(bytes_);
}

// Points of a version, in a plane, that are right in this tile and lie in memory.
Box HostTile::covered(int v, int plane) const {
  Box b = box_;
  for (int d = 0; d < dim_; ++d)
    b.lo[d] -= plan_.lo[d] - plan_.version[v].lo[d], b.hi[d] += plan_.hi[d] - plan_.version[v].hi[d];
  return in_plane(intersect(b, box_of(a_->readable)), plane);
}
Box HostTile::in_plane(Box b, int plane) const {
  if (dim_ > 1) b.lo[stream_] = std::max(b.lo[stream_], plane), b.hi[stream_] = std::min(b.hi[stream_], plane + 1);
  return b;
}

// Calls f(y, bytes) for the rows of a box that lies in a plane.
template <class F> void HostTile::for_each_row(const Box& b, F&& f) const {
  if (b.empty()) return;
  for (int y = dim_ == 3 ? b.lo[1] : 0; y < (dim_ == 3 ? b.hi[1] : 1); ++y)
    f(y, static_cast<std::size_t>(b.extent(0)) * bytes_);
}

void HostTile::load(int v, int plane, const Box& b) {
  void* const field = const_cast<void*>(a_->in[plan_.version[v].field]);
  for_each_row(b, [&](int y, std::size_t bytes) {
    std::memcpy(at(v, b.lo[0], y, plane), memory(field, b.lo[0], y, plane), bytes);
  });
}

void HostTile::apply(int m, int plane) {
  const int s = m % program_.program.stages;
  const auto& stage = program_.program.stage[s];
  const auto& node = plan_.node[m];
  Box changed{};
  for (int h = 0; h < stage.handles; ++h) {
    if (stage.use[h].mode == Mode::read) continue;
    const int v = node.writes[h];
    const Box all = covered(v, plane);
    if (all.empty()) return;
    changed = intersect(all, box_of(a_->changing[s]));
    if (changed != all)  // the rest stays what it is in memory
      for (const Box& rest : difference(all, changed)) load(v, plane, rest);
    if (stage.use[h].mode == Mode::update)
      for_each_row(changed, [&](int y, std::size_t bytes) {
        std::memcpy(at(v, changed.lo[0], y, plane), at(node.reads[h], changed.lo[0], y, plane), bytes);
      });
  }
  if (!changed.empty()) run(m, plane, changed);
}

// The loop of a stage over points of a plane; across a periodic axis points have the indices of those that they repeat.
void HostTile::run(int m, int plane, const Box& box) {
  const int s = m % program_.program.stages, n = m / program_.program.stages % program_.program.substeps;
  const auto& stage = program_.program.stage[s];
  const auto& substep = program_.program.substep[n];
  const auto& node = plan_.node[m];
  const auto& table = *program_.stages[s].table;
  char* address[sweep::most_handles * (1 + Epilogue::addresses)] = {};
  int output = 0;
  for (int h = 0; h < stage.handles; ++h) {
    const auto& use = stage.use[h];
    const int below = dim_ > 1 ? use.lo[stream_] : 0;
    const auto point = [&](int v) { return at(v, box_.lo[0] - plan_.lo[0], box_.lo[1] - plan_.lo[1], plane, below); };
    if (use.mode == Mode::read) address[h] = point(node.reads[h]);
    else if (!stage.integrates) address[h] = point(node.writes[h]);
    else {
      char** const to = address + stage.handles + output++ * Epilogue::addresses;
      to[0] = point(node.writes[h]);
      for (int i = 0; i < substep.sources; ++i) to[1 + i] = point(node.sources[h][i]);
    }
  }
  Epilogue epilogue{.sources = substep.sources, .b = a_->b[n]};
  std::copy_n(a_->a[n], substep.sources, epilogue.a);
  BlockLaunch b{};
  const Launch launch{{&b, 1}, address,
      {1,
          dim_ == 3   ? shape_.row
          : dim_ == 2 ? shape_.plane
                      : 0,
          dim_ == 3 ? shape_.plane : 0},
      &a_->g[s], 1, stage.integrates ? &epilogue : nullptr};
  const bool placed = table.looks_where_it_is();
  // Pieces of the box, from low to high along each axis, whose indices need the same shift.
  Index lo = box.lo, hi = lo, shift{};
  const auto piece = [&](auto&& self, int d) -> void {
    if (d == 3) {
      for (int e = 0; e < 3; ++e) {
        const int origin = e == stream_ && dim_ > 1 ? plane : e < dim_ ? box_.lo[e] - plan_.lo[e] : 0;
        b.first[e] = a_->first[e] + origin + shift[e], b.lo[e] = a_->first[e] + lo[e] + shift[e],
        b.hi[e] = a_->first[e] + hi[e] + shift[e];
      }
      return table.loop(launch)(table.kernel.get(), launch);
    }
    const int first = a_->period.lo[d] - a_->first[d], last = a_->period.hi[d] - a_->first[d], period = last - first;
    for (int from = box.lo[d]; from < box.hi[d]; from = hi[d]) {
      const int side = !placed ? 0 : from < first ? 1 : from >= last ? -1 : 0;
      lo[d] = from, shift[d] = side * period;
      hi[d] = !placed || side < 0 ? box.hi[d] : std::min(box.hi[d], side > 0 ? first : last);
      self(self, d + 1);
    }
  };
  piece(piece, 0);
}

void HostTile::store(int v, int plane) const {
  const int f = plan_.version[v].field;
  const Box b = in_plane(intersect(box_, box_of(a_->stored[f])), plane);
  for_each_row(b, [&](int y, std::size_t bytes) {
    write_past(memory(a_->out[f], b.lo[0], y, plane), at(v, b.lo[0], y, plane), bytes);
  });
}

void HostTile::sweep(const sweep::Arguments& a, const Layout& layout, const Box& box) {
  a_ = &a, layout_ = &layout, box_ = box;
  const int along = dim_ > 1 ? stream_ : 2;  // in 1D: an axis of one plane
  const int begin = box.lo[along] - (dim_ > 1 ? plan_.lo[stream_] : 0),
            end = box.hi[along] + (dim_ > 1 ? plan_.lag : 0);
  for (int k = begin; k < end; ++k) {
    for (int v = 0; v < plan_.loaded; ++v) load(v, k, covered(v, k));
    for (int m = 0; m < plan_.nodes; ++m) apply(m, k - plan_.node[m].lag);
    for (int v = plan_.loaded; v < plan_.versions; ++v)
      if (plan_.version[v].last && program_.program.stored[plan_.version[v].field]) store(v, k - plan_.version[v].lag);
  }
#ifdef __AVX__
  _mm_sfence();  // what went past the caches is there before another thread asks
#endif
}
}  // namespace CaKernel
