#include "notes.hpp"

#include <cereus/file.hpp>

#include <boost/crc.hpp>
#include <cstdint>

namespace IOImage {
namespace {
constexpr std::size_t end_chunk = 12;  // bytes of a chunk without data, such as IEND, which comes last
const std::string signature = "\x89PNG\r\n\x1a\n";
const std::string no_compression_no_language(
    "\0\0\0\0\0", 5);  // after the keyword: its end, two flags, two empty texts

std::string big_endian(std::uint32_t n) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(n >> shift & 0xff);
  return bytes;
}
std::uint32_t number_at(const char* bytes) {
  std::uint32_t n = 0;
  for (int i = 0; i < 4; ++i) n = n << 8 | static_cast<unsigned char>(bytes[i]);
  return n;
}
}  // namespace

std::string with_notes(std::string png, const Notes& notes) {
  for (const auto& [keyword, text] : notes) {
    const std::string body = "iTXt" + keyword + no_compression_no_language + text;
    boost::crc_32_type sum;
    sum.process_bytes(body.data(), body.size());
    png.insert(png.size() - end_chunk,
        big_endian(static_cast<std::uint32_t>(body.size() - 4)) + body + big_endian(sum.checksum()));
  }
  return png;
}

Notes notes_in(const std::filesystem::path& path) {
  Notes notes;
  const auto png = cereus::content_of(path, std::size_t{1} << 26);
  if (!png || !png->starts_with(signature)) return notes;
  for (std::size_t at = signature.size(); at + end_chunk <= png->size();) {
    const std::size_t size = number_at(png->data() + at);
    if (size > png->size() - at - end_chunk) break;
    if (png->compare(at + 4, 4, "iTXt") == 0) {
      const std::string body = png->substr(at + 8, size);
      if (const auto end = body.find(no_compression_no_language); end != std::string::npos)
        notes.emplace(body.substr(0, end), body.substr(end + no_compression_no_language.size()));
    }
    at += size + end_chunk;
  }
  return notes;
}
}  // namespace IOImage
