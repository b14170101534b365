// Carries out plans: packs points for other processes, moves those of this process, and interpolates from coarse points
// when messages have arrived.
#pragma once
#include <Exchange/messages.hpp>

#include "carrier.hpp"
namespace Forest {
struct Kept {  // from exchange to exchange, of one space
  Scratch scratch;
  OnDevice lists;
};

class Moves {
 public:
  Moves(exchange::Messages&, std::vector<Job>, Space, Kept&);
  void begin(Simulation&, unsigned number);  // does all that waits for no message
  void finish(Simulation&, int routine);

 private:
  template <class F> void each_batch(Simulation&, F&& f);

  exchange::Messages& messages_;
  std::vector<Job> jobs_;
  Space space_;
  Kept& kept_;
};
}  // namespace Forest
