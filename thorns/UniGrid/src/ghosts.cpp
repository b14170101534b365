// One exchange of ghost zones: its pieces are picked, packed, sent and unpacked; what kernels fill themselves; early
// sending.
#include "ghosts.hpp"

#include <algorithm>

namespace UniGrid {
using namespace cereus;
namespace {
std::size_t value_size(const Simulation& s, const Ghosts& g) { return size_of(s.type(g.group)); }
// The block of this process with a number among all blocks of the level.
int own_block(const Simulation& s, int level, int number) {
  const Level& l = s.grid.levels[level];
  return l.first_block + number - s.grid.blocks[l.first_block].number;
}
}  // namespace

GhostZones::GhostZones(std::vector<BlockIndex> blocks, MPI_Comm comm, std::string transport)
    : blocks_(std::move(blocks)),
      neighbours_(comm, std::move(transport)) {
  MPI_Comm_rank(comm, &rank_);
}
GhostZones::~GhostZones() = default;

void GhostZones::close() {
  early_ = nullptr;
  early_items_.clear();
  messages_.close();
}

// Connecting two devices takes milliseconds, so all links are made before the first step: for messages with all evolved
// variables or, if none evolves, with one variable of each group.
void GhostZones::prepare(Simulation& s) {
  std::vector<Ghosts> evolved, others;
  std::vector<int> ranks;
  const bool corners = s.services.find<StepTiles>() != nullptr;  // multi-step sweeps read them
  const int width = s.grid.ghosts[0];
  for (int l = 0; l < static_cast<int>(s.grid.levels.size()); ++l)
    for (int g = 0; g < static_cast<int>(s.groups.size()); ++g) {
      const Group& group = s.groups[g];
      if (group.kind != GroupKind::grid_function || s.fields.buffers(g) == 0 || group.variables.empty()) continue;
      for (const Piece& p : pieces_of(s, {g, 0, 0, l, width, true})) ranks.insert(ranks.end(), {p.from, p.to_rank});
      others.push_back({g, 0, 0, l, width, corners});
      for (int c = 0; group.rhs >= 0 && c < static_cast<int>(group.variables.size()); ++c)
        evolved.push_back({g, c, 0, l, width, corners});
    }
  std::ranges::sort(ranks);
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  std::erase(ranks, rank_);
  neighbours_.meet(ranks, kernel_space(s));
  GhostExchange first(*this, s, evolved.empty() ? others : evolved, kernel_space(s));
  const auto sizes = first.sizes(s);
  Messages& messages = first.messages();
  messages.meet(s, sizes);
  if (const std::string how = messages.say_how(s, sizes); !how.empty()) s.agreed["ghost zones"] = how;
  int direct = messages.direct(sizes);
  check(
      MPI_Allreduce(MPI_IN_PLACE, &direct, 1, MPI_INT, MPI_LAND, neighbours_.comm()), "asking how ghost zones travel");
  direct_ = direct;
}

const std::vector<Piece>& GhostZones::pieces_of(const Simulation& s, const Ghosts& g) {
  const auto& centre = s.groups[g.group].centre;
  const auto [place, fresh] = pieces_.try_emplace({g.level, centre, g.depth, g.corners, g.axes});
  if (fresh)
    place->second = ghost_pieces(
        s.grid.levels[g.level].space, s.grid.dim, blocks_[g.level], rank_, centre, g.depth, g.corners, g.axes);
  return place->second;
}

std::unique_ptr<cereus::Exchange> GhostZones::exchange(
    Simulation& s, std::span<const Ghosts> items, Space space, int routine) {
  ++asked_;
  auto exchange = take_early(s, items, space);
  if (exchange) exchange->claim(s, items);
  else {
    exchange = std::make_unique<GhostExchange>(*this, s, items, space);
    exchange->send(s, true);
  }
  exchange->for_routine(routine);
  return exchange;
}

// The exchange that was sent early, if its items are these; else it is received and forgotten.
std::unique_ptr<GhostExchange> GhostZones::take_early(Simulation& s, std::span<const Ghosts> items, Space space) {
  if (!early_) return nullptr;
  bool same = space == Space::device && items.size() == early_items_.size();
  for (std::size_t n = 0; same && n < items.size(); ++n) {
    const auto& [version, sent] = early_items_[n];
    same = sent.depth == items[n].depth && sent.corners == items[n].corners && sent.level == items[n].level &&
           sent.axes == items[n].axes && version == version_of(s, items[n], space);
  }
  credit_ = same ? most_credit : credit_ - 1;
  if (!same) early_->drop(s);
  early_items_.clear();
  auto early = std::move(early_);
  return same ? std::move(early) : nullptr;
}

void GhostZones::send_early(Simulation& s, std::span<const Ghosts> items) {
  if (early_ || !direct_) return;
  if (credit_ == 0) {
    if (++asleep_ < sleep) return;
    asleep_ = 0, credit_ = 1;
  }
  auto exchange = std::make_unique<GhostExchange>(*this, s, items, Space::device);
  exchange->send(s, false);
  for (const Ghosts& g : items) early_items_.emplace_back(version_of(s, g, Space::device), g);
  early_ = std::move(exchange);
}

// Kernels can write through across an axis only if each face there is shared as a whole by two
// blocks of one process, or by a block and its own periodic image.
GhostZones::Through GhostZones::find_through(const Simulation& s, const Ghosts& output) {
  Through t;
  const Level& l = s.grid.levels[output.level];
  const int width = s.grid.ghosts[0];
  t.layers_x = layers_across_x(s, output);
  t.piece.resize(static_cast<std::size_t>(l.last_block - l.first_block));
  int crossed = 0, barred = t.layers_x ? 0 : 1;  // bits: axes with ghost zones; axes across which kernels cannot
  for (const Piece& p : pieces_of(s, {output.group, output.component, 0, output.level, width, false})) {
    const int d = p.axis();
    crossed |= 1 << d;
    if (p.from != rank_) {
      barred |= 1 << d;
      continue;
    }
    const int block = own_block(s, output.level, p.source);
    const Box source = s.grid.points(s.grid.blocks[block], s.groups[output.group].centre);
    Box face = shift(source, p.shift);
    (p.direction[d] > 0 ? face.hi[d] : face.lo[d]) = p.direction[d] > 0 ? face.lo[d] + width : face.hi[d] - width;
    const Piece*& place = t.piece[static_cast<std::size_t>(block - l.first_block)][2 * d + (p.direction[d] < 0)];
    if (place || !(p.to == face) || source.extent(d) < 2 * (d == 0 ? t.layers_x : width) || p.to_rank != rank_)
      barred |= 1 << d;
    place = &p;
  }
  int all[2] = {crossed, barred};
  check(MPI_Allreduce(MPI_IN_PLACE, all, 2, MPI_INT, MPI_BOR, neighbours_.comm()),
      "asking where ghost zones can be pushed");
  t.crossed = static_cast<std::uint8_t>(all[0]);
  t.axes = static_cast<std::uint8_t>(all[0] & ~all[1]);
  return t;
}

GhostZones::Through& GhostZones::through(const Simulation& s, const Ghosts& output) {
  const std::tuple key{output.level, s.groups[output.group].centre, value_size(s, output)};
  auto found = through_.find(key);
  if (found == through_.end()) found = through_.emplace(key, find_through(s, output)).first;
  return found->second;
}

Driver::WriteThrough GhostZones::write_through(
    const Simulation& s, std::span<const Ghosts> outputs, unsigned possible, Space space) {
  const auto& centre = s.groups[outputs[0].group].centre;
  if (std::ranges::any_of(outputs, [&](const Ghosts& o) { return s.groups[o.group].centre != centre; })) return {};
  Through& t = through(s, outputs[0]);
  Driver::WriteThrough w;
  const unsigned axes = t.axes & possible;
  if (!axes) return {};
  auto& ghosts = t.ghosts[axes];
  if (ghosts.empty())
    for (std::size_t b = 0; b < t.piece.size(); ++b) {
      auto& faces = ghosts.emplace_back();
      for (std::size_t f = 0; f < 6; ++f) {
        const Piece* p = t.piece[b][f];
        faces[f] = BlockLaunch::nowhere;
        if (!p || !(axes >> p->axis() & 1)) continue;
        const int target = own_block(s, outputs[0].level, p->target);
        const Index& first = s.fields.layout(own_block(s, outputs[0].level, p->source)).first;
        faces[f] = s.fields.offset(target) +
                   s.fields.layout(target).at(first[0] + p->shift[0], first[1] + p->shift[1], first[2] + p->shift[2]);
      }
    }
  w.axes = static_cast<std::uint8_t>(axes);
  w.all = !(t.crossed & ~axes);
  w.ghosts = ghosts;
  for (int d = 0; d < s.grid.dim; ++d)
    if (axes >> d & 1) w.layers[d] = d == 0 ? t.layers_x : s.grid.ghosts[d];
  filled_.note(s, outputs, space, axes);
  return w;
}

GhostExchange::GhostExchange(GhostZones& zones, Simulation& s, std::span<const Ghosts> items, Space space)
    : zones_(zones),
      items_(items.begin(), items.end()),
      space_(space),
      messages_(&zones.messages_.take()) {
  for (const Ghosts& g : items_) sizes_.push_back(value_size(s, g));
  for (std::size_t n = 0; n < items_.size(); ++n)
    for (const Piece& p : zones_.pieces_of(s, items_[n]))
      if (p.axis() < 0 || !(zones_.filled_.axes(s, items_[n], space_) >> p.axis() & 1))
        work_.push_back({&p, n, p.from, p.to_rank});
  arriving_.assign(s.grid.blocks.size(), 0);
}

GhostExchange::~GhostExchange() { zones_.messages_.give_back(*messages_); }

std::size_t GhostExchange::bytes_of(const Work& w) const {
  return static_cast<std::size_t>(aligned_bytes(w.piece->to, sizes_[w.item]));
}

std::map<int, Bytes> GhostExchange::sizes(const Simulation&) const {
  const int me = zones_.rank_;
  std::map<int, Bytes> sizes;
  for (const Work& w : work_) {
    if (w.from == me && w.to != me) sizes[w.to].outgoing += bytes_of(w);
    if (w.to == me && w.from != me) sizes[w.from].incoming += bytes_of(w);
  }
  return sizes;
}

// The copy of a piece: from block to block, from a block into a message (packed), or from a message to a block.
CopyPiece GhostExchange::copy_of(const Simulation& s, const Work& w, const char* message_from, char* message_to) const {
  const Ghosts& item = items_[w.item];
  const Box& box = w.piece->to;
  const auto& shift = w.piece->shift;
  const auto size = static_cast<Offset>(sizes_[w.item]);
  const auto place = [&](int number, Index at, Offset* stride) {
    const int block = own_block(s, item.level, number);
    const auto& layout = s.fields.layout(block);
    stride[0] = layout.stride[1], stride[1] = layout.stride[2];
    return s.fields.address(item.group, item.component, item.timelevel, block, space_) +
           layout.at(at[0], at[1], at[2]) * size;
  };
  const Offset row = box.extent(0), plane = row * box.extent(1);
  CopyPiece c{message_from, message_to, {row, plane}, {row, plane}, {box.extent(0), box.extent(1), box.extent(2)},
      static_cast<int>(size)};
  if (!message_from)
    c.from = place(w.piece->source, {box.lo[0] - shift[0], box.lo[1] - shift[1], box.lo[2] - shift[2]}, c.from_stride);
  if (!message_to) c.to = place(w.piece->target, box.lo, c.to_stride);
  return c;
}

void GhostExchange::copy(Simulation& s, std::span<const CopyPiece> pieces) const {
  if (pieces.empty()) return;
  if (space_ == Space::host) copy_on_host(pieces);
  else s.services.get<Device>().copy(space_, space_, pieces);
}

void GhostExchange::send(Simulation& s, bool with_local) {
  const int me = zones_.rank_;
  messages_->open(s, sizes(s), space_, zones_.asked_ + !with_local);
  std::vector<CopyPiece> pieces;
  std::map<int, char*> place;  // in the message to each rank
  for (const Work& w : work_) {
    if (w.from != me || w.to == me) continue;
    char*& to = place.try_emplace(w.to, nullptr).first->second;
    if (!to) to = messages_->packed(w.to);
    pieces.push_back(copy_of(s, w, nullptr, to));
    to += bytes_of(w);
  }
  for (const Work& w : work_)  // copies within this process
    if (with_local && w.from == me && w.to == me) pieces.push_back(copy_of(s, w, nullptr, nullptr));
  copy(s, pieces);
  messages_->send(s);
  note_arriving(s);
}

// Faces first.
void GhostExchange::note_arriving(const Simulation& s) {
  for (const bool edges : {false, true})
    for (const Work& w : work_) {
      if (w.to != zones_.rank_ || w.from == zones_.rank_ || (w.piece->axis() < 0) != edges) continue;
      const int block = own_block(s, items_[w.item].level, w.piece->target);
      exchange::note_arriving(arriving_[static_cast<std::size_t>(block)], w.piece->direction);
    }
}

void GhostExchange::claim(Simulation& s, std::span<const Ghosts> items) {
  early_ = true;
  items_.assign(items.begin(), items.end());  // the same variables, at the timelevels that they have now
  std::vector<CopyPiece> local;
  for (const Work& w : work_)
    if (w.from == zones_.rank_ && w.to == zones_.rank_) local.push_back(copy_of(s, w, nullptr, nullptr));
  copy(s, local);
  s.services.get<Device>().fork(true);
}

void GhostExchange::drop(Simulation& s) {
  messages_->wait();
  for (const auto& [rank, bytes] : sizes(s))
    if (bytes.incoming > 0) messages_->arrived(s, rank);
  messages_->close();
}

std::uint8_t GhostExchange::arriving(int block) const { return arriving_[static_cast<std::size_t>(block)]; }

void GhostExchange::finish(Simulation& s) {
  const int me = zones_.rank_;
  messages_->wait();
  std::vector<CopyPiece> unpack;
  std::vector<Moved> moved(items_.size());
  std::map<int, const char*> place;  // in the message of each rank
  for (const Work& w : work_) {
    const auto bytes = static_cast<std::int64_t>(bytes_of(w));
    if (w.from == me && w.to != me)
      moved[w.item] += {messages_->through_host(w.to) ? bytes : 0, 0, bytes, early_ ? bytes : 0};
    if (w.to != me || w.from == me) continue;
    const char*& from = place.try_emplace(w.from, nullptr).first->second;
    if (!from) from = messages_->arrived(s, w.from);
    unpack.push_back(copy_of(s, w, from, nullptr));
    from += bytes;
    if (messages_->through_host(w.from)) moved[w.item].to_device += bytes;
  }
  copy(s, unpack);
  if (early_) s.services.get<Device>().catch_up();
  messages_->close();
  for (std::size_t n = 0; n < items_.size(); ++n)
    s.traffic.add({routine_, items_[n].group, items_[n].component}, moved[n]);
}

void GhostExchange::finish_around(Simulation& s, const Around& a) {
  auto* device = space_ == Space::device && messages_->under_way() ? &s.services.get<Device>() : nullptr;
  if (!device) return Exchange::finish_around(s, a);
  const auto fill = [&] {
    finish(s);
    a.filled();
  };
  // What was sent early is unpacked beside the update before. `rest` then starts, and `inside` a moment later.
  const bool first = early_ && a.rest_first;
  if (!early_) device->fork();  // the side, which waits for messages, runs beside `inside`
  if (first) {
    device->begin_side();
    fill();
    device->end_side();
  }
  a.inside();
  device->begin_side();
  if (!first) fill();
  a.rest();
  if (!a.next.empty()) zones_.send_early(s, a.next);
  device->end_side();
}
}  // namespace UniGrid
