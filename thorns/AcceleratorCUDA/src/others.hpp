// Memory of other processes' devices by CUDA IPC, and meetings with their streams.
#pragma once
#include <algorithm>
#include <map>
#include <span>
#include <sstream>
#include <vector>

#include "ipc.hpp"
namespace AcceleratorCUDA {
class Others {
 public:
  explicit Others(Queue& queue) : queue_(queue) {}

  // The handle of the allocation, in numbers, and the place in it.
  static std::string card_of(const char* memory) {
    using Function = CUresult(CUdeviceptr*, std::size_t*, CUdeviceptr);
    static Function* const range_of = driver_entry<Function>("cuMemGetAddressRange");
    CUdeviceptr base = 0;
    cudaIpcMemHandle_t handle;
    if (range_of(&base, nullptr, reinterpret_cast<CUdeviceptr>(memory)) != CUDA_SUCCESS) return "";
    if (cudaIpcGetMemHandle(&handle, reinterpret_cast<void*>(base)) != cudaSuccess) return cudaGetLastError(), "";
    std::ostringstream text;
    for (const char c : handle.reserved) text << static_cast<int>(c) << ' ';
    text << reinterpret_cast<CUdeviceptr>(memory) - base;
    return text.str();
  }
  // An allocation is opened once, and closed when nobody has a place in it any more.
  std::shared_ptr<char> open(const std::string& card) {
    const auto end = card.rfind(' ');
    if (end == std::string::npos) return nullptr;
    std::weak_ptr<char>& known = open_[card.substr(0, end)];
    std::shared_ptr<char> all = known.lock();
    if (!all) {
      cudaIpcMemHandle_t handle;
      std::istringstream numbers(card);
      for (char& c : handle.reserved) {
        int n = 0;
        numbers >> n, c = static_cast<char>(n);
      }
      void* p = nullptr;
      if (cudaIpcOpenMemHandle(&p, handle, cudaIpcMemLazyEnablePeerAccess) != cudaSuccess)
        return cudaGetLastError(), nullptr;
      known = all = {static_cast<char*>(p), [](char* q) { cudaIpcCloseMemHandle(q); }};
    }
    return {all, all.get() + std::stoull(card.substr(end + 1))};
  }

  void meet(std::span<char* const> theirs, std::span<char* const> mine, std::uint32_t number) {
    using Function = CUresult(CUstream, unsigned, CUstreamBatchMemOpParams*, unsigned);
    static Function* const batch = driver_entry<Function>("cuStreamBatchMemOp");
    std::vector<CUstreamBatchMemOpParams> list;
    for (char* word : theirs) {
      auto& to = list.emplace_back(CUstreamBatchMemOpParams{}).writeValue;
      to.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32, to.value = number;
      to.address = reinterpret_cast<CUdeviceptr>(word), to.flags = CU_STREAM_WRITE_VALUE_DEFAULT;
    }
    for (char* word : mine) {
      auto& from = list.emplace_back(CUstreamBatchMemOpParams{}).waitValue;
      from.operation = CU_STREAM_MEM_OP_WAIT_VALUE_32, from.value = number;
      from.address = reinterpret_cast<CUdeviceptr>(word), from.flags = CU_STREAM_WAIT_VALUE_GEQ;
    }
    StreamWords::done(
        batch(queue_.stream(), static_cast<unsigned>(list.size()), list.data(), 0), "meeting other devices");
  }

 private:
  Queue& queue_;
  std::map<std::string, std::weak_ptr<char>> open_;  // by handle
};
}  // namespace AcceleratorCUDA
