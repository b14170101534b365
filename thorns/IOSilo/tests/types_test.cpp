// Every scalar type and centring through a Silo file of two blocks, read back with Silo; and a disk that is full. Whole
// runs are in tests/run/silo.py.
// Mutations that make it fail: the imaginary part is the real one; DB_INT for DB_FLOAT; nodes without the shared layer;
// a zone's mesh with as many nodes as zones.
#include "../../IOHDF5/tests/two_blocks.hpp"

#include <silo.h>

namespace IOSilo {
void write(cereus::Simulation& s, std::span<const cereus::VariableAccess> accesses);
}

namespace {
using namespace Output;

class Types : public TwoBlocks {
 protected:
  // Values are those of the points from `lo`; nodes along x begin at `x0`, half-open boxes of global indices.
  void check(DBfile* f, const std::string& path, int type, double sign, const Box& points, bool nodes) {
    DBquadvar* v = DBGetQuadvar(f, path.c_str());
    ASSERT_NE(v, nullptr) << path;
    EXPECT_EQ(v->datatype, type) << path;
    EXPECT_EQ(v->centering, nodes ? DB_NODECENT : DB_ZONECENT) << path;
    for (int d = 0; d < 3; ++d) ASSERT_EQ(v->dims[d], points.extent(d)) << path;
    std::int64_t at = 0;
    for_each_point(points, [&](int i, int j, int k) {
      const void* p = v->vals[0];
      const double got = type == DB_INT     ? static_cast<const int*>(p)[at]
                         : type == DB_FLOAT ? static_cast<const float*>(p)[at]
                                            : static_cast<const double*>(p)[at];
      EXPECT_EQ(got, sign * value(i, j, k)) << path;
      ++at;
    });
    DBquadmesh* m = DBGetQuadmesh(f, (path.substr(0, path.rfind('/') + 1) + v->meshname).c_str());
    ASSERT_NE(m, nullptr) << path;
    const double lower[] = {-1, 0, 2}, spacing[] = {0.5, 0.25, 0.125};
    for (int d = 0; d < 3; ++d) {
      ASSERT_EQ(m->dims[d], points.extent(d) + !nodes) << path;
      for (int i = 0; i < m->dims[d]; ++i)
        EXPECT_EQ(static_cast<const double*>(m->coords[d])[i], lower[d] + (points.lo[d] + i) * spacing[d]) << path;
    }
    DBFreeQuadmesh(m), DBFreeQuadvar(v);
  }
};

TEST_F(Types, ThroughSiloFiles) {
  IOSilo::write(s, accesses);
  DBfile* f = DBOpen((folder_ / "run_00000000.silo").c_str(), DB_HDF5, DB_READ);
  ASSERT_NE(f, nullptr);
  const Box vertices[] = {{{0, 0, 0}, {3, 4, 5}}, {{2, 0, 0}, {6, 4, 5}}};  // that of x = 2 is in both
  const Box cells[] = {{{0, 0, 0}, {2, 3, 4}}, {{2, 0, 0}, {5, 3, 4}}};
  for (int b = 0; b < 2; ++b) {
    const std::string block = "/lev0/block" + std::to_string(b) + "/";
    check(f, block + "T__v0", DB_FLOAT, 1, cells[b], false);
    check(f, block + "T__v1", DB_DOUBLE, 1, vertices[b], true);
    check(f, block + "T__v2_re", DB_FLOAT, 1, vertices[b], true);
    check(f, block + "T__v2_im", DB_FLOAT, -1, vertices[b], true);
    check(f, block + "T__v3_re", DB_DOUBLE, 1, vertices[b], true);
    check(f, block + "T__v3_im", DB_DOUBLE, -1, vertices[b], true);
    check(f, block + "T__v4", DB_INT, 1, vertices[b], true);
  }
  DBClose(f);
}

TEST_F(Types, FullDiskIsOneSentenceAndLeavesNothing) {
  IOSilo::write(s, accesses);
  const auto whole = std::filesystem::file_size(folder_ / "run_00000000.silo");
  std::vector<rlim_t> sizes{0, 96, 800, 2048};
  for (int n = 1; n < 40; ++n) sizes.push_back(whole * n / 40);  // wherever it strikes
  sizes.push_back(whole - 1);
  expect_full_disk(sizes, ".silo", [&] { IOSilo::write(s, accesses); });
}
}  // namespace
