#include "accelerator/broken_accelerators.hpp"

#include <algorithm>
#include <utility>

using namespace cereus;

namespace {
Space other(Space s) { return s == Space::host ? Space::device : Space::host; }
GhostDepth& copied(RegionValidity& r) { return r.ghosts[static_cast<int>(GhostKind::copied)]; }
int width(const Simulation& s) { return *std::max_element(s.grid.ghosts.begin(), s.grid.ghosts.end()); }

// A call of bring().
struct Call {
  Simulation& s;
  int level;
  std::vector<VariableAccess> list;
  Space to;
  Why why;
  Validity& of(const VariableAccess& a) const { return s.fields.validity(a.group, a.component, a.timelevel, level); }
};

// The real one; whoever derives from it says what it does wrong.
class Wrapped : public Accelerator {
 public:
  Wrapped(std::shared_ptr<Accelerator> real, std::shared_ptr<Device> device)
      : device_(std::move(device)),
        real_(std::move(real)) {}
  std::int64_t bytes_to_bring(
      const Simulation& s, int level, const VariableAccess& a, Validity& v, Space to) const override {
    return real_->bytes_to_bring(s, level, a, v, to);
  }
  void bring(Simulation& s, int level, std::span<const VariableAccess> list, Space to, Why why) final {
    for (const auto& f : later_) f();
    later_.clear();
    wrongly({s, level, {list.begin(), list.end()}, to, why});
  }
  void bring_boxes(
      Simulation& s, int level, const VariableAccess& a, std::span<const BlockBox> boxes, Space to, Why why) override {
    real_->bring_boxes(s, level, a, boxes, to, why);
  }

 protected:
  virtual void wrongly(Call c) { rightly(c); }
  void rightly(const Call& c) { real_->bring(c.s, c.level, c.list, c.to, c.why); }
  // Notes what a read brings, and brings nothing.
  void note(const Call& c, const VariableAccess& a) const {
    if (a.mode != Mode::write) real_->bytes_to_bring(c.s, c.level, a, c.of(a), c.to);
  }
  // Brings what `change` makes of each read, and notes the read as it was.
  template <class Change> void bring_changed(const Call& c, const Change& change) {
    Call changed = c;
    for (auto& a : changed.list)
      if (a.mode != Mode::write) change(a);
    rightly(changed);
    for (const auto& a : c.list) note(c, a);
  }
  // Brings the reads of which this holds, and notes the others as well.
  template <class Which> void bring_only(const Call& c, const Which& which) {
    Call fewer = c;
    std::erase_if(fewer.list, [&](const auto& a) { return !which(a); });
    rightly(fewer);
    for (const auto& a : c.list) note(c, a);
  }
  // Before the next routine, when what this one wrote is noted.
  void later(std::function<void()> f) { later_.push_back(std::move(f)); }

  std::shared_ptr<Device> device_;

 private:
  std::shared_ptr<Accelerator> real_;
  std::vector<std::function<void()>> later_;
};

// The defects of 2012.

// Who writes a part of a variable owns all of it: what is right of the rest lies on the other side, and is lost.
struct PartialWriteIsWhole : Wrapped {
  using Wrapped::Wrapped;
  void wrongly(Call c) override {
    rightly(c);
    const auto faces = static_cast<std::uint8_t>(c.s.grid.outer_faces(c.s.grid.levels[c.level]));
    for (const auto& a : c.list)
      if (Validity& v = c.of(a); a.mode != Mode::read)
        later([&v, c, faces] { v.wrote_everywhere(c.to, faces, width(c.s), c.why); });
  }
};
// `copy_back_all_timelevels ? 1 : timelevels`: asked for all, it copies one.
struct FirstTimelevelOnly : Wrapped {
  using Wrapped::Wrapped;
  void wrongly(Call c) override {
    bring_only(c, [](const auto& a) { return a.timelevel == 0; });
  }
};
// What was copied is not noted, and copied again by the next reader.
struct CopiesAgain : Wrapped {
  using Wrapped::Wrapped;
  void wrongly(Call c) override {
    for (const auto& a : c.list)
      if (Validity& v = c.of(a); a.mode != Mode::write && v[c.to] == v[other(c.to)]) v[c.to] = {};
    rightly(c);
  }
};
// A copy moves: where it came from nothing is valid any more.
struct SourceIsInvalid : Wrapped {
  using Wrapped::Wrapped;
  void wrongly(Call c) override {
    for (const auto& a : c.list) {
      const RegionValidity before = c.of(a)[c.to];
      Call one = c;
      one.list = {a};
      rightly(one);
      if (!(c.of(a)[c.to] == before)) c.of(a)[other(c.to)] = {};
    }
  }
};
// What nobody has ever written lies on the host, and is right there.
struct UnknownIsOnHost : Wrapped {
  using Wrapped::Wrapped;
  void wrongly(Call c) override {
    for (const auto& a : c.list)
      if (Validity& v = c.of(a); a.mode != Mode::write && !v[Space::host].interior && !v[Space::device].interior)
        v[Space::host].interior = true;
    rightly(c);
  }
};
// Routines of global mode are none of its business: they see what happens to lie on the host.
struct HostReadersGetNothing : Wrapped {
  using Wrapped::Wrapped;
  void wrongly(Call c) override {
    bring_only(c, [&](const auto&) { return c.to == Space::device; });
  }
};
// Once an iteration everything comes back to the host, lest somebody read it there.
struct AllComesBackEachIteration : Wrapped {
  using Wrapped::Wrapped;
  void wrongly(Call c) override {
    if (std::exchange(last_, c.s.clock.iteration) != c.s.clock.iteration) {
      Call all{c.s, c.level, {}, Space::host, c.why};
      for (const auto& v : c.s.variables)
        for (int t = 0; t < c.s.groups[v.group].timelevels; ++t) all.list.push_back({v.group, v.component, t});
      rightly(all);
    }
    rightly(c);
  }
  int last_ = 0;
};
// One component, one map: that there are others is an assertion which nobody sees.
struct FirstBlockOnly : Wrapped {
  using Wrapped::Wrapped;
  void wrongly(Call c) override {
    int& last = c.s.grid.levels[c.level].last_block;
    const int all = std::exchange(last, 1);
    rightly(c);
    last = all;
  }
};

// What a write makes stale.

struct WriteLeavesOtherSpaceValid : Wrapped {
  using Wrapped::Wrapped;
  void wrongly(Call c) override {
    rightly(c);
    for (const auto& a : c.list)
      if (Validity& v = c.of(a); a.mode != Mode::read)
        later([&v, there = v[other(c.to)], s = other(c.to)] { v[s] = there; });
  }
};
struct WriteLeavesGhostZonesValid : Wrapped {
  using Wrapped::Wrapped;
  void wrongly(Call c) override {
    rightly(c);
    for (const auto& a : c.list)
      if (Validity& v = c.of(a); a.mode != Mode::read)
        later([&v, here = copied(v[c.to]), s = c.to] { copied(v[s]) = here; });
  }
};
struct WriteLeavesOuterBoundaryValid : Wrapped {
  using Wrapped::Wrapped;
  void wrongly(Call c) override {
    rightly(c);
    for (const auto& a : c.list)
      if (Validity& v = c.of(a); a.mode != Mode::read)
        later([&v, here = v[c.to], s = c.to] {
          if (v[s].boundary == 0) v[s].boundary = here.boundary, v[s].along = here.along;
        });
  }
};

// How much of it.

struct GhostZonesOneLayerTooFew : Wrapped {
  using Wrapped::Wrapped;
  void wrongly(Call c) override {
    bring_changed(c, [](auto& a) { a.reach = std::max(0, a.reach - 1); });
  }
};
struct GhostZonesAllLayers : Wrapped {
  using Wrapped::Wrapped;
  void wrongly(Call c) override {
    bring_changed(c, [&](auto& a) { a.reach = a.reach > 0 ? width(c.s) : 0; });
  }
};
struct ShallowGhostZonesAreDeep : Wrapped {
  using Wrapped::Wrapped;
  void wrongly(Call c) override {
    rightly(c);
    for (const auto& a : c.list)
      if (auto& have = copied(c.of(a)[c.to]); have.full > 0)
        have.full = have.faces = static_cast<std::int16_t>(width(c.s));
  }
};
struct StarForBox : Wrapped {
  using Wrapped::Wrapped;
  void wrongly(Call c) override {
    bring_changed(c, [](auto& a) { a.corners = false; });
  }
};
struct StarCountsForBox : Wrapped {
  using Wrapped::Wrapped;
  void wrongly(Call c) override {
    rightly(c);
    for (const auto& a : c.list)
      if (auto& have = copied(c.of(a)[c.to]); a.mode != Mode::write) have.full = have.faces;
  }
};
struct InteriorOnly : Wrapped {
  using Wrapped::Wrapped;
  void wrongly(Call c) override {
    bring_changed(c, [](auto& a) { a.region = Region::interior, a.reach = 0; });
  }
};
struct WholeBlock : Wrapped {
  using Wrapped::Wrapped;
  void wrongly(Call c) override {
    bring_changed(c, [](auto& a) { a.region = Region::everywhere; });
  }
};
struct ConditionIsRightAlongAllGhostZones : Wrapped {
  using Wrapped::Wrapped;
  void wrongly(Call c) override {
    rightly(c);
    for (const auto& a : c.list)
      if (auto& here = c.of(a)[c.to]; here.boundary) here.along = all_layers;
  }
};

// Which, and when.

struct FirstComponentOnly : Wrapped {
  using Wrapped::Wrapped;
  void wrongly(Call c) override {
    bring_changed(c, [](auto& a) { a.component = 0; });
  }
};
struct UpdateIsNoRead : Wrapped {
  using Wrapped::Wrapped;
  void wrongly(Call c) override {
    bring_only(c, [](const auto& a) { return a.mode == Mode::read; });
  }
};
struct ForecastKnowsNoValidity : Wrapped {
  using Wrapped::Wrapped;
  std::int64_t bytes_to_bring(
      const Simulation& s, int level, const VariableAccess& a, Validity& v, Space to) const override {
    v[to] = {};
    return Wrapped::bytes_to_bring(s, level, a, v, to);
  }
};

// The pieces, on their way to the device.

class Meddler : public Wrapped {
 public:
  using Wrapped::Wrapped;
  void wrongly(Call c) override {
    const auto meddling = std::make_shared<Meddling>(*this);
    c.s.services.add(Device::service_name, meddling);
    rightly(c);
    c.s.services.add(Device::service_name, device_);
  }

 protected:
  virtual void copy(Space from, Space to, std::vector<CopyPiece> pieces) = 0;

 private:
  struct Meddling : Device {
    explicit Meddling(Meddler& m) : mine(m) {}
    bool open(int, std::string&) override { return true; }
    std::shared_ptr<char> allocate(std::size_t bytes, const std::string& what) override {
      return mine.device_->allocate(bytes, what);
    }
    std::size_t free_memory() const override { return mine.device_->free_memory(); }
    bool can_run(const KernelTable& t) const override { return mine.device_->can_run(t); }
    void copy(Space from, Space to, std::span<const CopyPiece> p) override {
      mine.copy(from, to, {p.begin(), p.end()});
    }
    void launch(const KernelTable& t, const Launch& l, const char* who) override { mine.device_->launch(t, l, who); }
    void wait() override { mine.device_->wait(); }
    std::shared_ptr<Snapshot> snapshot(const char* from, std::size_t bytes) override {
      return mine.device_->snapshot(from, bytes);
    }
    std::shared_ptr<Snapshot> snapshot(std::span<const CopyPiece> boxes) override {
      return mine.device_->snapshot(boxes);
    }
    Meddler& mine;
  };
};
struct WrongDirection : Meddler {
  using Meddler::Meddler;
  void copy(Space from, Space to, std::vector<CopyPiece> pieces) override {
    for (auto& p : pieces) {
      char* const target = const_cast<char*>(p.from);
      p.from = p.to, p.to = target, std::swap(p.from_stride, p.to_stride);
    }
    device_->copy(to, from, pieces);
  }
};
struct LastPieceForgotten : Meddler {
  using Meddler::Meddler;
  void copy(Space from, Space to, std::vector<CopyPiece> pieces) override {
    pieces.pop_back();
    device_->copy(from, to, pieces);
  }
};
// The device is asked for a copy within its own memory, which nobody waits for.
struct HostDoesNotWait : Meddler {
  using Meddler::Meddler;
  void copy(Space from, Space, std::vector<CopyPiece> pieces) override { device_->copy(from, Space::device, pieces); }
};

template <class B> Schedules::Replace with() {
  return [](std::shared_ptr<Accelerator> real, std::shared_ptr<Device> device) {
    return std::make_shared<B>(std::move(real), std::move(device));
  };
}
}  // namespace

Schedules::Replace faithful() { return with<Wrapped>(); }

const std::vector<BrokenAccelerator>& broken_accelerators() {
#define BROKEN(defect) \
  { #defect, with < defect>() }
  static const std::vector<BrokenAccelerator> all = {BROKEN(PartialWriteIsWhole), BROKEN(FirstTimelevelOnly),
      BROKEN(CopiesAgain), BROKEN(SourceIsInvalid), BROKEN(UnknownIsOnHost), BROKEN(HostReadersGetNothing),
      BROKEN(AllComesBackEachIteration), BROKEN(FirstBlockOnly), BROKEN(WriteLeavesOtherSpaceValid),
      BROKEN(WriteLeavesGhostZonesValid), BROKEN(WriteLeavesOuterBoundaryValid), BROKEN(GhostZonesOneLayerTooFew),
      BROKEN(GhostZonesAllLayers), BROKEN(ShallowGhostZonesAreDeep), BROKEN(StarForBox), BROKEN(StarCountsForBox),
      BROKEN(InteriorOnly), BROKEN(WholeBlock), BROKEN(ConditionIsRightAlongAllGhostZones), BROKEN(FirstComponentOnly),
      BROKEN(UpdateIsNoRead), BROKEN(ForecastKnowsNoValidity), BROKEN(WrongDirection), BROKEN(LastPieceForgotten),
      BROKEN(HostDoesNotWait)};
#undef BROKEN
  return all;
}
