// YAML text <-> Value. Every Value knows its line and its dotted path, so that a message can point at it. Anchors,
// aliases and merge keys are resolved; a key given twice is an error. Limits keep a wrong or hostile file from filling
// memory.
#pragma once

#include <cstdint>
#include <string>

#include "lithe/base/value.h"

namespace lithe {

inline constexpr std::uintmax_t yaml_size_limit = std::uintmax_t{64} << 20;      // bytes of a file
inline constexpr std::size_t yaml_value_limit = 4'000'000;                       // values after aliases are resolved
inline constexpr std::size_t yaml_copy_limit = std::size_t{32} << 20;            // bytes that aliases and anchors copy
inline constexpr std::size_t yaml_key_limit = 200, yaml_scalar_limit = 1 << 16;  // characters
inline constexpr int yaml_depth_limit = 100;                                     // maps and lists inside each other

// `file` names the source in messages. An empty text gives Kind::null. Throws InputError.
Value parse_yaml(const std::string& text, const std::string& file);

// The text of a file; throws InputError for a missing, unreadable, too large or binary file and for a folder.
std::string read_text_file(const std::string& path);
Value load_yaml(const std::string& path);

// Reads back to the same Value (places aside).
std::string emit_yaml(const Value& value);

}  // namespace lithe
