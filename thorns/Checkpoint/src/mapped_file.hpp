// A file as memory, to read.
#pragma once
#include <cstddef>
#include <filesystem>
namespace Checkpoint {
class MappedFile {
 public:
  explicit MappedFile(const std::filesystem::path&);  // throws Failure
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  const char* begin() const { return begin_; }
  std::size_t size() const { return size_; }

 private:
  const char* begin_ = nullptr;
  std::size_t size_ = 0;
};
}  // namespace Checkpoint
