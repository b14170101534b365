// A kernel in three parts: as kernels of their own they do together what the whole does, and each touches only what is
// its own.
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <vector>

#include "cereus/kernel_table.hpp"

using namespace cereus;
using detail::Part;

namespace {
template <class F> struct Two { F a, b; };
template <class F> struct Four { F w, x[2], y; };

template <class Real> struct InThree {
  static constexpr int parts = 3;
  Read<Two, star<1>, Real> s;
  Write<Four, interior, Real> r;
  Real factor;
  template <class P> CEREUS_KERNEL void operator()(const P& p) const {
    const Real shared = factor * laplacian<2>(p, s.a) + p(s.b);
    if constexpr (P::part(0)) p(r.w) = shared * p(s.a);
    if constexpr (P::part(1)) {
      if (shared > 0) p(r.x[0]) = shared;
      else p(r.x[0]) = at<0, -1, 0>(p, s.b);
      p(r.y) = shared / (1 + square(p(s.b)));
    }
    if constexpr (P::part(2)) p(r.x[1]) = at<1, 0, 0>(p, s.b) - shared;
  }
};
using K = InThree<double>;
constexpr int inputs = 2, outputs = 4;
constexpr std::array<unsigned, 3> own{0b0001, 0b1010, 0b0100};  // outputs w, x[0], x[1], y

struct Plain {
  Read<Two> s;
  Write<Four> r;
  CEREUS_KERNEL void operator()(auto& p) const { p(r.w) = p(s.a); }
};
struct Mistaken {  // w in both, x[1] in none
  static constexpr int parts = 2;
  Read<Two> s;
  Write<Four> r;
  template <class P> CEREUS_KERNEL void operator()(const P& p) const {
    p(r.w) = p(s.a);
    if constexpr (P::part(0)) p(r.x[0]) = p(s.a);
    if constexpr (P::part(1)) p(r.y) = p(s.b);
  }
};
static_assert(detail::part_count<K>() == 3 && detail::part_count<Plain>() == 1);
static_assert(detail::handle_count<Part<K, 1>>.all == 6 && detail::handle_count<Part<K, 1>>.outputs == outputs);
static_assert(DirectPoint<3>::part(0) && DirectPoint<3>::part(7) && detail::RecordingPoint<K, 3>::part(2) &&
              detail::WatchingPoint<3, 6>::part(2));

constexpr int n = 9, ghosts = 1, side = n + 2 * ghosts, size = side * side * side, sentinel = -77;
struct Grid {
  std::vector<double> data = std::vector<double>((inputs + outputs) * size, sentinel);
  Grid() {
    for (int i = 0; i < inputs * size; ++i) data[static_cast<std::size_t>(i)] = 0.01 * ((i * 7919) % 211) - 1;
  }
  double* variable(int v) { return data.data() + v * size + ghosts * (1 + side + side * side); }
  template <class Kernel> void apply(const Kernel& k) {
    char* address[inputs + outputs];
    for (int v = 0; v < inputs + outputs; ++v) address[v] = reinterpret_cast<char*>(variable(v));
    const BlockLaunch block{address, {}, {}, {n, n, n}, {1, side, side * side}};
    Geometry g{};
    for (int d = 0; d < 3; ++d) g.spacing[d] = 0.5, g.inv_spacing[d] = 2, g.inv_spacing2[d] = 4;
    detail::HostLoop<Kernel, 3>::direct(&k, {&block, 1, g});
  }
  bool touched(int output) {
    for (int i = 0; i < n; ++i)
      if (variable(inputs + output)[i] != sentinel) return true;
    return false;
  }
};
const K kernel{{}, {}, 0.75};
template <int part> void expect_own() {
  Grid g;
  g.apply(Part<K, part>{kernel});
  for (int o = 0; o < outputs; ++o)
    EXPECT_EQ(g.touched(o), own[part] >> o & 1) << "output " << o << " by part " << part;
  EXPECT_EQ((detail::outputs_of<K, 3, part>(kernel)), own[part]);
}
}  // namespace

// Mutations: PartPoint::part is `m != n`, or true; for_each_member of a Part forgets to number.
TEST(Parts, one_after_another_do_what_the_whole_does) {
  Grid whole, apart;
  whole.apply(kernel);
  apart.apply(Part<K, 2>{kernel}), apart.apply(Part<K, 0>{kernel}), apart.apply(Part<K, 1>{kernel});
  for (int o = 0; o < outputs; ++o) EXPECT_TRUE(whole.touched(o));
  EXPECT_EQ(whole.data, apart.data);
}
TEST(Parts, touch_what_is_their_own) { expect_own<0>(), expect_own<1>(), expect_own<2>(); }

// What a device's fused loop goes by. Mutation: `written` by handle, not by output.
TEST(Parts, note_what_they_write) {
  Grid g;
  char* address[inputs];
  for (int v = 0; v < inputs; ++v) address[v] = reinterpret_cast<char*>(g.variable(v));
  const Geometry geometry{};
  double kept[outputs] = {};
  bool written[outputs] = {};
  Part<K, 1> k{kernel};
  detail::number_handles(k);
  k.apply(FusedPoint<3, double, inputs>{{{geometry, 0, 0, 0}, address, 0, side, side * side}, kept}, written);
  for (int o = 0; o < outputs; ++o) EXPECT_EQ(written[o], own[1] >> o & 1);
}
// Mutation: parts counted that write anything.
TEST(Parts, each_output_is_written_in_one) {
  const auto writers = [](const auto& k) {
    std::vector<Recording> seen(inputs + outputs);
    detail::record<std::decay_t<decltype(k)>, 3>(&k, seen.data());
    return std::array{seen[2].writers, seen[3].writers, seen[4].writers, seen[5].writers};
  };
  EXPECT_EQ(writers(kernel), (std::array{1, 1, 1, 1}));
  EXPECT_EQ(writers(Plain{}), (std::array{1, 1, 1, 1}));
  EXPECT_EQ(writers(Mistaken{}), (std::array{2, 1, 0, 1}));
}
// Mutation: only the first block, or the first output, looked at.
TEST(Parts, do_not_run_where_they_would_read_what_they_wrote) {
  constexpr int width = inputs + outputs + outputs * Epilogue::addresses;
  char memory[2 * width];
  char* address[2][width];
  BlockLaunch blocks[2] = {{address[0], {}, {}, {}, {}}, {address[1], {}, {}, {}, {}}};
  for (int b = 0; b < 2; ++b)
    for (int a = 0; a < width; ++a) address[b][a] = memory + b * width + a;
  const Launch launch{blocks, 2, {}};
  EXPECT_FALSE(detail::reads_what_it_writes<K>(launch));
  address[1][1] = address[1][inputs + outputs + 3 * Epilogue::addresses];
  EXPECT_TRUE(detail::reads_what_it_writes<K>(launch));
}
// Mutation: drop either static_assert.
TEST(Parts, what_cannot_be_taken_apart_does_not_compile) {
  const char* source = std::getenv("CEREUS_SOURCE");
  if (!source || std::system("g++ --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "no compiler, or no CEREUS_SOURCE";
  const auto compiles = [&](const std::string& parts, const std::string& handles, const std::string& returns,
                            const std::string& sentence) {
    const std::string text =
        "#include <cereus/kernel_table.hpp>\\nusing namespace cereus; template <class F> struct A { F a; };\\n "
        "template <class F> struct B { F b; };\\n"
        "struct K { static constexpr int parts = " +
        parts + "; " + handles + " template <class P> CEREUS_KERNEL " + returns +
        " };\\nauto t = detail::make_table<K, 3, double>();\\n";
    const std::string command =
        "printf '" + text + "' | g++ -std=c++20 -fopenmp -fsyntax-only -I " + source + "/flesh/include -x c++ - 2>&1";
    return std::system(
               (sentence.empty() ? command + " > /dev/null" : command + " | grep -q '" + sentence + "'").c_str()) == 0;
  };
  const std::string writes = "Write<B> b;", nothing = "void operator()(const P& p) const { p(b.b) = 1; }";
  EXPECT_TRUE(compiles("2", writes, nothing, ""));
  EXPECT_TRUE(compiles("1", writes, nothing, "at least 2 parts"));
  EXPECT_TRUE(compiles("2", "Modify<B> b;", nothing, "a kernel in parts reads first"));
  EXPECT_TRUE(compiles(
      "2", "Add<B> b;", "void operator()(const P& p) const { p(b.b) += 1; }", "a kernel in parts reads first"));
  EXPECT_TRUE(compiles(
      "2", writes, "Count operator()(const P& p) const { p(b.b) = 1; return {1}; }", "a kernel in parts reads first"));
}
