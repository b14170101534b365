// What reaches the disk for good: each call returns when that is so, or throws Failure, which names the file and the
// reason.
#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
namespace Checkpoint {
namespace fs = std::filesystem;

class NewFile {  // is written from its beginning to its end; whole pages of memory go past the page cache, where the
                 // file system can
 public:
  explicit NewFile(const fs::path&);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;
  void write(std::string_view);
  void finish();  // on the disk, and closed

 private:
  void direct(bool);
  fs::path path_;
  int file_;
  bool direct_ = false;
};
class OldFile {  // is read, a part at a time
 public:
  explicit OldFile(const fs::path&);
  ~OldFile();
  OldFile(const OldFile&) = delete;
  OldFile& operator=(const OldFile&) = delete;
  std::uint64_t size() const { return size_; }
  std::string_view read(std::uint64_t offset, std::uint64_t bytes);  // valid until the next

 private:
  fs::path path_;
  int file_;
  std::uint64_t size_ = 0, room_ = 0;
  std::unique_ptr<char[]> buffer_;
};
void write_file(const fs::path&, std::string_view);

void make_folder(const fs::path&);
void sync_existing(const fs::path&);                           // what others wrote, or the names in a folder
void rename_folder(const fs::path& from, const fs::path& to);  // and their parent is on the disk
// All of a file; throws if it cannot be read, or is larger than `most` bytes.
std::string read_file(const fs::path&, std::size_t most);
}  // namespace Checkpoint
