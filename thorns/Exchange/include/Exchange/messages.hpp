// One message to and one from each neighbouring process: by MPI from host to host; between devices directly, where a
// Link can be made, else through the host, and MPI need not know of devices.
#pragma once
#include <mpi.h>
#include <cereus/simulation.hpp>

#include <map>
namespace exchange {
using cereus::Simulation;
using cereus::Space;

void check(int code, const char* what);  // throws if MPI failed

struct Bytes {
  std::size_t incoming = 0, outgoing = 0;
};

// The neighbours of this process, which all Messages of a driver share. All processes make one together.
class Neighbourhood {
 public:
  Neighbourhood(MPI_Comm, std::string transport);
  // Finds out, collectively, which neighbours have a device, too. `kernels`: where kernels run here.
  void meet(const std::vector<int>& neighbours, Space kernels);
  bool has_device(int rank) const { return devices_.contains(rank) && devices_.at(rank); }
  bool on_this_host(int rank) const {
    return host_[static_cast<std::size_t>(rank)] == host_[static_cast<std::size_t>(rank_)];
  }
  MPI_Comm comm() const { return comm_; }
  const std::string& transport() const { return transport_; }
  int rank() const { return rank_; }

 private:
  MPI_Comm comm_;
  std::string transport_;
  int rank_ = 0, size_ = 1;
  std::vector<int> host_;        // of each rank
  std::map<int, bool> devices_;  // by rank
};

// The messages of one exchange at a time. Several may be under way; each then has messages with a tag of their own.
class Messages {
 public:
  Messages(const Neighbourhood&, int number);
  ~Messages();
  Messages(const Messages&) = delete;
  void part();                          // from all others, for good; once all have, forget()
  void forget() { messages_.clear(); }  // buffers and links

  // Makes links for messages of these lengths; else they are made when the first message is sent.
  void meet(Simulation&, const std::map<int, Bytes>&);
  // How messages between devices travel, as the first process with a device says; empty where there are none.
  // Collective.
  std::string say_how(const Simulation&, const std::map<int, Bytes>&);
  // Begins an exchange: its sizes by rank, the same on both sides, and its number, which is checked where messages may
  // be sent early.
  void open(Simulation&, const std::map<int, Bytes>&, Space, unsigned number);
  char* packed(int rank);                      // where to pack what goes there
  void send(Simulation&);                      // what has been packed
  void wait();                                 // until all messages, or "it is on its way" of all links, have arrived
  const char* arrived(Simulation&, int rank);  // where to unpack from
  void close();                                // once unpacked
  bool under_way() const { return !requests_.empty(); }
  bool through_host(int rank) const;         // between devices
  bool direct(const std::map<int, Bytes>&);  // whether all go from device to device

 private:
  struct Message {
    Bytes now;  // of the exchange under way
    std::vector<char> send, receive;
    std::shared_ptr<char> device_send, device_receive;
    std::size_t device_send_size = 0, device_receive_size = 0;
    std::unique_ptr<cereus::Link> link;
    std::size_t link_size = 0;
    int kind = -1;                      // of the link, in the device's list
    unsigned char said = 0, heard = 0;  // "it is on its way", by its number: all that travels by MPI beside a link
  };
  bool linked(const Message&) const;
  void make_link(Simulation&, int rank, Message&, Bytes);

  const Neighbourhood& neighbours_;
  int tag_;
  MPI_Datatype row_ = MPI_DATATYPE_NULL;  // of bytes: MPI counts in ints
  Space space_ = Space::host;
  std::map<int, Message> messages_;  // by rank
  std::vector<MPI_Request> requests_;
};

// Of the exchanges that are under way, each has messages of its own.
class MessagePool {
 public:
  explicit MessagePool(const Neighbourhood& neighbours) : neighbours_(neighbours) {}
  Messages& take();
  void give_back(const Messages&);
  void close();  // parts from all others, for good: collective

 private:
  const Neighbourhood& neighbours_;
  std::vector<std::unique_ptr<Messages>> messages_;  // by number
  std::vector<bool> in_use_;
};
}  // namespace exchange
