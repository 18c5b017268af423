#include "lithe/model/model.h"

#include <algorithm>

#include "lithe/base/describe.h"

namespace lithe {

LITHE_DESCRIBE(Model, "model", "everything the user says") {
  visit("name", &Model::name, Field{.help = "name of the model"});
  visit("materials", &Model::materials, Field{.help = "named materials"});
  visit("sections", &Model::sections, Field{.help = "named sections"});
  visit("bodies", &Model::bodies, Field{.help = "named bodies", .required = true});
  visit("constraints", &Model::constraints, Field{.help = "named constraints"});
  visit("joints", &Model::joints, Field{.help = "named joints between bodies and the ground"});
  visit("springs", &Model::springs, Field{.help = "named springs, dampers and bushings"});
  visit("obstacles", &Model::obstacles, Field{.help = "named fixed or driven shapes without mass, to touch"});
  visit("groups", &Model::groups,
        Field{.help = "named lists of bodies and obstacles, for 'between' and 'except' of contacts; * stands for any "
                      "part of a name"});
  visit("contacts", &Model::contacts, Field{.help = "which bodies and obstacles touch, and by which law"});
  visit("initial_velocities", &Model::initial_velocities, Field{.help = "named velocities at the start"});
  visit("loads", &Model::loads, Field{.help = "named loads"});
  visit("outputs", &Model::outputs, Field{.help = "named channels recorded at every step"});
  visit("strategy", &Model::strategy, Field{.help = "batched, C, D, E, G, L or finite_difference"});
  visit("tangent", &Model::tangent,
        Field{.help = "symmetric (symmetric part of the tangents of damping and pressure) or exact"});
  visit("treatment", &Model::treatment,
        Field{.help = "of constraints: eliminate (linear ones, multipliers for the rest), lagrange (multipliers for "
                      "all) or augmented (penalty with multiplier iteration for what cannot be eliminated)"});
  visit("penalty", &Model::penalty, Field{.help = "treatment augmented: penalty factor", .allowed = positive});
  visit("preset", &Model::preset,
        Field{.help = "none, or paper: formulation continuum, strategy E, treatment lagrange, Eigen's SparseLU, "
                      "tangent every step (P0)"});
  visit("analysis", &Model::analysis,
        Field{.help = "what to compute; a list: stages, each from the state that the one before reached"});
}

std::optional<HalfStepNeed> needs_half_steps(const Model& model) {
  for (const auto& [name, any] : model.bodies.items)
    if (const auto* body = std::get_if<Body>(&any); body && body->kinematics != Kinematics::total)
      return HalfStepNeed{"body '" + name + "' is " + word(body->kinematics) + " (kinematics)",
                          "set 'kinematics: TL' there"};
  if (const std::string* contact = first_contact(model, ContactLaw::nonsmooth))
    return HalfStepNeed{"contact '" + *contact + "' is nonsmooth", "set 'law: penalty' there"};
  return std::nullopt;
}

bool goes_by_half_steps(const Model& model) {
  if (needs_half_steps(model)) return true;
  return std::ranges::all_of(model.analysis, [](const Analysis& stage) {
    const auto* dynamic = std::get_if<DynamicAnalysis>(&stage);
    return dynamic && dynamic->integrator == Integrator::half_step;
  });
}

Model::Model() = default;
Model::Model(const Model&) = default;
Model::Model(Model&&) noexcept = default;
Model& Model::operator=(const Model&) = default;
Model& Model::operator=(Model&&) noexcept = default;
Model::~Model() = default;

void apply_preset(Model& model) {
  if (model.preset != Preset::paper) return;
  model.strategy = "E";
  for (auto& [name, body] : model.bodies.items)  // some kinds have one strategy
    if (auto* flexible = std::get_if<Body>(&body); flexible && !flexible->element->every_strategy)
      flexible->strategy = "batched";
  model.treatment = Treatment::lagrange;
  for (Analysis& stage : model.analysis)
    if (auto* dynamic = std::get_if<DynamicAnalysis>(&stage)) {
      dynamic->solver = "eigen_sparselu";
      dynamic->tangent_policy = TangentPolicy::every_step;
    }
}

Formulation formulation_of(const Model& model, const Body& body) {
  const bool by_section = body.element->section_form && model.preset != Preset::paper;
  return body.formulation.value_or(by_section ? Formulation::section : Formulation::continuum);
}

const Body* flexible(const Model& model, std::string_view name) {
  const AnyBody* body = model.bodies.find(name);
  return body ? std::get_if<Body>(body) : nullptr;
}

int body_index(const Model& model, const At& at) {
  const std::size_t i = model.bodies.position(at.body);
  if (i == NameIndex::none)
    throw InputError(at.where, "body '" + at.body + "' is not known" + suggestion(at.body, model.bodies.names()));
  return static_cast<int>(i);
}

}  // namespace lithe
