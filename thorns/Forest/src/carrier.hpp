// Carries out the lists of a plan for some variables: on the host at once; on a device in the order of the calls, each
// in one launch.
#pragma once
#include <cereus/accelerator.hpp>

#include "transfer.hpp"
namespace Forest {
using cereus::Simulation;
using cereus::Space;

// A variable's timelevel, whose points are moved.
struct Job {
  cereus::Driver::Values values;
  std::shared_ptr<const Transfer> transfer;
  int summed = -1;  // the level that is read as a sum of buffers, if there is one
  cereus::TimeIntegrator::Blend sum{};
};
// Memory for coarse points, which is kept.
struct Scratch {
  std::shared_ptr<char> memory;
  std::size_t bytes = 0;
};
// Lists that a device has already, by the transfer that they belong to.
using OnDevice = std::map<const Transfer*, std::shared_ptr<char>>;

class Carrier {
 public:
  // `jobs`: of one transfer and scalar type, at most most_variables.
  Carrier(Simulation&, Space, std::span<const Job> jobs, Scratch&, OnDevice&);
  // `messages`: of each job where its part of the message lies, if the list packs or unpacks one.
  void move(const std::vector<Piece>& list, std::span<char* const> messages = {});
  void interpolate(const std::vector<Interpolated>& list);
  void interpolate(const std::vector<Line>& lines, const std::vector<InSpot>& spots);
  void correct(const std::vector<Corrected>& list, double weight);  // Transfer::corrected
  void add_up(const AddedUp&, Scratch& sums);                       // `sums` lies as the scratch does

 private:
  // Starts a kernel with the list, its length, `more` arguments, the kind of scalar and the batch; thread blocks have
  // so many bytes of shared memory.
  template <class List, class... More>
  void launch(const void* kernel, const List&, const char* what, std::size_t shared, const More&...);
  template <class... Arguments>
  void start(const void* kernel, unsigned parts, const char* what, std::size_t shared, const Arguments&...);
  template <class F> bool run_on_host(const F& f);
  void make_room(Scratch&) const;
  const char* on_device(const void* list);  // where a list of the transfer lies there

  Simulation& s_;
  Space space_;
  std::shared_ptr<const Transfer> transfer_;
  cereus::ScalarType type_;
  std::vector<Bases> bases_;  // of each job
  std::size_t scratch_bytes_ = 0;
  OnDevice& on_device_;
};
}  // namespace Forest
