// The same spectra where a device holds the fields: each process transforms all of a field there, and only sums over
// the shells of each plane come back.
#pragma once
#include "shells.hpp"

#include <cereus/simulation.hpp>

#include <map>
#include <memory>
namespace Spectrum {
struct Engine {
  virtual ~Engine() = default;
  virtual std::vector<double> power(const VariableAccess&) = 0;  // of each shell
};
class OnDevice {
 public:
  // Null where the host computes: without a device, and for other types than float and double.
  Engine* engine_for(Simulation&, const VariableAccess&, const Shells&);

 private:
  int epoch_ = -1;  // of the grid
  std::map<std::pair<ScalarType, std::array<Centre, 3>>, std::unique_ptr<Engine>> engines_;
};
}  // namespace Spectrum
