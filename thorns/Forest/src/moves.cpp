#include "moves.hpp"

#include <algorithm>

namespace Forest {
using namespace cereus;
namespace {
// Of a part of a message, which begins where any scalar type may.
std::size_t bytes_of(const Simulation& s, const Job& job, Offset elements) {
  return (static_cast<std::size_t>(elements) * size_of(s.type(job.values.group)) + 15) / 16 * 16;
}

// Where the parts of some jobs begin in a message; `at` goes behind them.
std::vector<char*> parts(const Simulation& s, std::span<const Job> jobs, Offset elements, char*& at) {
  std::vector<char*> list;
  for (const Job& job : jobs) list.push_back(std::exchange(at, at + bytes_of(s, job, elements)));
  return list;
}
}  // namespace

Moves::Moves(exchange::Messages& messages, std::vector<Job> jobs, Space space, Kept& kept)
    : messages_(messages),
      jobs_(std::move(jobs)),
      space_(space),
      kept_(kept) {}

// Calls f(jobs, their carrier) for jobs of one transfer and type that follow each other.
template <class F> void Moves::each_batch(Simulation& s, F&& f) {
  const auto alike = [&](const Job& a, const Job& b) {
    return a.transfer == b.transfer && s.type(a.values.group) == s.type(b.values.group);
  };
  for (std::size_t first = 0, last = 0; first < jobs_.size(); first = last) {
    for (last = first; last < jobs_.size() && last - first < most_variables && alike(jobs_[first], jobs_[last]);)
      ++last;
    const auto batch = std::span(jobs_).subspan(first, last - first);
    Carrier carrier(s, space_, batch, kept_.scratch, kept_.lists);
    f(batch, carrier);
  }
}

void Moves::begin(Simulation& s, unsigned number) {
  std::map<int, exchange::Bytes> sizes;
  for (const Job& job : jobs_) {
    for (const auto& [rank, n] : job.transfer->outgoing) sizes[rank].outgoing += bytes_of(s, job, n);
    for (const auto& [rank, n] : job.transfer->incoming) sizes[rank].incoming += bytes_of(s, job, n);
  }
  messages_.open(s, sizes, space_, number);
  std::map<int, char*> at;
  for (const auto& [rank, size] : sizes)
    if (size.outgoing) at[rank] = messages_.packed(rank);
  if (!at.empty())
    each_batch(s, [&](std::span<const Job> jobs, Carrier& carrier) {
      const Transfer& t = *jobs.front().transfer;
      for (const auto& [rank, list] : t.pack) carrier.move(list, parts(s, jobs, t.outgoing.at(rank), at.at(rank)));
    });
  messages_.send(s);
  each_batch(s, [&](std::span<const Job> jobs, Carrier& carrier) {
    const Transfer& t = *jobs.front().transfer;
    carrier.move(t.local), carrier.interpolate(t.interpolated), carrier.interpolate(t.lines, t.spots);
  });
}

void Moves::finish(Simulation& s, int routine) {
  messages_.wait();
  for (const Job& job : jobs_) {
    Moved moved;
    for (const auto& [rank, n] : job.transfer->outgoing)
      moved.to_processes += static_cast<std::int64_t>(bytes_of(s, job, n));
    s.traffic.add({routine, job.values.group, job.values.component}, moved);
  }
  std::map<int, char*> at;
  const bool late = std::ranges::any_of(jobs_, [](const Job& job) { return !job.transfer->incoming.empty(); });
  if (late)
    each_batch(s, [&](std::span<const Job> jobs, Carrier& carrier) {
      const Transfer& t = *jobs.front().transfer;
      carrier.move(t.local_last);
      for (const auto& [rank, list] : t.unpack) {
        char*& message = at.try_emplace(rank, nullptr).first->second;
        if (!message) message = const_cast<char*>(messages_.arrived(s, rank));
        carrier.move(list, parts(s, jobs, t.incoming.at(rank), message));
      }
      carrier.interpolate(t.interpolated_last), carrier.interpolate(t.lines_last, t.spots_last);
    });
  messages_.close();
}
}  // namespace Forest
