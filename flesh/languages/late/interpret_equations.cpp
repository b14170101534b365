// Kernels of equations where nothing compiles them: the operations of the graph, one after the other, each for some
// points of a row.
#include <omp.h>

#include <algorithm>
#include <cmath>

#include "cereus/kernel/host_loop.hpp"
#include "cereus/kernel/noise.hpp"
#include "cereus/schedule.hpp"
#include "equations/evaluate.hpp"
#include "equations/taps.hpp"
#include "equations/thorn.hpp"
#include "late/late_thorn.hpp"
#include "late/schedule_equations.hpp"

namespace cereus {
using namespace equations;
namespace {
constexpr int many = 64;  // points of a row at once

// What a kernel touches; what it computes is a Tape.
struct Interpreted {
  std::vector<Recording> reads;  // by handle
  bool time = false, place = false, spacing = false;
  // A kernel is plain bytes, which devices copy: a pointer.
  static Interpreted& of(const void* kernel) { return **static_cast<Interpreted* const*>(kernel); }
  static void record(const void* kernel, Recording* list) { std::ranges::copy(of(kernel).reads, list); }
  static void watch(const void* kernel, const Launch&, Recording* list) { record(kernel, list); }
};

struct Index3 {
  int at[3];
  int index(int axis) const { return at[axis]; }
};

struct Handles {  // by variable
  std::map<int, int> in, out;
};

template <class Real> class Tape : public Interpreted {
 public:
  Tape(std::shared_ptr<const Thorn> thorn, const equations::Kernel& k, const Handles& handles)
      : thorn_(std::move(thorn)),
        m_(thorn_->model),
        g_(thorn_->program.graph),
        in_(handles.in) {
    const auto& assignments = k.assignments.at(thorn_->program.dimensions.front());
    std::vector<int> roots;
    for (const Assignment& a : assignments) roots.push_back(a.value.node);
    std::map<int, int> place;
    for (const int n : cone(g_, roots)) {
      place[n] = static_cast<int>(steps_.size());
      add(n, place);
    }
    for (const Assignment& a : assignments)
      results_.push_back(
          {place.at(a.value.node), handles.out.at(a.variable), static_cast<Real>(to_double(a.value.factor)), a.adds});
  }
  void set(const Parameters& p) {
    for (Step& s : steps_)
      if (s.constant) s.value = static_cast<Real>(value_of(thorn_->program, {1, s.node}, p));
  }
  static void launch(const void* kernel, const Launch& l) {
    const auto& tape = static_cast<const Tape&>(of(kernel));
    if (omp_in_parallel()) return tape.part(l, 0, 1);
#pragma omp parallel
    tape.part(l, omp_get_thread_num(), omp_get_num_threads());
  }

 private:
  struct Neighbour {
    int at[3];
    Real weight;
  };
  struct Step {
    int node = 0;
    bool constant = false;
    Real value = 0, exponent = 0;
    int handle = -1;
    unsigned seed = 0;
    std::vector<int> args;
    std::vector<Real> factors;
    std::vector<Neighbour> neighbours;
    std::array<int, 3> over_h{};
    int bent = -1;  // the axis of a second derivative, and the first one there
    std::vector<Neighbour> first;
    Function function = nullptr;
  };
  struct Result {
    int from, handle;
    Real factor;
    bool adds;
  };

  void add(int n, const std::map<int, int>& place) {
    const equations::Node& node = g_[n];
    Step s;
    s.node = n, s.constant = node.uniform || node.op == Op::weight;
    for (const int a : node.args) s.args.push_back(place.at(a));
    for (const Rational& q : node.factors) s.factors.push_back(static_cast<Real>(to_double(q)));
    s.exponent = static_cast<Real>(to_double(node.exponent));
    if (node.op == Op::call || node.op == Op::compare || node.op == Op::logic) s.function = function_of(node);
    if (node.op == Op::noise) s.seed = static_cast<unsigned>(std::stoul(node.text));
    time |= node.op == Op::time, this->place |= node.op == Op::coordinate || node.op == Op::noise;
    if (node.variable >= 0) {
      s.handle = in_.at(node.variable);
      const Taps taps = taps_of(m_, node);
      s.over_h = taps.over_h;
      s.neighbours = neighbours_of(taps);
      const auto two = std::ranges::find(node.along, 2);
      if (node.op == Op::derivative && two != node.along.end()) {
        spacing |= std::ranges::count(node.along, 0) < 2;  // with another axis: too rare to be interpreted
        equations::Node once = node;
        s.bent = static_cast<int>(two - node.along.begin()), once.along[s.bent] = 1;
        s.first = neighbours_of(taps_of(m_, once));
      }
    }
    spacing |= asks_for_spacing(node);
    steps_.push_back(std::move(s));
  }

  static std::vector<Neighbour> neighbours_of(const Taps& taps) {
    std::vector<Neighbour> list;
    for (const Tap& t : taps.list)
      list.push_back({{t.at[0], t.at[1], t.at[2]}, static_cast<Real>(to_double(t.weight))});
    return list;
  }

  void part(const Launch& l, int thread, int threads) const {
    std::vector<Real> values(steps_.size() * many);
    for (int n = 0; n < l.list.n_blocks; ++n) {
      const BlockLaunch& b = l.list.blocks[n];
      detail::for_each_row(b, l.tile_rows, threads, thread, [&](int j, int k) {
        const Offset c = b.at + (j - b.first[1]) * l.stride[1] + (k - b.first[2]) * l.stride[2] - b.first[0];
        for (int i = b.lo[0]; i < b.hi[0]; i += many)
          points(l, l.geometry[b.geometry], {i, j, k}, c + i, std::min(many, b.hi[0] - i), values.data());
      });
    }
  }
  void points(const Launch& l, const Geometry& g, std::array<int, 3> at, Offset c, int count, Real* values) const {
    for (std::size_t n = 0; n < steps_.size(); ++n) step(steps_[n], l, g, at, c, count, values, values + n * many);
    for (const Result& r : results_) {
      Real* to = reinterpret_cast<Real*>(l.address[r.handle]) + c;
      const Real* from = values + r.from * many;
      if (r.adds)
        for (int i = 0; i < count; ++i) to[i] += r.factor * from[i];
      else
        for (int i = 0; i < count; ++i) to[i] = r.factor * from[i];
    }
  }
  void step(const Step& s, const Launch& l, const Geometry& g, const std::array<int, 3>& at, Offset c, int count,
      const Real* values, Real* out) const {
    const equations::Node& node = g_[s.node];
    const auto arg = [&](int n) { return values + s.args[n] * many; };
    const auto each = [&](auto&& f) {
      for (int i = 0; i < count; ++i) out[i] = f(i);
    };
    if (s.constant) return each([&](int) { return s.value; });
    if (s.handle >= 0) return g.axis[0] ? differ_stretched(s, l, g, at, c, count, out) : differ(s, l, g, c, count, out);
    const int axis = node.along[0];
    const auto index = [&](int i) { return at[axis] + (axis == 0 ? i : 0); };
    const Real *x = s.args.empty() ? nullptr : arg(0), *y = s.args.size() > 1 ? arg(1) : x;
    switch (node.op) {
      case Op::time: return each([&](int) { return static_cast<Real>(g.time); });
      case Op::noise: return each([&](int i) { return noise<Real>(Index3{{at[0] + i, at[1], at[2]}}, s.seed); });
      case Op::spacing: return each([&](int) { return static_cast<Real>(g.spacing[axis]); });
      case Op::inverse_spacing:
        if (g.axis[0]) return each([&](int i) { return static_cast<Real>(StretchedAxes::inv_dx(g, axis, index(i))); });
        return each([&](int) { return static_cast<Real>(g.inv_spacing[axis]); });
      case Op::coordinate:
        if (g.axis[0]) return each([&](int i) { return static_cast<Real>(StretchedAxes::x(g, axis, index(i))); });
        return each([&](int i) { return static_cast<Real>(UniformAxes::x(g, axis, index(i))); });
      case Op::sum:
        each([](int) { return Real(0); });
        for (std::size_t n = 0; n < s.args.size(); ++n) {
          const Real* term = arg(static_cast<int>(n));
          for (int i = 0; i < count; ++i) out[i] += s.factors[n] * term[i];
        }
        return;
      case Op::product: return each([&](int i) { return x[i] * y[i]; });
      case Op::reciprocal: return each([&](int i) { return 1 / x[i]; });
      case Op::power:
        if (s.exponent == Real(0.5)) return each([&](int i) { return std::sqrt(x[i]); });
        return each([&](int i) { return std::pow(x[i], s.exponent); });
      case Op::choose: return each([=, z = arg(2)](int i) { return x[i] != 0 ? y[i] : z[i]; });
      default: return each([&, f = s.function](int i) { return static_cast<Real>(f(x[i], y[i])); });
    }
  }
  void differ(const Step& s, const Launch& l, const Geometry& g, Offset c, int count, Real* out) const {
    const Real* u = reinterpret_cast<const Real*>(l.address[s.handle]) + c;
    Real scale = 1;
    for (int d = 0; d < 3; ++d)
      for (int n = 0; n < s.over_h[d]; ++n) scale *= static_cast<Real>(g.inv_spacing[d]);
    for (int i = 0; i < count; ++i) out[i] = 0;
    for (const Neighbour& n : s.neighbours) {
      const Real* from = u + n.at[0] + n.at[1] * l.stride[1] + n.at[2] * l.stride[2];
      const Real weight = n.weight * scale;
      for (int i = 0; i < count; ++i) out[i] += weight * from[i];
    }
  }

  void differ_stretched(const Step& s, const Launch& l, const Geometry& g, const std::array<int, 3>& at, Offset c,
      int count, Real* out) const {
    const Real* u = reinterpret_cast<const Real*>(l.address[s.handle]) + c;
    const auto sum = [&](const std::vector<Neighbour>& list, int i) {
      Real sum = 0;
      for (const Neighbour& n : list) sum += n.weight * u[i + n.at[0] + n.at[1] * l.stride[1] + n.at[2] * l.stride[2]];
      return sum;
    };
    for (int i = 0; i < count; ++i) {
      out[i] = sum(s.neighbours, i);
      for (int d = 0; d < 3; ++d)
        for (int n = 0; n < s.over_h[d]; ++n)
          out[i] *= static_cast<Real>(StretchedAxes::inv_dx(g, d, at[d] + (d == 0 ? i : 0)));
      if (s.bent < 0) continue;
      const int index = at[s.bent] + (s.bent == 0 ? i : 0);
      out[i] -= static_cast<Real>(StretchedAxes::bend(g, s.bent, index) * StretchedAxes::inv_dx(g, s.bent, index)) *
                sum(s.first, i);
    }
  }

  std::shared_ptr<const Thorn> thorn_;
  const Model& m_;
  const Graph& g_;
  std::map<int, int> in_;
  std::vector<Step> steps_;
  std::vector<Result> results_;
};

Recording recording_of(const equations::Kernel& k, int variable) {
  Recording r;
  const auto along = k.along.find(variable);
  for (int d = 0; d < 3 && along != k.along.end(); ++d) {
    const Reach& reach = along->second[d];
    r.lo[d] = r.hi[d] = reach.more;
    r.reach = std::max(r.reach, reach.more), r.corners |= reach.corners;
  }
  return r;
}

template <class Real> KernelTable table_of(const std::shared_ptr<const Thorn>& thorn, const equations::Kernel& k) {
  using Kind = Calculation::Kind;
  const bool rates = k.of->kind == Kind::rhs;
  KernelTable t;
  Handles handles;
  std::vector<Recording> reads;
  const auto touch = [&](int v, Mode mode, Recording r) {
    const Variable& x = thorn->model.variables()[v];
    Access a;
    a.variables = {x.thorn + "::" + x.name + (rates && mode != Mode::read ? "_rhs" : "")};
    a.components = 1, a.mode = mode, a.type = scalar_type<Real>, a.reach = r.reach, a.corners = r.corners;
    if (mode != Mode::read) {
      r = {}, r.written = true, a.reach = 0, a.corners = false;
      a.region = k.of->region == "everywhere" ? Region::everywhere
                 : k.of->region == "boundary" ? Region::boundary
                                              : Region::interior;
    }
    t.accesses.push_back(a), reads.push_back(r);
    return t.handles++;
  };
  const auto in_place = [&](int v) { return !rates && std::ranges::count(k.writes, v) > 0; };
  for (const int v : k.reads)
    if (!in_place(v)) handles.in[v] = touch(v, Mode::read, recording_of(k, v));
  for (const int v : k.writes) {
    const bool keeps = !k.of->with.empty() || (!rates && std::ranges::count(k.reads, v) > 0);
    handles.out[v] = touch(v, keeps ? Mode::update : Mode::write, {});
    if (!rates) handles.in.try_emplace(v, handles.out[v]);
  }
  const auto tape = std::make_shared<Tape<Real>>(thorn, k, handles);
  tape->reads = std::move(reads);
  t.dim = thorn->program.dimensions.front(), t.type = scalar_type<Real>;
  t.outputs = static_cast<int>(k.writes.size());
  KernelLoops loops;
  loops.host = loops.host_stretched = &Tape<Real>::launch;
  loops.record = &Interpreted::record, loops.watch = &Interpreted::watch;
  loops.reads_time = &tape->time, loops.reads_place = loops.reads_index = &tape->place,
  loops.reads_spacing = &tape->spacing;
  t.own = std::make_shared<KernelLoops>(loops);
  struct Owner {
    Interpreted* kernel;
    std::shared_ptr<Interpreted> owned;
  };
  const auto owner = std::make_shared<Owner>(Owner{tape.get(), tape});
  t.kernel = std::shared_ptr<void>(owner, &owner->kernel), t.kernel_size = sizeof owner->kernel;
  t.type_name = "interpreted";
  return t;
}

template <class Real> MadeKernel make_kernel(const std::shared_ptr<const Thorn>& thorn, const equations::Kernel& k) {
  return {table_of<Real>(thorn, k), [](std::vector<KernelTable>& tables, const Parameters& p, std::span<const double>) {
            for (KernelTable& t : tables) static_cast<Tape<Real>&>(Interpreted::of(t.kernel.get())).set(p);
          }};
}
}  // namespace

void interpret(std::shared_ptr<const Thorn> thorn, const CompileFor& target, Schedule& s) {
  schedule_equations(s, thorn, [&](std::size_t, const equations::Kernel& k) {
    return target.real == "float" ? make_kernel<float>(thorn, k) : make_kernel<double>(thorn, k);
  });
}
}  // namespace cereus
