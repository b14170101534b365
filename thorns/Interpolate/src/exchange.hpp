// What interpolation needs of MPI, on a communicator of its own; alone, no MPI is called.
#pragma once
#include <mpi.h>
#include <cereus/process.hpp>

#include <span>
#include <string>
#include <vector>

namespace Interpolate {
class Exchange {
 public:
  explicit Exchange(const cereus::Process&);
  ~Exchange();
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;
  int size() const { return size_; }

  // The text of the lowest process that has one, on all processes; empty if none has.
  std::string first_of(const std::string& mine) const;
  // Whether all processes have the same number: then it is returned, else −1.
  int common(int mine) const;
  int bits_of_all(int mine) const;  // those that some process has
  std::vector<int> counts_from_others(const std::vector<int>& counts) const;

  // counts[p] items go to process p, from[p] come from it.
  template <class T>
  std::vector<T> swap(std::span<const T> mine, const std::vector<int>& counts, const std::vector<int>& from) const {
    std::vector<T> result(sum(from));
    alltoall(mine.data(), counts, result.data(), from, sizeof(T));
    return result;
  }

 private:
  static std::size_t sum(const std::vector<int>& counts);
  void alltoall(const void* mine, const std::vector<int>& counts, void* theirs, const std::vector<int>& from,
      std::size_t size) const;

  int rank_, size_;
  MPI_Comm comm_ = MPI_COMM_NULL;
};
}  // namespace Interpolate
