// Who takes several steps in one sweep: a device, by code that is compiled late, or the host, by the loops that there
// are.
#pragma once
#include <cereus/exchange.hpp>
#include <memory>

#include "marches.hpp"
namespace CaKernel {
struct Ready {  // a sweep that can be started
  Candidate candidate;
  March march = {};
  Device::Loaded code{};  // on a device
};

class Sweeper {
 public:
  virtual ~Sweeper() = default;
  virtual Space space() const = 0;
  virtual std::string name() const = 0;  // of device or processor, by which choices are kept
  // Tiles for blocks of so many points, best first by a model.
  virtual std::vector<Candidate> candidates(const StepProgram&, const Index& extent, int most_steps) const = 0;
  // Begins to make sweeps with these tiles, and whether finish() would have to wait. Collective, as finish().
  virtual void begin(const Simulation&, const StepProgram&, std::vector<Candidate>) = 0;
  virtual bool done() const { return true; }
  // The sweeps, but for those that cannot be had; why not, in `obstacle`.
  virtual std::vector<Ready> finish(Simulation&, const StepProgram&, const Index& extent, std::string& obstacle) = 0;
  // Best first.
  virtual std::vector<March> marches(const StepProgram&, const Ready&, const Index& extent) const = 0;
  // How thick a layer along a face is that is better swept apart, beside all else; 0: nothing is.
  virtual Index skin(const StepProgram&, const Ready&) const = 0;
  virtual int aligned() const { return 1; }  // along x boxes begin at multiples of so many points
  virtual void start(
      Simulation&, const StepProgram&, const Ready&, const BlockBoxes&) = 0;  // boxes of cells, in any order
  virtual std::string text(const Ready&) const = 0;                           // for a report
};
// `architecture` is the device's, or, without a device, the one to compile for; `folder`: of the cache, empty: none.
std::unique_ptr<Sweeper> device_sweeper(const std::string& architecture, const std::string& folder);
std::unique_ptr<Sweeper> host_sweeper(Space);  // of which memory
}  // namespace CaKernel
