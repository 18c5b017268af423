#include "lithe/io/load_model.h"

#include <cctype>
#include <filesystem>

#include "lithe/base/describe.h"
#include "lithe/io/yaml.h"
#include "lithe/model/mesh_file.h"
#include "lithe/model/validate.h"

namespace lithe {

namespace {

// All of it was said on the command line.
void place_in_override(Value& value, const std::string& option, const std::string& path) {
  value.where = Where{option, 0, path};
  const std::string prefix = path.empty() ? "" : path + ".";
  for (std::size_t i = 0; i < value.items.size(); ++i)
    place_in_override(value.items[i], option, prefix + std::to_string(i));
  for (auto& [key, item] : value.fields) place_in_override(item, option, prefix + key);
}

// Paths that were said on the command line, as the shell completes them.
void place_said_files(Value& root, const std::string& option) {
  const auto place = [&](Value* value) {
    if (value && value->where.file == option && value->kind == Value::Kind::scalar && !value->text.empty())
      value->text = std::filesystem::absolute(value->text).lexically_normal().string();
  };
  const auto walk = [&](auto& again, Value& value) -> void {
    for (auto& [key, item] : value.fields) {
      if (key == "path" || key == "base") place(&item);
      again(again, item);
    }
    for (Value& item : value.items) again(again, item);
  };
  for (auto& [key, item] : root.fields)
    if (key == "bodies" || key == "obstacles") walk(walk, item);
}

std::vector<std::string> split(const std::string& path) {
  std::vector<std::string> keys{""};
  for (const char c : path)
    if (c == '.') keys.emplace_back();
    else keys.back() += c;
  return keys;
}

// What a stage of `analysis` is called; empty: no name is said, or it cannot be read.
std::string said_name(const Value& stage, std::size_t i) {
  const Value* name = stage.find("name");
  return name ? name->text : default_stage_name(i);
}

// An item of a list by its number; a stage of the analysis also by its name.
Value& item_of(Value& list, const std::string& key, const std::string& path, bool last, const Where& where) {
  const std::size_t count = list.items.size();
  if (key.size() < 8 && key.find_first_not_of("0123456789") == std::string::npos && std::stoul(key) < count)
    return list.items[std::stoul(key)];
  const bool stages = path == "analysis";
  std::vector<std::string> names;
  for (std::size_t i = 0; stages && i < count; ++i) {
    if (said_name(list.items[i], i) == key) return list.items[i];
    names.push_back(said_name(list.items[i], i));
  }
  std::string text = "'" + path + "' is a list of " + std::to_string(count) + (stages ? " stages" : "");
  if (count == 0) throw InputError(where, text + ", so it has no '" + key + "'");
  text += ", so a number from 0 to " + std::to_string(count - 1);
  for (std::size_t i = 0; i < names.size(); ++i) text += (i == 0 ? " or a name (" : ", ") + names[i];
  text += std::string(stages ? ")" : "") + " is expected instead of '" + key + "'";
  if (stages && last) text += ": analysis." + names.back() + "." + key + "=...";
  throw InputError(where, text);
}

}  // namespace

void apply_override(Value& root, const std::string& assignment) {
  const std::size_t equals = assignment.find('=');
  const std::string option = "--set " + assignment;
  const Where where{option, 0, ""};
  if (equals == std::string::npos || equals == 0)
    throw InputError(where, "write it as path=value, for example bodies.beam.mesh.elements=40");
  const std::vector<std::string> keys = split(assignment.substr(0, equals));
  for (const std::string& key : keys)
    if (key.empty() || std::isspace(static_cast<unsigned char>(key.front())) ||
        std::isspace(static_cast<unsigned char>(key.back())))
      throw InputError(where, "a key in the path '" + assignment.substr(0, equals) +
                                  "' is empty or has spaces around it; write names joined by single dots");
  Value value = parse_yaml(assignment.substr(equals + 1), option);
  place_in_override(value, option, "");

  Value* target = &root;
  std::string walked;
  for (std::size_t k = 0; k < keys.size(); ++k) {
    const std::string& key = keys[k];
    const bool last = k + 1 == keys.size();
    if (target->kind == Value::Kind::list) {
      target = &item_of(*target, key, walked, last, where);
    } else if (target->kind == Value::Kind::scalar) {
      throw InputError(where,
                       "'" + walked + "' is " + spoken(*target) + ", which has no keys; the path must end there");
    } else {
      Value* found = nullptr;
      std::vector<std::string> known;
      for (auto& [name, item] : target->fields) {
        known.push_back(name);
        if (name == key) found = &item;
      }
      if (!found) {
        // Keys may be new (read_model tells whether they are keys at all), but on the way to another one not names of
        // bodies, loads and the like.
        if (k == 0) known = schema(static_cast<const Model*>(nullptr)).keys();
        const bool may_be_new = last || keys[0] == "analysis" ? k > 0 : k > 1;
        bool is_model_key = false;
        for (const std::string& name : known) is_model_key = is_model_key || (k == 0 && name == key);
        if (!may_be_new && !is_model_key)
          throw InputError(where, "'" + key + "' is not in " + (walked.empty() ? "the model" : "'" + walked + "'") +
                                      suggestion(key, known));
        target->kind = Value::Kind::map;
        Value fresh;
        fresh.where = where;
        target->set(key, std::move(fresh));
        found = &target->fields.back().second;
      }
      target = found;
    }
    walked += (walked.empty() ? "" : ".") + key;
  }
  *target = std::move(value);
  place_said_files(root, option);
}

Model read_model(const Value& root, Reading& reading) {
  if (root.kind == Value::Kind::null)
    throw InputError(root.where,
                     "the file is empty; a model needs at least 'materials' and 'bodies' "
                     "(examples/cantilever.yaml is a short one)");
  if (root.kind != Value::Kind::map)
    throw InputError(root.where, "a model is a map of keys such as 'materials:' and 'bodies:', but this is " +
                                     spoken(root) + "; is it the right file?");
  Model model;
  read_value(root, model, Field{}, reading);
  validate(model, reading, &root);
  return model;
}

Model load_model(const std::string& path, const std::vector<std::string>& overrides, Reading& reading) {
  Value root = load_yaml(path);
  if (root.kind == Value::Kind::map)
    for (const std::string& assignment : overrides) apply_override(root, assignment);
  return read_model(root, reading);
}

std::string model_yaml(const Model& model) { return emit_yaml(write_value(model)); }

namespace {

// Every file that a model names: action(path, its digest or null, where that was said).
template <class Action>
void each_file(Model& model, Action&& action) {
  const auto shape = [&](auto& one, const Where& where) {
    for_files(one, [&](MeshShape& mesh) { action(mesh.path, &mesh.digest, where); });
  };
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    const Where& where = model.bodies.where[i];
    AnyBody& any = model.bodies.items[i].second;
    if (auto* body = std::get_if<Body>(&any)) {
      if (!body->base.empty()) action(body->base, nullptr, where);
      if (auto* mesh = std::get_if<FileMesh>(&body->mesh)) action(mesh->path, &mesh->digest, where);
    } else if (auto* rigid = std::get_if<RigidBody>(&any)) {
      if (rigid->shape) shape(*rigid->shape, where);
      if (rigid->contact_shape) shape(*rigid->contact_shape, where);
    }
  }
  for (std::size_t i = 0; i < model.obstacles.size(); ++i)
    shape(model.obstacles.items[i].second.shape, model.obstacles.where[i]);
}

}  // namespace

void place_files(Model& model) {
  each_file(model, [](std::string& path, std::string*, const Where& where) {
    path = std::filesystem::absolute(path_beside(path, where)).lexically_normal().string();
  });
}

std::string stored_yaml(const Model& model) {
  Model kept = model;
  place_files(kept);
  MeshFiles files;
  each_file(kept, [&](const std::string& path, std::string* digest, const Where&) {
    if (digest) *digest = files.digest(path);
  });
  return model_yaml(kept);
}

}  // namespace lithe
