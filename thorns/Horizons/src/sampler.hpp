// The geometry of space at points, for process 0: the others help until it says that it is done.
#pragma once
#include <Analysis/communicator.hpp>
#include <cereus/context.hpp>

#include "flow.hpp"

namespace Horizons {
class Sampler {
 public:
  Sampler(cereus::Context&, const Analysis::Communicator&);
  void operator()(std::span<const Vector> points, std::span<Space>);  // of process 0
  // Process 0 says whether the run can go on; both return why not, empty if it can.
  std::string finish(const std::string& trouble);
  std::string serve();

 private:
  enum class Word : int { more, done, fail };
  Word tell(Word) const;
  void interpolate(std::span<const Vector> points, std::span<Space>);

  cereus::Context& context_;
  const Analysis::Communicator& comm_;
  std::vector<int> metric_, curvature_;  // numbers of variables
};
}  // namespace Horizons
