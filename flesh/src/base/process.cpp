// MPI, as much of it as the flesh needs.
#include "cereus/process.hpp"

#include <mpi.h>

#include <cstdlib>

#include "cereus/console.hpp"

namespace cereus {
namespace {
bool ours = false;  // whether MPI was started here
}

Process Process::start(int* argc, char*** argv) {
  Process p;
  int provided = 0, begun = 0;
  MPI_Initialized(&begun);  // by the program around us, which then ends it, too
  if (begun) MPI_Query_thread(&provided);
  else MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &provided);
  ours = !begun;
  if (provided < MPI_THREAD_MULTIPLE)
    console::warn("this MPI does not offer MPI_THREAD_MULTIPLE; threads may not call it");
  p.started_ = true, p.may_thread_ = provided == MPI_THREAD_MULTIPLE;
  MPI_Comm_rank(MPI_COMM_WORLD, &p.rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &p.size_);
  p.communicator_ = MPI_Comm_c2f(MPI_COMM_WORLD);
  MPI_Comm host;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, p.rank_, MPI_INFO_NULL, &host);
  MPI_Comm_size(host, &p.local_size_);
  MPI_Comm_rank(host, &p.local_rank_);
  MPI_Comm_free(&host);
  console::set_rank(p.rank_, p.size_);
  return p;
}

Process Process::pretend(int rank, int size) {
  Process p;
  p.rank_ = rank, p.size_ = size;
  return p;
}

Process Process::beside() const {
  Process p = *this;
  MPI_Comm own;
  MPI_Comm_dup(MPI_Comm_f2c(communicator_), &own);
  p.communicator_ = MPI_Comm_c2f(own);
  return p;
}

Process Process::alone() const {
  Process p = *this;
  p.rank_ = p.local_rank_ = 0, p.size_ = p.local_size_ = 1;
  p.communicator_ = MPI_Comm_c2f(MPI_COMM_SELF);
  return p;
}

std::string Process::broadcast(std::string text) const {
  if (size_ == 1) return text;
  unsigned long n = text.size();
  const MPI_Comm all = MPI_Comm_f2c(communicator_);
  MPI_Bcast(&n, 1, MPI_UNSIGNED_LONG, 0, all);
  text.resize(n);
  constexpr unsigned long most = 1ul << 30;  // a message has an int of bytes
  for (unsigned long at = 0; at < n; at += most)
    MPI_Bcast(text.data() + at, static_cast<int>(std::min(most, n - at)), MPI_CHAR, 0, all);
  return text;
}

bool Process::any(bool mine) const {
  if (size_ == 1) return mine;
  int in = mine, out = 0;
  MPI_Allreduce(&in, &out, 1, MPI_INT, MPI_LOR, MPI_Comm_f2c(communicator_));
  return out != 0;
}

int Process::on_host_with(const std::string& text) const {
  if (size_ == 1) return 1;
  constexpr int longest = 64;
  std::string mine = text;
  mine.resize(longest);
  std::string all(static_cast<std::size_t>(longest * local_size_), '\0');
  MPI_Comm host;
  MPI_Comm_split_type(MPI_Comm_f2c(communicator_), MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &host);
  MPI_Allgather(mine.data(), longest, MPI_CHAR, all.data(), longest, MPI_CHAR, host);
  MPI_Comm_free(&host);
  int same = 0;
  for (std::size_t at = 0; at < all.size(); at += longest) same += all.compare(at, longest, mine) == 0;
  return same;
}

void Process::abort(int code) const {
  if (started_ && size_ > 1) MPI_Abort(MPI_COMM_WORLD, code);
  std::_Exit(code);
}

void Process::finish() const {
  if (started_ && ours) MPI_Finalize();
}
}  // namespace cereus
