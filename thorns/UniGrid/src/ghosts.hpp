// Fills ghost zones: by copies within the process, by messages, and by kernels that write them while they update.
#pragma once
#include <cereus/simulation.hpp>

#include <Exchange/messages.hpp>
#include <Exchange/pieces.hpp>
#include <Exchange/written.hpp>
namespace UniGrid {
using namespace exchange;
using cereus::Driver;
using cereus::Ghosts;
using cereus::Offset;

class GhostExchange;

class GhostZones {
 public:
  // `blocks`: of all processes, by level. Collective.
  GhostZones(std::vector<cereus::BlockIndex> blocks, MPI_Comm, std::string transport);
  ~GhostZones();
  // Before the first exchange. Collective.
  void prepare(Simulation&);
  void close();  // collective
  std::unique_ptr<cereus::Exchange> exchange(Simulation&, std::span<const Ghosts>, Space, int routine);
  Driver::WriteThrough write_through(const Simulation&, std::span<const Ghosts>, unsigned axes, Space);

 private:
  friend class GhostExchange;
  const std::vector<Piece>& pieces_of(const Simulation&, const Ghosts&);

  // The axes across which kernels can write through in all blocks of all processes, and where the ghost zones lie.
  struct Through {
    std::uint8_t crossed = 0, axes = 0;  // bits: some ghost zone lies across; kernels can fill it
    int layers_x = 0;
    std::vector<std::array<const Piece*, 6>> piece;                 // of each block of the level: what each face fills
    std::map<unsigned, std::vector<std::array<Offset, 6>>> ghosts;  // by axes
  };
  Through& through(const Simulation&, const Ghosts&);
  Through find_through(const Simulation&, const Ghosts&);
  // Sends ghost zones of these items before the exchange that will ask for them.
  void send_early(Simulation&, std::span<const Ghosts>);
  std::unique_ptr<GhostExchange> take_early(Simulation&, std::span<const Ghosts>, Space);

  std::vector<cereus::BlockIndex> blocks_;
  int rank_ = 0;
  Neighbourhood neighbours_;
  std::map<std::tuple<int, std::array<Centre, 3>, int, bool, unsigned>, std::vector<Piece>> pieces_;
  std::map<std::tuple<int, std::array<Centre, 3>, std::size_t>, Through>
      through_;  // by level, centring, bytes of a value
  Filled filled_;
  MessagePool messages_{neighbours_};

  std::unique_ptr<GhostExchange> early_;
  std::vector<std::pair<Version, Ghosts>> early_items_;
  bool direct_ = false;  // all messages go from device to device, on all processes
  // After three mispredictions (two systems that take turns, say), stop sending early for 64 exchanges.
  static constexpr int most_credit = 3, sleep = 64;
  int credit_ = most_credit, asleep_ = 0;
  unsigned asked_ = 0;  // exchanges so far: what is sent early is for the next one, or else all processes must know
};

// One exchange, from its first message to its last ghost zone.
class GhostExchange : public cereus::Exchange {
 public:
  GhostExchange(GhostZones&, Simulation&, std::span<const Ghosts>, Space);
  ~GhostExchange() override;
  void send(Simulation&, bool with_local);                 // begins it
  void claim(Simulation&, std::span<const Ghosts> items);  // an exchange that was sent early is asked for now
  void drop(Simulation&);                                  // it is not asked for: receives it and forgets it
  void for_routine(int routine) { routine_ = routine; }
  std::map<int, Bytes> sizes(const Simulation&) const;
  Messages& messages() { return *messages_; }

  std::uint8_t arriving(int block) const override;
  void finish(Simulation&) override;
  void finish_around(Simulation&, const Around&) override;

 private:
  struct Work {
    const Piece* piece;
    std::size_t item;
    int from, to;  // ranks
  };
  std::size_t bytes_of(const Work&) const;
  cereus::CopyPiece copy_of(const Simulation&, const Work&, const char* message_from, char* message_to) const;
  void copy(Simulation&, std::span<const cereus::CopyPiece>) const;
  void note_arriving(const Simulation&);

  GhostZones& zones_;
  std::vector<Ghosts> items_;
  std::vector<std::size_t> sizes_;  // of a value of each item, in bytes
  Space space_;
  int routine_ = -1;
  Messages* messages_ = nullptr;
  std::vector<Work> work_;
  std::vector<std::uint8_t> arriving_;  // of each block of this process: the faces (bit 2·axis + side)
  bool early_ = false;
};
}  // namespace UniGrid
