// Carries out lists on a device as move_on_host, interpolate_on_host and correct_on_host do, sums in the same order.
#include "values.hpp"

namespace Forest {
namespace {
// Thread blocks that a multiprocessor is to hold: what they wait for is memory.
constexpr int that_move = 6, that_interpolate = 8;

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

// Where the points of a thread lie in the source and the target of a piece: found once for all variables.
struct Points {
  static constexpr int each = points_a_part / threads;
  int from[each], to[each];
  bool there[each];
  __device__ __forceinline__ explicit Points(const Piece& p) {
    const unsigned nx = p.extent[0], ny = p.extent[1], points = nx * ny * p.extent[2];
#pragma unroll
    for (int n = 0; n < each; ++n) {
      const unsigned e = (blockIdx.x - p.first_part) * points_a_part + threadIdx.x + n * threads, row = e / nx,
                     i = e - row * nx, k = row / ny, j = row - k * ny;
      from[n] = static_cast<int>(i * p.from_stride[0] + j * p.from_stride[1] + k * p.from_stride[2]);
      to[n] = static_cast<int>(i + j * p.to_stride[0] + k * p.to_stride[1]);
      there[n] = e < points;
    }
  }
};

// All that a thread reads of `many` variables is under way before it stores anything. load(bases, offsets, values).
template <int many, class T, class F>
__device__ __forceinline__ void fill(
    const Piece& p, const Points& points, const Batch& batch, int first, int last, F&& load) {
  for (int v = first; v < last; v += many) {
    T found[many][Points::each];
#pragma unroll
    for (int m = 0; m < many; ++m)
      if (v + m < last) load(batch.variable[v + m], found[m]);
#pragma unroll
    for (int m = 0; m < many; ++m)
      if (v + m < last) {
        const Bases& bases = batch.variable[v + m];
        T* __restrict__ const target = reinterpret_cast<T*>(bases.at[p.to_place]) + p.to;
#pragma unroll
        for (int n = 0; n < Points::each; ++n)
          if (points.there[n]) target[points.to[n]] = mirrored(p, bases, found[m][n]);
      }
  }
}

// sum_of, of all points of a thread: what it reads is under way before it adds anything.
template <class T>
__device__ __forceinline__ void sums_of(const Bases& b, const Piece& p, const Points& points, T (&sum)[Points::each]) {
  T term[most_terms][Points::each];
#pragma unroll
  for (int t = 0; t < most_terms; ++t)
    if (t < b.terms) {
      const T* __restrict__ const from = reinterpret_cast<const T*>(b.from[t]) + p.from;
#pragma unroll
      for (int n = 0; n < Points::each; ++n)
        if (points.there[n]) term[t][n] = from[points.from[n]];
    }
#pragma unroll
  for (int n = 0; n < Points::each; ++n) sum[n] = T{};
#pragma unroll
  for (int t = 0; t < most_terms; ++t)
    if (t < b.terms)
#pragma unroll
      for (int n = 0; n < Points::each; ++n) sum[n] += static_cast<typename Parts<T>::Real>(b.factor[t]) * term[t][n];
}

// Variables of which sums are read come one by one, runs of others several at once.
template <class T> __device__ __forceinline__ void move(const Piece& p, const Batch& batch) {
  constexpr int many = 4;
  const Points points(p);
  const auto source = [&](const Bases& b) { return reinterpret_cast<const T*>(b.at[p.from_place]) + p.from; };
  const auto is_sum = [&](int v) { return !whole_number<T> && p.from_place == batch.variable[v].summed; };
  for (int first = 0, last = 0; first < batch.variables; first = last) {
    for (last = first + 1; last < batch.variables && is_sum(last) == is_sum(first);) ++last;
    if (is_sum(first)) {
      if constexpr (!whole_number<T>)
        fill<1, T>(
            p, points, batch, first, last, [&](const Bases& b, T(&to)[Points::each]) { sums_of(b, p, points, to); });
    } else if (is_mean(p)) {
      fill<1, T>(p, points, batch, first, last, [&](const Bases& b, T(&to)[Points::each]) {
        for (int n = 0; n < Points::each; ++n)
          if (points.there[n]) to[n] = mean_of(p, source(b) + points.from[n]);
      });
    } else {
      fill<many, T>(p, points, batch, first, last, [&](const Bases& b, T(&to)[Points::each]) {
        const T* __restrict__ const from = source(b);
#pragma unroll
        for (int n = 0; n < Points::each; ++n)
          if (points.there[n]) to[n] = from[points.from[n]];
      });
    }
  }
}

template <class T>
__global__ void __launch_bounds__(threads, that_move)
    move_pieces(const Piece* list, int entries, int, const __grid_constant__ Batch batch) {
  const Piece& p = entry_of(list, entries);
  move<T>(p, batch);
}

// Σ of weights and values from the middle outwards, those at the same distance first; else one after another.
template <class T, class F>
__device__ __forceinline__ T weigh(const double* __restrict__ weight, int points, int first, F&& value) {
  using Real = typename Parts<T>::Real;
  T sum{};
  if (points % 2 == 0 && weight[0] == weight[points - 1]) {
    for (int m = points / 2 - 1; m >= 0; --m)
      sum += static_cast<Real>(weight[m]) * (value(first + m) + value(first + points - 1 - m));
  } else {
    for (int m = 0; m < points; ++m) sum += static_cast<Real>(weight[m]) * value(first + m);
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

// Values along an axis of a tile. Most have the weights of an interpolation in the middle, which a thread keeps.
template <class T> struct Values {
  static constexpr int half = most_points / 2, copied = -1;
  struct Entry {
    int first, weight;  // `copied`: of a value that is a coarse one
  };
  const double* __restrict__ weights;
  const Entry* entries;  // shared by the threads
  int points = 1, kept = copied;
  typename Parts<T>::Real weight[half];

  __device__ __forceinline__ Values(
      const Along* __restrict__ along, const double* __restrict__ all, int from, int n, Entry* shared)
      : weights(all),
        entries(shared) {
    for (int i = threadIdx.x; i < n; i += threads) {
      const Along a = along[from + i];
      shared[i] = {a.first, a.points == 1 ? copied : a.weight};
    }
    Along middle = along[from + n / 2];
    if (middle.points == 1) middle = along[from + (n / 2 > 0 ? n / 2 - 1 : 0)];
    points = middle.points;
    const double* const w = all + middle.weight;
    if (points > 1 && points % 2 == 0 && w[0] == w[points - 1]) kept = middle.weight;
#pragma unroll
    for (int m = 0; m < half; ++m) weight[m] = kept != copied && m < points / 2 ? w[m] : 0;
  }
  template <class F> __device__ __forceinline__ T operator()(int n, F&& value) const {
    const Entry e = entries[n];
    if (e.weight == copied) return value(e.first);
    if (e.weight != kept) return weigh<T>(weights + e.weight, points, e.first, value);
    T sum{};
#pragma unroll
    for (int m = half - 1; m >= 0; --m)
      if (m < points / 2) sum += weight[m] * (value(e.first + m) + value(e.first + points - 1 - m));
    return sum;
  }
};

// n / by, of numbers so small that floats hold them.
struct Quotient {
  float inverse;
  __device__ __forceinline__ explicit Quotient(int by) : inverse(1.0f / static_cast<float>(by)) {}
  __device__ __forceinline__ int operator()(int n) const {
    return static_cast<int>((static_cast<float>(n) + 0.5f) * inverse);
  }
};

template <class T>
__device__ __forceinline__ void interpolate(
    const Interpolated& p, const Along* __restrict__ along, const double* __restrict__ weights, const Bases& bases) {
  extern __shared__ double shared[];
  __shared__ typename Values<T>::Entry entries[2 * tile + 1];
  T* const plane = reinterpret_cast<T*>(shared);
  T* const lines = plane + coarse_tile * coarse_tile;
  const T* __restrict__ coarse = reinterpret_cast<const T*>(bases.at[in_scratch]) + p.scratch;
  T* __restrict__ to = reinterpret_cast<T*>(bases.at[p.to_place]) + p.to;
  const PlaneTile t(p);
  const Span x(along, p.along[0] + t.i, t.columns), y(along, p.along[1] + t.j, t.rows);
  const int columns = x.size(), rows = y.size();
  const Quotient row_of_coarse(columns), row_of_fine(t.columns);
  {
    const Values<T> across(along, weights, p.along[2] + t.k, 1, entries + 2 * tile);
    __syncthreads();
    for (int n = threadIdx.x; n < columns * rows; n += threads) {
      const int b = row_of_coarse(n), a = n - b * columns;
      const T* from = coarse + (x.first + a) * p.stride[0] + (y.first + b) * p.stride[1];
      plane[n] = across(0, [&](int c) { return from[c * p.stride[2]]; });
    }
  }
  {
    const Values<T> down(along, weights, p.along[1] + t.j, t.rows, entries);
    __syncthreads();
    for (int n = threadIdx.x; n < columns * t.rows; n += threads) {
      const int j = row_of_coarse(n);
      const T* from = plane + (n - j * columns) - y.first * columns;
      lines[n] = down(j, [&](int b) { return from[b * columns]; });
    }
  }
  const Values<T> beside(along, weights, p.along[0] + t.i, t.columns, entries + tile);
  __syncthreads();
  for (int n = threadIdx.x; n < t.columns * t.rows; n += threads) {
    const int j = row_of_fine(n), i = n - j * t.columns;
    const T* from = lines + j * columns - x.first;
    to[(t.i + i) * p.to_stride[0] + (t.j + j) * p.to_stride[1] + t.k * p.to_stride[2]] =
        beside(i, [&](int a) { return from[a]; });
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

template <class T>
__global__ void __launch_bounds__(threads, that_interpolate) interpolate_pieces(const Interpolated* list, int entries,
    const Along* along, const double* weights, int kind, const __grid_constant__ Batch batch) {
  const Interpolated& p = entry_of(list, entries);
  const Bases& bases = batch.variable[blockIdx.y];
  if (kind & of_cells) spread<T>(p, bases);
  else if constexpr (whole_number<T>) take_nearest(p, along, weights, bases);
  else interpolate<T>(p, along, weights, bases);
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

// Value i of a line.
template <int points, class T>
__device__ __forceinline__ T value_of(const Line& l, const double* weights, const T* from, const T* next, int i) {
  using Real = typename Parts<T>::Real;
  T sum{};
  for (int m = 0; m < points; ++m)
    sum += static_cast<Real>(weights[m]) * (m < l.split ? from : next)[m * l.along + i * l.beside];
  return sum;
}
// A value a thread, of so many variables at a time. What is read of all is under way before anything is stored.
template <class T>
__global__ void __launch_bounds__(threads) interpolate_lines(const Line* list, int entries, unsigned values,
    const double* __restrict__ weights, int, const __grid_constant__ Batch batch) {
  const unsigned n = blockIdx.x * threads + threadIdx.x;
  if (n >= values) return;
  const Line* p = list + reinterpret_cast<const unsigned*>(list + entries)[n / line_group];
  while (p + 1 < list + entries && p[1].first <= n) ++p;
  const Line l = *p;
  const int i = static_cast<int>(n - l.first), begin = blockIdx.y * at_once;
  with_points(l.points, [&]<class N>(N) {
    T found[at_once];
#pragma unroll
    for (int v = 0; v < at_once; ++v)
      if (begin + v < batch.variables) {
        const T* __restrict__ const all = reinterpret_cast<const T*>(batch.variable[begin + v].at[l.from_place]);
        if constexpr (whole_number<T>) {
          const int m = heaviest(weights + l.weight, l.points);
          found[v] = all[(m < l.split ? l.from : l.next) + m * l.along + i * l.beside];
        } else {
          found[v] = value_of<N::value>(l, weights + l.weight, all + l.from, all + l.next, i);
        }
      }
#pragma unroll
    for (int v = 0; v < at_once; ++v)
      if (begin + v < batch.variables)
        reinterpret_cast<T*>(batch.variable[begin + v].at[l.to_place])[l.to + i * l.to_stride] = found[v];
  });
}

// A spot a thread, of so many variables at a time, which take the same weights.
template <class T>
__global__ void __launch_bounds__(threads) interpolate_spots(
    const InSpot* list, int entries, const double* __restrict__ weights, int, const __grid_constant__ Batch batch) {
  const int n = static_cast<int>(blockIdx.x * threads + threadIdx.x);
  if (n >= entries) return;
  const InSpot& s = list[n];
  const int begin = blockIdx.y * at_once, last = batch.variables - 1;
  using Real = typename Parts<T>::Real;
  const T* __restrict__ values[at_once];
#pragma unroll
  for (int v = 0; v < at_once; ++v)
    values[v] = reinterpret_cast<const T*>(batch.variable[min(begin + v, last)].at[of_lines]);
  const auto store = [&](int v, T value) {
    if (begin + v <= last) reinterpret_cast<T*>(batch.variable[begin + v].at[s.to_place])[s.to] = value;
  };
  if constexpr (whole_number<T>) {
    const int row = heaviest(weights + s.outer, s.rows);
    const int at = s.from[row] + heaviest(weights + s.weight[row], s.points);
    for (int v = 0; v < at_once; ++v) store(v, values[v][at]);
  } else {
    with_points(s.points, [&]<class N>(N) {
      T row[at_once][N::value]{};
#pragma unroll 2
      for (int r = 0; r < s.rows; ++r) {
        const double outer = weights[s.outer + r], *__restrict__ const weight = weights + s.weight[r];
        const int from = s.from[r];
#pragma unroll
        for (int m = 0; m < N::value; ++m) {
          const auto w = static_cast<Real>(outer * weight[m]);
#pragma unroll
          for (int v = 0; v < at_once; ++v) row[v][m] += w * values[v][from + m];
        }
      }
#pragma unroll
      for (int v = 0; v < at_once; ++v) {
        T sum{};
#pragma unroll
        for (int m = 0; m < N::value; ++m) sum += row[v][m];
        store(v, sum);
      }
    });
  }
}
}  // namespace

template <class T> const void* moving() { return reinterpret_cast<const void*>(move_pieces<T>); }
template <class T> const void* interpolating() { return reinterpret_cast<const void*>(interpolate_pieces<T>); }
template <class T> const void* on_lines() { return reinterpret_cast<const void*>(interpolate_lines<T>); }
template <class T> const void* on_spots() { return reinterpret_cast<const void*>(interpolate_spots<T>); }
const void* const move_kernels[scalars] = {
    moving<float>(), moving<double>(), moving<complex<float>>(), moving<complex<double>>(), moving<int>()};
const void* const interpolate_kernels[scalars] = {interpolating<float>(), interpolating<double>(),
    interpolating<complex<float>>(), interpolating<complex<double>>(), interpolating<int>()};
const void* const line_kernels[scalars] = {
    on_lines<float>(), on_lines<double>(), on_lines<complex<float>>(), on_lines<complex<double>>(), on_lines<int>()};
const void* const spot_kernels[scalars] = {
    on_spots<float>(), on_spots<double>(), on_spots<complex<float>>(), on_spots<complex<double>>(), on_spots<int>()};
const void* const correct_kernel = reinterpret_cast<const void*>(correct_cells);
const void* const add_up_kernel = reinterpret_cast<const void*>(add_up_elements);
}  // namespace Forest
