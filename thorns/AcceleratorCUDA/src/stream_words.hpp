// What a stream does with a word of memory, its own device's or another's.
#pragma once
#include <cuda.h>

#include <cstring>

#include "cuda.hpp"
namespace AcceleratorCUDA {
// From the driver's library, which a machine without a device lacks.
template <class Function> Function driver_function(const char* name) {
  void* f = nullptr;
  cudaDriverEntryPointQueryResult found{};
  check(cudaGetDriverEntryPointByVersion(name, &f, 12000, cudaEnableDefault, &found), std::string("looking for ") + name);
  if (!f) throw Failure(std::string("this driver lacks ") + name);
  return reinterpret_cast<Function>(f);
}

class StreamWords {
 public:
  void raise(cudaStream_t stream, unsigned* word, unsigned to, const char* doing) const {
    done(write_(stream, reinterpret_cast<CUdeviceptr>(word), to, CU_STREAM_WRITE_VALUE_DEFAULT), doing);
  }
  // Until the word is as much or, since words may wrap around, a little more.
  void await(cudaStream_t stream, unsigned* word, unsigned until, const char* doing) const {
    done(wait_(stream, reinterpret_cast<CUdeviceptr>(word), until, CU_STREAM_WAIT_VALUE_GEQ), doing);
  }
  static void done(CUresult code, const char* doing) {
    if (code != CUDA_SUCCESS) throw Failure(std::string("CUDA failed in ") + doing + ": error " + std::to_string(code) + " of the driver");
  }

 private:
  using Function = CUresult (*)(CUstream, CUdeviceptr, cuuint32_t, unsigned);
  Function write_ = driver_function<Function>("cuStreamWriteValue32"), wait_ = driver_function<Function>("cuStreamWaitValue32");
};
}  // namespace AcceleratorCUDA
