// What reaches the disk for good: each call returns when that is so, or throws Failure, which names the file and the reason.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
namespace Checkpoint {
namespace fs = std::filesystem;

class NewFile {  // is written from its beginning to its end
 public:
  explicit NewFile(const fs::path&);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;
  void write(std::string_view);
  void finish();  // on the disk, and closed

 private:
  fs::path path_;
  int file_;
};
void write_file(const fs::path&, std::string_view);

void make_folder(const fs::path&);
void sync_folder(const fs::path&);                        // what lies in it has its names
void rename_folder(const fs::path& from, const fs::path& to);  // and their parent is on the disk
// All of a file; throws if it cannot be read, or is larger than `most` bytes.
std::string read_file(const fs::path&, std::size_t most);
}  // namespace Checkpoint
