// The driver of one uniform level: decomposes it over MPI, fills ghost zones with one message a neighbour.
#include <cereus/console.hpp>
#include <cereus/thorn.hpp>
#include <mpi.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "exchange.hpp"
#include "push.hpp"

namespace UniGrid {
using namespace cereus;

void check(int code, const char* what) {
  if (code != MPI_SUCCESS) throw Failure(std::string("MPI failed: ") + what);
}

class UniGridDriver : public Driver {
 public:
  explicit UniGridDriver(const Parameters& p) : parameters_(p) {}
  ~UniGridDriver() override {
    int over = 0;
    MPI_Finalized(&over);
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
    pusher_ = nullptr;
    return g;
  }

  bool has_ghosts(const Grid& g) const override { return boxes_.size() > 1 || std::ranges::count(g.levels[0].periodic, 1); }

  void begin_sync(Simulation& s, int level, std::span<const Stale> stale, Space space) override {
    space_ = space;
    work_.clear();
    moved_.assign(stale.size(), {});
    for (std::size_t n = 0; n < stale.size(); ++n)
      for (const auto& piece : plan_of(s, level, stale[n])) {
        if (has_already(stale[n], piece)) continue;
        const int from = boxes_[piece.source].owner, to = boxes_[piece.target].owner;
        if (from == rank_ || to == rank_) work_.push_back({&piece, stale[n], n, level, from, to});
      }
    start_messages(s);
  }

  std::uint8_t faces_under_way(const Simulation& s, int level, int block) const override {
    if (requests_.empty()) return 0;
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
    check(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE), "waiting for ghost zones");
    requests_.clear();
    std::vector<CopyPiece> unpack;
    for (auto& [rank, m] : messages_) {
      const char* from = m.incoming == 0 ? nullptr : linked(m) ? m.link->received() : buffer(m, false);
      if (space_ == Space::device && m.incoming > 0 && !linked(m))
        copy(s, Space::host, Space::device, {{flat(m.receive.data(), m.device_receive.get(), m.incoming)}});
      std::size_t at = 0;
      for (const auto& w : work_)
        if (w.to == rank_ && w.from == rank) {
          unpack.push_back(piece_of(s, w, from + at, nullptr));
          at += bytes_of(s, w);
          if (staged(m)) moved_[w.number].to_device += static_cast<std::int64_t>(bytes_of(s, w));
        }
    }
    copy(s, space_, space_, unpack);
    for (auto& [rank, m] : messages_) {
      if (linked(m) && m.incoming > 0) m.link->done();
      m.incoming = m.outgoing = 0;
    }
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
    std::size_t number;  // of the item
    int level, from, to;
  };
  using PlanKey = std::tuple<int, std::array<Centre, 3>, int, bool>;

  MPI_Comm comm() {
    if (comm_ == MPI_COMM_NULL) check(MPI_Comm_dup(MPI_Comm_f2c(process_.communicator()), &comm_), "duplicating the communicator");
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
  // One message to and one from another process; a device packs into memory of its own, and the host sends it on.
  struct Message {
    std::size_t incoming = 0, outgoing = 0;
    std::vector<char> send, receive;
    std::shared_ptr<char> device_send, device_receive;
    std::size_t device_send_size = 0, device_receive_size = 0;
    std::unique_ptr<Link> link;  // from device to device
    std::size_t link_size = 0;
    char said = 1, heard = 0;    // "I have packed", all that travels by MPI beside a link
  };
  // One that goes one way only has no answer to say that it was read.
  bool linked(const Message& m) const { return space_ == Space::device && m.link && m.incoming > 0 && m.outgoing > 0; }
  bool staged(const Message& m) const { return space_ == Space::device && !linked(m); }  // through the host
  // Pieces begin where any scalar type may.
  static std::size_t aligned(std::size_t bytes) { return (bytes + 15) / 16 * 16; }
  static std::size_t bytes_of(const Simulation& s, const Piece& piece, const Stale& item) {
    return aligned(static_cast<std::size_t>(piece.to.points()) * size_of(s.type(item.group)));
  }
  static std::size_t bytes_of(const Simulation& s, const Work& w) { return bytes_of(s, *w.piece, w.item); }
  // Both sides know the sizes of both messages, so both come here at the same time.
  void make_link(Simulation& s, int rank, Message& m) {
    const std::size_t size = std::max(m.incoming, m.outgoing);
    if (size <= m.link_size || !on_this_host(rank) || parameters_.string("transport") == "staged") return;
    m.link_size = 2 * size;
    s.services.get<Device>().wait();  // nobody reads the old one any more, once the other side has waited too
    int mine = 0, theirs = 0;
    check(MPI_Sendrecv(&mine, 1, MPI_INT, rank, 2, &theirs, 1, MPI_INT, rank, 2, comm(), MPI_STATUS_IGNORE), "meeting");
    m.link = s.services.get<Device>().make_link(m.link_size);
    std::string card(Link::card_size, '\0'), other(Link::card_size, '\0');
    if (m.link) card.replace(0, m.link->card().size(), m.link->card());
    check(MPI_Sendrecv(card.data(), Link::card_size, MPI_BYTE, rank, 2, other.data(), Link::card_size, MPI_BYTE, rank, 2, comm(), MPI_STATUS_IGNORE), "meeting");
    mine = m.link && m.link->meet(other);
    check(MPI_Sendrecv(&mine, 1, MPI_INT, rank, 2, &theirs, 1, MPI_INT, rank, 2, comm(), MPI_STATUS_IGNORE), "meeting");
    if (!mine || !theirs) m.link = nullptr, m.link_size = std::numeric_limits<std::size_t>::max();  // and never again
    if (rank_ == 0 && !announced_)
      console::say(m.link ? "ghost zones go from device to device" : "ghost zones go through the host: the devices cannot read each other's memory");
    announced_ = true;
  }
  bool on_this_host(int rank) {
    if (host_.empty()) {
      host_.resize(static_cast<std::size_t>(size_));
      MPI_Comm local;
      check(MPI_Comm_split_type(comm(), MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &local), "asking for the host");
      int first = rank_;  // the lowest rank here names the host
      check(MPI_Bcast(&first, 1, MPI_INT, 0, local), "asking for the host");
      check(MPI_Comm_free(&local), "asking for the host");
      check(MPI_Allgather(&first, 1, MPI_INT, host_.data(), 1, MPI_INT, comm()), "asking for the host");
    }
    return host_[rank] == host_[rank_];
  }
  char* buffer(Message& m, bool send) const {
    if (space_ == Space::device) return send ? m.device_send.get() : m.device_receive.get();
    return send ? m.send.data() : m.receive.data();
  }
  static void reserve(Simulation& s, std::shared_ptr<char>& memory, std::size_t& size, std::size_t bytes) {
    if (bytes <= size) return;
    s.services.get<Device>().wait();  // somebody may still read the old one
    memory = s.services.get<Device>().allocate(bytes, "messages of UniGrid");
    size = bytes;
  }
  // A run of bytes, cut into rows that ints can count.
  static CopyPiece flat(const char* from, char* to, std::size_t bytes) {
    constexpr int element = 16, row = 4096 / element;
    return {from, to, {row, 0}, {row, 0}, {row, static_cast<int>(whole_rows(bytes) / 4096), 1}, element};
  }
  static std::size_t whole_rows(std::size_t bytes) { return (bytes + 4095) / 4096 * 4096; }

  void copy(Simulation& s, Space from, Space to, std::span<const CopyPiece> pieces) const {
    if (pieces.empty()) return;
    if (from == Space::host && to == Space::host) copy_on_host(pieces);
    else s.services.get<Device>().copy(from, to, pieces);
  }

  void start_messages(Simulation& s) {
    for (const auto& w : work_) {
      if (w.from == rank_ && w.to != rank_) messages_[w.to].outgoing += bytes_of(s, w);
      if (w.to == rank_ && w.from != rank_) messages_[w.from].incoming += bytes_of(s, w);
    }
    std::vector<CopyPiece> pack;
    if (space_ == Space::device && size_ > 1) on_this_host(rank_);  // collective, so before any pair meets
    for (auto& [rank, m] : messages_) {
      if (space_ == Space::device) make_link(s, rank, m);
      if (!linked(m)) m.send.resize(whole_rows(m.outgoing)), m.receive.resize(whole_rows(m.incoming));
      if (space_ == Space::device && !linked(m)) {
        reserve(s, m.device_send, m.device_send_size, m.send.size());
        reserve(s, m.device_receive, m.device_receive_size, m.receive.size());
      }
      if (m.incoming > 0) {
        requests_.emplace_back();
        char* to = linked(m) ? &m.heard : m.receive.data();
        check(MPI_Irecv(to, linked(m) ? 1 : static_cast<int>(m.incoming), MPI_BYTE, rank, 1, comm(), &requests_.back()), "receiving");
      }
      char* const to = m.outgoing == 0 ? nullptr : linked(m) ? m.link->send_buffer() : buffer(m, true);
      std::size_t at = 0;
      for (const auto& w : work_)
        if (w.from == rank_ && w.to == rank) {
          pack.push_back(piece_of(s, w, nullptr, to + at));
          at += bytes_of(s, w);
          const auto bytes = static_cast<std::int64_t>(bytes_of(s, w));
          moved_[w.number] += {staged(m) ? bytes : 0, 0, bytes};
        }
    }
    for (const auto& w : work_)  // what stays here goes along
      if (w.from == rank_ && w.to == rank_) pack.push_back(piece_of(s, w, nullptr, nullptr));
    copy(s, space_, space_, pack);
    if (space_ == Space::device && !requests_.empty()) s.services.get<Device>().fork();
    for (auto& [rank, m] : messages_) {
      if (m.outgoing == 0) continue;
      if (linked(m)) m.link->sent();
      else if (space_ == Space::device) copy(s, Space::device, Space::host, {{flat(m.device_send.get(), m.send.data(), m.outgoing)}});
      requests_.emplace_back();
      const char* from = linked(m) ? &m.said : m.send.data();
      check(MPI_Isend(from, linked(m) ? 1 : static_cast<int>(m.outgoing), MPI_BYTE, rank, 1, comm(), &requests_.back()), "sending");
    }
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
    CopyPiece c{message_from, message_to, {row, plane}, {row, plane}, {box.extent(0), box.extent(1), box.extent(2)}, static_cast<int>(size)};
    if (!message_from) c.from = place(w.piece->source, {box.lo[0] - shift[0], box.lo[1] - shift[1], box.lo[2] - shift[2]}, c.from_stride);
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
  std::map<int, Message> messages_;
  Space space_ = Space::host;
  std::vector<int> host_;  // of each rank
  bool announced_ = false;
  std::unique_ptr<Pusher> pusher_;
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
  d.parameter("transport", "auto", one_of({{"auto", "from device to device where they can read each other's memory"},
                                           {"staged", "through the host"}}), "How ghost zones travel between devices of two processes");
  d.provides<Driver>([](const Parameters& p) { return std::make_shared<UniGridDriver>(p); });
}
void schedule(Schedule&, const Parameters&) {}
}  // namespace UniGrid
CEREUS_THORN(UniGrid, UniGrid::declare, UniGrid::schedule)
