#include "Exchange/collective.hpp"

#include <algorithm>
#include <cstring>

#include "Exchange/messages.hpp"

namespace exchange {
void combine(MPI_Comm comm, void* value, std::size_t bytes, void (*f)(void*, const void*)) {
  int size = 1;
  MPI_Comm_size(comm, &size);
  std::vector<char> all(bytes * static_cast<std::size_t>(size));
  check(MPI_Allgather(value, static_cast<int>(bytes), MPI_BYTE, all.data(), static_cast<int>(bytes), MPI_BYTE, comm),
      "combining");
  std::memcpy(value, all.data(), bytes);
  for (int r = 1; r < size; ++r) f(value, all.data() + static_cast<std::size_t>(r) * bytes);
}

void unite(MPI_Comm comm, std::span<std::uint32_t> bits) {
  constexpr std::size_t most = 1 << 30;  // a message has an int of elements
  for (std::size_t at = 0; at < bits.size(); at += most)
    check(MPI_Allreduce(MPI_IN_PLACE, bits.data() + at, static_cast<int>(std::min(most, bits.size() - at)),
              MPI_UINT32_T, MPI_BOR, comm),
        "uniting bits");
}

std::vector<std::vector<char>> gather(MPI_Comm comm, std::span<const char> mine) {
  constexpr std::size_t piece = std::size_t{1} << 30;  // MPI counts are ints
  int size = 1, rank = 0;
  MPI_Comm_size(comm, &size), MPI_Comm_rank(comm, &rank);
  unsigned long long n = mine.size();
  std::vector<unsigned long long> sizes(static_cast<std::size_t>(size));
  check(MPI_Gather(&n, 1, MPI_UNSIGNED_LONG_LONG, sizes.data(), 1, MPI_UNSIGNED_LONG_LONG, 0, comm), "gathering sizes");
  std::vector<std::vector<char>> all;
  if (rank != 0) {
    for (std::size_t at = 0; at < mine.size(); at += piece)
      check(MPI_Send(mine.data() + at, static_cast<int>(std::min(piece, mine.size() - at)), MPI_BYTE, 0, 7, comm),
          "gathering");
    return all;
  }
  all.emplace_back(mine.begin(), mine.end());
  for (int r = 1; r < size; ++r) {
    auto& to = all.emplace_back(sizes[static_cast<std::size_t>(r)]);
    for (std::size_t at = 0; at < to.size(); at += piece)
      check(MPI_Recv(to.data() + at, static_cast<int>(std::min(piece, to.size() - at)), MPI_BYTE, r, 7, comm,
                MPI_STATUS_IGNORE),
          "gathering");
  }
  return all;
}
}  // namespace exchange
