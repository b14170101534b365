// Code compiled late, and the code of earlier runs, kept on disk by content.
#pragma once
#include <cereus/kernel_table.hpp>

#include "compiler.hpp"
namespace CaKernel {
using namespace cereus;
// Code for an architecture, from the cache or the compiler; empty if it does not compile, with what the compiler says
// in `log`. `folder`: of the cache; empty: none.
std::string code_for(const std::string& source, const std::vector<Text>& headers, const std::string& architecture,
    const std::string& folder, Compiler&, std::string& log);
// Writes all or nothing, also when several processes write the same; says nothing if it cannot.
void write_whole(const std::string& path, const std::string& bytes);
// Code on disk, with a checksum in front; nothing if there is none, not that which was written, or one that others
// could have put there.
std::string kept_code(const std::string& path);
void keep_code(const std::string& path, const std::string& code);
// Where code is kept, from the environment: $XDG_CACHE_HOME/cereus or $HOME/.cache/cereus.
std::string cache_folder();
// The type of a kernel, as a source names it.
std::string type_of(const KernelTable&);
// The same for kernels that are the same code only: their type and text, and whether they are for stretched axes.
std::string identity_of(const KernelTable&, bool stretched);
}  // namespace CaKernel
