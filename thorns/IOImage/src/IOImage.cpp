// Pictures without any other program: slices of grid functions while the run goes on and at its end, and at its end the
// time series that IOASCII wrote.
#include <cereus/console.hpp>
#include <cereus/domain_checks.hpp>
#include <cereus/thorn.hpp>

#include <algorithm>

#include "ball.hpp"
#include "easel.hpp"
#include "film.hpp"
#include "pictures.hpp"
#include "series.hpp"

namespace IOImage {
using namespace Output;

// What made a picture goes into it.
Notes notes_of(const Simulation& s) {
  return {{"cereus parameters", s.resolved_parameters}, {"cereus build", s.provenance}};
}
std::optional<Provenance> provenance_of(const std::filesystem::path& path) {
  const Notes notes = notes_in(path);
  const auto parameters = notes.find("cereus parameters"), build = notes.find("cereus build");
  return parameters != notes.end() && build != notes.end()
             ? std::optional(Provenance{parameters->second, build->second})
             : std::nullopt;
}

void declare(Declaration& d) {
  d.describe("PNG pictures of slices and of time series");
  d.reads_provenance(provenance_of);
  d.parameter("variables", Variables{{"@evolved"}}, any(), "Grid functions to draw");
  declare_every(d, 0, true);
  d.parameter("slice", "xy", one_of({"x", "y", "z", "xy", "xz", "yz"}), "The plane or line to draw");
  d.parameter("slice_through", {0.0, 0.0, 0.0}, any(), "The slice passes the grid point nearest to this one").length(3);
  d.parameter("window", std::vector<double>{}, any(),
      "The part of a slice that is drawn: lower and upper end along each of its axes; []: all of it");
  declare_looks(d);
  declare_overlays(d);
  d.parameter("panels", Variables{{}}, any(),
      "Grid functions that one picture, panels.AXES.itITERATION.png, shows beside each other, in this order");
  d.parameter("film", false, any(), "Make a film of all pictures of a slice at the end of the run, by ffmpeg");
  d.parameter("film_rate", 10.0, above(0), "Pictures a second of a film").only_with("film", {"true"});
  d.parameter("changes", std::vector<std::string>{}, any(),
      "Files of IOASCII (patterns) to draw over time as the change since their first values, in NAME.change.png");
  d.parameter("series", {"*.norm2.asc", "*energy.average.asc"}, any(),
      "Files of IOASCII in the output folder (patterns) to draw over time at the end of the run");
}

// From one output to the next. The range belongs to the thread of the easel.
struct Studio {
  Kept kept;
  Easel easel;
};

bool is_named(const Simulation& s, const std::vector<std::string>& patterns, const VariableAccess& a) {
  const int variable = s.groups[a.group].first_variable + a.component;
  return std::ranges::any_of(
      patterns, [&](const std::string& pattern) { return std::ranges::count(s.match(pattern), variable) > 0; });
}

std::filesystem::path file_of(const Simulation& s, const std::string& name, const Slice& slice) {
  char ending[32];
  std::snprintf(ending, sizeof ending, ".it%08d.png", s.clock.iteration);
  return s.output / (name + "." + slice.names + ending);
}

// One for each part of a variable, THORN-VARIABLE.AXES.itITERATION.png; on rank 0, elsewhere none. Collective.
std::vector<Picture> pictures_of(
    Simulation& s, const Parameters& par, const VariableAccess& a, const std::shared_ptr<const Overlays>& overlays) {
  const Group& g = s.groups[a.group];
  const ScalarType type = s.type(a.group);
  const Slice slice = cut(s, par, g);
  const auto bytes = gather_slice(s, slice, a);
  std::vector<Picture> pictures;
  for (int p = 0; p < parts(type) && s.process.rank() == 0; ++p) {
    const std::string name = part_name(short_name(s, a), type, p);
    pictures.push_back(
        {slice, g.thorn + "::" + name, type == ScalarType::int32, is_named(s, par.strings("fluid"), a), s.clock.time,
            part_of(bytes, type, p), overlays, file_of(s, lower_case(g.thorn) + "-" + name, slice), notes_of(s)});
  }
  return pictures;
}

std::vector<Picture> panels_of(Simulation& s, const Parameters& par, std::span<const VariableAccess> accesses,
    const std::shared_ptr<const Overlays>& overlays) {
  std::vector<Picture> panels;
  for (const auto& pattern : par.strings("panels"))
    for (const auto& chosen : by_group(accesses))
      for (const auto& a : chosen.accesses)
        if (is_named(s, {pattern}, a))
          for (Picture& p : pictures_of(s, par, a, overlays)) panels.push_back(std::move(p));
  if (!panels.empty()) panels[0].path = file_of(s, "panels", panels[0].slice);
  return panels;
}

// Gathered now, drawn beside the run. What is drawn waits for the pictures of the output before, so that a run which
// draws faster than pictures are made does not fill the memory.
void draw(Simulation& s, const Parameters& par, std::span<const VariableAccess> accesses, Studio& studio) {
  RankZero rank_zero(s.process);
  rank_zero([&] { studio.easel.wait(); });
  const auto overlays = std::make_shared<const Overlays>(gather_overlays(s, par, accesses));
  for (const auto& chosen : by_group(accesses))
    for (const auto& a : chosen.accesses) {
      if (s.groups[a.group].kind != GroupKind::grid_function || !is_named(s, par.strings("variables"), a)) continue;
      for (Picture& p : pictures_of(s, par, a, overlays))
        rank_zero([&] {
          studio.easel.draw([&studio, par, picture = std::make_shared<Picture>(std::move(p))] {
            draw(std::move(*picture), par, studio.kept);
          });
        });
    }
  if (auto panels = std::make_shared<std::vector<Picture>>(panels_of(s, par, accesses, overlays)); !panels->empty())
    rank_zero(
        [&] { studio.easel.draw([&studio, par, panels] { draw_panels(std::move(*panels), par, studio.kept); }); });
  // A checkpoint of this step is not to be complete before its pictures are.
  if (const auto* checkpoints = s.services.find<Checkpoints>(); checkpoints && checkpoints->planned(s.clock.iteration))
    rank_zero([&] { studio.easel.wait(); });
  rank_zero.agree();
}

void draw_slices(Context& c, Studio& studio) { draw(c.simulation(), c.parameters(), c.accesses(), studio); }

std::vector<std::string> names_read(const Parameters& par) {
  std::vector<std::string> names = par.strings("variables");
  for (const auto& name : par.strings("panels")) names.push_back(name);
  for (const auto& name : read_by_overlays(par)) names.push_back(name);
  return names;
}

// Whether its time is over before its last step: a run that goes on from the checkpoint makes the films.
bool goes_on_later(const Simulation& s) {
  return s.of("Cereus").real("wall_clock") > 0 && !over(s, s.clock) && !s.stop && s.failure.empty();
}

// Of a run that has failed; else they were drawn a moment ago.
void draw_last_slices(Context& c, Studio& studio) {
  Simulation& s = c.simulation();
  const auto& par = c.parameters();
  if (par.boolean("at_end") && !s.failure.empty()) {
    std::vector<std::string> stale;
    auto accesses = present(s, names_read(par), &stale);
    for (const auto& fluid : last_fluid(s, par)) accesses.push_back(fluid);
    draw(s, par, accesses, studio);
    if (!stale.empty())
      console::say("IOImage: no last picture of " + join(stale, ", ") + ": not computed in iteration " +
                   std::to_string(s.clock.iteration));
  }
  RankZero rank_zero(s.process);
  rank_zero([&] {
    studio.easel.wait();
    if (par.boolean("film") && !goes_on_later(s) && has_ffmpeg()) make_films(s.output, par.real("film_rate"));
  });
  rank_zero.agree();
}

std::vector<std::filesystem::path> files_like(
    const std::filesystem::path& folder, const std::vector<std::string>& patterns) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (std::ranges::any_of(
            patterns, [&](const auto& pattern) { return glob_match(pattern, entry.path().filename().string()); }))
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

// The files that a parameter of patterns names; warns of a pattern that was given and names none.
std::vector<std::filesystem::path> files_of(Context& c, const char* name) {
  const std::vector<std::string> patterns = c.parameters().strings(name);
  for (const std::string& pattern : patterns)
    if (c.parameters().changed(name) && files_like(c.simulation().output, {pattern}).empty())
      console::warn(
          Problem{c.parameters().where(name), std::string("IOImage.") + name + ": the run wrote no file like '" +
                                                  pattern + "': such are thorn-group.reduction.asc, by IOASCII"}
              .text());
  return files_like(c.simulation().output, patterns);
}

void draw_series(Context& c) {
  Simulation& s = c.simulation();
  RankZero rank_zero(s.process);
  rank_zero([&] {
    for (auto file : files_of(c, "series")) {
      const auto series = read_series(file);
      const std::string title = title_of(s.groups, file, series);
      draw_lines(in_panels(series, title), file.replace_extension(".png"), notes_of(s));
    }
    for (auto file : files_of(c, "changes")) {
      const auto series = read_series(file);
      const std::string title = title_of(s.groups, file, series);
      const double start = series.empty() || series[0].t.empty() ? 0 : series[0].t[0];
      draw_lines(in_panels(changes(series), "Change since t = " + number(start) + ": " + title),
          file.replace_extension(".change.png"), notes_of(s));
    }
  });
  rank_zero.agree();
}

void check_ball(const Simulation& s, const Parameters& par) {
  if (!is_ball(s.grid)) return;
  if (par.string("slice").size() != 2)
    throw Error(par.where("slice"), "IOImage.slice = " + par.string("slice") +
                                        ": a ball has pictures of planes, xy, xz or yz; IOASCII writes its norms");
  if (const auto through = par.reals("slice_through"); std::ranges::any_of(through, [](double x) { return x != 0; }))
    throw Error(par.where("slice_through"), "IOImage.slice_through: pictures of a ball pass through its middle, 0 0 0");
}

// The ends of what a slice may show, in the order of its axes.
Window whole_slice(const Simulation& s, const std::vector<int>& axes) {
  Window whole;
  const Patch& space = s.grid.levels[0].space;
  for (const int d : axes) {
    const auto end = [&](int index) { return space.coordinate(d, Centre::vertex, index); };
    if (const double r = s.grid.outer_radius(); r > 0) whole.push_back({-r, r});
    else whole.push_back({end(space.cells.lo[d]), end(space.cells.hi[d])});
  }
  return whole;
}
void check_window(const Simulation& s, const Parameters& par) {
  if (par.reals("window").empty()) return;
  const std::string names = axes_of_slice(par, s.grid.dim);
  const Window window = window_of(par), whole = whole_slice(s, axes_of(names, s.grid.dim));
  const auto refuse = [&](const std::string& why) { throw Error(par.where("window"), "IOImage.window: " + why); };
  if (par.reals("window").size() != 2 * whole.size())
    refuse("wants a lower and an upper end along each of " + names + "; it has " +
           std::to_string(par.reals("window").size()) + " numbers");
  for (std::size_t n = 0; n < whole.size(); ++n) {
    const auto along = std::string(" along ") + names[n];
    if (!(window[n].first < window[n].second)) refuse("its lower end" + along + " is not below its upper one");
    if (window[n].first >= whole[n].second || window[n].second <= whole[n].first)
      refuse(number(window[n].first) + " to " + number(window[n].second) + along +
             " is beyond the grid, which goes from " + number(whole[n].first) + " to " + number(whole[n].second));
  }
}

void check(Context& c) {
  const Simulation& s = c.simulation();
  check_ball(s, c.parameters());
  check_window(s, c.parameters());
  check_overlays(s, c.parameters());
  if (c.parameters().changed("slice_through")) warn_of_place(c, "slice_through", "; the nearest slice is taken");
  if (const auto& par = c.parameters(); par.was_set("slice"))
    for (const char axis : par.string("slice"))
      if (axis - 'x' >= s.grid.dim)
        throw Error(par.where("slice"), "IOImage.slice = " + par.string("slice") + ": the grid has no axis " + axis);
  if (c.parameters().boolean("film") && s.process.rank() == 0 && !has_ffmpeg())
    console::warn(
        "IOImage.film: there will be pictures, but no film: ffmpeg is not installed (apt-get install ffmpeg)");
}

void schedule(Schedule& s, const Parameters& par) {
  check_looks(par);
  const auto studio = std::make_shared<Studio>();
  s.routine("check", "Whether what is to be drawn can be", check).at(bin::paramcheck);
  s.routine("slices", "Pictures of slices", [studio](Context& c) { draw_slices(c, *studio); })
      .reads(names_read(par))
      .reads(par.strings("fluid"))
      .only([par](const Simulation& s, int level, int group) {
        const Group& g = s.groups[group];
        return std::vector{points_of(s, cut(s, par, g), g, level)};
      })
      .at(bin::output)
      .every(every_of(par))
      .once();
  s.routine(
       "last_slices", "Pictures of the last slices, and films", [studio](Context& c) { draw_last_slices(c, *studio); })
      .at(bin::terminate)
      .once();
  if (!par.strings("series").empty() || !par.strings("changes").empty())
    s.routine("series", "Pictures of time series", draw_series).at(bin::terminate).once();
}
}  // namespace IOImage
CEREUS_THORN(IOImage, IOImage::declare, IOImage::schedule, "*.png")
