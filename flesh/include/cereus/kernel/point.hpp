// The points that the direct loops supply: each reads and writes memory; FusedPoint keeps outputs for an update.
#pragma once
#include "axes.hpp"
#include "math.hpp"
namespace cereus {
template <class> inline constexpr bool may_be_read = false;
template <class Real> struct WriteOnly {  // all that a kernel may do with a Write<> handle
  Real& to;
  CEREUS_KERNEL Real operator=(Real x) const { return to = x; }
  template <class T> CEREUS_KERNEL void operator+=(T) const {
    static_assert(may_be_read<T>, "a Write handle is only assigned to: for += take Modify, or Add");
  }
  template <class T> CEREUS_KERNEL operator T() const {
    static_assert(may_be_read<T>, "a Write handle is only assigned to: read with a Read handle, or take Modify");
    return to;
  }
};
template <class Real> struct Adder {  // all that a kernel may do with an Add<> handle
  Real& sum;
  CEREUS_KERNEL void operator+=(Real x) const { sum += x; }
};

// Where a point is: shared by all kinds of points.
template <int dim_, class Axes = UniformAxes> struct Place {
  static constexpr int dim = dim_;
  static constexpr bool stretched = Axes::stretched, mapped = Axes::mapped;
  const Geometry& g;
  int i, j, k;  // global indices
  CEREUS_KERNEL double x() const { return at_axis<0>(i); }
  CEREUS_KERNEL double y() const { return at_axis<1>(j); }
  CEREUS_KERNEL double z() const { return at_axis<2>(k); }
  CEREUS_KERNEL auto shell() const { return Axes::at(g, i, j, k); }  // on MappedAxes
  // Of the point so many points ahead along an axis.
  CEREUS_KERNEL double coordinate(int axis, int ahead) const { return Axes::x(g, axis, index(axis), ahead); }
  // One over the distance of points, here or so many points ahead; its square; and the weight of ∂u/∂x_axis that goes
  // off ∂²u/∂x_axis, because that distance varies.
  // On a shell, of points along the axis, which is an angle or the radius.
  CEREUS_KERNEL double inv_dx(int axis, int ahead = 0) const {
    if constexpr (mapped) return axis == 2 ? g.inv_spacing[2] : g.inv_spacing[axis] * shell().over_r;
    else return Axes::inv_dx(g, axis, index(axis) + ahead);
  }
  CEREUS_KERNEL double inv_dx2(int axis) const { return Axes::inv_dx2(g, axis, index(axis)); }
  CEREUS_KERNEL double bend(int axis) const { return Axes::bend(g, axis, index(axis)); }
  // The same at all points of an axis: a kernel that asks for them is for uniform axes.
  CEREUS_KERNEL double h(int axis) const { return g.spacing[axis]; }
  CEREUS_KERNEL double inv_h(int axis) const { return g.inv_spacing[axis]; }
  CEREUS_KERNEL double inv_h2(int axis) const { return g.inv_spacing2[axis]; }
  CEREUS_KERNEL double time() const { return g.time; }
  CEREUS_KERNEL double dt() const { return g.dt; }
  CEREUS_KERNEL int index(int axis) const { return axis == 0 ? i : axis == 1 ? j : k; }
  // Whether the vertex of this index, or the one so many ahead, lies where the domain ends, at its lower (0) or
  // upper (1) face across an axis.
  CEREUS_KERNEL bool at_face(int axis, int side, int ahead = 0) const {
    return index(axis) + ahead == g.face[axis][side];
  }

 private:
  template <int axis> CEREUS_KERNEL double at_axis(int n) const {
    if constexpr (mapped) return shell().x(axis);
    else return Axes::x(g, axis, n);
  }
};

template <int dim, class Axes = UniformAxes> struct DirectPoint : Place<dim, Axes> {
  char* const* address;
  Offset c, sj, sk;
  template <class Real> CEREUS_KERNEL Real* to(int n) const { return reinterpret_cast<Real*>(address[n]); }
  template <class Real, class R> CEREUS_KERNEL Real operator()(In<Real, R> v) const { return to<Real>(v.n)[c]; }
  template <class Real> CEREUS_KERNEL WriteOnly<Real> operator()(Out<Real> v) const { return {to<Real>(v.n)[c]}; }
  template <class Real> CEREUS_KERNEL Real& operator()(InOut<Real> v) const { return to<Real>(v.n)[c]; }
  template <class Real> CEREUS_KERNEL Adder<Real> operator()(Added<Real> v) const { return {to<Real>(v.n)[c]}; }
  template <int di, int dj, int dk, class Real, class R> CEREUS_KERNEL Real neighbour(In<Real, R> v) const {
    return to<Real>(v.n)[c + di + dj * sj + dk * sk];
  }
  template <class V> CEREUS_KERNEL typename V::value_type gathered(V v, int di, int dj, int dk) const {
    return to<typename V::value_type>(v.n)[c + di + dj * sj + dk * sk];
  }
  template <class Real> CEREUS_KERNEL Real element(In<Real, elsewhere> v, Offset n) const { return to<Real>(v.n)[n]; }
};
// Reads at a run-time offset. A kernel that uses it can only be applied directly: no register queue, no time tile.
template <class P, class V> CEREUS_KERNEL auto gather(const P& p, V v, int i, int j, int k) {
  return p.gathered(v, i, j, k);
}
// The points of a block on another grid: how many elements they are from the first point of a slab.
struct Elsewhere {
  Offset at, stride[3];  // of the point with the indices `first`
  int first[3];
  CEREUS_KERNEL Offset operator()(int i, int j, int k) const {
    return at + (i - first[0]) * stride[0] + (j - first[1]) * stride[1] + (k - first[2]) * stride[2];
  }
};
// Reads a variable on another grid. A kernel that does can only be applied directly, too.
template <class P, class Real> CEREUS_KERNEL Real element(const P& p, In<Real, elsewhere> v, Offset n) {
  return p.element(v, n);
}

// What is written goes to registers; the owner of the loop then applies the epilogue.
template <int dim, class Real, int first_output, class Axes = UniformAxes> struct FusedPoint : DirectPoint<dim, Axes> {
  Real* kept;
  template <class R, class Rc> CEREUS_KERNEL R operator()(In<R, Rc> v) const {
    return DirectPoint<dim, Axes>::operator()(v);
  }
  CEREUS_KERNEL WriteOnly<Real> operator()(Out<Real> v) const { return {kept[v.n - first_output]}; }
};
}  // namespace cereus
