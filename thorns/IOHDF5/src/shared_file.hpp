// A file that rank 0 has laid out and that all processes fill, each at places of its own. Where not all of them see the
// file, or see it through NFS from several hosts, rank 0 fills it for all. What fails on any process is thrown on all
// of them, at the end.
#pragma once
#include <Output/gather.hpp>

#include "placed_file.hpp"

namespace IOHDF5 {
class SharedFile {
 public:
  // `name`: what the file will be called; now it is NAME.tmp, and on the disk as long as rank 0 sees it. Collective.
  SharedFile(cereus::Simulation& s, const std::filesystem::path& name);
  bool alone() const { return alone_; }
  void write(std::uint64_t at, std::string_view bytes);  // after a failure nothing
  bool failed() const { return !wrong_.empty(); }        // on this process
  void finish(Output::RankZero& rank_zero);              // collective; throws Failure

 private:
  template <class F> void attempt(F&& f);
  cereus::Simulation& s_;
  PlacedFile file_;
  bool alone_;
  std::string wrong_;
};
}  // namespace IOHDF5
