// Serves an output folder to a browser on this machine.
#pragma once
#include <httplib.h>

#include <filesystem>
#include <string>
namespace HTTPD {
class Server {
 public:
  Server(std::filesystem::path folder, int port);  // listens on 127.0.0.1 alone; port 0: any that is free
  bool listens() const { return port_ > 0; }
  std::string url() const {
    return "http://127.0.0.1:" + std::to_string(port_) + "/?token=" + token_;
  }                                              // without that token nothing is answered
  void serve() { server_.listen_after_bind(); }  // does not return

 private:
  void routes();
  std::filesystem::path folder_;
  std::string token_;
  int port_ = -1;
  httplib::Server server_;
};
}  // namespace HTTPD
