// Messages between two devices by NCCL, on any hosts. The library is looked for at run time, so nobody needs it to
// build or run; what is used of its interface is declared here (NCCL 2.7 or later, where sending and receiving came).
#pragma once
#include <dlfcn.h>

#include <cstring>

#include "queue.hpp"
namespace AcceleratorCUDA {
class Nccl {
 public:
  struct Id {
    char internal[128];
  };
  using Comm = void*;
  static constexpr int type_char = 0;

  // Null if there is none here.
  static const Nccl* instance() {
    static const Nccl nccl;
    return nccl.complete_ ? &nccl : nullptr;
  }
  void check(int code, const char* doing) const {
    if (code != 0) throw Failure(std::string("NCCL failed in ") + doing + ": " + error(code));
  }

  int (*get_id)(Id*) = nullptr;
  int (*init)(Comm*, int size, Id, int rank) = nullptr;
  int (*destroy)(Comm) = nullptr;
  int (*send)(const void*, std::size_t count, int type, int to, Comm, cudaStream_t) = nullptr;
  int (*receive)(void*, std::size_t count, int type, int from, Comm, cudaStream_t) = nullptr;
  int (*begin)() = nullptr;
  int (*end)() = nullptr;
  const char* (*error)(int) = nullptr;

 private:
  Nccl() {
    void* library = dlopen("libnccl.so.2", RTLD_NOW | RTLD_LOCAL);
    const auto find = [&](auto& f, const char* name) {
      f = library ? reinterpret_cast<std::decay_t<decltype(f)>>(dlsym(library, name)) : nullptr;
      return f != nullptr;
    };
    complete_ = find(get_id, "ncclGetUniqueId") && find(init, "ncclCommInitRank") && find(destroy, "ncclCommDestroy") &&
                find(send, "ncclSend") && find(receive, "ncclRecv") && find(begin, "ncclGroupStart") &&
                find(end, "ncclGroupEnd") && find(error, "ncclGetErrorString");
  }
  bool complete_ = false;
};

// Messages go both ways at a time, on the stream beside the main one, once they are packed; two buffers in each
// direction are used in turn.
class NcclLink : public Link {
 public:
  NcclLink(const Nccl& nccl, std::size_t bytes, Queue& queue)
      : nccl_(nccl),
        queue_(queue),
        half_((bytes + 511) / 512 * 512) {
    nccl_.check(nccl_.get_id(&id_), "choosing a name");
    memory_ = own_memory(4 * half_, "allocating buffers of messages");
    for (cudaEvent_t& e : travelled_) check(cudaEventCreateWithFlags(&e, cudaEventDisableTiming), "making an event");
  }
  ~NcclLink() override {
    if (comm_) nccl_.destroy(comm_);
    for (cudaEvent_t e : travelled_)
      if (e) cudaEventDestroy(e);
  }

  std::string card() const override { return {id_.internal, sizeof id_.internal}; }
  bool meet(const std::string& card) override {  // under the name that is the smaller one
    Nccl::Id theirs;
    std::memcpy(theirs.internal, card.data(), sizeof theirs.internal);
    const bool first = std::memcmp(id_.internal, theirs.internal, sizeof theirs.internal) < 0;
    other_ = first ? 1 : 0;
    return nccl_.init(&comm_, 2, first ? id_ : theirs, 1 - other_) == 0;
  }
  char* send_buffer() override {
    check(cudaStreamWaitEvent(queue_.stream(), travelled_[turn_], 0), "waiting until a message is sent");
    return memory_.get() + turn_ * half_;
  }
  void sent(std::size_t outgoing, std::size_t incoming) override {
    queue_.fork(false);
    const cudaStream_t side = queue_.side();
    nccl_.check(nccl_.begin(), "beginning a message");
    nccl_.check(nccl_.send(memory_.get() + turn_ * half_, outgoing, Nccl::type_char, other_, comm_, side), "sending");
    nccl_.check(nccl_.receive(memory_.get() + (2 + turn_) * half_, incoming, Nccl::type_char, other_, comm_, side),
        "receiving");
    nccl_.check(nccl_.end(), "sending and receiving");
    check(cudaEventRecord(travelled_[turn_], side), "recording an event");
    turn_ = 1 - turn_;
  }
  const char* received() override {
    check(cudaStreamWaitEvent(queue_.stream(), travelled_[1 - turn_], 0), "waiting for a message");
    return memory_.get() + (2 + 1 - turn_) * half_;
  }
  void done() override {}  // what comes next is received after a fork, or behind the unpacking on the same stream

 private:
  const Nccl& nccl_;
  Queue& queue_;
  std::size_t half_;
  DeviceMemory memory_;
  cudaEvent_t travelled_[2] = {};
  Nccl::Id id_{};
  Nccl::Comm comm_ = nullptr;
  int other_ = 0, turn_ = 0;
};
}  // namespace AcceleratorCUDA
