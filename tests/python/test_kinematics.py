"""Kinematics of bodies, bases and half steps, from the command line and from Python."""
import os
import subprocess

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
    ("modes of BC", "{type: dynamic, duration: 0.1, step: 0.002}", "{type: modes}", ["body 'bar' is BC", "kinematics: TL"]),
    ("error control", "step: 0.002", "step: 0.002, control: error", ["analysis.control", "half_step has no estimate"]),
    ("augmented", "analysis:", "treatment: augmented\nanalysis:", ["treatment", "body 'bar' is BC", "multipliers"]),
    ("iterative solver", "step: 0.002", "step: 0.002, solver: cg", ["analysis.solver", "half_step has direct solvers alone"]),
    ("options of nobody", "step: 0.002", "step: 0.002, krylov: {restart: 5}", ["analysis.krylov", "does not iterate"]),
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
