// A device without a device: a second memory of the host, and a thread that does what it was asked only when somebody
// waits for it. What reads too early, or from the wrong space, shows.
#include <cereus/thorn.hpp>

#include <cstring>
#include <functional>
#include <limits>
#include <thread>

namespace AcceleratorMirror {
using namespace cereus;

class Mirror : public Device {
 public:
  bool open(int, int, std::string& report) override {
    report = "a mirror in the host's memory";
    return true;
  }
  std::shared_ptr<char> allocate(std::size_t bytes, const std::string&) override {
    const std::size_t whole = (bytes + 4095) / 4096 * 4096;
    std::shared_ptr<char> memory(static_cast<char*>(std::aligned_alloc(4096, whole)), [](char* p) { std::free(p); });
    if (!memory) throw Failure("out of memory for the mirror");
    std::memset(memory.get(), 0xff, whole);  // NaN, whatever the type
    return memory;
  }
  std::size_t free_memory() const override { return std::numeric_limits<std::size_t>::max() / 2; }
  bool can_run(const KernelTable&) const override { return true; }

  void copy(Space from, Space to, std::span<const CopyPiece> pieces) override {
    std::vector<CopyPiece> mine(pieces.begin(), pieces.end());
    if (from == Space::device) {
      queue_.push_back([mine] { copy_on_host(mine); });
      if (to == Space::host) wait();
      return;
    }
    std::size_t bytes = 0;  // what lies on the host is read now; it may change
    for (const auto& p : mine) bytes += static_cast<std::size_t>(p.bytes());
    auto staging = std::make_shared<std::vector<char>>(bytes);
    std::vector<CopyPiece> in = mine;
    std::size_t at = 0;
    for (std::size_t n = 0; n < mine.size(); ++n) {
      const Offset row = mine[n].extent[0], plane = row * mine[n].extent[1];
      in[n].to = staging->data() + at, in[n].to_stride[0] = row, in[n].to_stride[1] = plane;
      mine[n].from = staging->data() + at, mine[n].from_stride[0] = row, mine[n].from_stride[1] = plane;
      at += static_cast<std::size_t>(mine[n].bytes());
    }
    copy_on_host(in);
    queue_.push_back([mine, staging] { copy_on_host(mine); });
  }

  void launch(const KernelTable& table, const Launch& launch, std::size_t width, const std::string&) override {
    struct Kept {
      std::vector<char*> address;
      std::vector<BlockLaunch> blocks;
      std::vector<GhostFace> faces;
      std::vector<std::max_align_t> kernel;
      Epilogue epilogue;
      Launch launch;
    };
    auto kept = std::make_shared<Kept>();
    kept->launch = launch;
    kept->blocks.assign(launch.blocks, launch.blocks + launch.n_blocks);
    kept->address.reserve(width * kept->blocks.size());
    for (auto& b : kept->blocks) {
      kept->address.insert(kept->address.end(), b.address, b.address + width);
      b.address = kept->address.data() + kept->address.size() - width;
    }
    if (launch.epilogue && launch.epilogue->pushed) {
      const auto faces = static_cast<std::size_t>(6 * table.outputs);
      kept->faces.reserve(faces * kept->blocks.size());
      for (auto& b : kept->blocks) {
        kept->faces.insert(kept->faces.end(), b.ghosts, b.ghosts + faces);
        b.ghosts = kept->faces.data() + kept->faces.size() - faces;
      }
    }
    kept->launch.blocks = kept->blocks.data();
    kept->kernel.resize(table.kernel_size / sizeof(std::max_align_t) + 1);
    std::memcpy(kept->kernel.data(), table.kernel.get(), table.kernel_size);
    if (launch.epilogue) kept->epilogue = *launch.epilogue, kept->launch.epilogue = &kept->epilogue;
    const auto loop = launch.epilogue ? table.host_fused[launch.epilogue->sources] : table.host;
    if (queue_.size() > most) wait();
    queue_.push_back([kept, loop] { loop(kept->kernel.data(), kept->launch); });
    if (launch.result) wait();
  }

  std::shared_ptr<Snapshot> snapshot(const char* from, std::size_t bytes) override {
    struct Copy : Snapshot {
      std::vector<char> memory;
      char* bring() override { return memory.data(); }
    };
    wait();
    auto copy = std::make_shared<Copy>();
    copy->memory.assign(from, from + bytes);
    return copy;
  }

  void wait() override {
    if (queue_.empty()) return;
    std::thread([this] {
      for (const auto& job : queue_) job();
    }).join();
    queue_.clear();
  }

 private:
  static constexpr std::size_t most = 256;  // then a real device would be late too
  std::vector<std::function<void()>> queue_;
};

void declare(Declaration& d) {
  d.describe("A second memory of the host that plays the part of a device, for tests without one");
  d.provides<Device>([](const Parameters&) { return std::make_shared<Mirror>(); }, "mirror");
}
void schedule(Schedule&, const Parameters&) {}
}  // namespace AcceleratorMirror
CEREUS_THORN(AcceleratorMirror, AcceleratorMirror::declare, AcceleratorMirror::schedule)
