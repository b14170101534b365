// Carries out lists on a device as move_on_host, interpolate_on_host and correct_on_host do, sums in the same order.
#include "values.hpp"

namespace Forest {
namespace {
// The entry that the part of this thread block belongs to: a table behind the list says which.
template <class Entry> __device__ __forceinline__ const Entry& entry_of(const Entry* __restrict__ list, int entries) {
  return list[reinterpret_cast<const unsigned*>(list + entries)[blockIdx.x]];
}

template <class Entry, class F> __device__ __forceinline__ void each_point(const Entry& p, F&& f) {
  const unsigned nx = p.extent[0], ny = p.extent[1], points = nx * ny * p.extent[2];
  const unsigned first = (blockIdx.x - p.first_part) * points_a_part, end = min(first + points_a_part, points);
  for (unsigned e = first + threadIdx.x; e < end; e += threads) {
    const unsigned row = e / nx, i = e - row * nx, k = row / ny, j = row - k * ny;
    f(i, j, k);
  }
}

// f(a value of the kind).
template <class F> __device__ __forceinline__ void with_kind(int kind, F&& f) {
  switch (static_cast<Scalar>(kind & (of_cells - 1))) {
    case Scalar::float32: return f(float{});
    case Scalar::float64: return f(double{});
    case Scalar::complex64: return f(complex<float>{});
    case Scalar::complex128: return f(complex<double>{});
    case Scalar::int32: return f(int{});
  }
}

// All that a thread reads is under way before it stores anything.
template <class T> __device__ __forceinline__ void copy(const Piece& p, const Bases& bases, const T* from, T* to) {
  constexpr int each = points_a_part / threads;
  const unsigned nx = p.extent[0], ny = p.extent[1], points = nx * ny * p.extent[2];
  const unsigned first = (blockIdx.x - p.first_part) * points_a_part + threadIdx.x;
  T value[each];
  int at[each];
#pragma unroll
  for (int n = 0; n < each; ++n) {
    const unsigned e = first + n * threads;
    if (e >= points) continue;
    const unsigned row = e / nx, i = e - row * nx, k = row / ny, j = row - k * ny;
    value[n] = from[i * p.from_stride[0] + j * p.from_stride[1] + k * p.from_stride[2]];
    at[n] = static_cast<int>(i + j * p.to_stride[0] + k * p.to_stride[1]);
  }
#pragma unroll
  for (int n = 0; n < each; ++n)
    if (first + n * threads < points) to[at[n]] = mirrored(p, bases, value[n]);
}

template <class T> __device__ __forceinline__ void move(const Piece& p, const Bases& bases) {
  const T* __restrict__ from = reinterpret_cast<const T*>(bases.at[p.from_place]) + p.from;
  T* __restrict__ to = reinterpret_cast<T*>(bases.at[p.to_place]) + p.to;
  if constexpr (!whole_number<T>)
    if (p.from_place == bases.summed)
      return each_point(p, [&](unsigned i, unsigned j, unsigned k) {
        const T value = sum_of<T>(bases, p.from + i * p.from_stride[0] + j * p.from_stride[1] + k * p.from_stride[2]);
        to[i + j * p.to_stride[0] + k * p.to_stride[1]] = mirrored(p, bases, value);
      });
  if (!is_mean(p)) return copy(p, bases, from, to);
  each_point(p, [&](unsigned i, unsigned j, unsigned k) {
    const T* first = from + i * p.from_stride[0] + j * p.from_stride[1] + k * p.from_stride[2];
    to[i + j * p.to_stride[0] + k * p.to_stride[1]] = mirrored(p, bases, mean_of(p, first));
  });
}

__global__ void __launch_bounds__(threads)
    move_pieces(const Piece* list, int entries, int kind, const __grid_constant__ Batch batch) {
  const Piece p = entry_of(list, entries);
  const Bases& bases = batch.variable[blockIdx.y];
  with_kind(kind, [&](auto value) { move<decltype(value)>(p, bases); });
}

template <class T, class F>
__device__ __forceinline__ T weigh(const Along& a, const double* __restrict__ weights, F&& value) {
  if (a.points == 1) return value(a.first);
  const double* const weight = weights + a.weight;
  using Real = typename Parts<T>::Real;
  T sum{};
  if (a.points % 2 == 0 && weight[0] == weight[a.points - 1]) {
    for (int m = a.points / 2 - 1; m >= 0; --m)
      sum += static_cast<Real>(weight[m]) * (value(a.first + m) + value(a.first + a.points - 1 - m));
  } else {
    for (int m = 0; m < a.points; ++m) sum += static_cast<Real>(weight[m]) * value(a.first + m);
  }
  return sum;
}

// The coarse points below a part of an axis: of points before and behind an interpolated one, more.
struct Span {
  int first, end;
  __device__ __forceinline__ Span(const Along* __restrict__ along, int from, int n) {
    first = along[from].first, end = along[from + n - 1].first + along[from + n - 1].points;
    if (n > 1) first = min(first, along[from + 1].first);
    if (n > 1) end = max(end, along[from + n - 2].first + along[from + n - 2].points);
  }
  __device__ __forceinline__ int size() const { return end - first; }
};
// A tile of a plane: all columns of coarse points below it are weighed along the last axis, then along the one before,
// then along the first.
struct PlaneTile {
  int i, j, k, columns, rows;  // its first point; how many it has
  __device__ __forceinline__ explicit PlaneTile(const Interpolated& p) {
    const int part = static_cast<int>(blockIdx.x - p.first_part), across = pieces_of(p.extent[0], tile),
              down = pieces_of(p.extent[1], tile), width = pieces_of(p.extent[0], across),
              height = pieces_of(p.extent[1], down);
    i = part % across * width, j = part / across % down * height, k = part / (across * down);
    columns = min(width, p.extent[0] - i), rows = min(height, p.extent[1] - j);
  }
};

template <class T>
__device__ __forceinline__ void interpolate(
    const Interpolated& p, const Along* __restrict__ along, const double* __restrict__ weights, const Bases& bases) {
  extern __shared__ double shared[];
  T* const plane = reinterpret_cast<T*>(shared);
  T* const lines = plane + coarse_tile * coarse_tile;
  const T* __restrict__ coarse = reinterpret_cast<const T*>(bases.at[in_scratch]) + p.scratch;
  T* __restrict__ to = reinterpret_cast<T*>(bases.at[p.to_place]) + p.to;
  const PlaneTile t(p);
  const Span x(along, p.along[0] + t.i, t.columns), y(along, p.along[1] + t.j, t.rows);
  const Along z = along[p.along[2] + t.k];
  for (int n = threadIdx.x; n < x.size() * y.size(); n += threads) {
    const T* from = coarse + (x.first + n % x.size()) * p.stride[0] + (y.first + n / x.size()) * p.stride[1];
    plane[n] = weigh<T>(z, weights, [&](int c) { return from[c * p.stride[2]]; });
  }
  __syncthreads();
  for (int n = threadIdx.x; n < x.size() * t.rows; n += threads) {
    const T* from = plane + n % x.size();
    lines[n] = weigh<T>(
        along[p.along[1] + t.j + n / x.size()], weights, [&](int b) { return from[(b - y.first) * x.size()]; });
  }
  __syncthreads();
  for (int n = threadIdx.x; n < t.columns * t.rows; n += threads) {
    const int i = n % t.columns, j = n / t.columns;
    const T* from = lines + j * x.size();
    to[(t.i + i) * p.to_stride[0] + (t.j + j) * p.to_stride[1] + t.k * p.to_stride[2]] =
        weigh<T>(along[p.along[0] + t.i + i], weights, [&](int a) { return from[a - x.first]; });
  }
}

__device__ __forceinline__ void take_nearest(
    const Interpolated& p, const Along* __restrict__ along, const double* __restrict__ weights, const Bases& bases) {
  const int* __restrict__ coarse = reinterpret_cast<const int*>(bases.at[in_scratch]) + p.scratch;
  int* __restrict__ to = reinterpret_cast<int*>(bases.at[p.to_place]) + p.to;
  const PlaneTile t(p);
  for (int n = threadIdx.x; n < t.columns * t.rows; n += threads) {
    const int i = t.i + n % t.columns, j = t.j + n / t.columns, a = heaviest(along[p.along[0] + i], weights),
              b = heaviest(along[p.along[1] + j], weights), c = heaviest(along[p.along[2] + t.k], weights);
    to[i * p.to_stride[0] + j * p.to_stride[1] + t.k * p.to_stride[2]] =
        coarse[a * p.stride[0] + b * p.stride[1] + c * p.stride[2]];
  }
}

template <class T> __device__ __forceinline__ void spread(const Interpolated& p, const Bases& bases) {
  const T* __restrict__ coarse = reinterpret_cast<const T*>(bases.at[in_scratch]) + p.scratch;
  T* __restrict__ to = reinterpret_cast<T*>(bases.at[p.to_place]) + p.to;
  each_point(p, [&](unsigned i, unsigned j, unsigned k) {
    to[i + j * p.to_stride[1] + k * p.to_stride[2]] =
        cell_within(p, coarse, static_cast<int>(i), static_cast<int>(j), static_cast<int>(k));
  });
}

__global__ void __launch_bounds__(threads) interpolate_pieces(const Interpolated* list, int entries, const Along* along,
    const double* weights, int kind, const __grid_constant__ Batch batch) {
  const Interpolated p = entry_of(list, entries);
  const Bases& bases = batch.variable[blockIdx.y];
  with_kind(kind, [&](auto value) {
    using T = decltype(value);
    if (kind & of_cells) spread<T>(p, bases);
    else if constexpr (whole_number<T>) take_nearest(p, along, weights, bases);
    else interpolate<T>(p, along, weights, bases);
  });
}

__global__ void __launch_bounds__(threads)
    correct_cells(const Corrected* list, int entries, double weight, int kind, const __grid_constant__ Batch batch) {
  const Corrected p = entry_of(list, entries);
  const Bases& bases = batch.variable[blockIdx.y];
  with_kind(kind, [&](auto value) {
    using T = decltype(value);
    if constexpr (!whole_number<T>) {
      const T* __restrict__ fluxes = reinterpret_cast<const T*>(bases.at[in_scratch]);
      T* __restrict__ to = reinterpret_cast<T*>(bases.at[p.to_place]) + p.to;
      each_point(p, [&](unsigned i, unsigned j, unsigned k) {
        to[i + j * p.to_stride[0] + k * p.to_stride[1]] +=
            correction(p, weight, fluxes, i + p.extent[0] * (j + static_cast<Elements>(p.extent[1]) * k));
      });
    }
  });
}

__global__ void __launch_bounds__(threads) add_up_elements(
    Elements from, Elements to, double weight, int adds, int kind, const __grid_constant__ Batch batch) {
  const Bases& bases = batch.variable[blockIdx.y];
  with_kind(kind, [&](auto value) {
    using T = decltype(value);
    const Elements n = from + static_cast<Elements>(blockIdx.x) * threads + threadIdx.x;
    if constexpr (!whole_number<T>)
      if (n < to) add_up<T>(bases, n, weight, adds != 0);
  });
}
}  // namespace

const void* const move_kernel = reinterpret_cast<const void*>(move_pieces);
const void* const interpolate_kernel = reinterpret_cast<const void*>(interpolate_pieces);
const void* const correct_kernel = reinterpret_cast<const void*>(correct_cells);
const void* const add_up_kernel = reinterpret_cast<const void*>(add_up_elements);
}  // namespace Forest
