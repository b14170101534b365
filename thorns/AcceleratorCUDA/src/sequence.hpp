// Kernels launched one after another, as data, and those that were launched before: nothing here knows of CUDA.
#pragma once
#include <cereus/kernel/launch.hpp>

#include <array>
#include <cstring>
#include <list>
#include <string>
#include <vector>
namespace AcceleratorCUDA {
using cereus::DeviceCall;

class Sequence {
 public:
  // Arguments are copied; `who` is named if it fails.
  void add(const DeviceCall& c, const char* who) {
    if (size_ == calls_.size()) calls_.emplace_back();
    Kept& k = calls_[size_++];
    k.call = c, k.who = who;
    for (int n = 0; n < c.arguments; ++n) {
      k.at[n] = (bytes_.size() + 15) / 16 * 16;
      bytes_.resize(k.at[n] + c.bytes[n]);
      std::memcpy(bytes_.data() + k.at[n], c.argument[n], c.bytes[n]);
    }
  }
  void clear() { size_ = 0, bytes_.clear(); }
  std::size_t size() const { return size_; }
  const std::string& who(std::size_t n) const { return calls_[n].who; }
  // A call whose arguments lie here, as long as nothing is added.
  DeviceCall call(std::size_t n) const {
    DeviceCall c = calls_[n].call;
    for (int a = 0; a < c.arguments; ++a) c.argument[a] = bytes_.data() + calls_[n].at[a];
    return c;
  }

  // The same kernels on grids of the same size; the arguments of call n.
  bool same_shape(const Sequence& b) const {
    if (size_ != b.size_) return false;
    for (std::size_t n = 0; n < size_; ++n) {
      const DeviceCall &x = calls_[n].call, &y = b.calls_[n].call;
      if (x.function != y.function || std::memcmp(x.grid, y.grid, sizeof x.grid) != 0 ||
          std::memcmp(x.threads, y.threads, sizeof x.threads) != 0 || x.shared != y.shared)
        return false;
    }
    return true;
  }
  bool same_arguments(const Sequence& b) const {
    return bytes_.size() == b.bytes_.size() && std::memcmp(bytes_.data(), b.bytes_.data(), bytes_.size()) == 0;
  }
  bool same_arguments(const Sequence& b, std::size_t n) const {
    const Kept &x = calls_[n], &y = b.calls_[n];
    for (int a = 0; a < x.call.arguments; ++a)
      if (std::memcmp(bytes_.data() + x.at[a], b.bytes_.data() + y.at[a], x.call.bytes[a]) != 0) return false;
    return true;
  }

 private:
  struct Kept {
    DeviceCall call;
    std::array<std::size_t, DeviceCall::most_arguments> at{};  // where arguments begin in bytes_
    std::string who;
  };
  std::vector<Kept> calls_;  // the first size_ of them
  std::vector<char> bytes_;
  std::size_t size_ = 0;
};

// Sequences that came before, each with what was made of it. A shape is kept a few times, because the buffers of a time
// integrator take turns; where other arguments keep changing (an adaptive time step) the oldest of them is used again.
template <class Made> class Repeats {
 public:
  static constexpr int a_shape = 4, in_all = 64;
  struct Entry {
    Sequence sequence;  // as it came last
    int seen = 0;       // how often it came before
    Made made;
  };
  // The entry for a sequence; its arguments may differ.
  Entry& find(const Sequence& s) {
    int alike = 0;
    auto oldest = entries_.end();
    for (auto e = entries_.begin(); e != entries_.end(); ++e) {  // the last one used comes first
      if (!e->sequence.same_shape(s)) continue;
      ++alike, oldest = e;
      if (e->sequence.same_arguments(s)) return use(e);
    }
    if (alike >= a_shape) return use(oldest);
    if (entries_.size() >= in_all) entries_.pop_back();
    entries_.emplace_front().sequence = s;
    return entries_.front();
  }

 private:
  Entry& use(typename std::list<Entry>::iterator e) {
    entries_.splice(entries_.begin(), entries_, e);
    ++e->seen;
    return *e;
  }
  std::list<Entry> entries_;
};
}  // namespace AcceleratorCUDA
