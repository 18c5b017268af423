"""Beams of rectangular section: roll-up, Bathe and Bolourchi's bend, Princeton beam, helix, torsion, cantilevers.

References that nobody published with enough digits come from exact_beam.py. The frames are in frames.py.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from . import exact_beam
from .core import CURVES, Case, Curve, body, failed, lithe, row

EXACT = "geometrically exact beam, shooting, computed here"


def line(formulation: str, n: int, length: float, width: float, thickness: float, E: float, nu: float):
    """A clamped beam along x with the width along y."""
    model = lithe.Model(name="beam")
    model.materials["material"] = lithe.Isotropic(E=E, nu=nu, density=1.0)
    model.sections["section"] = lithe.Rectangle(width=width, thickness=thickness)
    mesh = lithe.LineMesh(from_=(0, 0, 0), to=(length, 0, 0), elements=n, width_direction=(0, 1, 0))
    model.bodies["beam"] = body(formulation, element="beam3243", material="material", section="section", mesh=mesh)
    model.constraints["root"] = lithe.Clamp(at="beam.start")
    model.outputs["tip"] = lithe.DisplacementOutput(at="beam.end")
    return model


def tip(model, **settings) -> np.ndarray:
    model.analysis = lithe.StaticAnalysis(fields=[], **settings)
    return model.solve().channels["tip"][-1]


def roll_up(formulation: str):
    """A strip of slenderness 100 bent to a half and a full circle by an end moment."""
    length, side, E = 1.0, 0.01, 1e9
    for share, name in ((0.5, "half a circle"), (1.0, "a full circle")):
        angle = 2 * math.pi * share
        exact = np.array([length * math.sin(angle) / angle - length, 0, length * (1 - math.cos(angle)) / angle])
        for n, limit in {5: None, 10: 0.005, 20: 0.005}.items():
            model = line(formulation, n, length, side, side, E, 0.3)
            model.loads["moment"] = lithe.PointMoment(at="beam.end", moment=(0, -angle * E * side**4 / 12 / length, 0))
            quantity = f"{name}: distance of the tip from its place, of L"
            try:
                error = np.linalg.norm(tip(model) - exact)
            except lithe.RunError as reason:
                yield failed("roll_up", quantity, n, 0.0, limit, "circle", reason, scale=length)
                continue
            yield row("roll_up", quantity, n, 0.0, error / length, limit, "circle of Bernoulli and Euler's beam", scale=1.0)


@lru_cache
def bend_reference(J: float | None) -> np.ndarray:
    stiffness = exact_beam.section(1e7, 0.0, 1.0, 1.0, J)
    start = np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1.0]])
    path = exact_beam.cantilever(100 * math.pi / 4, stiffness, (0, 0, 600), R0=start, k0=(0, 0, -0.01), load_steps=8, steps=200)
    return np.array([path[3][0], path[7][0]])


def bend_45(formulation: str):
    """Bathe and Bolourchi's bend: an eighth of a circle of radius 100, unit square section, E 1e7, a force across its plane."""
    source = f"{EXACT}; Bathe and Bolourchi (1979), IJNME 14: 22.5, 59.2, 39.5 (300) and 15.9, 47.2, 53.4 (600)"
    references = bend_reference(None)
    start = np.array([100 * (1 - math.cos(math.pi / 4)), 100 * math.sin(math.pi / 4), 0])
    for k, force in enumerate((300, 600)):
        for n, limit in {4: None, 8: 0.01, 16: 0.003}.items():
            model = lithe.Model(name="bend")
            model.materials["material"] = lithe.Isotropic(E=1e7, nu=0.0, density=1.0)
            model.sections["section"] = lithe.Rectangle(width=1.0, thickness=1.0)
            mesh = lithe.ArcMesh(center=(100, 0, 0), normal=(0, 0, -1), start=(-1, 0, 0), radius=100, angle=45, elements=n)
            model.bodies["beam"] = body(formulation, element="beam3243", material="material", section="section", mesh=mesh)
            model.constraints["root"] = lithe.Clamp(at="beam.start")
            model.outputs["tip"] = lithe.DisplacementOutput(at="beam.end")
            model.loads["force"] = lithe.PointForce(at="beam.end", force=(0, 0, force))
            computed = start + tip(model)
            scale = np.linalg.norm(references[k] - start)
            for axis in range(3):
                yield row("bend_45", f"tip {'xyz'[axis]} at {force}, J = 0.1406", n, references[k][axis], computed[axis], limit,
                          source, scale=scale)  # fmt: skip
    other = bend_reference(1 / 6)[1]
    for axis in range(3):
        yield row("bend_45", f"tip {'xyz'[axis]} at 600, J = 1/6", 16, other[axis], computed[axis], None,
                  f"{EXACT}, with the polar moment of the square for J", scale=scale)  # fmt: skip


# Bauchau et al. (2016) print a height of 12.77 mm; their stiffnesses (EA 2.84191e6, EI 36.2794 and 2.42873, and MBDyn's files
# with them) are those of 12.377 mm.
PRINCETON = dict(length=0.508, width=0.012377, thickness=0.0032024, E=71.7e9, nu=0.31)
LOADS = {"P1": 4.448, "P2": 8.896, "P3": 13.345}
ANGLES = (0, 15, 30, 45, 60, 75, 90)
# Along the width and along the thickness at these angles, m: Obrezkov, Mikkola and Matikainen (2022), Nonlinear Dynamics 109, as
# Exudyn's ANCFBeamTest.py quotes them.
OBREZKOV = {
    ("P2", "beam"): ((10.71417630e-3, 10.61328706e-3, 10.11169630e-3, 8.837226265e-3, 6.604665004e-3, 3.538889001e-3, 0),
                     (0, 42.08232124e-3, 79.39482948e-3, 0.108987937, 0.129887616, 0.142194370, 0.146245978)),
    ("P2", "solid"): ((10.69752828e-3, 10.57180106e-3, 9.938278402e-3, 8.686786771e-3, 6.500006282e-3, 3.481999513e-3, 0),
                      (0, 41.01165651e-3, 76.96749069e-3, 0.105976311, 0.127251299, 0.139594740, 0.143848652)),
    ("P3", "beam"): ((16.06423724e-3, 16.45825752e-3, 16.65873206e-3, 15.18618440e-3, 11.57837500e-3, 6.248967384e-3, 0),
                     (0, 64.35812858e-3, 0.117735994, 0.156467239, 0.181861627, 0.196097131, 0.200677707)),
    ("P3", "solid"): ((16.03700622e-3, 16.37026068e-3, 16.40440775e-3, 14.85055210e-3, 11.27173264e-3, 6.062461977e-3, 0),
                      (0, 62.70699533e-3, 0.113752002, 0.153554457, 0.179978534, 0.192972233, 0.197669499)),
}  # fmt: skip
SIDES = ((1, "along the width"), (2, "along the thickness"))


def princeton_force(degrees: float, weight: float) -> tuple[float, float, float]:
    return (0, weight * math.cos(math.radians(degrees)), weight * math.sin(math.radians(degrees)))


@lru_cache
def princeton_reference(degrees: float, weight: float) -> tuple[np.ndarray, np.ndarray]:
    p = PRINCETON
    stiffness = exact_beam.section(p["E"], p["nu"], p["width"], p["thickness"])
    return exact_beam.cantilever(p["length"], stiffness, princeton_force(degrees, weight), load_steps=6, steps=150)[-1]


def princeton(formulation: str):
    """Dowell and Traybar's beam of 7075 aluminium, 20 x 0.5 x 0.125 in, a weight at its tip at an angle to its width.

    Twice: against the exact beam, and at 16 elements against beams and solids of Ansys (their clamp holds the width as well).
    """
    p = PRINCETON
    source = f"{EXACT}; problem of Dowell and Traybar (1975) as in Bauchau et al. (2016), Multibody System Dynamics 37"
    for load, weight in LOADS.items():
        curve: dict[int, list[float]] = {1: [], 2: []}
        for k, degrees in enumerate(ANGLES):
            place, rotation = princeton_reference(degrees, weight)
            scale = np.linalg.norm(place - (p["length"], 0, 0))
            for n, limit in {4: None, 8: 0.01, 16: 0.005}.items():
                if n < 16 and (load != "P3" or degrees % 30):
                    continue
                model = line(formulation, n, **p)
                model.loads["weight"] = lithe.PointForce(at="beam.end", force=princeton_force(degrees, weight))
                model.outputs["turn"] = lithe.RotationOutput(at="beam.end")
                model.analysis = lithe.StaticAnalysis(fields=[])
                channels = model.solve().channels
                moved = channels["tip"][-1]
                for axis, name in SIDES:
                    if abs(place[axis]) > 1e-6:
                        yield row("princeton", f"{weight} N at {degrees} deg: tip {name}", n, place[axis], moved[axis], limit,
                                  source, scale=scale)  # fmt: skip
                if degrees in (30, 60):
                    y_axis = channels["turn"][-1][3:6]
                    yield row("princeton", f"{weight} N at {degrees} deg: twist (rad)", n,
                              math.atan2(rotation[2, 1], rotation[1, 1]), math.atan2(y_axis[2], y_axis[1]),
                              None if n < 16 else 0.02, source)  # fmt: skip
            for axis, name in SIDES:
                curve[axis].append(moved[axis])
                for kind in ("beam", "solid") if load != "P1" else ():
                    value = OBREZKOV[load, kind][axis - 1][k]
                    if value:
                        yield row("princeton", f"{weight} N at {degrees} deg: tip {name}, Ansys {kind}", 16, value, moved[axis],
                                  0.01 if kind == "beam" else None, "Obrezkov, Mikkola and Matikainen (2022), Nonlinear Dynamics "
                                  "109, as quoted in Exudyn's ANCFBeamTest.py", scale=scale)  # fmt: skip
        for axis, name in SIDES:
            points = [princeton_reference(degrees, weight)[0][axis] for degrees in ANGLES]
            CURVES.append(Curve("princeton", f"{load} {name}", "16", formulation, list(ANGLES), curve[axis], list(ANGLES), points,
                                ("loading angle (deg)", "displacement of the tip (m)")))  # fmt: skip


@lru_cache
def helix_reference() -> list:
    length, side, E = 10.0, 0.05, 1e9
    stiffness = exact_beam.section(E, 0.3, side, side)
    EI = E * side**4 / 12
    return exact_beam.cantilever(length, stiffness, (0, 20 * EI / length**2, 0), (0, -8 * math.pi * EI / length, 0),
                                 load_steps=32, steps=300)  # fmt: skip


def helix(formulation: str):
    """A beam wound to a helix of four turns by an end moment and a force along its axis, both dead."""
    length, side, E = 10.0, 0.05, 1e9
    EI = E * side**4 / 12
    path = helix_reference()
    reference = path[-1][0]
    for n, limit in {20: None, 40: 0.01}.items():
        model = line(formulation, n, length, side, side, E, 0.3)
        model.loads["moment"] = lithe.PointMoment(at="beam.end", moment=(0, -8 * math.pi * EI / length, 0))
        model.loads["force"] = lithe.PointForce(at="beam.end", force=(0, 20 * EI / length**2, 0))
        model.analysis = lithe.StaticAnalysis(fields=[], first_step=0.05, largest_step=0.05)
        source = f"after Ibrahimbegovic (1997), CMAME 149, four of his ten turns; {EXACT}"
        try:
            result = model.solve()
        except lithe.RunError as reason:
            yield failed("helix", "tip y, of L", n, reference[1] / length, limit, source, reason, scale=1.0)
            continue
        moved = result.channels["tip"][-1]
        CURVES.append(Curve("helix", "tip y", str(n), formulation, list(result.channels["tip"][:, 1]),
                            list(result.load_factor), [p[0][1] for p in path], list(np.arange(1, 33) / 32)))  # fmt: skip
        for axis, name in ((1, "y"), (2, "z")):
            yield row("helix", f"tip {name}, of L", n, reference[axis] / length, moved[axis] / length, limit, source, scale=1.0)


def torsion(formulation: str):
    """A beam of length 20 widths twisted by a moment at its end, sections free to warp; nu 0.3.

    Warping is no coordinate of the element: with restrained warping (a clamp that holds the section plane) the true twist is
    smaller by the order of width/length; this is not modelled.
    """
    E, nu, thickness = 1e9, 0.3, 0.01
    for ratio in (1, 2, 5, 10):
        width = ratio * thickness
        length = 20 * width
        GJ = E / (2 * (1 + nu)) * exact_beam.saint_venant(width, thickness)
        for n, limit in {2: None, 4: 0.01}.items():
            model = line(formulation, n, length, width, thickness, E, nu)
            model.outputs["turn"] = lithe.RotationOutput(at="beam.end")
            model.loads["moment"] = lithe.PointMoment(at="beam.end", moment=(1e-3 * GJ / length, 0, 0))
            model.analysis = lithe.StaticAnalysis(fields=[])
            y_axis = model.solve().channels["turn"][-1][3:6]
            yield row("torsion", f"twist over T L/(G J), width/thickness {ratio}", n, 1.0,
                      math.atan2(y_axis[2], y_axis[1]) / 1e-3, limit, "St. Venant's series for J, computed here")  # fmt: skip


def cantilevers(formulation: str):
    """Tip forces: small ones by Timoshenko's beam, 10 EI/L^2 by elliptic integrals; slenderness 10 to 10^4, nu 0.3."""
    E, nu, length = 1e9, 0.3, 1.0
    for slenderness in (10, 100, 1000, 10000):
        side = length / slenderness
        EI, GA = E * side**4 / 12, 10 * (1 + nu) / (12 + 11 * nu) * E / (2 * (1 + nu)) * side**2
        per_force = length**3 / (3 * EI) + length / GA
        for n, limit in {1: None, 2: None, 4: 0.01, 8: 0.01}.items():
            model = line(formulation, n, length, side, side, E, nu)
            force = 1e-3 * side / per_force
            model.loads["force"] = lithe.PointForce(at="beam.end", force=(0, 0, force))
            yield row("cantilever", f"small tip force, L/t {slenderness}: w/w_T", n, 1.0,
                      tip(model)[2] / (force * per_force), limit, "Timoshenko's beam, shear factor of Cowper (1966)")  # fmt: skip
    for slenderness in (100, 1000):
        side = length / slenderness
        EI = E * side**4 / 12
        for n, limit in {4: None, 8: 0.01, 16: 0.005}.items():
            model = line(formulation, n, length, side, side, E, nu)
            model.loads["force"] = lithe.PointForce(at="beam.end", force=(0, 0, 10 * EI / length**2))
            moved = tip(model)
            for axis, value, name in ((0, -0.55500, "u/L"), (2, 0.81061, "w/L")):
                yield row("cantilever", f"tip force 10 EI/L^2, L/t {slenderness}: {name}", n, value, moved[axis] / length, limit,
                          "Mattiasson (1981), IJNME 17, 145-153, table of elliptic integrals")  # fmt: skip


CASES = [
    Case("roll_up", "beams", roll_up),
    Case("bend_45", "beams", bend_45),
    Case("princeton", "beams", princeton),
    Case("helix", "beams", helix),
    Case("torsion", "beams", torsion),
    Case("cantilever", "beams", cantilevers),
]
