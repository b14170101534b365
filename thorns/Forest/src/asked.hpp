// What the parameters ask of a forest: its domain, the size of its blocks, and boxes where it is fine.
#pragma once
#include <algorithm>
#include <cereus/parameter.hpp>

#include "plan.hpp"
#include "shells.hpp"
namespace Forest {
class Asked {
 public:
  explicit Asked(const cereus::Parameters&);
  // All that follow throw Error, with the place of what is wrong.
  cereus::Patch domain() const;  // of level 0
  void check_block(int ghost_width) const;
  void find_boxes(const cereus::Patch& domain);

  bool has_shells() const { return parameters_.real("shell_radius") > 0; }
  Shells::Size shells(const cereus::Patch& domain, int ghost_width) const;

  int least_level(const Place&, const Leaf&) const;  // that boxes ask of a leaf
  int dim() const { return static_cast<int>(parameters_.integers("cells").size()); }
  int block() const { return block_; }
  // Of interpolations along an axis: those asked for, or as ghost zones of so many layers need, if blocks are so large.
  int points(int ghost_width) const {
    const auto asked = static_cast<int>(parameters_.integer("points"));
    return asked > 0 ? asked : std::max(2, std::min({12, 2 * ghost_width + 2, block_ / 4 * 2}));
  }
  int levels() const { return static_cast<int>(parameters_.integer("levels")); }
  bool subcycles() const { return parameters_.boolean("subcycle") && levels() > 1; }
  int coarsest_alone() const { return static_cast<int>(parameters_.integer("same_steps")); }
  bool adapts(int iteration) const { return changes() && iteration % parameters_.integer("every") == 0; }
  bool changes() const { return parameters_.integer("every") > 0; }
  // Empty, or what is wrong with so many leaves on so many processes.
  std::string too_many(std::int64_t leaves) const;
  std::string too_few(std::int64_t leaves, int processes) const;
  cereus::Where where(const std::string& parameter) const { return parameters_.where(parameter); }

 private:
  struct FineBox {  // blocks that meet it are at least of that level
    int level = 0;
    std::array<double, 3> lower{}, upper{};
  };
  FineBox box_of(const std::string& text, const cereus::Patch& domain) const;

  cereus::Parameters parameters_;
  int block_;
  std::vector<FineBox> boxes_;
};
}  // namespace Forest
