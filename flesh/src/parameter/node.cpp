// Nodes compared, and shown in messages.
#include "yaml_file.hpp"

#include <algorithm>

namespace cereus {

bool same_content(const YamlNode& a, const YamlNode& b) {
  const auto same_entry = [](const Entry& x, const Entry& y) {
    return x.key == y.key && same_content(x.value, y.value);
  };
  return a.kind == b.kind && a.text == b.text && a.quoted == b.quoted &&
         std::equal(a.items.begin(), a.items.end(), b.items.begin(), b.items.end(), same_content) &&
         std::equal(a.entries.begin(), a.entries.end(), b.entries.begin(), b.entries.end(), same_entry);
}

std::string shown(const YamlNode& node) {
  constexpr std::size_t longest = 60;
  std::string text;
  if (node.kind == YamlNode::scalar) text = node.quoted ? '"' + node.text + '"' : node.text;
  if (node.kind == YamlNode::map) text = "{...}";
  if (node.kind == YamlNode::sequence) {
    for (const YamlNode& item : node.items)
      if (text.size() <= longest) text += (text.empty() ? "" : ", ") + shown(item);
    text = "[" + text + "]";
  }
  std::replace(text.begin(), text.end(), '\n', ' ');
  if (text.size() <= longest) return text;
  std::size_t cut = longest - 3;
  while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xc0) == 0x80) --cut;  // not inside a character
  return text.substr(0, cut) + "...";
}

}  // namespace cereus
