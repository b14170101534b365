// Exceptions must not leave a parallel region of OpenMP, which would end the process without a word: each piece of work
// is done through a Caught, and what the first of them threw is thrown again once the region is over.
#pragma once
#include <exception>
#include <mutex>
#include <utility>
namespace cereus {
class Caught {
 public:
  template <class F> void operator()(F&& f) noexcept {
    try {
      std::forward<F>(f)();
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!first_) first_ = std::current_exception();
    }
  }
  void rethrow() const {
    if (first_) std::rethrow_exception(first_);
  }

 private:
  std::mutex mutex_;
  std::exception_ptr first_;
};
}  // namespace cereus
