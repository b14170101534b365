#include "run/devices.hpp"

#include <fmt/format.h>

#include "cereus/console.hpp"
#include "cereus/text.hpp"

namespace cereus {
namespace {
// What a process has no use for: without a device what serves one; where there are two kinds, time tiles, whose shapes
// and lengths all processes would have to share.
void remove_unused(Simulation& s, bool device) {
  if (!device) s.services.remove(Device::service_name), s.services.remove(Accelerator::service_name);
  if (s.two_kinds) s.services.remove(StepTiles::service_name);
}

bool takes_device(const Simulation& s) {
  const auto most = s.of("Cereus").integer("device_processes");
  return most == 0 || s.process.local_rank() < most;
}

void note_device(Simulation& s, Device& device, const std::string& report) {
  s.provenance += "device: " + report + "\n";
  const int sharing = s.alike.on_host_with(device.identity());
  device.share(sharing);
  console::say(fmt::format("kernels run on the device: {}{}", report,
      sharing > 1 ? fmt::format(", shared by {} processes, {} each", sharing,
                        format_bytes(static_cast<double>(device.free_memory())))
                  : ""));
}
}  // namespace

void open_device(Simulation& s) {
  auto* device = s.services.find<Device>();
  s.alike = s.process;
  if (!device) {
    const Parameters& par = s.of("Cereus");
    if (par.integer("device_processes") > 0 && s.process.rank() == 0)
      console::warn(Problem{par.where("device_processes"),
          "Cereus.device_processes has no effect: no process takes a device; add thorn AcceleratorCUDA, and leave out "
          "device: none"}
                        .text());
    s.provenance += "device: none\n";
    return;
  }
  const std::string& asked = s.of("Cereus").string("device");
  std::string report = "as Cereus.device_processes says";
  bool found = false;
  if (takes_device(s)) {
    try {
      found = device->open(s.process.local_rank(), report);
    } catch (const Failure& e) { report = e.what(); }
    if (!found && asked != "auto") throw Error(fmt::format("Cereus.device: {}: {}", asked, report));
  }
  const bool some = s.process.any(found), lacking = s.process.any(!found);
  s.two_kinds = some && lacking;
  if (s.two_kinds) s.alike = s.process.among(found);
  s.agreed["device"] = s.two_kinds ? "of some processes" : found ? asked : "none";
  if (found) note_device(s, *device, report);
  else s.provenance += "device: none\n";
  if (!some) console::say("kernels run on the host: " + report);
  const int others = s.process.size() - s.alike.size();
  if (s.two_kinds)
    console::say(fmt::format("{} of {} processes have a device; beside them, kernels run on the cores of the others{}",
        found ? s.alike.size() : others, s.process.size(),
        s.services.find<StepTiles>() ? ", and steps are taken one by one" : ""));
  remove_unused(s, found);
}

Taken taken_by(const Simulation& s) { return {s.services.shared<Device>(), s.two_kinds, s.alike}; }
void take_again(Simulation& s, const Taken& taken) {
  s.two_kinds = taken.two_kinds, s.alike = taken.alike;
  if (taken.device) s.services.add(Device::service_name, taken.device);
  remove_unused(s, taken.device != nullptr);
}
}  // namespace cereus
