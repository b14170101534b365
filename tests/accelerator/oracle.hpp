// What a run with two spaces must do, point by point: which bytes have to move and what every reader must see. Written
// from DESIGN's section on validity alone; it knows no regions but asks each point.
#pragma once
#include <optional>
#include <vector>

#include "cereus/grid.hpp"
#include "cereus/routine.hpp"
#include "cereus/validity.hpp"

namespace oracle {
using cereus::Grid;
using cereus::Group;
using cereus::Index;
using cereus::Space;
using cereus::VariableAccess;

// What a value says of itself; fits into the 53 bits of a double.
struct Origin {
  int variable, writer, version;  // the routine's number, and which of all writes this was
  bool condition;                 // made by a boundary condition from that version
  Index at;                       // within the first period
};
double encode(const Origin&);
std::optional<Origin> decode(double);  // nothing if it is no value of ours

struct Point {
  int block;
  Index at, home;  // home: where it lies within the domain, or outside it on axes that are not periodic
  Index nearest;   // from which a boundary condition makes it, on the same block; itself if it lies inside
  bool outside;    // of the domain: outer boundary, whoever's ghost it also is
  int layer, off;  // layers out of what the block owns; along how many axes
  bool owned() const { return layer == 0; }
};

class Oracle {
 public:
  Oracle(const Grid&, const std::vector<Group>&);

  const std::vector<Point>& points(int group) const { return points_[group]; }
  // Whether there is anything right to be read, in some space.
  bool readable(const VariableAccess&) const;
  // The bytes that a read in this space brings into it; what is still missing is made there.
  std::int64_t read(const VariableAccess&, Space);
  void write(const VariableAccess&, Space, int writer);
  void cycle(int group);
  // Whether a reader or writer sees this point, and the value that is right there.
  bool touches(const VariableAccess&, const Point&) const;
  double right(const VariableAccess& a, std::size_t point) const { return of(a).value[point]; }
  bool owned_in(const VariableAccess&, Space) const;

 private:
  struct Held {
    bool data = false;  // the newest value lies here
    bool layer =
        false;  // of a point outside: it counts as filled in the layers of ghost zones, which are of whole blocks
  };
  struct Buffer {               // of one variable and timelevel
    std::vector<double> value;  // the newest
    std::vector<Held> held[cereus::spaces];
  };
  template <class Which> bool all(const VariableAccess&, Space, Which) const;
  bool layers(const VariableAccess&, Space, int depth, bool corners) const;

  Buffer& of(const VariableAccess& a) { return buffers_[a.group][a.timelevel][a.component]; }
  const Buffer& of(const VariableAccess& a) const { return buffers_[a.group][a.timelevel][a.component]; }

  int width_ = 0, versions_ = 0;
  std::vector<int> first_;                                 // variable number of each group's component 0
  std::vector<std::vector<Point>> points_;                 // [group]
  std::vector<std::vector<std::vector<Buffer>>> buffers_;  // [group][timelevel][component]
};
}  // namespace oracle
