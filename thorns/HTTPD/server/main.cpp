// cereus-httpd FOLDER PORT: says at which address it shows the folder, then does so until its standard input ends, that
// is, until the run does, however it ends. Whatever is sent to it harms nothing but itself: it is a process of its own,
// with limits of its own.
#include <poll.h>
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "server.hpp"

namespace {
void limit(int what, rlim_t most) {
  const rlimit limits{most, most};
  setrlimit(static_cast<__rlimit_resource_t>(what), &limits);
}
}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return std::fputs("usage: cereus-httpd FOLDER PORT\n", stderr), 1;
  close_range(3, ~0U, 0);  // the run's
  std::signal(SIGPIPE, SIG_IGN);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_AS, rlim_t{1} << 30);
  pthread_attr_t threads;  // the library reads what it is sent by recursion
  pthread_attr_init(&threads);
  pthread_attr_setstacksize(&threads, std::size_t{32} << 20);
  pthread_setattr_default_np(&threads);
  std::thread([] {
    pollfd in{0, 0, 0};  // nobody writes: it hangs up
    while (poll(&in, 1, -1) <= 0) {}
    _exit(0);
  }).detach();
  try {
    HTTPD::Server server(argv[1], std::atoi(argv[2]));
    std::printf("%s\n", server.listens() ? server.url().c_str() : "");
    std::fflush(stdout);
    if (server.listens()) server.serve();
  } catch (const std::exception& e) { std::fprintf(stderr, "cereus-httpd: %s\n", e.what()); }
  return 1;
}
