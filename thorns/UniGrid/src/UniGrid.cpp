// The driver of one uniform level: decomposes it over MPI, fills ghost zones with one message a neighbour.
#include <mpi.h>
#include <cereus/console.hpp>
#include <cereus/thorn.hpp>

#include <algorithm>
#include <cstring>

#include "exchange.hpp"
#include "messages.hpp"
#include "push.hpp"

namespace UniGrid {
using namespace cereus;

class UniGridDriver : public Driver {
 public:
  explicit UniGridDriver(const Parameters& p) : parameters_(p) {}
  ~UniGridDriver() override {
    int over = 0;
    MPI_Finalized(&over);
    messages_ = nullptr;
    if (comm_ != MPI_COMM_NULL && !over) MPI_Comm_free(&comm_);
  }

  int dimension() const override { return static_cast<int>(parameters_.integers("cells").size()); }

  Grid make_grid(int width, const Process& process) override {
    Grid g;
    g.dim = dimension();
    process_ = process;
    const int rank = rank_ = process.rank(), size = size_ = process.size();
    const auto cells = parameters_.integers("cells");
    const auto lower = parameters_.reals("lower"), upper = parameters_.reals("upper");
    const auto periodic = parameters_.booleans("periodic");
    const auto axis_value = [&](const auto& list, int d) { return list.size() == 1 ? list[0] : list[d]; };
    for (const auto* name : {"lower", "upper", "periodic"}) {
      const auto n = parameters_[name].elements().size();
      if (n != 1 && static_cast<int>(n) != g.dim)
        throw Error(parameters_.where(name),
            std::string("UniGrid.") + name + " needs one value, or one for each axis of UniGrid.cells");
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
      boxes_ = decompose(l.domain, g.dim, l.periodic, blocks, size, width, parameters_.boolean("uneven"));
    } catch (const std::runtime_error& e) {
      throw Error(parameters_.where("cells"), std::string("UniGrid.cells: on ") + std::to_string(blocks) + " blocks " +
                                                  e.what() + "; take more cells, or fewer processes or blocks");
    }
    for (int b = 0; b < static_cast<int>(boxes_.size()); ++b)
      if (boxes_[b].owner == rank) l.blocks.push_back({0, 0, b, boxes_[b].cells});
    first_ = l.blocks.empty() ? 0 : l.blocks.front().number;
    g.levels.push_back(l);
    plans_.clear();
    pusher_ = nullptr;
    return g;
  }

  bool has_ghosts(const Grid& g) const override {
    return boxes_.size() > 1 || std::ranges::count(g.levels[0].periodic, 1);
  }

  // What devices need to reach each other's memory takes milliseconds.
  void prepare(Simulation& s) override {
    if (size_ == 1 || kernel_space(s) != Space::device) return;
    std::vector<Stale> evolved;
    for (const auto& g : s.groups)
      if (const int state = g.rhs_of.empty() ? -1 : s.group_number(g.rhs_of);
          state >= 0 && s.groups[state].kind == GroupKind::grid_function)
        for (int c = 0; c < static_cast<int>(s.groups[state].variables.size()); ++c)
          evolved.push_back({state, c, 0, s.grid.ghosts[0], false});
    make_messages();
    list_work(s, 0, evolved);
    messages_->meet(s, sizes_of_messages(s));
  }

  void begin_sync(Simulation& s, int level, std::span<const Stale> stale, Space space) override {
    make_messages();
    const bool sent = space == Space::device && is_under_way(s, level, stale);
    if (!ahead_.empty() && !sent) drop_ahead(s);
    credit_ = sent ? most_credit : ahead_.empty() ? credit_ : credit_ - 1;
    ahead_.clear();
    space_ = space;
    list_work(s, level, stale);
    moved_.assign(stale.size(), {});
    std::vector<CopyPiece> pieces;
    if (!sent) {
      messages_->open(s, sizes_of_messages(s), space_);
      pieces = pack(s);
    }
    for (const auto& w : work_)  // what stays here goes along
      if (w.from == rank_ && w.to == rank_) pieces.push_back(piece_of(s, w, nullptr, nullptr));
    copy(s, pieces);
    if (space == Space::device && messages_->under_way())
      s.services.get<Device>().fork(loose_ = sent);  // what is there is unpacked at once: decision 12
    if (!sent) messages_->send(s);
    count_sent(s, sent);
  }

  bool send_ahead(Simulation& s, int level, std::span<const Stale> items, Space space) override {
    if (space != Space::device) return false;
    if (credit_ == 0) {
      if (++asleep_ < sleep) return false;
      asleep_ = 0, credit_ = 1;
    }
    list_work(s, level, items);
    const auto sizes = sizes_of_messages(s);
    if (!messages_->all_direct(sizes, std::ranges::any_of(items, &Stale::corners))) return false;
    space_ = space;
    messages_->open(s, sizes, space_);
    copy(s, pack(s));
    messages_->send(s);
    for (const auto& i : items) ahead_.push_back(ahead_of(s, level, i, space));
    return true;
  }

  std::uint8_t faces_under_way(const Simulation& s, int level, int block) const override {
    if (!messages_ || !messages_->under_way()) return 0;
    std::uint8_t faces = 0;
    for (const auto& w : work_) {
      if (w.to != rank_ || w.from == rank_ || w.piece->target - first_ != block) continue;
      const Level& l = s.grid.levels[level];
      const Box owned = l.points(l.blocks[block].cells, s.groups[w.item.group].centre, s.grid.dim);
      for (int d = 0; d < s.grid.dim; ++d) {
        if (w.piece->to.lo[d] < owned.lo[d]) faces |= static_cast<std::uint8_t>(1 << (2 * d));
        if (w.piece->to.hi[d] > owned.hi[d]) faces |= static_cast<std::uint8_t>(2 << (2 * d));
      }
    }
    return faces;
  }

  std::span<const Moved> finish_sync(Simulation& s) override {
    messages_->wait();
    std::vector<CopyPiece> unpack;
    std::map<int, const char*> place;  // in the message of each rank
    for (const auto& w : work_) {
      if (w.to != rank_ || w.from == rank_) continue;
      const char*& from = place.try_emplace(w.from, nullptr).first->second;
      if (!from) from = messages_->arrived(s, w.from);
      unpack.push_back(piece_of(s, w, from, nullptr));
      from += bytes_of(s, w);
      if (messages_->through_host(w.from)) moved_[w.number].to_device += static_cast<std::int64_t>(bytes_of(s, w));
    }
    copy(s, unpack);
    if (std::exchange(loose_, false)) s.services.get<Device>().catch_up();
    messages_->close();
    return moved_;
  }

  Push push(Simulation& s, int level, std::span<const Stale> outputs, unsigned axes, Space space) override {
    if (!pusher_) pusher_ = std::make_unique<Pusher>(comm(), boxes_);
    const auto& stars = plan_of(s, level, {outputs[0].group, outputs[0].component, 0, s.grid.ghosts[0], false});
    return pusher_->push(s, level, outputs, stars, axes, space);
  }

  std::int64_t bytes_to_send(const Simulation& s, int level, const Stale& item) override {
    std::size_t bytes = 0;
    for (const auto& piece : plan_of(s, level, item))
      if (boxes_[piece.source].owner != boxes_[piece.target].owner) bytes += bytes_of(s, piece, item);
    return static_cast<std::int64_t>(bytes);
  }

  void combine_over_processes(void* value, std::size_t bytes, void (*combine)(void*, const void*)) override {
    if (size_ == 1) return;
    std::vector<char> all(bytes * static_cast<std::size_t>(size_));
    check(
        MPI_Allgather(value, static_cast<int>(bytes), MPI_BYTE, all.data(), static_cast<int>(bytes), MPI_BYTE, comm()),
        "combining");
    std::memcpy(value, all.data(), bytes);
    for (int r = 1; r < size_; ++r) combine(value, all.data() + static_cast<std::size_t>(r) * bytes);
  }

  std::vector<std::vector<char>> gather(std::span<const char> mine) override {
    if (size_ == 1) return {std::vector<char>(mine.begin(), mine.end())};
    constexpr std::size_t piece = std::size_t{1} << 30;  // MPI counts are ints
    unsigned long long n = mine.size();
    std::vector<unsigned long long> sizes(static_cast<std::size_t>(size_));
    check(MPI_Gather(&n, 1, MPI_UNSIGNED_LONG_LONG, sizes.data(), 1, MPI_UNSIGNED_LONG_LONG, 0, comm()),
        "gathering sizes");
    std::vector<std::vector<char>> all;
    if (rank_ != 0) {
      for (std::size_t at = 0; at < mine.size(); at += piece)
        check(MPI_Send(mine.data() + at, static_cast<int>(std::min(piece, mine.size() - at)), MPI_BYTE, 0, 7, comm()),
            "gathering");
      return all;
    }
    all.emplace_back(mine.begin(), mine.end());
    for (int r = 1; r < size_; ++r) {
      all.emplace_back(sizes[static_cast<std::size_t>(r)]);
      auto& to = all.back();
      for (std::size_t at = 0; at < to.size(); at += piece)
        check(MPI_Recv(to.data() + at, static_cast<int>(std::min(piece, to.size() - at)), MPI_BYTE, r, 7, comm(),
                  MPI_STATUS_IGNORE),
            "gathering");
    }
    return all;
  }

 private:
  struct Work {
    const Piece* piece;
    Stale item;
    std::size_t number;  // of the item
    int level, from, to;
  };
  using PlanKey = std::tuple<int, std::array<Centre, 3>, int, bool>;

  MPI_Comm comm() {
    if (comm_ == MPI_COMM_NULL)
      check(MPI_Comm_dup(MPI_Comm_f2c(process_.communicator()), &comm_), "duplicating the communicator");
    return comm_;
  }
  // Whoever wrote the points that a piece repeats has filled it as well.
  static bool has_already(const Stale& item, const Piece& p) { return p.axis() >= 0 && (item.pushed >> p.axis() & 1); }
  const std::vector<Piece>& plan_of(const Simulation& s, int level, const Stale& item) {
    const PlanKey key{level, s.groups[item.group].centre, item.depth, item.corners};
    const auto it = plans_.find(key);
    if (it != plans_.end()) return it->second;
    const auto& centre = s.groups[item.group].centre;
    return plans_[key] = ghost_pieces(s.grid, s.grid.levels[level], boxes_, centre, item.depth, item.corners);
  }
  // Pieces begin where any scalar type may.
  static std::size_t aligned(std::size_t bytes) { return (bytes + 15) / 16 * 16; }
  static std::size_t bytes_of(const Simulation& s, const Piece& piece, const Stale& item) {
    return aligned(static_cast<std::size_t>(piece.to.points()) * size_of(s.type(item.group)));
  }
  static std::size_t bytes_of(const Simulation& s, const Work& w) { return bytes_of(s, *w.piece, w.item); }

  void copy(Simulation& s, std::span<const CopyPiece> pieces) const {
    if (pieces.empty()) return;
    if (space_ == Space::host) copy_on_host(pieces);
    else s.services.get<Device>().copy(space_, space_, pieces);
  }
  void make_messages() {
    if (!messages_) messages_ = std::make_unique<Messages>(comm(), parameters_.string("transport"));
  }

  // Everything that an exchange copies, on this process or between it and others.
  void list_work(const Simulation& s, int level, std::span<const Stale> items) {
    work_.clear();
    for (std::size_t n = 0; n < items.size(); ++n)
      for (const auto& piece : plan_of(s, level, items[n])) {
        if (has_already(items[n], piece)) continue;
        const int from = boxes_[piece.source].owner, to = boxes_[piece.target].owner;
        if (from == rank_ || to == rank_) work_.push_back({&piece, items[n], n, level, from, to});
      }
  }
  std::map<int, Messages::Bytes> sizes_of_messages(const Simulation& s) const {
    std::map<int, Messages::Bytes> sizes;
    for (const auto& w : work_) {
      if (w.from == rank_ && w.to != rank_) sizes[w.to].outgoing += bytes_of(s, w);
      if (w.to == rank_ && w.from != rank_) sizes[w.from].incoming += bytes_of(s, w);
    }
    return sizes;
  }
  std::vector<CopyPiece> pack(const Simulation& s) {
    std::vector<CopyPiece> pieces;
    std::map<int, char*> place;  // in the message to each rank
    for (const auto& w : work_) {
      if (w.from != rank_ || w.to == rank_) continue;
      char*& to = place.try_emplace(w.to, nullptr).first->second;
      if (!to) to = messages_->packed(w.to);
      pieces.push_back(piece_of(s, w, nullptr, to));
      to += bytes_of(s, w);
    }
    return pieces;
  }
  void count_sent(const Simulation& s, bool ahead) {
    for (const auto& w : work_)
      if (w.from == rank_ && w.to != rank_) {
        const auto bytes = static_cast<std::int64_t>(bytes_of(s, w));
        moved_[w.number] += {messages_->through_host(w.to) ? bytes : 0, 0, bytes, ahead ? bytes : 0};
      }
  }

  // What was sent ahead: its exchange is under way, and good for nothing but that.
  struct Ahead {
    const char* place;
    int depth;
    bool corners;
    bool operator==(const Ahead&) const = default;
  };
  static Ahead ahead_of(const Simulation& s, int level, const Stale& item, Space space) {
    return {s.fields.address(item.group, item.component, item.timelevel, level, 0, space), item.depth, item.corners};
  }
  bool is_under_way(const Simulation& s, int level, std::span<const Stale> items) const {
    if (ahead_.size() != items.size()) return false;
    for (std::size_t n = 0; n < items.size(); ++n)
      if (!items[n].sent || !(ahead_of(s, level, items[n], space_) == ahead_[n])) return false;
    return true;
  }
  void drop_ahead(Simulation& s) {
    messages_->wait();
    for (int rank = 0; rank < size_; ++rank)
      if (messages_->comes_from(rank)) messages_->arrived(s, rank);
    messages_->close();
  }

  // From block to block; or to a message (packed), or from one.
  CopyPiece piece_of(const Simulation& s, const Work& w, const char* message_from, char* message_to) const {
    const Box& box = w.piece->to;
    const auto& shift = w.piece->shift;
    const auto size = static_cast<Offset>(size_of(s.type(w.item.group)));
    const auto place = [&](int block, Index at, Offset* stride) {
      const auto& layout = s.fields.layout(w.level, block - first_);
      stride[0] = layout.stride[1], stride[1] = layout.stride[2];
      return s.fields.address(w.item.group, w.item.component, w.item.timelevel, w.level, block - first_, space_) +
             layout.at(at[0], at[1], at[2]) * size;
    };
    const Offset row = box.extent(0), plane = row * box.extent(1);
    CopyPiece c{message_from, message_to, {row, plane}, {row, plane}, {box.extent(0), box.extent(1), box.extent(2)},
        static_cast<int>(size)};
    if (!message_from)
      c.from =
          place(w.piece->source, {box.lo[0] - shift[0], box.lo[1] - shift[1], box.lo[2] - shift[2]}, c.from_stride);
    if (!message_to) c.to = place(w.piece->target, box.lo, c.to_stride);
    return c;
  }

  Parameters parameters_;
  Process process_;
  int rank_ = 0, size_ = 1, first_ = 0;
  std::vector<OwnedBox> boxes_;
  std::map<PlanKey, std::vector<Piece>> plans_;  // rebuilt from the grid when needed
  std::vector<Work> work_;
  std::vector<Moved> moved_;  // of each item of work_
  std::vector<Ahead> ahead_;
  // Where what is sent ahead is of no use again and again (two systems that take turns) nothing is for a while.
  static constexpr int most_credit = 3, sleep = 64;
  int credit_ = most_credit, asleep_ = 0;
  bool loose_ = false;  // the fork of the exchange under way
  Space space_ = Space::host;
  std::unique_ptr<Pusher> pusher_;
  std::unique_ptr<Messages> messages_;
  MPI_Comm comm_ = MPI_COMM_NULL;
};

void declare(Declaration& d) {
  d.describe("Driver of one uniform level: decomposes it over processes and fills ghost zones");
  d.parameter("cells", {64, 64, 64}, at_least(1), "Number of cells along each axis; one, two or three numbers")
      .length(1, 3);
  d.parameter("lower", {-1.0}, any(), "Lower corner of the domain; one number for all axes, or one an axis")
      .length(1, 3);
  d.parameter("upper", {1.0}, any(), "Upper corner of the domain; one number for all axes, or one an axis")
      .length(1, 3);
  d.parameter("periodic", std::vector<bool>{true}, any(), "Periodic axes; one value for all, or one an axis")
      .length(1, 3);
  d.parameter("blocks", 1, at_least(1), "Blocks a process");
  d.parameter("uneven", false, any(), "Cut blocks of different sizes (for tests)");
  d.parameter("transport", "auto",
      one_of({{"auto", "ipc between devices of a host, else nccl, where these are possible; else staged"},
          {"ipc", "the devices read each other's memory"}, {"nccl", "by NCCL, which is looked for when the run starts"},
          {"staged", "through the host, by MPI"}}),
      "How ghost zones travel between devices of two processes");
  d.provides<Driver>([](const Parameters& p) { return std::make_shared<UniGridDriver>(p); });
}
void schedule(Schedule&, const Parameters&) {}
}  // namespace UniGrid
CEREUS_THORN(UniGrid, UniGrid::declare, UniGrid::schedule)
