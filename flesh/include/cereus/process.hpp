// The thin process group of the flesh: start, rank, size, broadcast, abort. The driver owns all other communication.
#pragma once
#include <functional>
#include <source_location>
#include <string>
namespace cereus {
class Process {
 public:
  static Process start(int* argc, char*** argv);  // MPI_Init_thread with MPI_THREAD_MULTIPLE
  static Process within(int communicator);        // some processes, by MPI's Fortran handle: collective over these
  static Process pretend(int rank, int size);     // for commands that need no MPI
  Process beside() const;                         // with a communicator of its own, for another thread: collective
  Process alone() const;                          // this process, as if there were no other
  Process among(bool kind) const;                 // those that say the same: collective
  int rank() const { return rank_; }
  int size() const { return size_; }
  int local_rank() const { return local_rank_; }  // among the processes on this host
  int local_size() const { return local_size_; }
  bool may_thread() const { return may_thread_; }  // whether two threads may call MPI at a time
  int communicator() const {
    return communicator_;
  }  // MPI's Fortran handle: services duplicate this one, not the world

  // What follows is collective. All of it is one reduction, in which also who failed in agree() is heard, and who came
  // from another place of the program: either is thrown on all processes.
  using Place = std::source_location;
  bool any(bool mine, Place = Place::current()) const;
  bool same(const std::string& mine, Place = Place::current()) const;       // whether all processes say the same
  std::string broadcast(std::string text, Place = Place::current()) const;  // rank 0's text, on all
  std::string broadcast_from(int rank, std::string text, Place = Place::current()) const;
  // How many processes of this host say the same.
  int on_host_with(const std::string& text, Place = Place::current()) const;
  // Runs f on all processes. Where it fails on some it fails on all, with what the lowest of them says, as Error or as
  // Failure. f may ask for what is listed here. Where processes also wait for each other by other means in f, they
  // cannot hear who failed: after so many seconds of `patience` that process says why, and ends all.
  void agree(const std::function<void()>& f, double patience = 0, Place = Place::current()) const;

  [[noreturn]] void abort(int code) const;  // ends all ranks
  void finish() const;

 private:
  struct Word;
  void reduce(Word&, double patience, const Place&) const;
  std::string text_of(int rank, std::string) const;
  void join(int communicator);
  int rank_ = 0, size_ = 1, local_rank_ = 0, local_size_ = 1, communicator_ = 0;
  bool started_ = false, may_thread_ = false;
};
}  // namespace cereus
