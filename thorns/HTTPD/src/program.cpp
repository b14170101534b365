#include "program.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cereus/program.hpp>

#include <csignal>
namespace HTTPD {
namespace {
// Up to the end of a line, of the file, or of ten seconds.
std::string first_line(int file) {
  std::string line;
  char c = 0;
  for (pollfd in{file, POLLIN, 0}; poll(&in, 1, 10000) > 0 && read(file, &c, 1) == 1 && c != '\n';) line += c;
  return line;
}
}  // namespace

Program::Program(std::string folder, int port) {
  const std::string program = cereus::program_beside(reinterpret_cast<const void*>(&first_line), "cereus-httpd");
  std::string name = "cereus-httpd", number = std::to_string(port);
  char* const arguments[] = {name.data(), folder.data(), number.data(), nullptr};
  int in[2] = {-1, -1}, out[2] = {-1, -1};
  posix_spawn_file_actions_t files;
  posix_spawnattr_t how;
  posix_spawn_file_actions_init(&files);
  posix_spawnattr_init(&how);
  // In a group of its own: what asks the run to stop is not for it.
  const bool started = pipe2(in, O_CLOEXEC) == 0 && pipe2(out, O_CLOEXEC) == 0 &&
                       posix_spawn_file_actions_adddup2(&files, in[0], 0) == 0 &&
                       posix_spawn_file_actions_adddup2(&files, out[1], 1) == 0 &&
                       posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP) == 0 &&
                       posix_spawnattr_setpgroup(&how, 0) == 0 &&
                       posix_spawn(&child_, program.c_str(), &files, &how, arguments, environ) == 0;
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&how);
  for (int file : {in[0], out[1]})
    if (file >= 0) close(file);
  life_ = in[1];
  if (started) said_ = first_line(out[0]);
  else child_ = -1;
  if (out[0] >= 0) close(out[0]);
}

Program::~Program() {
  if (life_ >= 0) close(life_);
  if (child_ < 0) return;
  kill(child_, SIGKILL);  // it has nothing to put in order
  waitpid(child_, nullptr, 0);
}
}  // namespace HTTPD
