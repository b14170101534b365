// YAML, read once and strictly: a tree of nodes that know where they stand. Nothing else touches yaml-cpp.
#pragma once

#include <cereus/error.hpp>

#include <string>
#include <vector>

namespace cereus {

struct Entry;

struct YamlNode {
  enum Kind { null, scalar, sequence, map };
  Where where;
  Kind kind = null;
  std::string text;             // of a scalar
  bool quoted = false;          // a scalar in quotes, or a block of text
  std::vector<YamlNode> items;  // of a sequence
  std::vector<Entry> entries;   // of a map, in the order of the file, each key once
};

/// A key of a map, and its value.
struct Entry {
  std::string key;
  Where where;
  YamlNode value;
};

/// The one document of a file. What is wrong goes to `problems`; then what could be read is returned.
/// Refused are: more than 1 MiB, 100 levels or 100 000 nodes (what an alias repeats counts), a second document,
/// repeated keys, keys that are no strings, merge keys (<<), tags, tabs in the indentation, and bytes that are no text.
YamlNode load_yaml(const std::string& path, Problems& problems);
YamlNode parse_yaml(const std::string& text, const std::string& filename, Problems& problems);

/// Do both nodes say the same, wherever they stand?
bool same_content(const YamlNode& a, const YamlNode& b);

/// On one line, as for a message: `[1, 2]`, shortened when long.
std::string shown(const YamlNode& node);

}  // namespace cereus
