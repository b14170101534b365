# Everything from the distribution, each with the name of the package to install when it is missing.
function(cereus_missing what apt)
  message(FATAL_ERROR "Cereus needs ${what}, which was not found.\n"
    "On Debian: sudo apt-get install ${apt}   (or ./cereus setup for everything at once)")
endfunction()

macro(cereus_need apt package)  # a macro: FindX modules set variables in the scope that calls them
  find_package(${package} ${ARGN} QUIET)
  if(NOT ${package}_FOUND)
    cereus_missing(${package} ${apt})
  endif()
endmacro()

set(HDF5_PREFER_PARALLEL ON)
cereus_need("libopenmpi-dev openmpi-bin" MPI COMPONENTS C)  # the CXX component would drag in libmpi_cxx
cereus_need(libhdf5-openmpi-dev HDF5 COMPONENTS C)
if(NOT HDF5_IS_PARALLEL)
  cereus_missing("a parallel HDF5" libhdf5-openmpi-dev)
endif()
cereus_need(libyaml-cpp-dev yaml-cpp)
cereus_need(libboost-dev Boost 1.74)
cereus_need(libfmt-dev fmt)
cereus_need(libspdlog-dev spdlog)
cereus_need(nlohmann-json3-dev nlohmann_json)
cereus_need(libcli11-dev CLI11)
cereus_need(libeigen3-dev Eigen3 NO_MODULE)
cereus_need(g++ OpenMP COMPONENTS CXX)
set(THREADS_PREFER_PTHREAD_FLAG ON)
cereus_need(libc6-dev Threads)
cereus_need(pkgconf PkgConfig)
pkg_check_modules(PangoCairo QUIET IMPORTED_TARGET pangocairo)
if(NOT PangoCairo_FOUND)
  cereus_missing("Pango with Cairo" libpango1.0-dev)
endif()
cereus_need(libpng-dev PNG)
cereus_need(zlib1g-dev ZLIB)

# Whoever links MPI says which one it was compiled for: the ABI descriptor carries it (cereus/abi.hpp).
file(STRINGS ${MPI_C_HEADER_DIR}/mpi.h version REGEX "^#define OMPI_(MAJOR|MINOR|RELEASE)_VERSION")
if(version)
  string(REGEX REPLACE "[^0-9;]" "" version "${version}")
  list(JOIN version "." version)
  set(flavour "Open MPI ${version}")
else()
  set(flavour "MPI ${MPI_C_VERSION}")
endif()
set(CEREUS_MPI_FLAVOUR "${flavour}")  # not a property of MPI::MPI_C: the next find_package(MPI) would reset it

find_path(XXHASH_INCLUDE_DIR xxhash.h)
find_library(XXHASH_LIBRARY xxhash)
mark_as_advanced(XXHASH_INCLUDE_DIR XXHASH_LIBRARY)
if(NOT XXHASH_INCLUDE_DIR OR NOT XXHASH_LIBRARY)
  cereus_missing(xxHash libxxhash-dev)
endif()
add_library(xxHash::xxhash UNKNOWN IMPORTED)
set_target_properties(xxHash::xxhash PROPERTIES
  IMPORTED_LOCATION ${XXHASH_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${XXHASH_INCLUDE_DIR})

find_path(KISSFFT_INCLUDE_DIR kissfft/kissfft.hh)  # the template: Debian's library is for float alone
mark_as_advanced(KISSFFT_INCLUDE_DIR)
if(NOT KISSFFT_INCLUDE_DIR)
  cereus_missing("KISS FFT" libkissfft-dev)
endif()
add_library(KissFFT::kissfft INTERFACE IMPORTED)
set_target_properties(KissFFT::kissfft PROPERTIES INTERFACE_INCLUDE_DIRECTORIES ${KISSFFT_INCLUDE_DIR})

# For the class World of the package for Python: without these there is none.
if(EXISTS /usr/bin/python3 AND NOT Python_EXECUTABLE)
  set(Python_EXECUTABLE /usr/bin/python3)
endif()
find_package(Python QUIET COMPONENTS Interpreter Development.Module)
if(Python_Development.Module_FOUND)
  find_package(pybind11 QUIET)
  find_path(DLPACK_INCLUDE_DIR dlpack/dlpack.h)
endif()

if(CEREUS_TESTS)
  cereus_need(libgtest-dev GTest)
  if(EXISTS /usr/bin/python3 AND NOT Python3_EXECUTABLE)
    set(Python3_EXECUTABLE /usr/bin/python3)  # the one that Debian's python3-h5py is for
  endif()
  cereus_need(python3 Python3 COMPONENTS Interpreter)
endif()
if(CEREUS_BENCHMARKS)
  cereus_need(libbenchmark-dev benchmark)
endif()

message(STATUS "Found ${flavour}, HDF5 ${HDF5_VERSION}, yaml-cpp ${yaml-cpp_VERSION}, Boost ${Boost_VERSION}, "
  "fmt ${fmt_VERSION}, spdlog ${spdlog_VERSION}, CLI11 ${CLI11_VERSION}, Pango ${PangoCairo_VERSION}; CUDA: ${CEREUS_WITH_CUDA}")
