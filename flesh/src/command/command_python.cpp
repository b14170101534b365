// Commands that are written in Python, in lib/python3 beside the executable: this process becomes Python's.
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "command/commands.hpp"
#include "run/catalog.hpp"

namespace cereus {
int command_python(const Options& options) {
  const char* chosen = std::getenv("CEREUS_PYTHON");
  std::string python = chosen && *chosen ? chosen : "python3",
              program = (executable_folder().parent_path() / "lib" / "python3").string();
  std::vector<char*> words{python.data(), program.data()};
  words.insert(words.end(), options.argv + 1, options.argv + options.argc);
  words.push_back(nullptr);
  execvp(words[0], words.data());
  throw Error("cannot start " + python + ": " + std::strerror(errno) +
              "; apt-get install python3 python3-h5py python3-matplotlib python3-numpy python3-yaml");
}
}  // namespace cereus
