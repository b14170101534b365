// One message to and one from each neighbouring process: by MPI from host to host; between devices directly, where a
// Link can be made, else through the host, and MPI need not know of devices.
#pragma once
#include <mpi.h>
#include <cereus/simulation.hpp>

#include <optional>
namespace UniGrid {
using cereus::Simulation;
using cereus::Space;

void check(int code, const char* what);  // throws if MPI failed

class Messages {
 public:
  Messages(MPI_Comm, std::string transport);
  ~Messages();
  struct Bytes {
    std::size_t incoming = 0, outgoing = 0;
  };

  // Lets devices meet whose messages will be so long; else they do so when the first message is sent.
  void meet(Simulation&, const std::map<int, Bytes>&);
  // Begins an exchange: its sizes by rank, the same on both sides.
  void open(Simulation&, const std::map<int, Bytes>&, Space);
  char* packed(int rank);                      // where to pack what goes there
  void send(Simulation&);                      // what has been packed
  void wait();                                 // until all has arrived, or what is needed to let the device wait
  const char* arrived(Simulation&, int rank);  // where to unpack from
  void close();                                // once unpacked
  bool comes_from(int rank) const { return messages_.contains(rank) && messages_.at(rank).now.incoming > 0; }
  bool under_way() const { return !requests_.empty(); }
  bool through_host(int rank) const;  // between devices

  // Whether messages go directly, in all processes: found out, collectively, from the sizes of the first call, with
  // diagonal neighbours and without.
  bool all_direct(const std::map<int, Bytes>&, bool diagonal);

 private:
  struct Message {
    Bytes now;  // of the exchange under way
    std::vector<char> send, receive;
    std::shared_ptr<char> device_send, device_receive;
    std::size_t device_send_size = 0, device_receive_size = 0;
    std::unique_ptr<cereus::Link> link;
    std::size_t link_size = 0;
    int kind = -1;             // of the link, in the device's list
    char said = 1, heard = 0;  // "it is on its way", all that travels by MPI beside a link
  };
  bool linked(const Message&) const;
  void make_link(Simulation&, int rank, Message&, Bytes);
  bool on_this_host(int rank) const {
    return host_[static_cast<std::size_t>(rank)] == host_[static_cast<std::size_t>(rank_)];
  }
  void find_hosts();
  void say_how(const Simulation&, const std::map<int, Bytes>&);

  MPI_Comm comm_;
  MPI_Datatype row_ = MPI_DATATYPE_NULL;  // of bytes: MPI counts in ints
  std::string transport_;
  int rank_ = 0, size_ = 1;
  Space space_ = Space::host;
  std::map<int, Message> messages_;  // by rank
  std::vector<MPI_Request> requests_;
  std::vector<int> host_;  // of each rank
  bool said_how_ = false;
  std::optional<bool> all_direct_[2];
};
}  // namespace UniGrid
