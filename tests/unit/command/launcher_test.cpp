// What mpirun is told, and where the exit code of a run goes.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "command/commands.hpp"

using namespace cereus;

namespace {
bool has(const std::vector<std::string>& words, const std::string& word) { return std::ranges::count(words, word) > 0; }
}  // namespace

// Mutations: >= for >; the flag always; root not looked at.
TEST(Launcher, lets_mpirun_do_only_what_is_needed) {
  EXPECT_FALSE(has(words_of_launcher(2, 2, false), "--oversubscribe"));
  EXPECT_TRUE(has(words_of_launcher(4, 2, false), "--oversubscribe"));
  EXPECT_FALSE(has(words_of_launcher(4, 2, false), "--allow-run-as-root"));
  EXPECT_TRUE(has(words_of_launcher(1, 2, true), "--allow-run-as-root"));
  EXPECT_EQ(words_of_launcher(3, 2, false).back(), "3");
}

TEST(Launcher, counts_cores) {
  EXPECT_GE(cores_here(), 1);
  EXPECT_LE(cores_here(), sysconf(_SC_NPROCESSORS_ONLN));
}

// Mutation: the name of the file from the environment, as it was.
TEST(Launcher, the_environment_names_no_file) {
  const auto file = std::filesystem::temp_directory_path() / "cereus-launcher-test";
  std::ofstream(file) << "mine";
  setenv("CEREUS_EXIT_CODE", file.c_str(), 1);
  EXPECT_EQ(code_for_launcher("", 2, 0), 2);
  EXPECT_EQ(std::filesystem::file_size(file), 4u);
  EXPECT_EQ(code_for_launcher(file, 2, 0), 0);
  EXPECT_EQ(std::filesystem::file_size(file), 1u);
  std::filesystem::remove(file);
}

// Mutation: process 0 alone writes, or all do, wherever they are.
TEST(Launcher, hears_whoever_fails_on_its_machine) {
  const auto file = std::filesystem::temp_directory_path() / "cereus-launcher-failed";
  EXPECT_EQ(code_for_launcher(file, 3, 1), 0);
  EXPECT_FALSE(std::filesystem::exists(file)) << "on another machine, there is no such file";
  std::ofstream(file).flush();
  EXPECT_EQ(code_for_launcher(file, 3, 1), 0);
  tell_launcher(file, 0);
  int told = 0;
  std::ifstream(file) >> told;
  EXPECT_EQ(told, 3);
  std::filesystem::remove(file);
}
