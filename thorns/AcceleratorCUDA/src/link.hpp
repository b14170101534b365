// Messages between two devices of one host by CUDA IPC: each side exports two buffers, used in turn, and the events that
// say when they are full and when they have been read. A buffer is packed again two messages later; that its reader is
// done is known then, because the reader has since told us of a message of its own.
#pragma once
#include <cstring>

#include "cuda.hpp"
namespace AcceleratorCUDA {
class IpcLink : public Link {
 public:
  IpcLink(std::size_t bytes, const cudaStream_t& stream) : stream_(stream), half_((bytes + 511) / 512 * 512) {
    check(cudaMalloc(&mine_, 2 * half_), "allocating buffers of messages");
    for (int n = 0; n < 2; ++n)
      for (cudaEvent_t* e : {&full_[n], &read_[n]})
        check(cudaEventCreateWithFlags(e, cudaEventDisableTiming | cudaEventInterprocess), "making an event that processes share");
    Card c{};
    check(cudaIpcGetMemHandle(&c.memory, mine_), "sharing memory with another process");
    for (int n = 0; n < 2; ++n) {
      check(cudaIpcGetEventHandle(&c.full[n], full_[n]), "sharing an event");
      check(cudaIpcGetEventHandle(&c.read[n], read_[n]), "sharing an event");
    }
    card_.assign(reinterpret_cast<const char*>(&c), sizeof c);
  }
  ~IpcLink() override {
    if (theirs_) cudaIpcCloseMemHandle(theirs_);
    for (int n = 0; n < 2; ++n)
      for (cudaEvent_t e : {full_[n], read_[n], their_full_[n], their_read_[n]})
        if (e) cudaEventDestroy(e);
    cudaFree(mine_);
  }

  std::string card() const override { return card_; }
  bool meet(const std::string& card) override {
    Card c;
    std::memcpy(&c, card.data(), sizeof c);
    void* p = nullptr;
    bool ok = cudaIpcOpenMemHandle(&p, c.memory, cudaIpcMemLazyEnablePeerAccess) == cudaSuccess;
    theirs_ = static_cast<char*>(p);
    for (int n = 0; n < 2 && ok; ++n)
      ok = cudaIpcOpenEventHandle(&their_full_[n], c.full[n]) == cudaSuccess &&
           cudaIpcOpenEventHandle(&their_read_[n], c.read[n]) == cudaSuccess;
    if (!ok) cudaGetLastError();
    return ok;
  }
  char* send_buffer() override {
    if (sends_ >= 2) check(cudaStreamWaitEvent(stream_, their_read_[sends_ % 2], 0), "waiting until a message is read");
    return mine_ + sends_ % 2 * half_;
  }
  void sent() override { check(cudaEventRecord(full_[sends_++ % 2], stream_), "sending a message"); }
  const char* received() override {
    check(cudaStreamWaitEvent(stream_, their_full_[receives_ % 2], 0), "waiting for a message");
    return theirs_ + receives_ % 2 * half_;
  }
  void done() override { check(cudaEventRecord(read_[receives_++ % 2], stream_), "reading a message"); }

 private:
  struct Card {
    cudaIpcMemHandle_t memory;
    cudaIpcEventHandle_t full[2], read[2];
  };
  static_assert(sizeof(Card) <= Link::card_size);
  const cudaStream_t& stream_;  // the one in use now
  std::size_t half_;
  char *mine_ = nullptr, *theirs_ = nullptr;
  cudaEvent_t full_[2] = {}, read_[2] = {}, their_full_[2] = {}, their_read_[2] = {};
  long sends_ = 0, receives_ = 0;
  std::string card_;
};
}  // namespace AcceleratorCUDA
