// Memory cut from the front of large pieces of it, slabs. A slab goes back with its last piece.
#pragma once
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
namespace AcceleratorCUDA {
class Slabs {
 public:
  struct Wish {
    std::size_t slab, bytes;  // what is asked of the source; what is asked of us
    std::string what_for;
    std::size_t in_use;
  };
  using Source = std::function<std::shared_ptr<char>(const Wish&)>;  // throws if there is no more
  static constexpr std::size_t slab_size = std::size_t{256} << 20, alignment = 512;
  explicit Slabs(Source source) : source_(std::move(source)) {}

  std::shared_ptr<char> allocate(std::size_t bytes, const std::string& what_for) {
    bytes = (bytes + alignment - 1) / alignment * alignment;
    if (used_ + bytes > size_) {
      if (is_idle()) slab_ = nullptr, size_ = used_ = 0;  // first, so that there is room for another
      const std::size_t size = std::max(bytes, slab_size);
      auto memory = source_({size, bytes, what_for, in_use()});
      char* const begin = memory.get();
      slab_ = {begin, [memory = std::move(memory), all = reserved_, size](char*) mutable {
                 memory = nullptr;
                 *all -= size;
               }};
      *reserved_ += size, size_ = size, used_ = 0;
    }
    const std::shared_ptr<char> piece(slab_, slab_.get() + std::exchange(used_, used_ + bytes));
    return piece;
  }
  // Bytes that nobody else can have: all slabs, but for what is still to be cut off.
  std::size_t in_use() const { return *reserved_ - (is_idle() ? size_ : size_ - used_); }

 private:
  bool is_idle() const { return slab_.use_count() == 1; }  // all pieces have come back

  Source source_;
  std::shared_ptr<std::atomic<std::size_t>> reserved_ = std::make_shared<std::atomic<std::size_t>>(0);
  std::shared_ptr<char> slab_;
  std::size_t size_ = 0, used_ = 0;
};
}  // namespace AcceleratorCUDA
