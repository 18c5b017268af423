"""Contact held against mechanics: slopes, rolling, bouncing, stacks, a bar on a wall, Hertz.

    python3 studies/contact_checks.py [--case NAME] [--quick] [--json FILE]

- Slope: a rigid box, and blocks of hex8 (TL and BC) and tet4, 0.2, 2 and 20 m long, slide with g (sin - mu cos): rigid to 1e-6,
  flexible to 1e-4; at mu = 1.001 tan (rigid) and 1.2 tan (flexible) they stay within 1e-9 m (once flexible ones have settled: from the
  middle of the run on).
- A ball rolls with 5/7 g sin; balls bounce with their restitution, to 1e-10; Newton's cradle with gaps passes one ball on.
- Ten blocks stand for 10 s, also with a top 1,000 times as heavy: nothing moves by 1e-6 m.
- An elastic bar of 100 and 200 hex8 (nu = 0) against a wall with h = dx / (2 c): contact lasts 2 L / c within 1 %, the bar leaves with
  0.98 and 0.99 of its speed.
- Hertz: a rigid sphere pressed into a block of hex8, its approach by the force, within 5 %.
"""

from __future__ import annotations

import argparse
import math
import sys

import numpy as np

from _common import Checks, import_lithe, write_json

lithe = import_lithe()
G = 9.81


class Rows:
    """Checks as the study's JSON has them."""

    def __init__(self, checks: Checks):
        self.checks, self.rows = checks, []

    def add(self, name: str, quantity: str, computed: float, expected: float, limit: float, least: bool = False) -> None:
        """|computed - expected| <= limit, or at least `limit`."""
        if least:
            self.checks.at_least(f"{name}: {quantity}", computed, limit)
        else:
            self.checks.within(f"{name}: {quantity}", computed, limit, expected)
        self.rows.append({"name": name, "quantity": quantity, "computed": float(computed), "expected": float(expected),
                          "limit": float(limit), "ok": self.checks.rows[-1]["ok"]})  # fmt: skip


def scene(contacts: dict | None = None, gravity=(0.0, 0.0, -G)) -> lithe.Model:
    model = lithe.Model()
    if gravity is not None:
        model.loads["gravity"] = lithe.Gravity(acceleration=gravity)
    model.contacts["touch"] = lithe.Contact(**({"between": "all"} | (contacts or {})))
    model.outputs["touch"] = lithe.ContactOutput(contact="touch")
    model.outputs["momentum"] = lithe.MomentumOutput()
    model.outputs["energy"] = lithe.EnergyOutput()
    return model


def dynamic(step: float, duration: float, **options) -> lithe.DynamicAnalysis:
    return lithe.DynamicAnalysis(step=step, duration=duration, threads=1, **options)


def column(result, channel: str, name: str) -> np.ndarray:
    return result.channels[channel][:, result.channels.columns(channel).index(name)]


def balance(result) -> float:
    """Largest imbalance of energies over the largest energy."""
    energies = result.report["energy_balance"]
    return energies["largest_imbalance"] / energies["largest_energy"]


# ---- slopes ----

KINDS = {"rigid": None, "hex8 TL": ("hex8", "TL"), "hex8 BC": ("hex8", "BC"), "tet4 TL": ("tet4", "TL")}


def on_slope(kind: str, size: float, angle: float, friction: float) -> lithe.Model:
    """A block of 2 x 1 x 0.5, times `size`, on a plane that falls towards x."""
    model = scene({"friction": friction})
    down, out = np.array([math.cos(angle), 0, -math.sin(angle)]), np.array([math.sin(angle), 0, math.cos(angle)])
    model.obstacles["slope"] = lithe.Obstacle(shape=lithe.PlaneShape(), normal=out)
    if kind == "rigid":
        model.bodies["block"] = lithe.RigidBody(shape=lithe.BoxShape(size=(2 * size, size, 0.5 * size)), density=1000,
                                                position=0.25 * size * out, x_axis=down, y_axis=(0, 1, 0))  # fmt: skip
        return model
    element, kinematics = KINDS[kind]
    model.materials["rubber"] = lithe.Isotropic(E=1e7 * size, nu=0.3, density=1000)
    mesh = lithe.BlockMesh(corner=-size * down - np.array([0, 0.5 * size, 0]), length=2 * size * down, width=(0, size, 0),
                           height=0.5 * size * out, elements=(4, 2, 1))  # fmt: skip
    model.bodies["block"] = lithe.Body(element=element, material="rubber", mesh=mesh, kinematics=kinematics, eta=0.01 * math.sqrt(size))
    return model


def slope(rows: Rows, quick: bool) -> None:
    angle, friction = 0.5, 0.2
    wanted = G * (math.sin(angle) - friction * math.cos(angle))
    for kind in KINDS:
        for size in (1.0,) if quick else (0.1, 1.0, 10.0):
            time = math.sqrt(size)
            model = on_slope(kind, size, angle, friction)
            model.analysis = dynamic(0.005 * time, 0.5 * time)
            result = model.solve()
            mass = 1000 * size**3
            speed = (column(result, "momentum", "px") * math.cos(angle) - column(result, "momentum", "pz") * math.sin(angle)) / mass
            middle = len(speed) // 2  # at the start flexible blocks settle
            gained = (speed[-1] - speed[middle]) / (result.time[-1] - result.time[middle])
            rows.add(f"slope, {kind}, {2 * size:g} m", "acceleration over g (sin - mu cos)", gained / wanted, 1,
                     1e-6 if kind == "rigid" else 1e-4)  # fmt: skip
        model = on_slope(kind, 1.0, angle, (1.001 if kind == "rigid" else 1.2) * math.tan(angle))
        model.outputs["corner"] = lithe.DisplacementOutput(at="block" if kind == "rigid" else {"body": "block", "node": 0})
        model.analysis = dynamic(0.005, 1.0)
        moved = model.solve().channels["corner"]
        moved = moved[len(moved) // 2 :] - moved[len(moved) // 2]
        slip = np.linalg.norm(moved[:, :2], axis=1).max() if kind == "rigid" else np.abs(moved @ [math.cos(angle), 0, -math.sin(angle)]).max()
        rows.add(f"stick, {kind}", "slip (m)", slip, 0, 1e-9)


# ---- balls ----


def ball(rows: Rows, quick: bool) -> None:
    angle = 0.3
    model = scene({"friction": 0.4})
    out = np.array([math.sin(angle), 0, math.cos(angle)])
    model.obstacles["slope"] = lithe.Obstacle(shape=lithe.PlaneShape(), normal=out)
    model.bodies["ball"] = lithe.RigidBody(shape=lithe.SphereShape(radius=0.2), density=500, position=0.2 * out)
    model.outputs["v"] = lithe.VelocityOutput(at="ball")
    model.analysis = dynamic(0.001, 1.0)
    result = model.solve()
    speed = result.channels["v"][-1] @ [math.cos(angle), 0, -math.sin(angle)]
    rows.add("rolling ball", "acceleration over 5/7 g sin", speed / (5 / 7 * G * math.sin(angle) * result.time[-1]), 1, 1e-6)
    for e in (0.0, 0.5, 0.9, 1.0):
        model = scene({"friction": 0.3, "restitution": e}, gravity=None)
        model.obstacles["floor"] = lithe.Obstacle(shape=lithe.PlaneShape())
        model.bodies["ball"] = lithe.RigidBody(shape=lithe.SphereShape(radius=0.1), density=500, position=(0, 0, 1), velocity=(0, 0, -3))
        model.outputs["v"] = lithe.VelocityOutput(at="ball")
        model.analysis = dynamic(0.01, 0.6)
        rows.add(f"bouncing ball, e = {e}", "velocity ratio", model.solve().channels["v"][-1, 2] / 3, e, 1e-10)


def cradle(rows: Rows, quick: bool) -> None:
    model = scene({"restitution": 1}, gravity=None)
    for k in range(5):
        model.bodies[f"ball{k}"] = lithe.RigidBody(shape=lithe.SphereShape(radius=0.1), density=1000, position=(0.201 * k, 0, 0),
                                                   velocity=(1.0 if k == 0 else 0.0, 0, 0))  # fmt: skip
        model.outputs[f"v{k}"] = lithe.VelocityOutput(at=f"ball{k}")
    model.analysis = dynamic(1e-4, 0.01)
    result = model.solve()
    for k in range(5):
        rows.add("Newton's cradle", f"velocity of ball {k}", result.channels[f"v{k}"][-1, 0], 1.0 if k == 4 else 0.0, 1e-8)


# ---- stacks ----


def stack(rows: Rows, quick: bool) -> None:
    for heavy in (1, 1000):
        model = scene({"friction": 0.5})
        model.obstacles["floor"] = lithe.Obstacle(shape=lithe.PlaneShape())
        for k in range(10):
            model.bodies[f"block{k}"] = lithe.RigidBody(shape=lithe.BoxShape(size=(0.2, 0.2, 0.2)), density=1000.0 * (heavy if k == 9 else 1),
                                                        position=(0, 0, 0.1 + 0.2 * k))  # fmt: skip
            model.outputs[f"d{k}"] = lithe.DisplacementOutput(at=f"block{k}")
        model.analysis = dynamic(0.01, 1.0 if quick else 10.0)
        result = model.solve()
        moved = max(np.abs(result.channels[f"d{k}"]).max() for k in range(10))
        rows.add(f"stack, top {heavy} times as heavy", "largest displacement (m)", moved, 0, 1e-6)


# ---- flexible bodies ----


def bar(rows: Rows, quick: bool) -> None:
    length, E, density, speed = 1.0, 1e7, 1000.0, 0.1
    c = math.sqrt(E / density)
    for elements, least in ((100, 0.98),) if quick else ((100, 0.98), (200, 0.99)):
        dx = length / elements
        model = scene(gravity=None)
        model.materials["rubber"] = lithe.Isotropic(E=E, nu=0.0, density=density)
        model.bodies["bar"] = lithe.Body(element="hex8", material="rubber",
                                         mesh=lithe.BlockMesh(corner=(0.25 * dx, 0, 0), length=(length, 0, 0), width=(0, dx, 0), height=(0, 0, dx),
                                                              elements=(elements, 1, 1)))  # fmt: skip
        model.initial_velocities["all"] = lithe.InitialVelocity(on="bar", velocity=(-speed, 0, 0))
        model.obstacles["wall"] = lithe.Obstacle(shape=lithe.PlaneShape(), normal=(1, 0, 0))
        h = dx / (2 * c)
        model.analysis = dynamic(h, 3 * length / c + 0.25 * dx / speed)
        result = model.solve()
        force = column(result, "touch", "normal")
        lasting = np.flatnonzero(force > 0.05 * force.max())
        rows.add(f"bar of {elements} hex8", "contact over 2 L / c", (lasting[-1] - lasting[0] + 1) * h / (2 * length / c), 1, 0.01)
        mass = density * length * dx * dx
        rows.add(f"bar of {elements} hex8", "rebound over its speed", column(result, "momentum", "px")[-1] / (mass * speed), 1, least, least=True)


def hertz(rows: Rows, quick: bool) -> None:
    E, nu, radius, depth = 1e7, 0.3, 1.0, 0.004
    model = scene(gravity=None)
    model.materials["rubber"] = lithe.Isotropic(E=E, nu=nu, density=1000)
    # A quarter of a block, finer towards the point of contact.
    n = 10 if quick else 16
    side, contact_radius = 1.0, math.sqrt(radius * depth)
    grid = np.concatenate([np.linspace(0, 1.6 * contact_radius, n // 2 + 1), 1.6 * contact_radius + (side - 1.6 * contact_radius) * np.linspace(0, 1, n // 2 + 1)[1:] ** 2])
    nodes = np.array([(x, y, -z) for z in grid[::-1] for y in grid for x in grid])
    m = len(grid)

    def at(i: int, j: int, k: int) -> int:
        return (k * m + j) * m + i

    elements = [[at(i, j, k), at(i + 1, j, k), at(i + 1, j + 1, k), at(i, j + 1, k), at(i, j, k + 1), at(i + 1, j, k + 1), at(i + 1, j + 1, k + 1), at(i, j + 1, k + 1)]
                for k in range(m - 1) for j in range(m - 1) for i in range(m - 1)]  # fmt: skip
    sets = {"x": [int(k) for k in np.flatnonzero(nodes[:, 0] == 0)], "y": [int(k) for k in np.flatnonzero(nodes[:, 1] == 0)],
            "base": [int(k) for k in np.flatnonzero(nodes[:, 2] == -side)]}  # fmt: skip
    model.bodies["block"] = lithe.Body(element="hex8", material="rubber", mesh=lithe.NodeMesh(nodes=nodes, elements=elements, sets=sets), eta=0.02)
    model.constraints["x"] = lithe.Fix(at="block.x", along=[(1, 0, 0)])
    model.constraints["y"] = lithe.Fix(at="block.y", along=[(0, 1, 0)])
    model.constraints["base"] = lithe.Fix(at="block.base")
    # The sphere comes down by `depth` and stays.
    model.obstacles["sphere"] = lithe.Obstacle(shape=lithe.SphereShape(radius=radius), position=(0, 0, radius),
                                               displacement=(None, None, f"-{depth} * min(t / 0.2, 1)"))  # fmt: skip
    model.analysis = dynamic(0.005, 0.6)
    force = 4 * column(model.solve(), "touch", "normal")[-1]
    rows.add("Hertz", "force over 4/3 E* sqrt(R) d^1.5", force / (4 / 3 * E / (1 - nu**2) * math.sqrt(radius) * depth**1.5), 1, 0.05)


CASES = {"slope": slope, "ball": ball, "cradle": cradle, "stack": stack, "bar": bar, "hertz": hertz}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--case", choices=CASES, action="append", help="this one alone (repeatable)")
    parser.add_argument("--quick", action="store_true", help="one size, short times, coarse meshes")
    parser.add_argument("--json")
    options = parser.parse_args()
    checks = Checks()
    rows = Rows(checks)
    for name in options.case or CASES:
        CASES[name](rows, options.quick)
    write_json(options.json, {"checks": rows.rows})
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
