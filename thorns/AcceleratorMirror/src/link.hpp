// Messages between the mirrors of two processes of one host, in memory that they share: what is sent leaves as it is
// then.
#pragma once
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cereus/accelerator.hpp>

#include <atomic>
#include <cstring>
#include <thread>

namespace AcceleratorMirror {
class MirrorLink : public cereus::Link {
 public:
  MirrorLink(std::size_t bytes, cereus::Device& device) : device_(device), half_((bytes + 63) / 64 * 64) {
    static int number = 0;
    name_ = "/cereus-" + std::to_string(getpid()) + "-" + std::to_string(number++);
    mine_ = open(name_, O_CREAT | O_EXCL | O_RDWR);
    to_send_.resize(half_), received_.resize(half_);
  }
  ~MirrorLink() override {
    part();
    if (mine_) munmap(mine_, size());
    shm_unlink(name_.c_str());
  }
  std::string card() const override { return mine_ ? name_ : ""; }
  bool meet(const std::string& card) override {
    theirs_ = open(card.c_str(), O_RDWR);
    shm_unlink(card.c_str());  // both have it now: it goes with them, even if they crash
    return mine_ && theirs_;
  }
  void part() override {
    if (theirs_) munmap(theirs_, size());
    theirs_ = nullptr;
  }
  char* send_buffer() override {
    device_.wait();
    return to_send_.data();
  }
  void sent(std::size_t outgoing, std::size_t) override {
    device_.wait();
    until(mine_->read, n_sent_ - 1);
    std::memcpy(half(mine_, n_sent_), to_send_.data(), outgoing);
    mine_->full = ++n_sent_;
  }
  const char* received() override {
    device_.wait();
    until(theirs_->full, n_received_ + 1);
    std::memcpy(received_.data(), half(theirs_, n_received_), half_);
    theirs_->read = ++n_received_;
    return received_.data();
  }
  void done() override {}

 private:
  struct Shared {                             // by one side; two buffers follow, used in turn
    alignas(64) std::atomic<int> full, read;  // messages that lie here, or did; and those that the other side has read
  };
  std::size_t size() const { return sizeof(Shared) + 2 * half_; }
  char* half(Shared* s, int n) const { return reinterpret_cast<char*>(s + 1) + n % 2 * half_; }
  static void until(const std::atomic<int>& counter, int n) {
    while (counter < n) std::this_thread::yield();
  }
  Shared* open(const std::string& name, int flags) const {
    const int file = shm_open(name.c_str(), flags, 0600);
    if (file < 0) return nullptr;
    void* p = MAP_FAILED;
    if (ftruncate(file, static_cast<off_t>(size())) == 0)
      p = mmap(nullptr, size(), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    return p == MAP_FAILED ? nullptr : static_cast<Shared*>(p);
  }

  cereus::Device& device_;
  std::size_t half_;
  std::string name_;
  Shared *mine_ = nullptr, *theirs_ = nullptr;
  std::vector<char> to_send_, received_;
  int n_sent_ = 0, n_received_ = 0;
};
}  // namespace AcceleratorMirror
