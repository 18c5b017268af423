#include "lithe/model/validate.h"

#include <unordered_set>

#include "lithe/model/spot.h"

namespace lithe {

namespace {

// Names stand in places (beam.end), in paths of the results and in messages.
void check_name(const Spot& here) {
  const std::string& name = here.name();
  const auto refuse = [&](const std::string& why) {
    here.fail("the name '" + name.substr(0, 60) + "' " + why + ", so use letters, digits and _");
  };
  if (name.empty()) refuse("is empty");
  if (name.size() > longest_name)
    refuse("has " + std::to_string(name.size()) + " characters; " + std::to_string(longest_name) + " are the most");
  if (name.find('.') != std::string::npos) refuse("contains a dot; dots separate a body from its places (beam.end)");
  if (name.find('/') != std::string::npos) refuse("contains a '/', which separates names in the results");
  for (const char c : name)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) refuse("contains a control character");
}

template <class T>
void check_names(const Spot& kind, const Named<T>& named) {
  std::unordered_set<std::string_view> seen;
  for (const auto& item : named.items) {
    check_name(kind[item.first]);
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
  const Checking all{model, analysis, nullptr, reading};
  const Spot here(all);
  check_all(here["joints"], model.joints);
  check_all(here["springs"], model.springs);
  check_all(here["loads"], model.loads);
  check(here["analysis"], analysis);
}

}  // namespace lithe
