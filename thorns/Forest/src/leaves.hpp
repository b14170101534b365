// The leaves of a forest: blocks that nothing finer covers. The trees fill a box; a leaf of level l is one of 2^l parts
// of its tree along each axis. Leaves that touch, also at an edge or a corner, differ by one level at most. Every
// process has all leaves, and makes the same changes to them. Where levels subcycle, what leaves cover is kept: each
// level then has blocks wherever a finer one has.
#pragma once
#include <cereus/box.hpp>

#include <functional>
#include <string>
#include <unordered_map>
#include <vector>
namespace Forest {
using cereus::Box;
using cereus::Index;

struct Leaf {
  int level = 0;
  Index at{};                  // its place among blocks of its level, from the lower end of the domain
  int number = -1, owner = 0;  // among the blocks of its level; the rank
  bool covered = false;        // by finer leaves: a block of the level, but no leaf
};

class Leaves {
 public:
  static constexpr int most_levels = 20;
  // Trees that are not refined. `periodic`: axes whose ends touch.
  Leaves(int dim, const Index& trees, const Index& periodic, bool keeps_covered = false);
  // Splits leaves until none is coarser than is wanted of it, and then those that touch what is two levels finer.
  void refine(const std::function<int(const Leaf&)>& wanted);
  // Changes leaves by a level at most: splits those of which a finer level is wanted, and joins the parts of a block if
  // a coarser one is wanted of all; then splits what touches a leaf that is two levels finer.
  void change(const std::function<int(const Leaf&)>& wanted);
  // Numbers blocks along a curve that keeps neighbours together, and cuts the curve into equal parts, one a process;
  // where covered blocks are kept, that of each level; with speeds of processes, into parts by these. On each level
  // owners do not fall. Levels may be empty, of which there are so many at least.
  void number(int processes, int levels = 1, const std::vector<double>& speeds = {});

  // Whether both have the same leaves, of the same trees.
  bool same_leaves(const Leaves&) const;
  // The levels of leaves along the curve, with run lengths, after the trees along each axis: "4 4 1: 0*12 1*16". The
  // leaves of such a text; throws cereus::Error if it is none of a forest with these trees.
  std::string text() const;
  void read(const std::string& text);

  int dim() const { return dim_; }
  std::int64_t count() const { return static_cast<std::int64_t>(leaves_.size()); }
  int levels() const { return static_cast<int>(of_level_.size()); }
  bool keeps_covered() const { return keeps_covered_; }
  const std::vector<Leaf>& of_level(int level) const { return of_level_[static_cast<std::size_t>(level)]; }
  Index blocks(int level) const;  // of the level that would fill the domain
  // The leaf of a level at a place, which may lie beyond the end of a periodic axis; null if there is none. The block:
  // also a covered one that is kept.
  const Leaf* find(int level, Index at) const;
  const Leaf* block(int level, Index at) const;
  bool has_split(const Leaf& of_another) const;   // which forest differs by a level at most
  bool inside(int level, const Index& at) const;  // whether the place lies in the domain, or in an image of it
  Index wrapped(int level, Index at) const;       // the place of which it is an image
  // Calls f(leaf) for the leaf that has a place, or those that share it.
  void for_each_at(int level, const Index& at, const std::function<void(const Leaf&)>& f) const;

 private:
  using Key = std::uint64_t;
  bool wrap(int level, Index& at) const;  // to the place of which it is an image; false if it is beyond the domain
  static Key key(int level, const Index& at);
  void split(const Leaf&, std::vector<Leaf>& parts);
  void join(const Leaf& part);
  std::vector<Leaf> covered() const;
  bool touches_much_finer(const Leaf&) const;  // by two levels or more
  void balance(std::vector<Leaf> changed);

  int dim_;
  Index trees_, periodic_;
  bool keeps_covered_;
  std::unordered_map<Key, Leaf> leaves_, covered_;  // covered_: if they are kept, of the last numbering
  std::vector<std::vector<Leaf>> of_level_;         // by number
};
}  // namespace Forest
