#include "shared_file.hpp"

namespace IOHDF5 {
using namespace Output;

namespace {
std::filesystem::path unfinished(const std::filesystem::path& name) { return name.string() + ".tmp"; }

std::uint64_t length_of(const Process& process, const std::filesystem::path& file) {  // as rank 0 sees it, on all
  std::error_code none;  // then no process finds the file as long as that
  const std::uint64_t length = std::filesystem::file_size(file, none);
  return std::stoull(process.broadcast(std::to_string(length)));
}

}  // namespace

SharedFile::SharedFile(Simulation& s, const std::filesystem::path& name)
    : s_(s),
      file_(unfinished(name), name),
      alone_(s.process.any(!file_.there(length_of(s.process, unfinished(name))) ||
                           (file_.on_nfs() && s.process.local_size() < s.process.size()))) {}

template <class F> void SharedFile::attempt(F&& f) {
  if (!wrong_.empty()) return;
  try {
    f();
  } catch (const Failure& e) { wrong_ = e.what(); }
}

void SharedFile::write(std::uint64_t at, std::string_view bytes) {
  attempt([&] { file_.write(at, bytes); });
}

void SharedFile::finish(RankZero& rank_zero) {
  if (!alone_ || s_.process.rank() == 0) attempt([&] { file_.finish(); });
  for (const auto& text : s_.services.get<Driver>().gather(wrong_))
    rank_zero([&] {
      if (!text.empty()) throw Failure(std::string(text.begin(), text.end()));
    });
  rank_zero.agree();
}
}  // namespace IOHDF5
