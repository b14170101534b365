#include "late_kernels.hpp"

#include <cereus/simulation.hpp>

#include <algorithm>
#include <set>

namespace AcceleratorCUDA {
namespace {
using namespace cereus;
constexpr Shape thin{2, 16, 4, 2, 64, 2};  // for a layer of points along a face across x
constexpr const char* function = "late";

// Large kernels: the best of fifteen for BSSN, on an H200.
Shape large_shape(const KernelTable& t) { return {32, 4, 1, 128, 32, t.type == ScalarType::float32 ? 3 : 2}; }
// Kernels with formulas: many threads with little to remember. One goes up through several planes, because finding a
// point takes as long as a sine.
Shape formulas_shape(const KernelTable& t) { return {128, 2, 1, 128, 32, 4, t.dim == 3 ? 8 : 1}; }
// On shells, where more numbers wait: as many small thread blocks as there is room for their slots.
Shape shell_shape(const KernelTable& t) {
  constexpr int threads = 64, most = 4;
  int device = 0, bytes = 0;  // of shared memory on a multiprocessor
  check(cudaGetDevice(&device), "asking for the device");
  check(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerMultiprocessor, device), "asking for its memory");
  constexpr int reserved = 1024;  // of each thread block
  const int block = t.shell_slots * threads * static_cast<int>(size_of(t.type)) + reserved;
  return {32, threads / 32, 1, 128, 32, std::clamp(bytes / block, 1, most)};
}
}  // namespace

std::string source_of(const KernelTable& t, const std::string& formulas, Offset row, Offset plane, const Sum& update,
    const Shape& shape, AxesOf of) {
  const std::string type = CaKernel::type_of(t), real = t.type == ScalarType::float32 ? "float" : "double",
                    axes = of == AxesOf::mapped      ? ", cereus::MappedAxes"
                           : of == AxesOf::stretched ? ", cereus::StretchedAxes"
                                                     : ", cereus::UniformAxes";
  return (formulas.empty() ? "" : "#define CEREUS_LATE_FORMULAS\n") +
         std::string("#include \"kernels.hpp\"\n#include <AcceleratorCUDA/loop/sharing.hpp>\n") + formulas +
         "using Kernel = " + type + ";\nextern \"C\" __global__ void __launch_bounds__(" +
         std::to_string(shape.threads()) + ", " + std::to_string(shape.blocks) + ") " + function +
         "(const __grid_constant__ Kernel k, const __grid_constant__ "
         "cereus::detail::LateArguments<cereus::detail::late_addresses<Kernel>> a) {\n  "
         "cereus::detail::" +
         (shape.shares ? "sharing" : "late") + "_loop<Kernel, " + std::to_string(t.dim) + ", " + real + ", " +
         std::to_string(row) + ", " + std::to_string(plane) + ", " + std::to_string(update.sources) + ", " +
         std::to_string(shape.x) + ", " + std::to_string(shape.y) + ", " + std::to_string(shape.z) + ", " +
         std::to_string(shape.march) + (shape.shares ? "" : axes + (update.partial ? ", true" : "")) + ">(k, a);\n}\n";
}
AxesOf LateKernels::axes_of(const KernelTable& t, bool shell) const {
  if (!t.looks_at_axes()) return AxesOf::uniform;
  return shell ? AxesOf::mapped : stretched_ ? AxesOf::stretched : AxesOf::uniform;
}

LateKernels::Late LateKernels::compile(
    const KernelTable& t, Offset row, Offset plane, const Sum& update, const Shape& shape, AxesOf axes) {
  const int slots = axes == AxesOf::mapped ? t.shell_slots : t.slots;
  const auto shared =
      static_cast<unsigned>((slots + update.partial) * shape.threads()) * static_cast<unsigned>(size_of(t.type));
  const LateFormulas::Chosen* with = formulas_.of(t);
  return {shape, shared,
      compiler_.begin({source_of(t, with ? with->text : "", row, plane, update, shape, axes), headers_of(t.source)}),
      {}};
}

void LateKernels::prepare(const Simulation& s) {
  stretched_ = s.services.get<Driver>().stretches_axes();
  identities_.clear();
  loops_.allow(!s.alike.any(!CaKernel::Nvrtc::instance()));
  formulas_.choose(s);
  if (!s.alike.any(s.grid.blocks.empty())) choose(s);
  std::set<std::tuple<Offset, Offset, bool>> kinds;  // strides of blocks, and whether they are of a shell
  for (int n = 0; n < static_cast<int>(s.grid.blocks.size()); ++n) {
    const Layout& l = s.fields.layout(n);
    kinds.insert({l.stride[1], l.stride[2], s.grid.levels[s.grid.blocks[n].level].space.map != 0});
  }
  for (const auto& [row, plane, shell] : kinds)
    for (const Routine& r : s.routines) {
      if (!r.is_kernel) continue;
      if (const DeviceLoops* const loops = r.table->loops().device_loops; loops && loops->is_late())
        loops_.begin(*loops, axes_of(*r.table, shell));
      if (!takes(*r.table)) continue;
      const auto begin = [&](const Sum& update, bool for_thin) {
        find(*r.table, row, plane, update, for_thin, axes_of(*r.table, shell));
      };
      const bool partial = r.unfused_strip.layers > 0 && r.table->updates_in_part();
      for (const int sources : r.fused.empty() ? std::vector{0} : std::vector{1, 2, 3})  // by the stage
        begin({sources, partial}, false);
      if (r.unfused_strip.layers > 0 && !partial)
        for (const bool for_thin : {false, true})
          if (!for_thin || !r.table->shares_faces) begin({}, for_thin);
    }
}

const std::string& LateKernels::identity(const KernelTable& t) {
  if (const LateFormulas::Chosen* c = formulas_.of(t)) return c->identity;
  std::string& known = identities_[{t.type_name, t.source}];
  if (known.empty()) known = CaKernel::identity_of(t, stretched_);
  return known;
}

LateKernels::Late& LateKernels::find(
    const KernelTable& t, Offset row, Offset plane, const Sum& update, bool for_thin, AxesOf axes) {
  const auto [place, fresh] = known_.try_emplace({identity(t), row, plane, update, for_thin, axes});
  const auto chosen = shapes_.find(identity(t));
  if (fresh)
    place->second = compile(t, row, plane, update,
        for_thin                            ? thin
        : t.large && axes == AxesOf::mapped ? shell_shape(t)
        : chosen != shapes_.end()           ? chosen->second
        : formulas_.of(t)                   ? formulas_shape(t)
                                            : large_shape(t),
        axes);
  return place->second;
}

void LateKernels::load(Late& late, const std::string& who) {
  if (!late.code.valid()) return;
  const CaKernel::Code code = late.code.get();
  if (code.bytes.empty())
    throw Failure("the kernel of " + who + " is compiled when a run begins, and that failed: " + code.log +
                  "; Cereus: {device: none} runs it on the host");
  late.loaded = device_.load(code.bytes, function, late.shape.threads(), late.shared);
  if (!late.loaded.function)
    throw Failure(
        "the kernel of " + who + " takes " + std::to_string(late.shared) +
        " bytes of shared memory a thread block, more than the device has; Cereus: {device: none} runs it on " +
        "the host");
}

void LateKernels::launch(const KernelTable& t, const Launch& l, const BlockLaunch* on_device, const char* who) {
  const BlockLaunch& b = l.list.blocks[0];
  // A flux that is shared has the bits of one loop alone.
  const bool for_thin = b.hi[0] - b.lo[0] <= thin.x && !t.shares_faces;
  const Sum update = l.epilogue ? Sum{l.epilogue->sources, l.epilogue->partial} : Sum{};
  Late& late = find(t, l.stride[1], l.stride[2], update, for_thin, axes_of(t, l.mapped));
  load(late, who);
  start(late, t, l, on_device, who);
}

void LateKernels::start(
    const Late& late, const KernelTable& t, const Launch& l, const BlockLaunch* on_device, const char* who) {
  const Shape& shape = late.shape;
  const BlockLaunch& b = l.list.blocks[0];
  const int handles = t.handles, sources = t.outputs * Epilogue::addresses;
  using Arguments = detail::LateArguments<1>;
  std::vector<char> bytes(sizeof(Arguments) + static_cast<std::size_t>(handles + sources) * sizeof(char*));
  auto& a = *new (bytes.data()) Arguments{};
  a.blocks = on_device, a.block = b;
  for (int g = 0; g < l.geometries; ++g) a.geometry[g] = l.geometry[g];
  a.update = l.epilogue ? *l.epilogue : Epilogue{.b = 1};
  if (t.large)
    for (double& weight : a.update.a) weight /= a.update.b;
  for (int h = 0; h < handles; ++h) a.address[h] = l.address[h];
  for (int o = 0; o < t.outputs; ++o)
    for (int n = 0; n < Epilogue::addresses; ++n)
      a.address[handles + o * Epilogue::addresses + n] = l.epilogue ? l.address[handles + o * Epilogue::addresses + n]
                                                         : n == 0   ? l.address[handles - t.outputs + o]
                                                                    : nullptr;
  int size[3] = {};
  for (int n = 0; n < l.list.n_blocks; ++n)
    for (int d = 0; d < 3; ++d) size[d] = std::max(size[d], l.list.blocks[n].hi[d] - l.list.blocks[n].lo[d]);
  a.walk = detail::Walk::of(shape, size);
  DeviceCall call{late.loaded.function, {a.walk.thread_blocks, static_cast<unsigned>(l.list.n_blocks), 1},
      {static_cast<unsigned>(shape.threads()), 1, 1}, 2, {t.kernel.get(), &a},
      {static_cast<unsigned>(t.kernel_size),
          static_cast<unsigned>(sizeof(Arguments) + static_cast<std::size_t>(handles + sources - 1) * sizeof(char*))},
      late.shared};
  queue_.start(call, who);
}
}  // namespace AcceleratorCUDA
