// What travels, and for whom: bytes between host and device and to other processes, by routine and variable.
#pragma once
#include <compare>
#include <cstdint>
#include <map>
namespace cereus {
struct Moved {  // bytes
  std::int64_t to_host = 0, to_device = 0, to_processes = 0;
  std::int64_t ahead = 0;  // of those to processes: sent before anybody asked for them
  Moved& operator+=(const Moved& b) {
    to_host += b.to_host, to_device += b.to_device, to_processes += b.to_processes, ahead += b.ahead;
    return *this;
  }
  std::int64_t all() const { return to_host + to_device + to_processes; }
};

class Traffic {
 public:
  struct Key {
    int routine, group, component;  // the routine that reads; −1: nobody who is scheduled
    auto operator<=>(const Key&) const = default;
  };
  void add(Key key, const Moved& bytes) {
    if (bytes.all() == 0) return;
    if (key.routine < 0) key.routine = caller_;
    by_reader_[key] += bytes;
  }
  const std::map<Key, Moved>& by_reader() const { return by_reader_; }
  Moved total() const {
    Moved sum;
    for (const auto& [key, bytes] : by_reader_) sum += bytes;
    return sum;
  }
  // While one lives, what services read, they read for this routine.
  class Caller {
   public:
    Caller(Traffic& t, int routine) : traffic_(t), before_(t.caller_) { t.caller_ = routine; }
    ~Caller() { traffic_.caller_ = before_; }
    Caller(const Caller&) = delete;

   private:
    Traffic& traffic_;
    int before_;
  };

 private:
  std::map<Key, Moved> by_reader_;
  int caller_ = -1;
};
}  // namespace cereus
