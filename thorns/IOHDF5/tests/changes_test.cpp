// Changes that a run left when it died: made as a whole, or refused, whatever became of them.
#include "../src/changes.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <cereus/file.hpp>

namespace {
using namespace IOHDF5;

// Mutations: `whole` looks for the magic only, or not for that; in `mend` no look whether the changes are whole.
TEST(Changes, AreMadeAsAWholeOrRefused) {
  const auto name = std::filesystem::path(testing::TempDir()) / ("changes_" + std::to_string(::getpid()));
  const std::string before = "0123456789";
  ASSERT_EQ(cereus::replace_file(name, before), "");
  const int read_only = ::open(name.c_str(), O_RDONLY);
  EXPECT_NE(change(read_only, name, {{2, {'x', 'y'}}, {7, {'z'}}}, 9), "");  // it gets as far as the list of changes
  ::close(read_only);
  const std::string left = cereus::content_of(changes_of(name)).value_or("");
  ASSERT_FALSE(left.empty());
  std::vector<std::string> damaged{left + "x", std::string(left.size(), '\0')};
  for (std::size_t n = 0; n < left.size(); ++n) {
    damaged.push_back(left.substr(0, n));
    damaged.push_back(left), damaged.back()[n] ^= 1;
  }
  for (const std::string& text : damaged) {
    ASSERT_EQ(cereus::replace_file(changes_of(name), text), "");
    EXPECT_NE(mend(name).find(changes_of(name).string() + " is not whole; remove it if "), std::string::npos);
    ASSERT_EQ(cereus::content_of(name), before);
    ASSERT_EQ(cereus::content_of(changes_of(name)), text);
  }
  ASSERT_EQ(cereus::replace_file(changes_of(name), left), "");
  for (int again = 0; again < 2; ++again) EXPECT_EQ(mend(name), "");
  EXPECT_EQ(cereus::content_of(name), "01xy456z8");
  EXPECT_FALSE(std::filesystem::exists(changes_of(name)));
  std::filesystem::remove(name);
}
}  // namespace
