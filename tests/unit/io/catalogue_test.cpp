#include "lithe/io/catalogue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "lithe/elements/kinds.h"
#include "lithe/elements/strategies/strategies.h"
#include "lithe/model/model.h"

namespace lithe {
namespace {

TEST(Catalogue, EverythingHasANameAndHelp) {
  for (const Catalogue& list : catalogues()) {
    EXPECT_FALSE(list.things.empty()) << list.kind;
    for (const ThingInfo& thing : list.things) {
      EXPECT_FALSE(thing.name.empty());
      EXPECT_FALSE(thing.help.empty()) << list.kind << " " << thing.name;
      for (const OptionInfo& option : thing.options) {
        EXPECT_FALSE(option.help.empty()) << thing.name << "." << option.name;
        EXPECT_FALSE(option.type.empty()) << thing.name << "." << option.name;
      }
    }
  }
}

TEST(Catalogue, HoldsTheRegistries) {
  EXPECT_EQ(find_catalogue("elements").things.size(), element_registry().size());
  EXPECT_EQ(find_catalogue("strategies").things.size(), strategies().size());
  for (const char* kind : {"materials", "sections", "meshes", "constraints", "loads", "outputs", "analyses", "solvers"})
    EXPECT_NO_THROW(find_catalogue(kind)) << kind;
}

TEST(Catalogue, ShowsTypeDefaultUnitAndRange) {
  const ThingInfo& isotropic = find_thing(find_catalogue("materials"), "isotropic");
  EXPECT_EQ(isotropic.options[0].name, "E");
  EXPECT_EQ(isotropic.options[0].unit, "Pa");
  EXPECT_EQ(isotropic.options[0].allowed, "greater than 0");
  EXPECT_TRUE(isotropic.options[0].required);
  EXPECT_EQ(isotropic.options[1].fallback, "0");
  const ThingInfo& gravity = find_thing(find_catalogue("loads"), "gravity");
  EXPECT_EQ(gravity.options[0].fallback, "[0, 0, -9.80665]");
  const ThingInfo& statics = find_thing(find_catalogue("analyses"), "static");
  EXPECT_EQ(statics.options[0].type, "newton | arc_length");
}

TEST(Catalogue, HoldsBodiesJointsSpringsShapesAndVelocities) {
  const auto names = [](const char* kind) {
    std::vector<std::string> list;
    for (const ThingInfo& thing : find_catalogue(kind).things) list.push_back(thing.name);
    return list;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(names("bodies"), (Names{"flexible", "rigid", "point_mass", "linkage"}));
  EXPECT_EQ(names("shapes"), (Names{"box", "sphere", "cylinder", "tube", "capsule", "mesh", "compound"}));
  EXPECT_EQ(names("springs"),
            (Names{"spring", "torsion_spring", "bushing", "travel_spring", "friction", "stop", "pd", "rope"}));
  EXPECT_EQ(names("joints").size(), std::variant_size_v<Joint>);
  EXPECT_EQ(names("outputs").size(), std::variant_size_v<Output>);
  EXPECT_EQ(names("meshes").back(), "file");
  EXPECT_EQ(names("analyses"), (Names{"static", "dynamic", "modes", "buckling"}));
  const std::vector<OptionInfo>& krylov = find_catalogue("krylov").things[0].options;
  const auto update = std::ranges::find(krylov, "update", &OptionInfo::name);
  ASSERT_NE(update, krylov.end());
  EXPECT_NE(update->type.find("threshold"), std::string::npos) << update->type;
  const ThingInfo& velocity = find_catalogue("initial_velocities").things[0];
  EXPECT_NE(velocity.options[1].type.find("expression in x, y, z"), std::string::npos) << velocity.options[1].type;
  const ThingInfo& motion = find_thing(find_catalogue("joints"), "motion");
  EXPECT_NE(motion.options[1].type.find("expression in t"), std::string::npos) << motion.options[1].type;
  const ThingInfo& spring = find_thing(find_catalogue("springs"), "spring");
  EXPECT_EQ(spring.options[2].unit, "N/m");
  EXPECT_EQ(spring.options[2].allowed, "0 or more");
  // Every key of the model that holds named things of several types has a list of its own.
  for (const OptionInfo& option : find_catalogue("model").things[0].options)
    if (option.type.find("map of names") != std::string::npos) {
      EXPECT_NO_THROW(find_catalogue(option.name)) << option.name;
    }
}

TEST(Catalogue, MisspeltNamesGetASuggestion) {
  try {
    find_catalogue("elemnts");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean 'elements'?"), std::string::npos);
  }
  EXPECT_THROW(find_thing(find_catalogue("elements"), "cabel"), InputError);
}

TEST(Catalogue, JsonReadsBack) {
  const auto json = nlohmann::json::parse(catalogue_json(catalogues()));
  EXPECT_EQ(json["elements"][0]["name"], "cable");
  EXPECT_EQ(json["materials"][0]["options"][0]["unit"], "Pa");
}

}  // namespace
}  // namespace lithe
