// A communicator of a thorn's own, so that what it exchanges meets no other messages, on whichever thread it runs.
#pragma once
#include <mpi.h>

#include <cereus/error.hpp>
#include <cereus/process.hpp>
#include <string>

namespace Analysis {
inline void check(int code, const char* what) {
  if (code != MPI_SUCCESS) throw cereus::Failure(std::string("MPI failed while ") + what);
}

class Communicator {
 public:
  Communicator() = default;
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;
  ~Communicator() {
    int over = 0;
    MPI_Finalized(&over);
    if (comm_ != MPI_COMM_NULL && !over) MPI_Comm_free(&comm_);
  }

  // Collective, and on all processes alike: in a routine of the start, where nothing runs beside it.
  void open(const cereus::Process& process) {
    check(MPI_Comm_dup(MPI_Comm_f2c(process.communicator()), &comm_), "making a communicator");
    MPI_Comm_rank(comm_, &rank_);
    MPI_Comm_size(comm_, &size_);
  }
  MPI_Comm get() const { return comm_; }
  // The same, opened at the first call.
  MPI_Comm get(const cereus::Process& process) {
    if (comm_ == MPI_COMM_NULL) open(process);
    return comm_;
  }
  int rank() const { return rank_; }
  int size() const { return size_; }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0, size_ = 1;
};
}  // namespace Analysis
