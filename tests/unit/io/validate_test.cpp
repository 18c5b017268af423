#include "lithe/model/validate.h"

#include <gtest/gtest.h>

#include <limits>

#include "lithe/io/load_model.h"
#include "lithe/io/yaml.h"

namespace lithe {
namespace {

// A valid model; each row changes one thing and expects a message with these fragments.
const char* const base = R"(materials:
  steel: {E: 2.1e11, nu: 0.3, density: 7850}
  ply: {type: orthotropic, E1: 2e7, E2: 5e6, E3: 5e6, nu12: 0.3, nu13: 0.3, nu23: 0.3, G12: 1e6, G13: 1e6, G23: 1e6}
sections:
  strip: {width: 0.02, thickness: 0.01}
  round: {type: circle, radius: 0.01}
  sheet: {type: plate, thickness: 0.001}
  laminate: {type: layered, layers: [{thickness: 0.001, material: ply}, {thickness: 0.002}]}
bodies:
  beam: {element: beam3243, material: steel, section: strip, mesh: {from: [0, 0, 0], to: [1, 0, 0], elements: 4}}
  hoop: {element: beam3243, material: steel, section: strip, mesh: {type: arc, radius: 1, elements: 8}}
  rope: {element: cable, material: steel, section: round, mesh: {from: [0, 0, 0], to: [1, 0, 0], elements: 4}}
  sheet: {element: shell3443, material: steel, section: laminate,
          mesh: {type: plate, length: [1, 0, 0], width: [0, 1, 0], elements: [2, 3]}}
  ring: {element: shell3443, material: ply, section: sheet,
         mesh: {type: annular_plate, inner_radius: 6, outer_radius: 10, elements: [8, 2]}}
  block: {element: hexa3843, material: steel,
          mesh: {type: block, length: [1, 0, 0], width: [0, 1, 0], height: [0, 0, 1], elements: [2, 2, 2]}}
constraints:
  root: {at: beam.start}
  a: {at: hoop.start}
  b: {at: rope.start}
  c: {at: sheet.x_min}
  d: {at: ring.start}
  e: {at: block.x_min}
  slot: {type: fix, at: hoop.end, along: [[1, 0, 0], [0, 1, 0]]}
loads:
  tip: {at: beam.end, force: [0, 0, 1]}
  weight: {type: gravity}
outputs:
  tip: {at: beam.end}
  hold: {type: reaction, constraint: root}
  mises: {type: max_von_mises, body: sheet}
)";

Value changed(const std::vector<std::string>& changes) {
  Value root = parse_yaml(base, "m.yaml");
  for (const auto& change : changes) apply_override(root, change);
  return root;
}

std::string error_of(const std::string& text) {
  Reading reading;
  try {
    read_model(parse_yaml(text, "m.yaml"), reading);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Validate, BaseIsValidAndQuiet) {
  Reading reading;
  read_model(changed({"materials.ply.density=1000"}), reading);
  EXPECT_TRUE(reading.warnings.empty()) << reading.warnings.front();
}

struct Row {
  std::vector<std::string> changes;
  std::vector<std::string> fragments;
};

TEST(Validate, Table) {
  const std::vector<Row> table{
      {{"bodies={}"}, {"no bodies"}},
      {{"bodies.beam.material=steal"}, {"'steal' is not known", "did you mean 'steel'?"}},
      {{"bodies.beam.section=stripe"}, {"'stripe' is not known", "did you mean 'strip'?"}},
      {{"bodies.beam.section=sheet"}, {"'sheet' is of type plate", "needs type rectangle or circle"}},
      {{"bodies.beam.section=round", "bodies.beam.formulation=continuum"},
       {"'round' is of type circle", "points over a rectangle", "'formulation: section'"}},
      {{"bodies.block.formulation=section"}, {"only beam3243 and shell3443", "not hexa3843"}},
      {{"bodies.beam.quadrature=[3, 2, 2]"}, {"points of its own", "'formulation: continuum'"}},
      {{"bodies.beam.strategy=E"}, {"strategy 'E' is for the elements as published", "'formulation: continuum'"}},
      {{"bodies.rope.section=sheet"}, {"is of type plate", "needs type circle or bar"}},
      {{"bodies.sheet.section=strip"}, {"needs type plate or layered"}},
      {{"bodies.beam.section=''"}, {"'section' is missing", "type rectangle"}},
      {{"bodies.block.section=sheet"}, {"takes no section", "remove this key"}},
      {{"bodies.hoop.element=cable"}, {"naturally straight", "beam3243"}},
      {{"bodies.beam.element=shell3443"}, {"a line mesh does not fit shell3443", "plate, annular_plate"}},
      {{"bodies.hoop.element=hexa3843"}, {"an arc mesh does not fit hexa3843"}},
      {{"bodies.rope.material=ply"}, {"orthotropic", "isotropic"}},
      {{"bodies.beam.quadrature=[3, 2]", "bodies.beam.formulation=continuum"}, {"a list of 2", "beam3243 takes 3"}},
      {{"bodies.rope.quadrature=[3, 2, 2]"}, {"a list of 3", "[axial, bending]"}},
      {{"bodies.beam.quadrature=[3, 2, 200]", "bodies.beam.formulation=continuum"}, {"200", "at most 64"}},
      {{"bodies.sheet.poisson_quadrature=[3, 1, 1]", "bodies.sheet.formulation=continuum"}, {"only beam3243"}},
      {{"bodies.beam.strategy=bached"}, {"'bached' is not known", "did you mean 'batched'?"}},
      {{"bodies.rope.strategy=C"}, {"not for cable", "batched"}},
      {{"bodies.beam.formulation=continuum", "bodies.hoop.formulation=continuum", "bodies.sheet.formulation=continuum",
        "strategy=G"},
       {"not for cable (body 'rope')", "set 'strategy: batched' in that body"}},
      {{"strategy=Q"}, {"'Q' is not known"}},
      {{"materials.ply.nu12=3"}, {"this is 3", "sqrt(E1/E2) = 2"}},
      {{"materials.ply={type: orthotropic, E1: 1e6, E2: 1e6, E3: 1e6, nu12: 0.6, nu13: 0.6, nu23: 0.6, G12: 1e6, G13: "
        "1e6, G23: 1e6}"},
       {"too large together", "greater than 0"}},
      {{"sections.laminate.layers=[]"}, {"at least one"}},
      {{"sections.laminate.layers.0.material=plyy"}, {"did you mean 'ply'?"}},
      {{"bodies.beam.mesh.to=[0, 0, 0]"}, {"zero length", "[0, 0, 0]"}},
      {{"bodies.beam.mesh.to=[1e-30, 0, 0]", "bodies.beam.mesh.from=[1, 0, 0]",
        "bodies.beam.mesh.to=[1.000000000000001, 0, 0]"},
       {"zero to rounding"}},
      {{"bodies.beam.mesh.elements=2000000000"}, {"2e+09 elements", "5e+07"}},
      {{"bodies.block.mesh.elements=[10000, 10000, 10000]"}, {"1e+12 elements"}},
      {{"bodies.beam.mesh.width_direction=[0, 0, 0]"}, {"no direction"}},
      {{"bodies.beam.mesh.width_direction=[2, 0, 0]"}, {"along the line itself"}},
      {{"bodies.hoop.mesh.angle=400"}, {"400 deg", "at most 360"}},
      {{"bodies.hoop.mesh.elements=2"}, {"span 180", "more elements"}},
      {{"bodies.hoop.mesh.normal=[0, 0, 0]"}, {"no direction"}},
      {{"bodies.hoop.mesh.start=[0, 0, 3]"}, {"parallel to 'normal'"}},
      {{"bodies.ring.mesh.outer_radius=5"}, {"this is 5 m", "inner_radius = 6 m"}},
      {{"bodies.sheet.mesh.width=[1, 0, 0]"}, {"parallel to 'length'"}},
      {{"bodies.sheet.mesh.width=[1, 1, 0]"}, {"right angle"}},
      {{"bodies.sheet.mesh.width=[0, 0, 0]"}, {"no direction"}},
      {{"bodies.block.mesh.height=[0, 0, -1]"}, {"left-handed", "inverted", "swap"}},
      {{"constraints.root.at=baem.start"}, {"body 'baem' is not known", "did you mean 'beam'?"}},
      {{"constraints.slot.along=[[0, 0, 0]]"}, {"no direction"}},
      {{"constraints.slot.along=[[1, 0, 0], [2, 0, 0]]"}, {"same direction as entry 0"}},
      {{"constraints.slot.along=[[1, 0, 0], [0, 1, 0], [1, 1, 0]]"}, {"independent"}},
      {{"constraints.slot.coordinates=[]"}, {"list is empty"}},
      {{"constraints.slot={type: fix, at: rope.end, coordinates: [y_gradient]}"}, {"not a coordinate of a cable node"}},
      {{"loads.tip.at=bean.end"}, {"body 'bean' is not known"}},
      {{"loads.tip={type: moment, at: rope.end, moment: [0, 0, 1]}"}, {"full gradients"}},
      {{"loads.tip={type: pressure, on: rope, pressure: 1}"}, {"cable has none"}},
      {{"loads.tip.force.2=1/t"}, {"1/t", "at t = 0 s", "finite"}},
      {{"analysis.method=arc_length", "loads.tip.force.2=3*t"}, {"must be a constant", "method: newton"}},
      {{"loads.tip.at={body: beam, element: 0, xi: [2, 0, 0]}"}, {"between -1 and 1"}},
      {{"outputs.hold.constraint=rot"}, {"constraint 'rot' is not known", "did you mean 'root'?"}},
      {{"outputs.mises.body=shet"}, {"body 'shet' is not known"}},
      {{"analysis.first_step=2"}, {"at most 1"}},
      {{"analysis.first_step=0.5", "analysis.largest_step=0.1"}, {"at least first_step = 0.5"}},
      {{"analysis.smallest_step=2"}, {"must not exceed first_step = 1; give both"}},
      {{"bodies={'a.b': {element: cable, material: steel, section: round, mesh: {from: [0,0,0], to: [1,0,0], elements: "
        "1}}}"},
       {"'a.b' contains a dot"}},
  };
  for (const Row& row : table) {
    std::string message;
    Reading reading;
    try {
      read_model(changed(row.changes), reading);
    } catch (const InputError& error) {
      message = error.what();
    }
    for (const auto& fragment : row.fragments)
      EXPECT_NE(message.find(fragment), std::string::npos) << row.changes.back() << " gave: " << message;
  }
}

TEST(Validate, PointsAtTheLineOfTheKey) {
  std::string text = base;
  text.replace(text.find("constraint: root"), 16, "constraint: rot");
  EXPECT_EQ(error_of(text).find("m.yaml:32: outputs.hold.constraint: "), 0u) << error_of(text);
}

TEST(Validate, Warnings) {
  auto warnings = [](const std::vector<std::string>& changes) {
    Reading reading;
    read_model(changed(changes), reading);
    std::string all;
    for (const auto& w : reading.warnings) all += w + "\n";
    return all;
  };
  EXPECT_NE(warnings({}).find("material 'ply' has density 0"), std::string::npos);
  EXPECT_NE(warnings({"constraints={}", "outputs={}"}).find("no constraint holds body 'beam'"), std::string::npos);
  EXPECT_NE(warnings({"loads={}"}).find("no loads"), std::string::npos);
  EXPECT_NE(warnings({"materials.steel.E=210"}).find("are the units SI?"), std::string::npos);
}

TEST(Validate, ModelsBuiltInCode) {
  Reading reading;
  Model model = read_model(parse_yaml(base, "m.yaml"), reading);
  reading.warnings.clear();
  EXPECT_NO_THROW(validate(model, reading));
  std::get<Isotropic>(*model.materials.find("steel")).E = std::numeric_limits<double>::quiet_NaN();
  try {
    validate(model, reading);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("materials.steel.E: a finite number is expected"), std::string::npos)
        << error.what();
  }
  Model empty;
  EXPECT_THROW(validate(empty, reading), InputError);
}

}  // namespace
}  // namespace lithe
