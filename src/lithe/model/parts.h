// All parts of a model.
#pragma once

#include "lithe/model/model.h"
