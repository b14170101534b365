// A folder holds a run if it holds resolved parameters, which a run writes first.
#include "observe/folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <thread>

#include "cereus/console.hpp"
#include "cereus/file.hpp"
#include "observe/progress.hpp"

namespace cereus {
namespace fs = std::filesystem;
namespace {
constexpr const char *mark = "parameters.yaml", *origin = "provenance.txt";
// Locks the description of a run, which a run holds as long as it goes on. Returns −1 if another process has the lock.
// On a file system without locks every process gets it. Commands that only read take LOCK_SH for a moment.
int lock(const fs::path& folder, int how) {
  const int file = open((folder / mark).c_str(), (how == LOCK_SH ? O_RDONLY : O_RDWR) | O_NONBLOCK | O_CLOEXEC);
  if (file < 0 || flock(file, how | LOCK_NB) == 0 || errno != EWOULDBLOCK) return file < 0 ? 0 : file;
  close(file);
  return -1;
}

std::map<fs::path, int> locked;  // by this process
std::set<fs::path> created;      // folders of runs, by this process

void describe_origin(const Simulation& s) {
  std::ofstream file(s.output / origin);
  file << s.provenance;
  for (const auto& [what, found] : s.agreed) file << "agreed: " << what << ": " << found << "\n";
  file << "host: " << host_name() << "\n";
}

// Whether the run was to say how far it is.
bool says_progress(const fs::path& folder) {
  const std::string text = content_of(folder / mark).value_or("");
  const std::string_view key = "\n  progress: ";
  const auto at = text.find(key, text.find("\nCereus:\n"));
  double seconds = 0;
  if (at != text.npos) std::from_chars(text.data() + at + key.size(), text.data() + text.size(), seconds);
  return seconds > 0;
}
// The machine on which the run goes on; empty if the folder does not say.
std::string begun_on(const fs::path& folder) {
  std::istringstream lines(content_of(folder / origin).value_or(""));
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("host: ")) return line.substr(6);
  return "";
}

// Judges by progress.json: a lock of another machine may not be seen here, and some file systems have no locks. A run
// writes that file only after its first step.
bool may_go_on_unseen(const fs::path& folder, const Standing& last) {
  if (!last.name.empty() && last.state != "running") return false;
  if ((last.name.empty() ? begun_on(folder) : last.host) != host_name()) return true;
  const int file = open((folder / mark).c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  const bool seen = file >= 0 && (flock(file, LOCK_SH | LOCK_NB) == 0 || errno == EWOULDBLOCK);
  if (file >= 0) close(file);
  return !seen;
}

// Whether the folder holds a run with checkpoints that was killed, or failed, before its first. Where runs are not to
// say anything of their progress, it may have ended well.
bool died_early(const Simulation& s) {
  const auto* checkpoints = s.services.find<Checkpoints>();
  if (!checkpoints || !holds_run(s.output) || checkpoints->newest_in(s.output) >= 0) return false;
  const Standing last = standing_in(s.output);
  const bool silent = last.name.empty() && !says_progress(s.output);
  return !silent && last.state != "done" && !may_go_on_unseen(s.output, last);
}

// Waits for commands that only read; throws Error if a run goes on.
int lock_for_run(const fs::path& folder) {
  for (int tries = 10;; std::this_thread::sleep_for(std::chrono::milliseconds(20))) {
    if (const int file = lock(folder, LOCK_EX); file >= 0) return file;
    if (--tries == 0) throw Error(fmt::format("a run goes on in '{}'", folder.string()));
  }
}

// Moves the folder aside and returns its new name.
std::string move_aside(const fs::path& folder) {
  const auto name = [&](int k) { return folder.string() + ".old-" + std::to_string(k); };
  int k = 1;
  while (fs::exists(name(k))) ++k;
  fs::rename(folder, name(k));
  return name(k);
}

// Processes of a run that was killed may need a moment to end.
bool stays_in_use(const fs::path& folder) {
  for (int tries = 80; in_use(folder); std::this_thread::sleep_for(std::chrono::milliseconds(100)))
    if (--tries == 0) return true;
  return false;
}
}  // namespace

bool in_use(const fs::path& folder) {
  const int file = lock(folder, LOCK_SH);
  if (file > 0) close(file);
  return file < 0;
}

bool holds_run(const fs::path& folder) {
  std::error_code error;
  return fs::exists(folder / mark, error);
}

void check_folder(const Simulation& s, bool fresh) {
  const fs::path& folder = s.output;
  const auto refuse = [&](const std::string& why) {
    throw Error(fmt::format("the output folder '{}' {}; choose another with Cereus.output", folder.string(), why));
  };
  if (std::ranges::any_of(folder.native(), [](unsigned char c) { return c < ' '; }))
    throw Error("the name of an output folder has no control characters");
  for (const auto& part : folder)
    if (part == "..")
      throw Error(fmt::format(
          "Cereus.output: '{}' must not contain '..'; name a folder below the current one", folder.string()));
  std::error_code error;
  const auto status = fs::status(folder, error);
  if (!fs::status_known(status)) refuse("cannot be looked at: " + error.message());
  if (!fs::exists(status)) return;
  if (!fs::is_directory(status)) refuse("is a file");
  const auto* checkpoints = s.services.find<Checkpoints>();
  const auto can_go_on = [&] { return checkpoints && checkpoints->newest_in(folder) >= 0; };
  const bool marked = holds_run(folder);
  if (!marked && !can_go_on()) {  // files that are no run: nothing is written among them, and they are not moved
    for (const auto& entry : fs::directory_iterator(folder, error))
      refuse("holds " + entry.path().filename().string() + ", but no run");
    if (error) refuse("cannot be looked at: " + error.message());
  }
  if (stays_in_use(folder)) refuse("belongs to a run that still goes on; wait until it has ended");
  if (fresh || !marked || can_go_on() || died_early(s)) return;  // looked at once the run has ended: it may leave one
  const Standing last = standing_in(folder);
  if (checkpoints && may_go_on_unseen(folder, last))
    throw Error(fmt::format(
        "the run in '{}' may still go on, on {}: it has not said that it ended; wait until it has, or, if it was "
        "killed, add --fresh to move it aside (to {}.old-K) and start anew",
        folder.string(), last.name.empty() ? begun_on(folder) : last.host, folder.string()));
  throw Error(fmt::format(
      "the folder '{}' already holds a run{}; add --fresh to move it aside (to {}.old-K) and start anew, or "
      "choose another folder with --set Cereus.output=NAME",
      folder.string(), checkpoints ? ", but no checkpoint to go on from" : "", folder.string()));
}

void open_folder(const Simulation& s, bool fresh) {
  if (s.process.rank() != 0) return;
  check_folder(s, fresh);
  if (holds_run(s.output) && (fresh || died_early(s))) {
    const int old = lock_for_run(s.output);  // another may have come first, since the folder was checked
    if (fresh) move_aside(s.output);
    else if (died_early(s))
      console::say(fmt::format("the run in '{}' died before its first checkpoint; it is now '{}', and a new one begins",
          s.output.string(), move_aside(s.output)));
    if (old > 0) close(old);
  }
  std::error_code failed;
  if (fs::create_directories(s.output, failed)) created.insert(fs::absolute(s.output));
  if (failed) throw Error(fmt::format("cannot create the output folder '{}': {}", s.output.string(), failed.message()));
  if (!holds_run(s.output)) describe_run(s);
  const int file = lock_for_run(s.output);
  if (file == 0)
    throw Error(fmt::format("another run, which began at the same moment, took the folder '{}'", s.output.string()));
  locked[fs::absolute(s.output)] = file;
}

void forget_folder(const Simulation& s) {
  if (s.output.empty() || !locked.count(fs::absolute(s.output))) return;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(s.output, error))
    if (entry.path().filename() != mark && entry.path().filename() != origin) return;
  if (error) return;
  for (const char* file : {mark, origin}) fs::remove(s.output / file, error);
  if (created.count(fs::absolute(s.output))) fs::remove(s.output, error);
}

void close_folder(const Simulation& s) {
  const auto it = s.output.empty() ? locked.end() : locked.find(fs::absolute(s.output));
  if (it == locked.end()) return;
  if (it->second > 0) close(it->second);
  locked.erase(it);
}

void describe_run(const Simulation& s) {
  if (s.process.rank() != 0) return;
  std::ofstream parameters(s.output / mark);
  if (!(parameters << s.resolved_parameters << std::flush))
    throw Error(fmt::format("cannot write {}", (s.output / mark).string()));
  describe_origin(s);
}

void describe_agreed(const Simulation& s) {
  if (s.process.rank() == 0 && locked.count(fs::absolute(s.output))) describe_origin(s);
}
}  // namespace cereus
