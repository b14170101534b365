// Which processes have a device, and which compute on the host beside them.
#pragma once
#include "cereus/simulation.hpp"
namespace cereus {
// Opens the device of this process; without a device kernels run on the host. Collective, within Process::agree.
void open_device(Simulation&);
// What a simulation has opened, for the next one of the same program.
struct Taken {
  std::shared_ptr<Device> device;
  bool two_kinds = false;
  Process alike;
};
Taken taken_by(const Simulation&);
void take_again(Simulation&, const Taken&);
}  // namespace cereus
