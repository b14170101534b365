#include "easel.hpp"

#include <utility>

namespace IOImage {

Easel::~Easel() {
  {
    const std::lock_guard lock(mutex_);
    end_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Easel::draw(std::function<void()> picture) {
  if (!thread_.joinable()) thread_ = std::thread([this] { work(); });
  {
    const std::lock_guard lock(mutex_);
    pictures_.push_back(std::move(picture));
  }
  changed_.notify_all();
}

void Easel::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return pictures_.empty(); });
  if (failure_) std::rethrow_exception(failure_);
}

void Easel::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return end_ || !pictures_.empty(); });
    if (pictures_.empty()) return;
    const auto picture = std::move(pictures_.front());
    const bool skip = failure_ != nullptr;
    lock.unlock();
    std::exception_ptr failure;
    try {
      if (!skip) picture();
    } catch (...) { failure = std::current_exception(); }
    lock.lock();
    if (failure) failure_ = failure;
    pictures_.pop_front();
    changed_.notify_all();
  }
}

}  // namespace IOImage
