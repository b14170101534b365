// A page about the run, for a browser on the machine of process 0.
#include <cereus/console.hpp>
#include <cereus/file.hpp>
#include <cereus/thorn.hpp>

#include <fcntl.h>
#include <unistd.h>

#include "program.hpp"

namespace HTTPD {
using namespace cereus;

void declare(Declaration& d) {
  d.describe(
      "A web page about the run: progress, norms, pictures, timers and the schedule; to look at, on this machine "
      "alone");
  d.parameter("port", 0, between(0, 65535), "Where it listens, on 127.0.0.1; 0: at any port that is free");
}

// The schedule as an indented list.
void list(const Simulation& s, const Node& n, int depth, std::string& text) {
  if (n.routine < 0 && n.children.empty()) return;
  text += std::string(2 * static_cast<std::size_t>(depth), ' ') + n.name;
  if (n.routine >= 0) text += ": " + s.routines[n.routine].item->doc;
  if (n.while_group >= 0) text += " (while " + s.variable_name(n.while_group, n.while_component) + ")";
  text += "\n";
  for (const Node& c : n.children) list(s, c, depth + 1, text);
}
std::string schedule_of(const Simulation& s) {
  std::string text;
  for (const Bin& b : bin::in_order) list(s, s.bins.at(b.name), 0, text);
  return text;
}

// For its owner alone: who reads it can see the page.
void write_address(const std::filesystem::path& path, const std::string& url) {
  std::error_code error;
  std::filesystem::remove(path, error);
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  const std::string line = url + "\n";
  const bool written = file >= 0 && write(file, line.data(), line.size()) == static_cast<ssize_t>(line.size());
  if (file >= 0) close(file);
  if (!written) throw Failure("HTTPD cannot write " + path.string());
}

// The page is to look at: where there can be none, the run goes on without.
void open_page(Context& c, std::unique_ptr<Program>& program, int port) {
  const Simulation& s = c.simulation();
  const auto address = s.output / "httpd.url";
  replace_file(s.output / "schedule.txt", schedule_of(s));
  try {
    program = std::make_unique<Program>(std::filesystem::absolute(s.output), port);
  } catch (const Error& e) { return console::warn(std::string("HTTPD: no page: ") + e.what()); }
  if (program->said().empty())
    return console::warn(port > 0 ? "HTTPD: no page: nothing can listen at port " + std::to_string(port) +
                                        "; choose another, or 0 for any that is free"
                                  : "HTTPD: no page: its program does not start");
  write_address(address, program->said());
  console::say("this run has a page, until it ends: its address is in " + address.string());
}

void schedule(Schedule& s, const Parameters& par) {
  const auto program = std::make_shared<std::unique_ptr<Program>>();  // lives between two routines
  s.routine("serve", "Opens the page",
       [program, port = static_cast<int>(par.integer("port"))](Context& c) {
         if (c.rank() == 0) open_page(c, *program, port);
       })
      .at(bin::startup)
      .once();
  s.routine("close", "Closes the page",
       [program](Context& c) {
         program->reset();
         std::error_code error;
         if (c.rank() == 0) std::filesystem::remove(c.simulation().output / "httpd.url", error);
       })
      .at(bin::shutdown)
      .once();
}
}  // namespace HTTPD
CEREUS_THORN(HTTPD, HTTPD::declare, HTTPD::schedule)
