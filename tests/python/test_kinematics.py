"""Kinematics of bodies, bases and half steps, from the command line and from Python."""
import json
import os
import subprocess

import h5py
import numpy as np
import pytest

import lithe

LITHE = os.environ.get("LITHE", "build/lithe")
MODEL = """\
materials: {m: {type: isotropic, E: 2e6, nu: 0.3, density: 1000}}
sections: {r: {type: circle, radius: 0.01}}
bodies:
  bar:
    element: hex8
    material: m
    kinematics: BC
    mesh: {type: block, length: [1, 0, 0], width: [0, 0.2, 0], height: [0, 0, 0.2], elements: [4, 1, 1]}
initial_velocities: {spin: {on: bar, angular_velocity: [0, 0, 1], center: [0.5, 0.1, 0.1]}}
outputs: {end: {type: position, at: {body: bar, point: [1, 0.1, 0.1]}}, energy: {type: energy}}
analysis: {type: dynamic, duration: 0.1, step: 0.002}
"""


def command(*arguments, expect=0, folder=None):
    result = subprocess.run([LITHE, *map(str, arguments)], capture_output=True, text=True, timeout=300, cwd=folder)
    assert result.returncode == expect, result.stdout + result.stderr
    return result.stdout + result.stderr


BAD = [
    ("BC on a cable", "element: hex8\n    material: m\n    kinematics: BC\n    mesh: {type: block, length: [1, 0, 0], width: [0, 0.2, 0], "
     "height: [0, 0, 0.2], elements: [4, 1, 1]}",
     "element: cable\n    material: m\n    section: r\n    kinematics: BC\n    mesh: {type: line, from: [0, 0, 0], to: [1, 0, 0], elements: 4}",
     ["model.yaml:8", "kinematics", "cable", "has no volume"]),
    ("BC under hht", "step: 0.002", "step: 0.002, integrator: hht",
     ["model.yaml:11", "analysis.integrator", "body 'bar' is BC", "half_step", "kinematics: TL"]),
    ("BC in statics", "{type: dynamic, duration: 0.1, step: 0.002}", "{type: static}", ["body 'bar' is BC", "has no statics"]),
    ("buckling of BC", "{type: dynamic, duration: 0.1, step: 0.002}", "{type: buckling}", ["body 'bar' is BC", "kinematics: TL"]),
    ("error control", "step: 0.002", "step: 0.002, control: error", ["analysis.control", "half_step has no estimate"]),
    ("augmented", "analysis:", "treatment: augmented\nanalysis:", ["treatment", "body 'bar' is BC", "multipliers"]),
    ("iterative solver", "step: 0.002", "step: 0.002, solver: cg", ["analysis.solver", "half_step has direct solvers alone"]),
    ("options of nobody", "step: 0.002", "step: 0.002, krylov: {restart: 5}", ["analysis.krylov", "half_step has direct solvers alone"]),
    ("negative eta", "kinematics: BC", "kinematics: BC\n    eta: -1", ["model.yaml:8", "eta", "-1"]),
    ("base without a use", "kinematics: BC", "kinematics: BC\n    base: a.h5", ["model.yaml:8", "base", "has no base"]),
    ("no base", "kinematics: BC", "kinematics: BC-RO", ["model.yaml:7", "needs 'base: FILE'", "lithe reduce pod"]),
    ("base that is not there", "kinematics: BC", "kinematics: BC-RO\n    base: no.h5", ["no.h5", "cannot be read"]),
    ("unknown kinematics", "kinematics: BC", "kinematics: CB", ["model.yaml:7", "'CB'", "is not known"]),
    ("mass damping", "kinematics: BC", "kinematics: BC\n    damping: {mass: 1}", ["damping.mass", "kinematics: TL"]),
    ("rigid with eta", "kinematics: BC", "kinematics: rigid\n    eta: 0.1", ["eta", "does not deform"]),
    ("no density", "density: 1000", "density: 0", ["density"]),
]


@pytest.mark.parametrize("old, new, words", [case[1:] for case in BAD], ids=[case[0] for case in BAD])
def test_bad_input(tmp_path, old, new, words):
    assert old in MODEL
    (tmp_path / "model.yaml").write_text(MODEL.replace(old, new))
    text = command("run", "model.yaml", expect=2 if "no.h5" not in new else 1, folder=tmp_path)
    for word in words:
        assert word in text, text


@pytest.mark.parametrize("arguments, words", [
    (("modal", "model.yaml", "--body", "bar", "--modes", "1-6,8,7"), ["is no list of modes"]),
    (("modal", "model.yaml", "--body", "bar", "--modes", "7-9"), ["mode 1 is missing", "rigid motions"]),
    (("modal", "model.yaml", "--body", "bar", "--modes", "1-600"), ["mode 600", "has 60 of them"]),
    (("modal", "model.yaml", "--body", "rab", "--modes", "1-9"), ["no body 'rab'"]),
    (("craig_bampton", "model.yaml", "--body", "bar", "--interface", "x_mim", "--count", "3"), ["no set of nodes 'x_mim'", "x_min"]),
    (("pod", "out.h5", "--body", "bar", "--count", "70"), ["70 modes cannot be made", "ask for at most"]),
    (("pod", "out.h5", "--body", "bar", "--count", "3"), ["six modes are the rigid motions"]),
    (("pod", "out.h5", "--body", "rab", "--count", "7"), ["no body 'rab'"]),
    (("pod", "model.yaml", "--body", "bar", "--count", "7"), ["model.yaml"]),
])
def test_bases_that_cannot_be_made(tmp_path, arguments, words):
    (tmp_path / "model.yaml").write_text(MODEL)
    command("run", "model.yaml", "-o", "out.h5", "-q", folder=tmp_path)
    text = command("reduce", *arguments, "-o", "base.h5", expect=2, folder=tmp_path)
    for word in words:
        assert word in text, text
    assert not (tmp_path / "base.h5").exists()


def test_reduced_bodies_follow_the_whole_one(tmp_path):
    """POD, modes and Craig-Bampton of one bar; turned and moved, a base still serves."""
    (tmp_path / "model.yaml").write_text(MODEL)
    run = ("run", "model.yaml", "-q", "--force", "-o")
    command(*run, "whole.h5", folder=tmp_path)
    command("reduce", "pod", "whole.h5", "--body", "bar", "--count", "9", "-o", "pod.h5", folder=tmp_path)
    command("reduce", "modal", "model.yaml", "--body", "bar", "--modes", "1-20", "-o", "modal.h5", folder=tmp_path)
    command("reduce", "craig_bampton", "model.yaml", "--body", "bar", "--interface", "x_min", "x_max", "--count", "30", "-o", "cb.h5",
            folder=tmp_path)
    def stretch(name):
        end = np.array(lithe.read(str(tmp_path / name)).channels["end"])
        return np.linalg.norm(end - [0.5, 0.1, 0.1], axis=1) - 0.5

    whole = stretch("whole.h5")
    assert whole.max() > 1e-5
    for kind, base in (("BC-RO", "pod.h5"), ("BC-MODAL", "modal.h5"), ("BC-RO", "cb.h5")):
        command(*run, "reduced.h5", "--set", f"bodies.bar.kinematics={kind}", "--set", f"bodies.bar.base={base}", folder=tmp_path)
        assert np.abs(stretch("reduced.h5") - whole).max() < 0.15 * whole.max(), (kind, base)
    # Turned by a quarter about z and moved: the same motion, turned.
    turned = MODEL.replace("length: [1, 0, 0], width: [0, 0.2, 0]", "corner: [3, 0, 0], length: [0, 1, 0], width: [-0.2, 0, 0]")
    turned = turned.replace("center: [0.5, 0.1, 0.1]", "center: [2.9, 0.5, 0.1]").replace("point: [1, 0.1, 0.1]", "point: [2.9, 1, 0.1]")
    turned = turned.replace("kinematics: BC", "kinematics: BC-RO\n    base: pod.h5")
    (tmp_path / "model.yaml").write_text(turned)
    command(*run, "turned.h5", folder=tmp_path)
    command(*run, "straight.h5", folder=tmp_path)
    found = np.array(lithe.read(str(tmp_path / "turned.h5")).channels["end"]) - [2.9, 0.5, 0.1]
    (tmp_path / "model.yaml").write_text(MODEL.replace("kinematics: BC", "kinematics: BC-RO\n    base: pod.h5"))
    command(*run, "straight.h5", folder=tmp_path)
    straight = np.array(lithe.read(str(tmp_path / "straight.h5")).channels["end"]) - [0.5, 0.1, 0.1]
    assert np.abs(found - np.column_stack([-straight[:, 1], straight[:, 0], straight[:, 2]])).max() < 1e-9


HELD = MODEL[: MODEL.index("initial_velocities")] + MODEL[MODEL.index("outputs") :]
DRIVES = [
    ("driven and clamped", "constraints: {root: {type: clamp, at: bar.x_min}}\njoints: {pull: {type: motion, at: {body: bar, node: 0}, displacement: [DRIVE, null, null]}}\n",
     ["constraint 'root'", "joint 'pull'"]),
    ("driven and fitted", "joints: {fit: {type: rigid_connection, a: ground, nodes: bar.x_min}, pull: {type: motion, at: {body: bar, node: 4}, displacement: [DRIVE, null, null]}}\n",
     ["joint 'fit'", "joint 'pull'"]),
]  # fmt: skip


@pytest.mark.parametrize("joints, names", [case[1:] for case in DRIVES], ids=[case[0] for case in DRIVES])
def test_contradictions_are_named(tmp_path, joints, names):
    """Those of the start before the run, with the line; those of later, where the run ends."""
    kinematics = "rigid" if "fit" in joints else "BC"
    text = HELD.replace("kinematics: BC", f"kinematics: {kinematics}").replace("step: 0.002", "step: 0.002, smallest_step: 1e-4")
    (tmp_path / "model.yaml").write_text(text + joints.replace("DRIVE", "0.01*t"))
    told = command("run", "model.yaml", "-q", "-o", "out.h5", expect=2, folder=tmp_path)
    assert "contradict each other: they prescribe the same motion in different ways" in told and "model.yaml:" in told, told
    for name in names:
        assert name in told, told
    (tmp_path / "model.yaml").write_text(text + joints.replace("DRIVE", '"(t-0.05+abs(t-0.05))^2"'))
    told = command("run", "model.yaml", "-q", "-o", "out.h5", expect=1, folder=tmp_path)
    assert "constraints cannot be met" in told and ("t = 0.05" in told or "t = 0.049" in told) and "Newton" not in told, told
    assert any(name in told for name in names), told


def test_a_body_inside_out_is_named(tmp_path):
    text = MODEL.replace("angular_velocity: [0, 0, 1], center: [0.5, 0.1, 0.1]", 'velocity: ["-1000*x", 0, 0]')
    text = text.replace("E: 2e6", "E: 1").replace("step: 0.002", "step: 0.002, smallest_step: 1e-4")
    (tmp_path / "model.yaml").write_text(text)
    told = command("run", "model.yaml", "-q", "-o", "out.h5", expect=1, folder=tmp_path)
    assert "body 'bar' has no rotation" in told and "determinant" in told, told
    assert "not finite" not in told.replace("no longer finite", "") and "residual" not in told, told


def test_bases_made_in_python_are_those_of_the_program(tmp_path):
    (tmp_path / "model.yaml").write_text(MODEL)
    command("run", "model.yaml", "-q", "-o", "whole.h5", folder=tmp_path)
    model = lithe.load(tmp_path / "model.yaml")
    whole, mine, its = (tmp_path / name for name in ("whole.h5", "mine.h5", "its.h5"))
    for base, arguments in (
        (lithe.reduce_pod(whole, "bar", 9, mine), ("pod", "whole.h5", "--body", "bar", "--count", "9")),
        (lithe.reduce_modal(model, "bar", [*range(1, 9), 12], mine), ("modal", "model.yaml", "--body", "bar", "--modes", "1-8,12")),
        (lithe.reduce_craig_bampton(model, "bar", ["x_min"], 5, mine),
         ("craig_bampton", "model.yaml", "--body", "bar", "--interface", "x_min", "--count", "5")),
    ):  # fmt: skip
        command("reduce", *arguments, "-o", its, folder=tmp_path)
        with h5py.File(its) as file:
            assert base.method == arguments[0] and len(base) == len(file["vectors"])
            assert np.array_equal(base.vectors.ravel(), file["vectors"][:].ravel())
            assert np.array_equal(base.values, file["values"][:])
            assert base.mesh.shape == (20, 3)
        its.unlink()
    model.bodies["bar"].kinematics, model.bodies["bar"].base = "BC-RO", str(mine)
    assert model.solve().bodies["bar"].modes == len(base)
    with pytest.raises(lithe.InputError, match="mode 1 is missing"):
        lithe.reduce_modal(model, "bar", [7, 8], mine)
    with pytest.raises(TypeError, match="is a list of names"):
        lithe.reduce_craig_bampton(model, "bar", "x_min", 5, mine)


def test_modes_of_every_kinematics(tmp_path):
    """By program, Python and as a stage after half steps; those of rest are those of TL."""
    (tmp_path / "model.yaml").write_text(MODEL)
    command("reduce", "modal", "model.yaml", "--body", "bar", "--modes", "1-12", "-o", "modal.h5", folder=tmp_path)
    model = lithe.load(tmp_path / "model.yaml")
    model.bodies["bar"].kinematics = "TL"
    wanted = model.modes(9).frequency[6:]
    for kind, base in (("BC", None), ("BC-MODAL", "modal.h5")):
        change = ["--set", f"bodies.bar.kinematics={kind}"] + (["--set", f"bodies.bar.base={base}"] if base else [])
        command("modes", "model.yaml", "--count", 9, "--json", "modes.json", "-o", "played.h5", "--force", *change, folder=tmp_path)
        table = json.loads((tmp_path / "modes.json").read_text())["modes"]
        assert [mode["frequency"] for mode in table[6:]] == pytest.approx(wanted, rel=1e-8)
        assert lithe.read(tmp_path / "played.h5").position("bar").shape == (72, 20, 3)
        text = MODEL.replace("analysis: {type: dynamic, duration: 0.1, step: 0.002}", "analysis: [{type: dynamic, duration: 0.1, step: 0.002}, {type: modes, count: 9}]")
        (tmp_path / "staged.yaml").write_text(text)
        command("run", "staged.yaml", "-o", "staged.h5", "--force", "-q", *change, folder=tmp_path)
        moved = lithe.read(tmp_path / "staged.h5").report["stages"][1]["modes"]
        assert [mode["frequency"] for mode in moved[6:]] == pytest.approx(wanted, rel=0.05)
    system = lithe.System(lithe.load(tmp_path / "model.yaml"))
    with pytest.raises(lithe.InputError, match="is not assembled"):
        system.tangent()
    turned = system.prolong(np.ones(system.size))
    assert np.abs(system.restrict(turned) - 1).max() < 1e-12
    model.bodies["bar"].kinematics = "rigid"
    assert np.abs(model.modes(6).frequency).max() < 1e-4
    with pytest.raises(lithe.InputError, match="has no statics"):
        model.modes(3, at="equilibrium")


def test_files_lie_beside_the_model_or_where_the_command_says(tmp_path, monkeypatch):
    """In a file beside it; of --set, as of every path on a command line, and of a script from the working folder."""
    there, here = tmp_path / "there", tmp_path / "here"
    there.mkdir(), here.mkdir()
    (there / "model.yaml").write_text(MODEL)
    command("reduce", "modal", "there/model.yaml", "--body", "bar", "--modes", "1-9", "-o", "there/nine.h5", folder=tmp_path)
    command("reduce", "modal", "there/model.yaml", "--body", "bar", "--modes", "1-8", "-o", "here/eight.h5", folder=tmp_path)
    nodes = [[x, y, z] for z in (0, 0.2) for y in (0, 0.2) for x in (0, 0.5, 1)]
    bricks = [[0, 1, 4, 3, 6, 7, 10, 9], [1, 2, 5, 4, 7, 8, 11, 10]]
    deck = "*NODE\n" + "".join(f"{n + 1}, {x}, {y}, {z}\n" for n, (x, y, z) in enumerate(nodes))
    deck += "*ELEMENT, TYPE=C3D8\n" + "".join(f"{e + 1}, " + ", ".join(str(n + 1) for n in b) + "\n" for e, b in enumerate(bricks))
    (there / "bar.inp").write_text(deck)
    reduced = MODEL.replace("kinematics: BC", "kinematics: BC-MODAL\n    base: nine.h5")
    (there / "reduced.yaml").write_text(reduced)
    (there / "read.yaml").write_text(MODEL.replace(MODEL[MODEL.index("mesh: {"):MODEL.index("\ninitial")], "mesh: {type: file, path: bar.inp}"))
    monkeypatch.chdir(here)
    assert lithe.load("../there/reduced.yaml").solve().bodies["bar"].modes == 9
    assert lithe.load("../there/read.yaml").check().elements == 2
    assert lithe.load("../there/reduced.yaml", set=["bodies.bar.base=eight.h5"]).solve().bodies["bar"].modes == 8
    command("run", "../there/reduced.yaml", "-q", "-o", "out.h5", "--set", "bodies.bar.base=eight.h5", folder=here)
    assert lithe.read("out.h5").bodies["bar"].modes == 8
    command("check", "../there/model.yaml", "--set", "bodies.bar.mesh={type: file, path: ../there/bar.inp}", folder=here)
    assert "eight.h5" in command("check", "../there/reduced.yaml", "--set", "bodies.bar.base=nowhere/eight.h5", folder=here, expect=1)


def test_a_joint_on_a_solid_names_its_remedy(tmp_path):
    """The snippet is ready to copy: with it the model runs, with half steps and without."""
    for kind, integrator in (("BC", "half_step"), ("TL", "generalized_alpha")):
        text = MODEL.replace("kinematics: BC", f"kinematics: {kind}").replace("step: 0.002", f"step: 0.002, integrator: {integrator}")
        text = text[: text.index("initial_velocities")] + text[text.index("outputs") :]
        joints = "joints:\n  hinge: {type: revolute, a: ground, b: bar.x_min_middle, point: [0, 0.1, 0.1], axis: [0, 1, 0]}\n"
        (tmp_path / "model.yaml").write_text(text + joints)
        told = command("check", "model.yaml", expect=2, folder=tmp_path)
        assert "'bar.x_min_middle' is a point of a hex8 and has no directions" in told and "'b: hub'" in told
        hub = told[told.index("hub: {") : told.index("}\n  joints:")]
        fit = told[told.index("hub_fit: {") :].splitlines()[0][:-1]
        cured = text.replace("bodies:\n", f"bodies:\n  {hub}\n") + joints.replace(
            "b: bar.x_min_middle", "b: hub") + f"  {fit}\nloads: {{weight: {{type: gravity}}}}\n"
        (tmp_path / "model.yaml").write_text(cured)
        command("run", "model.yaml", "-q", "--force", "-o", "out.h5", folder=tmp_path)
        end = lithe.read(str(tmp_path / "out.h5")).channels["end"]
        assert -0.08 < end[-1, 2] - 0.1 < -0.05, end[-1]


@pytest.mark.parametrize("kind", ["hex8", "tet10", "hexa3843"])
def test_a_mesh_that_moves_as_one_has_directions(kind):
    """Two rigid meshes, welded end to end and hinged by their own points, under a moment: theta = M t^2 / (2 I)."""
    length, side, density, moment = 0.5, 0.1, 1000.0, 3.0
    model = lithe.Model(name="turning")
    model.materials["m"] = lithe.Isotropic(E=1e9, nu=0.3, density=density)
    for k, name in enumerate(("near", "far")):
        mesh = lithe.BlockMesh(corner=(k * length, -side / 2, -side / 2), length=(length, 0, 0), width=(0, side, 0),
                               height=(0, 0, side), elements=(2, 1, 1))  # fmt: skip
        model.bodies[name] = lithe.Body(element=kind, material="m", mesh=mesh, kinematics="rigid", mass="consistent")
    model.joints["hinge"] = lithe.Revolute(a="ground", b="near", point=(0, 0, 0), axis=(0, 1, 0))
    model.joints["weld"] = lithe.Weld(a="near", b="far", point=(length, 0, 0))
    model.loads["moment"] = lithe.PointMoment(at={"body": "far", "point": (2 * length, 0, 0)}, moment=(0, moment, 0))
    model.outputs["hinge"] = lithe.JointOutput(joint="hinge")
    model.outputs["weld"] = lithe.JointOutput(joint="weld")
    model.outputs["turn"] = lithe.RotationOutput(at={"body": "far", "point": (2 * length, 0, 0)})
    model.analysis = lithe.DynamicAnalysis(duration=1, step=0.002)
    result = model.solve()
    mass = 2 * length * side**2 * density
    inertia = mass * ((2 * length) ** 2 / 3 + side**2 / 12)
    angle = moment / (2 * inertia)
    assert result.channels["hinge"][-1, -1] == pytest.approx(angle, rel=1e-5)
    assert result.channels["turn"][-1][:3] == pytest.approx([np.cos(angle), 0, -np.sin(angle)], abs=1e-5)
    assert result.channels["turn"][-1][9:] == pytest.approx([0, moment / inertia, 0], abs=1e-5)
    # The far half turns about its centre, which is turned about the hinge: the weld takes what of the moment is left.
    half = mass / 2
    own = half * (length**2 / 12 + side**2 / 12)
    alpha, arm, centre = moment / inertia, length / 2, 1.5 * length
    torque = result.channels["weld"][-1, result.channels.columns("weld").index("ty")]
    assert torque == pytest.approx(own * alpha + half * arm * centre * alpha - moment, rel=1e-3)
    model.joints["weld"] = lithe.Spherical(a="near", b="far", point=(length, 0, 0))
    model.joints["drive"] = lithe.Motion(at={"body": "far", "point": (2 * length, 0, 0)}, displacement=(None, None, None),
                                         angle="0.3*t", axis=(0, 1, 0))  # fmt: skip
    with pytest.warns(lithe.LitheWarning):  # the drive starts with a rate
        driven = model.solve()
    assert driven.channels["turn"][-1][:3] == pytest.approx([np.cos(0.3), 0, -np.sin(0.3)], abs=1e-8)


def test_what_slides_along_a_line_goes_by_other_steps(tmp_path):
    text = """\
materials: {m: {E: 1e11, nu: 0.3, density: 7800}}
sections: {r: {type: circle, radius: 0.01}}
bodies:
  rope: {element: cable, material: m, section: r, mesh: {type: line, from: [0, 0, 0], to: [1, 0, 0], elements: 4}}
  ring: {type: point_mass, mass: 1, position: [0.5, 0, 0]}
joints: {along: {type: slide_along, line: rope, b: ring}}
analysis: {type: dynamic, duration: 0.1, step: 0.01, integrator: half_step}
"""
    (tmp_path / "model.yaml").write_text(text)
    told = command("check", "model.yaml", expect=2, folder=tmp_path)
    assert "joints.along" in told and "slides along a line" in told and "no mass" in told and "generalized_alpha" in told


def test_a_motion_by_its_velocity(tmp_path):
    text = """\
bodies: {a: {type: rigid, mass: 1, inertia: [1, 1, 1]}}
joints: {drive: {type: motion, at: a, displacement: [null, 0, 0], velocity: ["2*t", null, null]}}
outputs: {x: {type: position, at: a}, v: {type: velocity, at: a}}
analysis: {type: dynamic, duration: 1, step: 0.01INTEGRATOR}
"""
    for integrator in ("", ", integrator: half_step"):
        (tmp_path / "model.yaml").write_text(text.replace("INTEGRATOR", integrator))
        command("run", "model.yaml", "-q", "--force", "-o", "out.h5", folder=tmp_path)
        result = lithe.read(str(tmp_path / "out.h5"))
        assert np.array(result.channels["x"])[-1] == pytest.approx([1, 0, 0], abs=1e-9)
        assert np.array(result.channels["v"])[-1] == pytest.approx([2, 0, 0], abs=1e-6)
    (tmp_path / "model.yaml").write_text(text.replace("INTEGRATOR", "").replace("[null, 0, 0]", "[0, 0, 0]"))
    assert "the displacement along x is given, too" in command("run", "model.yaml", expect=2, folder=tmp_path)
