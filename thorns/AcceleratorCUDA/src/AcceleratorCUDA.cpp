// The back-end for NVIDIA devices: memory, copies, launches, one queue.
#include <cereus/console.hpp>
#include <cereus/hash.hpp>
#include <cereus/text.hpp>
#include <cereus/thorn.hpp>

#include <array>
#include <map>

#include "cuda.hpp"
#include "fft.hpp"
#include "ipc.hpp"
#include "late_kernels.hpp"
#include "launcher.hpp"
#include "nccl.hpp"
#include "queue.hpp"
#include "snapshot.hpp"
#include "tables.hpp"

namespace AcceleratorCUDA {
class CudaDevice : public Device {
 public:
  CudaDevice(bool graphs, bool counters)
      : counters_(counters ? std::make_unique<KernelCounters>(console::say) : nullptr),
        queue_(graphs, counters_.get()) {}

  bool open(int local_rank, std::string& report) override {
    int devices = 0;
    if (const auto code = cudaGetDeviceCount(&devices); code != cudaSuccess || devices == 0) {
      cudaGetLastError();
      report =
          std::string("no CUDA device (") + (code == cudaSuccess ? "none is visible" : cudaGetErrorString(code)) + ")";
      return false;
    }
    const int mine = local_rank % devices;
    check(cudaSetDevice(mine), "taking device " + std::to_string(mine));
    device_ = mine;
    // Sectors of which nothing is wanted, at the ends of rows, are not fetched (H200: 0.7 % of a 7-point step). A hint.
    if (cudaDeviceSetLimit(cudaLimitMaxL2FetchGranularity, 32) != cudaSuccess) cudaGetLastError();
    queue_.open();
    if (counters_) counters_->open();
    cudaDeviceProp p;
    check(cudaGetDeviceProperties(&p, mine), "asking for the device's properties");
    multiprocessors_ = p.multiProcessorCount;
    launcher_.open(multiprocessors_, p.l2CacheSize);
    architecture_ = "sm_" + std::to_string(p.major) + std::to_string(p.minor);
    identity_.assign(p.uuid.bytes, sizeof p.uuid.bytes);
    std::size_t total = 0;
    check(cudaMemGetInfo(&free_, &total), "asking for free memory");
    report = std::string(p.name) + ", " + format_bytes(static_cast<double>(free_)) + " free";
    if (devices > 1) report += ", " + std::to_string(devices) + " devices";
    return true;
  }
  std::string identity() const override { return identity_; }
  void share(int processes) override {
    free_ /= static_cast<std::size_t>(processes);  // all have asked for it, and nobody has taken any yet
  }

  std::shared_ptr<char> allocate(std::size_t bytes, const std::string& what_for) override {
    auto memory = slabs_.allocate(bytes, what_for);
    check(cudaMemsetAsync(memory.get(), 0xff, bytes, queue_.stream()), "poisoning memory");  // NaN, whatever the type
    return memory;
  }
  std::size_t free_memory() const override { return free_ - std::min(free_, slabs_.in_use()); }
  bool can_run(const KernelTable& t) const override {
    if (t.late) return true;
    const detail::DeviceLoops* const loops = t.loops().device_loops;
    return loops && (!loops->is_late() || loops_.can_compile());
  }
  void prepare(const Simulation& s) override { late_.prepare(s); }
  void grid_changed(const Simulation&) override { snapshots_->release(); }

  void copy(Space from, Space to, std::span<const CopyPiece> pieces) override {
    if (from == Space::device && to == Space::device) return copy_within(pieces);
    // In portions: packed on one side, one transfer, unpacked on the other.
    const std::vector<CopyPiece> cut = in_planes(pieces);
    pieces = cut;
    while (!pieces.empty()) {
      std::size_t n = 0, bytes = 0;
      while (n < pieces.size() && (n == 0 || bytes + static_cast<std::size_t>(pieces[n].bytes()) <= portion))
        bytes += (static_cast<std::size_t>(pieces[n++].bytes()) + 15) / 16 * 16;
      transfer(from, pieces.first(n), bytes);
      pieces = pieces.subspan(n);
    }
  }

  void launch(const KernelTable& table, const Launch& l, const char* who) override {
    if (l.list.n_blocks == 1 && !l.result) return launch_alike(table, l, nullptr, who);
    std::vector<BoxesAlike> unknown;
    for (const BoxesAlike& boxes : l.list.number ? kept(l.list, l.result) : unknown = sorted(l.list, l.result)) {
      Launch part = l;
      part.list = {boxes.blocks.data(), static_cast<int>(boxes.blocks.size()), 0};
      launch_alike(table, part, boxes.on_device, who);
    }
  }

  std::shared_ptr<Snapshot> snapshot(const char* from, std::size_t bytes) override {
    const auto fill = [&](char* to) {
      check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, queue_.stream()),
          "copying for analysis and output");
    };
    return snapshots_->take(bytes, fill, queue_, slabs_, device_);
  }
  std::shared_ptr<Snapshot> snapshot(std::span<const CopyPiece> boxes) override {
    std::size_t bytes = 0;
    for (const auto& p : boxes) bytes += static_cast<std::size_t>(p.bytes());
    return snapshots_->take(
        bytes, [&](char* to) { copy_within(packed(boxes, to)); }, queue_, slabs_, device_);
  }
  std::string architecture() const override { return architecture_; }
  int multiprocessors() const override { return multiprocessors_; }
  Loaded load(const std::string& code, const char* function, int threads, unsigned shared) override {
    Library& library = libraries_[hash_of(code)];
    cudaKernel_t kernel = nullptr;
    if (!library.handle)
      check(cudaLibraryLoadData(&library.handle, code.data(), nullptr, nullptr, 0, nullptr, nullptr, 0),
          "loading late-compiled code");
    check(cudaLibraryGetKernel(&kernel, library.handle, function), "looking for a late-compiled kernel");
    Loaded loaded;
    loaded.function = kernel;
    if (cudaFuncSetAttribute(loaded.function, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared)) !=
        cudaSuccess) {
      cudaGetLastError();  // more than there is
      return {};
    }
    cudaFuncAttributes a;
    check(cudaFuncGetAttributes(&a, loaded.function), "asking what a late-compiled kernel needs");
    loaded.registers = a.numRegs, loaded.spilled = static_cast<int>(a.localSizeBytes);
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&loaded.blocks, loaded.function, threads, shared),
        "asking what fits a multiprocessor");
    return loaded;
  }
  void start(const DeviceCall& call, const char* who) override { queue_.start(call, who); }
  void submit() override { queue_.submit(); }
  void wait() override { queue_.wait("waiting for the device"); }
  std::chrono::nanoseconds waited() override { return queue_.waited(); }
  std::shared_ptr<Moment> moment() override { return queue_.moment(); }

  std::unique_ptr<Transform> transform(const TransformShape& shape) override {
    if (!CuFft::instance() || !DeviceTransform::takes(shape)) return nullptr;
    return std::make_unique<DeviceTransform>(*CuFft::instance(), shape, queue_);
  }

  std::vector<std::string> link_kinds() const override { return {"ipc", "nccl"}; }
  std::unique_ptr<Link> make_link(const std::string& kind, std::size_t bytes) override {
    try {
      if (kind == "ipc") return std::make_unique<IpcLink>(bytes, queue_);
      if (kind == "nccl" && Nccl::instance()) return std::make_unique<NcclLink>(*Nccl::instance(), bytes, queue_);
    } catch (const Failure&) {  // a host or container that does not let processes share memory
      cudaGetLastError();
    }
    return nullptr;
  }
  void fork(bool loose) override { queue_.fork(loose); }
  void catch_up() override { queue_.catch_up(); }
  void begin_side() override { queue_.begin_side(); }
  void end_side() override { queue_.end_side(); }
  std::string counted() const { return counters_ ? counters_->table() : ""; }

 private:
  struct Caller {
    Launcher& launcher;
    LaunchInfo info;
    static void launch(
        void* caller, const detail::DeviceLoops& k, const void* kernel, const Launch& l, const BlockLaunch* blocks) {
      auto& me = *static_cast<Caller*>(caller);
      me.info.blocks = blocks;
      me.launcher.launch(k, kernel, l, me.info);
    }
  };
  static constexpr std::size_t partial_bytes = std::size_t{1} << 20, portion = std::size_t{64} << 20;

  // Boxes that one launch takes: of one size, because thread blocks are counted by the largest, and no more than one
  // grid can have along z; or all of a reduction. Of a list with few points, for which a launch costs more than idle
  // threads do, a box may be a point larger along y and z: vertices at the end of the domain are its last blocks'.
  struct BoxesAlike {
    std::vector<BlockLaunch> blocks;
    const BlockLaunch* on_device = nullptr;
  };
  using Size = std::array<int, 3>;
  static Size size_of(const BlockLaunch& b) { return {b.hi[0] - b.lo[0], b.hi[1] - b.lo[1], b.hi[2] - b.lo[2]}; }
  static std::map<Size, std::vector<BlockLaunch>> by_size(std::span<const BlockLaunch> boxes) {
    constexpr std::int64_t few = std::int64_t{1} << 20;
    constexpr int thick = 16;  // layers along faces have loops of their own
    std::int64_t points = 0;
    std::map<Size, std::vector<BlockLaunch>> found;
    for (const BlockLaunch& b : boxes) {
      const Size size = size_of(b);
      found[size].push_back(b), points += std::int64_t{size[0]} * size[1] * size[2];
    }
    if (points > few) return found;
    const auto joins = [](const Size& a, const Size& larger) {  // along x loops may want whole vectors
      const auto by_one = [&](int d) { return a[d] >= thick && larger[d] >= a[d] && larger[d] <= a[d] + 1; };
      return a[0] == larger[0] && by_one(1) && by_one(2);
    };
    for (auto to = found.begin(); to != found.end(); ++to)
      for (auto from = std::next(to); from != found.end();) {
        const auto next = std::next(from);
        if (joins(to->first, from->first)) {
          std::ranges::copy(from->second, std::back_inserter(to->second));
          found.erase(from);
        }
        from = next;
      }
    return found;
  }
  std::vector<BoxesAlike> sorted(const BlockList& list, bool all) {
    const std::span boxes(list.blocks, static_cast<std::size_t>(list.n_blocks));
    const auto lists =
        all ? std::map<Size, std::vector<BlockLaunch>>{{Size{0, 0, 1}, {boxes.begin(), boxes.end()}}} : by_size(boxes);
    std::vector<BoxesAlike> result;
    for (const auto& [size, blocks] : lists) {
      const std::size_t most = all ? blocks.size() : static_cast<std::size_t>(std::max(1, 65535 / (size[2] + 1)));
      for (std::size_t first = 0; first < blocks.size(); first += most) {
        const auto begin = blocks.begin() + static_cast<std::ptrdiff_t>(first);
        auto& part = result.emplace_back();
        part.blocks.assign(begin, begin + static_cast<std::ptrdiff_t>(std::min(most, blocks.size() - first)));
      }
    }
    std::size_t bytes = 0;
    for (const auto& part : result) bytes += part.blocks.size() * sizeof(BlockLaunch) + 256;
    tables_.make_room(bytes);
    for (auto& part : result)
      if (part.blocks.size() > 1 || all)
        part.on_device = reinterpret_cast<const BlockLaunch*>(tables_.place(bytes_of(part.blocks)));
    return result;
  }
  const std::vector<BoxesAlike>& kept(const BlockList& list, bool all) {
    if (lists_made_ != tables_.generation()) lists_.clear();
    auto found = lists_.find({list.number, all});
    if (found == lists_.end()) {
      auto boxes = sorted(list, all);  // may begin a new generation
      if (lists_made_ != tables_.generation()) lists_.clear();
      lists_made_ = tables_.generation();
      found = lists_.emplace(std::pair{list.number, all}, std::move(boxes)).first;
    }
    return found->second;
  }

  void launch_alike(const KernelTable& table, const Launch& l, const BlockLaunch* on_device, const char* who) {
    if (late_.takes(table)) return late_.launch(table, l, on_device, who);
    if (l.result && !partial_) partial_ = slabs_.allocate(partial_bytes, "reductions");
    char* const result = l.result ? pinned_.at_least(table.result_size) : nullptr;
    Caller caller{launcher_, {who, nullptr, partial_.get(), result,
                                 static_cast<int>(partial_bytes / std::max<std::size_t>(table.result_size, 1))}};
    table.loops().device(table.kernel.get(), l, {Caller::launch, &caller, on_device});
    if (!l.result) return;
    queue_.wait(std::string("the kernel of ") + who);
    table.combine(l.result, result);
  }

  static std::vector<CopyPiece> packed(std::span<const CopyPiece> boxes, char* to) {
    std::vector<CopyPiece> pieces(boxes.begin(), boxes.end());
    for (auto& p : pieces) {
      p.to = to, p.to_stride[0] = p.extent[0], p.to_stride[1] = Offset{p.extent[0]} * p.extent[1];
      to += p.bytes();
    }
    return pieces;
  }

  // Pieces that are larger than a portion are cut into planes.
  static std::vector<CopyPiece> in_planes(std::span<const CopyPiece> pieces) {
    std::vector<CopyPiece> cut;
    for (CopyPiece p : pieces) {
      const std::int64_t plane = p.bytes() / p.extent[2];
      const int most = static_cast<int>(std::max<std::int64_t>(1, static_cast<std::int64_t>(portion) / plane)),
                planes = p.extent[2];
      for (int k = 0; k < planes; k += most) {
        CopyPiece part = p;
        part.extent[2] = std::min(most, planes - k);
        part.from += k * p.from_stride[1] * p.element, part.to += k * p.to_stride[1] * p.element;
        cut.push_back(part);
      }
    }
    return cut;
  }

  // Of elements of 16 bytes, where rows are made of them: as wide as loads can be.
  static CopyPiece widened(CopyPiece p) {
    constexpr int wide = 16;
    const auto fits = [&](Offset elements) { return elements * p.element % wide == 0; };
    const auto aligned = [&](const void* at) { return reinterpret_cast<std::uintptr_t>(at) % wide == 0; };
    const int by = wide / p.element;
    if (by <= 1 || !aligned(p.from) || !aligned(p.to) || !fits(p.extent[0])) return p;
    for (int d = 0; d < 2; ++d)
      if (!fits(p.from_stride[d]) || !fits(p.to_stride[d])) return p;
    for (int d = 0; d < 2; ++d) p.from_stride[d] /= by, p.to_stride[d] /= by;
    p.extent[0] /= by, p.element = wide;
    return p;
  }

  void copy_within(std::span<const CopyPiece> pieces) {
    std::string content(pieces.size() * sizeof(PieceOnDevice), '\0');
    unsigned parts = 0;
    for (std::size_t n = 0; n < pieces.size(); ++n) {
      const CopyPiece p = widened(pieces[n]);
      const PieceOnDevice d{p.from, p.to, {p.from_stride[0], p.from_stride[1]}, {p.to_stride[0], p.to_stride[1]},
          {p.extent[0], p.extent[1], p.extent[2]}, p.element, parts, 0};
      parts += static_cast<unsigned>((p.bytes() / p.element + points_a_block - 1) / points_a_block);
      std::memcpy(content.data() + n * sizeof d, &d, sizeof d);
    }
    if (parts == 0) return;
    const char* table = tables_.place(std::move(content));
    const int n = static_cast<int>(pieces.size());
    // Beside an interior few thread blocks do: others that wait for another device's memory would only keep the
    // interior's out.
    const unsigned blocks = queue_.beside() ? std::min(parts, static_cast<unsigned>(multiprocessors_ + 7) / 8) : parts;
    queue_.start({copy_kernel, {blocks, 1, 1}, {copy_threads, 1, 1}, 3, {&table, &n, &parts},
                     {sizeof table, sizeof n, sizeof parts}},
        "copying ghost zones");
  }

  void transfer(Space from, std::span<const CopyPiece> pieces, std::size_t bytes) {
    if (bytes > staging_size_) {
      wait();
      staging_ = allocate(bytes, "transfers between host and device");
      staging_size_ = bytes;
    }
    char* host = pinned_.at_least(bytes);
    std::vector<CopyPiece> pack, unpack;
    std::size_t at = 0;
    for (const auto& p : pieces) {
      const Offset row = p.extent[0], plane = row * p.extent[1];
      pack.push_back(p), unpack.push_back(p);
      pack.back().to = (from == Space::device ? staging_.get() : host) + at;
      unpack.back().from = (from == Space::device ? host : staging_.get()) + at;
      pack.back().to_stride[0] = unpack.back().from_stride[0] = row;
      pack.back().to_stride[1] = unpack.back().from_stride[1] = plane;
      at += (static_cast<std::size_t>(p.bytes()) + 15) / 16 * 16;
    }
    if (from == Space::device) {
      copy_within(pack);
      check(
          cudaMemcpyAsync(host, staging_.get(), bytes, cudaMemcpyDeviceToHost, queue_.stream()), "copying to the host");
      wait();
      copy_on_host(unpack);
    } else {
      copy_on_host(pack);
      check(cudaMemcpyAsync(staging_.get(), host, bytes, cudaMemcpyHostToDevice, queue_.stream()),
          "copying to the device");
      copy_within(unpack);
      wait();  // the pinned memory is used again
    }
  }

  struct Library {
    cudaLibrary_t handle = nullptr;
    ~Library() {
      if (handle) cudaLibraryUnload(handle);
    }
  };
  std::map<std::string, Library> libraries_;  // by the hash of what was loaded
  std::unique_ptr<KernelCounters> counters_;
  Queue queue_;
  LateCompiler compiler_{*this};
  LateLoops loops_{*this, compiler_};
  LateKernels late_{*this, queue_, compiler_, loops_};
  Launcher launcher_{queue_, loops_};
  Slabs slabs_{device_slab};
  Tables tables_{[this] { queue_.submit(); }};
  std::map<std::pair<unsigned long long, bool>, std::vector<BoxesAlike>>
      lists_;                // by number, and whether for a reduction
  unsigned lists_made_ = 0;  // the generation of tables_
  Pinned pinned_;
  std::shared_ptr<Snapshots> snapshots_ = std::make_shared<Snapshots>();
  std::shared_ptr<char> partial_, staging_;
  std::size_t staging_size_ = 0;
  std::string identity_, architecture_;
  int multiprocessors_ = 1, device_ = 0;
  std::size_t free_ = 0;
};

void declare(Declaration& d) {
  d.describe("Runs kernels on NVIDIA devices");
  d.parameter("graphs", true, any(), "Launch sequences of kernels that come again and again as CUDA graphs");
  d.parameter("counters", false, any(),
      "Say at the end what kernels moved and how busy the device was, by its counters (CUPTI); without graphs");
  d.provides<Device>(
      [](const Parameters& p) { return std::make_shared<CudaDevice>(p.boolean("graphs"), p.boolean("counters")); },
      "cuda");
}
void schedule(Schedule& s, const Parameters& par) {
  if (!par.boolean("counters")) return;
  s.routine("counters", "Prints what the device of rank 0 counted",
       [](Context& c) {
         const auto* device = dynamic_cast<const CudaDevice*>(c.simulation().services.find<Device>());
         const std::string table = device ? device->counted() : "no counters of kernels: no NVIDIA device runs them";
         if (!table.empty()) console::say(table);
       })
      .at(bin::terminate)
      .once();
}
}  // namespace AcceleratorCUDA
CEREUS_THORN(AcceleratorCUDA, AcceleratorCUDA::declare, AcceleratorCUDA::schedule)
