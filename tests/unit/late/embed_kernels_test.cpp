// What devices compile late thorns from: all headers of ours, each by one name.
#include "late/embed_kernels.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace cereus {
TEST(EmbedKernels, HeadersComeBeforeThoseThatIncludeThemByOneName) {
  const std::string headers = std::string(std::getenv("CEREUS_SOURCE")) + "/flesh/include";
  const std::string text =
      print_thorn_source("#include <cmath>\n#include <cereus/kernel/noise.hpp>\nint k;\n", {headers});
  const auto at = [&](const std::string& what) { return text.find("{\"" + what + "\", R\""); };
  EXPECT_LT(at("cereus/kernel/handle.hpp"), at("cereus/kernel/noise.hpp"));
  EXPECT_LT(at("cereus/kernel/noise.hpp"), at("kernels.hpp"));
  EXPECT_NE(at("kernels.hpp"), text.npos);
  EXPECT_NE(text.find("\n#include \"cereus/kernel/handle.hpp\"\n"), text.npos);
  EXPECT_EQ(text.find("\"cmath\""), text.npos);
  EXPECT_EQ(print_thorn_source("", {headers}).find("R\""), text.npos);
}
}  // namespace cereus
