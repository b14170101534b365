#include "neighbours.hpp"

#include <Exchange/pieces.hpp>
#include <algorithm>
#include <ranges>
#include <set>
#include <sstream>

#include "arguments.hpp"
namespace CaKernel {
namespace {
bool changes(const StepProgram::Field& f) { return f.kind != StepProgram::Field::constant; }
const StepProgram::Field& first_of(const StepProgram& p) { return *std::ranges::find_if(p.fields, changes); }
char* slab_in(const Simulation& s, const StepProgram::Field& f, int buffer) {
  return s.fields.slab(f.group, f.component, buffer, 0, Space::device);
}
// What one list of pushes can be made for: fields with the same points, in rows of whole vectors.
bool may_push(const Simulation& s, const StepProgram& p) {
  const auto* device = s.services.find<Device>();
  return device && !device->architecture().empty() && s.process.local_size() == s.process.size() && !p.program.ragged &&
         std::ranges::all_of(p.fields | std::views::filter(changes),
             [&](const auto& f) { return s.groups[f.group].centre == s.groups[first_of(p).group].centre; });
}
// A list in memory of the device, where it lies when this returns.
template <class T> std::shared_ptr<char> on_device(Device& device, const std::vector<T>& list, const char* what) {
  const auto bytes = static_cast<int>(sizeof(T) * list.size());
  auto memory = device.allocate(static_cast<std::size_t>(bytes), what);
  const CopyPiece copy{reinterpret_cast<const char*>(list.data()), memory.get(), {}, {}, {bytes, 1, 1}, 1};
  device.copy(Space::host, Space::device, {&copy, 1});
  device.wait();
  return memory;
}
// Whether the device did it; one that cannot share memory, or wait for others, says so by Failure.
template <class F> bool done(F&& f) try { return f(); } catch (const Failure&) {
  return false;
}
}  // namespace

Neighbours::Neighbours(Simulation& s, const StepProgram& p)
    : blocks_(s.services.get<Driver>().all_blocks(s.grid, 0)),
      centre_(s.groups[first_of(p).group].centre),
      type_(p.type) {
  for (const auto& f : p.fields | std::views::filter(changes))
    for (int b = 0; b < s.fields.buffers(f.group); ++b) slabs_.push_back(slab_in(s, f, b));
  for (int b = 0; const Block& block : s.grid.blocks) {
    homes_[block.number] = {s.process.rank(), s.fields.offset(b), s.fields.layout(b).first};
    ++b;
  }
  auto& device = s.services.get<Device>();
  const std::vector<std::uint32_t> zeros(static_cast<std::size_t>(s.process.size()));
  words_ = on_device(device, zeros, "meetings of devices");
}

std::unique_ptr<Neighbours> Neighbours::meet(Simulation& s, const StepProgram& p) {
  if (s.process.size() == 1 || s.process.any(!may_push(s, p))) return nullptr;
  std::unique_ptr<Neighbours> n;
  std::string mine;
  const bool shares = done([&] {
    n = std::make_unique<Neighbours>(s, p), mine = n->cards(s);
    return true;
  });
  if (s.process.any(!shares)) return nullptr;
  return n->introduce(s, mine) ? std::move(n) : nullptr;
}

std::vector<exchange::Piece> Neighbours::pieces(const Simulation& s, Reach reach) const {
  return exchange::ghost_pieces(s.grid.levels[0].space, s.grid.dim, blocks_, s.process.rank(), centre_, reach.depth,
      true, static_cast<unsigned>(reach.axes));
}

// Collective.
bool Neighbours::introduce(Simulation& s, const std::string& mine) {
  std::set<int> others;
  for (const auto& p : pieces(s, {s.grid.ghosts[0], all_axes})) others.insert({p.from, p.to_rank});
  others.erase(s.process.rank());
  bool reached = !others.empty();
  for (int r = 0; r < s.process.size(); ++r) {
    const std::string theirs = s.process.broadcast_from(r, mine);
    if (others.contains(r)) reached = done([&] { return hear(s, r, theirs); }) && reached;
  }
  if (s.process.any(!reached || !fits(s))) return false;
  return !s.process.any(!done([&] {
    meet_others(s);
    return true;
  }));
}

std::string Neighbours::cards(const Simulation& s) const {
  const auto& device = s.services.get<Device>();
  std::ostringstream text;
  const auto& stride = s.fields.layout(0).stride;
  text << stride[1] << ' ' << stride[2] << ' ' << s.grid.blocks.size() << '\n';
  for (const Block& b : s.grid.blocks) {
    const auto& [rank, offset, first] = homes_.at(b.number);
    text << b.number << ' ' << offset << ' ' << first[0] << ' ' << first[1] << ' ' << first[2] << '\n';
  }
  text << device.card_of(words_.get()) << '\n';
  for (const char* slab : slabs_) text << device.card_of(slab) << '\n';
  return text.str();
}

bool Neighbours::hear(const Simulation& s, int rank, const std::string& cards) {
  std::istringstream text(cards);
  Offset row = 0, plane = 0;
  int blocks = 0;
  text >> row >> plane >> blocks;
  for (int n = 0, number = 0; n < blocks; ++n) {
    Home home{rank, 0, {}};
    text >> number >> home.offset >> home.first[0] >> home.first[1] >> home.first[2];
    homes_[number] = home;
  }
  std::string card;
  std::getline(text, card);  // what is left of the last line
  std::vector<std::shared_ptr<char>> places;
  while (std::getline(text, card)) places.push_back(s.services.get<Device>().open_card(card));
  const auto& stride = s.fields.layout(0).stride;
  if (row != stride[1] || plane != stride[2] || places.size() != 1 + slabs_.size() ||
      std::ranges::count(places, nullptr))
    return false;
  opened_.push_back(places.front());
  their_words_.push_back(places.front().get() + sizeof(std::uint32_t) * static_cast<std::size_t>(s.process.rank()));
  my_words_.push_back(words_.get() + sizeof(std::uint32_t) * static_cast<std::size_t>(rank));
  theirs_[rank].assign(places.begin() + 1, places.end());
  return true;
}

// Whether a vector here is one there, and there are not more pieces than a list takes.
bool Neighbours::fits(const Simulation& s) const {
  const auto vector = static_cast<Offset>(16 / size_of(type_));
  const Box& domain = s.grid.levels[0].space.cells;
  const auto all = pieces(s, {s.grid.ghosts[0], all_axes});
  return domain.extent(0) % vector == 0 && std::ranges::all_of(homes_, [&](const auto& known) {
    const auto& [number, home] = known;
    return home.offset % vector == 0 && (home.first[0] - domain.lo[0]) % vector == 0 &&
           std::ranges::count(all, number, &exchange::Piece::source) <= sweep::Pushes::most;
  });
}

bool Neighbours::filled(const Simulation& s, const StepProgram::Field& f, Reach reach) const {
  const int buffer = buffer_in(f);
  const auto found = filled_.find(slab_in(s, f, buffer));
  return found != filled_.end() && found->second.reach.depth >= reach.depth &&
         !(reach.axes & ~found->second.reach.axes) &&
         found->second.version == s.fields.validity(f.group, f.component, buffer, 0).version;
}

void Neighbours::meet_others(Simulation& s) {
  s.services.get<Device>().meet_others(their_words_, my_words_, ++meetings_);
}

void Neighbours::begin(Simulation& s, Reach reach) {
  reach_ = reach;
  meet_others(s);
}

sweep::Push Neighbours::push_of(
    const Simulation& s, const StepProgram& p, int block, const exchange::Piece& piece) const {
  const Layout& here = s.fields.layout(block);
  const Home& home = homes_.at(piece.target);
  Layout there = here;
  there.first = home.first;
  const Index image = shift(Box{here.first, here.first}, piece.shift).lo;  // of the block's first point
  const Offset at = (home.offset + there.at(image[0], image[1], image[2])) * static_cast<Offset>(size_of(type_));
  sweep::Push push{};
  for (int d = 0; d < 3; ++d) {
    push.box.lo[d] = piece.to.lo[d] - piece.shift[d] - here.first[d];
    push.box.hi[d] = piece.to.hi[d] - piece.shift[d] - here.first[d];
  }
  for (std::size_t f = 0; f < p.fields.size(); ++f) {
    if (!changes(p.fields[f]) || !p.program.stored[f]) continue;
    char* const mine = slab_in(s, p.fields[f], buffer_out(s, p.fields[f]));
    const auto n = static_cast<std::size_t>(std::ranges::find(slabs_, mine) - slabs_.begin());
    push.to[f] = (home.rank == s.process.rank() ? mine : theirs_.at(home.rank)[n].get()) + at;
  }
  return push;
}

Neighbours::Known Neighbours::make(Simulation& s, const StepProgram& p, int block) const {
  const int last = s.grid.dim - 1, end = s.grid.blocks[block].cells.extent(last) + 1;  // with a vertex
  std::vector<sweep::Push> list;
  Known k{{nullptr, 0, 0, {0, end}}, nullptr, 0};
  for (const auto& piece : pieces(s, reach_)) {
    if (piece.source != s.grid.blocks[block].number) continue;
    const sweep::Push& push = list.emplace_back(push_of(s, p, block, piece));
    int* const inner = k.pushes.inner;
    if (piece.direction[last] > 0) inner[0] = std::max(inner[0], push.box.hi[last]);
    else if (piece.direction[last] < 0) inner[1] = std::min(inner[1], push.box.lo[last]);
    else k.pushes.through |= 1U << (list.size() - 1);
    if (homes_.at(piece.target).rank != s.process.rank()) k.points += piece.to.points();
  }
  if (list.empty()) return k;
  k.list = on_device(s.services.get<Device>(), list, "ghost zones of other devices");
  k.pushes.list = reinterpret_cast<const sweep::Push*>(k.list.get());
  k.pushes.count = static_cast<int>(list.size());
  return k;
}

sweep::Pushes Neighbours::of(Simulation& s, const StepProgram& p, int block) {
  std::vector<char*> to;
  for (const auto& f : p.fields) to.push_back(changes(f) ? slab_in(s, f, buffer_out(s, f)) : nullptr);
  const std::tuple key{block, reach_.depth, reach_.axes, std::move(to)};
  auto found = known_.find(key);
  if (found == known_.end()) found = known_.emplace(key, make(s, p, block)).first;
  const std::int64_t bytes = found->second.points * static_cast<std::int64_t>(size_of(type_));
  for (std::size_t n = 0; n < p.fields.size(); ++n)
    if (const auto& f = p.fields[n]; changes(f) && p.program.stored[n])
      s.traffic.add({p.stages.front().id, f.group, f.component}, {0, 0, bytes, bytes});
  return found->second.pushes;
}

void Neighbours::end(Simulation& s, const StepProgram& p, bool looked_at) {
  for (std::size_t n = 0; n < p.fields.size(); ++n)
    if (const auto& f = p.fields[n]; changes(f) && p.program.stored[n]) {
      const int buffer = buffer_out(s, f);
      filled_[slab_in(s, f, buffer)] = {s.fields.validity(f.group, f.component, buffer, 0).version, reach_};
    }
  if (looked_at) meet_others(s);
}
}  // namespace CaKernel
