// What a shell needs to complete `cereus …`, from the declarations of the commands.
#pragma once
#include <CLI/CLI.hpp>
#include <string>
namespace cereus {
// A script for "bash", "zsh" or "fish".
std::string completion(const CLI::App&, const std::string& shell);
}  // namespace cereus
