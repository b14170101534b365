// Decides along which axes kernels can fill ghost zones, tells them where those lie, and keeps devices from running ahead.
#include "push.hpp"

#include <cereus/console.hpp>

#include <algorithm>
#include <cstring>

namespace UniGrid {
using namespace cereus;

Pusher::Pusher(MPI_Comm comm, const std::vector<OwnedBox>& boxes, bool reach_others)
    : comm_(comm), boxes_(boxes), may_reach_(reach_others) {
  MPI_Comm_rank(comm_, &rank_);
  first_ = static_cast<int>(std::find_if(boxes_.begin(), boxes_.end(), [&](const auto& b) { return b.owner == rank_; }) - boxes_.begin());
}

bool Pusher::agree(bool mine) const {
  int all = mine;
  MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_LAND, comm_);
  return all;
}

// Across an axis all faces must be shared by two blocks as a whole. Across x kernels want the same strides on both sides, and
// devices write sectors of 32 bytes, into padding if need be, so rows must be of whole vectors and pitched for it; others'
// memory would be written there in too small portions.
Pusher::Faces Pusher::find_faces(const Simulation& s, int level, int group, const std::vector<Piece>& pieces) const {
  Faces f;
  const int width = s.grid.ghosts[0], size = static_cast<int>(size_of(s.type(group))), sector = 32 / size;
  f.layers_x = (width + sector - 1) / sector * sector;
  f.of.resize(boxes_.size());
  const Level& l = s.grid.levels[level];
  std::uint8_t whole = 0, inside = 7;
  for (const auto& p : pieces) whole |= static_cast<std::uint8_t>(1 << p.axis());
  for (const auto& p : pieces) {
    const int d = p.axis();
    const auto bit = static_cast<std::uint8_t>(1 << d);
    const Box source = l.points(boxes_[p.source].cells, s.groups[group].centre, s.grid.dim);
    Box face = shift(source, p.shift);
    (p.direction[d] > 0 ? face.hi[d] : face.lo[d]) = p.direction[d] > 0 ? face.lo[d] + width : face.hi[d] - width;
    const Piece*& place = f.of[p.source][2 * d + (p.direction[d] < 0)];
    if (place || !(p.to == face) || source.extent(d) < 2 * (d == 0 ? f.layers_x : width)) whole &= static_cast<std::uint8_t>(~bit);
    if (boxes_[p.source].owner != boxes_[p.target].owner) inside &= static_cast<std::uint8_t>(~bit);
    place = &p;
  }
  bool x = inside & 1;
  const auto strides = [&](int block) { return s.fields.layout(level, block - first_).stride; };
  for (const auto& p : pieces)
    if (x && p.axis() == 0 && boxes_[p.source].owner == rank_) x = strides(p.source) == strides(p.target);
  for (int b = 0; b < static_cast<int>(l.blocks.size()); ++b) {
    const int n = l.blocks[b].cells.extent(0);
    x = x && n * size % 16 == 0 && s.fields.layout(level, b).stride[1] >= n + 2 * f.layers_x;
  }
  if (!agree(x)) whole &= 6;
  f.here = whole & inside, f.anywhere = whole;
  return f;
}

const Pusher::Faces& Pusher::faces_of(const Simulation& s, int level, int group, const std::vector<Piece>& pieces) {
  const std::tuple key{level, s.groups[group].centre, size_of(s.type(group))};
  auto found = faces_.find(key);
  if (found == faces_.end()) found = faces_.emplace(key, find_faces(s, level, group, pieces)).first;
  return found->second;
}

void Pusher::prepare(Simulation& s, int level, int group, const std::vector<Piece>& pieces) {
  if (s.grid.ghosts[0] == 0 || !meet(s, faces_of(s, level, group, pieces))) return;
  for (int t = 0; t < s.fields.buffers(group); ++t) places(s, level, group, t);
}

bool Pusher::meet(Simulation& s, const Faces& faces) {
  if (!(faces.anywhere & ~faces.here)) return false;  // nobody to meet
  if (peers_ || !may_reach_) return may_reach_;
  int size = 0;
  MPI_Comm_size(comm_, &size);
  MPI_Comm host;
  MPI_Comm_split_type(comm_, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &host);
  int here = 0;
  MPI_Comm_size(host, &here);
  MPI_Comm_free(&host);
  may_reach_ = agree(here == size);
  if (!may_reach_) return false;

  std::vector<std::map<int, int>> number(static_cast<std::size_t>(size));  // of ranks among the peers of each
  for (const auto& of_block : faces.of)
    for (const Piece* p : of_block)
      if (const int from = p ? boxes_[p->source].owner : 0, to = p ? boxes_[p->target].owner : 0; from != to) number[from][to] = number[to][from] = 0;
  for (auto& of_rank : number)
    for (int n = 0; auto& [rank, at] : of_rank) at = n++;
  number_ = number[rank_];
  auto peers = s.services.get<Device>().make_peers(static_cast<int>(number_.size()));
  std::string cards(static_cast<std::size_t>(size) * Link::card_size, '\0'), mine(Link::card_size, '\0');
  if (peers) mine.replace(0, peers->card().size(), peers->card());
  MPI_Allgather(mine.data(), Link::card_size, MPI_BYTE, cards.data(), Link::card_size, MPI_BYTE, comm_);
  may_reach_ = agree(peers != nullptr);
  std::vector<Peers::Other> others;
  for (const auto& [rank, n] : number_) others.push_back({cards.substr(static_cast<std::size_t>(rank) * Link::card_size, Link::card_size), number[rank][rank_]});
  may_reach_ = may_reach_ && agree(peers->meet(others));
  if (may_reach_) peers_ = std::move(peers);
  if (may_reach_ && rank_ == 0) console::say("kernels fill ghost zones on other devices");
  return may_reach_;
}

const std::vector<Pusher::Place>& Pusher::places(Simulation& s, int level, int group, int timelevel) {
  auto& places = places_[{level, group, s.fields.buffer(group, level, timelevel)}];
  if (!places.empty()) return places;
  struct Card {
    char place[128];
    Offset step;
    Index first;
    Offset row, plane;
  };
  std::vector<Card> mine, all(boxes_.size());
  for (int b = 0; b < static_cast<int>(s.grid.levels[level].blocks.size()); ++b) {
    const auto address = [&](int c) { return s.fields.address(group, c, timelevel, level, b, Space::device); };
    const Layout& l = s.fields.layout(level, b);
    Card& c = mine.emplace_back(Card{{}, s.groups[group].variables.size() > 1 ? address(1) - address(0) : 0, l.first, l.stride[1], l.stride[2]});
    const std::string place = peers_->place(address(0));
    std::memcpy(c.place, place.data(), std::min(place.size(), sizeof c.place));
  }
  s.services.get<Device>().wait();  // what was done to this memory before is done before others write there
  const int bytes = static_cast<int>(mine.size() * sizeof(Card));
  MPI_Allgather(mine.data(), bytes, MPI_BYTE, all.data(), bytes, MPI_BYTE, comm_);
  for (std::size_t b = 0; b < all.size(); ++b) {
    const Card& c = all[b];
    const auto peer = number_.find(boxes_[b].owner);
    char* address = peer == number_.end() ? nullptr : peers_->open({c.place, sizeof c.place});
    if (!address && peer != number_.end()) throw Failure("UniGrid: a device cannot open the memory of another, as it could before");
    places.push_back({address, c.step, c.first, c.row, c.plane});
  }
  return places;
}

GhostFace Pusher::face(Simulation& s, int level, const Driver::Stale& o, const Piece& p, Space space) {
  Place to;
  if (const int b = p.target - first_; boxes_[p.target].owner == rank_) {
    const Layout& l = s.fields.layout(level, b);
    to = {s.fields.address(o.group, o.component, o.timelevel, level, b, space), 0, l.first, l.stride[1], l.stride[2]};
  } else {
    to = places(s, level, o.group, o.timelevel)[static_cast<std::size_t>(p.target)];
    to.address += o.component * to.step;
  }
  const Index& from = s.fields.layout(level, p.source - first_).first;
  const Offset at = (from[0] + p.shift[0] - to.first[0]) + (from[1] + p.shift[1] - to.first[1]) * to.row + (from[2] + p.shift[2] - to.first[2]) * to.plane;
  return {to.address + at * static_cast<Offset>(size_of(s.type(o.group))), to.row, to.plane};
}

Driver::Push Pusher::begin(Simulation& s, int level, std::span<const Driver::Stale> outputs, const std::vector<Piece>& pieces,
                           int reach, bool alone, Space space) {
  const auto& centre = s.groups[outputs[0].group].centre;
  if (std::ranges::any_of(outputs, [&](const auto& o) { return s.groups[o.group].centre != centre; })) return {};
  const Faces& faces = faces_of(s, level, outputs[0].group, pieces);
  const bool others = space == Space::device && meet(s, faces);

  Driver::Push push;
  push.axes = others ? faces.anywhere : faces.here;
  if (!push.axes) return {};
  push.all = std::ranges::all_of(pieces, [&](const auto& p) { return push.axes >> p.axis() & 1; });
  for (int d = 0; d < s.grid.dim; ++d)
    if (push.axes >> d & 1) push.layers[d] = d == 0 ? faces.layers_x : s.grid.ghosts[d];
  const auto blocks = s.grid.levels[level].blocks.size();
  push.faces.resize(6 * outputs.size() * blocks);
  push.sent.resize(outputs.size());
  for (std::size_t b = 0; b < blocks; ++b)
    for (std::size_t o = 0; o < outputs.size(); ++o)
      for (std::size_t f = 0; f < 6; ++f) {
        const Piece* p = faces.of[static_cast<std::size_t>(first_) + b][f];
        if (!p || !(push.axes >> p->axis() & 1)) continue;
        push.faces[6 * (b * outputs.size() + o) + f] = face(s, level, outputs[o], *p, space);
        if (boxes_[p->target].owner != rank_)
          push.sent[o] += p->to.points() * static_cast<std::int64_t>(size_of(s.type(outputs[o].group)));
      }
  if (!others) return push;

  // Somebody else may have read what is overwritten now, since the last turn: then all devices catch up first.
  const auto used = [&](const auto& o) { return s.fields.validity(o.group, o.component, o.timelevel, level)[Space::device].ghosts_used == turn_; };
  if (std::ranges::any_of(outputs, used)) peers_->tell(++turn_), settle();
  if (alone) {
    push.handshake = peers_->handshake(++turn_);
    push.handshake.strip = std::max(reach, s.grid.ghosts[0]);
  } else {
    settle();
    told_at_end_ = true;
  }
  return push;
}

void Pusher::end() {
  if (told_at_end_) peers_->tell(++turn_);
  told_at_end_ = false;
}

std::uint32_t Pusher::settle() {
  if (settled_ != turn_) peers_->hear(settled_ = turn_);
  return turn_;
}
}  // namespace UniGrid
