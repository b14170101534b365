#include "checkpoint.hpp"

#include <algorithm>
#include <cereus/console.hpp>
#include <cereus/text.hpp>
#include <set>
#include <sstream>

#include "disk.hpp"
#include "series.hpp"
namespace Checkpoint {
namespace {
constexpr const char *folder = "checkpoints", *control_file = "checkpoint-now";
Store store_of(const Simulation& s) { return Store(s.output / folder); }

// Lines of resolved parameters that differ.
std::string difference(const std::string& before, const std::string& now) {
  const auto lines = [](const std::string& text) {
    std::vector<std::string> list;
    std::istringstream in(text);
    for (std::string thorn, line; std::getline(in, line);)
      if (!line.empty() && line[0] != ' ' && line[0] != '#') thorn = line;
      else if (!line.empty() && line[0] == ' ') list.push_back(thorn + line);
    return list;
  };
  const auto a = lines(before), b = lines(now);
  std::string text;
  for (const auto& line : a)
    if (std::ranges::find(b, line) == b.end()) text += "\n  - " + line;
  for (const auto& line : b)
    if (std::ranges::find(a, line) == a.end()) text += "\n  + " + line;
  return text;
}

// Throws Error where this run is another one than that which wrote.
void check_fit(const Simulation& s, const Manifest& m, const std::string& path) {
  const Manifest now = manifest_of(s);
  if (m.real != now.real)
    throw Error(
        s.of("Cereus").where("real"), path + " holds numbers of type " + m.real + ", but Cereus.real is " + now.real);
  if (m.domains != now.domains)
    throw Error(path +
                " is of another grid than this run; set cells, levels and blocks of the driver back, or start anew "
                "with --fresh");
  if (m.geometry != now.geometry)
    throw Error(path + " is of a grid with other bounds or periodic axes; set them back, or start anew with --fresh");
}
void check_fit(const Simulation& s, const Piece& p) {
  const int number = s.variable_number(p.variable);
  if (number < 0)
    throw Error("the checkpoint holds " + p.variable +
                ", which this run does not have; activate its thorn again, or start anew with --fresh");
  const auto& info = s.variables[number];
  const Group& group = s.groups[info.group];
  const bool plain = group.kind != GroupKind::grid_function;
  const auto points = plain ? s.fields.elements(info.group) : p.box.points();
  if (!group.checkpointed || plain != (p.level < 0) || p.timelevel < 0 ||
      p.timelevel >= std::min(group.timelevels, s.fields.buffers(info.group)) ||
      p.level >= static_cast<int>(s.grid.levels.size()) ||
      static_cast<std::uint64_t>(points) * size_of(s.type(info.group)) != p.bytes)
    throw Error("the checkpoint holds " + p.variable +
                " with other timelevels, levels or elements than this run; start anew with --fresh");
}

// Throws Error where this run evolves what the checkpoint lacks.
void check_evolved(const Simulation& s, const std::vector<std::vector<Piece>>& pieces, const std::string& path) {
  std::set<std::string> held;
  for (const auto& list : pieces)
    for (const Piece& p : list) held.insert(p.variable);
  for (const Group& rhs : s.groups) {
    if (rhs.evolves < 0 || s.fields.buffers(rhs.evolves) == 0) continue;
    const Group& state = s.groups[rhs.evolves];
    for (int v = 0; v < static_cast<int>(state.variables.size()); ++v)
      if (const std::string& name = s.variable_name(rhs.evolves, v); !held.count(name))
        throw Error(path + " lacks " + name + ", which this run evolves: " + state.thorn +
                    " was another then, or not active; set it back, or start anew with --fresh");
  }
}

// Grid functions from the pieces that this process wants, and from no others: each process reads what it needs. None of
// them is valid yet. Returns the grid scalars and arrays with their bytes, which are not yet put back: if any process
// finds a damage, the state is still what it was.
std::vector<std::pair<Piece, std::string>> put_fields_back(
    Simulation& s, const std::filesystem::path& folder, const std::vector<std::vector<Piece>>& pieces) {
  std::vector<std::pair<Piece, std::string>> plain;
  for (std::size_t process = 0; process < pieces.size(); ++process) {
    std::optional<Data> data;
    for (const Piece& p : pieces[process]) {
      if (!wants(s, p)) continue;
      if (!data) data.emplace(folder / data_name(static_cast<int>(process)), pieces[process]);
      const auto bytes = data->read(p);
      if (p.level < 0) plain.emplace_back(p, bytes);
      else put_back(s, p, bytes.data());
    }
  }
  return plain;
}

// Reads the files of a checkpoint once, each process some of them.
void check_share(
    const Simulation& s, const std::filesystem::path& folder, const std::vector<std::vector<Piece>>& pieces) {
  for (auto p = static_cast<std::size_t>(s.process.rank()); p < pieces.size();
       p += static_cast<std::size_t>(s.process.size())) {
    Data data(folder / data_name(static_cast<int>(p)), pieces[p]);
    for (const Piece& piece : pieces[p]) data.read(piece);
  }
}

void note_all(Simulation& s, const Manifest& m, const std::vector<std::vector<Piece>>& pieces) {
  Restored restored(s);
  bool thin = false;
  for (int d = 0; d < s.grid.dim; ++d) thin = thin || m.ghosts[d] < s.grid.ghosts[d];
  for (const auto& list : pieces)
    for (Piece p : list) {
      if (thin) p.boundary &= p.constant;  // the conditions fill it again, as deep as it is now
      restored.add(s, p);
    }
  s.clock = m.clock;
  for (std::size_t l = 0; l < m.levels.size(); ++l) s.grid.levels[l].clock = m.levels[l];
  restored.note(s);
}
}  // namespace

Keeper::Keeper(const Parameters& p)
    : every_(static_cast<int>(p.integer("every"))),
      keep_(static_cast<int>(p.integer("keep"))),
      minutes_(p.real("minutes")),
      asynchronous_(p.boolean("asynchronous")),
      at_end_(p.boolean("at_end")) {}
Keeper::~Keeper() {
  if (writer_.joinable()) writer_.join();
}

int Keeper::newest_in(const std::filesystem::path& output) const {
  const auto list = Store(output / folder).iterations();
  return list.empty() ? -1 : list.front();
}

bool Keeper::restore(Simulation& s) {
  constexpr double slow = 2e8;  // bytes a second: a guess, until one has been written
  seconds_ = static_cast<double>(s.fields.bytes()) / slow;
  const Store store = store_of(s);
  std::string text;
  for (int n : store.iterations()) text += std::to_string(n) + " ";
  std::istringstream list(s.process.broadcast(text));  // as rank 0 sees the folder
  bool any = false;
  for (int n = 0; list >> n; any = true) {
    Manifest m;
    std::vector<std::vector<Piece>> pieces;
    std::string damage;
    const std::string path = store.path_of(n).string();
    const auto whole = [&](auto&& read) {  // on all processes
      try {
        read();
      } catch (const std::exception& e) { damage = e.what(); }
      if (!damage.empty()) console::warn("the checkpoint " + path + " is damaged: " + damage);
      return !s.process.any(!damage.empty());
    };
    std::string lists;  // each ends with a zero; rank 0 opens them, so that P processes do not open P² files
    if (!whole([&] {
          m = store.manifest(n);
          for (int p = 0; s.process.rank() == 0 && p < static_cast<int>(m.lists.size()); ++p)
            lists += store.list(n, m, p) + '\0';
        }))
      continue;
    lists = s.process.broadcast(std::move(lists));
    if (!whole([&] {
          for (std::size_t at = 0; at < lists.size(); at = lists.find('\0', at) + 1)
            pieces.push_back(pieces_from(lists.substr(at, lists.find('\0', at) - at)));
        }))
      continue;
    if (m.grid != s.services.get<Driver>().grid_text()) {  // else the grid stays what it is if there is damage
      if (!whole([&] { check_share(s, path, pieces); })) continue;
      change_grid(s, m.grid);
    }
    check_fit(s, m, path);
    for (const auto& list : pieces)
      for (const Piece& p : list) check_fit(s, p);
    check_evolved(s, pieces, path);
    std::vector<std::pair<Piece, std::string>> plain;
    if (!whole([&] { plain = put_fields_back(s, path, pieces); })) continue;
    for (const auto& [p, bytes] : plain) put_back(s, p, bytes.data());
    note_all(s, m, pieces);
    if (s.process.rank() == 0) cut_series(s.output, m.growing);
    s.process.any(false);  // before anybody writes on
    newest_ = n;
    const std::string changed = difference(m.parameters, s.resolved_parameters);
    console::say("going on from iteration " + std::to_string(n) + ", " + path +
                 (changed.empty() ? "" : "; parameters have changed:" + changed));
    return true;
  }
  if (any) throw Error("no checkpoint in " + (s.output / folder).string() + " is whole; start anew with --fresh");
  return false;
}

// A file that somebody put there to ask; looked for on rank 0, at most once a second.
bool Keeper::asked_by_file(const Simulation& s) {
  if (s.process.rank() != 0 || clock::now() - looked_ < std::chrono::seconds(1)) return false;
  looked_ = clock::now();
  std::error_code error;
  return std::filesystem::remove(s.output / control_file, error);
}

bool Keeper::due(const Simulation& s, bool asked) {
  const bool time = minutes_ > 0 && std::chrono::duration<double>(clock::now() - last_).count() >= 60 * minutes_;
  const bool here = asked && s.process.rank() == 0;  // a launcher tells all, and they hear it a step apart
  return s.process.any(here || time || asked_by_file(s)) || planned(s.clock.iteration);
}

bool Keeper::due_at_end(const Simulation& s, bool stopped) const {
  return (stopped || at_end_) && newest_ != s.clock.iteration;
}

// Waits for the writer, and says what became of it.
void Keeper::report() {
  if (writer_.joinable()) writer_.join();
  if (!problem_.empty())
    console::warn("no checkpoint was written at iteration " + std::to_string(newest_) + ": " + problem_ +
                  "; what is there stays");
  problem_.clear();
}

void Keeper::write(Simulation& s) {
  report();
  last_ = clock::now(), newest_ = s.clock.iteration;
  wait_for_all(s);  // so that series are as long as they should be
  const Store store = store_of(s);
  Manifest m = manifest_of(s);
  m.lists.resize(static_cast<std::size_t>(s.process.size()));
  if (s.process.rank() == 0) m.growing = lengths_of_series(s.output);
  take_image(s, image_);
  std::uint64_t need = image_.bytes;  // of all processes, whose parts may differ
  s.services.get<Driver>().combine_over_processes(&need, sizeof need, [](void* sum, const void* more) {
    *static_cast<std::uint64_t*>(sum) += *static_cast<const std::uint64_t*>(more);
  });
  if (s.process.rank() == 0) {
    try {
      std::error_code error;
      store.begin(m.clock.iteration);
      const auto space = std::filesystem::space(s.output, error);
      if (!error && need > space.available)
        throw Failure("it needs " + format_bytes(static_cast<double>(need)) + ", and " +
                      format_bytes(static_cast<double>(space.available)) + " are free");
    } catch (const Failure& e) { problem_ = e.what(); }
  }
  if (s.process.any(!problem_.empty())) {
    if (s.process.rank() == 0) store.give_up(m.clock.iteration);
    return report();
  }
  const bool alone = s.process.size() == 1, may = alone || s.process.may_thread();
  if (!beside_) beside_ = !alone && may ? s.process.beside() : s.process;
  if (!asynchronous_ || !may) return run(store, std::move(m)), report();
  writer_ = std::thread([this, store, m = std::move(m)]() mutable { run(store, std::move(m)); });
}

// What the writer does. All processes agree before the checkpoint gets its name.
void Keeper::run(const Store& store, Manifest m) {
  const auto start = clock::now();
  const int iteration = m.clock.iteration, rank = beside_->rank();
  const auto attempt = [&](auto&& f) {
    try {
      f();
    } catch (const std::exception& e) { problem_ = e.what(); }
    return !(beside_->size() == 1 ? !problem_.empty() : beside_->any(!problem_.empty()));
  };
  bool good = attempt([&] { store.add(iteration, rank, image_); });
  good = good && attempt([&] {
    if (rank != 0) return;
    for (std::size_t p = 0; p < m.lists.size(); ++p)
      m.lists[p] = store.checksum_of_list(iteration, static_cast<int>(p));
    store.commit(iteration, m);
    store.prune(keep_, iteration);
  });
  if (!good && rank == 0) store.give_up(iteration);
  if (good) seconds_ = std::chrono::duration<double>(clock::now() - start).count();
}
}  // namespace Checkpoint
