// Every request needs the token, which only whoever may read the run's messages or its folder knows; the name of the host must be
// this machine's, so that no other page can be made to ask (DNS rebinding). GET only; nothing can be changed from here.
#include "server.hpp"

#include <httplib.h>
#include <pthread.h>
#include <sys/random.h>

#include <cereus/error.hpp>
#include <csignal>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

extern const char* const page;

namespace HTTPD {
namespace fs = std::filesystem;
namespace {
const std::map<std::string, std::string> served{{".asc", "text/plain"}, {".txt", "text/plain"}, {".yaml", "text/plain"}, {".json", "application/json"}, {".png", "image/png"}};

std::string random_text() {  // 128 bits
  unsigned char bytes[16];
  if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes) throw cereus::Failure("HTTPD: the system has no random numbers");
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

// A file that lies in the folder itself, is no link, and is of a kind that is shown.
bool is_served(const fs::path& path) {
  std::error_code error;
  return served.contains(path.extension().string()) && fs::is_regular_file(fs::symlink_status(path, error));
}

std::string state(const fs::path& folder) {
  std::ifstream file(folder / "progress.json");
  nlohmann::json files = nlohmann::json::array();
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (is_served(entry.path()))
      files.push_back({{"name", entry.path().filename().string()}, {"size", entry.file_size(error)},
                       {"changed", entry.last_write_time(error).time_since_epoch() / std::chrono::milliseconds(1)}});
  auto progress = nlohmann::json::parse(file, nullptr, false);
  if (progress.is_discarded()) progress = nullptr;
  return nlohmann::json{{"progress", progress}, {"files", files}}.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void refuse(httplib::Response& answer, int status, const char* why) {
  answer.status = status;
  answer.set_content(std::string(why) + "\n", "text/plain");
}

void send_file(const fs::path& path, httplib::Response& answer) {
  std::error_code error;
  const auto size = is_served(path) ? fs::file_size(path, error) : 0;
  auto file = std::make_shared<std::ifstream>(path, std::ios::binary);
  if (!is_served(path) || error || !*file) return refuse(answer, 404, "there is no such file");
  const auto& type = served.at(path.extension().string());
  if (size == 0) return answer.set_content("", type);
  answer.set_content_provider(size, type, [file](std::size_t offset, std::size_t length, httplib::DataSink& sink) {
    std::string piece(std::min<std::size_t>(length, 1 << 16), '\0');
    file->clear();
    file->seekg(static_cast<std::streamoff>(offset));
    file->read(piece.data(), static_cast<std::streamsize>(piece.size()));
    return file->gcount() > 0 && sink.write(piece.data(), static_cast<std::size_t>(file->gcount()));
  });
}
}  // namespace

Server::Server(fs::path folder, std::string schedule, int port)
    : folder_(std::move(folder)), schedule_(std::move(schedule)), server_(std::make_unique<httplib::Server>()) {
  const std::string token = random_text();
  routes(token);
  server_->new_task_queue = [] { return new httplib::ThreadPool(4); };
  server_->set_socket_options([](socket_t) {});  // by default two servers may share a port
  server_->set_read_timeout(5);
  server_->set_write_timeout(5);
  server_->set_payload_max_length(0);
  if (port == 0) port = server_->bind_to_any_port("127.0.0.1");
  else if (!server_->bind_to_port("127.0.0.1", port)) port = -1;
  if (port < 0) throw cereus::Error("HTTPD.port: nothing can listen there: somebody else does, or may not; choose another, or 0 for any that is free");
  url_ = "http://127.0.0.1:" + std::to_string(port) + "/?token=" + token;
  sigset_t all, before;  // signals are for the run
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::thread([this] { server_->listen_after_bind(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  while (!server_->is_running()) std::this_thread::yield();  // else it could not be stopped
}

Server::~Server() {
  server_->stop();
  thread_.join();
}

void Server::routes(const std::string& token) {
  const std::string nonce = random_text();
  server_->set_pre_routing_handler([token](const httplib::Request& asked, httplib::Response& answer) {
    using httplib::Server;
    if (asked.method != "GET") {
      answer.set_header("Allow", "GET");
      refuse(answer, 405, "this page can only be read");
    } else if (!ours(asked.get_header_value("Host"))) refuse(answer, 403, "this is not the host that you mean");
    else if (!same(asked.get_param_value("token"), token)) refuse(answer, 403, "the address needs the token that the run has printed, and written to httpd.url in its folder");
    else return Server::HandlerResponse::Unhandled;
    return Server::HandlerResponse::Handled;
  });
  server_->set_default_headers({{"Cache-Control", "no-store"}, {"X-Content-Type-Options", "nosniff"}, {"Referrer-Policy", "no-referrer"}, {"Cross-Origin-Resource-Policy", "same-origin"},
                                {"Content-Security-Policy", "default-src 'none'; img-src 'self'; connect-src 'self'; style-src 'nonce-" + nonce + "'; script-src 'nonce-" + nonce +
                                                                "'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"}});
  server_->Get("/", [nonce](const httplib::Request&, httplib::Response& answer) {
    std::string text = page;
    for (auto at = text.find("@NONCE@"); at != std::string::npos; at = text.find("@NONCE@", at)) text.replace(at, 7, nonce);
    answer.set_content(text, "text/html; charset=utf-8");
  });
  server_->Get("/state", [this](const httplib::Request&, httplib::Response& answer) { answer.set_content(state(folder_), "application/json"); });
  server_->Get("/schedule", [this](const httplib::Request&, httplib::Response& answer) { answer.set_content(schedule_, "text/plain; charset=utf-8"); });
  server_->Get(R"(/file/([^/]+))", [this](const httplib::Request& asked, httplib::Response& answer) { send_file(folder_ / asked.matches[1].str(), answer); });
}
}  // namespace HTTPD
