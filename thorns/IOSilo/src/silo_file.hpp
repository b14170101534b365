// A Silo file that is written, with errors that are one sentence. Silo writes it with HDF5, through our own file driver
// (safe_file.hpp of IOHDF5), so that a full disk is found out and does no harm.
#pragma once

#include <silo.h>

#include <array>
#include <filesystem>
#include <memory>
#include <safe_file.hpp>
#include <string>
#include <vector>

namespace IOSilo {
// It is called NAME.tmp until finish(); destroyed before, it leaves nothing.
class File {
 public:
  File(std::filesystem::path path, int iteration, double time);
  ~File();
  void finish();  // closes; throws cereus::Failure if anything went wrong, as all others do

  void enter(const std::string& folder);  // makes it if it is missing; names are those in it from now on
  void text(const std::string& name, const std::string& content);
  void mesh(
      const std::string& name, const std::vector<std::vector<double>>& nodes);  // their coordinates, along each axis
  struct Values {
    const void* data;  // x fastest
    int type;          // DB_FLOAT, DB_DOUBLE or DB_INT
    std::array<int, 3> extent;
  };
  // On a mesh of the same folder: a value at each of its nodes, or in each of its zones.
  void variable(const std::string& name, const std::string& mesh, const Values& values, bool on_nodes);
  // What lies in several folders as one: a mesh, or a variable on such a mesh. Parts are paths.
  void whole_mesh(const std::string& name, const std::vector<std::string>& parts);
  void whole_variable(const std::string& name, const std::string& mesh, const std::vector<std::string>& parts);

 private:
  void check(int status);
  [[noreturn]] void fail();
  void discard();

  IOHDF5::Fate fate_;  // before the file: it must be alive when that closes
  std::filesystem::path path_, written_;
  int dim_ = 0, iteration_;
  double time_;
  float single_time_;
  std::unique_ptr<DBoptlist, int (*)(DBoptlist*)> moment_;
  std::unique_ptr<DBfile, int (*)(DBfile*)> file_;
};
}  // namespace IOSilo
