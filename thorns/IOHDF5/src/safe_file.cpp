// Reads and writes with pread and pwrite; fsync before close, so that what was renamed into place is on the disk.
#include "safe_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "changes.hpp"
#include "disk.hpp"

namespace IOHDF5 {
namespace {
struct SafeFile {
  H5FD_t base;  // HDF5's own part comes first
  int fd;
  Fate* fate;
  haddr_t eoa, eof;
  std::string name;
  std::vector<Change>
      kept;  // writes that are not made yet, or never will be: since the first failure, or of what is settled

  void keep(haddr_t address, const char* bytes, size_t size) { kept.push_back({address, {bytes, bytes + size}}); }

  void fail() {
    if (fate->error.empty()) fate->error = std::strerror(errno);
  }
};
SafeFile* self(H5FD_t* f) { return reinterpret_cast<SafeFile*>(f); }
const SafeFile* self(const H5FD_t* f) { return reinterpret_cast<const SafeFile*>(f); }

H5FD_t* open_file(const char* name, unsigned flags, hid_t access_list, haddr_t) {
  Fate* fate = *static_cast<Fate* const*>(H5Pget_driver_info(access_list));
  int mode = flags & H5F_ACC_RDWR ? O_RDWR : O_RDONLY;
  if (flags & H5F_ACC_TRUNC) mode |= O_TRUNC;
  if (flags & H5F_ACC_CREAT) mode |= O_CREAT;
  if (flags & H5F_ACC_EXCL) mode |= O_EXCL;
  const int fd = ::open(name, mode | O_CLOEXEC, 0666);
  if (fd < 0) {
    fate->error = std::strerror(errno);
    return nullptr;
  }
  fate->error.clear();  // HDF5 tries to open a file before it creates it
  auto* f = new SafeFile{};
  f->fd = fd;
  f->fate = fate;
  f->name = name;
  f->eof = static_cast<haddr_t>(::lseek(fd, 0, SEEK_END));
  return &f->base;
}

herr_t close_file(H5FD_t* base) {
  SafeFile* f = self(base);
  const haddr_t settled = f->fate->settled;
  if (settled && f->fate->error.empty()) f->fate->error = change(f->fd, f->name, f->kept, f->eoa);
  else if (settled && ::ftruncate(f->fd, static_cast<off_t>(settled)) != 0) f->fail();  // only wastes room
  if (!sync(f->fd)) f->fail();
  if (::close(f->fd) != 0) f->fail();
  delete f;
  return 0;
}

herr_t read_file(H5FD_t* base, H5FD_mem_t, hid_t, haddr_t address, size_t size, void* buffer) {
  const SafeFile* f = self(base);
  char* to = static_cast<char*>(buffer);
  size_t done = 0;
  while (done < size) {
    const ssize_t n = ::pread(f->fd, to + done, size - done, static_cast<off_t>(address + done));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return -1;  // HDF5 survives a failed read
    if (n == 0) break;
    done += static_cast<size_t>(n);
  }
  std::memset(to + done, 0, size - done);  // beyond the end of the file
  for (const auto& [start, bytes] : f->kept) {
    const haddr_t lo = std::max<haddr_t>(address, start), hi = std::min<haddr_t>(address + size, start + bytes.size());
    if (lo < hi) std::memcpy(to + (lo - address), bytes.data() + (lo - start), hi - lo);
  }
  return 0;
}

herr_t write_file(H5FD_t* base, H5FD_mem_t, hid_t, haddr_t address, size_t size, const void* buffer) {
  SafeFile* f = self(base);
  const char* from = static_cast<const char*>(buffer);
  f->eof = std::max<haddr_t>(f->eof, address + size);
  if (buffer == f->fate->by_others()) return f->fate->place = address, 0;
  const haddr_t settled = f->fate->settled;
  const size_t old = address < settled ? std::min<size_t>(size, settled - address) : 0;
  if (old > 0) f->keep(address, from, old);
  if (old == size) return 0;
  if (f->fate->error.empty() && !write_all(f->fd, {from + old, size - old}, address + old)) f->fail();
  if (!f->fate->error.empty()) f->keep(address + old, from + old, size - old);
  return 0;
}

herr_t truncate_file(H5FD_t* base, hid_t, hbool_t) {
  SafeFile* f = self(base);
  if (f->fate->error.empty() && f->eof != f->eoa && !f->fate->settled &&
      ::ftruncate(f->fd, static_cast<off_t>(f->eoa)) != 0)
    f->fail();
  f->eof = f->eoa;
  return 0;
}

H5FD_class_t make_class() {
  H5FD_class_t c{};
#if H5_VERSION_GE(1, 13, 0)
  c.version = H5FD_CLASS_VERSION;
  c.value = static_cast<H5FD_class_value_t>(600);
#endif
  c.name = "cereus_safe";
  c.maxaddr = (haddr_t{1} << 62);
  c.fc_degree = H5F_CLOSE_STRONG;
  c.fapl_size = sizeof(Fate*);
  c.open = open_file;
  c.close = close_file;
  c.cmp = [](const H5FD_t* a, const H5FD_t* b) { return a < b ? -1 : a > b ? 1 : 0; };
  c.query = [](const H5FD_t*, unsigned long* flags) -> herr_t {
    if (flags)
      *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
               H5FD_FEAT_AGGREGATE_SMALLDATA;
    return 0;
  };
  c.get_eoa = [](const H5FD_t* f, H5FD_mem_t) { return self(f)->eoa; };
  c.set_eoa = [](H5FD_t* f, H5FD_mem_t, haddr_t a) -> herr_t { return self(f)->fate->end = self(f)->eoa = a, 0; };
  c.get_eof = [](const H5FD_t* f, H5FD_mem_t) { return self(f)->eof; };
  c.read = read_file;
  c.write = write_file;
  c.truncate = truncate_file;
  const H5FD_mem_t map[] = H5FD_FLMAP_DICHOTOMY;
  std::copy(std::begin(map), std::end(map), c.fl_map);
  return c;
}
}  // namespace

void use_safe_driver(hid_t access_list, Fate& fate) {
  static const H5FD_class_t driver = make_class();
  static const hid_t id = H5FDregister(&driver);
  Fate* address = &fate;
  H5Pset_driver(access_list, id, &address);
}
}  // namespace IOHDF5
