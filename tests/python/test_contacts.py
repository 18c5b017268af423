"""Contacts as users write them: models, outputs, words."""
import os
import subprocess

import numpy as np
import pytest

import lithe

LITHE = os.environ.get("LITHE", "build/lithe")
MODEL = """\
materials: {m: {type: isotropic, E: 2e6, nu: 0.3, density: 1000}}
sections: {bar: {type: bar, area: 1e-4}}
bodies:
  box: {type: rigid, shape: {type: box, size: [0.2, 0.2, 0.2]}, density: 500, position: [0, 0, 0.1]}
  ball: {type: rigid, shape: {type: sphere, radius: 0.1}, density: 500, position: [0, 0, 0.35]}
  bare: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [0, 0, 5]}
  block:
    element: hex8
    material: m
    mesh: {type: block, corner: [1, 0, 0.2], length: [0.2, 0, 0], width: [0, 0.2, 0], height: [0, 0, 0.2], elements: [2, 2, 2]}
  rope: {element: cable, material: m, section: bar, mesh: {type: line, from: [0, 0, 3], to: [1, 0, 3], elements: 4}}
obstacles:
  floor: {shape: {type: plane}}
  wall: {shape: {type: box, size: [0.1, 1, 1]}, position: [-2, 0, 0]}
contacts:
  touch: {between: all, friction: 0.4}
  hard: {between: [ball, box], restitution: 0.5}
loads: {gravity: {type: gravity}}
outputs: {hard: {type: contact, contact: hard}, touch: {type: contact, contact: touch}, energy: {type: energy}}
analysis: {type: dynamic, duration: 0.5, step: 0.005}
"""

BAD = [
    ("unknown body", "[ball, box]", "[ball, bok]", ["model.yaml:17", "contacts.hard.between", "'bok'", "did you mean 'box'"]),
    ("one name", "[ball, box]", "ball", ["contacts.hard.between", "[ball, all]"]),
    ("three names", "[ball, box]", "[ball, box, block]", ["names 3", "one entry for each pair"]),
    ("all first", "[ball, box]", "[all, box]", ["stands second"]),
    ("twice the same, rigid", "[ball, box]", "[ball, ball]", ["'ball' twice", "name another body"]),
    ("twice the same, flexible", "[ball, box]", "[block, block]", ["'block' twice", "write [block, self]"]),
    ("two obstacles", "[ball, box]", "[floor, wall]", ["both are obstacles"]),
    ("itself, rigid", "[ball, box]", "[ball, self]", ["does not deform"]),
    ("no shape", "[ball, box]", "[ball, bare]", ["'bare' has no shape"]),
    ("no thickness", "[ball, box]", "[ball, rope]", ["'rope'", "without thickness", "circle"]),
    ("the same pair", "hard: {between: [ball, box],", "soft: {between: [box, ball]}\n  hard: {between: [ball, box],", ["for the same pair"]),
    ("friction below 0", "friction: 0.4", "friction: -0.1", ["contacts.touch.friction", "-0.1"]),
    ("restitution above 1", "restitution: 0.5", "restitution: 1.5", ["restitution", "from 0 to 1"]),
    ("another integrator", "step: 0.005", "step: 0.005, integrator: hht", ["analysis.integrator", "contact 'touch' is nonsmooth", "half_step"]),
    ("statics", "{type: dynamic, duration: 0.5, step: 0.005}", "{type: static}", ["contact 'touch'", "has no statics"]),
    ("augmented", "loads:", "treatment: augmented\nloads:", ["treatment", "contact 'touch'"]),
    ("error control", "step: 0.005", "step: 0.005, control: error", ["analysis.control"]),
    ("a name that means something", "wall:", "all:", ["has a meaning in 'between'"]),
    ("a name taken", "wall:", "ball:", ["a body has the name 'ball'"]),
    ("normal of a box", "position: [-2, 0, 0]", "position: [-2, 0, 0], normal: [0, 0, 1]", ["a normal belongs to a plane"]),
    ("flat obstacle", "size: [0.1, 1, 1]", "size: [0, 1, 1]", ["needs a volume"]),
    ("output of nothing", "contact: hard}", "contact: soft}", ["outputs.hard.contact", "'soft'"]),
    ("both laws", "restitution: 0.5", "law: penalty, stiffness: 1e5", ["contacts.hard.law", "'touch' is nonsmooth", "the same law"]),
    ("keys of another law", "restitution: 0.5", "damping: 0.5", ["contacts.hard.damping", "law: penalty", "nonsmooth"]),
    ("friction of none", "restitution: 0.5", "law: none, friction: 0.2", ["contacts.hard.friction", "the law is none"]),
    ("restitution of none", "restitution: 0.5", "law: none, restitution: 0.2", ["contacts.hard.restitution", "the law is none"]),
    ("overlap", "position: [0, 0, 0.35]", "position: [0, 0, 0.25]", ["body 'box' and body 'ball' overlap by 0.05 m", "initial_overlap: accept"]),
    ("wholly inside", "radius: 0.1}, density: 500, position: [0, 0, 0.35]", "radius: 0.03}, density: 500, position: [0, 0, 0.1]", ["body 'ball' lies inside body 'box' at the start", "initial_overlap: accept"]),
    ("sticks through", "size: [0.2, 0.2, 0.2]}, density: 500, position: [0, 0, 0.1]", "size: [0.01, 0.01, 2]}, density: 500, position: [1.1, 0.1, 1.01]", ["'box'", "'block'", "through each other"]),
]

PENALTY = (
    MODEL.replace("touch: {between: all, friction: 0.4}", "touch: {between: all, law: penalty, stiffness: 2e5, damping: 0.5, friction: 0.4}")
    .replace("restitution: 0.5", "law: penalty, stiffness: 1e5, exponent: 1, damping: 5, friction: 0.3, initial_overlap: accept")
    .replace("analysis: {", "tangent: exact\nanalysis: {integrator: trapezoidal, ")
)
BAD_PENALTY = [
    ("restitution", "exponent: 1,", "restitution: 0.5,", ["contacts.hard.restitution", "damping"]),
    ("half steps", "trapezoidal", "half_step", ["contact 'touch' is penalty", "law: nonsmooth"]),
    ("a reduced body", "element: hex8", "element: hex8\n    kinematics: BC", ["body 'block' is BC", "kinematics: TL"]),
    ("no stiffness", "stiffness: 2e5, ", "", ["neither body 'box' nor obstacle 'floor' has a material", "give 'stiffness'"]),
    ("modes", "{integrator: trapezoidal, type: dynamic, duration: 0.5, step: 0.005}", "{type: modes}", ["contact 'touch' is penalty", "modes"]),
    ("arc length", "{integrator: trapezoidal, type: dynamic, duration: 0.5, step: 0.005}", "{type: static, method: arc_length}", ["contact 'touch' is penalty", "method: newton"]),
    ("exponent", "exponent: 1,", "exponent: 0.5,", ["contacts.hard.exponent", "from 1 to 3"]),
    ("overlap", "[0, 0, 0.1]}", "[0, 0, 0.09]}", ["body 'box' and obstacle 'floor' overlap by 0.01 m", "initial_overlap: accept"]),
    ("without a matrix", "step: 0.005}", "step: 0.005, solver: gmres, krylov: {operator: matrix_free}}", ["contact 'touch' is penalty", "operator"]),
]


def run(folder, text, *arguments):
    (folder / "model.yaml").write_text(text)
    return subprocess.run([LITHE, "run", "model.yaml", "-o", "out.h5", *arguments], capture_output=True, text=True, timeout=300, cwd=folder)


@pytest.mark.parametrize("old, new, words", [case[1:] for case in BAD], ids=[case[0] for case in BAD])
def test_bad_input(tmp_path, old, new, words):
    assert old in MODEL
    result = run(tmp_path, MODEL.replace(old, new))
    assert result.returncode == 2, result.stdout
    for word in words:
        assert word in result.stdout + result.stderr


@pytest.mark.parametrize("old, new, words", [case[1:] for case in BAD_PENALTY], ids=[case[0] for case in BAD_PENALTY])
def test_bad_penalties(tmp_path, old, new, words):
    assert old in PENALTY
    result = run(tmp_path, PENALTY.replace(old, new))
    assert result.returncode == 2, result.stdout
    for word in words:
        assert word in result.stdout + result.stderr


def test_modes_say_that_they_see_no_contacts(tmp_path):
    result = run(tmp_path, MODEL.replace("{type: dynamic, duration: 0.5, step: 0.005}", "{type: modes, count: 8}"))
    assert "contact 'touch' is not seen by modes" in result.stdout + result.stderr


def column(result, name, which):
    return result.channels[name][:, result.channels.columns(name).index(which)]


def test_a_scene_comes_to_rest(tmp_path):
    result = run(tmp_path, MODEL, "--set", "analysis.duration=1", "--set", "analysis.step=0.001")
    assert result.returncode == 0, result.stdout + result.stderr
    out = lithe.read(tmp_path / "out.h5")
    weight = 9.80665 * 500 * 4 / 3 * np.pi * 0.1**3
    assert column(out, "hard", "normal")[-1] == pytest.approx(weight, rel=1e-6)
    assert column(out, "hard", "fz")[-1] == pytest.approx(weight, rel=1e-6)  # on the ball, which is named first
    assert (np.diff(column(out, "hard", "work_normal")) <= 1e-12).all()
    assert "fx" not in out.channels.columns("touch")  # of no body in particular
    total = column(out, "energy", "total")
    work = sum(column(out, name, which) for name in ("hard", "touch") for which in ("work_normal", "work_friction"))
    assert total[-1] < total[0]
    energies = out.report["energy_balance"]
    assert energies["contact_work"] == pytest.approx(work[-1], rel=1e-9)
    assert energies["largest_imbalance"] < 1e-3 * energies["largest_energy"]


def test_python_says_the_same():
    model = lithe.Model()
    model.bodies["ball"] = lithe.RigidBody(shape=lithe.SphereShape(radius=0.1), density=1000, position=(0, 0, 0.6), velocity=(0, 0, -1))
    model.obstacles["floor"] = lithe.Obstacle(shape=lithe.PlaneShape())
    model.contacts["touch"] = lithe.Contact(between=["ball", "floor"], restitution=0.5)
    model.outputs["v"] = lithe.VelocityOutput(at="ball")
    model.analysis = lithe.DynamicAnalysis(duration=0.8, step=0.01)
    assert model.solve().channels["v"][-1, 2] == pytest.approx(0.5, abs=1e-10)


def test_a_resumed_run_is_the_same(tmp_path):
    text = MODEL.replace("step: 0.005", "step: 0.005, checkpoint_step: 0.1")
    assert run(tmp_path, text).returncode == 0
    parts = tmp_path / "parts.h5"
    lithe.load(tmp_path / "model.yaml").solve(output=parts, progress=lambda step: step["step"] < 45)
    again, expected = lithe.resume(parts), lithe.read(tmp_path / "out.h5")
    assert again.report["resumed_at"] > 0.1
    for name in ("hard", "touch", "energy"):
        assert again.channels[name].tobytes() == expected.channels[name].tobytes()


def test_penalties_come_to_rest(tmp_path):
    result = run(tmp_path, PENALTY, "--set", "analysis.duration=1.5", "--set", "analysis.step=0.002", "--set", "analysis.integrator=hht")
    assert result.returncode == 0, result.stdout + result.stderr
    assert "further pattern" in result.stdout
    out = lithe.read(tmp_path / "out.h5")
    weight = 9.80665 * 500 * 4 / 3 * np.pi * 0.1**3
    # It swings about where it rests, less and less.
    last = slice(-len(column(out, "hard", "fz")) // 3, None)
    assert column(out, "hard", "fz")[last].mean() == pytest.approx(weight, rel=0.02)
    assert column(out, "hard", "gap")[last].mean() == pytest.approx(-weight / 1e5, rel=0.02)
    energies = out.report["energy_balance"]
    assert energies["contact_work"] < 0
    assert energies["largest_imbalance"] < 2e-2 * energies["largest_energy"]
    work = sum(column(out, name, which)[-1] for name in ("hard", "touch") for which in ("work_normal", "work_friction"))
    assert energies["contact_work"] == pytest.approx(work, rel=1e-6)
    assert out.report["contacts"]["patterns"] >= 1


def test_resumed_penalties_are_the_same(tmp_path):
    text = PENALTY.replace("step: 0.005", "step: 0.005, checkpoint_step: 0.1")
    assert run(tmp_path, text).returncode == 0
    parts = tmp_path / "parts.h5"
    lithe.load(tmp_path / "model.yaml").solve(output=parts, progress=lambda step: step["step"] < 75)
    again, expected = lithe.resume(parts), lithe.read(tmp_path / "out.h5")
    assert again.report["resumed_at"] > 0.2
    for name in ("hard", "touch", "energy"):
        assert again.channels[name].tobytes() == expected.channels[name].tobytes()


def test_pressed_in_statics_then_let_go(tmp_path):
    text = PENALTY.replace("[0, 0, 0.1]}", "[0, 0, 0.0999]}").replace("friction: 0.4}", "friction: 0.4, initial_overlap: accept}")
    block = text[text.index("  block:") : text.index("  rope:")]
    text = text.replace("  box: {", "  unused: {", 1).replace("[ball, box]", "[block, floor]")
    text = text[: text.index("  unused:")] + block.replace("0.2]\n    mesh", "0.2]\n    mesh").replace("corner: [1, 0, 0.2]", "corner: [1, 0, -1e-4]") + text[text.index("obstacles:") :]
    stages = "analysis:\n  - {type: static}\n  - {type: dynamic, duration: 0.05, step: 0.005}\n"
    result = run(tmp_path, text[: text.index("analysis:")] + stages)
    assert result.returncode == 0, result.stdout + result.stderr
    out = lithe.read(tmp_path / "out.h5")
    assert column(out, "hard", "normal")[-1] == pytest.approx(1000 * 0.2**3 * 9.80665, rel=1e-6)


def test_reactions_have_the_forces_of_contacts(tmp_path):
    """At steps, between them, and at the end: a ball that falls onto a block whose nodes are all held."""
    model = lithe.Model()
    model.materials["m"] = lithe.Isotropic(E=1e8, nu=0.3, density=1000)
    mesh = lithe.BlockMesh(corner=(0, 0, 0), length=(0.2, 0, 0), width=(0, 0.2, 0), height=(0, 0, 0.1), elements=[1, 1, 1])
    model.bodies["block"] = lithe.Body(element="hex8", material="m", mesh=mesh)
    model.bodies["ball"] = lithe.RigidBody(shape=lithe.SphereShape(radius=0.05), mass=1, position=(0.11, 0.09, 0.152), velocity=(0, 0, -0.5))
    for side in ("z_min", "z_max"):
        model.constraints[side] = lithe.Fix(at="block." + side)
    model.loads["gravity"] = lithe.Gravity()
    model.contacts["touch"] = lithe.Contact(between=["ball", "block"], law="penalty", stiffness=1e5, exponent=1, damping=1)
    model.outputs["touch"] = lithe.ContactOutput(contact="touch")
    model.outputs["top"] = lithe.ReactionOutput(constraint="z_max")
    model.analysis = lithe.DynamicAnalysis(duration=0.03, step=0.001, output_step=0.0003, integrator="trapezoidal")
    out = model.solve()
    normal = column(out, "touch", "normal")
    assert normal.max() > 50
    up = column(out, "top", out.channels.columns("top")[2])
    assert np.allclose(up, normal + 0.5 * 1000 * 0.2 * 0.2 * 0.1 * 9.80665, rtol=1e-9)


def test_systems_refuse_what_they_leave_out():
    model = lithe.Model()
    model.bodies["ball"] = lithe.RigidBody(shape=lithe.SphereShape(radius=0.1), density=1000, position=(0, 0, 0.1))
    model.obstacles["floor"] = lithe.Obstacle(shape=lithe.PlaneShape())
    model.contacts["touch"] = lithe.Contact(between=["ball", "floor"], law="penalty", stiffness=1e5)
    model.analysis = lithe.DynamicAnalysis(duration=0.1, integrator="hht")
    system = lithe.System(model)
    for call in (system.internal_force, system.tangent):
        with pytest.raises(lithe.InputError, match="contact 'touch' is penalty"):
            call()


COARSE = """\
bodies: {b: {type: rigid, shape: {type: sphere, radius: 0.1}, density: 1000, position: [0, 0, 0.1013], velocity: [0, 0, -1]}}
obstacles: {floor: {shape: {type: plane}}}
contacts: {touch: {between: [b, floor], law: penalty, stiffness: 1e5, exponent: 1}}
analysis: {type: dynamic, integrator: trapezoidal, duration: 0.15, step: 1e-3}
"""


def test_steps_that_are_too_long_for_a_penalty_contact_are_told(tmp_path):
    mass = 1000 * 4 / 3 * np.pi * 0.1**3
    needed = np.pi / 10 * np.sqrt(mass / 1e5)
    quiet = run(tmp_path, COARSE.replace("1e-3}", f"{0.9 * needed}}}"))
    assert quiet.returncode == 0 and "too long" not in quiet.stdout + quiet.stderr
    loud = run(tmp_path, COARSE.replace("1e-3}", f"{3 * needed}}}"))
    words = " ".join((loud.stdout + loud.stderr).split())
    assert loud.returncode == 0 and "body 'b' and obstacle 'floor' met with 2.1 J" in words and f"take at most {needed:.2g} s" in words


@pytest.mark.parametrize("law", ["nonsmooth", "penalty"])
def test_a_body_touches_itself(law):
    """Two cubes of one body, the upper one falls onto the lower one and lies on it."""
    cube = np.array([[x, y, z] for z in (0, 0.1) for x, y in ((0, 0), (0.1, 0), (0.1, 0.1), (0, 0.1))])
    nodes = np.vstack([cube, 0.6 * cube + [0.021, 0.017, 0.104]])
    model = lithe.Model()
    model.materials["m"] = lithe.Isotropic(E=1e6, nu=0.3, density=1000)
    mesh = lithe.NodeMesh(nodes=nodes.tolist(), elements=[list(range(8)), list(range(8, 16))])
    model.bodies["two"] = lithe.Body(element="hex8", material="m", eta=0.002, mesh=mesh)
    for node in range(4):
        model.constraints[f"floor{node}"] = lithe.Fix(at={"body": "two", "node": node})
    model.loads["gravity"] = lithe.Gravity()
    penalty = law == "penalty"
    values = {"stiffness": 2e4, "exponent": 1, "damping": 3} if penalty else {}
    model.contacts["itself"] = lithe.Contact(between=["two", "self"], law=law, friction=0.5, **values)
    model.outputs["itself"] = lithe.ContactOutput(contact="itself")
    model.outputs["at"] = lithe.PositionOutput(at={"body": "two", "node": 8})
    model.analysis = lithe.DynamicAnalysis(duration=0.5, step=3e-4, integrator="hht" if penalty else "half_step")
    out = model.solve()
    assert column(out, "itself", "normal")[-100:].mean() == pytest.approx(1000 * 0.06**3 * 9.80665, rel=1e-2)
    assert out.channels["at"][-1, 2] == pytest.approx(0.1, abs=3e-4)


def test_a_belt_grips_a_drum_by_its_angle():
    """Penalty: laid around a drum that then turns, one end pulled by T1, the other held: T2 = T1 exp(mu theta)."""
    radius, rope, pull, friction, angle = 0.1, 0.002, 2.0, 0.3, np.pi / 2
    length = angle * radius + 0.05
    model = lithe.Model()
    model.materials["rope"] = lithe.Isotropic(E=1e8, density=5000)
    model.sections["round"] = lithe.Circle(radius=rope)
    mesh = lithe.LineMesh(from_=(-length, 0, radius + rope), to=(0.05, 0, radius + rope), elements=10)
    model.bodies["belt"] = lithe.Body(element="cable", material="rope", section="round", damping={"mass": 50.0}, mesh=mesh)
    drum = lithe.CylinderShape(radius=radius, length=0.1)
    model.obstacles["drum"] = lithe.Obstacle(shape=drum, x_axis=(1, 0, 0), y_axis=(0, 0, 1), angle="-2 * max(t - 0.4, 0)", axis=(0, 1, 0))
    model.contacts["grip"] = lithe.Contact(between=["belt", "drum"], law="penalty", stiffness=2e4, exponent=1, friction=friction)
    model.constraints["pin"] = lithe.Fix(at="belt.end")
    turned = f"{angle} * min(t / 0.35, 1)"
    model.loads["pull"] = lithe.PointForce(at="belt.start", force=(f"-{pull} * cos({turned})", 0, f"-{pull} * sin({turned})"))
    model.outputs["hold"] = lithe.ReactionOutput(constraint="pin")
    model.analysis = lithe.DynamicAnalysis(duration=0.55, step=1e-3, integrator="hht")
    held = np.linalg.norm(model.solve().channels["hold"][-100:, :3].mean(axis=0))
    assert held / pull == pytest.approx(np.exp(friction * angle), rel=0.02)


def test_ropes_come_to_hang_over_a_ball(tmp_path, examples):
    text = (examples / "draped_ropes.yaml").read_text().replace("duration: 1,", "duration: 0.4,")
    result = run(tmp_path, text)
    assert result.returncode == 0, result.stdout + result.stderr
    out = lithe.read(tmp_path / "out.h5")
    assert column(out, "touch", "points").max() >= 4
    assert np.nanmin(column(out, "touch", "gap")) > -0.002  # of ropes of 2 cm
    balance = out.report["energy_balance"]
    assert balance["largest_imbalance"] < 1e-3 * balance["largest_energy"]
    assert (np.diff(column(out, "touch", "work_friction")) < 1e-4).all()
    assert (np.diff(column(out, "energy", "total")) < 1e-3).all()
