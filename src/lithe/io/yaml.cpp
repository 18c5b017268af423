#include "lithe/io/yaml.h"

#include <yaml-cpp/emitter.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <unordered_map>

namespace lithe {

namespace {

std::string joined(const std::string& path, const std::string& key) { return path.empty() ? key : path + "." + key; }

std::string too_many_values() {
  return "the file holds more than " + std::to_string(yaml_value_limit) +
         " values (aliases resolved); let a mesh generator make the nodes, or shorten the tables";
}

// What a copy of a value costs.
struct Extent {
  int depth = 1;
  std::size_t values = 1;
  std::size_t bytes = sizeof(Value);
};
Extent extent(const Value& value) {
  Extent whole;
  whole.bytes += value.text.size() + value.where.file.size() + value.where.path.size();
  const auto add = [&](const Value& part) {
    const Extent e = extent(part);
    whole.depth = std::max(whole.depth, 1 + e.depth);
    whole.values += e.values;
    whole.bytes += e.bytes;
  };
  for (const Value& item : value.items) add(item);
  for (const auto& [key, item] : value.fields) {
    whole.bytes += sizeof key + key.size();
    add(item);
  }
  return whole;
}

// The same content at another path: what an alias stands for. Lines stay those of the anchored text.
void move_to_path(Value& value, const std::string& path) {
  value.where.path = path;
  for (std::size_t i = 0; i < value.items.size(); ++i) move_to_path(value.items[i], joined(path, std::to_string(i)));
  for (auto& [key, item] : value.fields) move_to_path(item, joined(path, key));
}

// Builds the tree from the parser's events. A frame is an open map or list.
class Builder : public YAML::EventHandler {
 public:
  explicit Builder(std::string file) : file_(std::move(file)) {}

  Value root;
  std::size_t last_quote = std::string::npos;  // offset of the last quoted scalar

  // The bracket or brace that was opened last and is still open: its line and '[' or '{'; line 0: none.
  std::pair<int, char> open_bracket() const {
    for (auto frame = frames_.rbegin(); frame != frames_.rend(); ++frame)
      if (frame->bracket) return {frame->bracket, frame->value.kind == Value::Kind::list ? '[' : '{'};
    return {0, ' '};
  }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    if (awaiting_key()) fail(mark, "a key is missing before ':'");
    add(at(mark), anchor);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    if (awaiting_key()) fail(mark, "an alias cannot be a key; write the key out");
    const auto found = anchored_.find(anchor);
    if (found == anchored_.end()) fail(mark, "this alias refers to something that contains it; break the circle");
    if (static_cast<int>(frames_.size()) + found->second.extent.depth > yaml_depth_limit) too_deep(mark);
    // Paths of the copy begin with the one of its new place.
    charge(mark, found->second.extent.bytes + found->second.extent.values * next_path().size());
    values_ += found->second.extent.values;
    check_count(mark);
    Value value = found->second.value;
    move_to_path(value, next_path());
    add(std::move(value), 0);
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& text) override {
    const bool quoted = tag == "!";  // plain scalars carry "?"
    if (quoted) last_quote = static_cast<std::size_t>(mark.pos);
    if (awaiting_key()) {
      check_length(mark, "a key", text.size(), yaml_key_limit);
      Frame& frame = frames_.back();
      frame.key = text;
      frame.key_line = mark.line + 1;
      frame.has_key = true;
      frame.merge = text == "<<" && !quoted;
      if (frame.merge) return;
      const auto [first, is_new] = frame.lines.emplace(text, frame.key_line);
      if (!is_new)
        throw InputError(Where{file_, frame.key_line, joined(frame.value.where.path, text)},
                         "the key '" + text + "' is given twice (first in line " + std::to_string(first->second) +
                             "); remove one or give it another name");
      return;
    }
    check_length(mark, "a text", text.size(), yaml_scalar_limit);
    Value value = at(mark);
    value.kind = Value::Kind::scalar;
    value.text = text;
    value.quoted = quoted;
    add(std::move(value), anchor);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override {
    open(mark, anchor, Value::Kind::list, style);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override {
    open(mark, anchor, Value::Kind::map, style);
  }
  void OnMapEnd() override { close(); }

 private:
  struct Frame {
    Value value;
    YAML::anchor_t anchor = 0;
    std::string key;
    int key_line = 0;
    int bracket = 0;  // line of the opening bracket; 0: none, by indentation
    bool has_key = false, merge = false;
    std::unordered_map<std::string, int> lines;  // of the keys
    std::vector<Value::Field> merged{};          // from "<<", weaker than what is written out
  };

  [[noreturn]] void fail(const YAML::Mark& mark, const std::string& message) const {
    throw InputError(Where{file_, mark.line + 1, frames_.empty() ? "" : frames_.back().value.where.path}, message);
  }
  [[noreturn]] void too_deep(const YAML::Mark& mark) const {
    fail(mark, "maps and lists are nested deeper than " + std::to_string(yaml_depth_limit) +
                   " levels; no model needs that, check the brackets and aliases");
  }
  void check_length(const YAML::Mark& mark, const char* what, std::size_t length, std::size_t limit) const {
    if (length > limit)
      fail(mark, std::string(what) + " of " + std::to_string(length) + " characters starts here, but " +
                     std::to_string(limit) + " are the most; is a quote or a line break missing?");
  }
  // A copy costs memory that the file does not show: anchors in anchors and aliases of aliases multiply.
  void charge(const YAML::Mark& mark, std::size_t bytes) {
    copied_ += bytes;
    if (copied_ > yaml_copy_limit)
      fail(mark, "anchors and aliases copy more than " + std::to_string(yaml_copy_limit >> 20) +
                     " MiB up to here; no model needs that, write a generator or use fewer aliases");
  }
  void check_count(const YAML::Mark& mark) const {
    if (values_ > yaml_value_limit) fail(mark, too_many_values());
  }
  bool awaiting_key() const {
    return !frames_.empty() && frames_.back().value.kind == Value::Kind::map && !frames_.back().has_key;
  }
  std::string next_path() const {
    if (frames_.empty()) return "";
    const Frame& frame = frames_.back();
    return joined(frame.value.where.path,
                  frame.value.kind == Value::Kind::map ? frame.key : std::to_string(frame.value.items.size()));
  }
  Value at(const YAML::Mark& mark) const {
    Value value;
    value.where = Where{file_, mark.line + 1, next_path()};
    return value;
  }
  void open(const YAML::Mark& mark, YAML::anchor_t anchor, Value::Kind kind, YAML::EmitterStyle::value style) {
    if (awaiting_key())
      fail(mark,
           "a list or a map stands where a key is expected; a bracket or brace is not closed, or the indentation "
           "is wrong");
    if (static_cast<int>(frames_.size()) >= yaml_depth_limit) too_deep(mark);
    Frame frame;
    frame.value = at(mark);
    frame.value.kind = kind;
    // A block map starts on the line after its key; the key's line is where a user looks.
    if (!frames_.empty() && frames_.back().has_key) frame.value.where.line = frames_.back().key_line;
    frame.anchor = anchor;
    if (style == YAML::EmitterStyle::Flow) frame.bracket = mark.line + 1;
    frames_.push_back(std::move(frame));
  }
  void close() {
    Frame frame = std::move(frames_.back());
    frames_.pop_back();
    for (auto& [key, value] : frame.merged)
      if (frame.lines.emplace(key, 0).second) frame.value.fields.emplace_back(key, std::move(value));
    add(std::move(frame.value), frame.anchor);
  }
  void add(Value value, YAML::anchor_t anchor) {
    ++values_;
    const YAML::Mark mark = line_mark(value.where.line);
    check_count(mark);
    if (anchor) {
      const Extent cost = extent(value);
      charge(mark, cost.bytes);
      anchored_[anchor] = {value, cost};
    }
    if (frames_.empty()) {
      root = std::move(value);
      return;
    }
    Frame& frame = frames_.back();
    if (frame.value.kind == Value::Kind::list) {
      frame.value.items.push_back(std::move(value));
      return;
    }
    if (value.kind == Value::Kind::null) value.where.line = frame.key_line;
    if (frame.merge) merge(frame, std::move(value));
    else frame.value.fields.emplace_back(std::move(frame.key), std::move(value));
    frame.has_key = frame.merge = false;
  }
  void merge(Frame& frame, Value value) {
    std::vector<Value> sources;
    if (value.kind == Value::Kind::list) sources = std::move(value.items);
    else sources.push_back(std::move(value));
    for (Value& source : sources) {
      if (source.kind != Value::Kind::map)
        throw InputError(Where{file_, frame.key_line, frame.value.where.path},
                         "'<<' merges maps, but this is " + spoken(source) + "; write '<<: *name' for an anchored map");
      for (auto& [key, item] : source.fields) {
        move_to_path(item, joined(frame.value.where.path, key));
        frame.merged.emplace_back(key, std::move(item));
      }
    }
  }

  static YAML::Mark line_mark(int line) {
    YAML::Mark mark;
    mark.line = line - 1;
    return mark;
  }

  struct Anchored {
    Value value;
    Extent extent;
  };
  std::string file_;
  std::vector<Frame> frames_;
  std::map<YAML::anchor_t, Anchored> anchored_;
  std::size_t values_ = 0;
  std::size_t copied_ = 0;  // bytes
};

int line_of(const std::string& text, std::size_t offset) {
  return 1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(offset), '\n'));
}

std::string line_text(const std::string& text, int line) {
  std::istringstream stream(text);
  std::string s;
  for (int i = 0; i < line; ++i)
    if (!std::getline(stream, s)) return "";
  while (!s.empty() && (s.back() == '\r' || s.back() == ' ')) s.pop_back();
  return s.size() > 60 ? s.substr(0, 57) + "..." : s;
}

// The line, or the nearest above it that is not empty.
int last_written_line(const std::string& text, int line) {
  std::size_t end = 0;
  for (int i = 0; i < line && end < text.size(); ++i) end = std::min(text.find('\n', end), text.size() - 1) + 1;
  const std::size_t last = end == 0 ? std::string::npos : text.find_last_not_of(" \r\n", end - 1);
  return last == std::string::npos ? 1 : line_of(text, last);
}

// Offset of the first byte that is not UTF-8 text, or npos.
std::size_t first_bad_byte(const std::string& s) {
  for (std::size_t i = 0; i < s.size();) {
    const auto c = static_cast<unsigned char>(s[i]);
    if ((c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7f) return i;
    const std::size_t more = c < 0x80 ? 0 : c < 0xc2 ? 9 : c < 0xe0 ? 1 : c < 0xf0 ? 2 : c < 0xf5 ? 3 : 9;
    if (i + more >= s.size()) return i;
    for (std::size_t k = 1; k <= more; ++k)
      if ((static_cast<unsigned char>(s[i + k]) & 0xc0) != 0x80) return i;
    // Longer than needed, half of a UTF-16 pair, or beyond the last character there is.
    const auto next = more > 0 ? static_cast<unsigned char>(s[i + 1]) : 0;
    if ((c == 0xe0 && next < 0xa0) || (c == 0xed && next >= 0xa0) || (c == 0xf0 && next < 0x90) ||
        (c == 0xf4 && next >= 0x90))
      return i;
    i += 1 + more;
  }
  return std::string::npos;
}

void check_text(const std::string& text, const std::string& file) {
  if (text.rfind("\x89HDF", 0) == 0)
    throw InputError(Where{file, 0, ""}, "this is an HDF5 file, not a model; `lithe info` shows what a result holds");
  if (text.rfind("\xff\xfe", 0) == 0 || text.rfind("\xfe\xff", 0) == 0)
    throw InputError(Where{file, 0, ""}, "the file is UTF-16 text; save it as UTF-8");
  const std::size_t bad = first_bad_byte(text);
  if (bad == std::string::npos) return;
  char hex[8];
  std::snprintf(hex, sizeof hex, "0x%02x", static_cast<unsigned char>(text[bad]));
  throw InputError(Where{file, line_of(text, bad), ""},
                   std::string("the byte ") + hex +
                       " is not text: this is a binary file or not saved as UTF-8; a model is a YAML text in UTF-8");
}

// What yaml-cpp would chew on for long, seen at once: texts without an end, brackets upon brackets, and lists that
// become too many values.
void check_shape(const std::string& text, const std::string& file) {
  std::size_t start = 0;
  long open = 0;  // quotes and comments may hold brackets and commas too, but never so many
  std::size_t items = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    open += (c == '[' || c == '{') - (c == ']' || c == '}');
    if (open > 10 * yaml_depth_limit)
      throw InputError(
          Where{file, line_of(text, i), ""},
          "brackets are nested deeper than " + std::to_string(yaml_depth_limit) + " levels here; is one not closed?");
    const bool dash = c == '-' && i + 1 < text.size() && text[i + 1] == ' ' &&
                      (i == 0 || std::isspace(static_cast<unsigned char>(text[i - 1])));
    items += c == ',' || dash;
    if (items > yaml_value_limit) throw InputError(Where{file, line_of(text, i), ""}, too_many_values());
    if (std::strchr(",:[]{}\n", c)) start = i + 1;
    else if (i - start > yaml_scalar_limit)
      throw InputError(Where{file, line_of(text, start), ""},
                       "a text of more than " + std::to_string(yaml_scalar_limit) +
                           " characters starts here; is a quote or a line break missing?");
  }
}

// yaml-cpp takes the end of the file for the closing quote.
void check_last_quote(const std::string& text, std::size_t start, const std::string& file) {
  if (start >= text.size() || (text[start] != '"' && text[start] != '\'')) return;
  for (std::size_t i = start + 1; i < text.size(); ++i) {
    if (text[i] == '\\' && text[start] == '"') ++i;
    else if (text[i] == text[start] && text[start] == '\'' && i + 1 < text.size() && text[i + 1] == '\'') ++i;
    else if (text[i] == text[start]) return;
  }
  const int line = line_of(text, start);
  throw InputError(Where{file, line, ""}, "the quote that opens here is never closed, near '" + line_text(text, line) +
                                              "'; is the file complete?");
}

[[noreturn]] void not_yaml(const YAML::Exception& error, const Builder& builder, const std::string& text,
                           const std::string& file) {
  const int lines = line_of(text, text.size()) - (!text.empty() && text.back() == '\n' ? 1 : 0);
  int line = error.mark.is_null() ? lines : std::min(error.mark.line + 1, lines);
  line = last_written_line(text, line);  // of a file that stops early
  const auto [opened, bracket] = builder.open_bracket();
  if (opened && error.msg.find("flow not found") != std::string::npos) {
    const bool later = line != opened;
    throw InputError(
        Where{file, opened, ""},
        std::string("the '") + bracket + "' that opens here is never closed, near '" + line_text(text, opened) + "'" +
            (later ? " (noticed in line " + std::to_string(line) + ")" : "") + "; close it: is the file complete?");
  }
  const std::string near = line_text(text, line);
  std::string message = "this is not valid YAML: " + error.msg;
  if (!near.empty()) message += ", near '" + near + "'";
  if (near.find('\t') != std::string::npos) message += "; indent with spaces, not with tabs";
  else if (error.msg.find("not found") != std::string::npos || error.msg.find("EOF") != std::string::npos ||
           error.mark.line + 1 > lines)
    message += "; a bracket, brace or quote is not closed, or the indentation is wrong: is the file complete?";
  else if (error.msg.find("flow end") != std::string::npos)
    message += "; a bracket or brace is not closed, or closed by the other kind";
  else if (error.msg.find("anchor") != std::string::npos) message += "; write '&name' where it is defined first";
  else message += "; check the indentation, the space after each ':' and the brackets";
  throw InputError(Where{file, line, ""}, message);
}

// The text of a number, which needs no quotes: a text of its own would be searched for what does, again and again.
struct PlainNumber {
  double value;
};
std::ostream& operator<<(std::ostream& out, const PlainNumber& number) { return out << number_text(number.value); }

// Rows as lists in a list.
void emit(YAML::Emitter& out, const Numbers& numbers) {
  const double* next = numbers.values.data();
  const auto rows = [&](const auto& self, std::size_t level) -> void {
    out << YAML::Flow << YAML::BeginSeq;
    for (std::size_t i = 0; i < numbers.shape[level]; ++i)
      if (level + 1 < numbers.shape.size()) self(self, level + 1);
      else out.WriteIntegralType(PlainNumber{*next++});
    out << YAML::EndSeq;
  };
  rows(rows, 0);
}

void emit(YAML::Emitter& out, const Value& value, bool top) {
  switch (value.kind) {
    case Value::Kind::null:
      out << YAML::Null;
      break;
    case Value::Kind::scalar:
      if (value.quoted) out << YAML::DoubleQuoted;
      out << value.text;
      break;
    case Value::Kind::numbers:
      emit(out, *value.numbers);
      break;
    case Value::Kind::list:
      out << YAML::Flow << YAML::BeginSeq;
      for (const Value& item : value.items) emit(out, item, false);
      out << YAML::EndSeq;
      break;
    case Value::Kind::map:
      if (!top && value.fields.empty()) out << YAML::Flow;
      out << YAML::BeginMap;
      for (const auto& [key, item] : value.fields) {
        const bool number_like = !key.empty() && key.find_first_not_of("0123456789+-.eE") == std::string::npos;
        out << YAML::Key;
        if (number_like || key == "<<") out << YAML::DoubleQuoted;
        out << key << YAML::Value;
        emit(out, item, false);
      }
      out << YAML::EndMap;
      break;
  }
}

}  // namespace

Value parse_yaml(const std::string& text, const std::string& file) {
  check_text(text, file);
  check_shape(text, file);
  Builder builder(file);
  try {
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    if (!parser.HandleNextDocument(builder)) {
      Value nothing;
      nothing.where.file = file;
      return nothing;
    }
    Builder second(file);
    if (parser.HandleNextDocument(second) && second.root.kind != Value::Kind::null)
      throw InputError(Where{file, second.root.where.line, ""},
                       "something that does not belong to the model starts here: one file holds one model; check the "
                       "indentation and remove '---'");
  } catch (const YAML::Exception& error) {
    not_yaml(error, builder, text, file);
  }
  check_last_quote(text, builder.last_quote, file);
  return std::move(builder.root);
}

std::string read_text_file(const std::string& path) {
  namespace fs = std::filesystem;
  const Where where{path, 0, ""};
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found)
    throw InputError(where, "there is no such file; check the name and the folder (now in " +
                                fs::current_path(error).string() + ")");
  if (error) throw InputError(where, "the file cannot be looked at: " + error.message() + "; check its permissions");
  if (fs::is_directory(status)) throw InputError(where, "this is a folder; name the model file in it");
  if (fs::is_regular_file(status)) {
    const std::uintmax_t size = fs::file_size(path, error);
    if (!error && size > yaml_size_limit)
      throw InputError(where, "the file has " + std::to_string(size >> 20) + " MiB, but a model may have at most " +
                                  std::to_string(yaml_size_limit >> 20) +
                                  " MiB; is it the right file? Large meshes come from generators, not from lists");
  }
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  if (!stream)
    throw InputError(where,
                     std::string("the file cannot be opened: ") + std::strerror(errno) + "; check its permissions");
  std::string text, chunk(1 << 16, '\0');
  while (stream.read(chunk.data(), static_cast<std::streamsize>(chunk.size())) || stream.gcount() > 0) {
    text.append(chunk, 0, static_cast<std::size_t>(stream.gcount()));
    if (text.size() > yaml_size_limit)  // a pipe or a device
      throw InputError(where, "more than " + std::to_string(yaml_size_limit >> 20) +
                                  " MiB were read and a model may not have more; is it the right file?");
  }
  if (stream.bad()) throw InputError(where, "the file cannot be read to its end; check the disk");
  return text;
}

Value load_yaml(const std::string& path) { return parse_yaml(read_text_file(path), path); }

std::string emit_yaml(const Value& value) {
  YAML::Emitter out;
  out.SetIndent(2);
  emit(out, value, true);
  return std::string(out.c_str()) + "\n";
}

}  // namespace lithe
