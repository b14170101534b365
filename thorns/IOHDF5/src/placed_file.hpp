// A file that another process has laid out, and that several fill at once, each at places of its own.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string_view>

namespace IOHDF5 {
class PlacedFile {
 public:
  PlacedFile(std::filesystem::path written, std::filesystem::path name);
  ~PlacedFile();
  PlacedFile(const PlacedFile&) = delete;
  PlacedFile& operator=(const PlacedFile&) = delete;
  // Whether this process sees the file, and not another one of that name: `bytes` is its length.
  bool there(std::uint64_t bytes) const;
  // There hosts keep pages of a file to themselves, and may write an old one over what another host wrote.
  bool on_nfs() const;
  // All throw cereus::Failure, with the name that the file will have.
  void write(std::uint64_t at, std::string_view bytes);
  void finish();  // what was written is on the disk

 private:
  [[noreturn]] void fail() const;
  std::filesystem::path name_;
  int file_;
};
}  // namespace IOHDF5
