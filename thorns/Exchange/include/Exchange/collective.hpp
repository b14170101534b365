// What a driver does for all processes together. Collective.
#pragma once
#include <mpi.h>

#include <cstdint>
#include <span>
#include <vector>
namespace exchange {
// Driver::combine_over_processes: every process ends with the values of all, combined in the order of ranks.
void combine(MPI_Comm, void* value, std::size_t bytes, void (*f)(void*, const void*));
// Every process ends with the bits that any process has set.
void unite(MPI_Comm, std::span<std::uint32_t>);
// Driver::gather: rank 0 gets the pieces of all ranks.
std::vector<std::vector<char>> gather(MPI_Comm, std::span<const char> mine);
}  // namespace exchange
