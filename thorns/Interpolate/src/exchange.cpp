// Thin wrappers of collective calls. Items travel as an MPI type of their size, so that counts are items, not bytes.
#include "exchange.hpp"

#include <cereus/error.hpp>

#include <cstring>

namespace Interpolate {
namespace {
void check(int code, const char* what) {
  if (code != MPI_SUCCESS) throw cereus::Failure(std::string("Interpolate: MPI failed while ") + what);
}
std::vector<int> offsets(const std::vector<int>& counts) {
  std::vector<int> at(counts.size(), 0);
  for (std::size_t p = 1; p < counts.size(); ++p) at[p] = at[p - 1] + counts[p - 1];
  return at;
}
struct ItemType {
  MPI_Datatype type;
  explicit ItemType(std::size_t bytes) {
    check(MPI_Type_contiguous(static_cast<int>(bytes), MPI_BYTE, &type), "making a type");
    check(MPI_Type_commit(&type), "making a type");
  }
  ~ItemType() { MPI_Type_free(&type); }
};
}  // namespace

Exchange::Exchange(const cereus::Process& process) : rank_(process.rank()), size_(process.size()) {
  if (size_ > 1) check(MPI_Comm_dup(MPI_Comm_f2c(process.communicator()), &comm_), "making a communicator");
}
Exchange::~Exchange() {
  int over = 0;
  MPI_Finalized(&over);
  if (comm_ != MPI_COMM_NULL && !over) MPI_Comm_free(&comm_);
}

std::size_t Exchange::sum(const std::vector<int>& counts) {
  std::size_t n = 0;
  for (int c : counts) n += static_cast<std::size_t>(c);
  return n;
}

std::string Exchange::first_of(const std::string& mine) const {
  if (size_ == 1) return mine;
  int speaker = mine.empty() ? size_ : rank_, first = size_;
  check(MPI_Allreduce(&speaker, &first, 1, MPI_INT, MPI_MIN, comm_), "agreeing");
  if (first == size_) return "";
  int length = static_cast<int>(mine.size());
  check(MPI_Bcast(&length, 1, MPI_INT, first, comm_), "agreeing");
  std::string text = mine;
  text.resize(static_cast<std::size_t>(length));
  check(MPI_Bcast(text.data(), length, MPI_CHAR, first, comm_), "agreeing");
  return text;
}

int Exchange::common(int mine) const {
  if (size_ == 1) return mine;
  const int in[2] = {mine, -mine};
  int out[2];
  check(MPI_Allreduce(in, out, 2, MPI_INT, MPI_MAX, comm_), "agreeing");
  return out[0] == -out[1] ? mine : -1;
}

int Exchange::bits_of_all(int mine) const {
  int all = mine;
  if (size_ > 1) check(MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_BOR, comm_), "agreeing");
  return all;
}

std::vector<int> Exchange::counts_from_others(const std::vector<int>& counts) const {
  std::vector<int> from = counts;
  if (size_ > 1) check(MPI_Alltoall(counts.data(), 1, MPI_INT, from.data(), 1, MPI_INT, comm_), "counting");
  return from;
}

void Exchange::alltoall(const void* mine, const std::vector<int>& counts, void* theirs, const std::vector<int>& from,
    std::size_t size) const {
  if (size_ == 1) {
    if (counts[0]) std::memcpy(theirs, mine, static_cast<std::size_t>(counts[0]) * size);
    return;
  }
  const ItemType item(size);
  const auto to_at = offsets(counts), from_at = offsets(from);
  check(MPI_Alltoallv(
            mine, counts.data(), to_at.data(), item.type, theirs, from.data(), from_at.data(), item.type, comm_),
      "exchanging points");
}
}  // namespace Interpolate
