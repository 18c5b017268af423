"""P2's rotating bar (figures 2 to 5): total Lagrangian, co-rotated and two reduced forms of a soft bar that turns.

    python3 studies/rotating_bar.py [--quick] [--program build/lithe] [--json FILE] [--picture FILE]

A free bar [-.05, .05]^2 x [-.5, .5] m of 2x2x20 hex8 (567 unknowns), nu .26, 7800 kg/m^3, turns about x with 1 rad/s and
stretches under its own centrifugal force, since the start has none of it. E is 2e6 Pa, for figure 5 also 2e11 Pa. The base of
BC-RO: 11 POD modes of six rigid vectors and 256 snapshots of the TL run with h = 1/256 s; that of BC-MODAL: the rigid modes
and the eigenmodes 14, 19, 26, 34, 39, which are those along the bar.

P2 has pictures without numbers. Held against limits: elongation |p1 - p0| - 1 m between the middles of the ends, against TL
with the same step and damping (eta 0 and .01; at .05 TL departs, since the damping eta K(q) v brakes the turning of a
stretched bar: reported); energy over 100 s (BC-RO loses some, as in P2: reported); order of the error of the soft bar's
coordinates at t = 1/16 s against h = 2^-16 s of the same formulation, fitted on h = 2^-10 ... 2^-13, where omega h < 1 for
all modes of the mesh. What reduced coordinates restore (eq. 58) is compared with the coordinates that were integrated.
"""

from __future__ import annotations

import argparse
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

FORMULATIONS = ("TL", "BC", "BC-RO", "BC-MODAL")
STEPS, ETAS = (1 / 64, 1 / 256), (0.0, 0.01, 0.05)
SOFT, STIFF = (2e6, 0.0), (2e11, 1e-6)  # E, eta of figure 5
ENERGY = 3.315  # J, of the lumped mass
ELONGATION_LIMIT = {"BC": 0.03, "BC-RO": 0.05, "BC-MODAL": 0.05}  # of TL's largest
ENERGY_LIMIT = {"TL": 1e-3, "BC": 1e-3, "BC-MODAL": 3e-3}  # relative
MODES = "1-6,14,19,26,34,39"
NODES = 3 * 3 * 21

MODEL = """
materials: {{rubber: {{E: {E!r}, nu: 0.26, density: 7800}}}}
bodies:
  bar:
    element: hex8
    material: rubber
    mesh: {{type: block, corner: [-0.05, -0.05, -0.5], length: [0.1, 0, 0], width: [0, 0.1, 0], height: [0, 0, 1],
           elements: [2, 2, 20]}}
    kinematics: {formulation}
    eta: {eta!r}
    {base}
initial_velocities: {{spin: {{on: bar, angular_velocity: [1, 0, 0], center: [0, 0, 0]}}}}
outputs:
  top: {{type: position, at: {{body: bar, point: [0, 0, 0.5]}}}}
  bottom: {{type: position, at: {{body: bar, point: [0, 0, -0.5]}}}}
  energy: {{type: energy}}
{more}analysis: {{type: dynamic, duration: {duration!r}, step: {h!r}, output_step: {output!r}, integrator: half_step, threads: 1,
           fields: {fields}}}
"""


class Bar:
    """Runs of the program in a folder of its own, which holds the bases."""

    def __init__(self, program: Path, folder: Path):
        self.program, self.folder = program, folder
        self.file("TL", 1 / 256, fields="[position]")
        self.call("reduce", "pod", "bar.h5", "--body", "bar", "--count", "11", "-o", "BC-RO.h5")
        self.call("reduce", "modal", "bar.yaml", "--body", "bar", "--modes", MODES, "-o", "BC-MODAL.h5")

    def call(self, *arguments: str) -> None:
        command = [str(self.program), *arguments]
        run = subprocess.run(command, cwd=self.folder, capture_output=True, text=True)
        if run.returncode:
            sys.exit(f"{' '.join(command)} ended with {run.returncode}:\n{run.stdout}{run.stderr}")

    def file(self, formulation, h, eta=0.0, E=SOFT[0], duration=1.0, output=0.0, fields="[]", more="") -> Path:
        base = f"base: {formulation}.h5" if formulation in ("BC-RO", "BC-MODAL") else ""
        values = {"formulation": formulation, "h": h, "eta": eta, "E": E, "duration": duration, "output": output}
        (self.folder / "bar.yaml").write_text(MODEL.format(base=base, fields=fields, more=more, **values))
        self.call("run", "bar.yaml", "-o", "bar.h5", "--quiet")
        return self.folder / "bar.h5"

    def histories(self, *what, **more) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """t, elongation and total energy at the ends of the steps."""
        with h5py.File(self.file(*what, **more)) as file:
            channels = file["channels"]
            columns = [name.decode() for name in channels["energy"].attrs["columns"]]
            apart = np.linalg.norm(channels["top"][:] - channels["bottom"][:], axis=1)
            return file["time"][:], apart - 1, channels["energy"][:, columns.index("total")]

    def coordinates(self, *what, **more) -> np.ndarray:
        """[output][node][3], as they were integrated: fields of a reduced body are rebuilt from its modes."""
        nodes = "".join(f"  n{i}: {{type: position, at: {{body: bar, node: {i}}}}}\n" for i in range(NODES))
        with h5py.File(self.file(*what, more=nodes, **more)) as file:
            return np.stack([file[f"channels/n{i}"][:] for i in range(NODES)], axis=1)

    def base(self, formulation: str) -> tuple[np.ndarray, np.ndarray]:
        """Vectors [mode][node][3] and elements [element][node]."""
        with h5py.File(self.folder / f"{formulation}.h5") as file:
            return file["vectors"][:], file["elements"][:].reshape(-1, 8)


def figures_2_and_3(bar: Bar, checks: Checks) -> list[dict]:
    rows = []
    for h in STEPS:
        for eta in ETAS:
            for formulation in FORMULATIONS:
                t, elongation, energy = bar.histories(formulation, h, eta)
                rows.append({"formulation": formulation, "h": h, "eta": eta, "t": t.tolist(),
                             "elongation": elongation.tolist(), "energy": energy.tolist()})  # fmt: skip
    print("elongation over 1 s: TL's largest, largest difference from it in %\n")
    print(f"{'h (s)':>8} {'eta (s)':>8} {'TL (m)':>10} " + " ".join(f"{name:>9}" for name in FORMULATIONS[1:]))
    off = differences(rows)
    for h in STEPS:
        for eta in ETAS:
            largest = next(max(r["elongation"]) for r in rows if (r["formulation"], r["h"], r["eta"]) == ("TL", h, eta))
            print(f"{f'1/{1 / h:g}':>8} {eta:8g} {largest:10.3e} "
                  + " ".join(f"{100 * off[name, h, eta]:8.2f} " for name in FORMULATIONS[1:]))  # fmt: skip
    print()
    for (name, h, eta), value in off.items():
        if eta < 0.05:
            checks.within(f"{name}, h 1/{1 / h:g} s, eta {eta:g} s: off TL's elongation", value, ELONGATION_LIMIT[name])
    return rows


def differences(rows: list[dict]) -> dict[tuple, float]:
    """(formulation, h, eta): largest difference from TL over TL's largest elongation."""
    of = {(r["formulation"], r["h"], r["eta"]): np.array(r["elongation"]) for r in rows}
    return {key: np.abs(x - of["TL", *key[1:]]).max() / np.abs(of["TL", *key[1:]]).max()
            for key, x in of.items() if key[0] != "TL"}  # fmt: skip


def figure_4(bar: Bar, duration: float, checks: Checks) -> tuple[list[dict], dict]:
    rows, curves = [], {}
    print(f"\ntotal energy over {duration:g} s, in mJ above {ENERGY} J\n")
    print(f"{'':>9} {'h (s)':>8} {'lowest':>10} {'highest':>10} {'at the end':>11}")
    for formulation in FORMULATIONS:
        for h in STEPS:
            t, _, energy = bar.histories(formulation, h, duration=duration)
            row = {"formulation": formulation, "h": h, "energy_min": float(energy.min()),
                   "energy_max": float(energy.max()), "energy_end": float(energy[-1])}  # fmt: skip
            low, high, end = (1e3 * (row[f"energy_{k}"] - ENERGY) for k in ("min", "max", "end"))
            print(f"{formulation:>9} {f'1/{1 / h:g}':>8} {low:10.4f} {high:10.4f} {end:11.4f}", flush=True)
            rows.append(row)
            curves[formulation, h] = t, energy
    print()
    for row in rows:
        name = row["formulation"]
        if name in ENERGY_LIMIT:
            off = max(abs(row["energy_min"] - ENERGY), abs(row["energy_max"] - ENERGY)) / ENERGY
            checks.within(f"{name}, h 1/{1 / row['h']:g} s: energy off {ENERGY} J, relative", off, ENERGY_LIMIT[name])
    return rows, curves


def figure_5(bar: Bar, powers: range, finest: int, checks: Checks) -> tuple[list[dict], dict]:
    rows, orders = [], {}
    last = max(powers)
    print(f"\nerror of the coordinates at 1/16 s against h = 2^-{finest} s, over the displacement; order fitted on 2^-10 ..."
          f" 2^-{last}\n")  # fmt: skip
    print(f"{'':>9} {'E (Pa)':>7} " + " ".join(f"{f'2^-{k}':>8}" for k in powers) + f" {'order':>6}")
    for E, eta in (SOFT, STIFF):
        for formulation in FORMULATIONS:
            def end(power, model=(formulation, E, eta)):
                q = bar.coordinates(model[0], 2.0**-power, E=model[1], eta=model[2], duration=1 / 16, output=1 / 16)
                return q[0], q[-1]

            start, reference = end(finest)
            moved = np.linalg.norm(reference - start)
            error = [float(np.linalg.norm(end(k)[1] - reference) / moved) for k in powers]
            fitted = [(k, e) for k, e in zip(powers, error) if k >= 10]
            order = -np.polyfit([k for k, _ in fitted], np.log2([e for _, e in fitted]), 1)[0]
            print(f"{formulation:>9} {E:7.0e} " + " ".join(f"{e:8.1e}" for e in error) + f" {order:6.2f}", flush=True)
            rows.append({"formulation": formulation, "E": E, "eta": eta, "h": [2.0**-k for k in powers], "error": error,
                         "order": float(order)})  # fmt: skip
            if E == SOFT[0]:
                orders[formulation] = float(order)
    print()
    for name in ("TL", "BC"):
        checks.at_least(f"{name}, soft bar: order in the step", orders[name], 1.85)
    return rows, orders


def rotation(q: np.ndarray, Z: np.ndarray, elements: np.ndarray) -> np.ndarray:
    """Polar rotation of the mean deformation gradient of bricks, which is that of their middles."""
    # The middles of opposite sides of a brick, in the order of its nodes (two squares, one above the other).
    sides = [((1, 2, 5, 6), (0, 3, 4, 7)), ((2, 3, 6, 7), (0, 1, 4, 5)), ((4, 5, 6, 7), (0, 1, 2, 3))]

    def edges(x):  # [element][direction][3]
        return np.stack([x[elements[:, a]].mean(1) - x[elements[:, b]].mean(1) for a, b in sides], axis=1)

    was = edges(Z)
    F = np.einsum("e,eki,ekj->ij", np.abs(np.linalg.det(was)), edges(q), np.linalg.inv(was).transpose(0, 2, 1))
    u, _, v = np.linalg.svd(F)
    return u @ v


def equation_58(bar: Bar, duration: float) -> dict[str, float]:
    """Largest distance of what reduced coordinates restore from the coordinates that were integrated, over the largest
    deformation; h = 1/256 s, eta 0."""
    lost = {}
    print("\nwhat reduced coordinates lose (eq. 58), largest over the run:\n")
    for name in ("BC-RO", "BC-MODAL"):
        path = bar.coordinates(name, 1 / 256, duration=duration)
        E, elements = bar.base(name)
        Z = path[0]
        mass = np.zeros(len(Z))  # shares of equal bricks
        np.add.at(mass, elements.ravel(), 1.0)
        E = E.reshape(len(E), -1)
        weights = np.repeat(mass, 3) if name == "BC-MODAL" else np.ones(E.shape[1])
        gram = (E * weights) @ E.T
        off = deformed = 0.0
        for q in path:
            R = rotation(q, Z, elements)
            d = q @ R - Z
            restored = (np.linalg.solve(gram, (E * weights) @ d.ravel()) @ E).reshape(d.shape)
            off = max(off, np.linalg.norm(restored - d, axis=1).max())
            deformed = max(deformed, np.linalg.norm(d - d.mean(0), axis=1).max())
        print(f"{name:>9} {off:.2e} m of a deformation of {deformed:.2e} m")
        lost[name] = float(off)
    return lost


def draw(path: str, runs: list[dict], curves: dict, convergence: list[dict]) -> None:
    picture, axes = figure(2, 3, (17, 9))
    styles = {"TL": "k-", "BC": "C0--", "BC-RO": "C1-.", "BC-MODAL": "C2:"}
    for axis, h, etas in ((axes[0, 0], 1 / 64, (0.0,)), (axes[0, 1], 1 / 256, (0.0,)), (axes[0, 2], 1 / 64, (0.01, 0.05))):
        for run in runs:
            if run["h"] == h and run["eta"] in etas:
                axis.plot(run["t"], run["elongation"], styles[run["formulation"]], lw=0.8 if run["eta"] == 0.05 else 1.6,
                          label=run["formulation"] + (f", eta {run['eta']:g} s" if len(etas) > 1 else ""))  # fmt: skip
        axis.set(xlabel="time (s)", ylabel="elongation (m)", title=f"h = 1/{1 / h:g} s, eta = {' and '.join(map(str, etas))} s")
        axis.legend(fontsize="small", loc="lower right" if len(etas) > 1 else "center")
    for name in FORMULATIONS:
        for h, width in ((1 / 64, 0.6), (1 / 256, 1.4)):
            t, energy = curves[name, h]
            every = max(1, len(t) // 2000)
            axes[1, 0].plot(t[::every], energy[::every], styles[name], lw=width, label=f"{name}, 1/{1 / h:g} s")
            first = t <= 1
            if name != "BC-RO":
                axes[1, 1].plot(t[first], 1e3 * (energy[first] - ENERGY), styles[name], lw=width)
    axes[1, 0].set(xlabel="time (s)", ylabel="total energy (J)", title="energy")
    axes[1, 0].legend(fontsize="small", ncol=2)
    axes[1, 1].set(xlabel="time (s)", ylabel=f"energy less {ENERGY} J (mJ)", title="energy without BC-RO, first second")
    for row in convergence:
        stiff = row["E"] == STIFF[0]
        axes[1, 2].loglog(row["h"], row["error"], styles[row["formulation"]], marker="o" if stiff else "s", ms=4,
                          label=f"{row['formulation']}, {'stiff' if stiff else 'soft'}")  # fmt: skip
    h = np.array(convergence[0]["h"])
    axes[1, 2].loglog(h, convergence[0]["error"][-1] * (h / h[-1]) ** 2 / 3, "0.6", label="order 2")
    axes[1, 2].set(xlabel="step (s)", ylabel="relative error at 1/16 s", title="convergence")
    axes[1, 2].legend(fontsize="small")
    save(picture, path, dpi=80)


def main() -> int:
    parser = argparse.ArgumentParser(description="P2's rotating bar: elongation, energy, order")
    parser.add_argument("--quick", action="store_true", help="energies over 5 s, three steps against h = 2^-14 s")
    add_files(parser)
    options = read_options(parser)
    program = options.program
    checks = Checks()
    with tempfile.TemporaryDirectory() as folder:
        bar = Bar(program, Path(folder))
        runs = figures_2_and_3(bar, checks)
        long, curves = figure_4(bar, 5.0 if options.quick else 100.0, checks)
        convergence, orders = figure_5(bar, *((range(10, 13), 14) if options.quick else (range(7, 14), 16)), checks)
        lost = equation_58(bar, 0.25 if options.quick else 1.0)
    write_json(options.json, {
        "runs": runs,
        "order": orders,
        "convergence": convergence,
        "long": long,
        "off_TL": [{"formulation": f, "h": h, "eta": eta, "relative": x} for (f, h, eta), x in differences(runs).items()],
        "lost_by_equation_58_m": lost,
        "checks": checks.rows,
    })  # fmt: skip
    if options.picture:
        draw(options.picture, runs, curves, convergence)
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
