// What went wrong first in a schedule; kernels report from the device's thread.
#pragma once
#include <mutex>
#include <string>

class Findings {
 public:
  void add(const std::string& what) {
    std::lock_guard lock(mutex_);
    if (count_++ == 0) first_ = what;
  }
  int count() const { return std::lock_guard(mutex_), count_; }
  std::string first() const { return std::lock_guard(mutex_), first_; }

 private:
  mutable std::mutex mutex_;
  int count_ = 0;
  std::string first_;
};
