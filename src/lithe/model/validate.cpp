#include "lithe/model/validate.h"

#include <unordered_set>

#include "lithe/model/spot.h"

namespace lithe {

namespace {

template <class T>
void check_names(const Spot& kind, const Named<T>& named) {
  std::unordered_set<std::string_view> seen;
  for (const auto& item : named.items) {
    check_name(kind[item.first], item.first);
    if (!seen.insert(item.first).second)
      kind[item.first].fail("the name '" + item.first + "' is used twice; names must be unique");
  }
}

template <class T>
void check_all(const Spot& kind, const Named<T>& named) {
  for (const auto& [name, item] : named.items) check(kind[name], item);
}

}  // namespace

void validate(const Model& model, Reading& reading, const Value* said) {
  if (!said) check_fields(type_of<Model>(), &model, reading);
  const Checking all{model, model.analysis, said, reading};
  const Spot here(all);
  if (model.bodies.size() == 0)
    here["bodies"].fail("the model has no bodies; name at least one, with its element, material and mesh");
  const auto each = [&](auto&& action) {
    action(here["materials"], model.materials);
    action(here["sections"], model.sections);
    action(here["bodies"], model.bodies);
    action(here["constraints"], model.constraints);
    action(here["joints"], model.joints);
    action(here["springs"], model.springs);
    action(here["obstacles"], model.obstacles);
    action(here["groups"], model.groups);
    action(here["contacts"], model.contacts);
    action(here["initial_velocities"], model.initial_velocities);
    action(here["loads"], model.loads);
    action(here["outputs"], model.outputs);
  };
  each([](const Spot& kind, const auto& named) { check_names(kind, named); });
  check_strategy(here["strategy"], model.strategy);
  each([](const Spot& kind, const auto& named) { check_all(kind, named); });
  check(here["analysis"], model.analysis);
}

void validate(const Model& model, const Analysis& analysis, Reading& reading) {
  check_fields(type_of<Analysis>(), &analysis, reading, "analysis");
  const Stages alone = analysis;
  const Checking all{model, alone, nullptr, reading};
  const Spot here(all);
  check_all(here["joints"], model.joints);
  check_all(here["springs"], model.springs);
  check_all(here["loads"], model.loads);
  check(here["analysis"], alone);
}

}  // namespace lithe
