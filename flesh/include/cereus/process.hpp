// The thin process group of the flesh: start, rank, size, broadcast, abort. The driver owns all other communication.
#pragma once
#include <string>
namespace cereus {
class Process {
 public:
  static Process start(int* argc, char*** argv);  // MPI_Init_thread with MPI_THREAD_MULTIPLE
  static Process pretend(int rank, int size);     // for commands that need no MPI
  Process beside() const;                         // with a communicator of its own, for another thread: collective
  Process alone() const;                          // this process, as if there were no other
  int rank() const { return rank_; }
  int size() const { return size_; }
  int local_rank() const { return local_rank_; }  // among the processes on this host
  int local_size() const { return local_size_; }
  bool may_thread() const { return may_thread_; }  // whether two threads may call MPI at a time
  int communicator() const {
    return communicator_;
  }                                                 // MPI's Fortran handle: services duplicate this one, not the world
  std::string broadcast(std::string text) const;    // rank 0's text, on all
  bool any(bool mine) const;                        // agreed by all ranks: collective
  int on_host_with(const std::string& text) const;  // how many processes of this host say the same: collective
  [[noreturn]] void abort(int code) const;          // ends all ranks
  void finish() const;

 private:
  int rank_ = 0, size_ = 1, local_rank_ = 0, local_size_ = 1, communicator_ = 0;
  bool started_ = false, may_thread_ = false;
};
}  // namespace cereus
