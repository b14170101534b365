#include "carrier.hpp"

#include <cereus/memory.hpp>

#include <cstring>

namespace Forest {
using namespace cereus;
namespace {
// Thread blocks of a list.
template <class Entry> std::size_t parts_in(const std::vector<Entry>& list) {
  if constexpr (requires(Entry e) { e.first_part; }) return list.back().first_part + parts_of(list.back());
  else return (list.size() + threads - 1) / threads;
}
std::size_t values_in(const std::vector<Line>& list) {
  return list.back().first + static_cast<std::size_t>(list.back().count);
}
std::size_t parts_in(const std::vector<Line>& list) { return (values_in(list) + threads - 1) / threads; }

Scalar kind_of(ScalarType t) {
  switch (t) {
    case ScalarType::float32: return Scalar::float32;
    case ScalarType::complex64: return Scalar::complex64;
    case ScalarType::complex128: return Scalar::complex128;
    case ScalarType::int32: return Scalar::int32;
    default: return Scalar::float64;
  }
}

// The entry that each part of a list belongs to; nothing where a list has no parts. On a device it lies behind the
// list.
template <class Entry> std::vector<unsigned> entries_of_parts(const std::vector<Entry>& list) {
  std::vector<unsigned> entries;
  if constexpr (requires(Entry e) { e.first_part; })
    for (std::size_t n = 0; n < list.size(); ++n)
      entries.insert(entries.end(), parts_of(list[n]), static_cast<unsigned>(n));
  return entries;
}
// Of lines, that which the first of each line_group values belongs to.
std::vector<unsigned> entries_of_parts(const std::vector<Line>& list) {
  std::vector<unsigned> entries;
  for (std::size_t n = 0; n < list.size(); ++n)
    while (entries.size() * line_group < list[n].first + static_cast<unsigned>(list[n].count))
      entries.push_back(static_cast<unsigned>(n));
  return entries;
}
template <class Entry> std::size_t table_size(const std::vector<Entry>& list) {
  if constexpr (requires(Entry e) { e.first_part; }) return list.empty() ? 0 : parts_in(list);
  else return 0;
}
std::size_t table_size(const std::vector<Line>& list) {
  return list.empty() ? 0 : (values_in(list) + line_group - 1) / line_group;
}

// All lists of a transfer in one piece of memory. Calls f(list, where it begins).
template <class F> std::size_t each_list(const Transfer& t, F&& f) {
  std::size_t end = 0;
  const auto add = [&](const auto& list) {
    f(list, end);
    const std::size_t bytes = list.size() * sizeof list[0] + table_size(list) * sizeof(unsigned);
    end += (bytes + 15) / 16 * 16;
  };
  add(t.local), add(t.local_last);
  for (const auto* lists : {&t.pack, &t.unpack})
    for (const auto& [rank, list] : *lists) add(list);
  add(t.interpolated), add(t.interpolated_last), add(t.lines), add(t.lines_last), add(t.spots), add(t.spots_last);
  add(t.corrected), add(t.along), add(t.weights);
  return end;
}
}  // namespace

Carrier::Carrier(Simulation& s, Space space, std::span<const Job> jobs, Scratch& scratch, OnDevice& on_device)
    : s_(s),
      space_(space),
      transfer_(jobs.front().transfer),
      type_(s.type(jobs.front().values.group)),
      on_device_(on_device) {
  const auto bytes = [&](Offset elements) {
    return (static_cast<std::size_t>(elements) * size_of(type_) + 63) / 64 * 64;
  };
  const std::size_t each = bytes(transfer_->scratch), lines = bytes(transfer_->of_lines);
  scratch_bytes_ = (each + lines) * jobs.size();
  make_room(scratch);
  char* at = scratch.memory.get();
  for (const Job& job : jobs) {
    Bases& b = bases_.emplace_back();
    for (int d = 0; d < s.grid.dim; ++d)
      if (parity(s.groups[job.values.group], job.values.component, d) < 0) b.odd |= 1U << d;
    for (int l = 0; l < static_cast<int>(s.grid.levels.size()); ++l)
      b.at[l] = s.fields.slab(job.values.group, job.values.component, job.values.timelevel, l, space);
    b.at[in_scratch] = at, at += each;
    b.at[of_lines] = at, at += lines;
    b.summed = job.summed, b.terms = job.sum.terms;
    for (int n = 0; job.summed >= 0 && n < b.terms; ++n) {
      b.from[n] = s.fields.slab(job.values.group, job.values.component, job.sum.buffer[n], job.summed, space);
      b.factor[n] = job.sum.factor[n];
    }
  }
}

void Carrier::make_room(Scratch& scratch) const {
  if (scratch_bytes_ + read_beyond <= scratch.bytes) return;
  if (space_ == Space::device) s_.services.get<Device>().wait();  // somebody may still use the old one
  const std::size_t room = scratch_bytes_ + scratch_bytes_ / 4 + read_beyond;
  scratch = {space_ == Space::device ? s_.services.get<Device>().allocate(room, "interpolation between levels")
                                     : large_memory(room, "interpolation between levels"),
      room};
}

// Calls f(bases) for each job, on the host or on a device that runs code of the host. Returns whether it did; not so on
// other devices. The transfer lives meanwhile.
template <class F> bool Carrier::run_on_host(const F& f) {
  const auto all = [f](const std::vector<Bases>& bases) { std::ranges::for_each(bases, f); };
  if (space_ == Space::host) return all(bases_), true;
  auto& device = s_.services.get<Device>();
  if (!device.runs_host_code()) return false;
  device.run([all, transfer = transfer_, bases = bases_] { all(bases); });
  return true;
}

void Carrier::move(const std::vector<Piece>& list, std::span<char* const> messages) {
  if (list.empty()) return;
  for (std::size_t n = 0; n < messages.size(); ++n) bases_[n].at[in_message] = messages[n];
  if (run_on_host([&list, type = type_](const Bases& b) { move_on_host(list, b, type); })) return;
  launch(move_kernels[static_cast<int>(kind_of(type_))], list, "copying ghost zones", 0);
}

void Carrier::interpolate(const std::vector<Interpolated>& list) {
  if (list.empty()) return;
  const Transfer& t = *transfer_;
  if (run_on_host([&t, &list, type = type_](const Bases& b) { interpolate_on_host(t, list, b, type); })) return;
  const char *const along = on_device(transfer_->along.data()), *const weights = on_device(transfer_->weights.data());
  const std::size_t shared = transfer_->cells ? 0 : coarse_tile * (coarse_tile + tile) * size_of(type_);
  launch(
      interpolate_kernels[static_cast<int>(kind_of(type_))], list, "interpolating ghost zones", shared, along, weights);
}

void Carrier::interpolate(const std::vector<Line>& lines, const std::vector<InSpot>& spots) {
  if (lines.empty()) return;
  const Transfer& t = *transfer_;
  if (run_on_host([&t, &lines, &spots, type = type_](const Bases& b) {
        interpolate_on_host(t, lines, b, type), interpolate_on_host(t, spots, b, type);
      }))
    return;
  const char* const weights = on_device(transfer_->weights.data());
  const int kind = static_cast<int>(kind_of(type_));
  launch(
      line_kernels[kind], lines, "interpolating between patches", 0, static_cast<unsigned>(values_in(lines)), weights);
  if (!spots.empty()) launch(spot_kernels[kind], spots, "interpolating between patches", 0, weights);
}

void Carrier::correct(const std::vector<Corrected>& list, double weight) {
  if (list.empty()) return;
  if (run_on_host([&list, weight, type = type_](const Bases& b) { correct_on_host(list, weight, b, type); })) return;
  launch(correct_kernel, list, "making fluxes equal", 0, weight);
}

void Carrier::add_up(const AddedUp& a, Scratch& sums) {
  if (a.count == 0) return;
  make_room(sums);
  char* const scratch = bases_.front().at[in_scratch];
  for (Bases& b : bases_) b.from[0] = sums.memory.get() + (b.at[in_scratch] - scratch);
  if (run_on_host([a, type = type_](const Bases& b) { add_up_on_host(a, b, type); })) return;
  start(add_up_kernel, static_cast<unsigned>(pieces_of(static_cast<int>(a.count), threads)), "adding up fluxes", 0,
      Elements{a.first}, Elements{a.first + a.count}, a.weight, static_cast<int>(a.adds));
}

// The lists go to the device once.
const char* Carrier::on_device(const void* list) {
  auto& memory = on_device_[transfer_.get()];
  if (!memory) {
    auto& device = s_.services.get<Device>();
    const std::size_t bytes = each_list(*transfer_, [](auto&&...) {});
    const auto host = large_memory(bytes, "plans of exchanges");
    each_list(*transfer_, [&](const auto& l, std::size_t at) {
      if (l.empty()) return;
      std::memcpy(host.get() + at, l.data(), l.size() * sizeof l[0]);
      const std::vector<unsigned> entries = entries_of_parts(l);
      if (!entries.empty())
        std::memcpy(host.get() + at + l.size() * sizeof l[0], entries.data(), entries.size() * sizeof(unsigned));
    });
    memory = device.allocate(bytes, "plans of exchanges");
    constexpr int unit = 16;
    const CopyPiece all{host.get(), memory.get(), {}, {}, {static_cast<int>(bytes / unit), 1, 1}, unit};
    device.copy(Space::host, Space::device, {&all, 1});
    device.wait();
  }
  const char* found = nullptr;
  each_list(*transfer_, [&](const auto& l, std::size_t at) {
    if (l.data() == list && list) found = memory.get() + at;
  });
  return found;
}

template <class List, class... More>
void Carrier::launch(const void* kernel, const List& list, const char* what, std::size_t shared, const More&... more) {
  start(kernel, static_cast<unsigned>(parts_in(list)), what, shared, on_device(list.data()),
      static_cast<int>(list.size()), more...);
}

template <class... Arguments>
void Carrier::start(
    const void* kernel, unsigned parts, const char* what, std::size_t shared, const Arguments&... arguments) {
  if (!kernel) throw Failure("Forest was built without CUDA; take Cereus: {device: none}, or build it with nvcc");
  Batch batch{};
  std::ranges::copy(bases_, batch.variable);
  batch.variables = static_cast<int>(bases_.size());
  const int kind = static_cast<int>(kind_of(type_)) + (transfer_->cells ? of_cells : 0);
  const int scalar = static_cast<int>(kind_of(type_));
  const int each = kernel == move_kernels[scalar]                                     ? most_variables
                   : kernel == line_kernels[scalar] || kernel == spot_kernels[scalar] ? at_once
                                                                                      : 1;  // variables a thread block
  DeviceCall call{kernel, {parts, static_cast<unsigned>(pieces_of(batch.variables, each)), 1}, {threads, 1, 1}, 0, {},
      {}, static_cast<unsigned>(shared)};
  const auto argument = [&](const auto& value) {
    call.argument[call.arguments] = &value;
    call.bytes[call.arguments++] = sizeof value;
  };
  (argument(arguments), ...), argument(kind), argument(batch);
  s_.services.get<Device>().start(call, what);
}
}  // namespace Forest
