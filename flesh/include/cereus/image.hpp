// The state of a run as bytes: for each variable, timelevel and block, the points that the block owns and, where they
// are right, those of the outer boundary next to it. Ghost zones are left out: they are filled again.
#pragma once
#include "memory.hpp"
#include "simulation.hpp"
namespace cereus {
struct Image {
  struct Piece {  // what a block holds of a variable's timelevel
    std::string variable = {};
    int timelevel = 0;
    int level = 0;  // −1: a grid scalar or array, which is the same on all processes; its box is {elements, 1, 1}
    Box box = {};
    bool interior = true;                     // whether that is right; else only the boundary is
    std::uint8_t boundary = 0, constant = 0;  // outer faces that are right; and those that stay so
    bool along = false;                       // whether they are so over all ghost zones along them
    std::uint64_t offset = 0, bytes = 0;      // in the data of its process
    std::string hash = {};                    // of the bytes, once they lie on a disk
  };
  std::vector<Piece> pieces;
  std::shared_ptr<char> data;
  std::uint64_t bytes = 0;  // whole pages, as each piece has
};
// What is kept: groups that are checkpointed; or all, and grid scalars and arrays by each process.
enum class Kept { checkpointed, all };
// Of this process, in the memory of one before if that is as large: fresh memory can take longer than the copy. What
// lies on a device is brought.
void take_image(Simulation&, Image&, Kept = Kept::checkpointed);

// Whether this process needs anything of a piece: not for ghost zones, which are filled again.
bool wants(const Simulation&, const Image::Piece&);
// Makes a variable of this process what pieces of any number of processes say; `data`: of the piece.
void put_back(Simulation&, const Image::Piece&, const char* data);
// What has come back in full is valid; throws Failure if something is missing.
class Restored {
 public:
  explicit Restored(const Simulation&, Kept = Kept::checkpointed);
  void add(const Simulation&, const Image::Piece&);
  void note(Simulation&) const;

 private:
  struct Variable {
    std::int64_t missing = 0;  // points of this process
    bool seen = false, interior = true;
    std::uint8_t boundary = 0, constant = 0;
    bool along = false;
  };
  std::map<std::tuple<int, int, int>, Variable> variables_;  // by number, timelevel, level
};
}  // namespace cereus
