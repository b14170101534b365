// What a checkpoint says of itself. Each process writes its data and a list of its pieces; the manifest, which comes
// last, holds the checksums of those lists and its own, so that all is checked from it: manifest → lists → pieces.
#pragma once
#include <cereus/image.hpp>
#include <map>
namespace Checkpoint {
using namespace cereus;
using Piece = Image::Piece;

struct Manifest {
  Clock clock;
  std::vector<Clock> levels;
  std::string real;          // the run's scalar type
  std::string grid;          // Driver::grid_text
  std::vector<Box> domains;  // of each level
  std::vector<std::array<std::uint64_t, 9>>
      geometry;  // of each level: corner and edge of a cell, as bits, and what is periodic
  Index ghosts{};
  std::vector<std::string> lists;                // checksum of each process's list of pieces
  std::map<std::string, std::uint64_t> growing;  // bytes of each text series, relative to the output folder
  std::string parameters, provenance;
};
Manifest manifest_of(const Simulation&);

// As text, with a checksum in front; and back. Throws Failure, which says what is wrong, on any other text.
std::string text_of(const Manifest&);
Manifest manifest_from(const std::string&);
std::string text_of(const std::vector<Piece>&);
std::vector<Piece> pieces_from(const std::string&);

inline constexpr const char* manifest_name = "manifest.json";
// Not data.P, which kuibit takes for ADIOS.
inline std::string data_name(int process) { return "state." + std::to_string(process); }
inline std::string list_name(int process) { return "pieces." + std::to_string(process) + ".json"; }
}  // namespace Checkpoint
