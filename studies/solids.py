"""Solids in equilibrium: a cantilever, Cook's membrane and a twisted block by hex8, tet4, tet10 and hexa3843.

    python3 studies/solids.py [--case NAME] [--quick] [--program build/lithe] [--json FILE]

The kinds with positions alone, from the generator `block` and from files of gmsh (2.2, 4.1) and Abaqus that the study writes
itself, against hexa3843, which has gradients at its nodes and shares no mesh, rule or kernel with them:

- cantilever 0.4 x 0.1 x 0.1 m, nu 0, one end held, a small traction across the other: tip, against Timoshenko's beam. With
  nu = 0 a held end leaves no singular stresses: orders are those of smooth solutions.
- Cook's membrane: the trapezoid 48 x (44 -> 16) of thickness 1, nu 1/3, one edge held, shear on the other: middle of that
  edge, 23.96 F/(E t) in plane stress. From files. Corners that are held and free make the stresses singular.
- block 0.2 x 0.1 x 0.1 m, nu 0.3, one end held, the other turned by 60 degrees as a rigid plate: moment. Large strains;
  edges that are held and free make the stresses singular.

Errors are relative to the limit of the two best kinds: Richardson's value of tet10's and hexa3843's last meshes, their mean.
Checks: tet10 within 0.5 % of hexa3843 on the finest meshes; both within 0.5 % of Timoshenko (1 % of Cook's 23.96); orders
of the cantilever; hex8 and tet4 lock (too stiff on every mesh) and come down with refinement; files give what the generator
gives.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from _common import SYSTEM_PYTHON, Checks, add_files, read_options, write_json

try:
    import numpy as np
except ImportError:
    if os.path.realpath(sys.executable) == os.path.realpath(SYSTEM_PYTHON):
        raise
    os.execv(SYSTEM_PYTHON, [SYSTEM_PYTHON, *sys.argv])

from _solid_meshes import Lattice, hexa_nodes

ORDERS = {"hex8": 1.8, "tet4": 1.3, "tet10": 3.0}  # of the cantilever, at least
KINDS = ("hex8", "tet4", "tet10", "hexa3843")
FORMS = {"msh2": "mesh.msh", "msh4": "mesh.msh", "inp": "mesh.inp"}


class Case:
    name: str
    meshes: dict[str, tuple[int, ...]]  # bricks over the shortest edge, by kind
    quick: dict[str, tuple[int, ...]]  # of the shortened study

    def counts(self, n: int) -> tuple[int, int, int]:
        raise NotImplementedError

    def shape(self, s, t, u) -> np.ndarray:
        raise NotImplementedError

    def generated(self, kind: str, n: int) -> dict | None:
        """The mesh of a generator; None: there is none."""
        return None

    def model(self) -> dict:
        """Without mesh and kind."""
        raise NotImplementedError

    def value(self, channels: dict) -> float:
        raise NotImplementedError


class Box(Case):
    size: tuple[float, float, float]

    def shape(self, s, t, u):
        return np.array([s * self.size[0], (t - 0.5) * self.size[1], (u - 0.5) * self.size[2]])

    def counts(self, n):
        return tuple(round(n * length / self.size[1]) for length in self.size)

    def generated(self, kind, n):
        x, y, z = self.size
        return {"type": "block", "corner": [0, -y / 2, -z / 2], "length": [x, 0, 0], "width": [0, y, 0],
                "height": [0, 0, z], "elements": list(self.counts(n))}  # fmt: skip


class Cantilever(Box):
    name = "cantilever"
    nu, along = 0.0, 4  # bricks along it for each one across
    size = (0.4, 0.1, 0.1)
    E, traction = 1e9, 1e2
    meshes = {"hex8": (1, 2, 4, 8), "tet4": (1, 2, 4, 8), "tet10": (1, 2, 4), "hexa3843": (1, 2, 4)}
    quick = {"hex8": (1, 2, 4), "tet4": (1, 2, 4), "tet10": (1, 2), "hexa3843": (1, 2)}

    def model(self):
        return {
            "materials": {"m": {"E": self.E, "nu": self.nu, "density": 1000}},
            "loads": {"end": {"type": "traction", "on": "solid.x_max", "force": [0, 0, self.traction]}},
            "outputs": {"tip": {"type": "displacement", "at": {"body": "solid", "point": [self.size[0], 0, 0]}}},
            "analysis": {"fields": [], "threads": 1},
        }

    def counts(self, n):
        return (self.along * n, n, n)

    def value(self, channels):
        return channels["tip"]["final"][2] / self.timoshenko()

    def timoshenko(self):
        length, width, height = self.size
        force, I = self.traction * width * height, width * height**3 / 12
        shear = 10 * (1 + self.nu) / (12 + 11 * self.nu) * self.E / (2 * (1 + self.nu)) * width * height
        return force * length**3 / (3 * self.E * I) + force * length / shear


class Cook(Case):
    name = "cook"
    E, force = 1e9, 1e3
    meshes = {"hex8": (2, 4, 8, 16, 32), "tet4": (2, 4, 8, 16, 32), "tet10": (2, 4, 8, 16), "hexa3843": (2, 4, 8, 16)}
    quick = {"hex8": (2, 4, 8), "tet4": (2, 4, 8), "tet10": (2, 4, 8), "hexa3843": (2, 4, 8)}

    def counts(self, n):
        return (n, n, 1)

    def shape(self, s, t, u):
        return np.array([48 * s, 44 * s + t * (44 - 28 * s), u])

    def generated(self, kind, n):
        if kind != "hexa3843":
            return None

        def slopes(s, t, u):
            zero, one = np.zeros_like(s), np.ones_like(s)
            return (np.array([48 * one, 44 - 28 * t, zero]), np.array([zero, 44 - 28 * s, zero]),
                    np.array([zero, zero, one]))  # fmt: skip

        return hexa_nodes(self.counts(n), (48.0, 44.0, 1.0), self.shape, slopes)

    def model(self):
        return {
            "materials": {"m": {"E": self.E, "nu": 1 / 3, "density": 1000}},
            "loads": {"end": {"type": "traction", "on": "solid.x_max", "force": [0, self.force / 16, 0]}},
            "outputs": {"tip": {"type": "displacement", "at": {"body": "solid", "point": [48, 52, 0.5]}}},
            "analysis": {"fields": [], "threads": 1},
        }

    def value(self, channels):
        return channels["tip"]["final"][1] * self.E / self.force


class Twist(Box):
    name = "twisted block"
    size = (0.2, 0.1, 0.1)
    meshes = {"hex8": (2, 4, 8), "tet4": (2, 4, 8), "tet10": (1, 2, 4, 8), "hexa3843": (1, 2, 4)}
    quick = {"hex8": (2, 4), "tet4": (2, 4), "tet10": (1, 2, 4), "hexa3843": (1, 2, 4)}

    def model(self):
        return {
            "materials": {"m": {"E": 1e6, "nu": 0.3, "density": 1000}},
            "bodies": {"plate": {"type": "rigid", "position": [self.size[0], 0, 0], "mass": 0}},
            "joints": {
                "grip": {"type": "rigid_connection", "a": "plate", "nodes": "solid.x_max"},
                "turn": {"type": "motion", "at": "plate", "displacement": [0, 0, 0], "angle": "t*pi/3", "axis": [1, 0, 0]},
            },
            "outputs": {"turn": {"type": "joint", "joint": "turn"}},
            "analysis": {"first_step": 0.25, "largest_step": 0.25, "fields": [], "threads": 1},
        }

    def value(self, channels):
        return channels["turn"]["final"][3]


CASES = (Cantilever, Cook, Twist)


class Solver:
    def __init__(self, program: Path, folder: Path):
        self.program, self.folder = program, folder

    def value(self, case: Case, kind: str, n: int, form: str | None = None) -> tuple[float, dict]:
        """The case's quantity; `form` of a file, without it the generator's mesh where there is one."""
        mesh = None if form else case.generated(kind, n)
        if mesh is None:
            path = self.folder / FORMS[form or "msh4"]
            Lattice(kind, case.counts(n), case.shape).write(path, form or "msh4")
            mesh = {"type": "file", "path": path.name}
        model = case.model()
        model.setdefault("bodies", {})["solid"] = {"element": kind, "material": "m", "mesh": mesh}
        # The whole face is held, between its nodes too, and may move along no direction.
        held = ["position", "y_gradient", "z_gradient"] if kind == "hexa3843" else ["position"]
        model["constraints"] = {"root": {"type": "fix", "at": "solid.x_min", "coordinates": held}}
        (self.folder / "model.yaml").write_text(json.dumps(model))
        command = [str(self.program), "run", "model.yaml", "-o", "out.h5", "--quiet", "--json", "out.json"]
        began = time.perf_counter()
        run = subprocess.run(command, cwd=self.folder, capture_output=True, text=True)
        if run.returncode:
            sys.exit(f"{case.name} by {n} {kind} ended with {run.returncode}:\n{run.stdout}{run.stderr}")
        summary = json.loads((self.folder / "out.json").read_text())
        return case.value(summary["channels"]), {"seconds": round(time.perf_counter() - began, 3)}


def limit_of(values: list[float]) -> float:
    """Richardson's from the last three, or the last where they do not come nearer steadily."""
    if len(values) < 3:
        return values[-1]
    a, b, c = values[-3:]
    ratio = (b - a) / (c - b)
    return c + (c - b) / (ratio - 1) if ratio > 1.5 else c


def converge(solver: Solver, case: Case, meshes: dict, checks: Checks) -> list[dict]:
    rows = []
    for kind in KINDS:
        for n in meshes[kind]:
            value, more = solver.value(case, kind, n)
            counts = case.counts(n)
            rows.append({"case": case.name, "element": kind, "elements": "x".join(map(str, counts)), "n": n,
                         "value": value} | more)  # fmt: skip
    of = {kind: [r["value"] for r in rows if r["element"] == kind] for kind in KINDS}
    best = [limit_of(of[kind]) for kind in ("tet10", "hexa3843")]
    reference = sum(best) / 2
    print(f"\n{case.name}: limit {reference:.6g} (tet10 {best[0]:.6g}, hexa3843 {best[1]:.6g})\n")
    print(f"{'':>9} {'bricks':>9} {'value':>12} {'error %':>9} {'order':>6} {'s':>6}")
    last = {}
    for row in rows:
        row["error"] = row["value"] / reference - 1
        before = last.get(row["element"])
        row["order"] = math.log2(abs(before / row["error"])) if before and row["error"] else None
        last[row["element"]] = row["error"]
        shown = f"{row['order']:6.2f}" if row["order"] is not None else f"{'':6}"
        print(f"{row['element']:>9} {row['elements']:>9} {row['value']:12.6g} {100 * row['error']:9.3f} {shown}"
              f" {row['seconds']:6.2f}", flush=True)  # fmt: skip
    print()
    checks.within(f"{case.name}: tet10 off hexa3843, finest meshes, relative", of["tet10"][-1] / of["hexa3843"][-1] - 1, 5e-3)
    return rows


def judge(rows: list[dict], checks: Checks) -> None:
    of = {}
    for row in rows:
        of.setdefault((row["case"], row["element"]), []).append(row)
    for (case, kind), some in of.items():
        last = some[-1]
        if kind in ("tet10", "hexa3843"):
            if case == "cantilever":
                checks.within(f"cantilever: {kind} over Timoshenko's beam", last["value"], 5e-3, expected=1)
            if case == "cook":
                checks.within(f"cook: {kind}, displacement E t/F", last["value"], 0.01 * 23.96, expected=23.96)
        if case == "cantilever" and kind in ORDERS:
            checks.at_least(f"cantilever: order of {kind}", last["order"], ORDERS[kind])
        if kind in ("hex8", "tet4"):
            # Tip and edge move too little, the moment is too large.
            stiff = [r["error"] if case == "twisted block" else -r["error"] for r in some]
            gone = min(1 - b / a for a, b in zip(stiff, stiff[1:]))
            checks.at_least(f"{case}: {kind}, least error gone with a refinement", gone, 0.2)
            checks.at_least(f"{case}: {kind}, too stiff on the finest mesh", stiff[-1], 0)


def files(solver: Solver, cases: list[Case], checks: Checks) -> list[dict]:
    """The same from all files, and from the generator where there is one."""
    rows = []
    for case in cases:
        for kind in ("hex8", "tet4", "tet10"):
            values = {form: solver.value(case, kind, 2, form)[0] for form in FORMS}
            if case.generated(kind, 2):
                values["generator"] = solver.value(case, kind, 2)[0]
            off = max(values.values()) / min(values.values()) - 1
            checks.within(f"{case.name}: {kind}, {', '.join(values)} apart", off, 1e-9)
            rows.append({"case": case.name, "element": kind, "values": values})
    return rows


def locking(solver: Solver, n: int) -> list[dict]:
    """The cantilever by stretched bricks and nearly without compressibility, over Timoshenko's."""
    rows = []
    print(f"\ncantilever, {n} bricks over the height: tip over Timoshenko's\n")
    print(f"{'nu':>7} {'bricks':>9} " + " ".join(f"{kind:>9}" for kind in KINDS))
    for nu, along in ((0.0, 4), (0.0, 2), (0.0, 1), (0.3, 4), (0.49, 4), (0.499, 4)):
        case = Cantilever()
        case.nu, case.along = nu, along
        values = {kind: solver.value(case, kind, n)[0] for kind in KINDS}
        counts = "x".join(map(str, case.counts(n)))
        print(f"{nu:7g} {counts:>9} " + " ".join(f"{v:9.4f}" for v in values.values()), flush=True)
        rows.append({"nu": nu, "elements": counts, "tip_over_timoshenko": values})
    print()
    return rows


def main() -> int:
    parser = argparse.ArgumentParser(description="Cantilever, Cook's membrane and twisted block by four kinds of solids")
    parser.add_argument("--case", choices=[case.name for case in CASES], help="this one alone")
    parser.add_argument("--quick", action="store_true", help="coarse meshes")
    add_files(parser, picture=False)
    options = read_options(parser)
    program = options.program
    checks, rows = Checks(), []
    with tempfile.TemporaryDirectory() as folder:
        solver = Solver(program, Path(folder))
        cases = [case() for case in CASES if options.case in (None, case.name)]
        for case in cases:
            rows += converge(solver, case, case.quick if options.quick else case.meshes, checks)
        stiff = locking(solver, 2) if options.case in (None, "cantilever") else []
        judge(rows, checks)
        same = files(solver, cases, checks)
    write_json(options.json, {"rows": rows, "locking": stiff, "files": same, "checks": checks.rows})
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
