"""Meshes of shell3443 over a surface X(u, v), 0 <= u, v <= 1, with the exact positions and gradients at the nodes; supports,
planes of symmetry and loads on them.

The gradients of a node are derivatives with respect to coordinates that run over L and W of an element. With L = 1/m and
W = 1/n of m x n elements these are X_u and X_v themselves; r_z is the unit normal.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from .core import body, lithe

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
GAUSS_3 = [(-np.sqrt(0.6), 5 / 9), (0.0, 8 / 9), (np.sqrt(0.6), 5 / 9)]  # exact for a cubic edge under a constant load


@dataclass
class Patch:
    """Nodes, elements and named nodes; node(i, j) is at u = i/m, v = j/n."""

    m: int
    n: int
    nodes: np.ndarray  # [node][12]
    elements: np.ndarray  # [element][4]
    sets: dict[str, list[int]] = field(default_factory=dict)

    def node(self, i: int, j: int) -> int:
        return j * (self.m + 1) + i

    def place(self, i: int, j: int) -> dict:
        return {"body": "shell", "node": self.node(i, j)}


def patch(surface: Callable, m: int, n: int) -> Patch:
    """surface(u, v) -> X, X_u, X_v."""
    nodes = []
    for j in range(n + 1):
        for i in range(m + 1):
            x, x_u, x_v = (np.asarray(a, float) for a in surface(i / m, j / n))
            normal = np.cross(x_u, x_v)
            nodes.append(np.concatenate([x, x_u, x_v, normal / np.linalg.norm(normal)]))
    made = Patch(m, n, np.array(nodes), np.zeros((0, 4)))
    made.elements = np.array([[made.node(i, j), made.node(i + 1, j), made.node(i + 1, j + 1), made.node(i, j + 1)]
                              for j in range(n) for i in range(m)])  # fmt: skip
    made.sets = {
        "u0": [made.node(0, j) for j in range(n + 1)],
        "u1": [made.node(m, j) for j in range(n + 1)],
        "v0": [made.node(i, 0) for i in range(m + 1)],
        "v1": [made.node(i, n) for i in range(m + 1)],
    }
    return made


def model_of(made: Patch, formulation: str, thickness: float, material: dict, layers: list | None = None):
    """A model with one body, `shell`; layers: [(thickness, degrees)] of the same material, bottom first."""
    model = lithe.Model(name="shell")
    kind = lithe.Orthotropic if "E1" in material else lithe.Isotropic
    model.materials["material"] = kind(**material)
    if layers:
        model.sections["section"] = lithe.Layered(layers=[lithe.Layer(thickness=t, angle=a) for t, a in layers])
    else:
        model.sections["section"] = lithe.Plate(thickness=thickness)
    mesh = lithe.NodeMesh(nodes=made.nodes, elements=made.elements, size=[[1 / made.m, 1 / made.n, thickness]], sets=made.sets)
    model.bodies["shell"] = body(formulation, element="shell3443", material="material", section="section", mesh=mesh)
    return model


def fix(model, name: str, place, coordinates: str, *along) -> None:
    """coordinates: letters of r (position), x, y, z (gradients)."""
    words = {"r": "position", "x": "x_gradient", "y": "y_gradient", "z": "z_gradient"}
    options = {"along": list(along)} if along else {}
    model.constraints[name] = lithe.Fix(at=place, coordinates=[words[c] for c in coordinates], **options)


def symmetry(model, edge: str, normal) -> None:
    """The edge lies in a plane of symmetry with this normal, and the lines across it cross the plane at right angles.

    Of an odd displacement along the normal the derivatives in the plane vanish, of even ones in the plane those across it.
    """
    across, within = ("x", "yz") if edge[0] == "u" else ("y", "xz")
    fix(model, f"symmetry_{edge}", f"shell.{edge}", "r" + within, normal)
    others = [a for a in (X, Y, Z) if abs(np.dot(a, normal)) < 0.5]
    fix(model, f"symmetry_{edge}_slopes", f"shell.{edge}", across, *others)


def hold_edge(model, edge: str, *along, director: bool = False) -> None:
    """The whole edge does not move along these directions; director: it does not turn along them either."""
    tangent = "y" if edge[0] == "u" else "x"
    fix(model, f"hold_{edge}_{len(model.constraints.keys())}", f"shell.{edge}", "r" + tangent + "z" * director, *along)


def edge_load(model, made: Patch, edge: str, force_per_length: tuple) -> None:
    """A dead load per length (numbers or expressions in t) on an edge, as forces at three Gauss points of every element."""
    count = made.n if edge[0] == "u" else made.m
    for k in range(count):
        if edge[0] == "u":
            element = k * made.m + (0 if edge == "u0" else made.m - 1)
            ends = (made.node(0 if edge == "u0" else made.m, k), made.node(0 if edge == "u0" else made.m, k + 1))
            gradient, size = slice(6, 9), 1 / made.n
        else:
            element = k + (0 if edge == "v0" else (made.n - 1) * made.m)
            ends = (made.node(k, 0 if edge == "v0" else made.n), made.node(k + 1, 0 if edge == "v0" else made.n))
            gradient, size = slice(3, 6), 1 / made.m
        a, b = made.nodes[ends[0]], made.nodes[ends[1]]
        for number, (s, weight) in enumerate(GAUSS_3):
            # Derivative over s in [-1, 1] of the Hermite cubic.
            rate = (3 * (1 - s * s) / 4 * (b[:3] - a[:3]) + size / 2 * ((3 * s * s - 2 * s - 1) * a[gradient]
                    + (3 * s * s + 2 * s - 1) * b[gradient]) / 4)  # fmt: skip
            length = weight * np.linalg.norm(rate)
            xi = {"u0": (-1, s, 0), "u1": (1, s, 0), "v0": (s, -1, 0), "v1": (s, 1, 0)}[edge]
            force = tuple(length * f if not isinstance(f, str) else f"{length!r}*({f})" for f in force_per_length)
            model.loads[f"{edge}_{k}_{number}"] = lithe.PointForce(
                at={"body": "shell", "element": element, "xi": xi}, force=force)  # fmt: skip


def displacement(model, name: str, place) -> None:
    model.outputs[name] = lithe.DisplacementOutput(at=place)


def linear(model, channel: str = "w") -> np.ndarray:
    """The answer to a load that is small enough."""
    model.analysis = lithe.StaticAnalysis(fields=[], on_instability="warn")
    return model.solve().channels[channel][-1]


def path(model, channels: list[str], times: list[float], **settings) -> dict[str, np.ndarray]:
    """Channels at these times of loads that grow with t: a stage of statics to each of them, as far as the run came."""
    steps = np.diff([0.0, *times])
    model.analysis = [lithe.StaticAnalysis(name=f"to{k}", duration=float(step), fields=[], **settings)
                      for k, step in enumerate(steps)]  # fmt: skip
    try:
        result = model.solve()
    except lithe.RunError as reason:
        result = reason.result
        if result is None:
            raise
    done = [stage for stage, time in zip(result.stages.values(), times) if len(stage) and np.isclose(stage.time[-1], time)]
    return {name: np.array([stage.channel(name)[-1] for stage in done]) for name in channels}


def pushed(model, place, travel: float, force: float, channels: list[str], steps: int = 50) -> tuple[np.ndarray, dict]:
    """Shares of a vertical force at a point and channels while the point travels so far: paths that snap under the force."""
    model.joints["push"] = lithe.Motion(at=place, displacement=(None, None, f"{travel!r}*t"))
    model.outputs["push"] = lithe.JointOutput(joint="push")
    model.analysis = lithe.StaticAnalysis(fields=[], first_step=1 / steps, largest_step=1 / steps)
    try:
        result = model.solve()
    except lithe.RunError as reason:
        result = reason.result
        if result is None:
            raise
    column = result.channels.columns("push").index("fz")
    return result.channels["push"][:, column] / force, {name: result.channels[name] for name in channels}
