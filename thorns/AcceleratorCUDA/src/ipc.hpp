// Messages between two devices of one host by CUDA IPC: each side exports two buffers, used in turn, and a counter,
// which the other side's device raises: messages that lie in that side's buffers. Streams wait for it by themselves.
// Messages go both ways in turn, so that who has had the other's latest knows that the message before was read. Events
// that processes share would do too; on four H200s a wave gets 2 % more from counters.
#pragma once
#include <cuda.h>

#include <cstring>

#include "queue.hpp"
namespace AcceleratorCUDA {
// What a stream does with a word of memory; from the driver's library, which a machine without a device lacks.
struct StreamWords {
  using Function = CUresult (*)(CUstream, CUdeviceptr, cuuint32_t, unsigned);
  Function write = entry("cuStreamWriteValue32"), wait = entry("cuStreamWaitValue32");

  static Function entry(const char* name) {
    void* f = nullptr;
    cudaDriverEntryPointQueryResult found{};
    check(cudaGetDriverEntryPointByVersion(name, &f, 12000, cudaEnableDefault, &found),
        std::string("looking for ") + name);
    if (!f) throw Failure(std::string("this driver lacks ") + name);
    return reinterpret_cast<Function>(f);
  }
  static void done(CUresult code, const char* doing) {
    if (code != CUDA_SUCCESS)
      throw Failure(std::string("CUDA failed in ") + doing + ": error " + std::to_string(code) + " of the driver");
  }
};

class IpcLink : public Link {
 public:
  IpcLink(std::size_t bytes, Queue& queue) : queue_(queue), half_((bytes + 511) / 512 * 512) {
    memory_ = own_memory(2 * half_ + sizeof(cuuint32_t), "allocating buffers of messages");
    mine_ = memory_.get();
    check(cudaMemset(mine_ + 2 * half_, 0, sizeof(cuuint32_t)), "clearing a counter of messages");
    cudaIpcMemHandle_t handle;
    check(cudaIpcGetMemHandle(&handle, mine_), "sharing memory with another process");
    card_.assign(reinterpret_cast<const char*>(&handle), sizeof handle);
  }
  ~IpcLink() override { part(); }

  std::string card() const override { return card_; }
  bool meet(const std::string& card) override {
    cudaIpcMemHandle_t handle;
    static_assert(sizeof handle <= Link::card_size);
    std::memcpy(&handle, card.data(), sizeof handle);
    void* p = nullptr;
    const bool ok = cudaIpcOpenMemHandle(&p, handle, cudaIpcMemLazyEnablePeerAccess) == cudaSuccess;
    if (!ok) cudaGetLastError();
    theirs_ = static_cast<char*>(p);
    return ok;
  }
  void part() override {
    if (theirs_) cudaIpcCloseMemHandle(theirs_);
    theirs_ = nullptr;
  }
  char* send_buffer() override { return mine_ + sent_ % 2 * half_; }
  void sent(std::size_t, std::size_t) override {
    StreamWords::done(
        words_.write(queue_.stream(), counter(theirs_), ++sent_, CU_STREAM_WRITE_VALUE_DEFAULT), "sending a message");
  }
  const char* received() override {
    StreamWords::done(
        words_.wait(queue_.stream(), counter(mine_), received_ + 1, CU_STREAM_WAIT_VALUE_GEQ), "waiting for a message");
    return theirs_ + received_ % 2 * half_;
  }
  void done() override { ++received_; }

 private:
  CUdeviceptr counter(char* side) const { return reinterpret_cast<CUdeviceptr>(side + 2 * half_); }

  Queue& queue_;
  std::size_t half_;
  StreamWords words_;
  DeviceMemory memory_;
  char *mine_ = nullptr, *theirs_ = nullptr;
  cuuint32_t sent_ = 0, received_ = 0;  // compared as differences: they may wrap around
  std::string card_;
};
}  // namespace AcceleratorCUDA
