// A formula at a point: its steps are gone through on a stack of numbers. Slower than a kernel of one's own (some
// nanoseconds a step and point), and there without a compiler.
#pragma once
#include <cereus/kernel.hpp>
#include <cereus/kernel/arithmetic.hpp>
namespace Expressions {
using namespace cereus;
inline constexpr int most_steps = 100, deepest = 16, places = 4;  // places: x, y, z and t
using Inputs = choices<0, 1, 2, 4>;

template <int n> struct Several {
  template <class F> struct Group { F v[n]; };
};  // whatever the formula names
template <class F> struct Target { F v; };

struct Program {
  int steps;
  Operation operation[most_steps];
  double number[most_steps];  // or, of a name, which: x, y, z, t, the target, inputs
};

template <class Real> CEREUS_KERNEL Real run(const Program& program, const Real* values) {
  Real stack[deepest + 2] = {};
  int n = 0;  // on the stack
  for (int s = 0; s < program.steps; ++s) {
    const Operation o = program.operation[s];
    if (o == Operation::number) stack[n++] = static_cast<Real>(program.number[s]);
    else if (o == Operation::name) stack[n++] = values[static_cast<int>(program.number[s])];
    else n += 1 - operands(o), stack[n - 1] = apply(o, stack[n - 1], stack[n], stack[n + 1]);
  }
  return stack[0];
}

template <int inputs, int dim, class Real> struct Values {
  Real v[places + 1 + inputs];
  CEREUS_KERNEL Values(const auto& p, Real target) : v{} {
    v[0] = static_cast<Real>(p.x()), v[3] = static_cast<Real>(p.time()), v[places] = target;
    if constexpr (dim > 1) v[1] = static_cast<Real>(p.y());
    if constexpr (dim > 2) v[2] = static_cast<Real>(p.z());
  }
};

// Target = formula of other variables.
template <int inputs, int dim, class Real> struct Set {
  Read<Several<inputs>::template Group, pointwise, Real> in;
  Write<Target, interior, Real> out;
  Program program;
  CEREUS_KERNEL void operator()(const auto& p) const {
    Values<inputs, dim, Real> x(p, Real(0));
    for (int n = 0; n < inputs; ++n) x.v[places + 1 + n] = p(in.v[n]);
    p(out.v) = run(program, x.v);
  }
};
template <int dim, class Real> struct Set<0, dim, Real> {
  Write<Target, interior, Real> out;
  Program program;
  CEREUS_KERNEL void operator()(const auto& p) const { p(out.v) = run(program, Values<0, dim, Real>(p, Real(0)).v); }
};
// Of the place alone, also outside the domain.
template <int dim, class Real> struct SetEverywhere {
  Write<Target, everywhere, Real> out;
  Program program;
  CEREUS_KERNEL void operator()(const auto& p) const { p(out.v) = run(program, Values<0, dim, Real>(p, Real(0)).v); }
};
// Target = formula of itself, and others.
template <int inputs, int dim, class Real> struct Change {
  Read<Several<inputs>::template Group, pointwise, Real> in;
  Modify<Target, interior, Real> out;
  Program program;
  CEREUS_KERNEL void operator()(const auto& p) const {
    Values<inputs, dim, Real> x(p, p(out.v));
    for (int n = 0; n < inputs; ++n) x.v[places + 1 + n] = p(in.v[n]);
    p(out.v) = run(program, x.v);
  }
};
template <int dim, class Real> struct Change<0, dim, Real> {
  Modify<Target, interior, Real> out;
  Program program;
  CEREUS_KERNEL void operator()(const auto& p) const { p(out.v) = run(program, Values<0, dim, Real>(p, p(out.v)).v); }
};
}  // namespace Expressions
