// MPI, as much of it as the flesh needs.
#include "cereus/process.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <new>
#include <thread>
#include <vector>

#include "base/failing.hpp"
#include "base/terminal.hpp"
#include "cereus/console.hpp"
#include "cereus/error.hpp"

namespace cereus {
namespace {
bool ours = false;                   // whether MPI was started here
MPI_Comm of_failed = MPI_COMM_NULL;  // on which nothing else is said

// What Open MPI would do for others takes a process that nobody launched most of its start: a daemon for children that
// it never has, drivers of networks that wait for their clocks; and a folder of the session, for nothing, which another
// such process may remove while this one makes it. Children of this process do not hear of it: to mpirun among them it
// would say that it is alone, too.
void begin_alone(int* argc, char*** argv, int* provided) {
  std::vector<const char*> news;
  for (const char* name : {"OMPI_MCA_ess_singleton_isolated", "OMPI_MCA_orte_create_session_dirs", "OMPI_MCA_pml",
           "OMPI_MCA_pmix", "OMPI_MCA_ess", "OMPI_MCA_orte_ess_num_procs"})
    if (!std::getenv(name)) news.push_back(name);
  setenv("OMPI_MCA_ess_singleton_isolated", "1", 0);
  setenv("OMPI_MCA_orte_create_session_dirs", "0", 0);
  setenv("OMPI_MCA_pml", "ob1", 0);
  MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, provided);
  for (const char* name : news) unsetenv(name);
}

// Begins MPI, unless the program around us has; returns whether threads may call it.
bool begin(int* argc, char*** argv) {
  int provided = 0, begun = 0;
  MPI_Initialized(&begun);
  if (begun) MPI_Query_thread(&provided);
  else if (!under_launcher()) begin_alone(argc, argv, &provided);
  else MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &provided);
  ours = ours || !begun;
  if (provided < MPI_THREAD_MULTIPLE)
    console::warn("this MPI does not offer MPI_THREAD_MULTIPLE; threads may not call it");
  return provided == MPI_THREAD_MULTIPLE;
}
}  // namespace

Process Process::start(int* argc, char*** argv) {
  Process p;
  p.may_thread_ = begin(argc, argv);
  p.join(MPI_Comm_c2f(MPI_COMM_WORLD));
  MPI_Comm_dup(MPI_COMM_WORLD, &of_failed);
  return p;
}

Process Process::within(int communicator) {
  Process p;
  p.may_thread_ = begin(nullptr, nullptr);
  const MPI_Comm theirs = MPI_Comm_f2c(communicator);
  if (theirs == MPI_COMM_NULL) throw Error("the communicator is that of other processes: it is null here");
  MPI_Comm own;
  MPI_Comm_dup(theirs, &own);  // for ever: the program may free its own
  p.join(MPI_Comm_c2f(own));
  return p;
}

void Process::join(int communicator) {
  started_ = true, communicator_ = communicator;
  const MPI_Comm all = MPI_Comm_f2c(communicator);
  MPI_Comm_rank(all, &rank_);
  MPI_Comm_size(all, &size_);
  MPI_Comm host;
  MPI_Comm_split_type(all, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &host);
  MPI_Comm_size(host, &local_size_);
  MPI_Comm_rank(host, &local_rank_);
  MPI_Comm_free(&host);
  console::set_rank(rank_, size_);
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

Process Process::among(bool kind) const {
  if (size_ == 1 || !started_) return *this;
  any(false);
  Process p = *this;
  MPI_Comm own, host;
  MPI_Comm_split(MPI_Comm_f2c(communicator_), kind, rank_, &own);
  MPI_Comm_split_type(own, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &host);
  MPI_Comm_rank(own, &p.rank_), MPI_Comm_size(own, &p.size_);
  MPI_Comm_rank(host, &p.local_rank_), MPI_Comm_size(host, &p.local_size_);
  MPI_Comm_free(&host);
  p.communicator_ = MPI_Comm_c2f(own);
  return p;
}

// What all reduce, by the greatest: the lowest process that failed has the greatest `failed`.
struct Process::Word {
  std::int64_t yes = 0, high = 0, low = 0, failed = 0, place = 0, other = 0;
  std::string why{};  // it failed; not reduced
};

namespace {
enum Kind { error, failure };
// What all processes throw at the same moment: none of them agrees on it again.
template <class E> struct Told : E { using E::E; };
[[noreturn]] void throw_on_all(int kind, const std::string& what) {
  if (kind == error) throw Told<Error>(what);
  throw Told<Failure>(what);
}

// A number for a place, which says what is done there as well.
std::int64_t number_of(std::string_view text) {
  return static_cast<std::int64_t>(std::hash<std::string_view>()(text) >> 2);
}
std::string name_of(const std::source_location& place) {
  return fmt::format("{}:{}", std::filesystem::path(place.file_name()).filename().string(), place.line());
}
}  // namespace

// Rank `rank`'s text, on all.
std::string Process::text_of(int rank, std::string text) const {
  unsigned long n = text.size();
  const MPI_Comm all = MPI_Comm_f2c(communicator_);
  MPI_Bcast(&n, 1, MPI_UNSIGNED_LONG, rank, all);
  text.resize(n);
  constexpr unsigned long most = 1ul << 30;  // a message has an int of bytes
  for (unsigned long at = 0; at < n; at += most)
    MPI_Bcast(text.data() + at, static_cast<int>(std::min(most, n - at)), MPI_CHAR, rank, all);
  return text;
}

void Process::reduce(Word& word, double patience, const Place& place) const {
  if (size_ == 1 || !started_) return;
  const std::string here = name_of(place);
  std::int64_t all[] = {word.yes, word.high, word.low, word.failed, number_of(here), -number_of(here)};
  MPI_Request request;
  MPI_Iallreduce(MPI_IN_PLACE, all, 6, MPI_INT64_T, MPI_MAX, MPI_Comm_f2c(communicator_), &request);
  if (patience > 0 && word.failed > 0) {
    const auto start = std::chrono::steady_clock::now();
    for (int done = 0; MPI_Test(&request, &done, MPI_STATUS_IGNORE), !done;) {
      if (std::chrono::steady_clock::now() - start > std::chrono::duration<double>(patience)) {
        console::error(fmt::format("process {}: {}", rank_, word.why));
        abort(word.failed % 2 == error ? 1 : 3);
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  } else MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (all[3] > 0) {
    const int speaker = size_ - static_cast<int>(all[3] / 2);
    const std::string why = text_of(speaker, word.why);
    throw_on_all(all[3] % 2, speaker == 0 ? why : fmt::format("process {}: {}", speaker, why));
  }
  if (all[4] != -all[5])
    throw_on_all(failure, fmt::format("the processes have gone different ways: process 0 is at {} of the source, and "
                                      "not all others are; a program, or a thorn, makes the same calls on all",
                              text_of(0, here)));
  word.yes = all[0], word.high = all[1], word.low = all[2];
}

void Process::agree(const std::function<void()>& f, double patience, Place place) const {
  if (size_ == 1 || !started_) return f();
  Word word;
  const auto failed = [&](Kind kind, const char* what) { word.failed = 2 * (size_ - rank_) + kind, word.why = what; };
  try {
    f();
  } catch (const Told<Error>&) { throw; } catch (const Told<Failure>&) {
    throw;
  } catch (const Error& e) { failed(error, e.what()); } catch (const std::bad_alloc&) {
    failed(failure, "out of memory");
  } catch (const std::exception& e) { failed(failure, e.what()); } catch (...) {
    failed(failure, "an exception that says nothing");
  }
  reduce(word, patience, place);
}

bool Process::any(bool mine, Place place) const {
  Word word{.yes = mine};
  reduce(word, 0, place);
  return word.yes != 0;
}

bool Process::same(const std::string& mine, Place place) const {
  const std::int64_t number = number_of(mine);
  Word word{.high = number, .low = -number};
  reduce(word, 0, place);
  return word.high == -word.low;
}

std::string Process::broadcast(std::string text, Place place) const {
  return broadcast_from(0, std::move(text), place);
}
std::string Process::broadcast_from(int rank, std::string text, Place place) const {
  if (size_ == 1 || !started_) return text;
  any(false, place);
  return text_of(rank, std::move(text));
}

int Process::on_host_with(const std::string& text, Place place) const {
  if (size_ == 1) return 1;
  any(false, place);
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

bool all_fail(double patience) {
  if (of_failed == MPI_COMM_NULL) return false;
  MPI_Request request;
  MPI_Ibarrier(of_failed, &request);
  const auto start = std::chrono::steady_clock::now();
  for (int done = 0; MPI_Test(&request, &done, MPI_STATUS_IGNORE), !done;) {
    if (std::chrono::steady_clock::now() - start > std::chrono::duration<double>(patience)) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

void finish_failed(int code, double patience) {
  std::thread([=] {
    std::this_thread::sleep_for(std::chrono::duration<double>(patience));
    MPI_Abort(MPI_COMM_WORLD, code);
  }).detach();
  MPI_Finalize();
}

void Process::finish() const {
  if (started_ && ours) MPI_Finalize();
}
}  // namespace cereus
