// The driver wants MPI, once for all tests of the program.
#include <gtest/gtest.h>

#include "cereus/process.hpp"

namespace {
struct StartMPI : ::testing::Environment {
  void SetUp() override { process = cereus::Process::start(nullptr, nullptr); }
  void TearDown() override { process.finish(); }
  cereus::Process process;
};
[[maybe_unused]] const auto* const start_mpi = ::testing::AddGlobalTestEnvironment(new StartMPI);
}  // namespace
