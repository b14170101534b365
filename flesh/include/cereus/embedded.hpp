// The text of a thorn's kernels.hpp and of every header it includes, carried inside the thorn's library: what a kernel
// is compiled from again at run time, on a machine that may have no source tree. add_thorn() generates the list.
#pragma once

namespace cereus::detail {

struct EmbeddedFile {
  const char* name;  // relative to its include directory: "kernels.hpp", "cereus/kernel.hpp"
  const char* text;
};

// Of the thorn that a library belongs to: a hash of all its sources, and the dimensions and scalar types for which it
// has loops in libraries apart ("d1f32 d1f64 …"). One per thorn, so hidden; weak, because a test has none.
struct ThornIdentity {
  const char *name, *hash, *variants;
};
[[gnu::visibility("hidden"), gnu::weak]] extern const ThornIdentity thorn_identity;

// Ends with a null name, before which comes kernels.hpp; a thorn without kernels has the null name only. One list per
// thorn, so hidden; weak, because what is no thorn (a test) has none.
[[gnu::visibility("hidden"), gnu::weak]] extern const EmbeddedFile thorn_source[];

}  // namespace cereus::detail
