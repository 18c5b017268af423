"""What checks, runs and lists say of things that are easily misread: each message says what is so, and what to do."""

import re
import warnings

import lithe as api
import pytest
from conftest import SOURCE
from lithe import _lithe

HEAD = """\
name: words
materials:
  steel: {E: 2e11, nu: 0.3, density: 7850}
  air: {E: 1e9, nu: 0.3}
sections:
  strip: {type: rectangle, width: 0.02, thickness: 0.01}
  rope: {type: circle, radius: 0.005}
"""
BEAM = """\
bodies:
  beam: {element: beam3243, material: steel, section: strip, mesh: {type: line, from: [0, 0, 0], to: [1, 0, 0], elements: 4}}
"""
CLAMP = "constraints: {root: {type: clamp, at: beam.start}}\n"


def said(lithe, text, command="check", status=2, arguments=()):
    (lithe.folder / "model.yaml").write_text(HEAD + text)
    result = lithe(command, "model.yaml", *arguments)
    assert result.returncode == status, result.stdout + result.stderr
    return result.stderr


# ---- statics


AXES = [((0, 0, 1), {"z"}), ((0, 1, 0), {"y"}), ((1, 0, 1), {"x", "z", "along"})]


@pytest.mark.parametrize("treatment", ["eliminate", "lagrange"])
@pytest.mark.parametrize("body", ["{type: point_mass, mass: 1}", "{type: rigid, mass: 1, inertia: [1, 1, 1]}"])
@pytest.mark.parametrize("axis,named", AXES, ids=[str(axis) for axis, _ in AXES])
def test_what_nothing_holds_is_free(lithe, treatment, body, axis, named):
    joint = "point_on_line" if "point_mass" in body else "prismatic"
    model = f"""\
bodies: {{block: {body}}}
joints: {{guide: {{type: {joint}, a: ground, b: block, point: [0, 0, 0], axis: {list(axis)}}}}}
loads: {{push: {{type: force, at: block, force: [1, 1, 1]}}}}
"""
    text = said(lithe, model, "run", 1, ("--set", f"treatment={treatment}"))
    names = re.search(r"singular; nothing holds (.*?); a constraint is missing", text)[1].split("; ")
    found = [re.fullmatch(r"body 'block',(?: node 0,)? position ([xyz]|along \[(.*)\])", name) for name in names]
    assert found[0] and all(match[1].split()[0] in named for match in found), names
    for match in found:
        if match[2]:
            direction = [float(x) for x in match[2].split(",")]
            assert abs(sum(a * b for a, b in zip(direction, axis))) == pytest.approx(2**0.5, abs=1e-2)


def test_a_later_stage_that_fails_says_when(lithe):
    stages = """\
loads:
  tip: {type: force, at: beam.end, force: [0, 0, {table: [[0, 0], [1, 10], [3, 20]]}]}
analysis:
  - {type: static, name: load}
  - {type: static, name: more, duration: 2, first_step: 0.1, largest_step: 0.1, largest_steps: 3}
"""
    text = said(lithe, BEAM + CLAMP + stages, "run", 1)
    assert "stage 'more' (2 of 2) failed: t = 1.6 s reached, of 1 to 3 s: the limit of 3 steps is spent" in text
    assert "the results up to t = 1.6 s are in" in text and "load factor" not in text.split("error:")[1]


def test_the_solver_line_names_a_reason_once(lithe, examples):
    result = lithe("run", examples / "cantilever.yaml", "-o", "cantilever.h5", "--set", "loads.tip.force=[0, 0, -30]")
    line = re.search(r"  solver .*", result.stdout)[0]
    assert re.search(r"; cholmod_ldl for (one matrix that was|\d+ matrices that were) not positive definite$", line), line
    assert line.count("definite") == 2  # what was expected, and what was found


def test_friction_does_not_act_in_statics(lithe):
    bodies = "bodies: {block: {type: point_mass, mass: 1}}\n"
    joints = "joints: {guide: {type: point_on_line, a: ground, b: block, point: [0, 0, 0], axis: [1, 0, 0]}}\n"
    springs = """\
springs:
  hold: {type: travel_spring, joint: guide, stiffness: 100}
  rub: {type: friction, joint: guide, force: 5}
loads: {push: {type: force, at: block, force: [3, 0, 0]}}
"""
    model = bodies + joints + springs
    text = said(lithe, model + "analysis: {type: static}\n", status=0)
    assert "friction 'rub' does not act in statics, where nothing has a rate: this finds the equilibrium without it" in text
    stages = "analysis: [{type: static}, {type: dynamic, duration: 0.1, step: 1e-3}]\n"
    assert "static stages find the equilibrium without it" in said(lithe, model + stages, status=0)
    assert "friction" not in said(lithe, model + "analysis: {type: dynamic, duration: 0.1, step: 1e-3}\n", status=0)


# ---- sides


def brick(sides):
    corners = [(x, y, z) for z in (0, 1) for y in (0, 1) for x in (0, 1)]
    order = [0, 1, 3, 2, 4, 5, 7, 6]
    nodes = [list(corners[i]) for i in order]
    return f"""\
bodies:
  b:
    element: hex8
    material: steel
    mesh:
      type: nodes
      nodes: {nodes}
      elements: [[0, 1, 2, 3, 4, 5, 6, 7]]
      sets: {{floor: [0, 1, 2, 3]}}
      {sides}
constraints: {{hold: {{type: fix, at: b.floor, coordinates: [position]}}}}
outputs: {{hold: {{type: reaction, constraint: hold}}}}
"""


def test_sides_of_a_brick_may_be_called_top(lithe):
    load = "loads: {press: {type: traction, on: b.top, force: [0, 0, -7e6]}}\n"
    said(lithe, brick("sides: {top: {normal: [0, 0, 1]}}") + load, "run", 0, ("-o", "out.h5"))
    assert api.read(str(lithe.folder / "out.h5")).channels["hold"][-1][2] == pytest.approx(7e6, rel=1e-6)
    assert "this is nothing; give {of: ..., nodes: ..., normal: ..., within: ..., box: ...}" in said(
        lithe, brick("sides: {top}"))  # fmt: skip
    text = said(lithe, brick("sides: {boundary: {normal: [0, 0, 1]}}"))
    assert "every hex8 mesh has sides 'boundary' already" in text and "choose another name" in text


def test_a_traction_on_a_whole_body_names_its_sides(lithe):
    text = said(lithe, brick("sides: {lid: {normal: [0, 0, 1]}}") +
                "loads: {press: {type: traction, on: b, force: [0, 0, -7]}}\n")  # fmt: skip
    assert "'b' is the whole body, but this acts on a surface of it; name one: b.boundary, b.lid" in text
    text = said(lithe, brick("sides: {lid: {normal: [0, 0, 1]}}") +
                "loads: {press: {type: pressure, on: {body: b, node: 3}, pressure: 1}}\n")  # fmt: skip
    assert "'b node 3' is a place of the body, but this acts on a surface of it" in text


# ---- bodies and sections


def test_a_point_mass_starts_where_it_is_told(lithe):
    model = """\
bodies: {bob: {type: point_mass, mass: 2, position: [1, 0, 0], start: {axis: [0, 0, 1], angle: 90, displacement: [0, 0, 0.5]}}}
springs: {string: {type: spring, a: {body: ground, point: [0, 0, 0]}, b: bob, stiffness: 10}}
outputs: {bob: {type: position, at: bob}, string: {type: spring, spring: string}}
analysis: {type: dynamic, duration: 0.01, step: 1e-3}
"""
    said(lithe, model, "run", 0, ("-o", "out.h5"))
    result = api.read(str(lithe.folder / "out.h5"))
    assert result.channels["bob"][0] == pytest.approx([0, 1, 0.5], abs=1e-14)
    assert result.channels["string"][0][2] == pytest.approx(10 * (1.25**0.5 - 1))  # at rest where the reference has it
    text = said(lithe, model.replace("axis: [0, 0, 1], angle", "axis: [0, 0, 0], angle"))
    assert "bodies.bob.start.axis" in text


GENERAL = """\
  any: {{type: general, stiffness: [4e7, 1e7, 1e7, 300, 300, 1300]{0}}}
bodies:
  beam: {{element: beam3243, material: air, section: any, mesh: {{type: line, from: [0, 0, 0], to: [1, 0, 0], elements: 4}}}}
constraints: {{root: {{type: clamp, at: beam.start}}}}
loads: {{weight: {{type: gravity, acceleration: [0, 0, -9.81]}}}}
"""


def test_the_mass_of_a_general_section_is_its_own(lithe):
    assert "warning" not in said(lithe, GENERAL.format(", mass: 1.6"), status=0)  # the density of 'air' is 0
    text = said(lithe, GENERAL.format(""), status=0)
    assert "its section 'any' has mass 0, and the density of its material is not used; give 'mass'" in text
    for keys, place, words in [
        (", mass_first: [1, 0]", "mass_first", "there is a moment of mass here, but 'mass' is 0"),
        (", mass_second: [1, 1, 0]", "mass_second", "there is a moment of mass here, but 'mass' is 0"),
        (", mass: 2, mass_second: [-1, 1, 0]", "mass_second", "this is [-1, 1, 0]"),
        (", mass: 2, mass_first: [0.2, 0.4]", "mass_first", "y = 0.1, z = 0.2 m, and mass_second about the section's "
         "origin is not given; all the mass in its centre already has mass_second = [0.02, 0.08, 0.04]"),
        (", mass: 2, mass_first: [0.2, 0], mass_second: [0.01, 0, 0]", "mass_second",
         "would leave [-0.01, 0, 0] about that centre"),
    ]:  # fmt: skip
        text = said(lithe, GENERAL.format(keys))
        assert f"sections.any.{place}: " in text and words in text


# ---- ropes


def rope(gravity="[0, -9.81, 0]", elements=20, extra=""):
    return f"""\
bodies:
  line: {{element: cable, material: steel, section: rope,
         mesh: {{type: line, from: [0, 0, 0], to: [10, 0, 0], elements: {elements}, unstretched_length: 12}}}}
constraints: {{a: {{type: pin, at: line.start}}, b: {{type: pin, at: line.end}}}}
loads: {{weight: {{type: gravity, acceleration: {gravity}}}}}
outputs: {{middle: {{type: position, at: line.middle}}}}
{extra}"""


def test_a_slack_rope_hangs_by_a_gravity_that_grows(lithe):
    def middle(gravity):
        said(lithe, rope(gravity), "run", 0, ("-o", "out.h5", "--force"))
        return api.read(str(lithe.folder / "out.h5")).channels["middle"][-1]

    full = middle("[0, -9.81, 0]")
    assert full[1] < -2.5
    assert middle("[0, {table: [[0, 0], [1, -9.81]]}, 0]") == pytest.approx(full, abs=1e-9)


def ring(elements):
    model = api.Model(name="ring")
    model.materials["rope"] = api.Isotropic(E=1e9, nu=0.3, density=1000)
    model.sections["round"] = api.Circle(radius=0.005)
    mesh = api.LineMesh(from_=(0, 0, 0), to=(10, 0, -2), elements=elements, unstretched_length=12)
    model.bodies["line"] = api.Body(element="cable", material="rope", section="round", mesh=mesh)
    model.constraints["a"] = api.Pin(at="line.start")
    model.constraints["b"] = api.Pin(at="line.end")
    model.loads["weight"] = api.Gravity(acceleration=(0, 0, -9.81))
    model.outputs["start"] = api.PositionOutput(at={"body": "line", "node": (2 * elements) // 3})
    model.analysis = api.DynamicAnalysis(duration=1e-9, step=1e-9)
    place = tuple(model.solve().channels["start"][0])
    del model.outputs["start"]
    model.bodies["ring"] = api.PointMass(mass=20, position=place)
    model.joints["slides"] = api.SlideAlong(line="line", b="ring")
    model.outputs["ring"] = api.PositionOutput(at="ring")
    model.analysis = api.StaticAnalysis()
    return model


def test_a_ring_on_elements_longer_than_its_corner_is_doubtful():
    with pytest.warns(api.LitheWarning, match="depends on the mesh") as told:
        coarse = ring(13).solve()
    text = str(told[0].message)
    assert "joint 'slides' bends cable 'line' in a corner that its stiffness rounds over sqrt(EI/T)" in text
    enough = int(re.search(r"(\d+) elements would do", text)[1])
    assert 200 < enough < 400
    assert text in coarse.report["warnings"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fine = [ring(n).solve().channels["ring"][-1] for n in (enough, 2 * enough)]
    off = abs(coarse.channels["ring"][-1] - fine[1]).max()
    assert abs(fine[0] - fine[1]).max() < 0.25 * off


# ---- steps that are too long


def test_andrews_mechanism_in_steps_of_a_millisecond_is_doubtful(lithe):
    result = lithe("run", SOURCE / "tests" / "cases" / "andrews.yaml", "--set", "analysis.step=1e-3", "-o", "out.h5")
    assert re.search(r"warning: parts turn by up to [\d.]+ rad in one step of 0.001 s.*; take at most [\d.e-]+ s",
                     result.stderr)  # fmt: skip


# ---- lists and tables


def test_lists_name_what_joints_may_do(lithe):
    travel = lithe("list", "springs", "travel_spring").stdout
    assert "a prismatic, cylindrical, screw, planar, point_on_line or slide_along joint" in travel
    assert "of a connection: on its nodes" in lithe("list", "outputs", "joint").stdout
    text = said(lithe, BEAM + "joints: {hinge: {type: revolute, a: ground, b: beam.start, axis: [0, 1, 0]}}\n"
                "springs: {pull: {type: travel_spring, joint: hinge, stiffness: 1}}\n")  # fmt: skip
    assert "which has no travel; name a prismatic, cylindrical, screw, planar, point_on_line or slide_along joint" in text


def test_the_table_of_classes_is_complete(lithe):
    text = (SOURCE / "docs" / "python.md").read_text().split("## Names of the classes")[1].split("\n## ")[0]
    rows = {row[1].strip(): row[2] for row in (line.split("|") for line in text.splitlines() if line.startswith("| "))}
    classes = {info["name"] for info in _lithe.describe_classes()}
    assert classes == {name for cell in rows.values() for name in re.findall(r"`([A-Z]\w+)`", cell)}
    kinds = {"mesh of a body": "meshes", "shape of a rigid body": "shapes", "analysis": "analyses"}
    for place, cell in rows.items():
        if place in ("in a file", "elsewhere"):
            continue
        types = [line.split()[0] for line in lithe("list", kinds.get(place, place)).stdout.splitlines()]
        assert sorted(types) == sorted(re.findall(r"` (\w+)", cell)), place
