"""Contact held against mechanics: slopes, rolling, bouncing, stacks, arches, a bar on a wall, Hertz, belts, ropes, nets.

    python3 studies/contact_checks.py [--case NAME] [--quick] [--json FILE]

- Slope: a rigid box, and blocks of hex8 (TL and BC) and tet4, 0.2, 2 and 20 m long, slide with g (sin - mu cos): rigid to 1e-6,
  flexible to 1e-4; at mu = 1.001 tan (rigid) and 1.2 tan (flexible) they stay within 1e-9 m (once flexible ones have settled: from the
  middle of the run on).
- A ball rolls with 5/7 g sin, a cylinder with 2/3, a tube as its inertia says; balls bounce with their restitution, to 1e-10; Newton's cradle with gaps passes one ball on.
- Ten blocks stand for 10 s, also with a top 1,000 times as heavy: nothing moves by 1e-6 m.
- An elastic bar of 100 and 200 hex8 (nu = 0) against a wall with h = dx / (2 c): contact lasts 2 L / c within 1 %, the bar leaves with
  0.98 and 0.99 of its speed.
- Hertz: a rigid sphere pressed into a block of hex8, its approach by the force, within 5 %.
- An arch of 27 stones stands at a thickness of 0.125 of its radius and falls at 0.095.
- Capstan: a belt on a drum that turns, T2 / T1 = exp(mu theta) within 2 %.
- Ropes that fall on a sphere and on each other, a net that catches a ball, a beam that strikes a stop: energies balance to 1e-3 of the
  largest, nothing passes through.
- One scene turned at random and scaled by 1/10 and 10: the same paths to 1e-6 until the third impact.
- A ball at 300 m/s against a shell of 1 mm with steps of 1 ms is caught.
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
    across = tuple(-out)
    for name, shape, inertia in (("cylinder", lithe.CylinderShape(radius=0.2, length=0.5), 0.5),
                                 ("tube", lithe.TubeShape(inner_radius=0.15, outer_radius=0.2, length=0.5), 0.5 * (1 + 0.75**2))):  # fmt: skip
        model = scene({"friction": 0.4})
        model.obstacles["slope"] = lithe.Obstacle(shape=lithe.BoxShape(size=(8, 4, 1)), position=-0.5 * out, x_axis=(out[2], 0, -out[0]), y_axis=(0, 1, 0))
        model.bodies["body"] = lithe.RigidBody(shape=shape, density=500, position=0.2 * out, x_axis=(out[2], 0, -out[0]), y_axis=across)
        model.outputs["v"] = lithe.VelocityOutput(at="body")
        model.analysis = dynamic(0.001, 1.0)
        result = model.solve()
        speed = result.channels["v"][-1] @ [math.cos(angle), 0, -math.sin(angle)]
        rows.add(f"rolling {name}", "acceleration over g sin / (1 + I/mR^2)", speed * (1 + inertia) / (G * math.sin(angle) * result.time[-1]), 1, 1e-6)
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
        lasting = np.flatnonzero(force > 0.5 * force.max())  # at half of its height, as the first and last step are partly contact
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


# ---- arches ----


def arch(rows: Rows, quick: bool) -> None:
    """Half a circle of stones without mortar, of mean radius 1: the least thickness at which one stands is 0.1075."""
    stones, width = 27, 0.3
    for thickness, stands in ((0.125, True), (0.095, False)):
        model = scene({"friction": 0.6})
        model.materials["stone"] = lithe.Isotropic(E=1e9, nu=0.2, density=2000)
        model.obstacles["floor"] = lithe.Obstacle(shape=lithe.PlaneShape())
        for k in range(stones):
            nodes = [(-r * math.cos(angle), y, r * math.sin(angle)) for r in (1 - thickness / 2, 1 + thickness / 2)
                     for angle, y in ((math.pi * k / stones, 0), (math.pi * (k + 1) / stones, 0),
                                      (math.pi * (k + 1) / stones, width), (math.pi * k / stones, width))]  # fmt: skip
            model.bodies[f"stone{k}"] = lithe.Body(element="hex8", material="stone", kinematics="rigid",
                                                   mesh=lithe.NodeMesh(nodes=nodes, elements=[list(range(8))]))  # fmt: skip
        model.outputs["top"] = lithe.DisplacementOutput(at={"body": f"stone{stones // 2}", "node": 4})
        model.analysis = dynamic(0.002, 0.5 if quick else 2.0)
        moved = np.linalg.norm(model.solve().channels["top"], axis=1)
        name = f"arch of {stones} stones, {thickness} R thick"
        if stands:
            rows.add(name, "largest movement of the keystone (m)", moved.max(), 0, 1e-6)
        else:
            rows.add(name, "falls by (m)", moved[-1], 0.5, 0.05 if quick else 0.5, least=True)


# ---- cables, nets, beams ----


def capstan(rows: Rows, quick: bool) -> None:
    """A belt laid around a drum that then turns: one end pulled by T1, the other held by a pin, which finds T2."""
    radius, rope, leg, T1, friction = 0.1, 0.002, 0.05, 2.0, 0.3
    for wrap in (0.5,) if quick else (0.5, 1.0):
        angle = wrap * math.pi
        length = angle * radius + leg
        model = scene({"friction": friction}, gravity=None)
        model.materials["rope"] = lithe.Isotropic(E=1e8, density=5000)
        model.sections["round"] = lithe.Circle(radius=rope)
        model.bodies["belt"] = lithe.Body(element="cable", material="rope", section="round", damping={"mass": 50.0},
                                          mesh=lithe.LineMesh(from_=(-length, 0, radius + rope), to=(leg, 0, radius + rope),
                                                              elements=round(16 * length / 0.36)))  # fmt: skip
        model.obstacles["drum"] = lithe.Obstacle(shape=lithe.CylinderShape(radius=radius, length=0.1), x_axis=(1, 0, 0), y_axis=(0, 0, 1),
                                                 angle="-2 * max(t - 0.4, 0)", axis=(0, 1, 0))  # fmt: skip
        model.constraints["pin"] = lithe.Fix(at="belt.end")
        turned = f"{angle} * min(t / 0.35, 1)"
        model.loads["pull"] = lithe.PointForce(at="belt.start", force=(f"-{T1} * cos({turned})", 0, f"-{T1} * sin({turned})"))
        model.outputs["hold"] = lithe.ReactionOutput(constraint="pin")
        for end in ("start", "end"):
            model.outputs[end] = lithe.GradientOutput(at=f"belt.{end}")
        model.analysis = dynamic(0.0002, 0.55)
        result = model.solve()
        T2 = np.linalg.norm(result.channels["hold"][-100:, :3].mean(axis=0))
        one, other = (result.channels[end][-1, :3] / np.linalg.norm(result.channels[end][-1, :3]) for end in ("start", "end"))
        theta = math.acos(np.clip(one @ other, -1, 1))  # between the ends, as they are
        rows.add(f"capstan, {180 * wrap:g} degrees", "T2 / T1 over exp(mu theta)", T2 / T1 / math.exp(friction * theta), 1, 0.02)


def rope_material(model: lithe.Model) -> None:
    model.materials["rope"] = lithe.Isotropic(E=2e6, density=1000)
    model.sections["round"] = lithe.Circle(radius=0.01)


def cables(rows: Rows, quick: bool) -> None:
    """Two ropes fall on a sphere, the second across the first."""
    radius, rope = 0.2, 0.01
    model = scene({"friction": 0.3})
    rope_material(model)
    model.obstacles["sphere"] = lithe.Obstacle(shape=lithe.SphereShape(radius=radius))
    for k, along in enumerate(((1, 0, 0), (0, 1, 0))):
        middle, half = np.array([0.0, 0.0, radius + rope + 0.03 + 0.06 * k]), 0.4 * np.array(along)
        model.bodies[f"rope{k}"] = lithe.Body(element="cable", material="rope", section="round", eta=0.002,
                                              mesh=lithe.LineMesh(from_=middle - half, to=middle + half, elements=16))  # fmt: skip
    for k in range(2):
        for node in range(17):
            model.outputs[f"x{k},{node}"] = lithe.PositionOutput(at={"body": f"rope{k}", "node": node})
    model.analysis = dynamic(0.00025, 0.2 if quick else 0.4)
    result = model.solve()
    rows.add("cables on a sphere", "imbalance of energies over the largest", balance(result), 0, 1e-3)
    x = np.array([[result.channels[f"x{k},{node}"] for node in range(17)] for k in range(2)])  # [rope][node][time][3]
    inside = (radius + rope - np.linalg.norm(x, axis=-1)).max()
    rows.add("cables on a sphere", "deepest node within it, over the rope's radius", max(inside, 0) / rope, 0, 0.01)
    rows.add("cables on a sphere", "height of the upper one over the lower one, in diameters", (x[1, 8, :, 2] - x[0, 8, :, 2]).min() / (2 * rope),
             1, 0.99, least=True)  # fmt: skip


def net(rows: Rows, quick: bool) -> None:
    """A net of ropes catches a ball."""
    model = scene({"friction": 0.3})
    rope_material(model)
    side, cells, radius = 0.8, 4, 0.15
    model.bodies["net"] = lithe.Body(element="cable", material="rope", section="round", eta=0.002,
                                     mesh=lithe.NetMesh(corner=(-side / 2, -side / 2, 0), along=(side / cells, 0, 0), across=(0, side / cells, 0),
                                                        cells=(cells, cells), elements=2))  # fmt: skip
    model.constraints["corners"] = lithe.Fix(at="net.corners")
    model.bodies["ball"] = lithe.RigidBody(shape=lithe.SphereShape(radius=radius), density=300, position=(0.05, 0.02, radius + 0.05), velocity=(0, 0, -2))
    model.outputs["ball"] = lithe.PositionOutput(at="ball")
    model.outputs["middle"] = lithe.PositionOutput(at="net.center")
    model.analysis = dynamic(0.0005, 0.2 if quick else 0.5)
    result = model.solve()
    rows.add("net and ball", "imbalance of energies over the largest", balance(result), 0, 1e-3)
    above = (result.channels["ball"][:, 2] - result.channels["middle"][:, 2]).min()
    rows.add("net and ball", "height of the ball over the middle of the net, in its radii", above / radius, 1, 0.9, least=True)


def stop(rows: Rows, quick: bool) -> None:
    """A beam swings against a stop."""
    model = scene({"friction": 0.3}, gravity=None)
    model.materials["steel"] = lithe.Isotropic(E=2e9, nu=0.3, density=7800)
    model.sections["strip"] = lithe.Rectangle(width=0.04, thickness=0.02)
    model.bodies["beam"] = lithe.Body(element="beam3243", material="steel", section="strip",
                                      mesh=lithe.LineMesh(from_=(0, 0, 0), to=(1, 0, 0), elements=8))  # fmt: skip
    model.constraints["root"] = lithe.Clamp(at="beam.start")
    model.initial_velocities["swing"] = lithe.InitialVelocity(on="beam", angular_velocity=(0, 2, 0), center=(0, 0, 0))
    model.obstacles["stop"] = lithe.Obstacle(shape=lithe.BoxShape(size=(0.1, 0.2, 0.1)), position=(0.8, 0, -0.01 - 0.05 - 0.02))
    model.outputs["tip"] = lithe.PositionOutput(at="beam.end")
    model.outputs["above"] = lithe.PositionOutput(at={"body": "beam", "element": 6, "xi": [-0.2, 0, -1]})
    model.analysis = dynamic(5e-5, 0.05 if quick else 0.2)
    result = model.solve()
    rows.add("beam and stop", "imbalance of energies over the largest", balance(result), 0, 1e-3)
    rows.add("beam and stop", "depth of its lower side in the stop, over its thickness", max(-0.03 - result.channels["above"][:, 2].min(), 0) / 0.02, 0, 1e-3)


# ---- scenes that are the same ----


def turn(axis: np.ndarray, angle: float) -> np.ndarray:
    axis = axis / np.linalg.norm(axis)
    cross = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    return np.eye(3) + math.sin(angle) * cross + (1 - math.cos(angle)) * cross @ cross


def thrown(size: float, R: np.ndarray):
    """Box, ball, rod and cylinder thrown at a plane; lengths by `size`, times by its root, all turned by R. Paths over size."""
    model = scene({"friction": 0.4, "restitution": 0.3}, gravity=R @ (0, 0, -G))
    model.obstacles["floor"] = lithe.Obstacle(shape=lithe.PlaneShape(), normal=R @ (0, 0, 1))
    shapes = (lithe.BoxShape(size=(0.2 * size, 0.15 * size, 0.1 * size)), lithe.SphereShape(radius=0.08 * size),
              lithe.CapsuleShape(radius=0.05 * size, length=0.2 * size), lithe.CylinderShape(radius=0.06 * size, length=0.15 * size))  # fmt: skip
    time = math.sqrt(size)
    for k, shape in enumerate(shapes):
        own = R @ turn(np.array([1, 2 + k, 3]), 0.7 * k + 0.3)
        model.bodies[f"body{k}"] = lithe.RigidBody(shape=shape, density=1000, position=size * (R @ (0.02 * k, 0.03 - 0.02 * k, 0.25 + 0.3 * k)),
                                                   x_axis=own[:, 0], y_axis=own[:, 1], velocity=size / time * (R @ (0.2, 0, -2.0)),
                                                   angular_velocity=(R @ (1.0 - k, 0.5 * k, 1)) / time)  # fmt: skip
        model.outputs[f"x{k}"] = lithe.PositionOutput(at=f"body{k}")
    model.analysis = dynamic(0.001 * time, 0.4 * time)
    result = model.solve()
    paths = np.array([result.channels[f"x{k}"] @ R for k in range(len(shapes))]) / size
    work = column(result, "touch", "work_normal") / size**4
    return paths, work


def same(rows: Rows, quick: bool) -> None:
    paths, work = thrown(1.0, np.eye(3))
    blows = np.flatnonzero(np.diff(work) < -1e-3)  # J, of bodies of some kilograms
    begins = blows[np.flatnonzero(np.diff(blows, prepend=-10) > 1)]
    until = begins[3] if len(begins) > 3 else len(work)
    generator = np.random.default_rng(1)
    for size in (1.0, 0.1, 10.0):
        others, _ = thrown(size, turn(generator.normal(size=3), generator.uniform(0, 3)))
        rows.add(f"turned at random, {size:g} times as large", "difference of paths to the third impact, over the size",
                 np.abs(others - paths)[:, : until + 1].max(), 0, 1e-6)  # fmt: skip
    rows.add("turned and scaled", "impacts that are compared", min(len(begins), 3), 3, 3, least=True)


def shot(rows: Rows, quick: bool) -> None:
    """A ball at 300 m/s against a shell of 1 mm, 0.3 m in a step."""
    for side in (1, -1):
        model = scene({"restitution": 0.5}, gravity=None)
        model.materials["steel"] = lithe.Isotropic(E=2e11, nu=0.3, density=7800)
        model.sections["sheet"] = lithe.Plate(thickness=0.001)
        model.bodies["shell"] = lithe.Body(element="shell3443", material="steel", section="sheet",
                                           mesh=lithe.PlateMesh(corner=(-0.2, -0.2, 0), length=(0.4, 0, 0), width=(0, 0.4, 0), elements=(4, 4)))  # fmt: skip
        model.bodies["ball"] = lithe.RigidBody(shape=lithe.SphereShape(radius=0.01), density=10, position=(0.013, 0.027, 0.437 * side),
                                               velocity=(0, 0, -300.0 * side))  # fmt: skip
        model.outputs["ball"] = lithe.PositionOutput(at="ball")
        model.outputs["shell"] = lithe.PositionOutput(at={"body": "shell", "point": (0.013, 0.027, 0)})
        model.analysis = dynamic(0.001, 0.003)
        result = model.solve()
        above = side * (result.channels["ball"][:, 2] - result.channels["shell"][:, 2]).min()
        rows.add(f"ball at 300 m/s against 1 mm, {'down' if side > 0 else 'up'}wards", "least height over the shell, in radii", above / 0.01, 1, 0.99, least=True)


CASES = {"slope": slope, "ball": ball, "cradle": cradle, "stack": stack, "arch": arch, "bar": bar, "hertz": hertz, "capstan": capstan,
         "cables": cables, "net": net, "stop": stop, "same": same, "shot": shot}  # fmt: skip


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
