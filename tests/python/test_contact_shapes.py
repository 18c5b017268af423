"""What touches: shapes from files, compounds, contact shapes, groups, cables, sections of beams; points in the results."""
import pickle
import struct
import subprocess
import time
import xml.etree.ElementTree as xml

import h5py
import numpy as np
import pytest
from conftest import PROGRAM as LITHE, SOURCE

import lithe


def box_triangles(size, at=(0, 0, 0)):
    x = np.array([[(k >> m & 1) - 0.5 for m in range(3)] for k in range(8)]) * size + at
    quads = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
    return [x[list(t)] for a, b, c, d in quads for t in ((a, b, c), (a, c, d))]


def write_stl(path, triangles):
    with open(path, "wb") as file:
        file.write(bytes(80) + struct.pack("<I", len(triangles)))
        for t in triangles:
            file.write(struct.pack("<12fH", 0, 0, 0, *np.ravel(t), 0))


def slope(shape, angle=0.5, **more):
    """A body on a slope that falls towards x."""
    model = lithe.Model()
    c, s = np.cos(angle), np.sin(angle)
    model.bodies["block"] = lithe.RigidBody(shape=shape, density=1000, x_axis=(c, 0, -s), y_axis=(0, 1, 0), position=(0.125 * s, 0, 0.125 * c), **more)
    model.obstacles["slope"] = lithe.Obstacle(shape=lithe.PlaneShape(), normal=(s, 0, c))
    model.contacts["touch"] = lithe.Contact(between=["block", "slope"], friction=0.2)
    model.loads["gravity"] = lithe.Gravity()
    model.outputs["x"] = lithe.PositionOutput(at="block")
    model.analysis = lithe.DynamicAnalysis(duration=0.3, step=0.005)
    return model


def test_a_box_as_a_mesh_slides_as_the_box(tmp_path):
    write_stl(tmp_path / "box.stl", box_triangles(np.array([1000, 500, 250]), at=(4000, 0, 0)))
    box = slope(lithe.BoxShape(size=(1, 0.5, 0.25))).solve().channels["x"]
    mesh = slope(lithe.MeshShape(path=str(tmp_path / "box.stl"), scale=0.001)).solve().channels["x"]
    np.testing.assert_allclose(mesh, box, atol=1e-9)
    s = 9.80665 * (np.sin(0.5) - 0.2 * np.cos(0.5)) * 0.3**2 / 2
    np.testing.assert_allclose(box[-1] - box[0], [s * np.cos(0.5), 0, -s * np.sin(0.5)], rtol=1e-6, atol=1e-9)


def test_a_compound_is_its_parts():
    parts = [lithe.ShapePart(shape=lithe.BoxShape(size=(0.25, 0.25, 0.5)), position=(x, 0, 0), y_axis=(0, 0, 1)) for x in (-0.375, -0.125, 0.125, 0.375)]
    box = slope(lithe.BoxShape(size=(1, 0.5, 0.25))).solve().channels["x"]
    turned = slope(lithe.CompoundShape(shapes=parts)).solve().channels["x"]
    np.testing.assert_allclose(turned, box, atol=1e-9)


def test_what_slides_over_a_seam_does_not_feel_it():
    slab = lithe.BoxShape(size=(1, 1, 0.2))
    parts = [lithe.ShapePart(shape=slab, position=(x, 0, -0.1)) for x in (-0.5, 0.5)]
    model = lithe.Model()
    model.bodies["it"] = lithe.RigidBody(shape=lithe.BoxShape(size=(0.2, 0.2, 0.1)), density=1000, position=(-0.5, 0, 0.05), velocity=(1, 0, 0))
    model.obstacles["ground"] = lithe.Obstacle(shape=lithe.CompoundShape(shapes=parts))
    model.contacts["touch"] = lithe.Contact(between="all")
    model.loads["gravity"] = lithe.Gravity()
    model.outputs["v"] = lithe.VelocityOutput(at="it")
    model.analysis = lithe.DynamicAnalysis(duration=0.8, step=0.002)
    np.testing.assert_allclose(model.solve().channels["v"], np.tile((1, 0, 0), (401, 1)), atol=1e-7)


def drop(**body):
    """Falls onto the floor and rests there."""
    model = lithe.Model()
    model.bodies["it"] = lithe.RigidBody(density=1000, **body)
    model.obstacles["floor"] = lithe.Obstacle(shape=lithe.PlaneShape())
    model.contacts["touch"] = lithe.Contact(between="all", friction=0.5)
    model.loads["gravity"] = lithe.Gravity()
    model.outputs["x"] = lithe.PositionOutput(at="it")
    model.analysis = lithe.DynamicAnalysis(duration=0.5, step=0.005)
    return model


def test_what_touches_need_not_be_what_weighs():
    ball = lithe.SphereShape(radius=0.3)
    result = drop(shape=lithe.BoxShape(size=(0.1, 0.1, 0.1)), contact_shape=ball, position=(0, 0, 0.5)).solve()
    assert result.channels["x"][-1, 2] == pytest.approx(0.3, abs=1e-9)
    model = drop(shape=lithe.BoxShape(size=(0.1, 0.1, 0.1)), position=(0, 0, 0.5))
    model.bodies["it"] = lithe.RigidBody(mass=2, inertia=(1, 1, 1), contact_shape=ball, position=(0, 0, 0.5))
    assert model.solve().channels["x"][-1, 2] == pytest.approx(0.3, abs=1e-9)


def test_a_part_stands_where_its_file_has_it(tmp_path):
    write_stl(tmp_path / "box.stl", box_triangles(np.array([1, 1, 1]), at=(5, 6, 1)))
    shape = lithe.MeshShape(path=str(tmp_path / "box.stl"))
    for origin, height in (("shape", 1), ("center", 0.75)):
        position = (0, 0, 0) if origin == "shape" else (5, 6, 0.75)
        model = drop(shape=shape, origin=origin, position=position, points={"corner": (5.5, 6.5, 1.5)})
        model.outputs["corner"] = lithe.PositionOutput(at="it.corner")
        result = model.solve()
        np.testing.assert_allclose(result.channels["x"][0], (5, 6, height), atol=1e-12)
        if origin == "shape":
            np.testing.assert_allclose(result.channels["corner"][0], (5.5, 6.5, 1.5), atol=1e-12)
        assert result.channels["x"][-1, 2] == pytest.approx(0.5, abs=1e-6)


def test_a_surface_with_a_rim_is_ground(tmp_path):
    # Four triangles that make a shallow bowl, outside up.
    rim = np.array([[-2, -2, 1], [2, -2, 1], [2, 2, 1], [-2, 2, 1]])
    write_stl(tmp_path / "bowl.stl", [np.array([rim[k], rim[(k + 1) % 4], (0, 0, 0)]) for k in range(4)])
    shape = lithe.MeshShape(path=str(tmp_path / "bowl.stl"), open=True)
    model = drop(shape=lithe.SphereShape(radius=0.2), position=(0, 0, 0.6))
    model.obstacles["floor"] = lithe.Obstacle(shape=shape)
    assert model.solve().channels["x"][-1, 2] == pytest.approx(0.2 * np.sqrt(5) / 2, abs=1e-6)  # 0.5 of slope
    with pytest.raises(lithe.InputError, match="an open surface has no volume"):
        drop(shape=shape, position=(0, 0, 3)).solve()
    closed = lithe.MeshShape(path=str(tmp_path / "bowl.stl"))
    with pytest.raises(lithe.InputError, match="4 edges belong to one triangle only"):
        drop(shape=closed, position=(0, 0, 3)).solve()


MESH = """\
bodies: {it: {type: rigid, shape: {type: mesh, path: parts/box.stl}, density: 1000, position: [0, 0, 1]}}
obstacles: {floor: {shape: {type: compound, shapes: [{shape: {type: mesh, path: parts/slab.stl}, position: [0, 0, -0.5]}]}}}
contacts: {touch: {between: all}}
loads: {gravity: {type: gravity}}
outputs: {x: {type: position, at: it}}
analysis: {type: dynamic, duration: 0.4, step: 0.005, checkpoint_step: 0.1}
"""


def run(folder, *arguments, cwd=None):
    return subprocess.run([LITHE, *arguments], capture_output=True, text=True, timeout=300, cwd=cwd or folder)


def test_files_lie_beside_the_model_and_are_not_changed(tmp_path):
    parts = tmp_path / "folder" / "parts"
    parts.mkdir(parents=True)
    write_stl(parts / "box.stl", box_triangles(np.array([1, 1, 1])))
    write_stl(parts / "slab.stl", box_triangles(np.array([5, 5, 1])))
    (tmp_path / "folder" / "model.yaml").write_text(MESH)
    out = tmp_path / "out.h5"
    result = run(tmp_path, "run", "folder/model.yaml", "-o", str(out), "--set", "analysis.duration=0.2")
    assert result.returncode == 0, result.stdout + result.stderr
    assert lithe.read(out).model_yaml.count("digest") == 2
    result = run(tmp_path, "run", "--resume", str(out), "--set", "analysis.duration=0.4")
    assert result.returncode == 0, result.stdout + result.stderr
    assert lithe.read(out).channels["x"][-1, 2] == pytest.approx(0.5, abs=1e-4)
    write_stl(parts / "slab.stl", box_triangles(np.array([5, 5, 1.1])))
    result = run(tmp_path, "run", "--resume", str(out), "--set", "analysis.duration=0.5")
    assert result.returncode != 0 and "slab.stl' is not the one that was used before" in result.stderr
    (parts / "box.stl").unlink()
    result = run(tmp_path, "check", "folder/model.yaml")
    assert result.returncode != 0
    for word in ("model.yaml:1", "there is no such mesh file", "parts/box.stl"):
        assert word in result.stdout + result.stderr


def balls(**names):
    """Balls over the floor side by side, each resting on it or falling through it."""
    model = lithe.Model()
    for k, name in enumerate(["a1", "a2", "b1", "b2"]):
        model.bodies[name] = lithe.RigidBody(shape=lithe.SphereShape(radius=0.1), density=1000, position=(k, 0, 0.1))
    model.obstacles["floor"] = lithe.Obstacle(shape=lithe.PlaneShape())
    model.loads["gravity"] = lithe.Gravity()
    model.analysis = lithe.DynamicAnalysis(duration=0.1, step=0.01)
    return model


@pytest.mark.parametrize("groups, contacts, resting", [
    ({}, {"all": {"between": "all"}}, "a1 a2 b1 b2"),
    ({}, {"all": {"between": "all", "except_": ["a1"]}}, "a2 b1 b2"),
    ({}, {"all": {"between": "all", "except_": [["a1", "floor"], ["b1", "b2"]]}}, "a2 b1 b2"),
    ({"as": ["a*"]}, {"as": {"between": ["as", "floor"]}}, "a1 a2"),
    ({"as": ["a*"]}, {"all": {"between": "all"}, "as": {"between": ["as", "floor"], "law": "none"}}, "b1 b2"),
    ({"as": ["a*"]}, {"one": {"between": ["a1", "floor"]}, "as": {"between": ["as", "all"], "law": "none"}, "all": {"between": "all"}}, "a1 b1 b2"),
    ({"as": ["a*"], "bs": ["b1", "b2"]}, {"all": {"between": "all", "except_": [["as", "floor"], "bs"]}}, ""),
    ({"twos": ["*2"]}, {"all": {"between": ["floor", "all"], "except_": ["twos"]}}, "a1 b1"),
])
def test_groups_and_exceptions(groups, contacts, resting):
    model = balls()
    for name, members in groups.items():
        model.groups[name] = members
    for name, contact in contacts.items():
        model.contacts["entry " + name] = lithe.Contact(**contact)
    result = model.solve()
    there = [name for name in result.bodies if abs(result.position(name)[-1, 0, 2] - 0.1) < 1e-9]
    assert " ".join(there) == resting


ROPE = """\
materials: {m: {type: isotropic, E: 1e8, nu: 0.3, density: 1000}}
sections: {bar: {type: bar, EA: 1e4, EI: 0.1, mass: 0.2}, round: {type: circle, radius: 0.01}, flat: {type: rectangle, width: 0.1, thickness: 0.05}}
bodies:
  rope:
    element: cable
    material: m
    section: bar
    mesh: {type: line, from: [-0.5, 0, 0.5], to: [0.5, 0, 0.5], elements: 10}
    contact_radius: 0.02
  beam: {element: beam3243, material: m, section: flat, mesh: {type: line, from: [0, 5, 1], to: [1, 5, 1], elements: 2}}
  box: {type: rigid, shape: {type: box, size: [0.2, 0.2, 0.2]}, density: 500, position: [0, 3, 0.1]}
obstacles: {floor: {shape: {type: plane}}}
groups: {ropes: ["ro*"]}
contacts: {touch: {between: all, friction: 0.4}}
loads: {gravity: {type: gravity}}
analysis: {type: dynamic, duration: 0.02, step: 0.002}
"""

BAD = [
    ("a cable without a radius, named", "    contact_radius: 0.02\n", "", "between: all", "between: [ropes, floor]", ["contacts.touch.between", "of group 'ropes', body 'rope'", "contact_radius"]),
    ("a cable without a radius, of all", "    contact_radius: 0.02\n", "", "friction: 0.4", "friction: 0.4", ["warning", "'rope'", "contact_radius", "'except'"]),
    ("radius of a beam", "section: flat,", "section: flat, contact_radius: 0.1,", "", "", ["model.yaml:10", "contact_radius", "the sides that it has"]),
    ("radius below 0", "contact_radius: 0.02", "contact_radius: -0.02", "", "", ["contact_radius", "-0.02", "greater than 0"]),
    ("too many balls", "contact_radius: 0.02", "contact_radius: 0.02\n    contact_as: spheres\n    contact_spheres: 100000", "", "", ["contact_spheres", "100000", "10000"]),
    ("group of nobody", "[\"ro*\"]", "[\"roo*\"]", "", "", ["model.yaml:13", "groups.ropes.0", "no body and no obstacle has a name like 'roo*'"]),
    ("group of an unknown name", "[\"ro*\"]", "[rop]", "", "", ["groups.ropes.0", "'rop'", "did you mean 'rope'"]),
    ("group with a taken name", "groups: {ropes:", "groups: {box:", "", "", ["'box' has a meaning"]),
    ("empty group", "[\"ro*\"]", "[]", "", "", ["this group is empty"]),
    ("exception of nobody", "friction: 0.4", "friction: 0.4, except: [rop]", "", "", ["contacts.touch.except.0", "'rop'", "did you mean 'rope'"]),
    ("exception of three", "friction: 0.4", "friction: 0.4, except: [[rope, box, beam]]", "", "", ["names 3", "a pair [a, b]"]),
    ("exception of a pair", "between: all", "between: [box, floor], except: [rope]", "", "", ["for one pair alone"]),
    ("group with a rigid body, itself", "[\"ro*\"]", "[rope, box]", "between: all", "between: [ropes, self]", ["'box' does not deform", "from group 'ropes'"]),
    ("friction below 0", "friction: 0.4", "friction: -1", "", "", ["contacts.touch.friction", "model.yaml:14", "-1"]),
    ("restitution above 1", "friction: 0.4", "restitution: 1.1", "", "", ["contacts.touch.restitution", "model.yaml:14", "1.1"]),
    ("nonsmooth under hht", "step: 0.002", "step: 0.002, integrator: hht", "", "", ["analysis.integrator", "contact 'touch' is nonsmooth", "half_step"]),
    ("nothing to touch", "type: box, size: [0.2, 0.2, 0.2]}, density: 500", "type: box, size: [0.2, 0.2, 0]}, mass: 1", "between: all", "between: [box, floor]", ["'box' has no shape with a volume", "contact_shape"]),
    ("empty path", "type: box, size: [0.2, 0.2, 0.2]", "type: mesh, path: ''", "", "", ["bodies.box.shape.path", "STL or OBJ"]),
    ("open mesh", "type: box, size: [0.2, 0.2, 0.2]", "type: mesh, path: open.stl", "", "", ["open.stl", "3 edges belong to one triangle only", "triangle 1"]),
    ("inverted mesh", "type: box, size: [0.2, 0.2, 0.2]", "type: mesh, path: inverted.stl", "", "", ["inverted.stl", "inside out", "reverse the normals"]),
    ("empty compound", "type: box, size: [0.2, 0.2, 0.2]", "type: compound, shapes: []", "", "", ["bodies.box.shape.shapes", "empty"]),
    ("density of a part of a given mass", "type: box, size: [0.2, 0.2, 0.2]}, density: 500", "type: compound, shapes: [{shape: {type: sphere, radius: 0.1}, density: 3}]}, mass: 3", "", "", ["shape.shapes.0.density", "spread over all"]),
    ("two ways to turn a part", "type: box, size: [0.2, 0.2, 0.2]", "type: compound, shapes: [{shape: {type: sphere, radius: 0.1}, x_axis: [1, 0, 0], orientation: [1, 0, 0, 0]}]", "", "", ["shape.shapes.0.x_axis", "remove one of them"]),
    ("origin of no shape", "shape: {type: box, size: [0.2, 0.2, 0.2]}, density: 500", "mass: 1, inertia: [1, 1, 1], contact_shape: {type: sphere, radius: 0.1}, origin: shape", "", "", ["bodies.box.origin", "remove this key"]),
    ("overlap at the start", "position: [0, 3, 0.1]", "position: [0, 3, 0.05]", "", "", ["body 'box' and obstacle 'floor' overlap by 0.05 m", "initial_overlap: accept"]),
]


@pytest.mark.parametrize("old, new, then, again, words", [case[1:] for case in BAD], ids=[case[0] for case in BAD])
def test_bad_input(tmp_path, old, new, then, again, words):
    assert old in ROPE and then in ROPE
    triangles = box_triangles(np.array([1, 1, 1]))
    write_stl(tmp_path / "open.stl", triangles[1:])
    write_stl(tmp_path / "inverted.stl", [t[::-1] for t in triangles])
    (tmp_path / "model.yaml").write_text(ROPE.replace(old, new).replace(then or "\0", again))
    result = run(tmp_path, "run", "model.yaml", "-o", "out.h5")
    assert (result.returncode == 0) == (words[0] == "warning"), result.stdout + result.stderr
    for word in words:
        assert word in result.stdout + result.stderr


def rope_on_floor(**more):
    model = lithe.Model()
    model.materials["m"] = lithe.Isotropic(E=1e7, nu=0.3, density=1000)
    model.sections["bar"] = lithe.Bar(EA=1e3, EI=0.01, mass=0.2)
    model.bodies["rope"] = lithe.Body(element="cable", material="m", section="bar", eta=0.01,
                                      mesh=lithe.LineMesh(from_=(-0.5, 0, 0.05), to=(0.5, 0, 0.05), elements=5), **more)  # fmt: skip
    model.obstacles["floor"] = lithe.Obstacle(shape=lithe.PlaneShape())
    model.contacts["touch"] = lithe.Contact(between="all", friction=0.3)
    model.loads["gravity"] = lithe.Gravity()
    model.outputs["touch"] = lithe.ContactOutput(contact="touch")
    model.analysis = lithe.DynamicAnalysis(duration=0.3, step=0.002)
    return model


@pytest.mark.parametrize("more, points", [({}, 21), ({"contact_as": "spheres", "contact_spheres": 6}, 30)])
def test_a_cable_lies_on_the_floor_at_its_radius(more, points):
    result = rope_on_floor(contact_radius=0.02, **more).solve()
    assert np.abs(result.position("rope")[-1, :, 2] - 0.02).max() < 1e-4
    last = result.channels["touch"][-1]
    assert last[0] <= points
    assert last[1] == pytest.approx(0.2 * 9.80665, rel=0.02)


def beam_over_ball(section, y, height):
    """A ball at rest in the hollow of a clamped beam's section, or on it."""
    model = lithe.Model()
    model.materials["m"] = lithe.Isotropic(E=2e11, nu=0.3, density=7800)
    model.sections["s"] = section
    model.bodies["beam"] = lithe.Body(element="beam3243", material="m", section="s",
                                      mesh=lithe.LineMesh(from_=(0, 0, 0), to=(0.4, 0, 0), elements=2))  # fmt: skip
    model.constraints["root"] = lithe.Clamp(at="beam.start")
    model.constraints["end"] = lithe.Clamp(at="beam.end")
    model.bodies["ball"] = lithe.RigidBody(shape=lithe.SphereShape(radius=0.02), density=1000, position=(0.2, y, height))
    model.contacts["touch"] = lithe.Contact(between="all", friction=0.9)
    model.loads["gravity"] = lithe.Gravity()
    model.analysis = lithe.DynamicAnalysis(duration=0.2, step=0.001)
    return model


@pytest.mark.parametrize("name, section, y, top", [
    ("I", lithe.ISection(height=0.2, width=0.2, flange=0.02, web=0.02), 0.06, -0.08),
    ("channel", lithe.ChannelSection(height=0.2, width=0.2, flange=0.02, web=0.02), 0.06, -0.08),
    ("polygon", lithe.Polygon(points=[(-0.1, -0.1), (0.1, -0.1), (0.1, -0.08), (0, -0.08), (0, 0.1), (-0.1, 0.1)], offset=(0, 0)), 0.085, None),
    ("round, off the line", lithe.Circle(radius=0.1, offset=(-0.06, 0)), 0.06, 0.1),
])
def test_beams_show_the_edge_of_their_section(name, section, y, top):
    if top is None:  # seen from its centroid
        area, first = 0.2 * 0.02 + 0.1 * 0.18, 0.2 * 0.02 * -0.09 + 0.1 * 0.18 * 0.01
        top = -0.08 - first / area
    result = beam_over_ball(section, y, top + 0.02 + 1e-3).solve()
    assert result.position("ball")[-1, 0, 2] == pytest.approx(top + 0.02, abs=2e-4)  # 64 sides, and the beam bends


# ---- points of contact in the results


def test_nothing_touches():
    model = drop(shape=lithe.SphereShape(radius=0.1), position=(0, 0, 100))
    result = model.solve()
    assert len(result.contacts) == len(result.time) and result.contacts.ends[-1] == 0
    assert result.contacts.impulse.shape == (0, 3) and result.contacts[-1].pair == []
    assert "contact_ends" in result._names()


def pile(folder, *options):
    (folder / "pile.yaml").write_text((SOURCE / "examples/pile.yaml").read_text())
    return run(folder, "run", "pile.yaml", "-o", "out.h5", "--set", "analysis.duration=1", *options)


def test_points_are_listed(tmp_path):
    result = pile(tmp_path)
    assert result.returncode == 0, result.stdout + result.stderr
    out = lithe.read(tmp_path / "out.h5")
    contacts, touch = out.contacts, out.channels["touch"]
    assert len(contacts) == len(out.time) and contacts.ends[0] == 0
    np.testing.assert_array_equal(np.diff(contacts.ends, prepend=0), touch[:, 0])
    assert contacts.ends[-1] > 100 and {name for pair in contacts.pair for name in pair} >= {"floor", "box1"}
    assert set(contacts.entry) == {"touch"}
    np.testing.assert_allclose(np.linalg.norm(contacts.normal, axis=1), 1, atol=1e-12)
    normal = np.einsum("ij,ij->i", contacts.impulse, contacts.normal)
    assert (normal > 0).all()
    tangential = np.linalg.norm(contacts.impulse - normal[:, None] * contacts.normal, axis=1)
    assert (tangential <= 0.4 * normal * (1 + 1e-6)).all()
    assert np.abs(np.einsum("ij,ij->i", contacts.slip, contacts.normal)).max() < 1e-10
    last = contacts[-1]
    assert len(last.gap) == touch[-1, 0]
    assert normal[contacts.ends[-2] :].sum() / out.step_size[-1] == pytest.approx(touch[-1, 1], rel=1e-12)
    assert f"contacts: {contacts.ends[-1]} points that press in 51 outputs, {len(last.gap)} in the last one" in run(tmp_path, "info", "out.h5").stdout
    # The same in memory, and in copies.
    memory = lithe.load(tmp_path / "pile.yaml", set=["analysis.duration=1"]).solve()
    for name in ("point", "normal", "impulse", "slip", "gap"):
        np.testing.assert_array_equal(getattr(memory.contacts, name), getattr(contacts, name))
    assert memory.contacts.pair == contacts.pair
    assert pickle.loads(pickle.dumps(memory)).contacts[-1].pair == last.pair
    with h5py.File(tmp_path / "out.h5") as file:
        assert [name.decode() for name in file["contacts/names"]["name"]] == ["floor", "wall", "plate", "touch"]
    grid = xml.parse(tmp_path / "out.xdmf").find(".//Grid[@Name='contacts']")
    assert len(grid) == len(out.time)
    assert {a.get("Name") for a in grid[-1].findall("Attribute")} == {"normal", "impulse", "slip", "gap"}
    assert grid[-1].find("Topology").get("NumberOfElements") == str(len(last.gap))


def test_points_of_rows_with_fields_alone(tmp_path):
    assert pile(tmp_path, "--set", "analysis.fields_every=10").returncode == 0
    (tmp_path / "out.h5").rename(tmp_path / "some.h5")
    some = lithe.read(tmp_path / "some.h5")
    assert pile(tmp_path).returncode == 0
    every = lithe.read(tmp_path / "out.h5")
    assert len(some.contacts) == len(some.field_rows) == 6
    for i, row in enumerate(some.field_rows):
        np.testing.assert_array_equal(some.contacts[i].impulse, every.contacts[int(row)].impulse)
    assert len(every.contacts) == 51
    assert pile(tmp_path, "--set", "analysis.fields=[position]").returncode == 0
    with pytest.raises(KeyError, match="did not record them"):
        lithe.read(tmp_path / "out.h5").contacts


def test_points_of_a_killed_run_are_those_before(tmp_path):
    assert pile(tmp_path, "--set", "analysis.output_step=0").returncode == 0
    (tmp_path / "out.h5").rename(tmp_path / "whole.h5")
    whole = lithe.read(tmp_path / "whole.h5")
    # The process is gone, whatever it was doing.
    command = [LITHE, "run", "pile.yaml", "-o", "out.h5", "--set", "analysis.duration=100", "--set", "analysis.output_step=0"]
    process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 60
        rows = 0
        while rows < 300 and time.monotonic() < deadline:
            time.sleep(0.05)
            if (tmp_path / "out.h5").exists():
                rows = len(lithe.read(tmp_path / "out.h5").time)  # also while it is written
    finally:
        process.kill()
        process.wait()
    part = lithe.read(tmp_path / "out.h5")
    assert not part.complete and len(part.contacts) == len(part.time) >= 300
    count = min(len(part.time), len(whole.time) - 1)  # the last step of the whole one ends at its duration, to the last bit
    np.testing.assert_array_equal(part.contacts.ends[:count], whole.contacts.ends[:count])
    end = part.contacts.ends[count - 1]
    assert end > 0
    for name in ("point", "impulse", "gap"):
        np.testing.assert_array_equal(getattr(part.contacts, name)[:end], getattr(whole.contacts, name)[:end])


def test_points_of_a_resumed_run_are_the_same(tmp_path):
    assert pile(tmp_path).returncode == 0
    every = lithe.read(tmp_path / "out.h5")
    part = tmp_path / "part.h5"
    model = lithe.load(tmp_path / "pile.yaml", set=["analysis.duration=1", "analysis.checkpoint_step=0.2"])
    model.solve(output=part, progress=lambda step: step["time"] < 0.75)
    again = lithe.resume(part)
    assert again.report["resumed_at"] > 0.5
    for name in ("point", "impulse", "slip", "gap"):
        assert getattr(again.contacts, name).tobytes() == getattr(every.contacts, name).tobytes()
    np.testing.assert_array_equal(again.contacts.ends, every.contacts.ends)
