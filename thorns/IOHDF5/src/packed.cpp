// The lowest bytes of numbers are mostly noise, on which deflate would spend most of its time and gain nothing. So the
// bytes of one significance are deflated apart from the others, the highest first: once some hardly shrink, lower ones
// that look random are stored as they are. The parts one after another are an ordinary zlib stream.
#include "packed.hpp"

#include <zlib.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

namespace IOHDF5 {
namespace {
constexpr double random_bits = 7.8;  // a byte, of 8, from which on bytes look random
constexpr double hardly = 0.97;      // bytes that deflate leaves of one

std::string shuffle(std::string_view elements, std::size_t size) {
  const std::size_t n = elements.size() / size;
  std::string planes(elements.size(), '\0');
  for (std::size_t p = 0; p < size; ++p)
    for (std::size_t i = 0; i < n; ++i) planes[p * n + i] = elements[i * size + p];
  return planes;
}

double bits_a_byte(std::string_view bytes) {
  std::array<std::uint32_t, 256> counts{};
  for (const char c : bytes) ++counts[static_cast<unsigned char>(c)];
  double bits = 0;
  for (const std::uint32_t c : counts)
    if (c) bits -= c * std::log2(static_cast<double>(c) / static_cast<double>(bytes.size()));
  return bits / static_cast<double>(bytes.size());
}

void append(std::string& to, std::uint32_t number, int bytes) {  // the lowest byte first
  for (; bytes > 0; --bytes, number >>= 8) to += static_cast<char>(number & 0xff);
}

std::string stored(std::string_view bytes) {  // blocks of deflate that hold bytes as they are (RFC 1951, 3.2.4)
  std::string blocks;
  while (!bytes.empty()) {
    const std::string_view block = bytes.substr(0, 0xffff);
    const auto length = static_cast<std::uint32_t>(block.size());
    append(blocks, 0, 1), append(blocks, length, 2), append(blocks, ~length & 0xffff, 2);
    blocks += block;
    bytes.remove_prefix(block.size());
  }
  return blocks;
}

class Deflate {
 public:
  explicit Deflate(int level)
      : ready_(deflateInit2(&z_, level, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) == Z_OK) {}
  ~Deflate() {
    if (ready_) deflateEnd(&z_);
  }
  Deflate(const Deflate&) = delete;
  Deflate& operator=(const Deflate&) = delete;
  std::string operator()(std::string_view bytes) {                   // whole blocks up to the end of a byte
    if (!ready_ || deflateReset(&z_) != Z_OK) return stored(bytes);  // without memory for more
    std::string out(deflateBound(&z_, bytes.size()) + 16, '\0');
    z_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    z_.avail_in = static_cast<uInt>(bytes.size());
    z_.next_out = reinterpret_cast<Bytef*>(out.data());
    z_.avail_out = static_cast<uInt>(out.size());
    if (deflate(&z_, Z_SYNC_FLUSH) != Z_OK || z_.avail_in > 0 || z_.avail_out == 0) return stored(bytes);
    out.resize(out.size() - z_.avail_out);
    return out;
  }

 private:
  z_stream z_{};
  bool ready_;
};

std::uint32_t fletcher32(std::string_view bytes) {  // as HDF5 has it: of pairs of bytes, the higher one first
  const auto at = [&](std::size_t i) -> std::uint32_t {
    return i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0;
  };
  const auto fold = [](std::uint32_t x) { return (x & 0xffff) + (x >> 16); };
  std::uint32_t a = 0, b = 0;
  for (std::size_t i = 0; i < bytes.size();) {
    for (const std::size_t end = std::min(bytes.size(), i + 720); i < end; i += 2) b += a += at(i) << 8 | at(i + 1);
    a = fold(a), b = fold(b);
  }
  return fold(b) << 16 | fold(a);
}
}  // namespace

std::string packed(std::string_view elements, std::size_t size, int level) {
  const std::string planes = shuffle(elements, size);
  const std::size_t n = elements.size() / size;
  Deflate deflate(level);
  std::vector<std::string> parts(size);
  bool noise = false;
  for (std::size_t p = size; p-- > 0;) {
    const std::string_view plane(planes.data() + p * n, n);
    parts[p] = noise && bits_a_byte(plane) > random_bits ? stored(plane) : deflate(plane);
    noise = noise || static_cast<double>(parts[p].size()) > hardly * static_cast<double>(n);
  }
  std::string all("\x78\x01", 2);  // zlib's header (RFC 1950), and its end: a last, empty block, and a checksum
  for (const auto& part : parts) all += part;
  all += std::string("\x03\x00", 2);
  const auto sum = static_cast<std::uint32_t>(
      adler32(1, reinterpret_cast<const Bytef*>(planes.data()), static_cast<uInt>(planes.size())));
  for (int shift = 24; shift >= 0; shift -= 8) append(all, sum >> shift, 1);
  append(all, fletcher32(all), 4);
  return all;
}
}  // namespace IOHDF5
