// From a model file (or a tree made of something else) to a validated Model.
#pragma once

#include <string>
#include <vector>

#include "lithe/base/field.h"
#include "lithe/model/model.h"

namespace lithe {

// "bodies.beam.mesh.elements=40": sets what the dotted path names, the value read as YAML; numbers step into lists from
// 0. Files named here are found from the working folder, not from that of the model. Throws InputError for a path that
// leads nowhere.
void apply_override(Value& root, const std::string& assignment);

// Reads and validates. Warnings go to `reading`.
Model read_model(const Value& root, Reading& reading);
Model load_model(const std::string& path, const std::vector<std::string>& overrides, Reading& reading);

// Files are named from the root on, so that they are found from anywhere.
void place_files(Model& model);

// The model as YAML text that reads back to the same model.
std::string model_yaml(const Model& model);
// As results and checkpoints keep it: files are named so that they are found, and known again, from anywhere.
std::string stored_yaml(const Model& model);

}  // namespace lithe
