// Messages of a run. Rank 0 speaks; other ranks are heard only in warnings and errors, which name them.
#pragma once
#include <string_view>
namespace cereus::console {
void set_rank(int rank, int size);
void set_quiet(bool);
void say(std::string_view);    // to standard output, rank 0 only
void warn(std::string_view);   // to standard error, each text once
void error(std::string_view);  // to standard error
// To a terminal, rank 0 only: a line that the next message takes the place of; empty: none.
void status(std::string_view);
}  // namespace cereus::console
