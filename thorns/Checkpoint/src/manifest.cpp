#include "manifest.hpp"

#include <bit>
#include <cereus/hash.hpp>
#include <nlohmann/json.hpp>
#include <utility>

namespace Checkpoint {
namespace {
using nlohmann::json;
constexpr const char* format = "Cereus checkpoint 4";

// A whole number that fits: the library would convert 1e300, too.
template <class T> T whole(const json& j) {
  if (j.is_number_unsigned() && std::in_range<T>(j.get<std::uint64_t>())) return static_cast<T>(j.get<std::uint64_t>());
  if (j.is_number_integer() && !j.is_number_unsigned() && std::in_range<T>(j.get<std::int64_t>()))
    return static_cast<T>(j.get<std::int64_t>());
  throw Failure("it has " + j.dump().substr(0, 40) + " where a whole number should be");
}
json json_of(const Box& b) { return {b.lo[0], b.lo[1], b.lo[2], b.hi[0], b.hi[1], b.hi[2]}; }
Box box_from(const json& j) {
  const auto n = [&](int i) { return whole<int>(j.at(static_cast<std::size_t>(i))); };
  return {{n(0), n(1), n(2)}, {n(3), n(4), n(5)}};
}
// Numbers as their bits: a decimal may round.
json json_of(const Clock& c) {
  return {c.iteration, std::bit_cast<std::uint64_t>(c.time), std::bit_cast<std::uint64_t>(c.dt)};
}
Clock clock_from(const json& j) {
  return {whole<int>(j.at(0)), std::bit_cast<double>(whole<std::uint64_t>(j.at(1))),
      std::bit_cast<double>(whole<std::uint64_t>(j.at(2)))};
}

std::string signed_text(const json& j) {
  const std::string body = j.dump(1) + "\n";
  return hash_of(body) + "\n" + body;
}
json checked(const std::string& text, const char* what) {
  const auto line = text.find('\n');
  if (line == std::string::npos || hash_of(std::string_view(text).substr(line + 1)) != text.substr(0, line))
    throw Failure(std::string(what) + " differs from its checksum");
  return json::parse(text.substr(line + 1));
}
template <class F> auto read(const char* what, F&& f) {
  try {
    return f();
  } catch (const json::exception& e) { throw Failure(std::string(what) + " is none: " + e.what()); }
}
}  // namespace

std::array<std::uint64_t, 9> geometry_of(const Patch& l) {
  std::array<std::uint64_t, 9> bits{};
  for (std::size_t d = 0; d < 3; ++d)
    bits[d] = std::bit_cast<std::uint64_t>(l.lower[d]), bits[3 + d] = std::bit_cast<std::uint64_t>(l.spacing[d]),
    bits[6 + d] = l.periodic[static_cast<int>(d)] != 0;
  return bits;
}
Manifest manifest_of(const Simulation& s) {
  Manifest m;
  m.clock = s.clock, m.ghosts = s.grid.ghosts;
  for (const Level& l : s.grid.levels)
    m.levels.push_back(l.clock), m.domains.push_back(l.space.cells), m.geometry.push_back(geometry_of(l.space));
  m.real = name_of(s.real), m.grid = s.services.get<Driver>().grid_text();
  m.parameters = s.resolved_parameters, m.provenance = s.provenance;
  return m;
}

std::string text_of(const Manifest& m) {
  json levels = json::array(), domains = json::array();
  for (const auto& c : m.levels) levels.push_back(json_of(c));
  for (const auto& b : m.domains) domains.push_back(json_of(b));
  return signed_text({{"format", format}, {"iteration", m.clock.iteration}, {"time", m.clock.time},
      {"clock", json_of(m.clock)}, {"levels", levels}, {"real", m.real}, {"grid", m.grid}, {"domains", domains},
      {"geometry", m.geometry}, {"ghosts", m.ghosts}, {"lists", m.lists}, {"growing", m.growing},
      {"parameters", m.parameters}, {"provenance", m.provenance}});
}
Manifest manifest_from(const std::string& text) {
  return read("the manifest", [&] {
    const json j = checked(text, "the manifest");
    if (j.at("format") != format)
      throw Failure("this is a '" + j.at("format").get<std::string>() + "', not a '" + format + "'");
    Manifest m;
    m.clock = clock_from(j.at("clock")), m.real = j.at("real"), m.grid = j.at("grid");
    for (const auto& level : j.at("geometry")) {
      auto& bits = m.geometry.emplace_back();
      for (std::size_t n = 0; n < bits.size(); ++n) bits[n] = whole<std::uint64_t>(level.at(n));
    }
    for (std::size_t d = 0; d < 3; ++d) m.ghosts[static_cast<int>(d)] = whole<int>(j.at("ghosts").at(d));
    for (const auto& c : j.at("levels")) m.levels.push_back(clock_from(c));
    for (const auto& b : j.at("domains")) m.domains.push_back(box_from(b));
    for (const auto& [name, bytes] : j.at("growing").items()) m.growing[name] = whole<std::uint64_t>(bytes);
    m.lists = j.at("lists"), m.parameters = j.at("parameters"), m.provenance = j.at("provenance");
    if (m.levels.size() != m.domains.size() || m.levels.size() != m.geometry.size())
      throw Failure("the manifest contradicts itself");
    return m;
  });
}

std::string text_of(const std::vector<Piece>& pieces) {
  json list = json::array();
  for (const Piece& p : pieces)
    list.push_back({{"variable", p.variable}, {"timelevel", p.timelevel}, {"level", p.level}, {"box", json_of(p.box)},
        {"interior", p.interior}, {"boundary", p.boundary}, {"constant", p.constant}, {"along", p.along},
        {"offset", p.offset}, {"bytes", p.bytes}, {"hash", p.hash}});
  return signed_text(list);
}
std::vector<Piece> pieces_from(const std::string& text) {
  return read("a list of pieces", [&] {
    std::vector<Piece> pieces;
    for (const auto& j : checked(text, "a list of pieces")) {
      Piece p;
      p.variable = j.at("variable"), p.timelevel = whole<int>(j.at("timelevel")), p.level = whole<int>(j.at("level")),
      p.box = box_from(j.at("box"));
      p.boundary = whole<std::uint8_t>(j.at("boundary")), p.constant = whole<std::uint8_t>(j.at("constant")),
      p.along = j.at("along"), p.interior = j.at("interior");
      p.offset = whole<std::uint64_t>(j.at("offset")), p.bytes = whole<std::uint64_t>(j.at("bytes")),
      p.hash = j.at("hash");
      pieces.push_back(std::move(p));
    }
    return pieces;
  });
}
}  // namespace Checkpoint
