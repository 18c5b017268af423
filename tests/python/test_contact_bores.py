"""Tubes have a bore: rings slide on rods, balls fall through and roll within."""

import os
import subprocess

import numpy as np
import pytest

import lithe

LITHE = os.environ.get("LITHE", "build/lithe")
G = 9.80665


def run(folder, text, *arguments):
    (folder / "model.yaml").write_text(text)
    result = subprocess.run([LITHE, "run", "model.yaml", "-o", "out.h5", *arguments], capture_output=True, text=True, timeout=300, cwd=folder)
    assert result.returncode == 0, result.stdout + result.stderr
    return lithe.read(folder / "out.h5")


RING = """\
bodies:
  ring: {{type: rigid, shape: {{type: tube, inner_radius: 0.05, outer_radius: 0.08, length: 0.1}}, density: 1000,
         position: [{x}, 0, {z}], x_axis: [{c}, 0, {s}], y_axis: [0, 1, 0]}}
obstacles:
  rod: {{shape: {{type: cylinder, radius: 0.03, length: 4}}, x_axis: [{c}, 0, {s}], y_axis: [0, 1, 0]}}
contacts: {{touch: {{between: all, friction: {friction}}}}}
loads: {{gravity: {{type: gravity}}}}
outputs: {{at: {{type: position, at: ring}}, turn: {{type: rotation, body: ring}}, touch: {{type: contact, contact: touch}}}}
analysis: {{type: dynamic, duration: 0.5, step: 0.002, output_step: 0.01}}
"""


@pytest.mark.parametrize("friction", [0, 0.3])
def test_a_ring_slides_down_a_rod(tmp_path, friction):
    slope = 0.6  # of the rod, whose axis is z of its frame, below the horizontal
    axis = np.array([np.cos(slope), 0, -np.sin(slope)])
    across = np.array([np.sin(slope), 0, np.cos(slope)])  # x of the frame: square to the axis, upward
    at = -0.02 * across - 0.5 * axis  # it hangs on the rod by the top of its bore
    out = run(tmp_path, RING.format(x=at[0], z=at[2], c=across[0], s=across[2], friction=friction))
    way = (out.channels["at"][:, :3] - at) @ axis
    a = G * (np.sin(slope) - friction * np.cos(slope))
    sign = np.sign(way[-1])
    assert np.allclose(sign * way, 0.5 * a * out.time**2, atol=1e-6)
    assert np.abs((out.channels["at"][:, :3] - at) @ across).max() < 1e-7
    assert column(out, "touch", "points").max() == 2


def column(result, name, which):
    return result.channels[name][:, result.channels.columns(name).index(which)]


TUBE = """\
bodies: {{ball: {{type: rigid, shape: {{type: sphere, radius: {radius}}}, density: 1000, position: {at}}}}}
obstacles: {{tube: {{shape: {{type: tube, inner_radius: 0.5, outer_radius: 0.55, length: 1}}, x_axis: {x}, y_axis: {y}}}}}
contacts: {{touch: {{between: all, friction: 0.8}}}}
loads: {{gravity: {{type: gravity}}}}
outputs: {{at: {{type: position, at: ball}}, touch: {{type: contact, contact: touch}}, energy: {{type: energy}}}}
analysis: {{type: dynamic, duration: {duration}, step: 0.001, output_step: 0.01}}
"""


def test_a_ball_falls_through_a_tube(tmp_path):
    out = run(tmp_path, TUBE.format(radius=0.3, at="[0.1, 0, 1]", x="[1, 0, 0]", y="[0, 1, 0]", duration=0.8))
    assert column(out, "touch", "points").max() == 0
    assert out.channels["at"][-1, 2] == pytest.approx(1 - 0.5 * G * 0.8**2, rel=1e-3)


def test_a_ball_larger_than_the_bore_stays_upon_it(tmp_path):
    height = 0.5 + np.sqrt(0.6**2 - 0.5**2)
    out = run(tmp_path, TUBE.format(radius=0.6, at=f"[0, 0, {height + 1e-3}]", x="[1, 0, 0]", y="[0, 1, 0]", duration=0.3))
    assert out.channels["at"][-1, 2] == pytest.approx(height, abs=2e-4)


def test_a_ball_rolls_to_and_fro_in_a_tube(tmp_path):
    """Small swings of a ball that rolls in a round bore: w^2 = 5 g / (7 (b - r))."""
    away, angle = 0.4, 0.02  # b - r; the bore lies along y
    at = [away * np.sin(angle), 0.1, -away * np.cos(angle)]
    w = np.sqrt(5 * G / (7 * away))
    out = run(tmp_path, TUBE.format(radius=0.1, at=str(at), x="[1, 0, 0]", y="[0, 0, -1]", duration=3.0))
    x = out.channels["at"][:, 0]
    expected = away * angle * np.cos(w * (1 - angle**2 / 16) * out.time)
    assert np.abs(x - expected).max() < 0.01 * away * angle
    assert np.abs(np.hypot(x, out.channels["at"][:, 2]) - away).max() < 1e-6
    total = column(out, "energy", "total")
    assert np.ptp(total) < 1e-2 * (total[0] - total.min() + 4.19 * G * away * angle**2 / 2)


def test_what_sticks_to_a_turning_table_stays_where_it_is(tmp_path):
    """Along a circle, at its radius, with the force that holds it there, in a short last step too."""
    spin, radius = 2.0, 0.5
    text = f"""\
bodies:
  block: {{type: rigid, shape: {{type: box, size: [0.05, 0.05, 0.02]}}, density: 1000, position: [{radius}, 0, 0.01],
          velocity: [0, {spin * radius}, 0], angular_velocity: [0, 0, {spin}]}}
obstacles: {{table: {{shape: {{type: plane}}, angle: "{spin}*t"}}}}
contacts: {{touch: {{between: [block, table], friction: 0.3}}}}
loads: {{gravity: {{type: gravity}}}}
outputs: {{at: {{type: position, at: block}}, touch: {{type: contact, contact: touch}}}}
analysis: {{type: dynamic, duration: 1.0001, step: 0.001, output_step: 0.1}}
"""
    out = run(tmp_path, text)
    x, y = out.channels["at"][:, 0], out.channels["at"][:, 1]
    assert np.abs(np.hypot(x, y) - radius).max() < 1e-6  # spin h / 2 of its way would be 1e-3
    assert np.abs(np.unwrap(np.arctan2(y, x)) - spin * out.time).max() < 1e-5
    across = np.hypot(column(out, "touch", "fx"), column(out, "touch", "fy"))[1:]
    assert np.allclose(across, 0.05 * spin**2 * radius, rtol=1e-2)  # m w^2 r: it sticks
