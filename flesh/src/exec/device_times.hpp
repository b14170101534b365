// Whose work the process waited for when it waited for its device. A device works later than it is asked, so the
// routine that waits is seldom the one that gave it the work: the time waited is moved to the timers of those that did,
// in proportion to what their calls take by the device's own clock. That is read in some calls of each routine only,
// because kernels of routines that are told apart do not go to the device together.
#pragma once
#include <exception>
#include <map>
#include <vector>

#include "cereus/simulation.hpp"
namespace cereus {
class DeviceTimes {
 public:
  // Work that the device is given belongs to a timer until leave(). With `own` false it still belongs to the timer
  // around this one, which has only what the process waits for meanwhile. May throw what leave() could not.
  void enter(Device&, int node, bool own = true);
  void rename(int node) { open_.back().node = node; }  // where only the work itself shows whose it is
  void leave(Timers&, Device&) noexcept;
  void settle(Timers&);  // the device has done all that it was given

 private:
  using Mark = std::shared_ptr<Device::Moment>;
  struct Call {
    int node = -1;
    std::vector<std::pair<Mark, Mark>> parts;  // begin and end
  };
  struct Open {
    int node;
    bool own;
    std::shared_ptr<Call> call;  // null: it is not measured
    Mark since;                  // the part that is open
  };
  struct Known {
    int calls = 0, measured = 0;
    double seconds = 0;  // of the device, for one call
  };
  // What was waited for, by the timer that has it, and how often each timer gave the device work since the last window.
  struct Window {
    std::map<int, std::chrono::nanoseconds> waited;
    std::map<int, int> calls;
  };

  Mark mark(Device&) noexcept;
  Open* around();  // the innermost timer that has work of its own; null if there is none
  void note_waiting(Device&);
  void learn();
  void share_out(Timers&, const Window&) const;

  std::vector<Open> open_;
  std::map<int, Known> known_;
  std::vector<std::shared_ptr<Call>> calls_;  // measured, and not known to be done
  std::vector<Window> windows_;               // that wait for times of their calls
  Window now_;
  std::exception_ptr failure_;
};

// While an object lives, work that the device is given belongs to a timer, see DeviceTimes; without a device nothing
// does.
class DeviceWork {
 public:
  DeviceWork(Simulation& s, int node, bool own = true) : timers_(s.timers), device_(s.services.find<Device>()) {
    if (!device_) return;
    if (!s.device_times) s.device_times = std::make_shared<DeviceTimes>();
    times_ = s.device_times.get();
    times_->enter(*device_, node, own);
  }
  ~DeviceWork() {
    if (times_) times_->leave(timers_, *device_);
  }
  DeviceWork(const DeviceWork&) = delete;
  void rename(int node) {
    if (times_) times_->rename(node);
  }

 private:
  Timers& timers_;
  Device* device_;
  DeviceTimes* times_ = nullptr;
};
}  // namespace cereus
