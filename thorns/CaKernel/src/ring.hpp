// Memory that goes round: behind its end lies its beginning again, so that planes which take each other's place stay
// neighbours.
#pragma once
#include <cstddef>
namespace CaKernel {
class Ring {
 public:
  explicit Ring(std::size_t bytes);  // a whole number of pages; throws if there is no memory
  ~Ring();
  Ring(Ring&& r) noexcept : begin_(r.begin_), bytes_(r.bytes_) { r.begin_ = nullptr; }
  Ring& operator=(Ring&&) = delete;
  char* begin() const { return begin_; }  // 2 · bytes lie behind it

  static std::size_t page();  // bytes

 private:
  char* begin_ = nullptr;
  std::size_t bytes_;
};
}  // namespace CaKernel
