// Every request needs the token, which only the owner of the run's folder can read there; the name of the host must be
// this machine's, so that no other page can be made to ask (DNS rebinding). GET only; nothing can be changed from here.
#include "server.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <vector>

extern const char* const page;

namespace HTTPD {
namespace fs = std::filesystem;
namespace {
const std::map<std::string, std::string> served{{".asc", "text/plain; charset=utf-8"},
    {".txt", "text/plain; charset=utf-8"}, {".yaml", "text/plain; charset=utf-8"}, {".json", "application/json"},
    {".png", "image/png"}};

std::string random_text() {  // 128 bits
  unsigned char bytes[16];
  if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes) throw std::runtime_error("the system has no random numbers");
  std::string text;
  for (unsigned char b : bytes) text += {"0123456789abcdef"[b >> 4], "0123456789abcdef"[b & 15]};
  return text;
}

bool same(const std::string& a, const std::string& b) {  // takes as long wherever they differ
  unsigned differ = a.size() != b.size();
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) differ |= static_cast<unsigned>(a[i] ^ b[i]);
  return !differ;
}

bool ours(std::string host) {
  if (const auto colon = host.rfind(':'); colon != std::string::npos) host.resize(colon);
  return host == "127.0.0.1" || host == "localhost";
}

bool is_shown(const std::string& name) {
  return served.contains(fs::path(name).extension().string()) &&
         std::ranges::none_of(name, [](unsigned char c) { return c < ' ' || c == '/'; });
}

std::int64_t changed(const struct stat& facts) {  // ms since 1970
  return static_cast<std::int64_t>(facts.st_mtim.tv_sec) * 1000 + facts.st_mtim.tv_nsec / 1000000;
}

// A file that lies in the folder itself, is no link, and is of a kind that is shown.
class File {
 public:
  File(const fs::path& folder, const std::string& name)
      : number_(is_shown(name) ? open((folder / name).c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) : -1) {
    struct stat facts {};
    there_ = number_ >= 0 && fstat(number_, &facts) == 0 && S_ISREG(facts.st_mode);
    size = there_ ? static_cast<std::size_t>(facts.st_size) : 0;
  }
  File(const File&) = delete;
  ~File() {
    if (number_ >= 0) close(number_);
  }
  bool there() const { return there_; }
  std::string read(std::size_t offset, std::size_t most) const {
    std::string piece(most, '\0');
    const ssize_t n = pread(number_, piece.data(), piece.size(), static_cast<off_t>(offset));
    piece.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
    return piece;
  }
  std::size_t size;

 private:
  int number_;
  bool there_;
};

struct Entry {
  std::string name;
  std::size_t size;
  std::int64_t changed;
};

// The files that are shown, none of them opened: a run may have written very many, and this is asked every other
// second. Of each kind the newest.
std::vector<Entry> newest_in(const fs::path& folder) {
  constexpr int most = 1000;
  std::vector<Entry> all;
  const std::unique_ptr<DIR, int (*)(DIR*)> open(opendir(folder.c_str()), closedir);
  for (const dirent* entry; open && (entry = readdir(open.get()));) {
    struct stat facts {};
    if (is_shown(entry->d_name) && fstatat(dirfd(open.get()), entry->d_name, &facts, AT_SYMLINK_NOFOLLOW) == 0 &&
        S_ISREG(facts.st_mode))
      all.push_back({entry->d_name, static_cast<std::size_t>(facts.st_size), changed(facts)});
  }
  std::ranges::sort(all, std::ranges::greater{}, &Entry::changed);
  std::map<std::string, int> kinds;
  std::erase_if(all, [&](const Entry& e) { return ++kinds[fs::path(e.name).extension().string()] > most; });
  return all;
}

std::string state(const fs::path& folder) {
  nlohmann::json files = nlohmann::json::array();
  for (const auto& e : newest_in(folder)) files.push_back({{"name", e.name}, {"size", e.size}, {"changed", e.changed}});
  const File file(folder, "progress.json");
  auto progress = nlohmann::json::parse(file.there() ? file.read(0, 1 << 16) : "", nullptr, false);
  if (!progress.is_object()) progress = nullptr;
  return nlohmann::json{{"progress", progress}, {"files", files}}.dump(
      -1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void refuse(httplib::Response& answer, int status, const char* why) {
  answer.status = status;
  answer.set_content(std::string(why) + "\n", "text/plain");
}

void send_file(const fs::path& folder, const std::string& name, httplib::Response& answer) {
  const auto file = std::make_shared<File>(folder, name);
  if (!file->there()) return refuse(answer, 404, "there is no such file");
  const auto& type = served.at(fs::path(name).extension().string());
  if (file->size == 0) return answer.set_content("", type);
  answer.set_content_provider(
      file->size, type, [file](std::size_t offset, std::size_t length, httplib::DataSink& sink) {
        const std::string piece = file->read(offset, std::min<std::size_t>(length, 1 << 16));
        return !piece.empty() && sink.write(piece.data(), piece.size());
      });
}
}  // namespace

Server::Server(fs::path folder, int port) : folder_(std::move(folder)), token_(random_text()) {
  routes();
  server_.new_task_queue = [] { return new httplib::ThreadPool(4); };
  server_.set_socket_options([](socket_t s) {  // by default two servers may share a port
    const int yes = 1;
    setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  });
  server_.set_read_timeout(5);
  server_.set_write_timeout(5);
  server_.set_payload_max_length(0);
  port_ = port == 0 ? server_.bind_to_any_port("127.0.0.1") : server_.bind_to_port("127.0.0.1", port) ? port : -1;
}

void Server::routes() {
  const std::string nonce = random_text();
  server_.set_pre_routing_handler([token = token_](const httplib::Request& asked, httplib::Response& answer) {
    using httplib::Server;
    if (asked.method != "GET") {
      answer.set_header("Allow", "GET");
      refuse(answer, 405, "this page can only be read");
    } else if (!ours(asked.get_header_value("Host"))) refuse(answer, 403, "this is not the host that you mean");
    else if (!same(asked.get_param_value("token"), token))
      refuse(answer, 403, "the address needs the token that is in httpd.url in the run's folder");
    else return Server::HandlerResponse::Unhandled;
    return Server::HandlerResponse::Handled;
  });
  server_.set_default_headers({{"Cache-Control", "no-store"}, {"X-Content-Type-Options", "nosniff"},
      {"Referrer-Policy", "no-referrer"}, {"Cross-Origin-Resource-Policy", "same-origin"},
      {"Content-Security-Policy", "default-src 'none'; img-src 'self'; connect-src 'self'; style-src 'nonce-" + nonce +
                                      "'; script-src 'nonce-" + nonce +
                                      "'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"}});
  server_.Get("/", [nonce](const httplib::Request&, httplib::Response& answer) {
    std::string text = page;
    for (auto at = text.find("@NONCE@"); at != std::string::npos; at = text.find("@NONCE@", at))
      text.replace(at, 7, nonce);
    answer.set_content(text, "text/html; charset=utf-8");
  });
  server_.Get("/state", [this](const httplib::Request&, httplib::Response& answer) {
    answer.set_content(state(folder_), "application/json");
  });
  server_.Get(R"(/file/([^/]+))", [this](const httplib::Request& asked, httplib::Response& answer) {
    send_file(folder_, asked.matches[1].str(), answer);
  });
}
}  // namespace HTTPD
