// Starts mpirun as a child and stays: signals reach the ranks as mpirun forwards them, SIGTERM and SIGINT as SIGUSR2.
#include <fmt/format.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <utility>

#include "base/terminal.hpp"
#include "cereus/console.hpp"
#include "cereus/file.hpp"
#include "command/commands.hpp"
#include "run/catalog.hpp"
#include "run/session.hpp"

namespace cereus {
void tell_launcher(const std::string& file, int rank) {
  if (file.empty() || rank != 0) return;
  if (content_of(file).value_or("").empty()) std::ofstream(file) << "listens";  // else another one has failed already
}

int code_for_launcher(const std::string& file, int code, int rank) {
  if (file.empty() || code == 0) return code;
  std::error_code none;
  if (rank == 0 || std::filesystem::exists(file, none)) std::ofstream(file) << code;
  return 0;
}

int cores_here() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return 1;
  std::set<std::string> cores;  // each by the list of its threads
  for (int n = 0; n < CPU_SETSIZE; ++n)
    if (CPU_ISSET(n, &allowed)) {
      const std::string cpu = "cpu" + std::to_string(n);
      cores.insert(content_of("/sys/devices/system/cpu/" + cpu + "/topology/thread_siblings_list").value_or(cpu));
    }
  return static_cast<int>(cores.size());
}

namespace {
// Where a queue has given several machines, its mpirun spreads processes over them.
bool in_queue() {
  return std::ranges::any_of(std::array{"SLURM_JOB_ID", "PBS_NODEFILE", "LSB_JOBID", "PE_HOSTFILE"},
      [](const char* name) { return std::getenv(name) != nullptr; });
}

// A folder of the session that no other run of this machine removes while mpirun makes it. Other machines may have no
// such place.
std::vector<std::string> own_session(const std::string& folder) {
  const char* const nodes = std::getenv("SLURM_JOB_NUM_NODES");
  const bool alone = !in_queue() || (std::getenv("SLURM_JOB_ID") && (!nodes || std::string_view(nodes) == "1"));
  if (!alone || std::getenv("OMPI_MCA_orte_tmpdir_base")) return {};
  return {"--mca", "orte_tmpdir_base", folder};
}
}  // namespace

std::vector<std::string> words_of_launcher(int processes, int cores, bool root) {
  std::vector<std::string> words{"mpirun", "--quiet"};
  // On one machine drivers of networks are not needed, and take 0.2 s to start; who asks for some by name gets them.
  if (!in_queue() && !std::getenv("OMPI_MCA_pml")) words.insert(words.end(), {"--mca", "pml", "ob1"});
  if (processes > cores) words.push_back("--oversubscribe");
  if (root) words.push_back("--allow-run-as-root");
  words.insert(words.end(), {"--bind-to", "none", "--mca", "odls_base_sigkill_timeout", "4", "-x", terminal_variable,
                                "-n", std::to_string(processes)});
  return words;
}

std::vector<std::string> words_of_run(const Options& options) {
  std::vector<std::string> words{std::filesystem::read_symlink("/proc/self/exe").string(), "run", options.file};
  for (const auto& t : options.thorns) words.insert(words.end(), {"--activate", t});
  for (const auto& s : options.sets) words.insert(words.end(), {"--set", s});
  for (const auto& f : options.thorn_folders) words.insert(words.end(), {"--thorns", f.string()});
  if (options.fresh) words.push_back("--fresh");
  if (options.quiet) words.push_back("--quiet");
  return words;
}

int run_child(std::vector<std::string> words, const std::function<bool(pid_t, int signal, bool first)>& forward,
    const char* mend) {
  std::vector<char*> argv;
  for (auto& w : words) argv.push_back(w.data());
  argv.push_back(nullptr);
  std::signal(SIGCHLD, SIG_DFL);  // ignored, as some parents leave it, no child would be waited for
  sigset_t heard, before;
  sigemptyset(&heard);
  for (const int n : {SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGCHLD})
    if (struct sigaction now; sigaction(n, nullptr, &now) == 0 && now.sa_handler != SIG_IGN) sigaddset(&heard, n);
  pthread_sigmask(SIG_BLOCK, &heard, &before);
  const pid_t child = fork();
  if (child < 0) throw Failure("cannot start " + words[0] + ": " + std::strerror(errno));
  if (child == 0) {
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    prctl(PR_SET_PDEATHSIG, SIGTERM);  // without us nobody would know how it ended
    setpgid(0, 0);                     // a Ctrl-C of the terminal reaches us only, and goes on as a request to stop
    execvp(argv[0], argv.data());
    std::fprintf(stderr, "cannot start %s: %s%s\n", argv[0], std::strerror(errno), mend);
    _exit(1);
  }
  std::vector<int> waiting;
  int status = 0;
  for (pid_t ended = 0; (ended = waitpid(child, &status, WNOHANG)) == 0;) {
    constexpr timespec soon{0, 50'000'000}, later{60, 0};
    const int signal = sigtimedwait(&heard, nullptr, waiting.empty() ? &later : &soon);
    if (signal > 0 && signal != SIGCHLD && !forward(child, signal, true)) waiting.push_back(signal);
    if (signal < 0) std::erase_if(waiting, [&](int n) { return forward(child, n, false); });
  }
  constexpr timespec now{0, 0};
  while (sigtimedwait(&heard, nullptr, &now) > 0) {}  // what came too late asks for nothing any more
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return status;
}

// A slip in N would stop the machine for everybody.
void check_processes(int processes, int cores) {
  if (in_queue()) return;
  if (processes > 32 * cores)
    throw Error(
        fmt::format("-n {}: this machine has {} core{}, too few for so many processes; take at most {}, or start "
                    "several machines by mpirun or srun",
            processes, cores, cores == 1 ? "" : "s", 32 * cores));
}

int start_processes(const Options& options) {
  check_processes(options.processes, cores_here());
  std::string code_file =
      (std::filesystem::temp_directory_path() / "cereus-XXXXXX").string();  // mkstemp's pattern: nobody else's file
  const int file = mkstemp(code_file.data());
  if (file < 0) throw Failure("cannot create " + code_file + ": " + std::strerror(errno));
  close(file);
  auto words = words_of_launcher(options.processes, cores_here(), geteuid() == 0);
  const std::string session = code_file + ".session";
  const auto own = own_session(session);
  words.insert(words.begin() + 1, own.begin(), own.end());
  const auto more = words_of_run(options);
  words.insert(words.end(), more.begin(), more.end());
  words.insert(words.end(), {"--code-file", code_file});
  // A second Ctrl-C ends all at once. What comes before all processes listen would be lost, and waits; but not for
  // ever: process 0 may be on a machine that has another folder for temporary files.
  using clock = std::chrono::steady_clock;
  bool interrupted_before = false, listen = false;
  clock::time_point since;
  const auto forward = [&](pid_t mpirun, int signal, bool first) {
    if (first) since = clock::now();
    if (first && signal == SIGINT && std::exchange(interrupted_before, true)) return kill(mpirun, SIGTERM), true;
    if (first && signal == SIGINT) std::fputs(interrupted.data(), stderr);
    listen = listen || !content_of(code_file).value_or("").empty() || clock::now() - since > std::chrono::seconds(30);
    if (listen) kill(mpirun, signal == SIGUSR1 ? SIGUSR1 : SIGUSR2);
    return listen;
  };
  // mpirun asks hwloc for devices. hwloc's part for OpenCL loads drivers, and LLVM in some of them takes SIGUSR1.
  setenv("HWLOC_COMPONENTS", "-opencl", 0);
  const int status = run_child(std::move(words), forward, "; install openmpi-bin");
  int told = 0;  // by the run; nothing: it ended in another way
  std::ifstream(code_file) >> told;
  std::filesystem::remove(code_file);
  std::error_code gone;
  std::filesystem::remove_all(session, gone);
  const int code = told ? told : WIFEXITED(status) ? WEXITSTATUS(status) : 3;
  if (code > 128)
    console::error(fmt::format("a process of the run was killed (signal {}, {})", code - 128, strsignal(code - 128)));
  else if (code && !told)
    console::error(fmt::format("mpirun ended with exit code {}, and the run itself has not said why", code));
  return code;
}
}  // namespace cereus
