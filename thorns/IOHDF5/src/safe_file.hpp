// A file driver for HDF5 that never fails in its face. When the disk is full, HDF5 1.10 can neither flush nor close,
// and crashes when the program ends. So a failed write is remembered, and it and all later ones are kept in memory:
// HDF5 closes in peace, and whoever wrote the file asks this driver afterwards what became of it. A file that is added
// to stays as it is until HDF5 closes it.
#pragma once

#include <hdf5.h>

#include <string>

namespace IOHDF5 {
struct Fate {
  std::string error;    // empty as long as all is well
  haddr_t end = 0;      // of what HDF5 has of the file
  haddr_t settled = 0;  // bytes of the file before this one change when it is closed, if all is well
  // Given to HDF5 as the data to write, of any size: nothing is written there, because another process will do it.
  // `place` is where.
  const void* by_others() const { return this; }
  haddr_t place = HADDR_UNDEF;
};
// Makes files opened with this access list use the driver. The fate must outlive the file.
void use_safe_driver(hid_t access_list, Fate& fate);
}  // namespace IOHDF5
