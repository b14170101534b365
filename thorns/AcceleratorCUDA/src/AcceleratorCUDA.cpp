// The back-end for NVIDIA devices: memory, copies, launches, one queue.
#include <cereus/text.hpp>
#include <cereus/thorn.hpp>

#include <array>
#include <map>

#include "cuda.hpp"
#include "link.hpp"
#include "snapshot.hpp"
#include "tables.hpp"

namespace AcceleratorCUDA {
class CudaDevice : public Device {
 public:
  ~CudaDevice() override {
    for (cudaStream_t s : {main_, side_})
      if (s) cudaStreamDestroy(s);
    for (cudaEvent_t e : {forked_, joined_})
      if (e) cudaEventDestroy(e);
  }

  bool open(int local_rank, int local_size, std::string& report) override {
    int devices = 0;
    if (const auto code = cudaGetDeviceCount(&devices); code != cudaSuccess || devices == 0) {
      cudaGetLastError();
      report = std::string("no CUDA device (") + (code == cudaSuccess ? "none is visible" : cudaGetErrorString(code)) + ")";
      return false;
    }
    const int mine = local_rank % devices, sharing = (local_size - mine + devices - 1) / devices;
    check(cudaSetDevice(mine), "taking device " + std::to_string(mine));
    device_ = mine;
    int low = 0, high = 0;
    check(cudaDeviceGetStreamPriorityRange(&low, &high), "asking for priorities");
    check(cudaStreamCreateWithPriority(&main_, cudaStreamNonBlocking, low), "making a stream");
    check(cudaStreamCreateWithPriority(&side_, cudaStreamNonBlocking, high), "making a stream");
    for (cudaEvent_t* e : {&forked_, &joined_}) check(cudaEventCreateWithFlags(e, cudaEventDisableTiming), "making an event");
    stream_ = main_;
    cudaDeviceProp p;
    check(cudaGetDeviceProperties(&p, mine), "asking for the device's properties");
    multiprocessors_ = p.multiProcessorCount;
    partial_ = slabs_.allocate(partial_bytes, "reductions");
    std::size_t free = 0, total = 0;
    check(cudaMemGetInfo(&free, &total), "asking for free memory");
    free_ = free / static_cast<std::size_t>(sharing);  // before any process takes its share
    report = std::string(p.name) + ", " + format_bytes(static_cast<double>(free_)) + " free";
    if (devices > 1) report += ", " + std::to_string(devices) + " devices";
    if (sharing > 1) report += ", each shared by up to " + std::to_string(sharing) + " processes";
    return true;
  }

  std::shared_ptr<char> allocate(std::size_t bytes, const std::string& what_for) override {
    auto memory = slabs_.allocate(bytes, what_for);
    check(cudaMemsetAsync(memory.get(), 0xff, bytes, stream_), "poisoning memory");  // NaN, whatever the type
    return memory;
  }
  std::size_t free_memory() const override {
    return free_ - std::min(free_, slabs_.in_use());
  }
  bool can_run(const KernelTable& t) const override { return t.device != nullptr; }

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

  // Boxes of one size together: thread blocks are counted by the largest.
  void launch(const KernelTable& table, const Launch& l, std::size_t width, const std::string& who) override {
    const auto extent = [](const BlockLaunch& b) { return std::array{b.hi[0] - b.lo[0], b.hi[1] - b.lo[1], b.hi[2] - b.lo[2]}; };
    std::map<std::array<int, 3>, std::vector<BlockLaunch>> by_size;
    for (int b = 0; b < l.n_blocks; ++b) by_size[extent(l.blocks[b])].push_back(l.blocks[b]);
    if (by_size.size() == 1 || l.result) return launch_equal(table, l, width, who);
    for (const auto& [size, blocks] : by_size) {
      Launch part = l;
      part.blocks = blocks.data(), part.n_blocks = static_cast<int>(blocks.size());
      launch_equal(table, part, width, who);
    }
  }
  void launch_equal(const KernelTable& table, Launch l, std::size_t width, const std::string& who) {
    std::vector<BlockLaunch> pushing;
    if (l.epilogue && l.epilogue->pushed) l.blocks = faces_on_device(l, table.outputs, pushing);
    DeviceQueue q{stream_, nullptr, partial_.get(), static_cast<int>(partial_bytes / std::max<std::size_t>(table.result_size, 1)), multiprocessors_};
    if (l.n_blocks > 1 || l.result) q.blocks = reinterpret_cast<const BlockLaunch*>(blocks_on_device(l, width));
    const int partials = table.device(table.kernel.get(), l, q);
    check(cudaGetLastError(), "the kernel of " + who);
    if (!l.result) return;
    char* host = pinned_.at_least(static_cast<std::size_t>(partials) * table.result_size);
    check(cudaMemcpyAsync(host, partial_.get(), static_cast<std::size_t>(partials) * table.result_size, cudaMemcpyDeviceToHost, stream_), "reading the result of " + who);
    check(cudaStreamSynchronize(stream_), "the kernel of " + who);
    for (int n = 0; n < partials; ++n) table.combine(l.result, host + static_cast<std::size_t>(n) * table.result_size);
  }

  std::shared_ptr<Snapshot> snapshot(const char* from, std::size_t bytes) override {
    return snapshots_->take(from, bytes, stream_, slabs_, device_);
  }
  void wait() override { check(cudaStreamSynchronize(stream_), "waiting for the device"); }

  std::unique_ptr<Link> make_link(std::size_t bytes) override {
    try {
      return std::make_unique<IpcLink>(bytes, stream_, side_);
    } catch (const Failure&) {  // a host or container that does not let processes share memory
      cudaGetLastError();
      return nullptr;
    }
  }
  void fork() override {
    check(cudaEventRecord(forked_, main_), "recording an event");
    check(cudaStreamWaitEvent(side_, forked_, 0), "waiting for an event");
  }
  void begin_side() override { stream_ = side_; }
  void end_side() override {
    stream_ = main_;
    check(cudaEventRecord(joined_, side_), "recording an event");
    check(cudaStreamWaitEvent(main_, joined_, 0), "waiting for an event");
  }

 private:
  static constexpr std::size_t partial_bytes = std::size_t{1} << 20, portion = std::size_t{64} << 20;

  const BlockLaunch* faces_on_device(const Launch& l, int outputs, std::vector<BlockLaunch>& blocks) {
    const std::size_t faces = static_cast<std::size_t>(6 * outputs), row = faces * sizeof(GhostFace);
    blocks.assign(l.blocks, l.blocks + l.n_blocks);
    std::string content;
    for (const auto& b : blocks) content.append(reinterpret_cast<const char*>(b.ghosts), row);
    const auto* place = reinterpret_cast<const GhostFace*>(tables_.place(std::move(content), [](char*, char*) {}));
    for (auto& b : blocks) b.ghosts = place, place += faces;
    return blocks.data();
  }
  char* blocks_on_device(const Launch& l, std::size_t width) {
    const std::size_t head = static_cast<std::size_t>(l.n_blocks) * sizeof(BlockLaunch), row = width * sizeof(char*);
    std::string content(head + static_cast<std::size_t>(l.n_blocks) * row, '\0');
    for (int b = 0; b < l.n_blocks; ++b) {
      BlockLaunch block = l.blocks[b];
      std::memcpy(content.data() + head + static_cast<std::size_t>(b) * row, block.address, row);
      block.address = nullptr;
      std::memcpy(content.data() + static_cast<std::size_t>(b) * sizeof block, &block, sizeof block);
    }
    return tables_.place(std::move(content), [&](char* bytes, char* place) {
      for (int b = 0; b < l.n_blocks; ++b) {
        const char* address = place + head + static_cast<std::size_t>(b) * row;
        std::memcpy(bytes + static_cast<std::size_t>(b) * sizeof(BlockLaunch) + offsetof(BlockLaunch, address), &address, sizeof address);
      }
    });
  }

  // Pieces that are larger than a portion are cut into planes.
  static std::vector<CopyPiece> in_planes(std::span<const CopyPiece> pieces) {
    std::vector<CopyPiece> cut;
    for (CopyPiece p : pieces) {
      const std::int64_t plane = p.bytes() / p.extent[2];
      const int most = static_cast<int>(std::max<std::int64_t>(1, static_cast<std::int64_t>(portion) / plane)), planes = p.extent[2];
      for (int k = 0; k < planes; k += most) {
        CopyPiece part = p;
        part.extent[2] = std::min(most, planes - k);
        part.from += k * p.from_stride[1] * p.element, part.to += k * p.to_stride[1] * p.element;
        cut.push_back(part);
      }
    }
    return cut;
  }

  void copy_within(std::span<const CopyPiece> pieces) {
    std::string content(pieces.size() * sizeof(PieceOnDevice), '\0');
    unsigned blocks = 0;
    for (std::size_t n = 0; n < pieces.size(); ++n) {
      const CopyPiece& p = pieces[n];
      const PieceOnDevice d{p.from, p.to, {p.from_stride[0], p.from_stride[1]}, {p.to_stride[0], p.to_stride[1]},
                            {p.extent[0], p.extent[1], p.extent[2]}, p.element, blocks, 0};
      blocks += static_cast<unsigned>((p.bytes() / p.element + points_a_block - 1) / points_a_block);
      std::memcpy(content.data() + n * sizeof d, &d, sizeof d);
    }
    if (blocks == 0) return;
    const char* table = tables_.place(std::move(content), [](char*, char*) {});
    launch_copy(reinterpret_cast<const PieceOnDevice*>(table), static_cast<int>(pieces.size()), blocks, stream_);
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
      check(cudaMemcpyAsync(host, staging_.get(), bytes, cudaMemcpyDeviceToHost, stream_), "copying to the host");
      wait();
      copy_on_host(unpack);
    } else {
      copy_on_host(pack);
      check(cudaMemcpyAsync(staging_.get(), host, bytes, cudaMemcpyHostToDevice, stream_), "copying to the device");
      copy_within(unpack);
      wait();  // the pinned memory is used again
    }
  }

  Slabs slabs_;
  Tables tables_;
  Pinned pinned_;
  std::shared_ptr<Snapshots> snapshots_ = std::make_shared<Snapshots>();
  std::shared_ptr<char> partial_, staging_;
  std::size_t staging_size_ = 0;
  // What comes next goes to stream_: the main one, or the one beside it, which is served first.
  cudaStream_t stream_ = nullptr, main_ = nullptr, side_ = nullptr;
  cudaEvent_t forked_ = nullptr, joined_ = nullptr;
  int multiprocessors_ = 1, device_ = 0;
  std::size_t free_ = 0;
};

void declare(Declaration& d) {
  d.describe("Runs kernels on NVIDIA devices");
  d.provides<Device>([](const Parameters&) { return std::make_shared<CudaDevice>(); }, "cuda");
}
void schedule(Schedule&, const Parameters&) {}
}  // namespace AcceleratorCUDA
CEREUS_THORN(AcceleratorCUDA, AcceleratorCUDA::declare, AcceleratorCUDA::schedule)
