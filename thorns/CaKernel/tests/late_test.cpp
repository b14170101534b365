// What lies in the cache is used only as it was written.
#include "late.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace {
std::string content(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
}  // namespace

// Mutation seen to fail: kept_code() does not compare.
TEST(Late, CodeComesBackWholeOrNotAtAll) {
  const auto folder = std::filesystem::temp_directory_path() / "cereus-late-test";
  std::filesystem::remove_all(folder);
  const std::string path = folder / "x.cubin", code(
                                                   "\x7f"
                                                   "ELF\0\n\n and more\0",
                                                   18);
  EXPECT_EQ(CaKernel::kept_code(path), "");
  CaKernel::keep_code(path, code);
  EXPECT_EQ(CaKernel::kept_code(path), code);
  const std::string all = content(path);
  for (std::size_t n = 0; n < all.size(); ++n) {
    std::string flipped = all;
    flipped[n] = static_cast<char>(flipped[n] ^ 4);
    for (const auto& bytes : {flipped, all.substr(0, n), code}) {
      std::ofstream(path, std::ios::binary) << bytes;
      EXPECT_EQ(CaKernel::kept_code(path), "") << "byte " << n;
    }
  }
  std::filesystem::remove_all(folder);
}
