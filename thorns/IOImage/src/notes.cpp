#include "notes.hpp"

#include <zlib.h>

#include <cstdint>
#include <fstream>

namespace IOImage {
namespace {
constexpr std::size_t end_chunk = 12;  // bytes of IEND, which comes last
const std::string signature = "\x89PNG\r\n\x1a\n";
const std::string no_compression_no_language("\0\0\0\0\0", 5);  // after the keyword: its end, two flags, two empty texts

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
    const auto sum = crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size()));
    png.insert(png.size() - end_chunk, big_endian(static_cast<std::uint32_t>(body.size() - 4)) + body + big_endian(static_cast<std::uint32_t>(sum)));
  }
  return png;
}

std::optional<std::string> note_in(const std::filesystem::path& png, const std::string& keyword) {
  std::ifstream file(png, std::ios::binary);
  std::string start(signature.size(), '\0');
  if (!file.read(start.data(), static_cast<std::streamsize>(start.size())) || start != signature) return {};
  const std::string wanted = keyword + no_compression_no_language;
  for (char head[8]; file.read(head, sizeof head);) {
    const std::uint32_t size = number_at(head);
    if (std::string(head + 4, 4) != "iTXt" || size > 1u << 24) {
      file.ignore(static_cast<std::streamsize>(size) + 4);
      continue;
    }
    std::string body(size, '\0');
    if (!file.read(body.data(), size)) return {};
    if (body.starts_with(wanted)) return body.substr(wanted.size());
    file.ignore(4);
  }
  return {};
}
}  // namespace IOImage
