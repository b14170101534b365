// Kernels in OpenCL C, compiled and run, against the graph evaluated point by point, where differences are sums over
// neighbours in long double, with weights from Lagrange's polynomials. Mutation: noise(x, j, i, k) in
// print_opencl.cpp.
#include <gtest/gtest.h>

#if CEREUS_OPENCL
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <yaml-cpp/yaml.h>

#include <cstdlib>
#include <fstream>
#include <random>
#include <sstream>

#include "cereus/kernel/noise.hpp"
#include "equations/evaluate.hpp"
#include "equations/print.hpp"
#include "equations/thorn.hpp"

namespace cereus::equations {
namespace {
constexpr double unset = -7;  // what outputs hold before a kernel runs, and all that lies beyond its region
using Real = long double;
using Weights = std::map<int, Real>;

Weights lagrange(int derivative, int first, int last) {
  Weights w;
  for (int j = first; j <= last; ++j) {
    std::vector<Real> polynomial{1};
    Real scale = 1;
    for (int k = first; k <= last; ++k) {
      if (k == j) continue;
      scale *= j - k;
      polynomial.push_back(0);
      for (std::size_t n = polynomial.size() - 1; n > 0; --n) polynomial[n] = polynomial[n - 1] - k * polynomial[n];
      polynomial[0] *= -k;
    }
    w[j] = std::tgamma(Real(derivative + 1)) * polynomial[derivative] / scale;
  }
  return w;
}
Weights central(int n) {  // δⁿ
  Weights w{{0, 1}};
  for (int twice = 0; twice < n; twice += 2) {
    Weights next;
    for (const auto& [m, q] : w) next[m - 1] += q, next[m] -= 2 * q, next[m + 1] += q;
    w = next;
  }
  return w;
}

// A grid with ghosts and gaps between its numbers.
struct Grid {
  int dim;
  cl_int3 extent{{5, 1, 1}}, ghosts{{6, 0, 0}};
  cl_long3 stride{{2, 0, 0}};
  cl_double3 h{{0.1, 0.11, 0.12}}, first{{-0.3, 0.2, 0.1}};
  double time = 0.7;
  explicit Grid(int d) : dim(d) {
    for (int a = 1; a < dim; ++a) extent.s[a] = 5 - a, ghosts.s[a] = 6 + a;
    for (int a = 1; a < 3; ++a) stride.s[a] = stride.s[a - 1] * (stored(a - 1) + 1);
  }
  int stored(int a) const { return extent.s[a] + 2 * ghosts.s[a]; }
  std::size_t size() const { return static_cast<std::size_t>(stride.s[2] * stored(2)); }
  long at(std::array<int, 3> i) const {
    long n = 0;
    for (int a = 0; a < 3; ++a) n += (i[a] + ghosts.s[a]) * stride.s[a];
    return n;
  }
  template <class F> void each(bool with_ghosts, F&& f, int margin = 0) const {
    const auto more = [&](int a) { return with_ghosts ? std::max(ghosts.s[a] - margin, 0) : 0; };
    for (int k = -more(2); k < extent.s[2] + more(2); ++k)
      for (int j = -more(1); j < extent.s[1] + more(1); ++j)
        for (int i = -more(0); i < extent.s[0] + more(0); ++i) f(std::array{i, j, k});
  }
};

struct Index {
  std::array<int, 3> at;
  int index(int axis) const { return at[axis]; }
};

class Case {
 public:
  Case(const Thorn& thorn, int dim) : m_(thorn.model), g_(thorn.program.graph), grid(dim) {
    std::mt19937 engine(7);
    std::uniform_real_distribution<double> any(-1, 1);
    for (const Variable& v : m_.variables()) {
      const auto& c = v.components;
      const double mean = c.empty() || (c.size() == 2 && c[0] == c[1]) ? 1 : 0;
      auto& u = fields.emplace_back(grid.size(), unset);
      const double x = any(engine), y = any(engine), z = any(engine), phase = 3 * any(engine);
      grid.each(true, [&](auto i) { u[grid.at(i)] = mean + 0.1 * std::cos(x * i[0] + y * i[1] + z * i[2] + phase); });
    }
    for (int n = 0; n < g_.size(); ++n)
      if (g_[n].op == Op::parameter) parameters[parameter_name(g_[n])] = 0.75 + any(engine) / 4;
      else if (g_[n].op == Op::keyword) parameters[parameter_name(g_[n])] = any(engine) > 0;
  }
  double value(Term t, std::array<int, 3> i) const {
    return evaluate(g_, t, [&](const Node& n) { return static_cast<double>(leaf(n, i)); });
  }

 private:
  int order(const std::string& op) const { return m_.op(op)->value; }
  Real leaf(const Node& n, std::array<int, 3> i) const {
    const int axis = n.along[0];
    switch (n.op) {
      case Op::parameter:
      case Op::keyword: return parameters.at(parameter_name(n));
      case Op::coordinate: return grid.first.s[axis] + i[axis] * grid.h.s[axis];
      case Op::spacing: return grid.h.s[axis];
      case Op::inverse_spacing: return 1 / Real(grid.h.s[axis]);
      case Op::time: return grid.time;
      case Op::noise: return noise<double>(Index{i}, static_cast<unsigned>(std::stoul(n.text)));
      case Op::weight: return n.text == "upwind" ? lopsided(+1).rbegin()->second : damping();
      case Op::derivative: return derivative(n.variable, n.along, i);
      case Op::upwind: return along(n.variable, axis, lopsided(-1), i) / grid.h.s[axis];
      case Op::upwind_odd: return along(n.variable, axis, lopsided(-1), i);
      case Op::upwind_even: return along(n.variable, axis, lopsided(+1), i) / grid.h.s[axis];
      case Op::delta: return along(n.variable, axis, central(std::stoi(n.text)), i);
      case Op::dissipation:
        return damping() * along(n.variable, axis, central(order("dissipation") + 1), i) / grid.h.s[axis];
      default: return fields[n.variable][grid.at(i)];
    }
  }
  Real damping() const {
    const int n = order("dissipation");
    return ((n - 1) / 2 % 2 ? -1 : 1) / std::pow(Real(2), n + 1);
  }
  Weights lopsided(int sign) const {  // its odd or its even half
    const int half = order("upwind") / 2;
    Weights w = lagrange(1, 1 - half, 1 + half), part;
    for (int m = -half - 1; m <= half + 1; ++m) part[m] = (w[m] + sign * w[-m]) / 2;
    return part;
  }
  Real along(int v, int axis, const Weights& w, std::array<int, 3> i) const {
    Real sum = 0;
    const int here = i[axis];
    for (const auto& [m, q] : w) i[axis] = here + m, sum += q * fields[v][grid.at(i)];
    return sum;
  }
  Real derivative(int v, std::array<int, 3> along, std::array<int, 3> i) const {
    std::vector<int> axes;
    for (int a = 0; a < 3; ++a)
      if (along[a] > 0) axes.push_back(a);
    if (axes.empty()) return fields[v][grid.at(i)];
    const int a = axes[0], n = along[a], half = (n + 1) / 2 - 1 + order("centred") / 2;
    const bool diagonal = m_.op("centred")->diagonal && axes.size() == 2 && n == 1 && along[axes[1]] == 1;
    const auto w = lagrange(diagonal ? 2 : n, -half, half);
    Real sum = 0;
    for (const auto& [m, q] : w) {
      auto there = i, mirrored = i;
      there[a] += m;
      if (diagonal) {
        mirrored[a] += m, there[axes[1]] += m, mirrored[axes[1]] -= m;
        sum += q * (Real(fields[v][grid.at(there)]) - fields[v][grid.at(mirrored)]) / (4 * grid.h.s[axes[1]]);
      } else {
        auto rest = along;
        rest[a] = 0;
        sum += q * derivative(v, rest, there);
      }
    }
    return sum / std::pow(Real(grid.h.s[a]), n);
  }
  const Model& m_;
  const Graph& g_;

 public:
  const Grid grid;
  std::vector<std::vector<double>> fields;
  std::map<std::string, double> parameters;
};

void must(cl_int code) {
  if (code != CL_SUCCESS) throw std::runtime_error("OpenCL: error " + std::to_string(code));
}
class Device {
 public:
  explicit Device(cl_device_id device)
      : device_(device),
        context_(clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr)),
        queue_(clCreateCommandQueue(context_, device, 0, nullptr)) {}
  ~Device() { clReleaseProgram(program_), clReleaseCommandQueue(queue_), clReleaseContext(context_); }
  void build(const std::string& source) {
    const char* text = source.c_str();
    program_ = clCreateProgramWithSource(context_, 1, &text, nullptr, nullptr);
    const auto code = clBuildProgram(program_, 1, &device_, "-cl-kernel-arg-info -Werror", nullptr, nullptr);
    std::string log(100000, ' ');
    if (code != CL_SUCCESS)
      clGetProgramBuildInfo(program_, device_, CL_PROGRAM_BUILD_LOG, log.size(), log.data(), nullptr);
    if (code != CL_SUCCESS) throw std::runtime_error(log.c_str());
  }
  // What each variable is afterwards that the kernel sets.
  std::map<std::string, std::vector<double>> run(const std::string& name, const Case& c, const Model& m) {
    const cl_kernel kernel = clCreateKernel(program_, name.c_str(), nullptr);
    cl_uint count = 0;
    must(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, nullptr));
    std::map<std::string, cl_mem> buffers;
    for (cl_uint n = 0; n < count; ++n) {
      char text[100];
      must(clGetKernelArgInfo(kernel, n, CL_KERNEL_ARG_NAME, sizeof text, text, nullptr));
      const std::string argument(text);
      const auto give = [&](const auto& x) { must(clSetKernelArg(kernel, n, sizeof x, &x)); };
      if (argument == "extent") give(c.grid.extent);
      else if (argument == "ghosts") give(c.grid.ghosts);
      else if (argument == "stride") give(c.grid.stride);
      else if (argument == "h") give(c.grid.h);
      else if (argument == "first") give(c.grid.first);
      else if (argument == "time") give(c.grid.time);
      else if (argument.find("_is_") != std::string::npos) give(static_cast<cl_int>(c.parameters.at(argument)));
      else if (c.parameters.contains(argument)) give(c.parameters.at(argument));
      else give(buffers[argument] = buffer(argument, c, m));
    }
    std::size_t items[3];  // some more than points
    for (int a = 0; a < 3; ++a) items[a] = static_cast<std::size_t>(c.grid.stored(a) + 1);
    must(clEnqueueNDRangeKernel(queue_, kernel, 3, nullptr, items, nullptr, 0, nullptr, nullptr));
    std::map<std::string, std::vector<double>> results;
    for (const auto& [argument, memory] : buffers) {
      auto& u = results[argument.substr(0, argument.rfind('_'))];
      if (!argument.ends_with("_in")) {
        u.resize(c.grid.size());
        must(clEnqueueReadBuffer(queue_, memory, CL_TRUE, 0, 8 * u.size(), u.data(), 0, nullptr, nullptr));
      }
      clReleaseMemObject(memory);
    }
    clReleaseKernel(kernel);
    return results;
  }

 private:
  cl_mem buffer(const std::string& argument, const Case& c, const Model& m) {
    const std::string name = argument.substr(0, argument.rfind('_'));
    const auto& all = m.variables();
    const auto v = std::ranges::find(all, name, &Variable::name) - all.begin();
    std::vector<double> u(c.grid.size(), unset);
    if (argument.ends_with("_in") || argument.ends_with("_inout")) u = c.fields.at(static_cast<std::size_t>(v));
    return clCreateBuffer(context_, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, 8 * u.size(), u.data(), nullptr);
  }
  cl_device_id device_;
  cl_context context_;
  cl_command_queue queue_;
  cl_program program_ = nullptr;
};

std::string text_of(const std::string& file) {
  const std::string path = std::string(std::getenv("CEREUS_SOURCE")) + file;
  if (file.ends_with(".yaml")) return YAML::LoadFile(path)["equations"].as<std::string>();
  std::stringstream s;
  s << std::ifstream(path).rdbuf();
  return s.str();
}
struct Example {
  std::string file;
  int dim, order;
};
class OpenCL : public testing::TestWithParam<Example> {};
}  // namespace

TEST_P(OpenCL, KernelsComputeWhatTheGraphSays) {
  cl_platform_id platform;
  cl_device_id id;
  if (clGetPlatformIDs(1, &platform, nullptr) != CL_SUCCESS ||
      clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &id, nullptr) != CL_SUCCESS)
    GTEST_SKIP() << "no device of OpenCL";
  const auto& [file, dim, order] = GetParam();
  const auto thorn = read_thorn({file}, text_of(file), Target{dim, order});
  const Case c(*thorn, dim);
  Device device(id);
  device.build(print_opencl(thorn->program));
  for (const Kernel& k : thorn->program.kernels) {
    auto results = device.run(k.name, c, thorn->model);
    const bool everywhere = k.of->region == "everywhere";
    for (const Assignment& a : k.assignments.at(dim)) {
      const std::string& name = thorn->model.variables()[a.variable].name;
      auto& u = results.at(name);
      double largest = 0, error = 0;
      const auto compare = [&](auto i) {
        const double expected = (a.adds ? unset : 0) + c.value(a.value, i);
        largest = std::max(largest, std::fabs(expected)),
        error = std::max(error, std::fabs(u[c.grid.at(i)] - expected));
        u[c.grid.at(i)] = unset;
      };
      c.grid.each(everywhere, compare, margin_of(thorn->program, k));
      EXPECT_LE(error, 1e-12 * largest) << k.name << " " << name;
      const bool in_place = std::ranges::count(k.reads, a.variable) > 0 && k.of->kind != Calculation::Kind::rhs;
      if (in_place) c.grid.each(false, [&](auto i) { u[c.grid.at(i)] = c.fields[a.variable][c.grid.at(i)]; });
      EXPECT_EQ(u, in_place ? c.fields[a.variable] : std::vector(c.grid.size(), unset)) << name << " beyond the region";
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Texts, OpenCL,
    testing::Values(Example{"/thorns/Wave/equations.edl", 3, 8}, Example{"/thorns/Wave/equations.edl", 1, 2},
        Example{"/thorns/Maxwell/equations.edl", 3, 6}, Example{"/thorns/BSSN/equations.edl", 3, 4},
        Example{"/parfiles/gray-scott.yaml", 2, 0}, Example{"/tests/unit/equations/crystal.edl", 2, 0},
        Example{"/parfiles/cahn-hilliard.yaml", 2, 4}, Example{"/parfiles/kuramoto-sivashinsky.yaml", 1, 6}));
}  // namespace cereus::equations
#else
TEST(OpenCL, KernelsComputeWhatTheGraphSays) { GTEST_SKIP() << "built without OpenCL"; }
#endif
