// Messages of MPI, in buffers that are kept from exchange to exchange.
#include "Exchange/messages.hpp"

#include <cereus/console.hpp>

#include <algorithm>
#include <limits>

namespace exchange {
using namespace cereus;
namespace {
constexpr std::size_t row_bytes = 4096;
std::size_t rows(std::size_t bytes) { return (bytes + row_bytes - 1) / row_bytes; }

// So many rows of bytes.
CopyPiece flat(const char* from, char* to, std::size_t bytes) {
  constexpr int element = 16, row = row_bytes / element;
  return {from, to, {row, 0}, {row, 0}, {row, static_cast<int>(rows(bytes)), 1}, element};
}
void reserve(Simulation& s, std::shared_ptr<char>& memory, std::size_t& size, std::size_t bytes) {
  if (bytes <= size) return;
  s.services.get<Device>().wait();  // somebody may still read the old one
  memory = s.services.get<Device>().allocate(bytes, "messages between processes");
  size = bytes;
}
}  // namespace

void check(int code, const char* what) {
  if (code != MPI_SUCCESS) throw Failure(std::string("MPI failed: ") + what);
}

Neighbourhood::Neighbourhood(MPI_Comm comm, std::string transport) : comm_(comm), transport_(std::move(transport)) {
  MPI_Comm_rank(comm_, &rank_);
  MPI_Comm_size(comm_, &size_);
  // The lowest rank on a host names it.
  host_.resize(static_cast<std::size_t>(size_));
  MPI_Comm local;
  check(MPI_Comm_split_type(comm_, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &local), "asking for the host");
  int first = rank_;
  check(MPI_Bcast(&first, 1, MPI_INT, 0, local), "asking for the host");
  check(MPI_Comm_free(&local), "asking for the host");
  check(MPI_Allgather(&first, 1, MPI_INT, host_.data(), 1, MPI_INT, comm_), "asking for the host");
}

void Neighbourhood::meet(const std::vector<int>& neighbours, Space kernels) {
  const char mine = kernels == Space::device;
  std::vector<char> theirs(neighbours.size());
  std::vector<MPI_Request> requests;
  for (std::size_t n = 0; n < neighbours.size(); ++n) {
    requests.resize(requests.size() + 2);
    check(MPI_Irecv(&theirs[n], 1, MPI_BYTE, neighbours[n], 3, comm_, &requests.end()[-2]), "meeting");
    check(MPI_Isend(&mine, 1, MPI_BYTE, neighbours[n], 3, comm_, &requests.end()[-1]), "meeting");
  }
  check(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE), "meeting");
  for (std::size_t n = 0; n < neighbours.size(); ++n) devices_[neighbours[n]] = mine && theirs[n];
}

Messages::Messages(const Neighbourhood& neighbours, int number) : neighbours_(neighbours), tag_(16 * (number + 1)) {
  check(MPI_Type_contiguous(row_bytes, MPI_BYTE, &row_), "making a type");
  check(MPI_Type_commit(&row_), "making a type");
}
Messages::~Messages() {
  int over = 0;
  MPI_Finalized(&over);
  if (!over) MPI_Type_free(&row_);
  // Not closed, as after a failure: others may still read and write what they were given of it.
  if (!requests_.empty() || std::ranges::any_of(messages_, [](const auto& m) { return m.second.link != nullptr; }))
    new auto(std::move(messages_));
}

// The run has waited for all devices.
void Messages::part() {
  wait();  // for what was sent early, and is not wanted
  for (auto& [rank, m] : messages_)
    if (m.link) m.link->part();
}

// A link needs traffic both ways: the reply acknowledges that the buffer was read.
bool Messages::linked(const Message& m) const {
  return space_ == Space::device && m.link && m.now.incoming > 0 && m.now.outgoing > 0;
}
bool Messages::through_host(int rank) const { return space_ == Space::device && !linked(messages_.at(rank)); }

void Messages::meet(Simulation& s, const std::map<int, Bytes>& sizes) {
  for (const auto& [rank, bytes] : sizes)
    if (neighbours_.has_device(rank)) make_link(s, rank, messages_[rank], bytes);
}

void Messages::open(Simulation& s, const std::map<int, Bytes>& sizes, Space space, unsigned number) {
  space_ = space;
  for (auto& [rank, m] : messages_) m.now = {};
  if (space == Space::device) meet(s, sizes);
  for (const auto& [rank, bytes] : sizes) {
    Message& m = messages_[rank];
    m.now = bytes;
    m.said = static_cast<unsigned char>(number);
    if (!linked(m)) {
      m.send.resize(rows(bytes.outgoing) * row_bytes), m.receive.resize(rows(bytes.incoming) * row_bytes);
      if (space == Space::device) {
        reserve(s, m.device_send, m.device_send_size, m.send.size());
        reserve(s, m.device_receive, m.device_receive_size, m.receive.size());
      }
    }
    if (bytes.incoming == 0) continue;
    requests_.emplace_back();
    if (linked(m))
      check(MPI_Irecv(&m.heard, 1, MPI_BYTE, rank, tag_, neighbours_.comm(), &requests_.back()), "receiving");
    else
      check(MPI_Irecv(m.receive.data(), static_cast<int>(rows(bytes.incoming)), row_, rank, tag_, neighbours_.comm(),
                &requests_.back()),
          "receiving");
  }
}

char* Messages::packed(int rank) {
  Message& m = messages_.at(rank);
  return linked(m) ? m.link->send_buffer() : space_ == Space::device ? m.device_send.get() : m.send.data();
}

void Messages::send(Simulation& s) {
  for (auto& [rank, m] : messages_) {
    if (m.now.outgoing == 0) continue;
    if (linked(m)) m.link->sent(m.now.outgoing, m.now.incoming);
    else if (space_ == Space::device)
      s.services.get<Device>().copy(
          Space::device, Space::host, {{flat(m.device_send.get(), m.send.data(), m.now.outgoing)}});
    requests_.emplace_back();
    if (linked(m)) check(MPI_Isend(&m.said, 1, MPI_BYTE, rank, tag_, neighbours_.comm(), &requests_.back()), "sending");
    else
      check(MPI_Isend(m.send.data(), static_cast<int>(rows(m.now.outgoing)), row_, rank, tag_, neighbours_.comm(),
                &requests_.back()),
          "sending");
  }
}

void Messages::wait() {
  check(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE),
      "waiting for ghost zones");
  requests_.clear();
  for (const auto& [rank, m] : messages_)
    if (linked(m) && m.heard != m.said)
      throw Failure("process " + std::to_string(rank) + " sends ghost zones that process " +
                    std::to_string(neighbours_.rank()) + " does not ask for; this is a mistake in Cereus");
}

const char* Messages::arrived(Simulation& s, int rank) {
  Message& m = messages_.at(rank);
  if (linked(m)) return m.link->received();
  if (space_ == Space::host) return m.receive.data();
  s.services.get<Device>().copy(
      Space::host, Space::device, {{flat(m.receive.data(), m.device_receive.get(), m.now.incoming)}});
  return m.device_receive.get();
}

void Messages::close() {
  for (auto& [rank, m] : messages_) {
    if (linked(m)) m.link->done();
    m.now = {};
  }
}

bool Messages::direct(const std::map<int, Bytes>& sizes) {
  return std::ranges::all_of(
      sizes, [&](const auto& m) { return messages_[m.first].link && m.second.incoming > 0 && m.second.outgoing > 0; });
}

// Both sides know the sizes of both messages, so both come here at the same time.
void Messages::make_link(Simulation& s, int rank, Message& m, Bytes bytes) {
  const std::size_t size = std::max(bytes.incoming, bytes.outgoing);
  if (size <= m.link_size || neighbours_.transport() == "staged") return;
  m.link_size = 2 * size;
  auto& device = s.services.get<Device>();
  const auto exchange = [&](const void* mine, void* theirs, int bytes) {
    check(MPI_Sendrecv(mine, bytes, MPI_BYTE, rank, tag_ + 1, theirs, bytes, MPI_BYTE, rank, tag_ + 1,
              neighbours_.comm(), MPI_STATUS_IGNORE),
        "meeting");
  };
  const auto both = [&](bool yes) {
    const char mine = yes;
    char theirs = 0;
    exchange(&mine, &theirs, 1);
    return mine && theirs;
  };
  const bool again = m.link != nullptr;
  if (again) {  // nobody reads the old one any more, once both have waited
    device.wait();
    m.link->part();
    both(true);
    m.link = nullptr;
  }
  const auto kinds = device.link_kinds();
  const std::string& transport = neighbours_.transport();
  for (std::size_t n = 0; n < kinds.size(); ++n) {
    const auto& kind = kinds[n];
    m.kind = static_cast<int>(n);
    if (transport == "auto" ? kind == "ipc" && !neighbours_.on_this_host(rank) : kind != transport) continue;
    m.link = device.make_link(kind, m.link_size);
    std::string mine(Link::card_size, '\0'), theirs = mine;
    if (m.link) mine.replace(0, m.link->card().size(), m.link->card());
    exchange(mine.data(), theirs.data(), Link::card_size);
    if (both(m.link != nullptr) && both(m.link->meet(theirs))) break;
    m.link = nullptr;
  }
  if (again && !m.link) throw Failure("no memory for longer messages between devices");
  if (!m.link && transport != "auto")
    throw Failure(
        "the driver's parameter transport: " + transport + " is not possible between these devices; take auto");
  if (!m.link) m.link_size = std::numeric_limits<std::size_t>::max();  // and never again
  if (!m.link) m.kind = -1;
}

// One process speaks for all, whose neighbours may be on other hosts: the first that has a device, which knows kinds of
// links.
std::string Messages::say_how(const Simulation& s, const std::map<int, Bytes>& sizes) {
  const auto* device = s.services.find<Device>();
  int used = 0, speaker = device ? neighbours_.rank() : s.process.size();  // used: bits; the first: "through the host"
  for (const auto& [rank, bytes] : sizes)
    if (device) used |= 1 << (messages_[rank].kind + 1);
  check(MPI_Allreduce(MPI_IN_PLACE, &used, 1, MPI_INT, MPI_BOR, neighbours_.comm()), "asking how ghost zones travel");
  if (!used) return "";
  check(MPI_Allreduce(MPI_IN_PLACE, &speaker, 1, MPI_INT, MPI_MIN, neighbours_.comm()), "asking who has a device");
  const auto kinds = device ? device->link_kinds() : std::vector<std::string>{};
  std::string text;
  for (std::size_t n = 0; n < kinds.size(); ++n)
    if (used >> (n + 1) & 1) text += (text.empty() ? "ghost zones go from device to device (" : ", ") + kinds[n];
  if (!text.empty()) text += ")";
  if (used & 1)
    text +=
        text.empty() ? "ghost zones go through the host" : "; where devices cannot reach each other, through the host";
  text = s.process.broadcast_from(speaker, text);
  console::say(text);
  return text;
}

Messages& MessagePool::take() {
  const auto free = static_cast<std::size_t>(std::ranges::find(in_use_, false) - in_use_.begin());
  if (free == in_use_.size()) {
    in_use_.push_back(false);
    messages_.push_back(std::make_unique<Messages>(neighbours_, static_cast<int>(free)));
  }
  in_use_[free] = true;
  return *messages_[free];
}

void MessagePool::give_back(const Messages& given) {
  for (std::size_t n = 0; n < messages_.size(); ++n)
    if (messages_[n].get() == &given) in_use_[n] = false;
}

void MessagePool::close() {
  for (auto& m : messages_) m->part();
  // Memory of links is freed when nobody has it open any more. Processes of two kinds may have needed more messages at
  // a time, or fewer.
  MPI_Barrier(neighbours_.comm());
  for (auto& m : messages_) m->forget();
  messages_.clear(), in_use_.clear();
}
}  // namespace exchange
