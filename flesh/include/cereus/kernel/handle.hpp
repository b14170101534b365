// What a kernel may say about the variables it touches: which group, how it is touched, how far around the point.
// Handles hold a number that the owner of the loop sets; where a variable lies is never the kernel's business.
#pragma once
#ifdef __CUDACC__
#define CEREUS_KERNEL __host__ __device__ __forceinline__
#define CEREUS_RARE __host__ __device__ __noinline__  // stays out of line: its caller keeps its registers
#else
#define CEREUS_KERNEL inline __attribute__((always_inline))  // without it g++ 12 leaves point updates out of line
#define CEREUS_RARE inline __attribute__((noinline))
#endif
namespace cereus {
template <int... values> struct choices {};  // a closed list, said once: checked in declare, instantiated in schedule
template <class... Types> struct types {};
template <class A, class B> inline constexpr bool same_type = false;  // NVRTC has neither <type_traits> nor __is_same
template <class A> inline constexpr bool same_type<A, A> = true;

template <int n> struct star {
  static constexpr int reach = n;
  static constexpr bool corners = false;
};
template <int n> struct box {
  static constexpr int reach = n;
  static constexpr bool corners = true;
};
using pointwise = star<0>;
// Of a variable on another grid, whose indices are others: a kernel reads it by `element`, and nothing else. Whoever
// launches the kernel says which simulation has that grid.
struct elsewhere : star<0> {};

enum class Region : unsigned char { interior, boundary, everywhere };
struct interior {
  static constexpr Region region = Region::interior;
};
struct boundary {
  static constexpr Region region = Region::boundary;
};
struct everywhere {
  static constexpr Region region = Region::everywhere;
};

enum class Mode : unsigned char { read, write, update, add };

template <class Real, class Reach> struct In {
  using value_type = Real;
  int n;
};
template <class Real> struct Out {
  using value_type = Real;
  int n;
};
template <class Real> struct InOut {
  using value_type = Real;
  int n;
};
template <class Real> struct Added {
  using value_type = Real;
  int n;
};

// The members of a kernel. A group is a struct template of grid functions (F, or arrays of F, nothing else).
template <template <class> class Group, class Reach = pointwise, class Real = double, int timelevel = 0>
struct Read : Group<In<Real, Reach>> {};
template <template <class> class Group, class Region = interior, class Real = double>
struct Write : Group<Out<Real>> {};
template <template <class> class Group, class Region = interior, class Real = double>
struct Modify : Group<InOut<Real>> {};
template <template <class> class Group, class Real = double>
struct Add : Group<Added<Real>> {};  // several thorns, one sum

// What the flesh learns from a member's type; a member that is no handle has is_handle == false.
template <class Member> struct HandleTraits { static constexpr bool is_handle = false; };
template <template <class> class G, class Real_, Mode m, Region r, int reach_, bool corners_, int tl, class Handle_>
struct HandleFacts {
  static constexpr bool is_handle = true, corners = corners_, is_elsewhere = same_type<Handle_, In<Real_, elsewhere>>;
  static constexpr Mode mode = m;
  static constexpr Region region = r;
  static constexpr int reach = reach_, timelevel = tl, count = sizeof(G<Handle_>) / sizeof(Handle_);
  using Real = Real_;
  using Handle = Handle_;
  using GroupKey = G<int>;  // names the group: the same in every library
};
template <template <class> class G, class Reach, class Real, int tl>
struct HandleTraits<Read<G, Reach, Real, tl>>
    : HandleFacts<G, Real, Mode::read, Region::interior, Reach::reach, Reach::corners, tl, In<Real, Reach>> {};
template <template <class> class G, class R, class Real>
struct HandleTraits<Write<G, R, Real>> : HandleFacts<G, Real, Mode::write, R::region, 0, false, 0, Out<Real>> {};
template <template <class> class G, class R, class Real>
struct HandleTraits<Modify<G, R, Real>> : HandleFacts<G, Real, Mode::update, R::region, 0, false, 0, InOut<Real>> {};
template <template <class> class G, class Real>
struct HandleTraits<Add<G, Real>> : HandleFacts<G, Real, Mode::add, Region::interior, 0, false, 0, Added<Real>> {};

template <class Point, class Real> struct NumberOf { using type = Real; };
template <class Point, class Real> struct NumberOf<Point&, Real> : NumberOf<Point, Real> {};
template <class Point, class Real> struct NumberOf<const Point, Real> : NumberOf<Point, Real> {};
// What a point gives for a variable of this type: a number, or several side by side.
template <class Point, class Real> using Number = typename NumberOf<Point, Real>::type;

// Reads neighbours at compile-time offsets only, so that the owner of the loop may keep them in registers.
template <int i, int j, int k, class Point, class Real, class Reach>
CEREUS_KERNEL Number<Point, Real> at(const Point& p, In<Real, Reach> v) {
  constexpr int a = i < 0 ? -i : i, b = j < 0 ? -j : j, c = k < 0 ? -k : k;
  static_assert(a <= Reach::reach && b <= Reach::reach && c <= Reach::reach, "read outside the declared reach");
  static_assert(
      Reach::corners || (a != 0) + (b != 0) + (c != 0) <= 1, "a star reaches along the axes only: use box<n>");
  return p.template neighbour<i, j, k>(v);
}
// The n-th neighbour along an axis.
template <int axis, int n, class Point, class Handle> CEREUS_KERNEL auto along(const Point& p, Handle v) {
  return at < axis == 0 ? n : 0, axis == 1 ? n : 0, axis == 2 ? n : 0 > (p, v);
}
// The neighbour m points along axis a and n along axis b.
template <int a, int m, int b, int n, class Point, class Handle> CEREUS_KERNEL auto beside(const Point& p, Handle v) {
  constexpr int i = (a == 0 ? m : 0) + (b == 0 ? n : 0), j = (a == 1 ? m : 0) + (b == 1 ? n : 0),
                k = (a == 2 ? m : 0) + (b == 2 ? n : 0);
  return at<i, j, k>(p, v);
}
}  // namespace cereus
