// Builds nodes from yaml-cpp's events, so that places, repeated keys, aliases and limits are ours to watch.
#include "yaml_file.hpp"

#include "text_file.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <sstream>
#include <unordered_map>

namespace cereus {
namespace {

constexpr std::size_t most_nodes = 100'000, deepest_yaml = 100;

Where at(const std::string& file, const YAML::Mark& mark) {
  return mark.is_null() ? Where{file} : Where{file, mark.line + 1, mark.column + 1};
}

YamlNode node_at(Where where, YamlNode::Kind kind, std::string text = "", bool quoted = false) {
  YamlNode node;
  node.where = std::move(where);
  node.kind = kind;
  node.text = std::move(text);
  node.quoted = quoted;
  return node;
}

/// Thrown when reading cannot sensibly go on.
struct Refusal {
  Where where;
  std::string message;
};

struct Size {
  std::size_t nodes = 1, depth = 1;  // a scalar alone has depth 1
};

Size size_of(const YamlNode& node) {
  Size size;
  const auto include = [&](const YamlNode& child) {
    const Size inner = size_of(child);
    size.nodes += inner.nodes;
    size.depth = std::max(size.depth, inner.depth + 1);
  };
  for (const YamlNode& item : node.items) include(item);
  for (const Entry& entry : node.entries) include(entry.value);
  return size;
}

class Builder : public YAML::EventHandler {
 public:
  Builder(const std::string& file, Problems& problems) : file_(file), problems_(problems) {}

  YamlNode root;
  bool complete = false;

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (complete) throw Refusal{at(file_, mark), "a second document begins here; a file holds one: remove the '---'"};
  }
  void OnDocumentEnd() override { complete = true; }

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    leaf(node_at(at(file_, mark), YamlNode::null), anchor);
  }

  void OnScalar(
      const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, const std::string& value) override {
    refuse_tag(mark, tag);
    leaf(node_at(at(file_, mark), YamlNode::scalar, value, tag == "!"), anchor);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchored_.find(anchor);
    if (found == anchored_.end()) throw Refusal{at(file_, mark), "an alias refers to what it stands in"};
    const Size size = size_of(found->second);
    count(at(file_, mark), size.nodes, size.depth - 1);
    YamlNode node = found->second;
    node.where = at(file_, mark);
    add(std::move(node), true);
  }

  void OnSequenceStart(
      const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, YamlNode::sequence);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(
      const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, YamlNode::map);
  }
  void OnMapEnd() override { close(); }

 private:
  struct Open {
    YamlNode node;
    YAML::anchor_t anchor = YAML::NullAnchor;
    bool value_next = false;                     // in a map: is a value due, or a key?
    std::optional<Entry> entry;                  // in a map: the key whose value is due; none if the key was refused
    std::unordered_map<std::string, int> lines;  // in a map: where each key stands
  };

  void refuse_tag(const YAML::Mark& mark, const std::string& tag) const {
    if (!tag.empty() && tag != "?" && tag != "!")
      throw Refusal{at(file_, mark), "tags (here '" + tag + "') have no meaning here; remove it"};
  }

  void count(const Where& where, std::size_t nodes, std::size_t depth) {
    nodes_ += nodes;
    if (nodes_ > most_nodes)
      throw Refusal{
          where, "more than " + std::to_string(most_nodes) + " values, counting what anchors and aliases repeat"};
    if (open_.size() + depth > deepest_yaml)
      throw Refusal{where, "nested more than " + std::to_string(deepest_yaml) + " levels deep"};
  }

  void open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, YamlNode::Kind kind) {
    refuse_tag(mark, tag);
    count(at(file_, mark), 1, 1);
    open_.emplace_back().node = node_at(at(file_, mark), kind);
    open_.back().anchor = anchor;
  }

  void close() {
    Open done = std::move(open_.back());
    open_.pop_back();
    remember(done.node, done.anchor);
    add(std::move(done.node));
  }

  void leaf(YamlNode node, YAML::anchor_t anchor) {
    count(node.where, 1, 0);
    remember(node, anchor);
    add(std::move(node));
  }

  // An anchored node is kept a second time, which counts: nested anchors would else cost memory without limit.
  void remember(const YamlNode& node, YAML::anchor_t anchor) {
    if (anchor == YAML::NullAnchor) return;
    count(node.where, size_of(node).nodes, 0);
    anchored_[anchor] = node;
  }

  void add(YamlNode node, bool alias = false) {
    if (open_.empty()) {
      root = std::move(node);
      return;
    }
    Open& parent = open_.back();
    if (parent.node.kind == YamlNode::sequence) {
      parent.node.items.push_back(std::move(node));
    } else if (!parent.value_next) {
      parent.value_next = true;
      parent.entry = key(parent, node, alias);
    } else {
      parent.value_next = false;
      if (!parent.entry) return;
      // The parser notes a missing value where it sees that it is missing, at the next key.
      if (node.kind == YamlNode::null && node.where.line != parent.entry->where.line) node.where = parent.entry->where;
      parent.entry->value = std::move(node);
      parent.node.entries.push_back(std::move(*parent.entry));
    }
  }

  std::optional<Entry> key(Open& parent, const YamlNode& node, bool alias) {
    const auto refuse = [&](const std::string& message) {
      problems_.add(node.where, message);
      return std::nullopt;
    };
    if (alias || node.kind != YamlNode::scalar) return refuse("a key must be a name");
    if (node.text == "<<" && !node.quoted) return refuse("merging with '<<' is not supported; write the keys out");
    const auto [first, is_new] = parent.lines.emplace(node.text, node.where.line);
    if (!is_new)
      return refuse("'" + node.text + "' is given twice, first in line " + std::to_string(first->second) +
                    "; remove one of the two");
    return Entry{node.text, node.where, {}};
  }

  const std::string& file_;
  Problems& problems_;
  std::vector<Open> open_;
  std::map<YAML::anchor_t, YamlNode> anchored_;
  std::size_t nodes_ = 0;
};

// What to do about the line of a mistake, if its text says so.
std::string mend(const std::string& text, int line) {
  std::istringstream lines(text);
  std::string at;
  for (int n = 0; n <= line && std::getline(lines, at);) ++n;
  const auto question = at.find(" ? ");
  return question != at.npos && at.find(" : ", question) != at.npos ? "; a formula with ? and : stands in quotes" : "";
}

bool blank(const YamlNode& root, bool complete) {
  return !complete || (root.kind == YamlNode::null && root.text.empty());
}

}  // namespace

YamlNode parse_yaml(const std::string& text, const std::string& filename, Problems& problems) {
  Builder builder(filename, problems);
  try {
    Problems unreadable;
    check_text(text, filename, unreadable);
    for (const Problem& p : unreadable.list()) throw Refusal{p.where, p.message};
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {}
    if (blank(builder.root, builder.complete)) throw Refusal{{filename}, "the file is empty"};
    return std::move(builder.root);
  } catch (const Refusal& refusal) {
    problems.add(refusal.where, refusal.message);
  } catch (const YAML::Exception& error) {
    problems.add(at(filename, error.mark), "not valid YAML: " + error.msg + mend(text, error.mark.line));
  } catch (const std::exception& error) {  // yaml-cpp lets some of the standard library's escape on noise
    problems.add({filename}, std::string("not valid YAML: ") + error.what());
  }
  return node_at({filename}, YamlNode::null);
}

YamlNode load_yaml(const std::string& path, Problems& problems) {
  Problems unread;
  const std::string text = read_text(path, unread);
  if (unread.empty()) return parse_yaml(text, path, problems);
  for (const Problem& p : unread.list()) problems.add(p.where, p.message);
  return node_at({path}, YamlNode::null);
}

}  // namespace cereus
