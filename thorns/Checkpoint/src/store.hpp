// Checkpoints of a run in their folder: output/checkpoints/ITERATION. One is there in full or not at all: it is written
// beside, under another name, and renamed once all of it is on the disk.
#pragma once
#include "disk.hpp"
#include "manifest.hpp"
namespace Checkpoint {
class Data {  // of one process of the run that wrote: each piece is checked when it is read; all throw Failure
 public:
  Data(const std::filesystem::path&, const std::vector<Piece>&);
  std::string_view read(const Piece&);  // valid until the next

 private:
  std::string name_;
  OldFile file_;
};

class Store {
 public:
  explicit Store(std::filesystem::path folder) : folder_(std::move(folder)) {}
  std::vector<int> iterations() const;  // of those that are there, newest first
  std::filesystem::path path_of(int iteration) const;

  void begin(int iteration) const;  // rank 0: room for a new one
  // What one process adds: data and the list of pieces. Fills in the pieces' checksums.
  void add(int iteration, int process, Image&) const;
  std::string checksum_of_list(int iteration, int process) const;
  void commit(int iteration, const Manifest&) const;  // rank 0, once all have added theirs
  void give_up(int iteration) const;
  void prune(int keep, int newest) const;  // rank 0: the oldest go, and what was never finished, and what a run left
                                           // behind that went on from before it

  Manifest manifest(int iteration) const;
  // The list of pieces of one process of the run that wrote, checked against the manifest. Throws Failure.
  std::string list(int iteration, const Manifest&, int process) const;

 private:
  std::filesystem::path unfinished(int iteration) const;
  std::filesystem::path folder_;
};
}  // namespace Checkpoint
