"""Friction that sticks and rigid stops of joints, as users write them."""

import os
import subprocess

import numpy as np
import pytest

import lithe

LITHE = os.environ.get("LITHE", "build/lithe")
MODEL = """\
bodies:
  door: {type: rigid, position: [0.4, 0, 1], mass: 20, shape: {type: box, size: [0.8, 0, 2]}}
joints:
  hinge: {type: revolute, a: ground, b: door, point: [0, 0, 1], axis: [0, 0, 1]}
springs:
  hand: {type: torsion_spring, joint: hinge, moment: {table: [[0, 3], [0.5, 3], [0.51, 8]]}}
  rub: {type: friction, joint: hinge, force: 5}
  wall: {type: stop, joint: hinge, upper: 0.2, restitution: 0.5}
outputs:
  rub: {type: spring, spring: rub}
  wall: {type: spring, spring: wall}
analysis: {type: dynamic, duration: 2, step: 2e-3, integrator: half_step}
"""


def run(folder, text, *arguments):
    (folder / "model.yaml").write_text(text)
    return subprocess.run([LITHE, "run", "model.yaml", "-o", "out.h5", *arguments], capture_output=True, text=True, timeout=300, cwd=folder)


def test_a_door_sticks_then_opens_to_its_wall(tmp_path):
    result = run(tmp_path, MODEL)
    assert result.returncode == 0, result.stdout + result.stderr
    out = lithe.read(tmp_path / "out.h5")
    angle, rate, force = (out.channels["rub"][:, k] for k in range(3))
    early = (out.time > 0.01) & (out.time < 0.5)
    # Rows are met to a share of the velocities that the hand alone would make: nothing creeps but that.
    assert np.abs(angle[early]).max() < 1e-12 and np.abs(force[early] - 3).max() < 1e-9
    assert angle.max() <= 0.2 + 1e-9 and angle[-1] == pytest.approx(0.2, abs=1e-4)
    assert rate.min() < -0.1  # it bounced
    assert np.abs(force).max() <= 5 * (1 + 1e-9)
    # At rest against the wall friction and wall hold the hand together.
    assert force[-1] + out.channels["wall"][-1, 2] == pytest.approx(8, rel=1e-3)


def test_a_resumed_run_is_the_same(tmp_path):
    assert run(tmp_path, MODEL.replace("step: 2e-3", "step: 2e-3, checkpoint_step: 0.1")).returncode == 0
    parts = tmp_path / "parts.h5"
    lithe.load(tmp_path / "model.yaml").solve(output=parts, progress=lambda step: step["step"] < 450)
    again, expected = lithe.resume(parts), lithe.read(tmp_path / "out.h5")
    assert again.report["resumed_at"] > 0.1
    for name in ("rub", "wall"):
        assert again.channels[name].tobytes() == expected.channels[name].tobytes()


@pytest.mark.parametrize("old, new, words", [
    ("integrator: half_step", "integrator: hht", ["springs.wall.stiffness", "half_step"]),
    ("restitution: 0.5", "restitution: 1.5", ["restitution", "from 0 to 1"]),
    ("restitution: 0.5", "damping: 3", ["springs.wall.damping", "rigid"]),
    ("restitution: 0.5", "stiffness: 100, restitution: 0.5", ["springs.wall.restitution", "stiffness"]),
    ("force: 5", "coefficient: 0.5", ["springs.rub.coefficient", "revolute"]),
])
def test_bad_input(tmp_path, old, new, words):
    assert old in MODEL
    result = run(tmp_path, MODEL.replace(old, new))
    assert result.returncode == 2, result.stdout
    for word in words:
        assert word in result.stdout + result.stderr


def test_python_says_the_same():
    model = lithe.Model()
    model.bodies["block"] = lithe.RigidBody(mass=2, inertia=(0.1, 0.1, 0.1))
    model.joints["guide"] = lithe.Prismatic(a="ground", b="block", point=(0, 0, 0), axis=(np.cos(0.5), 0, -np.sin(0.5)))
    model.springs["rub"] = lithe.Friction(joint="guide", coefficient=0.3)
    model.loads["gravity"] = lithe.Gravity()
    model.outputs["rub"] = lithe.SpringOutput(spring="rub")
    model.analysis = lithe.DynamicAnalysis(duration=1, step=0.005, integrator="half_step")
    rate = model.solve().channels["rub"][-1, 1]
    assert rate == pytest.approx(9.80665 * (np.sin(0.5) - 0.3 * np.cos(0.5)), rel=1e-9)
