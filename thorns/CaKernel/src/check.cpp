#include "check.hpp"

#include <algorithm>
#include <cereus/accelerator.hpp>
#include <cmath>
#include <limits>
#include <span>

#include "host_tile.hpp"
namespace CaKernel {
namespace {
constexpr int width = 8;  // of a box, in points

Offset place(const Layout& l, const Index& i) { return i[0] * l.stride[0] + i[1] * l.stride[1] + i[2] * l.stride[2]; }
char* point(const void* field, const Layout& l, const Index& i, int bytes) {
  return static_cast<char*>(const_cast<void*>(field)) + place(l, i) * bytes;
}
Layout packed(const Box& b) {
  Layout l;
  l.stride = {1, b.extent(0), Offset{1} * b.extent(0) * b.extent(1)};
  return l;
}
std::vector<char> copy_of(
    const Simulation& s, const void* field, const Layout& l, const Box& box, int bytes, Space space) {
  std::vector<char> to(static_cast<std::size_t>(box.points() * bytes));
  const Layout here = packed(box);
  const CopyPiece all{point(field, l, box.lo, bytes), to.data(), {l.stride[1], l.stride[2]},
      {here.stride[1], here.stride[2]}, {box.extent(0), box.extent(1), box.extent(2)}, bytes};
  if (space == Space::host) copy_on_host({&all, 1});
  else s.services.get<Device>().copy(space, Space::host, {&all, 1});
  return to;
}
template <class Real> double largest(const std::vector<char>& a) {
  const std::span values(reinterpret_cast<const Real*>(a.data()), a.size() / sizeof(Real));
  double most = 0;
  for (const Real x : values)
    if (std::isfinite(x)) most = std::max(most, std::abs(double(x)));
  return most;
}
// But for rounding: of the values themselves, and of `cancelled` ones, which differences have subtracted.
template <class Real> bool alike(const std::vector<char>& a, const std::vector<char>& b, double cancelled) {
  const auto *x = reinterpret_cast<const Real*>(a.data()), *y = reinterpret_cast<const Real*>(b.data());
  const double epsilon = std::numeric_limits<Real>::epsilon();
  const double allowed = epsilon * (1000 * largest<Real>(b) + 100 * cancelled);
  for (std::size_t i = 0; i < a.size() / sizeof(Real); ++i)
    if (std::isfinite(x[i]) != std::isfinite(y[i]) || (std::isfinite(y[i]) && std::abs(double(x[i]) - y[i]) > allowed))
      return false;
  return true;
}

// In a box of local coordinates.
bool right_in(const Simulation& s, const StepProgram& p, const HostPlan& plan, const sweep::Arguments& a,
    const Layout& layout, const Box& box, Space space) {
  const int bytes = bytes_of(p);
  Box around = box;
  for (int d = 0; d < 3; ++d)
    around.lo[d] = std::max(box.lo[d] - plan.lo[d], a.readable.lo[d]),
    around.hi[d] = std::min(box.hi[d] + plan.hi[d], a.readable.hi[d]);
  const Layout here = packed(around);
  std::vector<std::vector<char>> in, out(p.fields.size());
  sweep::Arguments on_host = a;
  const Index back{-around.lo[0], -around.lo[1], -around.lo[2]};
  for (std::size_t f = 0; f < p.fields.size(); ++f) {
    in.push_back(copy_of(s, a.in[f], layout, around, bytes, space));
    out[f].resize(in[f].size());
    on_host.in[f] = point(in[f].data(), here, back, bytes), on_host.out[f] = point(out[f].data(), here, back, bytes);
  }
  double cancelled = 0;  // a stable step divides differences by no more than a spacing
  for (const auto& field : in)
    cancelled = std::max(cancelled, bytes == 4 ? largest<float>(field) : largest<double>(field));
  cancelled *= 1 + *std::ranges::max_element(a.g[0].inv_spacing);
  HostTile(p, plan, HostShape(p, plan, box.extent(0), box.extent(1))).sweep(on_host, here, box);
  for (std::size_t f = 0; f < p.fields.size(); ++f) {
    if (p.fields[f].kind == StepProgram::Field::constant || !p.program.stored[f]) continue;
    const auto made = copy_of(s, a.out[f], layout, box, bytes, space),
               want = copy_of(s, on_host.out[f], here, box, bytes, Space::host);
    if (!(bytes == 4 ? alike<float>(made, want, cancelled) : alike<double>(made, want, cancelled))) return false;
  }
  return true;
}
}  // namespace

bool as_on_host(const Simulation& s, const StepProgram& p, Space space) {
  const HostPlan plan = sweep::make_plan<sweep::most_steps>(p.program, 1);
  bool right = true;
  for (int b = 0; b < static_cast<int>(s.grid.blocks.size()); ++b) {
    const sweep::Arguments a = arguments_of(s, p, b, s.grid.blocks[b].cells, space);
    for (int n = 0; n < 9; ++n) {  // eight corners, and the middle
      Box box;
      for (int d = 0; d < 3; ++d) {
        const int size = std::min(width, a.end[d] - a.begin[d]);
        box.lo[d] = n == 8 ? (a.begin[d] + a.end[d] - size) / 2 : (n >> d & 1) ? a.end[d] - size : a.begin[d];
        box.hi[d] = box.lo[d] + size;
      }
      right = right && right_in(s, p, plan, a, s.fields.layout(b), box, space);
    }
  }
  return !s.process.any(!right);
}
}  // namespace CaKernel
