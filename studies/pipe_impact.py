"""P2's pipe impact (figures 8 to 11, table 1): an elastic pipe falls onto the edge of a block and turns over it.

    python3 studies/pipe_impact.py [--quick] [--large-step] [--program build/lithe] [--json FILE] [--picture FILE]

A pipe of 36 x 36 x 4 hex8 (19,980 unknowns), 0.1 m long along x, radii .01 and .015 m, E 1e7 Pa, nu .25, 1000 kg/m^3, eta 1e-4 s,
falls .025 m under 10 m/s^2 onto an obstacle .01 m wide that stands off its middle (friction .1, no rebound). 0.1 s with
h = 1e-3 s on one thread: total Lagrangian (TL), co-rotated (BC) and reduced (BC-RO: 18 POD modes of six rigid vectors and the
snapshots of the TL run), and the same with h = 1e-4 s beside it. --quick: 12 x 12 x 2 hex8, no times and no small steps; --large-step: h = 1e-3 s alone.

P2 prints curves without numbers and the times 101, 16.2 and 2.0 s, 13, 13 and 0.264 MB. Checked: free fall until the impact;
BC and BC-RO against TL (largest internal energy, angle at the end); the balance of kinetic, internal and potential energy with
the work of damping and of contact; how much faster and smaller BC and BC-RO are. With h = 1e-3 s the motion is not converged.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from _common import SYSTEM_PYTHON, Checks, add_files, figure, read_options, save, write_json

try:
    import h5py
    import numpy as np
except ImportError:
    if os.path.realpath(sys.executable) == os.path.realpath(SYSTEM_PYTHON):
        raise
    os.execv(SYSTEM_PYTHON, [SYSTEM_PYTHON, *sys.argv])

FORMULATIONS = ("TL", "BC", "BC-RO")
MODES = 18
GRAVITY, DROP = 10.0, 0.025
IMPACT = math.sqrt(2 * DROP / GRAVITY)  # s
POINTS = {"p0": (0.005, 0.05, 0.035), "p1": (0.005, 0.05, 0.065), "p2": (0.005, 0.05, 0.04), "p3": (0.005, 0.05, 0.06),
          "p4": (0.03, 0.05, 0.065), "p5": (-0.07, 0.05, 0.065)}  # fmt: skip
PUBLISHED = {"TL": (101, 13e6), "BC": (16.2, 13e6), "BC-RO": (2.0, 0.264e6)}  # s, bytes
SECONDS = {"TL": 20, "BC": 2.5, "BC-RO": 0.25}
FASTER = {"BC": 7, "BC-RO": 80}
SMALLER = 50

MODEL = """
materials: {{rubber: {{E: 1e7, nu: 0.25, density: 1000}}}}
bodies:
  pipe:
    element: hex8
    material: rubber
    mesh: {{type: pipe, from: [-0.07, 0.05, 0.05], to: [0.03, 0.05, 0.05], inner_radius: 0.01, outer_radius: 0.015,
           start: [0, 0, -1], elements: {elements}}}
    kinematics: {formulation}
    eta: 1e-4
    {base}
obstacles:
  block: {{shape: {{type: box, size: [0.01, 0.1, 0.01]}}, position: [0.005, 0.05, 0.005]}}
contacts: {{touch: {{between: all, friction: 0.1}}}}
loads: {{gravity: {{type: gravity, acceleration: [0, 0, -10]}}}}
outputs:
  energy: {{type: energy}}
  touch: {{type: contact, contact: touch}}
{points}analysis: {{type: dynamic, duration: 0.1, step: {h!r}, output_step: 1e-3, integrator: half_step, threads: 1, contact: {{activation: touching, move_apart: false}},
           fields: [position, velocity]}}
"""


class Pipe:
    """Runs of the program in a folder of its own, which holds the base of the reduced pipe."""

    def __init__(self, program: Path, folder: Path, elements: tuple[int, int, int]):
        self.program, self.folder, self.elements = program, folder, elements

    def call(self, *arguments: str) -> None:
        command = [str(self.program), *arguments]
        run = subprocess.run(command, cwd=self.folder, capture_output=True, text=True)
        if run.returncode:
            sys.exit(f"{' '.join(command)} ended with {run.returncode}:\n{run.stdout}{run.stderr}")

    def make_base(self, h: float) -> None:
        self.call("reduce", "pod", f"TL{h:g}.h5", "--body", "pipe", "--count", str(MODES), "-o", "base.h5")

    def run(self, formulation: str, h: float) -> dict:
        points = "".join(f"  {name}: {{type: position, at: {{body: pipe, point: {list(at)}}}}}\n" for name, at in POINTS.items())
        points += "".join(f"  mises_{name}: {{type: stress, at: {{body: pipe, point: {list(POINTS[name])}}}}}\n" for name in ("p0", "p2"))
        name = f"{formulation}{h:g}"
        (self.folder / f"{name}.yaml").write_text(
            MODEL.format(formulation=formulation, h=h, elements=list(self.elements), points=points,
                         base="base: base.h5" if formulation == "BC-RO" else ""))  # fmt: skip
        self.call("run", f"{name}.yaml", "-o", f"{name}.h5", "--quiet", "--json", f"{name}.json")
        report = json.loads((self.folder / f"{name}.json").read_text())
        with h5py.File(self.folder / f"{name}.h5") as file:
            return histories(formulation, h, file, report)


def histories(formulation: str, h: float, file: h5py.File, report: dict) -> dict:
    channels, t = file["channels"], file["time"][:]

    def of(channel: str, column: str) -> np.ndarray:
        return channels[channel][:, [name.decode() for name in channels[channel].attrs["columns"]].index(column)]

    p = {name: channels[name][:] for name in POINTS}
    axis = p["p5"] - p["p4"]
    axis /= np.linalg.norm(axis, axis=1, keepdims=True)
    rows = 0

    def count(_, item):
        nonlocal rows
        if isinstance(item, h5py.Dataset) and item.shape and item.shape[0] == len(t):
            rows += item.size * item.dtype.itemsize

    file.visititems(count)
    energies = report["energy_balance"]
    return {
        "formulation": formulation,
        "h": h,
        "t": t.tolist(),
        "kinetic": of("energy", "kinetic").tolist(),
        "internal": of("energy", "strain").tolist(),
        "p4_z": p["p4"][:, 2].tolist(),
        "p5_z": p["p5"][:, 2].tolist(),
        "angle": np.arcsin(np.clip(np.linalg.norm(np.cross(axis, (-1.0, 0.0, 0.0)), axis=1), 0, 1)).tolist(),
        "inner_diameter": np.linalg.norm(p["p2"] - p["p3"], axis=1).tolist(),
        "outer_diameter": np.linalg.norm(p["p0"] - p["p1"], axis=1).tolist(),
        "mises_p0": of("mises_p0", "von_mises").tolist(),
        "mises_p2": of("mises_p2", "von_mises").tolist(),
        "contacts": of("touch", "points").tolist(),
        "contact_work": (of("touch", "work_normal") + of("touch", "work_friction")).tolist(),
        "imbalance": energies["largest_imbalance"] / energies["largest_energy"],
        "wall_s": report["seconds"]["total"] - report["seconds"]["output"],
        "seconds": report["seconds"],
        "storage_bytes": int(rows),
    }


def check(runs: dict[str, dict], checks: Checks, mesh: str, timed: bool) -> None:
    total = runs["TL"]
    for name, run in runs.items():
        t, z = np.array(run["t"]), np.array(run["p4_z"])
        free = t < IMPACT
        checks.within(f"{name}{mesh}: off the free fall before the impact (m)",
                      np.abs(z - POINTS["p4"][2] + 0.5 * GRAVITY * t**2)[free].max(), 1e-6)  # fmt: skip
        checks.within(f"{name}{mesh}: energies, damping and contact off balance", run["imbalance"], 0.02)
        if name == "TL":
            continue
        peak, wanted = max(run["internal"]), max(total["internal"])
        checks.within(f"{name}{mesh}: largest internal energy off TL's, relative", (peak - wanted) / wanted, 0.05)
        checks.within(f"{name}{mesh}: angle at the end off TL's (rad)", run["angle"][-1] - total["angle"][-1], 0.08)
    if not timed:
        return
    for name, run in runs.items():
        checks.within(f"{name}{mesh}: seconds", run["wall_s"], SECONDS[name])
        if name in FASTER:
            checks.at_least(f"{name}{mesh}: faster than TL", total["wall_s"] / run["wall_s"], FASTER[name])
    checks.at_least(f"BC-RO{mesh}: smaller rows than TL", total["storage_bytes"] / runs["BC-RO"]["storage_bytes"], SMALLER)


def table(runs: list[dict]) -> None:
    print(f"\n{'':>6} {'h (s)':>7} {'peak internal (mJ)':>19} {'angle at 0.1 s':>15} {'contacts':>9} {'imbalance':>10} {'wall (s)':>9}"
          f" {'P2 (s)':>7} {'rows (MB)':>10} {'P2 (MB)':>8}")  # fmt: skip
    for run in runs:
        seconds, size = PUBLISHED[run["formulation"]] if run["h"] == 1e-3 else (math.nan, math.nan)
        print(f"{run['formulation']:>6} {run['h']:7g} {1e3 * max(run['internal']):19.4f} {run['angle'][-1]:15.4f}"
              f" {max(run['contacts']):9.0f} {100 * run['imbalance']:9.2f}% {run['wall_s']:9.3f} {seconds:7g}"
              f" {1e-6 * run['storage_bytes']:10.3f} {1e-6 * size:8.3g}")  # fmt: skip
    print()


def draw(path: str, runs: list[dict]) -> None:
    picture, axes = figure(2, 4, (19, 9))
    curves = [("kinetic", 1e3, "kinetic energy (mJ)"), ("internal", 1e3, "internal energy (mJ)"),
              ("p4_z", 1e3, "z of p4 and p5 (mm)"), ("angle", 1, "angle (rad)"),
              ("inner_diameter", 1e3, "inner diameter |p2 - p3| (mm)"), ("outer_diameter", 1e3, "outer diameter |p0 - p1| (mm)"),
              ("mises_p0", 1e-3, "von Mises at p0, outside (kPa)"), ("mises_p2", 1e-3, "von Mises at p2, inside (kPa)")]  # fmt: skip
    styles = {"TL": "k", "BC": "C0", "BC-RO": "C1"}
    for axis, (key, factor, label) in zip(axes.flat, curves):
        for run in runs:
            late = np.array(run["t"]) >= 0.05
            for k in (key, "p5_z") if key == "p4_z" else (key,):
                axis.plot(np.array(run["t"])[late], factor * np.array(run[k])[late], styles[run["formulation"]],
                          ls="-" if run["h"] == 1e-3 else ":", lw=1.4 if run["h"] == 1e-3 else 1,
                          label=f"{run['formulation']}, h = {run['h']:g} s" if k == key else None)  # fmt: skip
        axis.set(xlabel="time (s)", title=label)
    axes[0, 0].legend(fontsize="small")
    save(picture, path, dpi=80)


def main() -> int:
    parser = argparse.ArgumentParser(description="P2's pipe impact: energies, motion, stresses, time and storage")
    parser.add_argument("--quick", action="store_true", help="a coarse pipe, h = 1e-3 s, no times")
    parser.add_argument("--large-step", action="store_true", help="h = 1e-3 s alone")
    add_files(parser)
    options = read_options(parser)
    program = options.program
    checks, runs = Checks(), []
    with tempfile.TemporaryDirectory() as folder:
        pipe = Pipe(program, Path(folder), (12, 12, 2) if options.quick else (36, 36, 4))
        for h in (1e-3,) if options.quick or options.large_step else (1e-3, 1e-4):
            of_step = {}
            for name in FORMULATIONS:
                if name == "BC-RO":
                    pipe.make_base(h)
                of_step[name] = pipe.run(name, h)
            runs += of_step.values()
            if h == 1e-3:
                first = of_step
    table(runs)
    check(first, checks, "", timed=not options.quick)
    write_json(options.json, {"runs": runs, "checks": checks.rows})
    if options.picture:
        draw(options.picture, runs)
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
