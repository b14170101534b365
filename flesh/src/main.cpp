// cereus: reads the command line and hands over to a command. A run goes parameter file → parameters → declarations →
// groups → grid → fields → schedule → bins → output: see run/assemble.cpp and run/run.cpp.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <functional>
#include <utility>

#include "cereus/error.hpp"
#include "cereus/text.hpp"
#include "cereus_build.hpp"
#include "command/commands.hpp"
#include "command/completion.hpp"

using namespace cereus;

namespace {
using Command = std::function<int(const Options&)>;

void add_options_of_equations(CLI::App* sub, Options& o) {
  sub->add_option("file", o.file, "File of equations (.edl) or stencil program (.stencil)")->required();
  sub->add_option("--thorn", o.thorn, "What the thorn of a stencil program is called, if not as the file");
  auto* folder = sub->add_option("--write", o.name, "Folder for kernels.hpp and the thorn's declaration");
  auto* stage =
      sub->add_option("--stage", o.stage, "What to show")->check(CLI::IsMember({"graph", "kernels", "thorn"}));
  sub->add_flag_callback(
         "--check", [] {}, "Only check it, as without --write and --stage")
      ->excludes(folder)
      ->excludes(stage);
  sub->add_option("--dimensions", o.dimensions, "Of the grid, for the graph (default: 3 if the thorn is for them)");
  sub->add_option("--order", o.order, "Of the differences, for the graph (default: the parameter's)");
}

void add_commands_of_python(CLI::App& app, Command& command) {
  for (const auto& [name, what] : {std::pair{"plot", "Draw a field, a slice or a series of a run"},
           {"sweep", "Run a parameter file for several values of parameters"},
           {"convergence", "Run a parameter file at three resolutions, and show the order"},
           {"restart-test", "Cut a run, go on from its checkpoint, and compare with one that was not cut"},
           {"submit", "Submit a run to Slurm, as a chain of jobs until it is done"},
           {"jobs", "List the runs that were submitted, and how far they are"}, {"job", ""}}) {
    auto* sub = app.add_subcommand(name, what)->prefix_command();  // Python reads all that follows
    if (!*what) sub->group("");                                    // not in the help: a job's script calls it
    sub->set_help_flag();
    sub->callback([&command] { command = command_python; });
  }
}

// What is on the command line goes to the options, and which command it asks for to `command`.
void add_commands(CLI::App& app, Options& o, Command& command) {
  const auto add = [&](const char* name, const char* what, Command f) {
    auto* sub = app.add_subcommand(name, what);
    sub->add_option("--thorns", o.thorn_folders, "Further folders in which thorns and arrangements are looked for")
        ->allow_extra_args(false);
    sub->callback([&command, f] { command = f; });
    return sub;
  };
  const auto with_file = [&](CLI::App* sub) {
    sub->add_option("file", o.file, "Parameter file (YAML)")->required();
    sub->add_option("--set", o.sets, "Thorn.key=value: wins over the file; may be repeated")->allow_extra_args(false);
    sub->add_option("--activate", o.thorns, "Further thorns, as if the file named them")
        ->envname("CEREUS_ACTIVATE")
        ->allow_extra_args(false)
        ->delimiter(',');
    sub->add_option("-n", o.processes, "Number of MPI processes")->check(CLI::Range(1, 1 << 20));
    return sub;
  };
  auto* run = with_file(add("run", "Run a parameter file", command_run));
  run->add_flag("--fresh", o.fresh, "Move an earlier run in the output folder aside");
  run->add_flag("--quiet", o.quiet, "Say nothing but warnings and errors");
  run->add_option("--code-file", o.code_file, "For processes that `run -n` starts")->group("");  // not in the help
  auto* supervise = with_file(add(
      "supervise", "Run a parameter file, and again from its newest checkpoint if the run dies", command_supervise));
  supervise->add_flag("--fresh", o.fresh, "Move an earlier run in the output folder aside, at first");
  supervise->add_flag("--quiet", o.quiet, "Say nothing but warnings and errors");
  with_file(add("check", "Check a parameter file: everything but running", command_check));
  auto* graph = with_file(add("graph", "Show the schedule, with the syncs of each step and why", command_graph));
  graph->add_flag_callback(
      "--dot", [&] { o.graph_format = "dot"; }, "As a graph for Graphviz");
  graph->add_flag_callback(
      "--svg", [&] { o.graph_format = "svg"; }, "As a picture");
  graph->add_flag("--why", o.why, "Say below each group what put its routines in this order");
  add("watch", "Show how far a run is, from its output folder", command_watch)
      ->add_option("folder", o.name, "Output folder of a run")
      ->required();
  add("reproduce", "Print the parameter file that made a file or folder", command_reproduce)
      ->add_option("file", o.file, "Output folder, checkpoint, or file of a run")
      ->required();
  add_options_of_equations(
      add("equations", "Check a file of equations or a stencil program, or make a thorn of it", command_equations), o);
  add_commands_of_python(app, command);
  add("list", "List thorns and arrangements", command_list);
  auto* describe = add("describe", "Describe a thorn, or one of its parameters", command_describe);
  describe->add_option("name", o.name, "THORN or THORN.key; without it thorns are listed");
  add("schema", "JSON Schema of all parameters, for editors", command_schema);
  auto* fresh =
      add("new-thorn", "Write the folder of a new thorn, which builds and passes its test", command_new_thorn);
  fresh->add_option("name", o.name, "Name of the thorn")->required();
  fresh->add_option("--like", o.like, "A thorn of Cereus to copy, such as Diffusion; else a small one of diffusion");
  add("completion", "Print what a shell needs to complete these commands",
      [&app](const Options& given) {
        std::fputs(completion(app, given.name).c_str(), stdout);
        return 0;
      })
      ->add_option("shell", o.name, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
}
// What is wrong with a word of the command line that no option takes; empty: the words of CLI11 say it.
std::string explain_word(const CLI::App& app, const CLI::ParseError& e, int argc, char** argv) {
  const auto chosen = app.get_subcommands();
  std::vector<std::string> known;
  for (const auto* option :
      chosen.empty() ? std::vector<const CLI::Option*>() : std::as_const(*chosen[0]).get_options())
    for (const auto& name : option->get_lnames()) known.push_back("--" + name);
  const bool extra = dynamic_cast<const CLI::ExtrasError*>(&e) != nullptr;
  for (int n = 2; n < argc; ++n) {
    const std::string word = argv[n], option = word.substr(0, word.find('='));
    if (word == "-np")
      return "there is no option -np: the number of processes is -n " + std::string(n + 1 < argc ? argv[n + 1] : "N");
    if (!extra) continue;
    if (word.starts_with("--") && !std::ranges::count(known, option))
      return "there is no option " + option + did_you_mean(option, known) +
             (std::ranges::count(known, "--set") ? "; a parameter is set by --set Thorn.key=value" : "");
    if (n > 3 && !word.starts_with("-") && word.find('=') != word.npos && std::string(argv[n - 2]) == "--set")
      return "'" + word + "' has no --set before it: each takes one setting, --set " + argv[n - 1] + " --set " + word;
  }
  return "";
}
}  // namespace

int main(int argc, char** argv) {
  Options o;
  o.argc = argc, o.argv = argv;
  Command command;
  CLI::App app{"Cereus: simulations on block-structured grids, from thorns that declare what they read and write"};
  app.set_version_flag("--version", std::string("cereus ") + build::version + " " + build::git + " (" +
                                        build::compiler + (build::strict ? ", strict)" : ")"));
  app.require_subcommand(1);
  add_commands(app, o, command);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    std::vector<std::string> known;
    for (const auto* c : app.get_subcommands({})) known.push_back(c->get_name());
    if (argc > 1 && argv[1][0] != '-' && !std::ranges::count(known, argv[1]))
      return std::fprintf(stderr, "there is no command '%s'%s\n", argv[1], did_you_mean(argv[1], known).c_str()), 1;
    if (const std::string why = explain_word(app, e, argc, argv); !why.empty())
      return std::fprintf(stderr, "%s\n", why.c_str()), 1;
    return app.exit(e) == 0 ? 0 : 1;
  }
  try {
    return command(o);
  } catch (const Error& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 3;
  }
}
