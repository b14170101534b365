// Devices: the service Accelerator decides what is copied between host and device; the service Device copies and
// launches kernels.
#pragma once
#include <chrono>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "copy.hpp"
#include "services.hpp"
#include "transform.hpp"
namespace cereus {
// A connection between the devices of two processes, over which messages travel without the host. Both processes make a
// Link and call meet() with the card of the other. For each message the sender calls send_buffer(), packs into it and
// calls sent(); the receiver calls received(), unpacks and calls done(). The sender tells the receiver, by MPI, that it
// has called sent(). The devices then wait for each other; the processes wait for neither device.
struct Link {
  virtual ~Link() = default;
  virtual std::string card() const = 0;  // the address that the other side must know, at most card_size bytes
  static constexpr std::size_t card_size = 512;
  virtual bool meet(const std::string& card) = 0;  // false if the devices cannot reach each other
  virtual void part() {}            // disconnects: both sides call it before either destroys its Link in mid-run
  virtual char* send_buffer() = 0;  // where to pack the next message: the last one there was read
  virtual void sent(std::size_t outgoing, std::size_t incoming) = 0;  // bytes, both at least 1
  virtual const char* received() = 0;
  virtual void done() = 0;
};

// A copy of device memory that travels to the host while the device goes on with later work.
struct Snapshot {
  virtual ~Snapshot() = default;
  virtual char* bring() = 0;  // from any thread: waits for the copy; its memory on the host lives as long as this
};

// A device of this process with its main queue. Copies and kernels run in the order of the calls. The process waits for
// the device in wait(), in a copy to the host, and in the launch of a kernel that returns a value; until then, or until
// submit(), the device may hold launches back.
struct Device : Service {
  static constexpr const char *service_name = "Device", *usual_thorn = "AcceleratorCUDA";
  // Opens one of the devices that this process sees. `report`: the name of the device, or why there is none.
  virtual bool open(int local_rank, std::string& report) = 0;
  virtual std::string identity() const { return ""; }  // tells this device from others of the host
  virtual void share(int /*processes*/) {}             // so many processes of this host opened the same device
  virtual std::shared_ptr<char> allocate(std::size_t bytes, const std::string& what_for) = 0;
  virtual std::size_t free_memory() const = 0;
  virtual bool can_run(const KernelTable&) const = 0;
  virtual void prepare(const Simulation&) {}  // the schedule is known, and the grid functions have memory
  virtual void copy(Space from, Space to, std::span<const CopyPiece>) = 0;
  // Runs a kernel as KernelTable::host does, with addresses on the device. A failure is reported for `who`.
  virtual void launch(const KernelTable&, const Launch&, const char* who) = 0;
  // A function of code that was compiled at run time for architecture(), such as "sm_90"; empty: this device takes
  // none.
  struct Loaded {
    const void* function = nullptr;
    int registers = 0, spilled = 0;  // for each thread; spilled: bytes
    int blocks = 0;                  // thread blocks that fit a multiprocessor
  };
  virtual std::string architecture() const { return ""; }
  virtual int multiprocessors() const { return 1; }
  virtual Loaded load(const std::string& /*code*/, const char* /*function*/, int /*threads*/, unsigned /*shared*/) {
    return {};
  }
  virtual void start(const DeviceCall&, const char* /*who*/) {}
  // Whether code of the host can work on the memory of this device. run() puts such code into the queue as a kernel.
  virtual bool runs_host_code() const { return false; }
  virtual void run(std::function<void()>) {}
  virtual void submit() {}
  virtual void wait() = 0;
  // How long calls have waited for the device since the last call of this function.
  virtual std::chrono::nanoseconds waited() { return {}; }
  // A moment in the main queue. `since`: the time that the device took from one to the next, once both have passed.
  struct Moment {
    virtual ~Moment() = default;
    virtual std::optional<std::chrono::nanoseconds> since(const Moment& earlier) const = 0;
  };
  virtual std::shared_ptr<Moment> moment() { return nullptr; }  // null: none can be told now
  virtual std::shared_ptr<Snapshot> snapshot(const char* from, std::size_t bytes) = 0;
  // Of boxes, which it packs one after another, x fastest. CopyPiece::to and its strides are not used.
  virtual std::shared_ptr<Snapshot> snapshot(std::span<const CopyPiece>) = 0;
  // A second queue, the side. Calls between begin_side and end_side go there; they run beside A, the work that the main
  // queue was given since fork. Work after end_side waits for both.
  //
  //   main   before ── fork ── A ───────────────────────── end_side ── after
  //                     └───── begin_side ── side ─────────────┘
  //
  // The side waits for `before`. After a loose fork it does so only from catch_up on, which must follow; its work up to
  // then may run beside `before` (decision 12).
  virtual void fork(bool /*loose*/ = false) {}
  virtual void catch_up() {}
  virtual void begin_side() {}
  virtual void end_side() {}
  // A Fourier transform that runs in the queue, on memory of the device; null if this device offers none.
  virtual std::unique_ptr<Transform> transform(const TransformShape&) { return nullptr; }
  // The kinds of Link that this device can make, the best first.
  virtual std::vector<std::string> link_kinds() const { return {}; }
  // A Link of a kind for messages of up to so many bytes in either direction; null if it cannot be made here.
  virtual std::unique_ptr<Link> make_link(const std::string& /*kind*/, std::size_t) { return nullptr; }
};

// Decides what to copy: regions of variables that a routine reads, that are stale in its space and valid in the other.
struct Accelerator : Service {
  static constexpr const char *service_name = "Accelerator", *usual_thorn = "Accelerator";
  virtual void bring(Simulation&, int level, std::span<const VariableAccess>, Space, Why) = 0;
  // Copies boxes of blocks if the interior is stale. Other points keep their values, and the interior stays stale.
  virtual void bring_boxes(Simulation&, int level, const VariableAccess&, std::span<const BlockBox>, Space, Why) = 0;
  // For forecasts: returns the bytes that bring() would copy for one access, and sets what would be valid then.
  virtual std::int64_t bytes_to_bring(const Simulation&, int level, const VariableAccess&, Validity&, Space) const = 0;
};

// The space in which a kernel runs: that of the device, if there is one and it can run the kernel.
Space space_of(const Simulation&, const KernelTable&);
// The space in which routines that only launch kernels read and write.
Space kernel_space(const Simulation&);
}  // namespace cereus
