// An MPI that does everything as late as the standard allows, for LD_PRELOAD: what is read before a receive was waited
// for is NaN, and what is changed before a send was waited for is sent changed. Where memory is shared both nearly
// always go well by luck.
//
// A receive goes to a buffer of our own and is handed over when it is found complete. A send is a persistent request
// that starts with the next call that may block: whoever blocks might wait, by way of another process, for this very
// message.
#include <mpi.h>

#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <vector>

namespace {
struct Receive {
  std::vector<char> data;
  void* user;
};
std::mutex mutex;  // of all below
std::map<MPI_Request, Receive> receives;
std::set<MPI_Request> sends;  // made by us and not yet waited for
std::vector<MPI_Request>
    deferred;  // those of them that did not start: in the order of the program, which decides what matches
long delayed_receives = 0, delayed_sends = 0;

void start_sends() {
  const std::lock_guard lock(mutex);
  for (auto& request : deferred) PMPI_Start(&request);
  deferred.clear();
}

bool contiguous(MPI_Datatype type) {
  int size = 0;
  MPI_Aint low = 0, extent = 0;
  PMPI_Type_size(type, &size);
  PMPI_Type_get_extent(type, &low, &extent);
  return low == 0 && extent == size;
}

// After MPI said that `request`, now perhaps null, is complete.
void completed(MPI_Request was, MPI_Request* request) {
  const std::lock_guard lock(mutex);
  if (const auto r = receives.find(was); r != receives.end()) {
    std::memcpy(r->second.user, r->second.data.data(), r->second.data.size());
    receives.erase(r);
  } else if (sends.erase(was)) {
    PMPI_Request_free(request);  // a persistent request outlives its wait, one of MPI_Isend does not
  }
}
}  // namespace

extern "C" {
int MPI_Irecv(void* buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Request* request) {
  if (!contiguous(type)) return PMPI_Irecv(buffer, count, type, source, tag, comm, request);
  int size = 0;
  PMPI_Type_size(type, &size);
  const auto bytes = static_cast<std::size_t>(count) * static_cast<std::size_t>(size);
  std::memset(buffer, 0xff, bytes);  // NaN, in single and in double precision
  Receive r{std::vector<char>(bytes, static_cast<char>(0xff)), buffer};
  const int code = PMPI_Irecv(r.data.data(), count, type, source, tag, comm, request);
  const std::lock_guard lock(mutex);
  ++delayed_receives;
  receives.emplace(*request, std::move(r));  // a moved vector's data stay where they are
  return code;
}

int MPI_Isend(
    const void* buffer, int count, MPI_Datatype type, int target, int tag, MPI_Comm comm, MPI_Request* request) {
  const int code = PMPI_Send_init(buffer, count, type, target, tag, comm, request);
  const std::lock_guard lock(mutex);
  ++delayed_sends;
  sends.insert(*request);
  deferred.push_back(*request);
  return code;
}

int MPI_Wait(MPI_Request* request, MPI_Status* status) {
  start_sends();
  const MPI_Request was = *request;
  const int code = PMPI_Wait(request, status);
  completed(was, request);
  return code;
}

int MPI_Waitall(int n, MPI_Request* requests, MPI_Status* statuses) {
  start_sends();
  const std::vector<MPI_Request> were(requests, requests + n);
  const int code = PMPI_Waitall(n, requests, statuses);
  for (int i = 0; i < n; ++i) completed(were[static_cast<std::size_t>(i)], requests + i);
  return code;
}

int MPI_Waitany(int n, MPI_Request* requests, int* index, MPI_Status* status) {
  start_sends();
  const std::vector<MPI_Request> were(requests, requests + n);
  const int code = PMPI_Waitany(n, requests, index, status);
  if (*index != MPI_UNDEFINED) completed(were[static_cast<std::size_t>(*index)], requests + *index);
  return code;
}

int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
  start_sends();
  const MPI_Request was = *request;
  const int code = PMPI_Test(request, flag, status);
  if (*flag) completed(was, request);
  return code;
}

int MPI_Testall(int n, MPI_Request* requests, int* flag, MPI_Status* statuses) {
  start_sends();
  const std::vector<MPI_Request> were(requests, requests + n);
  const int code = PMPI_Testall(n, requests, flag, statuses);
  if (*flag)
    for (int i = 0; i < n; ++i) completed(were[static_cast<std::size_t>(i)], requests + i);
  return code;
}

// Other calls that may block. One that is missing here can at worst hang, which the time limit of the test ends.
#define BLOCKING(name, declared, passed) \
  int MPI_##name declared {              \
    start_sends();                       \
    return PMPI_##name passed;           \
  }
BLOCKING(Send, (const void* b, int n, MPI_Datatype t, int to, int tag, MPI_Comm c), (b, n, t, to, tag, c))
BLOCKING(
    Recv, (void* b, int n, MPI_Datatype t, int from, int tag, MPI_Comm c, MPI_Status* s), (b, n, t, from, tag, c, s))
BLOCKING(Probe, (int from, int tag, MPI_Comm c, MPI_Status* s), (from, tag, c, s))
BLOCKING(Barrier, (MPI_Comm c), (c))
BLOCKING(Bcast, (void* b, int n, MPI_Datatype t, int root, MPI_Comm c), (b, n, t, root, c))
BLOCKING(
    Reduce, (const void* a, void* b, int n, MPI_Datatype t, MPI_Op o, int root, MPI_Comm c), (a, b, n, t, o, root, c))
BLOCKING(Allreduce, (const void* a, void* b, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c), (a, b, n, t, o, c))
BLOCKING(Gather, (const void* a, int n, MPI_Datatype t, void* b, int m, MPI_Datatype u, int root, MPI_Comm c),
    (a, n, t, b, m, u, root, c))
BLOCKING(Allgather, (const void* a, int n, MPI_Datatype t, void* b, int m, MPI_Datatype u, MPI_Comm c),
    (a, n, t, b, m, u, c))
BLOCKING(Allgatherv,
    (const void* a, int n, MPI_Datatype t, void* b, const int* m, const int* at, MPI_Datatype u, MPI_Comm c),
    (a, n, t, b, m, at, u, c))
BLOCKING(
    Alltoall, (const void* a, int n, MPI_Datatype t, void* b, int m, MPI_Datatype u, MPI_Comm c), (a, n, t, b, m, u, c))
BLOCKING(Alltoallv,
    (const void* a, const int* n, const int* from, MPI_Datatype t, void* b, const int* m, const int* at, MPI_Datatype u,
        MPI_Comm c),
    (a, n, from, t, b, m, at, u, c))
BLOCKING(Comm_dup, (MPI_Comm c, MPI_Comm* d), (c, d))
BLOCKING(Comm_free, (MPI_Comm * c), (c))

int MPI_Finalize() {
  start_sends();
  std::fprintf(stderr, "delayed_mpi: %ld receives, %ld sends, %zu never waited for\n", delayed_receives, delayed_sends,
      receives.size() + sends.size());
  return PMPI_Finalize();
}
}
