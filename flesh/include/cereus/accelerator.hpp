// Devices: the service that decides what is copied between host and device, and the one that copies and launches.
#pragma once
#include <functional>
#include <span>
#include <string>

#include "copy.hpp"
#include "services.hpp"
#include "transform.hpp"
namespace cereus {
// Messages between the devices of two processes, without the host. Both sides make one and meet; then, for each
// message, send_buffer, pack, sent, and on the other side received, unpack, done. The processes tell each other, by
// MPI, that `sent` was called; the devices then wait for each other, and the processes for neither.
struct Link {
  virtual ~Link() = default;
  virtual std::string card() const = 0;  // what the other side must know, at most card_size bytes
  static constexpr std::size_t card_size = 512;
  virtual bool meet(const std::string& card) = 0;  // false if the devices cannot reach each other
  virtual void part() {}                           // on both sides, before either destroys it in mid-run
  virtual char* send_buffer() = 0;                 // once what lay there is no longer needed
  virtual void sent(std::size_t outgoing, std::size_t incoming) = 0;  // bytes, both at least 1
  virtual const char* received() = 0;
  virtual void done() = 0;
};

// A copy of device memory on its way to the host, beside all that the device does later.
struct Snapshot {
  virtual ~Snapshot() = default;
  virtual char* bring() = 0;  // on any thread: waits until it is on the host, where it stays as long as this
};

// A device of this process and its only queue: everything runs in the order in which it was asked for, and nothing is
// waited for but by wait(), a copy to the host, and a kernel that returns a value. What is launched may be held back
// until then, or until submit().
struct Device : Service {
  static constexpr const char* service_name = "Device";
  // Takes one of the devices that this process sees; what it is, or why there is none, goes into `report`.
  virtual bool open(int local_rank, std::string& report) = 0;
  virtual std::string identity() const { return ""; }  // of the hardware, among the devices of a host
  virtual void share(int /*processes*/) {}             // so many have the same one
  virtual std::shared_ptr<char> allocate(std::size_t bytes, const std::string& what_for) = 0;
  virtual std::size_t free_memory() const = 0;
  virtual bool can_run(const KernelTable&) const = 0;
  virtual void prepare(const Simulation&) {}  // all that will be launched is known, and where it works
  virtual void copy(Space from, Space to, std::span<const CopyPiece>) = 0;
  // As KernelTable::host, with addresses on the device. `who` is named if it fails.
  virtual void launch(const KernelTable&, const Launch&, const char* who) = 0;
  // Code that was compiled at run time for this device ("sm_90"; empty if it takes none): loads a function of it, once.
  struct Loaded {
    const void* function = nullptr;
    int registers = 0, spilled = 0;  // a thread; spilled in bytes
    int blocks = 0;                  // thread blocks that fit a multiprocessor
  };
  virtual std::string architecture() const { return ""; }
  virtual int multiprocessors() const { return 1; }
  virtual Loaded load(const std::string& /*code*/, const char* /*function*/, int /*threads*/, unsigned /*shared*/) {
    return {};
  }
  virtual void start(const DeviceCall&, const char* /*who*/) {}
  // A device whose memory the host's code can work on: that runs in its turn, as a kernel.
  virtual bool runs_host_code() const { return false; }
  virtual void run(std::function<void()>) {}
  virtual void submit() {}
  virtual void wait() = 0;
  virtual std::shared_ptr<Snapshot> snapshot(const char* from, std::size_t bytes) = 0;
  // Of boxes, packed one after another, x fastest; where `to` points and its strides do not matter.
  virtual std::shared_ptr<Snapshot> snapshot(std::span<const CopyPiece>) = 0;
  // What is asked for between begin_side and end_side runs beside what was asked for since `fork`; what comes later
  // waits for both. After a loose fork it does not even wait for what came before, until catch_up, which follows:
  // decision 12.
  virtual void fork(bool /*loose*/ = false) {}
  virtual void catch_up() {}
  virtual void begin_side() {}
  virtual void end_side() {}
  // Of memory on the device, in its turn; null if it has none.
  virtual std::unique_ptr<Transform> transform(const TransformShape&) { return nullptr; }
  // How messages may travel, best first; and one for messages of up to so many bytes in either direction, null if that
  // is not possible here.
  virtual std::vector<std::string> link_kinds() const { return {}; }
  virtual std::unique_ptr<Link> make_link(const std::string& /*kind*/, std::size_t) { return nullptr; }
};

// Decides what to copy: the regions of what is read that are stale in the space of the reader and valid in the other.
struct Accelerator : Service {
  static constexpr const char* service_name = "Accelerator";
  virtual void bring(Simulation&, int level, std::span<const VariableAccess>, Space, Why) = 0;
  // Copies boxes of blocks, where they are not valid; all else there stays as it is, and stale.
  virtual void bring_boxes(Simulation&, int level, const VariableAccess&, std::span<const BlockBox>, Space, Why) = 0;
  // The bytes that bring would copy for one access, and what is valid afterwards; for forecasts.
  virtual std::int64_t bytes_to_bring(const Simulation&, int level, const VariableAccess&, Validity&, Space) const = 0;
};

// Where a kernel runs: on the device, if there is one that can.
Space space_of(const Simulation&, const KernelTable&);
// Where routines that only launch kernels want their variables.
Space kernel_space(const Simulation&);
}  // namespace cereus
