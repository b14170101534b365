// A program that lies beside a thorn's library. It is run only from where the thorn itself may be loaded.
#pragma once
#include <filesystem>
#include <string>
namespace cereus {
// Its path; `inside` is any address in the thorn. Throws Error with the reason if it is not there, or if others could
// have put it there or could exchange it.
std::string program_beside(const void* inside, const std::string& name);
// Why a file whose code is to run may not be trusted, because others could have put it there or could exchange it;
// empty: it may.
std::string why_not_ours(const std::filesystem::path& file);
}  // namespace cereus
