#include "film.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cereus/text.hpp>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace IOImage {
namespace {
int result_of(std::vector<std::string> command) {
  std::vector<char*> argv;
  for (auto& word : command) argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_t child = 0;
  if (const int error = posix_spawnp(&child, argv[0], nullptr, nullptr, argv.data(), environ))
    throw std::runtime_error(std::string("cannot start ffmpeg: ") + std::strerror(error));
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

// A pattern that fits this text alone.
std::string literal(const std::string& text) { return cereus::replaced(text, R"([\[\]*?{}\\%])", R"(\$&)"); }
}  // namespace

bool has_ffmpeg() {
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (access((folder + "/ffmpeg").c_str(), X_OK) == 0) return true;
  return false;
}

void make_films(const std::filesystem::path& folder, double rate) {
  std::map<std::string, int> count;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (const std::string variable = cereus::replaced(name, R"(\.it\d{8,}\.png$)", ""); variable != name)
      ++count[variable];
  }
  for (const auto& [name, pictures] : count) {
    if (pictures < 2) continue;
    const auto place = std::filesystem::absolute(folder);  // ffmpeg takes a colon in a relative one for a protocol
    const auto film = place / (name + ".mp4");
    const std::string unfinished = film.string() + ".tmp";
    const int code = result_of(
        {"ffmpeg", "-nostdin", "-y", "-loglevel", "error", "-framerate", std::to_string(rate), "-pattern_type", "glob",
            "-i", literal((place / name).string()) + ".it*.png", "-pix_fmt", "yuv420p", "-f", "mp4", unfinished});
    if (code != 0) {
      std::filesystem::remove(unfinished);
      throw std::runtime_error("no film '" + film.string() + "': ffmpeg ended with " + std::to_string(code));
    }
    std::filesystem::rename(unfinished, film);
  }
}

}  // namespace IOImage
