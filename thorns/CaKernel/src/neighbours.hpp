// Other processes' devices whose ghost zones the sweeps of this process write themselves: no message, and no host
// between two sweeps. Before a sweep, streams meet: then all others have ended the sweep before, which wrote what this
// one reads, and read what this one overwrites.
#pragma once
#include <cereus/block_index.hpp>
#include <cereus/simulation.hpp>
#include <memory>
#include <tuple>

#include "step_program.hpp"
#include "sweep/tile.hpp"
namespace exchange {
struct Piece;
}
namespace CaKernel {
class Neighbours {
 public:
  struct Reach {  // of a sweep: layers of ghost zones, and the axes (bits) across which it reads them
    int depth, axes;
  };
  // Null unless all processes have devices of one host, whose memory they can write. Collective.
  static std::unique_ptr<Neighbours> meet(Simulation&, const StepProgram&);
  // How they meet: each tells all others what they must know of its memory, and hears them. False if the memory of that
  // process cannot be written as if it were this one's.
  Neighbours(Simulation&, const StepProgram&);
  std::string cards(const Simulation&) const;
  bool hear(const Simulation&, int rank, const std::string& cards);

  // Whether a sweep has filled the ghost zones of a field that comes in, whose interior has not changed since.
  bool filled(const Simulation&, const StepProgram::Field&, Reach) const;
  // Begins a sweep: the device waits for the others.
  void begin(Simulation&, Reach);
  // What the sweep writes beside the interior of a block, as a list in the device's memory.
  sweep::Pushes of(Simulation&, const StepProgram&, int block);
  // Ends a sweep, before its buffers change places: notes what it filled. If somebody looks next, or the run ends, the
  // device waits until the others have written here.
  void end(Simulation&, const StepProgram&, bool looked_at);

 private:
  struct Home {  // of a block: its process, and where its first point lies in each slab there
    int rank;
    Offset offset;
    Index first;
  };
  struct Known {
    sweep::Pushes pushes;
    std::shared_ptr<char> list;
    std::int64_t points;  // that go to other processes
  };
  struct Filled {
    std::uint32_t version;
    Reach reach;
  };
  bool introduce(Simulation&, const std::string& mine);  // whether all reach all; collective
  bool fits(const Simulation&) const;                    // whether sweeps can write there, as lists say it
  void meet_others(Simulation&);
  std::vector<exchange::Piece> pieces(const Simulation&, Reach) const;
  sweep::Push push_of(const Simulation&, const StepProgram&, int block, const exchange::Piece&) const;
  Known make(Simulation&, const StepProgram&, int block) const;

  BlockIndex blocks_;  // of all processes
  std::array<Centre, 3> centre_;
  ScalarType type_;
  std::vector<char*> slabs_;                                  // of all buffers of the fields that change
  std::map<int, std::vector<std::shared_ptr<char>>> theirs_;  // by rank, in that order
  std::map<int, Home> homes_;                                 // by number, of these processes' blocks
  std::shared_ptr<char> words_;                               // of 32 bits, one for each process, which sets it
  std::vector<std::shared_ptr<char>> opened_;
  std::vector<char*> their_words_, my_words_;
  std::uint32_t meetings_ = 0;
  Reach reach_{};
  std::map<std::tuple<int, int, int, std::vector<char*>>, Known> known_;  // by block, reach, and where fields go
  std::map<char*, Filled> filled_;                                        // by slab
};
}  // namespace CaKernel
