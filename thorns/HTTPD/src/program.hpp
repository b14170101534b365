// A program beside this thorn, which runs as long as this object lives, or the process does.
#pragma once
#include <sys/types.h>

#include <string>
namespace HTTPD {
class Program {
 public:
  Program(std::string folder, int port);  // throws Error if others could have exchanged the program
  ~Program();
  Program(const Program&) = delete;
  const std::string& said() const { return said_; }  // the line that it wrote when it was ready; nothing: it could not

 private:
  int life_ = -1;  // its standard input: it ends when that does
  pid_t child_ = -1;
  std::string said_;
};
}  // namespace HTTPD
