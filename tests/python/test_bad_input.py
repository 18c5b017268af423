"""Bad input of every kind: exit code 2 and a message with file, line, value and remedy.

Each row changes the model below by replacing text; the line that must be named is that of the changed text. One table,
hence over 500 lines.
"""

import os
import re

import pytest

MODEL = """\
name: frame
materials:
  steel: {E: 210e9, nu: 0.3, density: 7850}
  ply: {type: orthotropic, E1: 2e10, E2: 5e9, E3: 5e9, nu12: 0.3, nu13: 0.3, nu23: 0.3, G12: 1e9, G13: 1e9, G23: 1e9}
sections:
  strip: {type: rectangle, width: 0.02, thickness: 0.01}
  round: {type: circle, radius: 0.01}
  sheet: {type: plate, thickness: 0.001}
bodies:
  beam:
    element: beam3243
    material: steel
    section: strip
    mesh: {type: line, from: [0, 0, 0], to: [1, 0, 0], elements: 4}
  plate:
    element: shell3443
    material: steel
    section: sheet
    mesh: {type: plate, length: [1, 0, 0], width: [0, 1, 0], elements: [2, 2]}
constraints:
  root: {type: clamp, at: beam.start}
  edge: {type: clamp, at: plate.x_min}
loads:
  tip: {type: force, at: beam.end, force: [0, 0, -1]}
outputs:
  tip: {type: displacement, at: beam.end}
  hold: {type: reaction, constraint: root}
"""

ARC = "mesh: {type: arc, radius: 0.005, angle: 90, elements: 4}"
LINE = "mesh: {type: line, from: [0, 0, 0], to: [1, 0, 0], elements: 4}"
NODES = ("mesh: {type: nodes, nodes: [[0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], [1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]], "
         "elements: [[0, 1]], size: [[1, 0.02, 0.01]], sets: {start: [0], end: [1]}}")
PLATE = "mesh: {type: plate, length: [1, 0, 0], width: [0, 1, 0], elements: [2, 2]}"

# name, text, its replacement, fragments of the message beside model.yaml:LINE
ROWS = [
    # keys and names
    ("unknown top key", "outputs:", "results:", ["'results' is not a key here"]),
    ("misspelt top key", "constraints:", "constraint:", ["'constraint' is not a key", "did you mean 'constraints'?"]),
    ("misspelt key", "elements: 4", "elemnts: 4", ["'elemnts' is not a key", "did you mean 'elements'?"]),
    ("missing key", "    material: steel\n    section: strip", "    section: strip", ["'material' is missing"]),
    ("unknown element", "beam3243", "beam3234", ["'beam3234' is not known", "did you mean 'beam3243'?"]),
    ("unknown material", "material: steel\n    section: strip", "material: steal\n    section: strip",
     ["material 'steal' is not known", "did you mean 'steel'?"]),
    ("unknown section", "section: strip", "section: stripe", ["section 'stripe' is not known", "did you mean 'strip'?"]),
    ("unknown section type", "type: rectangle", "type: rectangel", ["'rectangel' is not known", "'rectangle'"]),
    ("unknown mesh type", "type: line", "type: lyne", ["type 'lyne' is not known", "did you mean 'line'?"]),
    ("unknown load type", "type: force", "type: forse", ["type 'forse' is not known", "did you mean 'force'?"]),
    ("unknown strategy", "    section: strip", "    section: strip\n    strategy: bached", ["did you mean 'batched'?"]),
    ("unknown body in a place", "at: beam.start", "at: baem.start", ["body 'baem' is not known", "did you mean 'beam'?"]),
    ("unknown place", "at: beam.start", "at: beam.strat", ["beam", "'strat'", "did you mean 'start'?"]),
    ("unknown place of a load", "at: beam.end, force", "at: beam.edn, force", ["'edn'", "did you mean 'end'?"]),
    ("unknown place of an output", "displacement, at: beam.end", "displacement, at: beam.tip", ["'tip'", "known: "]),
    ("unknown constraint", "constraint: root", "constraint: rot", ["did you mean 'root'?"]),
    ("duplicate name", "  round: {type: circle, radius: 0.01}", "  strip: {type: circle, radius: 0.01}",
     ["'strip' is given twice", "first in line 6"]),
    ("duplicate key", "width: 0.02,", "width: 0.02, width: 0.03,", ["'width' is given twice", "remove one"]),
    ("name with a dot", "  round: {", "  ro.und: {", ["'ro.und' contains a dot"]),
    # types and ranges
    ("word for a number", "E: 210e9", "E: stiff", ["a number is expected, but this is 'stiff'"]),
    ("number in quotes", "E: 210e9", "E: '210e9'", ["a number is expected", "210e9"]),
    ("decimal comma", "outputs:", "analysis:\n  duration: 0,5\noutputs:", ["a number is expected, but this is '0,5'", "point"]),
    ("number with a unit", "E: 210e9", "E: 210 GPa", ["a number is expected, but this is '210 GPa'"]),
    ("fraction of an element", "elements: 4", "elements: 4.5", ["a whole number is expected", "4.5"]),
    ("list for a number", "E: 210e9", "E: [210e9]", ["a number is expected, but this is a list of 1"]),
    ("nothing for a number", "E: 210e9", "E: ", ["a number is expected, but this is nothing"]),
    ("text for a map", "    " + LINE, "    mesh: line", ["a map", "'line'"]),
    ("wrong list length", "to: [1, 0, 0]", "to: [1, 0]", ["a list of 3 is expected, but this is a list of 2"]),
    ("NaN", "E: 210e9", "E: .nan", ["a finite number is expected", ".nan"]),
    ("infinity", "E: 210e9", "E: .inf", ["a finite number is expected", ".inf"]),
    ("nan as a word", "force: [0, 0, -1]", "force: [0, 0, nan]", ["finite number", "nan"]),
    ("number too large", "E: 210e9", "E: 1e999", ["number", "1e999"]),
    ("number of no quantity", "E: 210e9", "E: 1e200", ["this is 1e200", "at most 1e+100", "unit"]),
    ("force of no quantity", "force: [0, 0, -1]", "force: [0, 0, -1e200]", ["-1e200", "at most 1e+100"]),
    ("whole number too large", "elements: 4", "elements: 3000000000", ["this is 3000000000", "at most 2e+09"]),
    ("NaN from an expression", "force: [0, 0, -1]", "force: [0, 0, 1e90*exp(50*t)]", ["'1e90*exp(50*t)' is", "at most 1e+100"]),
    ("negative thickness", "thickness: 0.01", "thickness: -0.01", ["this is -0.01", "greater than 0"]),
    ("zero modulus", "E: 210e9", "E: 0", ["this is 0", "greater than 0"]),
    ("Poisson's ratio", "nu: 0.3, density", "nu: 0.5, density", ["this is 0.5", "between -1 and 0.5"]),
    ("no elements", "elements: 4", "elements: 0", ["this is 0", "greater than 0"]),
    ("too many elements", "elements: 4", "elements: 2000000000", ["2e+09 elements", "at most"]),
    ("unstable law", "nu12: 0.3", "nu12: 2.5", ["this is 2.5", "sqrt(E1/E2) = 2"]),
    # geometry
    ("zero-length element", "to: [1, 0, 0]", "to: [0, 0, 0]", ["zero length", "move one of them"]),
    ("inverted element", "    " + LINE, "    " + ARC, ["inverted", "radius"]),
    ("flat plate", "width: [0, 1, 0]", "width: [2, 0, 0]", ["parallel to 'length'"]),
    ("skew plate", "width: [0, 1, 0]", "width: [0.1, 1, 0]", ["right angle"]),
    ("mesh does not fit", PLATE, LINE, ["a line mesh does not fit shell3443", "plate, annular_plate"]),
    ("section does not fit", "section: strip", "section: sheet", ["type plate", "needs type rectangle"]),
    ("missing node", "at: beam.start", "at: {body: beam, node: 7}", ["no node 7", "0 to 4"]),
    ("negative node", "at: beam.start", "at: {body: beam, node: -1}", ["this is -1", "0 or more"]),
    ("missing element", "at: beam.end, force", "at: {body: beam, element: 9, xi: [0, 0, 0]}, force",
     ["no element 9", "0 to 3"]),
    ("point outside the element", "at: beam.end, force", "at: {body: beam, element: 0, xi: [2, 0, 0]}, force",
     ["between -1 and 1"]),
    ("point outside the body", "at: beam.end, force", "at: {body: beam, point: [5, 0, 0]}, force",
     ["no material point", "(5, 0, 0)"]),
    ("missing node of an element", LINE, NODES.replace("[[0, 1]]", "[[0, 5]]"), ["node 5"]),
    ("short node", LINE, NODES.replace("0, 0, 1]", "0, 0]", 1), ["node 0 has 11 numbers", "12"]),
    ("inverted node frame", LINE, NODES.replace("0, 0, 1]", "0, 0, -1]"), ["inverted"]),
    ("size against the section", LINE, NODES.replace("0.02, 0.01]]", "0.02, 0.1]]"),
     ["mesh.size.0: T is 0.1 m, but section 'strip' has the thickness 0.01 m"]),
    ("element twice", LINE, NODES.replace("[[0, 1]]", "[[0, 1], [1, 0]]"), ["element 1 has the same nodes as element 0"]),
    ("node twice in an element", LINE, NODES.replace("[[0, 1]]", "[[1, 1]]"), ["element 0 names node 1 twice"]),
    ("nodes at one place", LINE, NODES.replace("[1, 0, 0, 1", "[0, 0, 0, 1"), ["zero length", "nodes 0 and 1 are both at"]),
    ("no nodes", LINE, "mesh: {type: nodes, nodes: [], elements: [[0, 1]], size: [[1, 0.02, 0.01]]}",
     ["the list of nodes is empty"]),
    ("element of no length", LINE, NODES.replace("size: [[1,", "size: [[0,"), ["L is 0", "zero length"]),
    ("two kinds of place", "at: beam.end, force", "at: {body: beam, node: 1, point: [1, 0, 0]}, force", ["a place is one of"]),
    # rules and strategies
    ("wrong rule", "    section: strip", "    section: strip\n    formulation: continuum\n    quadrature: [3, 2]", ["a list of 2", "takes 3"]),
    ("zero points", "    section: strip", "    section: strip\n    quadrature: [3, 2, 0]", ["this is 0", "greater than 0"]),
    # signals
    ("bad expression", "force: [0, 0, -1]", "force: [0, 0, 3*sin(]", ["3*sin("]),
    ("unknown variable", "force: [0, 0, -1]", "force: [0, 0, 3*x*t]", ["3*x*t", "the variable is t"]),
    ("expression of itself", "force: [0, 0, -1]", "force: [0, 0, 'force*t']", ["force*t", "the variable is t"]),
    ("not finite at the start", "force: [0, 0, -1]", "force: [0, 0, 1/t]", ["1/t", "at t = 0 s"]),
    ("table goes back", "force: [0, 0, -1]", "force: [0, 0, {table: [[0, 0], [2, 1], [1, 2]]}]", ["must increase", "1 follows 2"]),
    ("table of one row", "force: [0, 0, -1]", "force: [0, 0, {table: [[0, 0]]}]", ["at least two rows"]),
    ("table row of three", "force: [0, 0, -1]", "force: [0, 0, {table: [[0, 0, 1], [1, 1, 1]]}]", ["a list of 2 is expected"]),
    # analysis
    ("unknown method", "outputs:", "analysis: {method: newtn}\noutputs:", ["'newtn' is not known", "did you mean 'newton'?"]),
    ("step above 1", "outputs:", "analysis: {first_step: 3}\noutputs:", ["this is 3", "at most 1"]),
    # YAML
    ("unclosed bracket", "to: [1, 0, 0]", "to: [1, 0, 0", ["not valid YAML", "is not closed"]),
    ("tab", "    element: beam3243", "\telement: beam3243", ["spaces, not with tabs"]),
    ("two colons", "name: frame", "name: frame: one", ["not valid YAML"]),
    ("unknown anchor", "material: steel\n    section: strip", "material: *steel\n    section: strip", ["anchor"]),
]


# Bodies that do not deform, springs and velocities at the start.
MECHANISM = """\
name: mechanism
materials:
  rope: {E: 2e7, density: 7200}
sections:
  round: {type: circle, radius: 0.02}
bodies:
  rod: {type: rigid, position: [0.5, 0, 0], mass: 2, inertia: [0.01, 0.2, 0.2], points: {tip: [0.5, 0, 0]}}
  disc:
    type: rigid
    position: [0, 1, 0]
    density: 7800
    shape: {type: tube, inner_radius: 0.05, outer_radius: 0.1, length: 0.02}
  ball: {type: point_mass, mass: 1, position: [2, 0, 0]}
  links:
    type: linkage
    points: [[0, 2, 0], [1, 2, 0], [1, 3, 0]]
    bars: [[0, 1], [1, 2]]
    bar_mass: 1
    ground: [0]
    plane: [0, 0, 1]
    sets: {elbow: [1]}
  net:
    element: cable
    material: rope
    section: round
    mesh: {type: net, corner: [0, 5, 0], cells: [2, 2], along: [1, 0, 0], across: [0, 1, 0]}
joints:
  hinge: {type: revolute, a: ground, b: rod, point: [0, 0, 0], axis: [0, 1, 0]}
  socket: {type: spherical, a: ground, b: disc, point: [0, 1, 0]}
springs:
  coil: {type: spring, a: rod.tip, b: ball, stiffness: 100, damping: 1, force: 2*sin(t)}
  coil_2: {type: spring, a: {body: ground, point: [3, 0, 0]}, b: ball, stiffness: 100}
  twist: {type: torsion_spring, joint: hinge, stiffness: 5}
  mount: {type: bushing, a: rod, b: disc, point: [0, 1, 0], stiffness: [9, 9, 9], torsion_stiffness: [1, 1, 1]}
initial_velocities:
  swing: {on: net, velocity: [0, 0, -8*x]}
outputs:
  pull: {type: spring, spring: coil}
analysis: {type: dynamic, duration: 0.1, step: 1e-3}
"""

NET = "element: cable\n    material: rope\n    section: round\n    mesh: {type: net"

MECHANISM_ROWS = [
    # rigid bodies and points
    ("unknown type of body", "type: point_mass", "type: pointmass", ["'pointmass' is not known", "'point_mass'"]),
    ("ground as a name", "  ball: {", "  ground: {", ["'ground' stands for what does not move", "another name"]),
    ("no inertia", ", inertia: [0.01, 0.2, 0.2]", "", ["'inertia' is missing", "'shape' and 'density'"]),
    ("no mass", " mass: 2, inertia", " inertia", ["'mass' is missing", "'shape' and 'density'"]),
    ("short inertia", "[0.01, 0.2, 0.2]", "[0.01, 0.2]", ["a list of 2", "[Ixx, Iyy, Izz]"]),
    ("negative inertia", "[0.01, 0.2, 0.2]", "[0.01, -0.2, 0.2]", ["this is -0.2 kg m^2", "must not be negative"]),
    ("shape without extent", "mass: 2, inertia: [0.01, 0.2, 0.2]", "mass: 2, shape: {type: box, size: [0, 0, 0]}",
     ["all sizes are 0", "point_mass"]),
    ("shape without volume", "mass: 2, inertia: [0.01, 0.2, 0.2]", "density: 7800, shape: {type: box, size: [1, 0, 1]}",
     ["one size is 0", "give 'mass' instead of 'density'"]),
    ("zero quaternion", " mass: 2, inertia", " orientation: [0, 0, 0, 0], mass: 2, inertia", ["this quaternion is zero"]),
    ("mass of no quantity", " mass: 2, inertia", " mass: 1e308, inertia", ["this is 1e308", "at most 1e+100"]),
    ("no density in dynamics", "rope: {E: 2e7, density: 7200}", "rope: {E: 2e7}",
     ["materials.rope.density: this is 0", "body 'net' has no mass", "kg/m^3"]),
    ("impossible inertia", "[0.01, 0.2, 0.2]", "[0.01, 0.2, 0.3]", ["-0.045 kg m^2", "its z axis", "the other two"]),
    ("zero mass", " mass: 2, inertia", " mass: 0, inertia", ["a body of 'mass: 0' has no inertia", "or give a mass"]),
    ("negative point mass", "mass: 1, position", "mass: -1, position", ["this is -1", "greater than 0"]),
    ("shape and mass", "    density: 7800", "    density: 7800\n    mass: 3", ["a shape with its density", "remove"]),
    ("shape without density", "    density: 7800\n", "", ["density is 0", "greater than 0", "'density'"]),
    ("density without shape", "mass: 2, inertia", "density: 7, mass: 2, inertia", ["belongs to a shape", "'shape'"]),
    ("unknown shape", "type: tube", "type: tubus", ["'tubus' is not known", "did you mean 'tube'?"]),
    ("tube inside out", "inner_radius: 0.05", "inner_radius: 0.5", ["larger than inner_radius = 0.5 m"]),
    ("axis of no length", "    density: 7800", "    x_axis: [0, 0, 0]\n    density: 7800", ["no direction"]),
    ("parallel axes", "    density: 7800", "    y_axis: [2, 0, 0]\n    density: 7800", ["parallel to x_axis"]),
    ("a second centre", "points: {tip:", "points: {center:", ["centre of mass already"]),
    ("unknown point", "a: rod.tip", "a: rod.tp", ["'tp'", "did you mean 'tip'?"]),
    # linkages
    ("missing point of a bar", "[1, 2]]\n", "[1, 3]]\n", ["no point 3", "0 to 2"]),
    ("bar of no length", "[1, 2]]\n", "[1, 1]]\n", ["zero length", "points 1 and 1", "move one"]),
    ("missing masses", "bar_mass: 1", "bar_masses: [1]", ["a list of 1", "2 bars", "one mass for each"]),
    ("too many point masses", "bar_mass: 1", "point_masses: [1, 1, 1, 1]", ["a list of 4", "3 points"]),
    ("masses twice", "    bar_mass: 1", "    bar_mass: 1\n    bar_masses: [1, 1]", ["both given", "remove one"]),
    ("massless point", "bar_mass: 1", "bar_masses: [1, 0]", ["point 2 moves but has no mass", "point_masses"]),
    ("missing point of the ground", "ground: [0]", "ground: [7]", ["no point 7", "0 to 2"]),
    ("plane of no length", "plane: [0, 0, 1]", "plane: [0, 0, 0]", ["no direction"]),
    ("missing point of a set", "elbow: [1]", "elbow: [4]", ["no point 4"]),
    # nets
    ("net of beams", NET, NET.replace("cable", "beam3243"), ["a net mesh does not fit beam3243"]),
    ("net of no cells", "cells: [2, 2]", "cells: [2, 0]", ["this is 0", "greater than 0"]),
    ("flat net", "across: [0, 1, 0]", "across: [2, 0, 0]", ["parallel to 'along'"]),
    ("cell of no length", "along: [1, 0, 0]", "along: [0, 0, 0]", ["no direction", "nonzero length"]),
    ("huge net", "cells: [2, 2]", "cells: [20000, 20000]", ["8.001e+08 elements", "at most"]),
    # springs
    ("unknown body of a spring", "b: ball, stiffness: 100, d", "b: bal, stiffness: 100, d", ["did you mean 'ball'?"]),
    ("ground without a point", "{body: ground, point: [3, 0, 0]}", "ground", ["needs a point", "point: [x, y, z]"]),
    ("ground with a name", "{body: ground, point: [3, 0, 0]}", "ground.left", ["the ground has no names"]),
    ("spring on the ground alone", "[3, 0, 0]}, b: ball", "[3, 0, 0]}, b: {body: ground, point: [4, 0, 0]}",
     ["both ends are on the ground"]),
    ("negative stiffness", "stiffness: 100, damping", "stiffness: -100, damping", ["this is -100", "0 or more"]),
    ("spring of no length", "b: ball, stiffness: 100, d", "b: rod.tip, stiffness: 100, d", ["points coincide", "free_length: 0"]),
    ("actuator of nothing", "2*sin(t)", "2/t", ["2/t", "at t = 0 s"]),
    ("unknown joint", "joint: hinge", "joint: hing", ["joint 'hing' is not known", "did you mean 'hinge'?"]),
    ("joint without an angle", "joint: hinge", "joint: socket", ["spherical", "has no angle", "revolute, cylindrical"]),
    ("bushing nowhere", " point: [0, 1, 0], stiffness", " stiffness", ["neither side", "'point'"]),
    ("bushing of a point", "b: disc, point: [0, 1, 0], s", "b: ball, s", ["'ball' has no axes", "torsion_stiffness"]),
    ("bushing from a point", "a: rod, b: disc, point: [0, 1, 0], s", "a: ball, b: rod, s", ["'ball'", "swap a and b"]),
    ("axis of a bushing", "point: [0, 1, 0], s", "y_axis: [1, 0, 0], point: [0, 1, 0], s", ["parallel to x_axis"]),
    ("unknown spring", "spring: coil}", "spring: coill}", ["spring 'coill' is not known", "did you mean 'coil'?"]),
    # velocities
    ("velocity of nobody", "on: net", "on: nett", ["did you mean 'net'?"]),
    ("velocity of the ground", "on: net", "on: ground", ["the ground does not move"]),
    ("velocity of a point", "on: net", "on: {body: net, point: [0, 5, 0]}", ["given to nodes"]),
    ("velocity of an unknown set", "on: net", "on: net.cornes", ["'cornes'", "did you mean 'corners'?"]),
    ("velocity over time", "-8*x", "-8*t", ["-8*t", "the variables are x, y, z"]),
    ("infinite velocity", "-8*x", "1/x", ["1/x", "inf"]),
]


@pytest.mark.parametrize("old,new,fragments", [r[1:] for r in MECHANISM_ROWS], ids=[r[0] for r in MECHANISM_ROWS])
def test_mechanism_message_names_file_line_value_and_remedy(lithe, old, new, fragments):
    check_message(lithe, MECHANISM, old, new, fragments)


def test_the_mechanism_itself_is_fine(lithe):
    (lithe.folder / "model.yaml").write_text(MECHANISM)
    result = lithe("check", "model.yaml")
    assert result.returncode == 0, result.stderr
    assert result.stderr == ""


def test_a_spring_that_does_nothing_is_a_warning(lithe):
    (lithe.folder / "model.yaml").write_text(MECHANISM.replace("stiffness: 100}", "free_length: 1}"))
    result = lithe("check", "model.yaml")
    assert result.returncode == 0, result.stderr
    assert "does nothing" in result.stderr and "'coil_2'" in result.stderr


# Joints and the analysis of motion; every body has a joint of its own.
JOINTED = """\
name: jointed
bodies:
  rod: {type: rigid, position: [0.5, 0, 0], mass: 2, inertia: [0.01, 0.2, 0.2], points: {tip: [0.5, 0, 0]}}
  drum: {type: rigid, position: [0, 2, 0], mass: 2, inertia: [0.2, 0.2, 0.3]}
  gimbal: {type: rigid, position: [0, 4, 0], mass: 2, inertia: [0.2, 0.2, 0.3]}
  puck: {type: rigid, position: [0, 6, 0], mass: 2, inertia: [0.2, 0.2, 0.3]}
  slider: {type: rigid, position: [0, 8, 0], mass: 2, inertia: [0.2, 0.2, 0.3]}
  ball: {type: point_mass, mass: 1, position: [4, 0, 0]}
  bob: {type: point_mass, mass: 1, position: [4, 0, -1]}
joints:
  hinge: {type: revolute, a: ground, b: rod, point: [0, 0, 0], axis: [0, 1, 0]}
  shaft: {type: cylindrical, a: ground, b: drum.center, axis: [0, 0, 1]}
  cross: {type: universal, a: ground, b: gimbal.center, axis_a: [1, 0, 0], axis_b: [0, 1, 0]}
  table: {type: planar, a: ground, b: puck.center, normal: [0, 0, 1]}
  rail: {type: prismatic, a: ground, b: slider, axis: [1, 0, 0]}
  wire: {type: point_on_line, a: ground, b: ball, axis: [1, 0, 0]}
  leash: {type: distance, a: ball, b: bob, distance: 1 + 0.1*t^2}
  pair: {type: gear, joint_a: hinge, joint_b: shaft, ratio: -2}
  motor: {type: turn, joint: hinge, angle: 3*t^2}
  push: {type: slide, joint: rail, travel: 0.1*t^2}
  path: {type: motion, at: bob, displacement: [null, 0.1*t^2, null]}
outputs:
  bearing: {type: joint, joint: hinge}
  turning: {type: rotation, body: rod}
analysis: {type: dynamic, duration: 0.1, step: 1e-3}
"""

JOINTED_ROWS = [
    # places
    ("unknown body of a joint", "b: rod, point", "b: rodd, point", ["body 'rodd' is not known", "did you mean 'rod'?"]),
    ("unknown place of a joint", "b: drum.center", "b: drum.centre", ["'centre'", "did you mean 'center'?"]),
    ("ground to itself", "a: ground, b: rod", "a: ground, b: ground", ["both places are on the ground"]),
    ("named ground", "a: ground, b: rod", "a: ground.left, b: rod", ["the ground has no names"]),
    ("joint nowhere", "b: rod, point: [0, 0, 0],", "b: rod,", ["says where the joint is", "'point: [x, y, z]'"]),
    ("points apart", "a: ground, b: drum.center, axis: [0, 0, 1]}", "a: rod.tip, b: drum.center, axis: [0, 0, 1]}",
     ["joints.shaft: ", "2.236", "off the line", "(1, 0, 0)", "(0, 2, 0)"]),
    ("hinge apart", "{type: revolute, a: ground, b: rod, point: [0, 0, 0]", "{type: revolute, a: drum.center, b: rod.tip",
     ["joints.hinge: ", "must coincide", "(0, 2, 0)", "(1, 0, 0)", "m apart", "move a body"]),
    ("off the plane", "a: ground, b: puck.center", "a: {body: ground, point: [0, 0, 1]}, b: puck.center", ["-1 m off the plane"]),
    ("point and places", "b: drum.center, axis", "b: drum.center, point: [1, 0, 0], axis", ["off the line"]),
    ("weld of a point", "type: point_on_line, a: ground, b: ball, axis: [1, 0, 0]", "type: weld, a: ground, b: ball",
     ["'ball' is a point", "no directions", "spherical"]),
    ("line of a point", "a: ground, b: ball, axis", "a: ball, b: rod.tip, axis", ["'ball' is a point", "swap a and b"]),
    # axes
    ("axis of no length in a joint", "axis: [0, 1, 0]}", "axis: [0, 0, 0]}", ["no direction", "nonzero length"]),
    ("normal of no length", "normal: [0, 0, 1]", "normal: [0, 0, 0]", ["no direction"]),
    ("skew axes", "axis_b: [0, 1, 0]", "axis_b: [1, 1, 0]", ["right angle to axis_a = [1, 0, 0]", "0.7071"]),
    # numbers
    ("no distance", "1 + 0.1*t^2", "0", ["must be greater than 0"]),
    ("distance that vanishes", "1 + 0.1*t^2", "1 - 20*t", ["the distance is", "s, but it must be greater than 0"]),
    ("distance far off", "1 + 0.1*t^2", "3", ["joint 'leash' does not hold at the start", "off by", "correct the positions"]),
    ("distance to everywhere", "a: ball, b: bob, distance", "a: ground, b: bob, distance", ["the ground needs a point"]),
    ("ratio of nothing", "ratio: -2", "ratio: 0", ["hold joint_b", "turn"]),
    ("motion of nothing", "[null, 0.1*t^2, null]", "[null, null, null]", ["nothing moves"]),
    ("motion of the ground", "at: bob", "at: ground", ["the ground does not move"]),
    ("angle not finite", "angle: 3*t^2", "angle: 1/t", ["1/t", "at t = 0 s"]),
    # names of joints
    ("unknown joint of a gear", "joint_b: shaft", "joint_b: schaft", ["joint 'schaft' is not known", "did you mean 'shaft'?"]),
    ("gear on itself", "joint_b: shaft", "joint_b: hinge", ["joint_a again"]),
    ("gear without an angle", "joint_b: shaft", "joint_b: rail", ["prismatic", "has no angle"]),
    ("turn without an angle", "joint: hinge, angle", "joint: rail, angle", ["prismatic", "has no angle"]),
    ("turn about no such axis", "joint: hinge, angle", "joint: hinge, coordinate: angle_a, angle",
     ["'angle_a' is no coordinate of joint 'hinge'", "has 'angle'"]),
    ("turn by two drives", "joint: hinge, angle", "joint: hinge, rate: 1, angle", ["'angle' and 'rate' are both given"]),
    ("slide without a travel", "joint: rail, travel", "joint: hinge, travel", ["revolute", "has no travel"]),
    ("unknown joint of an output", "type: joint, joint: hinge", "type: joint, joint: henge", ["did you mean 'hinge'?"]),
    ("rotation of a point", "body: rod}", "body: ball}", ["rotation belongs to a rigid one"]),
    ("rotation of nothing", ", body: rod}", "}", ["give 'body' (a rigid one) or 'at'"]),
    ("rotation at a point mass", "body: rod}", "at: ball}", ["has no section that turns"]),
    # what cannot hold together
    ("contradiction", "  path: {", "  leash_2: {type: distance, a: ball, b: bob, distance: 1 + 0.2*t^2}\n  path: {",
     ["joint 'leash' and joint 'leash_2' contradict each other", "remove one"]),
    ("drive with a jump", "1 + 0.1*t^2", "1.2 + 0.1*t", ["joints.leash: its distance is 1.2 m at t = 0", "a jump of 0.2 m"]),
    ("joint to itself", "a: ground, b: rod", "a: rod, b: rod", ["from body 'rod' to itself", "name another body"]),
    ("lines for a motion", "angle: 3*t^2", "angle: {table: [[0, 0], [1, 1]], interpolation: linear}",
     ["interpolation: linear does not fit a motion", "remove the key"]),
    ("two motors", "  path: {", "  motor_2: {type: turn, joint: shaft, angle: 3*t}\n  path: {",
     ["contradict each other", "'pair'", "'motor'", "'motor_2'", "different ways"]),
    # analysis
    ("alpha", "step: 1e-3", "step: 1e-3, alpha: -0.5", ["this is -0.5", "-1/3", "-0.1 is usual"]),
    ("positive alpha", "step: 1e-3", "step: 1e-3, alpha: 0.1", ["this is 0.1", "-1/3"]),
    ("spectral radius", "step: 1e-3", "step: 1e-3, spectral_radius: 1.5", ["this is 1.5", "between 0", "and 1"]),
    ("smallest step", "step: 1e-3", "step: 1e-3, smallest_step: 1e-2", ["must not exceed step = 0.001 s; give both"]),
    ("largest step", "step: 1e-3", "step: 1e-3, largest_step: 1e-10", ["at least smallest_step"]),
    ("step beyond the end", "step: 1e-3", "step: 1", ["longer than the run", "duration = 0.1 s"]),
    ("unknown integrator", "step: 1e-3", "step: 1e-3, integrator: hth", ["'hth' is not known", "did you mean 'hht'?"]),
]


@pytest.mark.parametrize("old,new,fragments", [r[1:] for r in JOINTED_ROWS], ids=[r[0] for r in JOINTED_ROWS])
def test_joint_message_names_file_line_value_and_remedy(lithe, old, new, fragments):
    check_message(lithe, JOINTED, old, new, fragments)


def test_the_jointed_model_itself_is_fine(lithe):
    (lithe.folder / "model.yaml").write_text(JOINTED)
    result = lithe("check", "model.yaml")
    assert result.returncode == 0, result.stderr
    assert result.stderr == ""


def test_newmark_that_adds_energy_is_a_warning(lithe):
    (lithe.folder / "model.yaml").write_text(JOINTED.replace("step: 1e-3", "step: 1e-3, integrator: newmark, gamma: 0.4"))
    result = lithe("check", "model.yaml")
    assert result.returncode == 0, result.stderr
    assert "adds energy" in result.stderr and "at least 0.5" in result.stderr


def test_redundant_joints_are_a_note(lithe):
    (lithe.folder / "model.yaml").write_text(
        JOINTED.replace("  path: {", "  again: {type: spherical, a: ground, b: rod, point: [0, 0, 0]}\n  path: {"))
    result = lithe("check", "model.yaml")
    assert result.returncode == 0, result.stderr
    assert "joint 'again' repeats 3 equations of others; they were dropped" in result.stderr


def changed_lines(text, old, new):
    start = text.index(old)
    common = len(os.path.commonprefix([old, new]))
    return text.count("\n", 0, start + common) + 1, text.count("\n", 0, start) + new.count("\n") + 1


@pytest.mark.parametrize("old,new,fragments", [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_message_names_file_line_value_and_remedy(lithe, old, new, fragments):
    check_message(lithe, MODEL, old, new, fragments)


def check_message(lithe, model, old, new, fragments):
    assert old in model
    (lithe.folder / "model.yaml").write_text(model.replace(old, new, 1))
    result = lithe("check", "model.yaml")
    assert result.returncode == 2, result.stderr
    assert result.stdout == ""
    message = result.stderr
    assert message.startswith("error: "), message
    for fragment in fragments:
        assert fragment in message, message
    place = re.search(r"model\.yaml:(\d+):", message)
    assert place, message
    # A missing key, an inverted element and the like are told at the thing that holds them, a few lines up.
    first, last = changed_lines(model, old, new)
    assert first - 5 <= int(place[1]) <= max(first, last), message


def test_the_model_itself_is_fine(lithe):
    (lithe.folder / "model.yaml").write_text(MODEL)
    result = lithe("check", "model.yaml")
    assert result.returncode == 0, result.stderr
    assert result.stderr == ""
    (lithe.folder / "model.yaml").write_text(MODEL.replace(LINE, NODES))
    assert lithe("check", "model.yaml").returncode == 0


def test_run_gives_the_same_message_and_leaves_no_result(lithe):
    (lithe.folder / "model.yaml").write_text(MODEL.replace("section: strip", "section: stripe"))
    check, run = lithe("check", "model.yaml"), lithe("run", "model.yaml")
    assert run.returncode == 2
    assert run.stderr == check.stderr
    assert sorted(p.name for p in lithe.folder.iterdir()) == ["model.yaml"]


# name, bytes of the file, fragments
FILES = [
    ("empty", b"", ["model.yaml: the file is empty", "examples/cantilever.yaml"]),
    ("only comments", b"# nothing\n\n", ["the file is empty"]),
    ("truncated in a map", MODEL[: MODEL.index("to: [1, 0") + 8].encode(), ["model.yaml:14:", "is the file complete?"]),
    ("truncated in a quote", b'name: "fra\n', ["model.yaml:1:", "is the file complete?"]),
    ("truncated after a key", MODEL[: MODEL.index("    material: steel")].encode(), ["model.yaml:10:", "'mesh' is missing"]),
    ("truncated before the bodies", MODEL[: MODEL.index("bodies:")].encode(), ["'bodies' is missing"]),
    ("no bodies", b"bodies: {}\n", ["model.yaml:1:", "the model has no bodies"]),
    ("a list", b"- a\n- b\n", ["model.yaml:1:", "a list of 2", "is it the right file?"]),
    ("a word", b"hello\n", ["'hello'", "is it the right file?"]),
    ("Latin-1", "name: Träger\n".encode("latin-1"), ["model.yaml:1:", "0xe4", "UTF-8"]),
    ("UTF-16", "name: x\n".encode("utf-16"), ["UTF-16", "save it as UTF-8"]),
    ("binary", bytes(range(256)), ["is not text"]),
    ("an HDF5 file", b"\x89HDF\r\n\x1a\n" + bytes(100), ["HDF5", "lithe info"]),
    ("deep nesting", b"a: " + b"[" * 5000, ["model.yaml:"]),
    ("alias bomb", b"a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
     + b"".join(b"a%d: &a%d [%s]\n" % (i, i, b", ".join([b"*a%d" % (i - 1)] * 10)) for i in range(1, 12)), ["more than"]),
    ("a circle of aliases", b"a: &a {b: *a}\n", ["model.yaml:1:", "break the circle"]),
    ("two documents", b"name: a\n---\nname: b\n", ["model.yaml:3:", "one file holds one model"]),
]


@pytest.mark.parametrize("content,fragments", [row[1:] for row in FILES], ids=[row[0] for row in FILES])
def test_odd_files(lithe, content, fragments):
    (lithe.folder / "model.yaml").write_bytes(content)
    result = lithe("check", "model.yaml")
    assert result.returncode == 2, result.stderr
    for fragment in fragments:
        assert fragment in result.stderr, result.stderr


def test_1_gb_file(lithe):
    with open(lithe.folder / "model.yaml", "w") as file:
        file.write(MODEL)
        file.truncate(1 << 30)  # sparse
    result = lithe("check", "model.yaml")
    assert result.returncode == 2
    for fragment in ["model.yaml: ", "1024 MiB", "at most 64 MiB", "generators"]:
        assert fragment in result.stderr


def test_missing_file_folder_and_no_permission(lithe):
    missing = lithe("check", "none.yaml")
    assert missing.returncode == 2
    assert "none.yaml: there is no such file" in missing.stderr
    folder = lithe("check", lithe.folder)
    assert folder.returncode == 2
    assert "this is a folder" in folder.stderr
    if os.getuid() != 0:
        secret = lithe.folder / "secret.yaml"
        secret.write_text(MODEL)
        secret.chmod(0)
        result = lithe("check", "secret.yaml")
        assert result.returncode == 2
        assert "permissions" in result.stderr


# name, text, its replacement, fragments of the warning
DOUBTS = [
    ("far away", LINE, "mesh: {type: line, from: [0, 1e8, 0], to: [1, 1e8, 0], elements: 4}",
     ["body 'beam' lies 1e+08 m from the origin", "2.2e-08 of that size", "7 digits", "put the origin near it"]),
    ("modulus in GPa", "E: 210e9", "E: 210", ["model.yaml:3:", "210 Pa is unusual", "are the units SI?"]),
    ("thickness in mm", "thickness: 0.001", "thickness: 1e5", ["model.yaml:8:", "unusual", "are the units SI?"]),
    ("density in g/cm3", "density: 7850", "density: 0.785", ["model.yaml:3:", "unusual for mass density"]),
    ("nothing holds the beam", "  root: {type: clamp, at: beam.start}", "  root: {type: clamp, at: plate.x_max}",
     ["no constraint holds body 'beam'"]),
]


@pytest.mark.parametrize("old,new,fragments", [row[1:] for row in DOUBTS], ids=[row[0] for row in DOUBTS])
def test_doubtful_input_is_a_warning(lithe, old, new, fragments):
    (lithe.folder / "model.yaml").write_text(MODEL.replace(old, new, 1))
    result = lithe("check", "model.yaml")
    assert result.returncode == 0, result.stderr
    assert result.stderr.count("warning: ") == 1, result.stderr
    for fragment in fragments:
        assert fragment in result.stderr, result.stderr


@pytest.mark.parametrize("element, warned", [("hex8", True), ("tet4", True), ("tet10", False), ("hexa3843", False)])
def test_solids_that_lock_are_a_warning(lithe, element, warned):
    (lithe.folder / "model.yaml").write_text(f"""
materials: {{rubber: {{E: 1e6, nu: 0.49, density: 1000}}}}
bodies:
  block:
    element: {element}
    material: rubber
    mesh: {{type: block, length: [1, 0, 0], width: [0, 1, 0], height: [0, 0, 1], elements: [1, 1, 1]}}
constraints: {{root: {{type: clamp, at: block.x_min}}}}
loads: {{weight: {{type: gravity}}}}
""")
    result = lithe("check", "model.yaml")
    assert result.returncode == 0, result.stderr
    assert ("locks" in result.stderr and "use tet10 or hexa3843" in result.stderr) == warned, result.stderr


def test_cable_has_one_strategy_and_is_straight(lithe):
    cable = MODEL.replace("element: beam3243", "element: cable").replace("section: strip", "section: round")
    for old, new, fragment in [
        (LINE, LINE + "\n    strategy: C", "strategy 'C' is not for cable"),
        (LINE, ARC, "naturally straight"),
    ]:
        (lithe.folder / "model.yaml").write_text(cable.replace(old, new, 1))
        result = lithe("check", "model.yaml")
        assert result.returncode == 2
        assert fragment in result.stderr
        assert "batched" in result.stderr or "beam3243" in result.stderr
