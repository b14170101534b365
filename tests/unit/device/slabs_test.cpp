// What is in use of device memory, and when it goes back; without a device.
#include "../../../thorns/AcceleratorCUDA/src/slabs.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

using namespace AcceleratorCUDA;
namespace {
constexpr std::size_t slab = Slabs::slab_size;
struct Memory {  // of addresses that nobody touches
  std::size_t most = 4 * slab, taken = 0;
  std::vector<Slabs::Wish> wishes;
  std::shared_ptr<char> operator()(const Slabs::Wish& w) {
    wishes.push_back(w);
    if (taken + w.slab > most) throw std::runtime_error(w.what_for);
    taken += w.slab;
    return {reinterpret_cast<char*>(std::uintptr_t{1} << 40), [this, n = w.slab](char*) { taken -= n; }};
  }
};
}  // namespace

// Mutation seen to fail: the deleter of a slab does not subtract.
TEST(Slabs, WhatComesBackIsNotInUse) {
  Memory memory;
  Slabs slabs{std::ref(memory)};
  auto a = slabs.allocate(1, "a"), b = slabs.allocate(513, "b");
  EXPECT_EQ(b.get() - a.get(), 512);
  EXPECT_EQ(slabs.in_use(), 512u + 1024u);
  auto large = slabs.allocate(2 * slab, "large");
  EXPECT_EQ(memory.taken, 3 * slab);
  EXPECT_EQ(slabs.in_use(), 3 * slab) << "nobody gets the rest of the first slab any more";
  a = b = nullptr;
  EXPECT_EQ(memory.taken, 2 * slab);
  EXPECT_EQ(slabs.in_use(), 2 * slab);
  large = nullptr;
  EXPECT_EQ(slabs.in_use(), 0u);
}

// As when a grid is made anew. Mutation seen to fail: an idle slab is kept while another is asked for.
TEST(Slabs, AgainAndAgain) {
  Memory memory;
  Slabs slabs{std::ref(memory)};
  for (int n = 0; n < 5; ++n) {
    EXPECT_EQ(slabs.in_use(), 0u);
    const auto piece = slabs.allocate(3 * slab, "x");
    EXPECT_EQ(slabs.in_use(), 3 * slab);
  }
}

TEST(Slabs, SaysWhatIsAskedFor) {
  Memory memory;
  Slabs slabs{std::ref(memory)};
  const auto a = slabs.allocate(slab, "a");
  EXPECT_THROW(slabs.allocate(4 * slab, "b"), std::runtime_error);
  EXPECT_EQ(memory.wishes.back().in_use, slab);
  EXPECT_EQ(slabs.in_use(), slab);
  EXPECT_EQ(slabs.allocate(slab, "c").use_count(), 2);
}
