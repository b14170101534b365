#include "run/regrid.hpp"

#include <gtest/gtest.h>

using namespace cereus;

// Mutation: one piece, whose extent overflows from 32 GiB.
TEST(Regrid, a_copy_of_any_size_has_pieces_whose_extents_are_ints) {
  for (const std::size_t bytes : {std::size_t{128}, std::size_t{1} << 34, (std::size_t{40} << 30) + 128}) {
    std::int64_t all = 0;
    const auto* const from = reinterpret_cast<const char*>(4096);
    for (const CopyPiece& p : contiguous(from, nullptr, bytes)) {
      EXPECT_GT(p.extent[0], 0);
      EXPECT_EQ(p.from - from, all);
      all += p.bytes();
    }
    EXPECT_EQ(all, static_cast<std::int64_t>(bytes));
  }
}
