"""Modes held against theory: beams, a bar, a pendulum, a string, a crank, a pipe, fuel bricks.

    python3 studies/modes.py [--case NAME] [--bricks FOLDER] [--json FILE]

- Clamped beam of 1 x 0.0375 x 0.025 m, nu = 0, by beam3243, shell3443, hex8 and tet10: the first six frequencies against
  those of Timoshenko's beam in both planes (shear factor 5/6, rotary inertia), within 1 %.
- Free bar of P2, 2 x 2 x 20 hex8: six rigid modes below 1e-4 of the seventh, modes 14, 19, 26, 34, 39 longitudinal, the
  first of them within 1 % of sqrt(E/rho) / (2 L).
- Rigid pendulum: sqrt(m g l / I) to 1e-8, about its equilibrium: all of its stiffness is that of the multipliers.
- Tight cable against the pitch of a string, n sqrt(T / mu) / (2 L), to 0.1 %: all of its stiffness is its tension.
- Slider-crank with a spring at three angles against its reduced mass and stiffness, to 1e-8.
- P2's pipe, 36 x 36 x 4 hex8, 19,980 unknowns: 100 modes proved complete within 10 s; the first two are twins, the third twists.
- Euler's column: lowest buckling load pi^2 E I / (4 L^2) to 0.1 %, from rest and from half of that load.
- With --bricks FOLDER (the decks 81fbi.inp and 81fbi_4_2.inp): planar squeezing modes of P2's fuel brick on its basic mesh
  against the same mesh with every element cut into 2 x 2 x 2; the paper says below 35 %.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from pathlib import Path

import numpy as np

from _common import Checks, import_lithe, write_json

lithe = import_lithe()


def case(cases: list, name: str, computed, reference) -> np.ndarray:
    """Adds it; relative errors."""
    computed, reference = np.atleast_1d(np.asarray(computed, float)), np.atleast_1d(np.asarray(reference, float))
    errors = np.abs(computed / reference - 1)
    cases.append({"name": name, "computed": computed.tolist(), "reference": reference.tolist(),
                  "relative_error": errors.tolist()})  # fmt: skip
    return errors


# ---- beams ----

LENGTH, WIDTH, THICKNESS, E, DENSITY = 1.0, 0.0375, 0.025, 2.1e11, 7850.0


def timoshenko(height: float, count: int) -> list[float]:
    """Frequencies (Hz) of a clamped beam that bends across `height`: roots of the determinant at its free end."""
    area, inertia, shear = WIDTH * THICKNESS, WIDTH * THICKNESS * height**2 / 12, 5 / 6 * 0.5 * E * WIDTH * THICKNESS

    def determinant(omega: float) -> float:
        # (w, phi, M, V)' = A (w, phi, M, V), scaled to numbers of about one.
        m, k = DENSITY * area * omega**2, E * inertia
        A = np.array([[0, 1, 0, k / shear], [0, 0, 1, 0], [0, -DENSITY * inertia * omega**2 / k, 0, -1], [-m / k, 0, 0, 0]])
        values, vectors = np.linalg.eig(A * LENGTH)
        grown = (vectors * np.exp(values)) @ np.linalg.inv(vectors)
        return float(np.linalg.det(grown[2:, 2:]).real / np.abs(grown).max())

    roots, step = [], 2 * math.pi * 1.0
    low, value = step, determinant(step)
    while len(roots) < count:
        high = low + step
        there = determinant(high)
        if value * there < 0:
            a, b, at_a = low, high, value
            for _ in range(60):
                middle = 0.5 * (a + b)
                at_middle = determinant(middle)
                if at_a * at_middle <= 0:
                    b = middle
                else:
                    a, at_a = middle, at_middle
            roots.append(0.5 * (a + b) / (2 * math.pi))
        low, value = high, there
    return roots


def cantilever(element: str, n: tuple[int, int, int]):
    model = lithe.Model(name=f"clamped {element}")
    model.materials["steel"] = lithe.Isotropic(E=E, nu=0, density=DENSITY)
    section, options = None, {}
    if element == "beam3243":
        model.sections["flat"] = lithe.Rectangle(width=WIDTH, thickness=THICKNESS)
        section, mesh = "flat", lithe.LineMesh(from_=(0, 0, 0), to=(LENGTH, 0, 0), elements=n[0])
    elif element == "shell3443":
        model.sections["flat"] = lithe.Plate(thickness=THICKNESS)
        section = "flat"
        mesh = lithe.PlateMesh(corner=(0, -WIDTH / 2, 0), length=(LENGTH, 0, 0), width=(0, WIDTH, 0), elements=n[:2])
    else:
        mesh = lithe.BlockMesh(corner=(0, -WIDTH / 2, -THICKNESS / 2), length=(LENGTH, 0, 0), width=(0, WIDTH, 0),
                               height=(0, 0, THICKNESS), elements=n)  # fmt: skip
        options = {"mass": "consistent"}
    if section:
        options["section"] = section
    model.bodies["beam"] = lithe.Body(element=element, material="steel", mesh=mesh, **options)
    model.constraints["root"] = lithe.Clamp(at="beam.start" if element == "beam3243" else "beam.x_min")
    return model


BEAMS = {"beam3243": (16, 1, 1), "shell3443": (24, 2, 1), "hex8": (240, 2, 2), "tet10": (40, 1, 1)}


def beams(cases: list, checks: Checks) -> None:
    reference = sorted(timoshenko(THICKNESS, 6) + timoshenko(WIDTH, 6))[:6]
    for element, n in BEAMS.items():
        found = cantilever(element, n).modes(6)
        errors = case(cases, f"clamped {element}", found.frequency, reference)
        checks.within(f"clamped {element}: largest error of six modes", errors.max(), 0.01)


# ---- free bar ----


def bar(cases: list, checks: Checks) -> None:
    modulus, density = 2e6, 7800
    model = lithe.Model(name="bar")
    model.materials["soft"] = lithe.Isotropic(E=modulus, nu=0.26, density=density)
    mesh = lithe.BlockMesh(corner=(-0.05, -0.05, -0.5), length=(0.1, 0, 0), width=(0, 0.1, 0), height=(0, 0, 1),
                           elements=(2, 2, 20))  # fmt: skip
    model.bodies["bar"] = lithe.Body(element="hex8", material="soft", mesh=mesh)
    found = model.modes(40)
    checks.within("free bar: largest of six rigid frequencies, of the seventh", np.abs(found.frequency[:6]).max() /
                  found.frequency[6], 1e-4)  # fmt: skip
    # Along the axis, alike over each section, and odd or even about the middle: what stretches.
    stretching = []
    for k in range(6, 40):
        along = found.shape[k][:, 2].reshape(21, 9)
        mean = along.mean(axis=1)
        if np.sum(mean**2) * 9 > 0.8 * np.sum(found.shape[k] ** 2):
            stretching.append(k + 1)
    print(f"free bar: longitudinal modes {stretching}")
    checks.within("free bar: longitudinal modes other than 14, 19, 26, 34, 39",
                  len(set(stretching) ^ {14, 19, 26, 34, 39}), 0)  # fmt: skip
    errors = case(cases, "free bar, first longitudinal mode", found.frequency[13], 0.5 * math.sqrt(modulus / density))
    checks.within("free bar: error of the first longitudinal mode", errors[0], 0.01)


# ---- mechanisms ----


def pendulum(cases: list, checks: Checks) -> None:
    mass, length, inertia, g = 3.0, 0.7, (0.2, 0.35, 0.3), 9.81
    model = lithe.Model(name="pendulum")
    model.bodies["rod"] = lithe.RigidBody(position=(0, 0, -length), mass=mass, inertia=inertia)
    model.joints["pivot"] = lithe.Revolute(a={"body": "ground", "point": (0, 0, 0)}, b="rod", point=(0, 0, 0),
                                           axis=(0, 1, 0))  # fmt: skip
    model.loads["gravity"] = lithe.Gravity(acceleration=(0, 0, -g))
    found = model.modes(1, at="equilibrium")
    omega = math.sqrt(mass * g * length / (inertia[1] + mass * length**2))
    errors = case(cases, "rigid pendulum", found.frequency, omega / (2 * math.pi))
    checks.within("rigid pendulum: error", errors[0], 1e-8)


def string(cases: list, checks: Checks) -> None:
    length, radius, modulus, density, stretch = 1.0, 2e-4, 2e11, 7850.0, 1.002
    area = math.pi * radius**2
    model = lithe.Model(name="string")
    model.materials["wire"] = lithe.Isotropic(E=modulus, density=density)
    model.sections["round"] = lithe.Circle(radius=radius)
    mesh = lithe.LineMesh(from_=(0, 0, 0), to=(length, 0, 0), elements=40, unstretched_length=length / stretch)
    model.bodies["wire"] = lithe.Body(element="cable", material="wire", section="round", mesh=mesh)
    model.constraints["left"] = lithe.Pin(at="wire.start")
    model.constraints["right"] = lithe.Pin(at="wire.end")
    found = model.modes(6)
    tension = modulus * area * 0.5 * (stretch**2 - 1) * stretch  # of Green's strain
    pitch = math.sqrt(tension / (density * area / stretch)) / (2 * length)
    errors = case(cases, "tight cable", found.frequency, pitch * np.array([1, 1, 2, 2, 3, 3]))
    checks.within("tight cable: largest error of six modes", errors.max(), 1e-3)


def crank(cases: list, checks: Checks) -> None:
    r, l, crank_mass, rod_mass, slider_mass, k = 0.2, 0.6, 1.5, 2.0, 0.8, 5000.0
    crank_inertia, rod_inertia = 0.02, 0.07
    computed, reference = [], []
    for degrees in (35.0, 90.0, 140.0):
        t = math.radians(degrees)
        s, c = math.sin(t), math.cos(t)
        b = math.asin(r * s / l)  # of the rod below the axis of the slider
        pin, slider = np.array([r * c, r * s, 0]), np.array([r * c + l * math.cos(b), 0, 0])
        model = lithe.Model(name="slider-crank")
        z = (0, 0, 1)
        model.bodies["crank"] = lithe.RigidBody(position=tuple(pin / 2), mass=crank_mass, inertia=(0.015, 0.015, crank_inertia))
        model.bodies["rod"] = lithe.RigidBody(position=tuple((pin + slider) / 2), mass=rod_mass,
                                              inertia=(0.01, 0.07, rod_inertia))  # fmt: skip
        model.bodies["slider"] = lithe.RigidBody(position=tuple(slider), mass=slider_mass, inertia=(1e-3, 1e-3, 1e-3))
        ground = {"body": "ground", "point": (0, 0, 0)}
        model.joints["main"] = lithe.Revolute(a=ground, b="crank", point=(0, 0, 0), axis=z)
        model.joints["pin"] = lithe.Revolute(a="crank", b="rod", point=tuple(pin), axis=z)
        model.joints["gudgeon"] = lithe.Revolute(a="rod", b="slider", point=tuple(slider), axis=z)
        model.joints["guide"] = lithe.Prismatic(a=ground, b="slider.center", axis=(1, 0, 0))
        model.springs["spring"] = lithe.Spring(a="slider.center", b={"body": "ground", "point": (slider[0] + 1, 0, 0)},
                                               stiffness=k)  # fmt: skip
        found = model.modes(1)
        turn = r * c / (l * math.cos(b))  # b' of the crank's angle
        travel = -r * s - l * math.sin(b) * turn
        middle = np.array([-r * s - 0.5 * l * math.sin(b) * turn, 0.5 * r * c])
        mass = (crank_inertia + crank_mass * r**2 / 4 + rod_inertia * turn**2 + rod_mass * middle @ middle
                + slider_mass * travel**2)  # fmt: skip
        computed.append(found.frequency[0])
        reference.append(math.sqrt(k * travel**2 / mass) / (2 * math.pi))
    errors = case(cases, "slider-crank at 35, 90 and 140 degrees", computed, reference)
    checks.within("slider-crank: largest error", errors.max(), 1e-8)


# ---- pipe ----


def pipe(cases: list, checks: Checks) -> None:
    model = lithe.Model(name="pipe")
    model.materials["soft"] = lithe.Isotropic(E=1e7, nu=0.25, density=1000)
    mesh = lithe.PipeMesh(from_=(-0.07, 0.05, 0.05), to=(0.03, 0.05, 0.05), inner_radius=0.01, outer_radius=0.015,
                          elements=(36, 36, 4))  # fmt: skip
    model.bodies["pipe"] = lithe.Body(element="hex8", material="soft", mesh=mesh)
    start = time.process_time()
    found = model.modes(100, threads=1)
    seconds = time.process_time() - start  # of this process: others may be at work
    print(f"pipe: {found.seconds:.2f} s, {seconds:.2f} s of a processor; {found.counted} modes counted up to {math.sqrt(found.high) / (2 * math.pi):.6g} Hz, "
          f"{found.missed} missed by the first search; largest residual {found.residual.max():.2g}")  # fmt: skip
    checks.at_least("pipe: modes counted by Sylvester's law", found.counted, 100)
    checks.within("pipe: seconds of a processor for 100 modes", seconds, 10)
    checks.within("pipe: largest of six rigid frequencies, of the seventh", np.abs(found.frequency[:6]).max() /
                  found.frequency[6], 1e-4)  # fmt: skip
    # Ovalling comes twice, for the mesh looks the same after a turn by 10 degrees; twisting comes once.
    twins = case(cases, "pipe: mode 7 against its twin 8", found.frequency[6], found.frequency[7])
    checks.within("pipe: difference of modes 7 and 8", twins[0], 1e-9)
    errors = case(cases, "pipe: mode 9 against sqrt(G / rho) / (2 L) of torsion", found.frequency[8], math.sqrt(4e6 / 1000) / 0.2)
    checks.within("pipe: error of the first torsional mode", errors[0], 0.01)


# ---- buckling ----


def column(cases: list, checks: Checks) -> None:
    side, modulus, length = 0.01, 1e9, 1.0
    euler = math.pi**2 * modulus * side**4 / 12 / (4 * length**2)
    computed = []
    for at, load in (("rest", 1.0), ("equilibrium", 0.5 * euler)):
        model = lithe.Model(name="Euler's column")
        model.materials["rubber"] = lithe.Isotropic(E=modulus, nu=0, density=1000)
        model.sections["square"] = lithe.Rectangle(width=side, thickness=side)
        mesh = lithe.LineMesh(from_=(0, 0, 0), to=(length, 0, 0), elements=16)
        model.bodies["column"] = lithe.Body(element="beam3243", material="rubber", section="square", mesh=mesh)
        model.constraints["root"] = lithe.Clamp(at="column.start")
        model.loads["press"] = lithe.PointForce(at="column.end", force=(-load, 0, 0))
        computed.append(model.buckling(2, at=at).factor[0] * load)
    errors = case(cases, "Euler's column from rest and from half its load", computed, [euler, euler])
    checks.within("Euler's column: largest error", errors.max(), 1e-3)


# ---- bricks ----


def read_brick(path: Path) -> tuple[np.ndarray, np.ndarray]:
    """Nodes and bricks of part FB of a deck."""
    nodes, bricks, part, what = {}, [], "", ""
    for line in path.read_text().splitlines():
        word = line.lower().replace(" ", "")
        if word.startswith("*"):
            part = word.split("name=")[1] if word.startswith("*part,") else "" if word.startswith("*endpart") else part
            what = word.split(",")[0] if part == "fb" else ""
            continue
        numbers = [float(x) for x in line.split(",") if x.strip()]
        if what == "*node":
            nodes[int(numbers[0])] = numbers[1:4]
        elif what == "*element":
            bricks.append([int(x) for x in numbers[1:9]])
    index = {label: i for i, label in enumerate(nodes)}
    return np.array(list(nodes.values())), np.array([[index[label] for label in brick] for brick in bricks])


def refined(nodes: np.ndarray, bricks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Every brick cut into 2 x 2 x 2."""
    corners = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]])
    known, points, cut = {}, [], []
    for brick in bricks:
        number = {}
        for at in np.ndindex(3, 3, 3):
            share = np.prod(np.where(corners == 1, np.array(at) / 2, 1 - np.array(at) / 2), axis=1)
            place = share @ nodes[brick]
            key = tuple(np.round(place, 9))
            number[at] = known.setdefault(key, len(points))
            if number[at] == len(points):
                points.append(place)
        for at in np.ndindex(2, 2, 2):
            cut.append([number[tuple(np.array(at) + corner)] for corner in corners])
    return np.array(points), np.array(cut)


def squeezing(nodes: np.ndarray, bricks: np.ndarray, count: int) -> np.ndarray:
    """Frequencies of planar deformation: every node keeps its height, and top and bottom move alike."""
    model = lithe.Model(name="fuel brick")
    model.materials["graphite"] = lithe.Isotropic(E=1.18e10, nu=0.21, density=1687.71)
    model.bodies["brick"] = lithe.Body(element="hex8", material="graphite", mesh=lithe.NodeMesh(nodes=nodes, elements=bricks))
    model.constraints["plane"] = lithe.Fix(at="brick.all", along=[(0, 0, 1)])
    found = model.modes(3 + 6 * count)
    low, high = (np.flatnonzero(np.isclose(nodes[:, 2], z)) for z in (nodes[:, 2].min(), nodes[:, 2].max()))
    low, high = (side[np.lexsort(np.round(nodes[side, :2].T, 6))] for side in (low, high))
    alike = [k for k in range(3, len(found))
             if np.linalg.norm(found.shape[k][high] - found.shape[k][low]) < 0.1 * np.linalg.norm(found.shape[k][low])]  # fmt: skip
    return found.frequency[alike[:count]]


def bricks(cases: list, checks: Checks, folder: Path) -> None:
    for name, limit in (("81fbi.inp", 0.35), ("81fbi_4_2.inp", 0.35)):
        mesh = read_brick(folder / name)
        fine = refined(*refined(*mesh))
        errors = case(cases, f"fuel brick of {name}, planar modes", squeezing(*mesh, 3), squeezing(*fine, 3))
        checks.within(f"fuel brick of {name}: largest error of three planar modes", errors.max(), limit)


CASES = {"beams": beams, "bar": bar, "pendulum": pendulum, "string": string, "crank": crank, "pipe": pipe, "column": column}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--case", choices=CASES, action="append", help="this one alone (repeatable)")
    parser.add_argument("--bricks", type=Path, help="folder of the decks of P2's array")
    parser.add_argument("--json")
    options = parser.parse_args()
    cases, checks = [], Checks()
    for name in options.case or CASES:
        CASES[name](cases, checks)
    if options.bricks:
        bricks(cases, checks, options.bricks)
    print()
    for entry in cases:
        print(f"{entry['name']}: " + ", ".join(f"{x:.6g} ({y:.6g})" for x, y in zip(entry["computed"], entry["reference"])))
    write_json(options.json, {"cases": cases, "checks": checks.rows})
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
