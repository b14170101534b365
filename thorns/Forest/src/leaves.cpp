// Leaves as a table by level and place. A leaf is split by taking it out and putting its parts in.
#include "leaves.hpp"

#include <Exchange/speeds.hpp>
#include <cereus/error.hpp>

#include <algorithm>
#include <sstream>

namespace Forest {
namespace {
// The bits of a number, each followed by two zeros.
std::uint64_t spread(std::uint64_t x) {
  x &= 0x1fffff;
  x = (x | x << 32) & 0x1f00000000ffff;
  x = (x | x << 16) & 0x1f0000ff0000ff;
  x = (x | x << 8) & 0x100f00f00f00f00f;
  x = (x | x << 4) & 0x10c30c30c30c30c3;
  return (x | x << 2) & 0x1249249249249249;
}
// Where a leaf lies along Morton's curve through blocks of the finest level.
std::uint64_t place_on_curve(const Leaf& l, int finest) {
  std::uint64_t code = 0;
  for (int d = 0; d < 3; ++d) code |= spread(static_cast<std::uint64_t>(l.at[d]) << (finest - l.level)) << d;
  return code;
}
Index halved(Index at, int dim) {
  for (int d = 0; d < dim; ++d) at[d] >>= 1;
  return at;
}
Box parts_of_block(int dim) {
  Box box{{0, 0, 0}, {1, 1, 1}};
  for (int d = 0; d < dim; ++d) box.hi[d] = 2;
  return box;
}
Index part(Index at, int dim, const Index& which) {
  for (int d = 0; d < dim; ++d) at[d] = 2 * at[d] + which[d];
  return at;
}
Box around(int dim) {
  Box box{{0, 0, 0}, {1, 1, 1}};
  for (int d = 0; d < dim; ++d) box.lo[d] = -1, box.hi[d] = 2;
  return box;
}
template <class Table> std::vector<Leaf> blocks_in(const Table& table) {
  std::vector<Leaf> list;
  for (const auto& [k, leaf] : table) list.push_back(leaf);
  return list;
}
}  // namespace

Leaves::Leaves(int dim, const Index& trees, const Index& periodic, bool keeps_covered)
    : dim_(dim),
      trees_(trees),
      periodic_(periodic),
      keeps_covered_(keeps_covered) {
  for_each_point(Box{{0, 0, 0}, trees}, [&](int i, int j, int k) {
    const Leaf l{0, {i, j, k}};
    leaves_[key(0, l.at)] = l;
  });
}

Leaves::Key Leaves::key(int level, const Index& at) {
  Key k = static_cast<Key>(level);
  for (int d = 0; d < 3; ++d) k = k << 19 | static_cast<Key>(at[d]);  // Forest.cpp: at most 2²⁰ cells, 4 a block
  return k;
}

Index Leaves::blocks(int level) const {
  Index n = trees_;
  for (int d = 0; d < dim_; ++d) n[d] <<= level;
  return n;
}

bool Leaves::wrap(int level, Index& at) const {
  bool inside = true;
  for (int d = 0; d < 3; ++d) {
    const int n = d < dim_ ? trees_[d] << level : trees_[d];
    if (at[d] >= 0 && at[d] < n) continue;
    if (d < dim_ && periodic_[d]) at[d] = (at[d] % n + n) % n;
    else inside = false;
  }
  return inside;
}

Index Leaves::wrapped(int level, Index at) const {
  wrap(level, at);
  return at;
}

bool Leaves::inside(int level, const Index& at) const {
  Index there = at;
  return wrap(level, there);
}

const Leaf* Leaves::find(int level, Index at) const {
  if (level < 0 || !wrap(level, at)) return nullptr;
  const auto found = leaves_.find(key(level, at));
  return found == leaves_.end() ? nullptr : &found->second;
}

const Leaf* Leaves::block(int level, Index at) const {
  if (const Leaf* leaf = find(level, at)) return leaf;
  if (covered_.empty() || level < 0 || !wrap(level, at)) return nullptr;
  const auto found = covered_.find(key(level, at));
  return found == covered_.end() ? nullptr : &found->second;
}

bool Leaves::has_split(const Leaf& leaf) const {
  return !leaf.covered && !find(leaf.level, leaf.at) && !find(leaf.level - 1, halved(leaf.at, dim_));
}

void Leaves::for_each_at(int level, const Index& at, const std::function<void(const Leaf&)>& f) const {
  Index first = at;
  if (!wrap(level, first)) return;
  Index coarser = first;
  for (int l = level; l >= 0; --l, coarser = halved(coarser, dim_))
    if (const Leaf* leaf = find(l, coarser)) return f(*leaf);
  for_each_point(parts_of_block(dim_), [&](int i, int j, int k) {
    for_each_at(level + 1, part(first, dim_, {i, j, k}), f);
  });
}

void Leaves::split(const Leaf& leaf, std::vector<Leaf>& parts) {
  const Leaf whole = leaf;  // which lies in the table
  leaves_.erase(key(whole.level, whole.at));
  for_each_point(parts_of_block(dim_), [&](int i, int j, int k) {
    const Leaf l{whole.level + 1, part(whole.at, dim_, {i, j, k})};
    leaves_[key(l.level, l.at)] = l;
    parts.push_back(l);
  });
}

void Leaves::refine(const std::function<int(const Leaf&)>& wanted) {
  std::vector<Leaf> todo;
  for (const auto& [k, leaf] : leaves_) todo.push_back(leaf);
  while (!todo.empty()) {
    const Leaf leaf = todo.back();
    todo.pop_back();
    if (wanted(leaf) > leaf.level) split(leaf, todo);
  }
  balance(blocks_in(leaves_));
}

void Leaves::join(const Leaf& leaf) {
  const Leaf whole{leaf.level - 1, halved(leaf.at, dim_)};
  for_each_point(parts_of_block(dim_), [&](int i, int j, int k) {
    leaves_.erase(key(whole.level + 1, part(whole.at, dim_, {i, j, k})));
  });
  leaves_[key(whole.level, whole.at)] = whole;
}

void Leaves::change(const std::function<int(const Leaf&)>& wanted) {
  std::vector<Leaf> finer, coarser, parts;
  for (const auto& [k, leaf] : leaves_) {
    const int level = wanted(leaf);
    if (level > leaf.level) finer.push_back(leaf);
    if (level < leaf.level && leaf.level > 0) coarser.push_back(leaf);
  }
  std::unordered_map<Key, int> willing;  // parts of a block
  std::vector<Leaf> joined;
  for (const Leaf& leaf : coarser)
    if (++willing[key(leaf.level - 1, halved(leaf.at, dim_))] == 1 << dim_) join(leaf), joined.push_back(leaf);
  for (const Leaf& leaf : finer) split(leaf, parts);
  for (const Leaf& leaf : joined)  // again into its parts, if something beside it is finer than these
    if (const Leaf whole{leaf.level - 1, halved(leaf.at, dim_)}; touches_much_finer(whole)) split(whole, parts);
  balance(std::move(parts));
}

// Around the leaf some place of the next finer level has neither a leaf nor lies in one.
bool Leaves::touches_much_finer(const Leaf& leaf) const {
  Box places{leaf.at, leaf.at};
  for (int d = 0; d < 3; ++d) {
    const int there = d < dim_;
    places.lo[d] = (leaf.at[d] << there) - there, places.hi[d] = ((leaf.at[d] + 1) << there) + there;
  }
  bool finer = false;
  for_each_point(places, [&](int i, int j, int k) {
    Index at{i, j, k};
    if (finer || !wrap(leaf.level + 1, at)) return;
    bool found = false;
    for (int l = leaf.level + 1; l >= 0 && !found; --l, at = halved(at, dim_)) found = find(l, at) != nullptr;
    finer = !found;
  });
  return finer;
}

bool Leaves::same_leaves(const Leaves& other) const {
  return trees_ == other.trees_ && leaves_.size() == other.leaves_.size() &&
         std::ranges::all_of(leaves_, [&](const auto& l) { return other.leaves_.contains(l.first); });
}

// Splits what touches one of these leaves, or one that comes of it, and is coarser than that leaf's parent.
void Leaves::balance(std::vector<Leaf> todo) {
  while (!todo.empty()) {
    const Leaf leaf = todo.back();
    todo.pop_back();
    if (leaf.level < 2 || !find(leaf.level, leaf.at)) continue;
    for_each_point(around(dim_), [&](int i, int j, int k) {
      const Index beside{leaf.at[0] + i, leaf.at[1] + j, leaf.at[2] + k};
      if (!inside(leaf.level, beside)) return;
      Index at = halved(wrapped(leaf.level, beside), dim_);
      for (int l = leaf.level - 2; l >= 0; --l) {
        at = halved(at, dim_);
        if (const Leaf* coarse = find(l, at)) {
          split(*coarse, todo);
          todo.push_back(leaf);  // its parts may be too coarse still
        }
      }
    });
  }
}

namespace {
std::vector<Leaf> along_curve(std::vector<Leaf> blocks) {
  int finest = 0;
  for (const Leaf& l : blocks) finest = std::max(finest, l.level);
  std::vector<std::pair<std::uint64_t, const Leaf*>> places;
  for (const Leaf& l : blocks) places.emplace_back(place_on_curve(l, finest), &l);
  std::ranges::sort(places, {}, [](const auto& p) { return std::pair(p.first, p.second->level); });
  std::vector<Leaf> sorted;
  for (const auto& [place, leaf] : places) sorted.push_back(*leaf);
  return sorted;
}
}  // namespace

std::vector<Leaf> Leaves::covered() const {
  std::unordered_map<Key, Leaf> found;
  for (const auto& [k, leaf] : leaves_) {
    Leaf whole = leaf;
    while (whole.level > 0) {
      whole = {whole.level - 1, halved(whole.at, dim_), -1, 0, true};
      if (!found.try_emplace(key(whole.level, whole.at), whole).second) break;
    }
  }
  return blocks_in(found);
}

void Leaves::number(int processes, int levels, const std::vector<double>& speeds) {
  auto blocks = blocks_in(leaves_);
  if (keeps_covered_) std::ranges::copy(covered(), std::back_inserter(blocks));
  for (const Leaf& l : blocks) levels = std::max(levels, l.level + 1);
  std::vector<std::int64_t> of_level(static_cast<std::size_t>(levels));
  for (const Leaf& l : blocks) ++of_level[static_cast<std::size_t>(l.level)];
  of_level_.assign(static_cast<std::size_t>(levels), {});
  covered_.clear();
  std::vector<exchange::Owners> owners;
  for (const std::int64_t blocks : keeps_covered_ ? of_level : std::vector{count()})
    owners.emplace_back(blocks, processes, speeds);
  std::int64_t n = 0;
  for (Leaf& l : along_curve(std::move(blocks))) {
    auto& level = of_level_[static_cast<std::size_t>(l.level)];
    l.number = static_cast<int>(level.size());
    l.owner = keeps_covered_ ? owners[static_cast<std::size_t>(l.level)].of(l.number) : owners[0].of(n++);
    (l.covered ? covered_ : leaves_)[key(l.level, l.at)] = l;
    level.push_back(l);
  }
}

std::string Leaves::text() const {
  std::ostringstream out;
  out << trees_[0] << ' ' << trees_[1] << ' ' << trees_[2] << ':';
  const auto curve = along_curve(blocks_in(leaves_));
  for (std::size_t n = 0; n < curve.size();) {
    std::size_t end = n;
    while (end < curve.size() && curve[end].level == curve[n].level) ++end;
    out << ' ' << curve[n].level << '*' << end - n;
    n = end;
  }
  return out.str();
}

namespace {
// Reads the levels of leaves one by one.
class Levels {
 public:
  explicit Levels(std::istringstream& in) : in_(in) { next(); }
  int level() const { return level_; }  // -1 after the last one
  void take() {
    if (--left_ == 0) next();
  }

 private:
  void next() {
    char times = 0;
    if (!(in_ >> level_ >> times >> left_) || times != '*' || left_ < 1 || level_ < 0) level_ = -1;
  }
  std::istringstream& in_;
  int level_ = -1;
  std::int64_t left_ = 0;
};
}  // namespace

void Leaves::read(const std::string& text) {
  std::istringstream in(text);
  Index trees{};
  char colon = 0;
  in >> trees[0] >> trees[1] >> trees[2] >> colon;
  const auto broken = [&](const std::string& why) {
    throw cereus::Error("the blocks of the checkpoint are none of this forest: " + why);
  };
  if (!in || colon != ':') broken("their text is damaged");
  if (trees != trees_)
    broken("it has " + std::to_string(trees[0]) + " × " + std::to_string(trees[1]) + " × " + std::to_string(trees[2]) +
           " blocks of level 0; take its Forest.cells and Forest.block, or start anew with --fresh");
  leaves_.clear();
  std::vector<Leaf> todo;  // places, the next one along the curve last
  for_each_point(Box{{0, 0, 0}, trees_}, [&](int i, int j, int k) { todo.push_back({0, {i, j, k}}); });
  std::ranges::sort(todo, std::greater{}, [](const Leaf& l) { return place_on_curve(l, 0); });
  Levels levels(in);
  while (!todo.empty()) {
    const Leaf place = todo.back();
    todo.pop_back();
    if (levels.level() < place.level || levels.level() >= most_levels) broken("their text is damaged");
    if (levels.level() == place.level) {
      leaves_[key(place.level, place.at)] = place;
      levels.take();
      continue;
    }
    std::vector<Leaf> parts;
    for_each_point(parts_of_block(dim_), [&](int i, int j, int k) {
      parts.push_back({place.level + 1, part(place.at, dim_, {i, j, k})});
    });
    todo.insert(todo.end(), parts.rbegin(), parts.rend());  // for_each_point goes x fastest, as the curve does
  }
  if (levels.level() >= 0) broken("their text is damaged");
}
}  // namespace Forest
