// The driver of one uniform level: decomposes it over MPI, fills ghost zones with one message a neighbour.
#include <cereus/thorn.hpp>
#include <mpi.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "exchange.hpp"

namespace UniGrid {
using namespace cereus;

void check(int code, const char* what) {
  if (code != MPI_SUCCESS) throw Failure(std::string("MPI failed: ") + what);
}

class UniGridDriver : public Driver {
 public:
  explicit UniGridDriver(const Parameters& p) : parameters_(p) {}
  ~UniGridDriver() override = default;

  int dimension() const override { return static_cast<int>(parameters_.integers("cells").size()); }

  Grid make_grid(int width, int rank, int size) override {
    Grid g;
    g.dim = dimension();
    rank_ = rank, size_ = size;
    const auto cells = parameters_.integers("cells");
    const auto lower = parameters_.reals("lower"), upper = parameters_.reals("upper");
    const auto periodic = parameters_.booleans("periodic");
    const auto axis_value = [&](const auto& list, int d) { return list.size() == 1 ? list[0] : list[d]; };
    for (const auto* name : {"lower", "upper", "periodic"}) {
      const auto n = parameters_[name].elements().size();
      if (n != 1 && static_cast<int>(n) < g.dim)
        throw Error(parameters_.where(name), std::string("UniGrid.") + name + " needs one value, or one for each axis of UniGrid.cells");
    }
    Level l;
    l.domain.hi = {1, 1, 1};
    for (int d = 0; d < g.dim; ++d) {
      g.ghosts[d] = width;
      l.domain.hi[d] = static_cast<int>(cells[d]);
      l.periodic[d] = axis_value(periodic, d);
      l.lower[d] = axis_value(lower, d);
      if (!(axis_value(upper, d) > l.lower[d]))
        throw Error(parameters_.where("upper"), "UniGrid.upper must be greater than UniGrid.lower along each axis");
      l.spacing[d] = (axis_value(upper, d) - l.lower[d]) / static_cast<double>(cells[d]);
    }
    const int blocks = static_cast<int>(parameters_.integer("blocks")) * size;
    try {
      boxes_ = decompose(l.domain, g.dim, blocks, size, width, parameters_.boolean("uneven"));
    } catch (const std::runtime_error& e) {
      throw Error(parameters_.where("cells"), std::string("UniGrid.cells: on ") + std::to_string(blocks) + " blocks " + e.what() +
                                                  "; take more cells, or fewer processes or blocks");
    }
    for (int b = 0; b < static_cast<int>(boxes_.size()); ++b)
      if (boxes_[b].owner == rank) l.blocks.push_back({0, 0, b, boxes_[b].cells});
    first_ = l.blocks.empty() ? 0 : l.blocks.front().number;
    g.levels.push_back(l);
    plans_.clear();
    return g;
  }

  bool has_ghosts(const Grid& g) const override { return boxes_.size() > 1 || std::ranges::count(g.levels[0].periodic, 1); }

  void begin_sync(Simulation& s, int level, std::span<const Stale> stale) override {
    work_.clear();
    for (const auto& item : stale) {
      const auto& plan = plan_of(s, level, s.groups[item.group].centre, item.depth, item.corners);
      for (const auto& piece : plan) {
        const int from = boxes_[piece.source].owner, to = boxes_[piece.target].owner;
        if (from == rank_ || to == rank_) work_.push_back({&piece, item, level, from, to});
      }
    }
    start_messages(s);
    for (const auto& w : work_)
      if (w.from == rank_ && w.to == rank_) copy_within(s, w);
  }

  bool messages_under_way() const override { return !requests_.empty(); }

  std::int64_t finish_sync(Simulation& s) override {
    check(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE), "waiting for ghost zones");
    requests_.clear();
    std::map<int, std::size_t> position;
    for (const auto& w : work_)
      if (w.to == rank_ && w.from != rank_)
        position[w.from] += rows(s, w, receive_[w.from].data() + position[w.from], false);
    std::int64_t bytes = 0;
    for (auto& [rank, buffer] : send_) bytes += static_cast<std::int64_t>(buffer.size());
    return bytes;
  }

  void combine_over_processes(void* value, std::size_t bytes, void (*combine)(void*, const void*)) override {
    if (size_ == 1) return;
    std::vector<char> all(bytes * static_cast<std::size_t>(size_));
    check(MPI_Allgather(value, static_cast<int>(bytes), MPI_BYTE, all.data(), static_cast<int>(bytes), MPI_BYTE, comm()), "combining");
    std::memcpy(value, all.data(), bytes);
    for (int r = 1; r < size_; ++r) combine(value, all.data() + static_cast<std::size_t>(r) * bytes);
  }

  std::vector<std::vector<char>> gather(std::span<const char> mine) override {
    if (size_ == 1) return {std::vector<char>(mine.begin(), mine.end())};
    constexpr std::size_t piece = std::size_t{1} << 30;  // MPI counts are ints
    unsigned long long n = mine.size();
    std::vector<unsigned long long> sizes(static_cast<std::size_t>(size_));
    check(MPI_Gather(&n, 1, MPI_UNSIGNED_LONG_LONG, sizes.data(), 1, MPI_UNSIGNED_LONG_LONG, 0, comm()), "gathering sizes");
    std::vector<std::vector<char>> all;
    if (rank_ != 0) {
      for (std::size_t at = 0; at < mine.size(); at += piece)
        check(MPI_Send(mine.data() + at, static_cast<int>(std::min(piece, mine.size() - at)), MPI_BYTE, 0, 7, comm()), "gathering");
      return all;
    }
    all.emplace_back(mine.begin(), mine.end());
    for (int r = 1; r < size_; ++r) {
      all.emplace_back(sizes[static_cast<std::size_t>(r)]);
      auto& to = all.back();
      for (std::size_t at = 0; at < to.size(); at += piece)
        check(MPI_Recv(to.data() + at, static_cast<int>(std::min(piece, to.size() - at)), MPI_BYTE, r, 7, comm(), MPI_STATUS_IGNORE), "gathering");
    }
    return all;
  }

 private:
  struct Work {
    const Piece* piece;
    Stale item;
    int level, from, to;
  };
  using PlanKey = std::tuple<int, std::array<Centre, 3>, int, bool>;

  MPI_Comm comm() {
    if (comm_ == MPI_COMM_NULL) check(MPI_Comm_dup(MPI_COMM_WORLD, &comm_), "duplicating the communicator");
    return comm_;
  }
  const std::vector<Piece>& plan_of(const Simulation& s, int level, const std::array<Centre, 3>& centre, int depth, bool corners) {
    const PlanKey key{level, centre, depth, corners};
    const auto it = plans_.find(key);
    if (it != plans_.end()) return it->second;
    return plans_[key] = ghost_pieces(s.grid, s.grid.levels[level], boxes_, centre, depth, corners);
  }
  static std::size_t bytes_of(const Simulation& s, const Work& w) {
    return static_cast<std::size_t>(w.piece->to.points()) * size_of(s.type(w.item.group));
  }

  void start_messages(Simulation& s) {
    for (auto& [rank, buffer] : send_) buffer.clear();
    std::map<int, std::size_t> incoming, outgoing;
    for (const auto& w : work_) {
      if (w.from == rank_ && w.to != rank_) outgoing[w.to] += bytes_of(s, w);
      if (w.to == rank_ && w.from != rank_) incoming[w.from] += bytes_of(s, w);
    }
    for (const auto& [rank, bytes] : incoming) {
      receive_[rank].resize(bytes);
      requests_.emplace_back();
      check(MPI_Irecv(receive_[rank].data(), static_cast<int>(bytes), MPI_BYTE, rank, 1, comm(), &requests_.back()), "receiving");
    }
    for (const auto& [rank, bytes] : outgoing) send_[rank].resize(bytes);
    std::map<int, std::size_t> position;
    for (const auto& w : work_)
      if (w.from == rank_ && w.to != rank_) position[w.to] += rows(s, w, send_[w.to].data() + position[w.to], true);
    for (const auto& [rank, bytes] : outgoing) {
      requests_.emplace_back();
      check(MPI_Isend(send_[rank].data(), static_cast<int>(bytes), MPI_BYTE, rank, 1, comm(), &requests_.back()), "sending");
    }
  }

  // Copies a piece between a buffer and the source (pack) or target (unpack), row by row; returns its bytes.
  std::size_t rows(Simulation& s, const Work& w, char* buffer, bool pack) const {
    const int block = (pack ? w.piece->source : w.piece->target) - first_;
    Box box = w.piece->to;
    if (pack) for (int d = 0; d < 3; ++d) box.lo[d] -= w.piece->shift[d], box.hi[d] -= w.piece->shift[d];
    const auto& layout = s.fields.layout(w.level, block);
    char* base = s.fields.address(w.item.group, w.item.component, w.item.timelevel, w.level, block);
    const std::size_t size = size_of(s.type(w.item.group)), row = static_cast<std::size_t>(box.extent(0)) * size;
    char* at = buffer;
    for (int k = box.lo[2]; k < box.hi[2]; ++k)
      for (int j = box.lo[1]; j < box.hi[1]; ++j, at += row) {
        char* line = base + layout.at(box.lo[0], j, k) * static_cast<Offset>(size);
        if (pack) std::memcpy(at, line, row);
        else std::memcpy(line, at, row);
      }
    return static_cast<std::size_t>(at - buffer);
  }

  void copy_within(Simulation& s, const Work& w) const {
    const int from = w.piece->source - first_, to = w.piece->target - first_;
    const Box& box = w.piece->to;
    const auto &a = s.fields.layout(w.level, from), &b = s.fields.layout(w.level, to);
    const char* source = s.fields.address(w.item.group, w.item.component, w.item.timelevel, w.level, from);
    char* target = s.fields.address(w.item.group, w.item.component, w.item.timelevel, w.level, to);
    const auto size = static_cast<Offset>(size_of(s.type(w.item.group)));
    const auto& shift = w.piece->shift;
#pragma omp parallel for collapse(2) schedule(static) if (box.points() > 16384)
    for (int k = box.lo[2]; k < box.hi[2]; ++k)
      for (int j = box.lo[1]; j < box.hi[1]; ++j)
        std::memcpy(target + b.at(box.lo[0], j, k) * size, source + a.at(box.lo[0] - shift[0], j - shift[1], k - shift[2]) * size,
                    static_cast<std::size_t>(box.extent(0)) * static_cast<std::size_t>(size));
  }

  Parameters parameters_;
  int rank_ = 0, size_ = 1, first_ = 0;
  std::vector<OwnedBox> boxes_;
  std::map<PlanKey, std::vector<Piece>> plans_;  // rebuilt from the grid when needed
  std::vector<Work> work_;
  std::map<int, std::vector<char>> send_, receive_;
  std::vector<MPI_Request> requests_;
  MPI_Comm comm_ = MPI_COMM_NULL;
};

void declare(Declaration& d) {
  d.describe("Driver of one uniform level: decomposes it over processes and fills ghost zones");
  d.parameter("cells", {64, 64, 64}, at_least(1), "Number of cells along each axis; one, two or three numbers").length(1, 3);
  d.parameter("lower", {-1.0}, any(), "Lower corner of the domain; one number for all axes, or one an axis").length(1, 3);
  d.parameter("upper", {1.0}, any(), "Upper corner of the domain; one number for all axes, or one an axis").length(1, 3);
  d.parameter("periodic", std::vector<bool>{true}, any(), "Periodic axes; one value for all, or one an axis").length(1, 3);
  d.parameter("blocks", 1, at_least(1), "Blocks a process");
  d.parameter("uneven", false, any(), "Cut blocks of different sizes (for tests)");
  d.provides<Driver>([](const Parameters& p) { return std::make_shared<UniGridDriver>(p); });
}
void schedule(Schedule&, const Parameters&) {}
}  // namespace UniGrid
CEREUS_THORN(UniGrid, UniGrid::declare, UniGrid::schedule)
