// A device without a device: a second memory of the host, and a thread that does what it was asked only when somebody
// waits for it, and what may come in any order in a random one. What reads too early, or from the wrong space, shows.
#include <unistd.h>
#include <cereus/memory.hpp>
#include <cereus/thorn.hpp>

#include <algorithm>
#include <cstring>
#include <limits>
#include <thread>

#include "jobs.hpp"
#include "link.hpp"

namespace AcceleratorMirror {
using namespace cereus;
using steady = std::chrono::steady_clock;

class Mirror : public Device {
 public:
  Mirror(std::int64_t seed, bool late) : in_order_(seed == 0), late_(late), random_(static_cast<std::uint64_t>(seed)) {}
  bool open(int, std::string& report) override {
    report = "a mirror in the host's memory";
    return true;
  }
  std::string identity() const override { return std::to_string(getpid()); }
  std::shared_ptr<char> allocate(std::size_t bytes, const std::string&) override {
    const std::size_t whole = whole_pages(bytes);
    auto memory = large_memory(whole, "the mirror");
    std::memset(memory.get(), 0xff, whole);  // NaN, whatever the type
    std::erase_if(allocations_, [&](const auto& a) {
      return a.first < memory.get() + whole && memory.get() < a.first + a.second;
    });  // freed since
    allocations_[memory.get()] = whole;
    return memory;
  }
  std::size_t free_memory() const override { return std::numeric_limits<std::size_t>::max() / 2; }
  bool can_run(const KernelTable&) const override { return true; }

  void copy(Space from, Space to, std::span<const CopyPiece> pieces) override {
    std::vector<CopyPiece> mine(pieces.begin(), pieces.end());
    Job job;
    for (const auto& p : mine) {
      if (from == Space::device) touch(job, p.from, false);
      if (to == Space::device) touch(job, p.to, true);
    }
    const auto staging = from == Space::host ? stage(mine) : nullptr;
    shuffle(mine);  // a device does all pieces at once
    job.run = [mine, staging] { copy_on_host(mine); };
    take(std::move(job));
    if (to == Space::host) wait();
  }

  void launch(const KernelTable& table, const Launch& launch, const char*) override {
    struct Kept {
      std::vector<char*> address;
      std::vector<BlockLaunch> blocks;
      std::vector<Geometry> geometry;
      std::vector<std::max_align_t> kernel;
      Epilogue epilogue;
      Launch launch;
    };
    auto kept = std::make_shared<Kept>();
    kept->launch = launch;
    const std::size_t width =
        static_cast<std::size_t>(table.handles + (launch.epilogue ? table.outputs * Epilogue::addresses : 0));
    kept->blocks.assign(launch.list.blocks, launch.list.blocks + launch.list.n_blocks);
    kept->address.assign(launch.address, launch.address + width);
    kept->geometry.assign(launch.geometry, launch.geometry + launch.geometries);
    kept->launch.list.blocks = kept->blocks.data();
    kept->launch.address = kept->address.data();
    kept->launch.geometry = kept->geometry.data();
    kept->kernel.resize(table.kernel_size / sizeof(std::max_align_t) + 1);
    std::memcpy(kept->kernel.data(), table.kernel.get(), table.kernel_size);
    if (launch.epilogue) kept->epilogue = *launch.epilogue, kept->launch.epilogue = &kept->epilogue;
    const auto loop = table.loop(launch);
    if (queue_.size() > most) wait();
    Job job{[kept, loop] { loop(kept->kernel.data(), kept->launch); }, launch.result != nullptr, {}};
    const auto written = outputs(table, width);
    for (std::size_t n = 0; n < width && !job.alone; ++n)
      if (kept->address[n]) touch(job, kept->address[n], written[n]);
    if (!job.alone) shuffle(kept->blocks);
    take(std::move(job));
    if (launch.result) wait();
  }

  bool runs_host_code() const override { return true; }
  void run(std::function<void()> code) override {
    if (queue_.size() > most) wait();
    take({std::move(code), true, {}});
  }

  std::shared_ptr<Snapshot> snapshot(const char* from, std::size_t bytes) override {
    wait();
    auto copy = std::make_shared<Copy>();
    copy->memory.assign(from, from + bytes);
    return copy;
  }
  std::shared_ptr<Snapshot> snapshot(std::span<const CopyPiece> boxes) override {
    wait();
    std::vector<CopyPiece> pieces(boxes.begin(), boxes.end());
    auto copy = std::make_shared<Copy>();
    copy->memory = std::move(*stage(pieces));
    return copy;
  }

  std::vector<std::string> link_kinds() const override { return {"ipc"}; }
  std::unique_ptr<Link> make_link(const std::string&, std::size_t bytes) override {
    return std::make_unique<MirrorLink>(bytes, *this);
  }

  void wait() override {
    if (queue_.empty()) return;
    const auto begin = steady::now();
    std::thread([this] {
      if (in_order_)
        for (const auto& job : queue_) job.run();
      else
        for (int n : some_order(queue_, random_)) queue_[n].run();
    }).join();
    queue_.clear();
    waited_ += steady::now() - begin;
  }
  std::chrono::nanoseconds waited() override { return std::exchange(waited_, {}); }
  std::shared_ptr<Moment> moment() override {
    if (!in_order_) return nullptr;  // it would keep others from coming in any order
    auto now = std::make_shared<Passed>();
    take({[now] { now->when = steady::now(); }, true, {}});
    return now;
  }

 private:
  struct Passed : Moment {
    std::optional<steady::time_point> when;
    std::optional<std::chrono::nanoseconds> since(const Moment& earlier) const override {
      const auto& begin = static_cast<const Passed&>(earlier).when;
      return begin && when ? std::optional<std::chrono::nanoseconds>(*when - *begin) : std::nullopt;
    }
  };
  struct Copy : Snapshot {
    std::vector<char> memory;
    char* bring() override { return memory.data(); }
  };

  // What lies on the host is read now; it may change. The pieces then come from where it was put.
  static std::shared_ptr<std::vector<char>> stage(std::vector<CopyPiece>& pieces) {
    std::size_t bytes = 0;
    for (const auto& p : pieces) bytes += static_cast<std::size_t>(p.bytes());
    auto staging = std::make_shared<std::vector<char>>(bytes);
    std::vector<CopyPiece> in = pieces;
    char* at = staging->data();
    for (std::size_t n = 0; n < pieces.size(); ++n) {
      const Offset row = in[n].extent[0], plane = row * in[n].extent[1];
      in[n].to = at, in[n].to_stride[0] = row, in[n].to_stride[1] = plane;
      pieces[n].from = at, pieces[n].from_stride[0] = row, pieces[n].from_stride[1] = plane;
      at += in[n].bytes();
    }
    copy_on_host(in);
    return staging;
  }

  // Whether a kernel writes through each address of a row; if the table does not say, it may.
  static std::vector<bool> outputs(const KernelTable& table, std::size_t width) {
    std::vector<bool> written;
    for (const auto& a : table.accesses)
      written.insert(written.end(), static_cast<std::size_t>(a.components), a.mode != Mode::read);
    const auto handles = static_cast<std::size_t>(table.handles);
    if (written.size() != handles) written.assign(handles, true);
    // Of what is updated, destinations, with the ghost zones that are pushed; not sources.
    for (std::size_t n = 0; written.size() < width; ++n) written.push_back(n % Epilogue::addresses == 0);
    return written;
  }

  void take(Job job) {
    queue_.push_back(std::move(job));
    if (!late_) wait();
  }

  // A whole allocation counts as touched: where a kernel goes from its address only the kernel knows.
  void touch(Job& job, const char* address, bool written) const {
    const auto next = allocations_.upper_bound(address);
    const auto mine = next == allocations_.begin() ? allocations_.end() : std::prev(next);
    if (mine == allocations_.end() || address >= mine->first + mine->second) job.alone = true;
    else job.touches[mine->first] |= written;
  }

  template <class T> void shuffle(std::vector<T>& list) {
    if (!in_order_) std::shuffle(list.begin(), list.end(), random_);
  }

  static constexpr std::size_t most = 256;  // then a real device would be late too
  bool in_order_, late_;
  std::mt19937_64 random_;
  std::map<const char*, std::size_t> allocations_;  // and their sizes
  std::vector<Job> queue_;
  std::chrono::nanoseconds waited_{};
};

void declare(Declaration& d) {
  d.describe("A second memory of the host that plays the part of a device, for tests without one");
  d.parameter("seed", 1, at_least(0), "Of the order in which it does what may come in any; 0: as it was asked for");
  d.parameter("late", true, any(), "Do what is asked when somebody waits for it; else at once, for timings");
  d.provides<Device>(
      [](const Parameters& p) { return std::make_shared<Mirror>(p.integer("seed"), p.boolean("late")); }, "mirror");
}
void schedule(Schedule&, const Parameters&) {}
}  // namespace AcceleratorMirror
CEREUS_THORN(AcceleratorMirror, AcceleratorMirror::declare, AcceleratorMirror::schedule)
