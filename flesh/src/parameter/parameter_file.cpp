// Sorts the top level of a parameter file or arrangement into lists of names and blocks of parameters.
#include "parameter_file.hpp"

#include <cereus/text.hpp>

#include <algorithm>
#include <filesystem>

namespace cereus {
namespace {

/// A list of names, each once; one name alone is a list of one.
std::vector<Named> read_names(const Entry& entry, const std::string& what, Problems& problems) {
  const YamlNode& list = entry.value;
  if (list.kind != YamlNode::sequence && list.kind != YamlNode::scalar) {
    problems.add(list.kind == YamlNode::null ? entry.where : list.where,
        "'" + entry.key + "' must be a list of " + what + ", such as [One, Two]");
    return {};
  }
  std::vector<Named> names;
  for (const YamlNode& item : list.kind == YamlNode::scalar ? std::vector<YamlNode>{list} : list.items) {
    const auto first = std::find_if(names.begin(), names.end(), [&](const Named& n) { return n.name == item.text; });
    // A thorn with a question mark: if it was built.
    const bool optional =
        entry.key == "thorns" && item.text.ends_with('?') && is_name(item.text.substr(0, item.text.size() - 1));
    const bool file = entry.key == "thorns" && (item.text.ends_with(".edl") || item.text.ends_with(".stencil"));
    if (item.kind != YamlNode::scalar || (!is_name(item.text) && !optional && !file))
      problems.add(item.where, "'" + shown(item) + "' is not a name; '" + entry.key + "' is a list of " + what);
    else if (first != names.end())
      problems.add(
          item.where, "'" + item.text + "' is listed twice, first in line " + std::to_string(first->where.line));
    else names.push_back({item.text, item.where});
  }
  return names;
}

/// One text, or a list of texts; a block of text begins in the line after its place.
std::vector<Named> read_texts(const Entry& entry, Problems& problems) {
  std::vector<Named> texts;
  const bool many = entry.value.kind == YamlNode::sequence;
  for (const YamlNode& item : many ? entry.value.items : std::vector<YamlNode>{entry.value}) {
    if (item.kind != YamlNode::scalar || item.text.find('\n') == std::string::npos)
      problems.add(item.where, "'equations' is a block of text: 'equations: |', and the thorn further in");
    else texts.push_back({item.text, {item.where.file, item.where.line + 1, 1}});
  }
  return texts;
}

/// A map from names of thorns to blocks of text.
std::map<std::string, Named> read_programs(const Entry& entry, Problems& problems) {
  std::map<std::string, Named> programs;
  for (const Entry& e : entry.value.entries)
    if (!is_name(e.key) || e.value.kind != YamlNode::scalar || e.value.text.find('\n') == std::string::npos)
      problems.add(e.where, "'stencils' has a block of text for each thorn: 'Heat: |', and the program further in");
    else programs[e.key] = {e.value.text, {e.value.where.file, e.value.where.line + 1, 1}};
  if (entry.value.kind != YamlNode::map)
    problems.add(entry.where, "'stencils' has a block of text for each thorn: 'Heat: |', and the program further in");
  return programs;
}

void read_block(const Entry& entry, const std::vector<std::string>& top_level, Origin origin,
    std::map<std::string, ThornBlock>& blocks, Problems& problems) {
  if (!is_name(entry.key)) {
    const auto at = entry.key.find("::");
    problems.add(entry.where,
        "'" + entry.key + "' is not the name of a thorn" +
            (at == std::string::npos ? ""
                                     : "; a parameter stands in the block of its thorn, " + entry.key.substr(0, at) +
                                           ": {" + entry.key.substr(at + 2) + ": …}"));
  } else if (entry.value.kind == YamlNode::map || entry.value.kind == YamlNode::null) {
    ThornBlock& block = blocks[entry.key];
    block.where = entry.where;
    for (const Entry& e : entry.value.entries) block.settings[e.key] = {e.value, e.where, origin};
  } else {
    const std::string near = did_you_mean(entry.key, top_level);
    problems.add(entry.where, "'" + entry.key + "' must be followed by parameters, one a line and indented" + near);
  }
}

void set_place(YamlNode& node, const Where& where) {
  node.where = where;
  for (YamlNode& item : node.items) set_place(item, where);
  for (Entry& entry : node.entries) {
    entry.where = where;
    set_place(entry.value, where);
  }
}

/// The entries of the document, which must be a map.
std::vector<Entry> top_entries(YamlNode root, Problems& problems) {
  if (root.kind != YamlNode::map && root.kind != YamlNode::null)
    problems.add(root.where, "the file must consist of lines such as 'thorns: [WaveToy]' and 'WaveToy:'");
  return std::move(root.entries);
}

}  // namespace

ParameterFile parameter_file_from(YamlNode root, Problems& problems) {
  ParameterFile file;
  file.path = root.where.file;
  for (const Entry& entry : top_entries(std::move(root), problems)) {
    if (entry.key == "arrangements") file.arrangements = read_names(entry, "arrangements", problems);
    else if (entry.key == "thorns") file.thorns = read_names(entry, "thorns", problems);
    else if (entry.key == "equations") file.equations = read_texts(entry, problems);
    else if (entry.key == "stencils") file.stencils = read_programs(entry, problems);
    else read_block(entry, {"arrangements", "thorns", "equations", "stencils"}, Origin::file, file.blocks, problems);
  }
  return file;
}

Arrangement arrangement_from(YamlNode root, Problems& problems) {
  Arrangement arrangement;
  arrangement.name = std::filesystem::path(root.where.file).stem().string();
  for (const Entry& entry : top_entries(std::move(root), problems)) {
    if (entry.key == "thorns") {
      arrangement.thorns = read_names(entry, "thorns", problems);
    } else if (entry.key == "description") {
      if (entry.value.kind != YamlNode::scalar) problems.add(entry.where, "'description' must be a sentence");
      arrangement.description = entry.value.text;
    } else {
      read_block(entry, {"description", "thorns"}, Origin::arrangement, arrangement.blocks, problems);
    }
  }
  return arrangement;
}

void merge(ParameterFile& file, const Arrangement& arrangement, Problems& problems) {
  for (const Named& thorn : arrangement.thorns)
    if (std::none_of(file.thorns.begin(), file.thorns.end(), [&](const Named& n) { return n.name == thorn.name; }))
      file.thorns.push_back(thorn);
  for (const auto& [thorn, defaults] : arrangement.blocks) {
    ThornBlock& block = file.blocks.try_emplace(thorn, ThornBlock{defaults.where, {}}).first->second;
    for (const auto& [key, setting] : defaults.settings) {
      const auto [known, is_new] = block.settings.emplace(key, setting);
      if (!is_new && known->second.origin == Origin::arrangement && !same_content(known->second.value, setting.value))
        problems.add(setting.key_where, thorn + "." + key + " = " + shown(setting.value) + ", but " +
                                            to_string(known->second.key_where) + " wants " +
                                            shown(known->second.value) + "; decide in the parameter file");
    }
  }
}

void apply_set(ParameterFile& file, const std::string& assignment, Problems& problems) {
  const Where where{"--set " + assignment};
  const std::size_t equals = assignment.find('='), dot = assignment.find('.');
  if (equals == std::string::npos || dot == std::string::npos || dot > equals)
    return problems.add(where, "expected Thorn.parameter=value, such as WaveToy.order=4");
  const std::string thorn = assignment.substr(0, dot), key = assignment.substr(dot + 1, equals - dot - 1);
  if (!is_name(thorn) || !is_name(key))
    return problems.add(where, "expected Thorn.parameter=value, such as WaveToy.order=4");
  YamlNode value;
  if (const std::string text = assignment.substr(equals + 1); text.find_first_not_of(' ') != std::string::npos) {
    Problems mistakes;
    value = parse_yaml(text, where.file, mistakes);
    for (const Problem& p : mistakes.list()) problems.add(where, p.message);
    if (!mistakes.empty()) return;
  }
  set_place(value, where);
  ThornBlock& block = file.blocks.try_emplace(thorn, ThornBlock{where, {}}).first->second;
  block.settings[key] = {value, where, Origin::command_line};
}

}  // namespace cereus
