#include "command/completion.hpp"

#include <fmt/format.h>

namespace cereus {
namespace {
// In single quotes, for all three shells; in zsh brackets and colons have a meaning of their own.
std::string quoted(const std::string& text, const char* special = "") {
  std::string out = "'";
  for (char c : text) {
    if (c == '\'') out += "’";
    else if (std::string_view(special).find(c) != std::string_view::npos) out += std::string("\\") + c;
    else out += c;
  }
  return out + "'";
}

std::vector<const CLI::App*> commands(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* c) { return !c->get_group().empty(); });
}

// Names such as --set, -n; not those that the help leaves out, nor what has its place.
template <class F> void for_each_option(const CLI::App& command, F&& f) {
  for (const CLI::Option* o : command.get_options())
    if (!o->get_group().empty() && o->nonpositional()) {
      for (const auto& name : o->get_lnames()) f("--" + name, *o);
      for (const auto& name : o->get_snames()) f("-" + name, *o);
    }
}

std::string for_bash(const CLI::App& app) {
  std::string names, cases;
  for (const CLI::App* c : commands(app)) {
    std::string options;
    for_each_option(*c, [&](const std::string& name, const CLI::Option&) { options += " " + name; });
    names += " " + c->get_name();
    cases += fmt::format("    {}) words={} ;;\n", c->get_name(), quoted(options.empty() ? "" : options.substr(1)));
  }
  return fmt::format(R"(_cereus() {{
  local words='' word=${{COMP_WORDS[COMP_CWORD]}}
  case ${{COMP_WORDS[1]}} in
{}  esac
  [ "$COMP_CWORD" = 1 ] && words={}
  [ "$COMP_CWORD" = 1 ] || [ "${{word#-}}" != "$word" ] || words=''
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}}
complete -o default -F _cereus cereus ./cereus
)",
      cases, quoted(names.substr(1)));
}

std::string for_zsh(const CLI::App& app) {
  std::string names, cases;
  for (const CLI::App* c : commands(app)) {
    names += fmt::format("    {}\n", quoted(c->get_name() + ":" + c->get_description()));
    cases += fmt::format("    {}) _arguments", c->get_name());
    for_each_option(*c, [&](const std::string& name, const CLI::Option& o) {
      const std::string value = o.get_items_expected_max() > 0 ? ":value:_files" : "";
      cases += " \\\n      " + quoted("*" + name + "[", "") + quoted(o.get_description(), "[]:") + quoted("]" + value);
    });
    cases += " \\\n      '*:file:_files' ;;\n";
  }
  return fmt::format(R"(#compdef cereus
_cereus() {{
  local -a commands=(
{}  )
  if (( CURRENT == 2 )); then _describe command commands; return; fi
  local command=$words[2]
  shift words; (( CURRENT-- ))
  case $command in
{}  esac
}}
compdef _cereus cereus ./cereus
)",
      names, cases);
}

std::string for_fish(const CLI::App& app) {
  std::string out;
  for (const CLI::App* c : commands(app)) {
    out += fmt::format(
        "complete -c cereus -n __fish_use_subcommand -f -a {} -d {}\n", c->get_name(), quoted(c->get_description()));
    for_each_option(*c, [&](const std::string& name, const CLI::Option& o) {
      const bool is_long = name.starts_with("--");
      out += fmt::format("complete -c cereus -n '__fish_seen_subcommand_from {}' -{} {}{} -d {}\n", c->get_name(),
          is_long ? 'l' : 's', name.substr(is_long ? 2 : 1), o.get_items_expected_max() > 0 ? " -r" : "",
          quoted(o.get_description()));
    });
  }
  return out;
}
}  // namespace

std::string completion(const CLI::App& app, const std::string& shell) {
  return shell == "bash" ? for_bash(app) : shell == "zsh" ? for_zsh(app) : for_fish(app);
}
}  // namespace cereus
