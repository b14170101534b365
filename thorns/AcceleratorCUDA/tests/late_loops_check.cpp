// All loops of a kernel compile through NVRTC by the names that the launcher asks for. No device is needed.
#include <gtest/gtest.h>
#include <cereus/accelerator.hpp>
#include <cereus/file.hpp>

#include <filesystem>
#include <regex>

#include "../src/late_loops.hpp"
#include "late_kernels.hpp"

namespace AcceleratorCUDA {
namespace {
namespace fs = std::filesystem;
using namespace LateKernelsTest;

// As a text has them: quoted names are whole.
void add_headers(std::vector<CaKernel::Text>& headers, const fs::path& root, const fs::path& folder) {
  for (const auto& file : fs::directory_iterator(root / folder)) {
    const std::string name = folder / file.path().filename();
    if (file.path().extension() != ".hpp" || std::ranges::count(headers, name, &CaKernel::Text::first)) continue;
    const std::regex quoted("#include \"([^\"]*)\"");
    headers.emplace_back(
        name, std::regex_replace(*content_of(file.path()), quoted, "#include \"" + folder.string() + "/$1\""));
  }
}
// What does not compile, or an empty string.
template <class K, int dim, class Real, bool fusable> std::string compiled(AxesOf axes, std::size_t functions) {
  const fs::path tree = std::getenv("CEREUS_SOURCE");
  CaKernel::Source source = source_of(detail::DeviceLoopsOf<K, dim, Real, fusable>::loops(), axes);
  std::erase_if(source.headers, [](const auto& h) { return h.first == "kernels.hpp"; });
  source.headers.emplace_back("kernels.hpp", *content_of(tree / "thorns/AcceleratorCUDA/tests/late_kernels.hpp"));
  add_headers(source.headers, tree / "flesh/include", "cereus/kernel");
  CaKernel::Compiler compiler(2);
  const CaKernel::Code code = CaKernel::code_for(source, "sm_90", "", compiler);
  if (code.bytes.empty()) return code.log;
  EXPECT_EQ(source.functions.size(), functions);
  EXPECT_EQ(code.symbols.size(), functions);
  for (std::size_t n = 0; n < code.symbols.size(); ++n) {
    const std::string &name = source.functions[n],
                      loop = name.substr(16, name.find('<') - 16);  // behind cereus::detail::
    EXPECT_NE(code.symbols[n].find(loop + "I"), std::string::npos) << code.symbols[n] << " for " << name;
    EXPECT_NE(code.bytes.find(code.symbols[n]), std::string::npos) << code.symbols[n];
  }
  EXPECT_EQ(code.bytes.substr(0, 4), "\177ELF");
  return "";
}
}  // namespace

class LateLoopsTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!CaKernel::Nvrtc::instance()) GTEST_SKIP() << "SKIPPED: there is no libnvrtc.so here";
  }
};
// One block and many: plain, fused; and marching, with updates from 0, 1 and more sources.
TEST_F(LateLoopsTest, OfUpdates) {
  EXPECT_EQ((compiled<Spread<3, double>, 3, double, true>(AxesOf::uniform, 10)), "");
  EXPECT_EQ((compiled<Spread<2, float>, 2, float, true>(AxesOf::uniform, 10)), "");
  EXPECT_EQ((compiled<Spread<3, double>, 3, double, false>(AxesOf::uniform, 2)), "");
  EXPECT_EQ((compiled<Begin<2, double>, 2, double, true>(AxesOf::uniform, 4)), "");
}
TEST_F(LateLoopsTest, OnOtherAxes) {
  EXPECT_EQ((compiled<Spread<3, double>, 3, double, true>(AxesOf::stretched, 2)), "");
  EXPECT_EQ((compiled<Along<3, double>, 3, double, true>(AxesOf::mapped, 4)), "");
}
TEST_F(LateLoopsTest, OfWhatModifies) {
  EXPECT_EQ((compiled<Modified<2, double>, 2, double, false>(AxesOf::uniform, 4)), "");
}
TEST_F(LateLoopsTest, OfWhatReturnsAValue) {
  EXPECT_EQ((compiled<Largest<3, double>, 3, double, false>(AxesOf::uniform, 2)), "");
}
}  // namespace AcceleratorCUDA
