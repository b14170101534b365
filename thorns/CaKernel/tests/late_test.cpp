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

// Mutation: kept_code() does not ask whose it is.
TEST(Late, CodeThatOthersMayWriteIsNotTaken) {
  namespace fs = std::filesystem;
  const auto folder = fs::current_path() / "late-test-folder";
  fs::remove_all(folder);
  const std::string path = folder / "x.cubin";
  CaKernel::keep_code(path, "code");
  EXPECT_EQ(fs::status(folder).permissions(), fs::perms::owner_all);
  EXPECT_EQ(CaKernel::kept_code(path), "code");
  for (const auto& open : {fs::path(path), folder}) {
    fs::permissions(open, fs::perms::others_write, fs::perm_options::add);
    EXPECT_EQ(CaKernel::kept_code(path), "");
    fs::permissions(open, fs::perms::others_write, fs::perm_options::remove);
  }
  EXPECT_EQ(CaKernel::kept_code(path), "code");
  fs::remove_all(folder);
}

// Mutations: the text, its name, or the axes left out.
TEST(Late, KernelsAreToldApartByTextAndAxes) {
  using File = cereus::detail::EmbeddedFile;
  const File text[] = {{"kernels.hpp", "2 * u"}, {nullptr, nullptr}}, same[] = {text[0], text[1]},
             other[] = {{"kernels.hpp", "3 * u"}, {nullptr, nullptr}};
  cereus::KernelTable t;
  t.type_name = "Thorn::Evolve", t.source = text;
  const bool yes = true, no = false;
  const auto looking_at_axes = [](const bool* looks) {
    cereus::KernelLoops loops;
    loops.reads_place = loops.reads_index = loops.reads_spacing = loops.reads_distance = looks;
    return std::make_shared<cereus::KernelLoops>(loops);
  };
  t.own = looking_at_axes(&yes);
  const std::string name = CaKernel::identity_of(t, false);
  EXPECT_NE(CaKernel::identity_of(t, true), name);
  t.source = same;
  EXPECT_EQ(CaKernel::identity_of(t, false), name);
  t.source = other;
  EXPECT_NE(CaKernel::identity_of(t, false), name);
  t.source = text, t.own = looking_at_axes(&no);
  EXPECT_EQ(CaKernel::identity_of(t, true), CaKernel::identity_of(t, false)) << "it does not look at axes";
}
