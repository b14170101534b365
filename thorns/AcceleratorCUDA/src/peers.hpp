// Devices of one host that write into each other's memory, mapped by CUDA IPC. Each hears of the others in words of its own
// memory, which streams and kernels wait for and others raise.
#pragma once
#include <map>

#include "stream_words.hpp"
namespace AcceleratorCUDA {
class IpcPeers : public Peers {
 public:
  IpcPeers(int peers, const cudaStream_t& stream) : stream_(stream), peers_(peers) {
    check(cudaMalloc(&words_, sizeof(Words)), "allocating words of peers");
    check(cudaMemset(words_, 0, sizeof(Words)), "clearing words of peers");
    if (peers > most) throw Failure("more processes next to each other on a host than AcceleratorCUDA can handle");
    int device = 0;
    cudaDeviceProp p;
    check(cudaGetDevice(&device), "asking for the device");
    check(cudaGetDeviceProperties(&p, device), "asking for the device's properties");
    card_ = place(reinterpret_cast<char*>(words_)) + std::string(p.uuid.bytes, sizeof p.uuid.bytes);
  }
  ~IpcPeers() override {
    for (const auto& [handle, memory] : opened_) cudaIpcCloseMemHandle(memory);
    cudaFree(words_);
  }

  std::string card() const override { return card_; }
  bool meet(const std::vector<Other>& others) override {
    constexpr std::size_t id = sizeof cudaUUID_t{}.bytes;
    for (const auto& o : others) {
      // Processes that share a device take turns by the millisecond: kernels must not wait for each other.
      if (o.card.compare(place_size, id, card_, place_size, id) == 0) return false;
      auto* theirs = reinterpret_cast<Words*>(open(o.card));
      if (!theirs) return false;
      tell_.push_back(&theirs->heard[o.me]);
    }
    check(cudaMemcpy(words_->tell, tell_.data(), tell_.size() * sizeof tell_[0], cudaMemcpyHostToDevice), "meeting peers");
    return true;
  }
  std::string place(const char* memory) override {
    CUdeviceptr base = 0;
    std::size_t size = 0;
    StreamWords::done(range_(&base, &size, reinterpret_cast<CUdeviceptr>(memory)), "asking for memory");
    Place p{{}, reinterpret_cast<CUdeviceptr>(memory) - base};
    check(cudaIpcGetMemHandle(&p.handle, reinterpret_cast<void*>(base)), "sharing memory with another process");
    return {reinterpret_cast<const char*>(&p), sizeof p};
  }
  char* open(const std::string& place) override {
    Place p;
    std::memcpy(&p, place.data(), sizeof p);
    void*& base = opened_[std::string(reinterpret_cast<const char*>(&p.handle), sizeof p.handle)];
    if (!base && cudaIpcOpenMemHandle(&base, p.handle, cudaIpcMemLazyEnablePeerAccess) != cudaSuccess) {
      cudaGetLastError();
      return nullptr;
    }
    return static_cast<char*>(base) + p.offset;
  }

  Handshake handshake(unsigned turn) override {
    Handshake h;
    h.peers = peers_, h.turn = turn;
    h.heard = words_->heard, h.tell = words_->tell, h.arrived = &words_->arrived;
    return h;
  }
  void tell(unsigned turn) override {
    for (unsigned* t : tell_) words_of_streams_.raise(stream_, t, turn, "telling peers of a turn");
  }
  void hear(unsigned turn) override {
    for (int p = 0; p < peers_; ++p) words_of_streams_.await(stream_, &words_->heard[p], turn, "waiting for peers");
  }

 private:
  static constexpr int most = 64;
  struct Words {
    unsigned heard[most];
    unsigned* tell[most];
    unsigned arrived;
  };
  struct Place {
    cudaIpcMemHandle_t handle;
    std::size_t offset;
  };
  static constexpr std::size_t place_size = sizeof(Place);

  const cudaStream_t& stream_;
  int peers_;
  StreamWords words_of_streams_;
  Words* words_ = nullptr;  // on the device
  std::vector<unsigned*> tell_;
  std::map<std::string, void*> opened_;
  std::string card_;
  using Range = CUresult (*)(CUdeviceptr*, std::size_t*, CUdeviceptr);
  Range range_ = driver_function<Range>("cuMemGetAddressRange");
};
}  // namespace AcceleratorCUDA
