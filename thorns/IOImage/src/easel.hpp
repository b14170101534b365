// A thread that draws beside the run, one picture after another, and begins with the first.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace IOImage {

class Easel {
 public:
  ~Easel();  // when all is drawn
  void draw(std::function<void()> picture);
  // Until all is drawn; throws what failed. After a failure nothing more is drawn.
  void wait();

 private:
  void work();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> pictures_;  // the first is being drawn
  std::exception_ptr failure_;
  bool end_ = false;
  std::thread thread_;
};

}  // namespace IOImage
