// Sweeps on the host: threads take tiles, by the loops that were compiled ahead of time.
#include <omp.h>

#include <algorithm>
#include <cereus/memory.hpp>
#include <cstdio>
#include <fstream>
#include <map>

#include "host_tile.hpp"
#include "sweeper.hpp"
namespace CaKernel {
namespace {
std::string processor() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string text; std::getline(in, text);)
    if (text.starts_with("model name")) return text;
  return "a processor";
}

class HostSweeper : public Sweeper {
 public:
  explicit HostSweeper(Space space) : space_(space) {}
  Space space() const override { return space_; }
  std::string name() const override { return processor() + ", threads: " + std::to_string(omp_get_max_threads()); }

  std::vector<Candidate> candidates(const StepProgram& p, const Index& extent, int most_steps) const override {
    const int dim = p.program.dim;
    std::vector<Candidate> list;
    for (int steps = 1; steps <= most_steps; steps += dim == 1 && steps >= 8 ? 8 : 1) {
      const HostPlan plan = sweep::make_plan<sweep::most_steps>(p.program, steps);
      for (int points = 64; points <= 16384; points *= 2)
        for (int rows = 1; rows <= (dim == 3 ? 256 : 1); rows *= 2) {
          if (points >= 2 * extent[0] && points > 64) continue;
          if (dim == 3 && (rows < 4 || rows >= 2 * extent[1])) continue;
          const HostShape shape(p, plan, points, rows);
          Candidate c;
          c.tile = {steps, rows, 1, points, 1, 1, 1};  // as if one lane held all points of a row
          c.facts.width = shape.width, c.facts.height = shape.height, c.facts.inner_x = points, c.facts.inner_y = rows,
          c.facts.lag = plan.lag;
          c.facts.shared_bytes = static_cast<int>(shape.bytes);
          std::copy_n(plan.lo, 3, c.facts.lo), std::copy_n(plan.hi, 3, c.facts.hi);
          c.cost = cost_of(p, c, work_of(plan, c.facts, dim));
          list.push_back(c);
        }
    }
    std::ranges::sort(list, {}, &Candidate::cost);
    return list;
  }

  void begin(const Simulation&, const StepProgram&, std::vector<Candidate> list) override { list_ = std::move(list); }
  std::vector<Ready> finish(Simulation&, const StepProgram& p, const Index& extent, std::string&) override {
    std::vector<Ready> ready;
    for (const auto& c : list_) {
      Ready r{c};
      r.march = marches(p, r, extent).front();
      ready.push_back(r);
    }
    return ready;
  }

  // As long as there are tiles enough for all threads.
  std::vector<March> marches(const StepProgram& p, const Ready& r, const Index& n) const override {
    const int dim = p.program.dim, threads = omp_get_max_threads();
    const int tiles =
        pieces(n[0], r.candidate.facts.inner_x) * (dim == 3 ? pieces(n[1], r.candidate.facts.inner_y) : 1);
    if (dim == 1) return {{}};
    return {{.rest = pieces(n[dim - 1], pieces(4 * threads, tiles))}};
  }

  // While the host sweeps nobody looks after messages.
  Index skin(const StepProgram&, const Ready&) const override {
    return space_ == Space::host ? Index{} : Index{1, 1, 1};
  }

  void start(Simulation& s, const StepProgram& p, const Ready& r, const BlockBoxes& boxes) override {
    const auto crew = crew_for(p, r.candidate.tile);
    const int dim = p.program.dim;
    const Index by{r.candidate.facts.inner_x,
        dim == 3   ? r.candidate.facts.inner_y
        : dim == 2 ? r.march.rest
                   : 1,
        dim == 3 ? r.march.rest : 1};
    for (const auto& [b, box] : boxes) {
      if (box.empty()) continue;
      const auto work = [crew, by, a = arguments_of(s, p, b, box, space_), &layout = s.fields.layout(b)] {
        crew->sweep(a, layout, by);
      };
      if (space_ == Space::host) work();
      else s.services.get<Device>().run(work);
    }
  }

  std::string text(const Ready& r) const override {
    char line[120];
    std::snprintf(line, sizeof line, "rows %d, points %d, march %d; %d kB in caches", r.candidate.tile.rows,
        r.candidate.tile.lanes, r.march.rest, r.candidate.facts.shared_bytes / 1024);
    return line;
  }

 private:
  struct Crew {  // what the threads work with
    HostPlan plan;
    HostShape shape;
    std::vector<std::unique_ptr<HostTile>> tile;  // of each thread

    void sweep(const sweep::Arguments& a, const Layout& layout, const Index& by) const {
      Index tiles;
      for (int d = 0; d < 3; ++d) tiles[d] = pieces(a.end[d] - a.begin[d], by[d]);
#pragma omp parallel for schedule(dynamic) num_threads(static_cast <int>(tile.size()))
      for (int n = 0; n < tiles[0] * tiles[1] * tiles[2]; ++n) {
        const Index at{n % tiles[0], n / tiles[0] % tiles[1], n / tiles[0] / tiles[1]};
        Box box;
        for (int d = 0; d < 3; ++d)
          box.lo[d] = a.begin[d] + at[d] * by[d], box.hi[d] = std::min(a.end[d], box.lo[d] + by[d]);
        tile[static_cast<std::size_t>(omp_get_thread_num())]->sweep(a, layout, box);
      }
    }
  };
  std::shared_ptr<const Crew> crew_for(const StepProgram& p, const TileShape& t) {
    auto& crew = crews_[text_of(t)];
    if (!crew) {
      const HostPlan plan = sweep::make_plan<sweep::most_steps>(p.program, t.steps);
      crew = std::make_shared<Crew>(Crew{plan, HostShape(p, plan, t.lanes, t.rows), {}});
    }
    while (crew->tile.size() < static_cast<std::size_t>(omp_get_max_threads()))
      crew->tile.push_back(std::make_unique<HostTile>(p, crew->plan, crew->shape));
    return crew;
  }

  // Points that a tile's stages do for each that counts: margins are left out as they are eaten.
  static double work_of(const HostPlan& plan, const Facts& f, int dim) {
    double points = 0;
    for (int v = plan.loaded; v < plan.versions; ++v)
      points += double(f.width - plan.version[v].lo[0] - plan.version[v].hi[0]) *
                (dim == 3 ? f.height - plan.version[v].lo[1] - plan.version[v].hi[1] : 1);
    return points / (plan.versions - plan.loaded) / f.inner_x / f.inner_y;
  }

  // Of a point and step, in cycles of a core: copies from and to memory, and in the caches what the tile does for one.
  // Fitted to 7 points in 3D, and to stages of 13.
  double cost_of(const StepProgram& p, const Candidate& c, double work) const {
    const double bytes = bytes_of(p), moved = bytes * fields_moved(p.program) / c.tile.steps,
                 in_caches = c.facts.shared_bytes;
    const double slow = in_caches < 0.8 * own_cache_ ? 1 : in_caches < 0.75 * shared_cache_ ? 1.6 : 3;
    return moved / 4 +
           work * slow * reads_of(p.program) * p.program.substeps * bytes / 50 * (1 + 32.0 / c.facts.inner_x) +
           60.0 * p.program.stages * p.program.substeps / (c.facts.inner_x * c.facts.inner_y);
  }

  const double own_cache_ = std::max(cache_share(2), 256.0 * 1024), shared_cache_ = cache_share(3);
  Space space_;
  std::vector<Candidate> list_;
  std::map<std::string, std::shared_ptr<Crew>> crews_;
};
}  // namespace

std::unique_ptr<Sweeper> host_sweeper(Space space) { return std::make_unique<HostSweeper>(space); }
}  // namespace CaKernel
