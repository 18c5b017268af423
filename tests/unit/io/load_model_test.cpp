#include "lithe/io/load_model.h"

#include <gtest/gtest.h>

#include "lithe/io/yaml.h"
#include "lithe/model/validate.h"

namespace lithe {
namespace {

const char* const everything = R"yaml(
name: everything
materials:
  steel: {E: 2.1e11, nu: 0.3, density: 7850, damping: 1e-3}
  ply: {type: orthotropic, E1: 2e7, E2: 5e6, E3: 5e6, nu12: 0.3, nu13: 0.3, nu23: 0.3, G12: 1e6, G13: 1e6, G23: 1e6}
sections:
  strip: {width: 0.02, thickness: 0.01, shear_factors: [1, 0.8]}
  rope: {type: circle, radius: 0.01}
  bar: {type: bar, area: 1e-4, inertia: 1e-8}
  sheet: {type: plate, thickness: 0.001}
  laminate: {type: layered, layers: [{thickness: 0.001, angle: 45, material: ply}, {thickness: 0.002}]}
bodies:
  beam: {element: beam3243, material: steel, section: strip, formulation: continuum, quadrature: [4, 2, 2], poisson_quadrature: [4, 1, 1],
         mesh: {from: [0, 0, 0], to: [1, 0, 0], elements: 4, width_direction: [0, 0, 1]}}
  hoop: {element: beam3243, material: steel, section: strip, formulation: continuum, strategy: C, mesh: {type: arc, radius: 1, elements: 8, twist: 90}}
  rope: {element: cable, material: steel, section: rope, mesh: {from: [0, 0, 0], to: [1, 0, 0], elements: 4}}
  wire: {element: cable, material: steel, section: bar, mesh: {from: [0, 0, 0], to: [1, 0, 0], elements: 4}}
  sheet: {element: shell3443, material: steel, section: laminate,
          mesh: {type: plate, length: [1, 0, 0], width: [0, 1, 0], elements: [2, 3]}}
  ring: {element: shell3443, material: ply, section: sheet,
         mesh: {type: annular_plate, inner_radius: 6, outer_radius: 10, elements: [8, 2]}}
  block: {element: hexa3843, material: steel,
          mesh: {type: block, length: [1, 0, 0], width: [0, 1, 0], height: [0, 0, 1], elements: [2, 2, 2]}}
constraints:
  root: {type: clamp, at: beam.start}
  slot: {type: fix, at: {body: hoop, node: 3}, coordinates: [position, x_gradient], along: [[1, 1, 0], [0, 0, 1]]}
loads:
  tip: {at: beam.end, force: [0, "3*sin(2*pi*t)", {table: [[0, 0], [0.5, 1], [1, 4]]}]}
  twist: {type: moment, at: beam.end, moment: [1, 0, 0]}
  edge: {type: line_load, on: ring.end, force: [0, 0, 1]}
  push: {type: pressure, on: sheet.top, pressure: 100*t}
  weight: {type: gravity}
outputs:
  tip: {type: displacement, at: {body: beam, element: 3, xi: [1, 0.5, 0]}}
  corner: {type: stress, at: {body: block, point: [1, 1, 1]}}
  mises: {type: max_von_mises, body: sheet}
  hold: {type: reaction, constraint: root}
  energy: {type: energy}
strategy: batched
tangent: exact
analysis: {type: static, method: newton, first_step: 0.1}
)yaml";

TEST(LoadModel, RoundTripsThroughYaml) {
  Reading reading;
  const Model model = read_model(parse_yaml(everything, "m.yaml"), reading);
  const std::string text = model_yaml(model);
  Reading again;
  const Model second = read_model(parse_yaml(text, "copy.yaml"), again);
  EXPECT_EQ(model_yaml(second), text);
  ASSERT_EQ(second.bodies.size(), 7u);
  EXPECT_EQ(std::get<Rectangle>(*second.sections.find("strip")).shear_factors->at(1), 0.8);
  EXPECT_EQ(std::get<PointForce>(*second.loads.find("tip")).force[1](0.25),
            std::get<PointForce>(*model.loads.find("tip")).force[1](0.25));
  EXPECT_EQ(std::get<PointForce>(*second.loads.find("tip")).force[2](0.3),
            std::get<PointForce>(*model.loads.find("tip")).force[2](0.3));
  EXPECT_EQ(flexible(second, "hoop")->strategy, "C");
  EXPECT_FALSE(flexible(second, "beam")->strategy.has_value());
  EXPECT_EQ(reading.warnings.size(), again.warnings.size());
}

struct Override {
  std::string assignment, error;  // error empty: must work
};

TEST(LoadModel, Overrides) {
  const std::vector<Override> table{
      {"bodies.beam.mesh.elements=40", ""},
      {"bodies.beam.mesh.to.0=2.5", ""},
      {"bodies.beam.mesh.to=[2, 0, 0]", ""},
      {"analysis.first_step=0.5", ""},
      {"bodies.beam.strategy=L", ""},
      {"loads.tip.force.1=5*t", ""},
      {"materials.wood={E: 1e10, nu: 0.3}", ""},
      {"name=other", ""},
      {"analysis.krylov.restart=20", "'krylov' is not a key here"},
      {"bodies.beam.meshh.elements=40", "'meshh' is not a key here (did you mean 'mesh'?)"},
      {"bodies.baem.mesh.elements=40", "'baem' is not in 'bodies' (did you mean 'beam'?)"},
      {"bodys.beam.mesh.elements=40", "'bodys' is not in the model (did you mean 'bodies'?)"},
      {"bodies.beam.mesh.elemnts=40", "'elemnts' is not a key here (did you mean 'elements'?)"},
      {"bodies.beam.mesh.to.3=1", "a number from 0 to 2 is expected instead of '3'"},
      {"bodies.beam.mesh.to.x=1", "instead of 'x'"},
      {"bodies.beam.material.E=1", "'bodies.beam.material' is 'steel', which has no keys"},
      {"bodies.beam.mesh.elements=0", "this is 0, but it must be greater than 0"},
      {"bodies.beam.mesh.elements=ten", "a number is expected, but this is 'ten'"},
      {"bodies.beam.mesh.elements", "write it as path=value"},
      {"=3", "write it as path=value"},
      {"bodies..mesh=3", "is empty or has spaces"},
      {"bodies.beam.mesh={type: lin", "is not closed"},
      {"bodies.beam.material=stel", "material 'stel' is not known (did you mean 'steel'?)"},
      {"name=", "a text is expected, but this is nothing"},
  };
  for (const Override& row : table) {
    Value root = parse_yaml(everything, "m.yaml");
    Reading reading;
    std::string message;
    try {
      apply_override(root, row.assignment);
      read_model(root, reading);
    } catch (const InputError& error) {
      message = error.what();
    }
    if (row.error.empty()) {
      EXPECT_EQ(message, "") << row.assignment;
    } else {
      EXPECT_NE(message.find(row.error), std::string::npos) << row.assignment << " gave: " << message;
      EXPECT_EQ(message.find("--set " + row.assignment), 0u) << message;
    }
  }
}

TEST(LoadModel, OverrideValuesArrive) {
  Value root = parse_yaml(everything, "m.yaml");
  apply_override(root, "bodies.beam.mesh.elements=40");
  apply_override(root, "analysis.tolerance=1e-6");
  Reading reading;
  const Model model = read_model(root, reading);
  EXPECT_EQ(std::get<LineMesh>(flexible(model, "beam")->mesh).elements, 40);
  EXPECT_EQ(std::get<StaticAnalysis>(model.analysis.front()).tolerance, 1e-6);
}

TEST(LoadModel, EmptyAndOddFiles) {
  auto error = [](const char* text) -> std::string {
    Reading reading;
    try {
      read_model(parse_yaml(text, "m.yaml"), reading);
    } catch (const InputError& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_NE(error("").find("m.yaml: the file is empty"), std::string::npos);
  EXPECT_NE(error("- 1\n- 2\n").find("a list of 2"), std::string::npos);
  EXPECT_NE(error("hello\n").find("is it the right file?"), std::string::npos);
  EXPECT_NE(error("bodies:\n").find("the model has no bodies"), std::string::npos);
}

}  // namespace
}  // namespace lithe
