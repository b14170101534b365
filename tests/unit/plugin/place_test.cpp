// Thorns are found in the three layouts, the first on the path wins, and hostile places are refused with a reason.
#include "plugin/place.hpp"

#include "elf_image.hpp"

#include <cereus/error.hpp>
#include <cereus/program.hpp>

#include <unistd.h>

#include <cstdlib>

namespace cereus {
namespace {

using namespace test;
namespace fs = std::filesystem;

class Place : public FolderTest {
 protected:
  void SetUp() override {
    unsetenv(thorn_path_variable);
    FolderTest::SetUp();
  }
  void TearDown() override {
    unsetenv(thorn_path_variable);
    FolderTest::TearDown();
  }

  ThornFile only(const fs::path& where) {
    const auto found = find_thorns({{where}});
    EXPECT_EQ(found.size(), 1u);
    return found.empty() ? ThornFile{} : found[0];
  }
  void expect_refused(const fs::path& where, const std::string& reason) {
    const ThornFile file = only(where);
    EXPECT_TRUE(contains(file.refused, reason)) << file.refused;
    EXPECT_THROW(check_place(file), Error);
  }
  std::string environment_refusal(const std::string& value) {
    setenv(thorn_path_variable, value.c_str(), 1);
    return message_of<Error>([&] { make_search_path({}, folder); });
  }
};

TEST_F(Place, FindsThreeLayoutsAndNothingElse) {
  write("lib/B.so", "x");
  write("lib/A/A.so", "x");
  write("lib/C/build/C.so", "x");
  write("lib/README.md", "x");
  write("lib/D/other.so", "x");
  const auto found = find_thorns({{folder / "lib"}});
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].name + found[1].name + found[2].name, "ABC");
  for (const auto& file : found) {
    EXPECT_EQ(file.refused, "");
    EXPECT_FALSE(file.shadowed);
    EXPECT_EQ(check_place(file), file.path);
  }
}

TEST_F(Place, TheFirstWinsAndTheOtherIsKept) {
  const auto first = write("one/A/A.so", "x"), second = write("two/A.so", "x"), third = write("two/A/A.so", "x");
  const auto found = find_thorns({{folder / "one", folder / "two", folder / "one"}});
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].path, first);
  EXPECT_EQ(found[1].path, second);
  EXPECT_EQ(found[2].path, third);
  EXPECT_FALSE(found[0].shadowed);
  EXPECT_TRUE(found[1].shadowed && found[2].shadowed);
}

TEST_F(Place, PathIsGivenThenInstalledThenEnvironment) {
  for (const char* name : {"given", "prefix/bin", "prefix/lib/cereus/thorns", "env1", "env2"}) {
    fs::create_directories(folder / name);
  }
  setenv(thorn_path_variable, ((folder / "env1").string() + ":" + (folder / "env2").string() + "/").c_str(), 1);
  const SearchPath path = make_search_path({folder / "given/"}, folder / "prefix/bin");
  const std::vector<fs::path> expected{
      folder / "given", folder / "prefix/lib/cereus/thorns", folder / "env1", folder / "env2"};
  EXPECT_EQ(path.folders, expected);
  setenv(thorn_path_variable, "", 1);
  EXPECT_TRUE(make_search_path({}, folder).folders.empty());
}

TEST_F(Place, RefusesBadEntriesOfThePath) {
  const std::string good = folder.string();
  EXPECT_TRUE(contains(environment_refusal(":" + good), "empty"));
  EXPECT_TRUE(contains(environment_refusal(good + ":"), "empty"));
  EXPECT_TRUE(contains(environment_refusal(good + "::" + good), "empty"));
  EXPECT_TRUE(contains(environment_refusal("."), "relative"));
  EXPECT_TRUE(contains(environment_refusal(good + ":./thorns"), "relative"));
  EXPECT_TRUE(contains(environment_refusal("../thorns"), "relative"));
  EXPECT_TRUE(contains(environment_refusal(good + "/none"), "no such folder"));
  unsetenv(thorn_path_variable);
  EXPECT_TRUE(contains(message_of<Error>([&] { make_search_path({""}, folder); }), "empty"));
  EXPECT_TRUE(contains(message_of<Error>([&] { make_search_path({folder / "none"}, folder); }), "no such folder"));
}

TEST_F(Place, RefusesWhatOthersMayWrite) {
  const auto file = write("lib/A/A.so", "x");
  for (const auto& p : {file, folder / "lib/A", folder / "lib"}) {
    for (const mode_t mode : {0757, 0775}) {
      chmod(p.c_str(), mode);
      expect_refused(folder / "lib", "chmod go-w " + p.string());
    }
    chmod(p.c_str(), 0755);
  }
  chmod((folder / "lib").c_str(), 01777);  // sticky, as /tmp is: nobody can exchange our file
  EXPECT_EQ(only(folder / "lib").refused, "");
  chmod(file.c_str(), 01646);  // the sticky bit of a file means nothing
  expect_refused(folder / "lib", "may be written");
}

TEST_F(Place, RefusesAnotherOwner) {
  const auto file = write("lib/A/A.so", "x");
  if (chown(file.c_str(), 12345, 0) != 0) GTEST_SKIP() << "only root can give files away";
  expect_refused(folder / "lib", "belongs to user 12345");
  ASSERT_EQ(chown(file.c_str(), 0, 0), 0);
  ASSERT_EQ(chown((folder / "lib/A").c_str(), 12345, 0), 0);
  expect_refused(folder / "lib", "belongs to user 12345");
}

TEST_F(Place, FollowsLinksInsideTheFolderOnly) {
  write("lib/A-1.0", "x");
  write("elsewhere/A.so", "x");
  fs::create_symlink("A-1.0", folder / "lib/A.so");
  EXPECT_EQ(check_place(only(folder / "lib")), folder / "lib/A-1.0");

  const auto relink = [&](const fs::path& target) {
    fs::remove(folder / "lib/A.so");
    fs::create_symlink(target, folder / "lib/A.so");
  };
  relink("../elsewhere/A.so");
  expect_refused(folder / "lib", "outside the folder");
  relink(folder / "elsewhere/A.so");
  expect_refused(folder / "lib", "outside the folder");
  relink("nowhere");
  expect_refused(folder / "lib", "A.so");
  relink("A.so");  // a circle
  expect_refused(folder / "lib", "A.so");

  fs::remove(folder / "lib/A.so");
  fs::create_symlink(folder / "elsewhere", folder / "lib/A");  // the folder is the link
  expect_refused(folder / "lib", "outside the folder");
  fs::create_symlink(folder / "elsewhere", folder / "alias");  // a link that somebody names is what he wants
  EXPECT_EQ(only(folder / "alias").refused, "");
}

TEST_F(Place, RefusesBadNamesAndWhatIsNoFile) {
  for (const std::string name : {"1A", "_A", "A-B", "Ä", "A B", "A.so"}) {
    const auto file = write("lib/" + name + ".so", "x");
    expect_refused(folder / "lib", "no name of a thorn");
    fs::remove(file);
  }
  ThornFile file{.name = "../x", .path = folder / "lib/../x.so", .folder = folder / "lib"};
  EXPECT_THROW(check_place(file), Error);
  write("x.so", "x");
  file.name = "x";
  EXPECT_TRUE(contains(message_of<Error>([&] { check_place(file); }), "outside the folder"));
  file.name = "y";
  EXPECT_TRUE(contains(message_of<Error>([&] { check_place(file); }), "must be called y.so"));
  ASSERT_EQ(mkfifo((folder / "lib/A.so").c_str(), 0600), 0);
  expect_refused(folder / "lib", "no regular file");
}

TEST_F(Place, AProgramMustLieAsSafelyAsItsThorn) {
  const auto program = write("lib/helper", "x");
  const auto refused = [&](const fs::path& file, const std::string& reason) {
    const std::string said = message_of<Error>([&] { check_program(file); });
    EXPECT_TRUE(contains(said, reason)) << said;
  };
  EXPECT_EQ(check_program(program), program);
  for (const auto& p : {program, folder / "lib"}) {
    chmod(p.c_str(), 0775);
    refused(program, "chmod go-w " + p.string());
    chmod(p.c_str(), 0755);
  }
  refused(folder / "lib/none", "No such file");
  write("elsewhere/helper", "x");
  fs::create_symlink("../elsewhere/helper", folder / "lib/link");
  refused(folder / "lib/link", "outside the folder");
  fs::create_symlink("helper", folder / "lib/alias");
  EXPECT_EQ(check_program(folder / "lib/alias"), program);
  ASSERT_EQ(mkfifo((folder / "lib/pipe").c_str(), 0600), 0);
  refused(folder / "lib/pipe", "no regular file");
  // Of this very program, as of a thorn's library.
  EXPECT_THROW(program_beside(reinterpret_cast<const void*>(&check_program), "no-such-helper"), Error);
}

}  // namespace
}  // namespace cereus
