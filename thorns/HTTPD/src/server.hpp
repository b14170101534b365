// Serves an output folder to a browser on this machine. It sees files only, never the simulation: nothing has to be locked, and
// a run with it takes the same steps as one without.
#pragma once
#include <filesystem>
#include <memory>
#include <string>
#include <thread>

namespace httplib { class Server; }
namespace HTTPD {
class Server {
 public:
  // Listens on 127.0.0.1 alone; port 0: any that is free. Throws cereus::Error if the port is taken.
  Server(std::filesystem::path folder, std::string schedule, int port);
  ~Server();
  const std::string& url() const { return url_; }  // with the token without which nothing is answered

 private:
  void routes(const std::string& token);
  std::filesystem::path folder_;
  std::string schedule_, url_;
  std::unique_ptr<httplib::Server> server_;
  std::thread thread_;
};
}  // namespace HTTPD
