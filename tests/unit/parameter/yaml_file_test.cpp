// Hostile and careless files: each gives one clear sentence with its place, none hurts.
#include "parameter/yaml_file.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>

using namespace cereus;

namespace {

YamlNode good(const std::string& text) {
  Problems problems;
  YamlNode node = parse_yaml(text, "f.yaml", problems);
  for (const Problem& p : problems.list()) ADD_FAILURE() << p.text();
  return node;
}

std::string complaint(const std::string& text) {
  Problems problems;
  parse_yaml(text, "f.yaml", problems);
  std::string all;
  for (const Problem& p : problems.list()) all += (all.empty() ? "" : "\n") + p.text();
  return all;
}

}  // namespace

TEST(Yaml, nodes_know_where_they_stand) {
  const YamlNode root = good("thorns: [A, 'B']\nWaveToy:\n  speed:  2*pi/3\n  name: \"x\"\n  none:\n");
  ASSERT_EQ(root.kind, YamlNode::map);
  ASSERT_EQ(root.entries.size(), 2u);
  const Entry& thorns = root.entries[0];
  EXPECT_EQ(thorns.key, "thorns");
  EXPECT_EQ(thorns.where, (Where{"f.yaml", 1, 1}));
  ASSERT_EQ(thorns.value.items.size(), 2u);
  EXPECT_EQ(thorns.value.items[1].text, "B");
  EXPECT_TRUE(thorns.value.items[1].quoted);
  EXPECT_EQ(thorns.value.items[1].where, (Where{"f.yaml", 1, 13}));
  const std::vector<Entry>& block = root.entries[1].value.entries;
  ASSERT_EQ(block.size(), 3u);
  EXPECT_EQ(block[0].value.text, "2*pi/3");
  EXPECT_FALSE(block[0].value.quoted);
  EXPECT_EQ(block[0].where, (Where{"f.yaml", 3, 3}));
  EXPECT_EQ(block[0].value.where, (Where{"f.yaml", 3, 11}));
  EXPECT_TRUE(block[1].value.quoted);
  EXPECT_EQ(block[2].value.kind, YamlNode::null);
}

TEST(Yaml, aliases_repeat_values) {
  const YamlNode root = good("a: &x [1, 2]\nb: *x\n");
  ASSERT_EQ(root.entries.size(), 2u);
  EXPECT_TRUE(same_content(root.entries[0].value, root.entries[1].value));
  EXPECT_EQ(root.entries[1].value.where, (Where{"f.yaml", 2, 4}));
}

TEST(Yaml, careless_files) {
  EXPECT_EQ(complaint(""), "f.yaml: the file is empty");
  EXPECT_EQ(complaint("# only a comment\n"), "f.yaml: the file is empty");
  EXPECT_EQ(complaint("---\n...\n"), "f.yaml: the file is empty");
  EXPECT_EQ(complaint("a: 1\nb: 2\na: 3\n"), "f.yaml:3:1: 'a' is given twice, first in line 1; remove one of the two");
  EXPECT_EQ(complaint("a: {x: 1, x: 2}"), "f.yaml:1:11: 'x' is given twice, first in line 1; remove one of the two");
  EXPECT_EQ(
      complaint("a: 1\n---\nb: 2\n"), "f.yaml:2:1: a second document begins here; a file holds one: remove the '---'");
  EXPECT_EQ(complaint("a:\n\tb: 1\n"), "f.yaml:2:1: a tab in the indentation; use spaces");
  EXPECT_EQ(complaint("a: [1, 2\n"), "f.yaml:2:1: not valid YAML: end of sequence flow not found");
  EXPECT_EQ(complaint("a: b: c\n"), "f.yaml:1:5: not valid YAML: illegal map value");
  EXPECT_EQ(complaint("b: 1\na: x < 0 ? 1 : 2\n"),
      "f.yaml:2:14: not valid YAML: illegal map value; a formula with ? and : stands in quotes");
  EXPECT_EQ(complaint("a: *x\n"), "f.yaml:1:4: not valid YAML: the referenced anchor is not defined");
  EXPECT_EQ(complaint("[1, 2]: 3\n"), "f.yaml:1:1: a key must be a name");
  EXPECT_EQ(complaint("~: 3\n"), "f.yaml:1:1: a key must be a name");
  EXPECT_EQ(
      complaint("a: &x {b: 1}\nc:\n  <<: *x\n"), "f.yaml:3:3: merging with '<<' is not supported; write the keys out");
  EXPECT_EQ(
      complaint("a: !!int 3\n"), "f.yaml:1:4: tags (here 'tag:yaml.org,2002:int') have no meaning here; remove it");
}

TEST(Yaml, mistakes_of_keys_are_found_together) {
  EXPECT_EQ(complaint("a: 1\na: 2\n[x]: 1\na: 3\n"),
      "f.yaml:2:1: 'a' is given twice, first in line 1; remove one of the two\n"
      "f.yaml:3:1: a key must be a name\n"
      "f.yaml:4:1: 'a' is given twice, first in line 1; remove one of the two");
}

TEST(Yaml, bytes_that_are_no_text) {
  const std::string text = ": this is no text: only UTF-8 without control characters is read";
  EXPECT_EQ(complaint(std::string("a: \0b\n", 6)), "f.yaml:1:4" + text);
  EXPECT_EQ(complaint("a: 1\nb: \xff\n"), "f.yaml:2:4" + text);
  EXPECT_EQ(complaint("a: \xc3\n"), "f.yaml:1:4" + text);
  EXPECT_EQ(complaint("\x7f"
                      "ELF\x02\x01"),
      "f.yaml:1:1" + text);
  EXPECT_EQ(good("a: Schr\xc3\xb6"
                 "dinger\n")
                .entries.at(0)
                .value.text,
      "Schr\xc3\xb6"
      "dinger");
}

TEST(Yaml, limits) {
  EXPECT_NE(complaint(std::string(200'000, '[')).find(": nested more than 100 levels deep"), std::string::npos);
  EXPECT_EQ(complaint(std::string(101, '[') + std::string(101, ']')), "f.yaml:1:101: nested more than 100 levels deep");
  EXPECT_EQ(complaint(std::string(100, '[') + "1" + std::string(100, ']')), "");
  EXPECT_EQ(complaint("a: " + std::string(1 << 20, 'x')), "f.yaml: the file is larger than 1 MiB");
  std::string many = "[";
  for (int i = 0; i < 99'998; ++i) many += "1,";
  EXPECT_EQ(complaint(many + "1]"), "");
  EXPECT_EQ(
      complaint(many + "1,1]"), "f.yaml:1:200000: more than 100000 values, counting what anchors and aliases repeat");
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 10; ++i) {
    const std::string before = "*a" + std::to_string(i - 1), here = "a" + std::to_string(i);
    bomb += here + ": &" + here + " [";
    for (int j = 0; j < 10; ++j) bomb += (j ? ", " : "") + before;
    bomb += "]\n";
  }
  EXPECT_NE(
      complaint(bomb).find("more than 100000 values, counting what anchors and aliases repeat"), std::string::npos);
  std::string anchors;  // each level is kept again with all that is in it
  for (int i = 0; i < 90; ++i) anchors += "&a" + std::to_string(i) + " [";
  for (int i = 0; i < 5000; ++i) anchors += "1,";
  EXPECT_NE(complaint(anchors + std::string(90, ']')).find("more than 100000 values"), std::string::npos);
  EXPECT_EQ(complaint("a: &x [1, *x]\n"), "f.yaml:1:11: an alias refers to what it stands in");
}

TEST(Yaml, files) {
  Problems problems;
  load_yaml("/nowhere/f.yaml", problems);
  load_yaml("/tmp", problems);
  ASSERT_EQ(problems.count(), 2u);
  EXPECT_EQ(problems.list()[0].text(), "/nowhere/f.yaml: cannot be read; does it exist?");
  EXPECT_EQ(problems.list()[1].text(), "/tmp: this is a directory, not a file");
  const auto path = std::filesystem::temp_directory_path() / "cereus_yaml_test.yaml";
  std::ofstream(path) << "a: 1\n";
  Problems none;
  EXPECT_EQ(load_yaml(path, none).entries.at(0).value.where, (Where{path, 1, 4}));
  EXPECT_TRUE(none.empty());
  std::filesystem::remove(path);
}

TEST(Yaml, noise_never_crashes) {
  std::mt19937 random(1);
  const std::string alphabet = "ab01:-?,[]{}#&*!|>'\"%@` \n\n  ~.<\\\t";
  for (int i = 0; i < 30'000; ++i) {
    std::string text;
    for (std::size_t n = random() % 40; n > 0; --n) text += alphabet[random() % alphabet.size()];
    complaint(text);
  }
  for (int i = 0; i < 2'000; ++i) {
    std::string text;
    for (std::size_t n = random() % 200; n > 0; --n) text += char(random());
    complaint(text);
  }
}

TEST(Yaml, shown) {
  EXPECT_EQ(shown(good("[1, 'a', {b: 1}, [2, 3]]")), "[1, \"a\", {...}, [2, 3]]");
  EXPECT_EQ(shown(good("a").kind == YamlNode::scalar ? good(std::string(100, 'x')) : YamlNode{}),
      std::string(57, 'x') + "...");
}
