// Model: what the user said. Its parts are plain structs, one header per noun; each is described once, in the source
// file of the same name, and that one description reads YAML and Python dictionaries, writes the copy kept in results,
// makes the Python classes and fills `lithe list`. What needs more than one field is checked by validate.h.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "lithe/elements/batch_kernel.h"
#include "lithe/model/analysis.h"
#include "lithe/model/bodies.h"
#include "lithe/model/constraints.h"
#include "lithe/model/contacts.h"
#include "lithe/model/initial_velocity.h"
#include "lithe/model/joints.h"
#include "lithe/model/loads.h"
#include "lithe/model/materials.h"
#include "lithe/model/mesh_source.h"
#include "lithe/model/outputs.h"
#include "lithe/model/place.h"
#include "lithe/model/sections.h"
#include "lithe/model/springs.h"

namespace lithe {

template <>
struct Words<TangentForm> {
  static constexpr std::array<const char*, 2> names{"symmetric", "exact"};
};

// How constraints enter: linear ones are eliminated and the others get multipliers; all get multipliers; or linear ones
// are eliminated and the others are penalties with multiplier iteration (P4).
enum class Treatment { eliminate, lagrange, augmented };
template <>
struct Words<Treatment> {
  static constexpr std::array<const char*, 3> names{"eliminate", "lagrange", "augmented"};
};
// none, or the configuration of P0: strategy E, multipliers, Eigen's SparseLU, one tangent and factorisation a step.
enum class Preset { none, paper };
template <>
struct Words<Preset> {
  static constexpr std::array<const char*, 2> names{"none", "paper"};
};

struct Model {
  std::string name = "model";
  Named<Material> materials;
  Named<Section> sections;
  Named<AnyBody> bodies;
  Named<Constraint> constraints;
  Named<Joint> joints;
  Named<SpringElement> springs;
  Named<Obstacle> obstacles;
  Named<ContactGroup> groups;
  Named<Contact> contacts;
  Named<InitialVelocity> initial_velocities;
  Named<Load> loads;
  Named<Output> outputs;
  std::string strategy = "batched";
  TangentForm tangent = TangentForm::symmetric;
  Treatment treatment = Treatment::eliminate;
  double penalty = 1e8;  // augmented
  Preset preset = Preset::none;
  Stages analysis;

  // Compiled once: inlined, they are a large part of every source that makes or copies one.
  Model();
  Model(const Model&);
  Model(Model&&) noexcept;
  Model& operator=(const Model&);
  Model& operator=(Model&&) noexcept;
  ~Model();
};
const Schema& schema(const Model*);

// Does every stage of the run go by half steps? Then rigid bodies have six velocities, bodies may be co-rotated or
// reduced, and touch.
bool goes_by_half_steps(const Model& model);
// What can go by half steps alone, "body 'wheel' is BC (kinematics)", and what would not, "set 'kinematics: TL' there".
struct HalfStepNeed {
  std::string what, otherwise;
};
std::optional<HalfStepNeed> needs_half_steps(const Model& model);
// Sets what model.preset stands for.
void apply_preset(Model& model);
// What the user said; else by the section where the element has it, unless the preset is the paper's.
Formulation formulation_of(const Model& model, const Body& body);
// The flexible body of that name, or null.
const Body* flexible(const Model& model, std::string_view name);
// Which of model.bodies a place is on; throws InputError for an unknown one.
int body_index(const Model& model, const At& at);

}  // namespace lithe
