// A file driver for HDF5 that never fails in its face. When the disk is full, HDF5 1.10 can neither flush nor close,
// and crashes when the program ends. So a failed write is remembered, and it and all later ones are kept in memory:
// HDF5 closes in peace, and whoever wrote the file asks this driver afterwards what became of it.
#pragma once

#include <hdf5.h>

#include <string>

namespace IOHDF5 {
struct Fate {
  std::string error;  // empty as long as all is well
};
// Makes files opened with this access list use the driver. The fate must outlive the file.
void use_safe_driver(hid_t access_list, Fate& fate);
}  // namespace IOHDF5
