// Reduced bases from results and models: `lithe reduce`.
#pragma once

#include <string>
#include <vector>

#include "lithe/model/model.h"
#include "lithe/reduction/base.h"

namespace lithe {

// The leading singular vectors of six rigid motions and the co-rotated snapshots of a body in a result (P2 section 8.1:
// no mean is taken away, no mass weighs). Throws InputError where the result holds too few of them.
Base pod_base(const std::string& result, const std::string& body, int count, const std::string& command);
// Modes of the body as if nothing held it, by number from 1: 1 to 6 are the rigid motions.
Base modal_base(const Model& model, const std::string& body, const std::vector<int>& modes, const std::string& command);
// Craig and Bampton (1968): shapes of unit displacements at the nodes of `interfaces` (named sets of the body), where
// joints act, and `count` modes of the body held there; orthonormal, for BC-RO.
Base craig_bampton_base(const Model& model, const std::string& body, const std::vector<std::string>& interfaces, int count,
                        const std::string& command);
// "1-6,14,19": ascending numbers. Throws InputError.
std::vector<int> read_mode_numbers(const std::string& text);
// What `lithe reduce` prints.
std::string base_text(const Base& base);

}  // namespace lithe
