// Every scalar type and centring through a native and a Carpet file, with a driver of two blocks in one process; and
// what happens when the disk is full. Whole runs, and other people's readers, are in tests/run/formats.py.
#include <cereus/file.hpp>

#include "../src/formats.hpp"
#include "two_blocks.hpp"

namespace {
using namespace IOHDF5;

class Types : public TwoBlocks {
 protected:
  // Checks values, and that they are stored in the type that they have.
  void check(const std::filesystem::path& file, const std::string& path, hid_t type, double sign, Index n) {
    const hid_t f = H5Fopen((folder_ / file).c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    ASSERT_GE(f, 0) << file;
    const hid_t d = H5Dopen2(f, path.c_str(), H5P_DEFAULT);
    ASSERT_GE(d, 0) << path;
    const hid_t stored = H5Dget_type(d), space = H5Dget_space(d);
    EXPECT_GT(H5Tequal(stored, type), 0) << path;
    hsize_t extent[3] = {};
    ASSERT_EQ(H5Sget_simple_extent_dims(space, extent, nullptr), 3);
    for (int x = 0; x < 3; ++x) ASSERT_EQ(extent[x], static_cast<hsize_t>(n[2 - x])) << path;
    std::vector<double> data(static_cast<std::size_t>(n[0]) * n[1] * n[2]);
    ASSERT_GE(H5Dread(d, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, data.data()), 0);
    std::size_t at = 0;
    for_each_point({{0, 0, 0}, n}, [&](int i, int j, int k) { EXPECT_EQ(data[at++], sign * value(i, j, k)) << path; });
    H5Tclose(stored), H5Sclose(space), H5Dclose(d), H5Fclose(f);
  }
};

TEST_F(Types, ThroughNativeFiles) {
  const Index vertices{6, 4, 5}, cells{5, 3, 4};
  for (int compression : {1, 0}) {
    write_native(s, accesses, compression, ".hdf");
    check("run-ccc_00000000.hdf", "/data/0/meshes/T__v0", H5T_NATIVE_FLOAT, 1, cells);
    check("run_00000000.hdf", "/data/0/meshes/T__v1", H5T_NATIVE_DOUBLE, 1, vertices);
    check("run_00000000.hdf", "/data/0/meshes/T__v2_re", H5T_NATIVE_FLOAT, 1, vertices);
    check("run_00000000.hdf", "/data/0/meshes/T__v2_im", H5T_NATIVE_FLOAT, -1, vertices);
    check("run_00000000.hdf", "/data/0/meshes/T__v3_im", H5T_NATIVE_DOUBLE, -1, vertices);
    check("run_00000000.hdf", "/data/0/meshes/T__v4", H5T_NATIVE_INT32, 1, vertices);
  }
}

TEST_F(Types, ThroughCarpetFilesTwice) {
  for (int again = 0; again < 2; ++again) write_carpet(s, accesses, "xyz", {});  // the same iteration: replaced
  const Index vertices{6, 4, 5}, cells{5, 3, 4};
  check("t-g0.xyz.h5", "/T::v0 it=0 tl=0 rl=0 c=0", H5T_NATIVE_FLOAT, 1, cells);
  check("t-g3.xyz.h5", "/T::v3_im it=0 tl=0 rl=0 c=0", H5T_NATIVE_DOUBLE, -1, vertices);
  check("t-g4.xyz.h5", "/T::v4 it=0 tl=0 rl=0 c=0", H5T_NATIVE_INT32, 1, vertices);
}

TEST_F(Types, WhatIsNotFinishedIsNotAdded) {  // mutation: ~File sets no error
  write_carpet(s, accesses, "xyz", {});
  const auto path = folder_ / "t-g0.xyz.h5";
  const auto before = content_of(path);
  {
    File f(path, File::Mode::append);
    f.text("/half", std::string(5000, 'x'));
  }
  EXPECT_EQ(content_of(path), before);
  EXPECT_FALSE(std::filesystem::exists(path.string() + ".changes"));
}

TEST_F(Types, FullDiskIsOneSentenceAndLeavesNothing) {
  // Wherever it strikes: header, data, closing.
  for (int compression : {1, 0})
    expect_full_disk({0, 96, 800, 2048, 5000, 12000}, ".hdf", [&] { write_native(s, accesses, compression, ".hdf"); });
}
}  // namespace
