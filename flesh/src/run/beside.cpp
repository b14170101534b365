// A simulation of a service's own, beside the run.
#include "cereus/simulation.hpp"

namespace cereus {
Simulation beside(
    const Simulation& s, const Process& process, std::shared_ptr<Driver> driver, std::vector<Group> groups, int width) {
  Simulation b;
  b.process = process;
  b.name = s.name, b.real = s.real, b.clock = s.clock, b.overlap = s.overlap;
  b.grid = driver->make_grid(width, process);
  for (const Group& g : groups) {
    b.groups.push_back(g);
    b.groups.back().first_variable = static_cast<int>(b.variables.size());
    for (int c = 0; c < static_cast<int>(g.variables.size()); ++c)
      b.variables.push_back({g.thorn + "::" + g.variables[c], static_cast<int>(b.groups.size()) - 1, c});
  }
  b.fields = Fields(b.groups, std::vector<int>(groups.size(), 1), b.grid, b.real, true);
  b.services.add(Driver::service_name, driver);
  if (const auto device = s.services.shared<Device>()) {
    b.services.add(Device::service_name, device);
    b.services.add(Accelerator::service_name, s.services.shared<Accelerator>());
    b.fields.allocate_on_device(
        b.groups, [&](std::size_t bytes, const std::string& group) { return device->allocate(bytes, group); });
  }
  driver->prepare(b);
  return b;
}
}  // namespace cereus
