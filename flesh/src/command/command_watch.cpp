// `cereus watch`: a run seen from its output folder alone, so from any machine that has the folder.
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <sstream>
#include <thread>

#include "cereus/text.hpp"
#include "cereus/text_series.hpp"
#include "command/commands.hpp"
#include "observe/chain.hpp"
#include "observe/curve.hpp"
#include "observe/folder.hpp"
#include "observe/progress.hpp"

namespace cereus {
namespace fs = std::filesystem;
namespace {
std::string bar(double done, int width) {
  std::string text;
  for (int i = 0; i < width; ++i) text += i < done * width ? "█" : "░";
  return text;
}

class Watched {
 public:
  explicit Watched(fs::path folder) : folder_(std::move(folder)) {}
  bool goes_on() const { return goes_on_; }  // when it was looked at
  std::string text(int width, int height) {
    Standing now = standing_in(folder_);
    const bool locked = in_use(folder_), running = now.state == "running";
    const bool elsewhere = running && now.host != host_name();  // its lock may not be seen here
    const SlurmJob job = newest_job(folder_);
    goes_on_ = locked || (elsewhere && !now.name.empty()) || job.may_follow();
    const std::string state = locked                      ? "goes on"
                              : elsewhere                 ? "was heard of " + age() + " ago"
                              : running                   ? "has died"
                              : now.state == "stopped"    ? "was stopped early"
                              : now.state == failed_state ? "has failed"
                                                          : "has ended";
    if (!goes_on_) now.left = 0;
    std::string out = now.name.empty() ? fmt::format("{}: {}\n", printable(folder_.string()),
                                             locked ? "a run goes on; it has not said how far it is"
                                                    : "no run goes on, and it was not said how far it came")
                                       : fmt::format("{} {}; {} process{} on {}\n{}\n", now.name, state, now.processes,
                                             now.processes == 1 ? "" : "es", now.host, line_of(now));
    if (!job.id.empty()) out += fmt::format("job {}, link {}: {}\n", job.id, job.link, job.message);
    if (now.done > 0) out += bar(now.done, std::min(width - 1, 60)) + "\n";
    look();
    if (!checkpoints_.empty())
      out += "checkpoints at iteration " + join(checkpoints_, ", ") +
             (goes_on_ || now.state == "done" ? "" : ": run the same file again to go on from the last") + "\n";
    std::vector<std::pair<std::string, const std::vector<double>*>> lines;
    std::size_t name = 0;
    for (const auto& [file, s] : series_)
      for (std::size_t c = 0; c < s.columns.size(); ++c) {
        lines.emplace_back(c < s.names.size() ? file + " " + s.names[c] : file, &s.columns[c]);
        name = std::max(name, lines.back().first.size());
      }
    const int room = height - static_cast<int>(std::count(out.begin(), out.end(), '\n')) - 2,
              wide = std::max(10, width - static_cast<int>(name) - 18);
    for (std::size_t n = 0; n < lines.size() && static_cast<int>(n) < room; ++n)
      out += fmt::format("{:<{}}  {:>12.6g}  {}\n", lines[n].first, name, lines[n].second->back(),
          curve(*lines[n].second, static_cast<std::size_t>(wide)));
    return out;
  }

 private:
  std::string age() const {
    std::error_code error;
    const auto written = fs::last_write_time(folder_ / progress_file, error);
    return format_seconds(
        error ? 0 : std::max(0.0, std::chrono::duration<double>(fs::file_time_type::clock::now() - written).count()));
  }
  void look() {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder_, error))
      if (entry.path().extension() == ".asc" && entry.is_regular_file(error))
        series_[printable(entry.path().stem().string())].look(entry.path());
    checkpoints_.clear();
    for (const auto& entry : fs::directory_iterator(folder_ / "checkpoints", error))
      if (const std::string n = entry.path().filename().string();
          n.find_first_not_of("0123456789") == std::string::npos)
        checkpoints_.push_back(n.substr(std::min(n.size() - 1, n.find_first_not_of('0'))));
    std::ranges::sort(checkpoints_, {}, [](const std::string& n) { return std::pair(n.size(), n); });
  }
  fs::path folder_;
  bool goes_on_ = false;
  std::map<std::string, TextSeries> series_;
  std::vector<std::string> checkpoints_;
};
}  // namespace

int command_watch(const Options& options) {
  Watched view(options.name);
  if (!holds_run(options.name) && newest_job(options.name).id.empty())
    throw Error(fmt::format("'{}' holds no run (no parameters.yaml); give the output folder of one", options.name));
  if (!isatty(STDOUT_FILENO)) return fmt::print("{}", view.text(100, 1000)), 0;  // once, for a log or a pipe
  for (fmt::print("\033[2J");; std::this_thread::sleep_for(std::chrono::seconds(1))) {
    winsize size{};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) size.ws_col = 80, size.ws_row = 24;
    std::istringstream lines(view.text(size.ws_col, size.ws_row));
    fmt::print("\033[H");  // over what was there, so that nothing flickers
    for (std::string line; std::getline(lines, line);) fmt::print("{}\033[K\n", line);
    fmt::print("\033[J");
    std::fflush(stdout);
    if (!view.goes_on()) return 0;
  }
}
}  // namespace cereus
