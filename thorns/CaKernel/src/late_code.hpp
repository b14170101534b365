// Code compiled late, and the code of earlier runs, kept on disk by content.
#pragma once
#include <cereus/kernel_table.hpp>

#include "compiler.hpp"
namespace CaKernel {
using namespace cereus;
struct Code {
  std::string bytes, log;            // bytes: a cubin, or nothing and what the compiler says
  std::vector<std::string> symbols;  // of Source::functions
};
// Code for an architecture, from the cache or the compiler. `folder`: of the cache; empty: none.
Code code_for(const Source&, const std::string& architecture, const std::string& folder, Compiler&);
// Writes all or nothing, also when several processes write the same; says nothing if it cannot.
void write_whole(const std::string& path, const std::string& bytes);
// Code on disk, with a checksum in front; nothing if there is none, not that which was written, or one that others
// could have put there.
std::string kept_code(const std::string& path);
void keep_code(const std::string& path, const std::string& code);
// Where code is kept, from the environment: $XDG_CACHE_HOME/cereus or $HOME/.cache/cereus.
std::string cache_folder();
// A type, as a source names it; its name in symbols is given.
std::string type_of(const char* name);
// Of a kernel.
inline std::string type_of(const KernelTable& t) { return type_of(t.type_name); }
// The same for kernels that are the same code only: their type and text, and whether they are for stretched axes.
std::string identity_of(const KernelTable&, bool stretched);
}  // namespace CaKernel
