#include "wishes.hpp"

#include <Exchange/collective.hpp>

#include <algorithm>

namespace Forest {
using namespace cereus;
namespace {
constexpr std::uint32_t finer = 1U << 27, coarser = 1U << 28;  // above Wish::around

std::uint32_t bits_of(const Wish& w) {
  return w.around | (w.change == Wish::finer ? finer : w.change == Wish::coarser ? coarser : 0);
}
}  // namespace

std::function<int(const Leaf&)> together(const Leaves& leaves, const Blocks& own, std::span<const Wish> wishes,
    const Process& process, Analysis::Communicator& comm) {
  std::vector<std::size_t> first{0};  // of each level
  for (int l = 0; l < leaves.levels(); ++l) first.push_back(first.back() + leaves.of_level(l).size());
  std::vector<std::uint32_t> bits(first.back());
  for (std::size_t l = 0; l < static_cast<std::size_t>(leaves.levels()); ++l)
    for (const auto& [number, block] : own[l])
      bits[first[l] + static_cast<std::size_t>(number)] = bits_of(wishes[static_cast<std::size_t>(block)]);
  if (process.size() > 1) exchange::unite(comm.get(process), bits);

  std::vector<int> level(bits.size());
  const auto place = [first](const Leaf& l) {
    return first[static_cast<std::size_t>(l.level)] + static_cast<std::size_t>(l.number);
  };
  const auto each = [&](auto&& f) {
    for (int l = 0; l < leaves.levels(); ++l)
      for (const Leaf& leaf : leaves.of_level(l))
        if (!leaf.covered) f(leaf, bits[place(leaf)]);
  };
  each([&](const Leaf& leaf, std::uint32_t b) {
    level[place(leaf)] = leaf.level + (b & finer ? 1 : b & coarser ? -1 : 0);
  });
  const auto asked = level;  // without what neighbours ask for
  const int depth = leaves.dim() == 3 ? 1 : 0;
  each([&](const Leaf& leaf, std::uint32_t b) {
    for_each_point(Box{{-1, -1, -depth}, {2, 2, depth + 1}}, [&](int i, int j, int k) {
      if (b >> (13 + i + 3 * j + 9 * k) & 1)
        leaves.for_each_at(leaf.level, {leaf.at[0] + i, leaf.at[1] + j, leaf.at[2] + k}, [&](const Leaf& beside) {
          int& theirs = level[place(beside)];
          theirs = std::max(theirs, asked[place(leaf)]);
        });
    });
  });
  return [level, place](const Leaf& l) { return std::clamp(level[place(l)], l.level - 1, l.level + 1); };
}
}  // namespace Forest
