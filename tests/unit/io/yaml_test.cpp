#include "lithe/io/yaml.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace lithe {
namespace {

std::string error_of(const std::string& text) {
  try {
    parse_yaml(text, "m.yaml");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

bool same(const Value& a, const Value& b) {
  if (a.kind != b.kind || a.text != b.text || a.quoted != b.quoted || a.items.size() != b.items.size() ||
      a.fields.size() != b.fields.size())
    return false;
  for (std::size_t i = 0; i < a.items.size(); ++i)
    if (!same(a.items[i], b.items[i])) return false;
  for (std::size_t i = 0; i < a.fields.size(); ++i)
    if (a.fields[i].first != b.fields[i].first || !same(a.fields[i].second, b.fields[i].second)) return false;
  return true;
}

TEST(Yaml, KnowsLinesAndPaths) {
  const Value root =
      parse_yaml("name: x\nbodies:\n  beam:\n    mesh: {type: line,\n      elements: 20}\nl: [1, [2, 3]]\n", "m.yaml");
  EXPECT_EQ(root.find("bodies")->where.line, 2);
  const Value* beam = root.find("bodies")->find("beam");
  EXPECT_EQ(beam->where.line, 3);
  const Value* elements = beam->find("mesh")->find("elements");
  EXPECT_EQ(elements->where.line, 5);
  EXPECT_EQ(elements->where.path, "bodies.beam.mesh.elements");
  EXPECT_EQ(elements->where.file, "m.yaml");
  EXPECT_EQ(root.find("l")->items[1].items[0].where.path, "l.1.0");
}

TEST(Yaml, TellsQuotedScalarsAndNulls) {
  const Value root = parse_yaml("a: 1\nb: '1'\nc: \"1\"\nd:\ne: ~\nf: ''\n", "");
  EXPECT_FALSE(root.find("a")->quoted);
  EXPECT_TRUE(root.find("b")->quoted);
  EXPECT_TRUE(root.find("c")->quoted);
  EXPECT_EQ(root.find("d")->kind, Value::Kind::null);
  EXPECT_EQ(root.find("d")->where.line, 4);
  EXPECT_EQ(root.find("e")->kind, Value::Kind::null);
  EXPECT_EQ(root.find("f")->kind, Value::Kind::scalar);
}

TEST(Yaml, EmptyTextIsNull) {
  for (const char* text : {"", "\n\n", "# only a comment\n", "---\n", "\xef\xbb\xbf"}) {
    EXPECT_EQ(parse_yaml(text, "").kind, Value::Kind::null) << text;
  }
}

TEST(Yaml, DuplicateKeyNamesBothLines) {
  const std::string message = error_of("bodies:\n  beam: {a: 1}\n  beam: {a: 2}\n");
  EXPECT_NE(message.find("m.yaml:3: bodies.beam: the key 'beam' is given twice (first in line 2)"), std::string::npos)
      << message;
  EXPECT_NE(error_of("{a: 1, a: 2}"), "");
}

TEST(Yaml, AnchorsAliasesAndMergeKeys) {
  const Value root = parse_yaml(
      "base: &base {E: 1, nu: 0.3}\nother: *base\nstiff:\n  <<: *base\n  E: 2\nboth: {<<: [{E: 5}, *base], x: 1}\n",
      "f");
  EXPECT_EQ(root.find("other")->find("nu")->text, "0.3");
  EXPECT_EQ(root.find("other")->find("nu")->where.path, "other.nu");
  EXPECT_EQ(root.find("other")->find("nu")->where.line, 1);
  EXPECT_EQ(root.find("stiff")->find("E")->text, "2");
  EXPECT_EQ(root.find("stiff")->find("nu")->where.path, "stiff.nu");
  EXPECT_EQ(root.find("stiff")->fields.size(), 2u);
  EXPECT_EQ(root.find("both")->find("E")->text, "5");
  EXPECT_NE(error_of("a: &a [1, *a]\n").find("circle"), std::string::npos);
  EXPECT_NE(error_of("a: *nothing\n").find("m.yaml:1:"), std::string::npos);
  EXPECT_NE(error_of("a: {<<: 3}\n").find("'<<' merges maps"), std::string::npos);
}

TEST(Yaml, LimitsDepthAndAliasBombs) {
  EXPECT_NE(error_of(std::string(300, '[') + std::string(300, ']')), "");
  EXPECT_NE(error_of(std::string(20000, '[')), "");
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 12; ++i) {
    const std::string before = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
    for (int k = 0; k < 10; ++k) bomb += before + (k < 9 ? ", " : "]\n");
  }
  EXPECT_NE(error_of(bomb).find("more than"), std::string::npos);
}

TEST(Yaml, ParseErrorsHaveLineAndRemedy) {
  const std::string truncated = error_of("name: x\nbodies:\n  beam: {mesh: {type: line, from: [0, 0\n");
  EXPECT_NE(truncated.find("m.yaml:3:"), std::string::npos) << truncated;
  EXPECT_NE(truncated.find("is the file complete?"), std::string::npos) << truncated;
  EXPECT_NE(truncated.find("the '[' that opens here is never closed"), std::string::npos) << truncated;
  for (const char* text : {"name: \"x\nbodies: 1\n", "a: 'x\n", "a: 'it''s\n", "a: \"x\\\"\n"}) {
    const std::string quote = error_of(text);
    EXPECT_NE(quote.find("m.yaml:1:"), std::string::npos) << text << quote;
    EXPECT_NE(quote.find("is the file complete?"), std::string::npos) << text << quote;
  }
  for (const char* text : {"a: 'it''s'", "a: \"x\\\"\"\n", "b: 'é'\na: \"\xc3\xa9 x\"\n", "a: \"x\" # \"\n"})
    EXPECT_EQ(error_of(text), "") << text;
  const std::string tab = error_of("a:\n\tb: 1\n");
  EXPECT_NE(tab.find("spaces"), std::string::npos) << tab;
  const std::string colon = error_of("a: b: c\n");
  EXPECT_NE(colon.find("m.yaml:1:"), std::string::npos) << colon;
  EXPECT_NE(error_of("a: 1\n---\nb: 2\n").find("one file holds one model"), std::string::npos);
  EXPECT_NE(error_of("? [1, 2]\n: 3\n"), "");
  EXPECT_NE(error_of("{1: 2, : 3}\n"), "");
}

TEST(Yaml, RefusesWhatIsNotText) {
  EXPECT_NE(error_of("\x89HDF\r\n").find("lithe info"), std::string::npos);
  EXPECT_NE(error_of("\xff\xfe"
                     "a")
                .find("UTF-16"),
            std::string::npos);
  EXPECT_NE(error_of("a: 1\nb: \xe9t\xe9\n").find("m.yaml:2: the byte 0xe9"), std::string::npos);
  EXPECT_NE(error_of(std::string("a\0b", 3)).find("0x00"), std::string::npos);
  EXPECT_NE(error_of("a: \xc3").find("0xc3"), std::string::npos);
  EXPECT_EQ(error_of("a: \xc3\xa9t\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80\n"), "");
}

TEST(Yaml, FilesThatCannotBeRead) {
  const auto folder = std::filesystem::temp_directory_path() / ("lithe_yaml_test_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  auto error = [](const std::string& path) -> std::string {
    try {
      load_yaml(path);
    } catch (const InputError& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_NE(error((folder / "none.yaml").string()).find("there is no such file"), std::string::npos);
  EXPECT_NE(error(folder.string()).find("this is a folder"), std::string::npos);
  EXPECT_NE(error("/dev/zero").find("is it the right file?"), std::string::npos);
  const auto large = folder / "large.yaml";
  std::ofstream(large) << "a: 1\n";
  std::filesystem::resize_file(large, std::uintmax_t{1} << 30);
  EXPECT_NE(error(large.string()).find("1024 MiB"), std::string::npos);
  std::filesystem::remove_all(folder);
}

TEST(Yaml, EmittedTextReadsBack) {
  const Value value = parse_yaml(
      "name: 'a: b # \\ \"x\"'\nnumbers: [1, 2.5e9, [3, 4], []]\nempty: {}\nnothing: ~\ntext: 'true'\nflag: true\n"
      "'12': {a: '', b: 'line\n\n  two', c: 'é'}\nlist: [{x: 1, y: {z: 2}}, 'null']\n",
      "");
  const std::string text = emit_yaml(value);
  EXPECT_TRUE(same(parse_yaml(text, ""), value)) << text;
}

}  // namespace
}  // namespace lithe
