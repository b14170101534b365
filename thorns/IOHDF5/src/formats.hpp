// The two kinds of files that this thorn writes. All functions are collective; rank 0 writes.
#pragma once

#include <Output/gather.hpp>
#include <Output/vocabulary.hpp>

#include "hdf5_file.hpp"
#include "provenance.hpp"

namespace IOHDF5 {
using namespace Output;

inline constexpr std::int32_t native_version = 1;

// The HDF5 type of one part of a variable, in memory and on disk.
inline hid_t type_of(ScalarType t) {
  switch (t) {
    case ScalarType::float32:
    case ScalarType::complex64: return H5T_NATIVE_FLOAT;
    case ScalarType::int32: return H5T_NATIVE_INT32;
    default: return H5T_NATIVE_DOUBLE;
  }
}

// NAME_ITERATION and the extension: blocks as they are, and over them an openPMD mesh and a VTKHDF view of each
// variable.
void write_native(
    Simulation& s, std::span<const VariableAccess> accesses, int compression, const std::string& extension);

// THORN-GROUP.AXES.h5, to which each output adds datasets: what kuibit, VisIt and PostCactus know from Carpet.
void write_carpet(Simulation& s, std::span<const VariableAccess> accesses, const std::string& axes,
    const std::array<double, 3>& through);
}  // namespace IOHDF5
