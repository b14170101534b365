// What analysis thorns read and where their results go.
// Mutations seen to fail: all of c.accesses() as they are (OnceEach); the group's name instead of the variable's
// (File).
#include <gtest/gtest.h>

#include <Analysis/variables.hpp>

using namespace cereus;

namespace {
struct Case {
  Simulation s;
  Routine r;
  Case() {
    s.output = "out";
    s.groups.resize(2);
    s.groups[0].thorn = "WaveToy", s.groups[0].name = "State", s.groups[0].variables = {"u", "v"};
    s.groups[1].thorn = "Diffusion", s.groups[1].name = "Heat", s.groups[1].variables = {"u"};
    r.item = std::make_shared<Item>();
  }
  Context context() { return {s, r, {0, 1}, true}; }
};
}  // namespace

TEST(Variables, OnceEach) {
  Case c;
  for (const auto& [group, component] : {std::pair{1, 0}, {0, 1}, {0, 0}, {0, 1}, {1, 0}}) {
    VariableAccess a{};
    a.group = group, a.component = component;
    c.r.accesses.push_back(a);
  }
  std::vector<std::pair<int, int>> found;
  for (const auto& a : Analysis::each_once(c.context())) found.push_back({a.group, a.component});
  EXPECT_EQ(found, (std::vector<std::pair<int, int>>{{1, 0}, {0, 0}, {0, 1}}));
}

TEST(Variables, File) {
  Case c;
  VariableAccess v{};
  v.component = 1;
  Context context = c.context();
  EXPECT_EQ(Analysis::text_file(context, v, "spectrum"), std::filesystem::path("out/wavetoy-v.spectrum.asc"));
}
