// Model: what the user said. Its parts are plain structs (parts.h); every one is described once (describe_model.h), and
// that one description reads YAML and Python dictionaries, writes the copy kept in results, makes the Python classes
// and fills `lithe list`.
#pragma once

#include "lithe/model/describe_model.h"
#include "lithe/model/parts.h"
