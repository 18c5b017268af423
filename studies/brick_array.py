"""P2's array of graphite bricks (section 8.3): two bricks that hit each other, and 81 bricks shaken between 40 driven ones.

    python3 studies/brick_array.py --case impact|array [--mesh base|fine] [--formulation BC|BC-RO|rigid] [--seconds S]
                                   [--data FOLDER] [--out FOLDER] [--resume] [--threads N] [--training S]
                                   [--own] [--program build/lithe] [--json FILE] [--picture FILE]

--data holds the Abaqus decks 81array.inp, 81array_4_2.inp (fine), 81fbi.inp, 81fbi_4_2.inp and the measured curves
experiment_*.csv. Results, bases and checkpoints stay in --out; --resume goes on from them. --own takes coarse bricks that are made
here instead, one free one between eight driven ones: nothing is compared with P2 then.

impact: two fuel bricks turned by 45 degrees, their centres .46167 m apart, meet at .15 m/s; .5 s with h = 1e-4 s. Restitution is
the relative velocity at the end over that at the start. P2: BC .85 (base mesh), .91 (fine), rigid 0; BC-RO .82 and .86, whose
bases depend on the motion they were trained on: held between .75 and what BC gives.

array: 61 fuel bricks (FB), 60 interstitial ones (IB) and 100 loose keys (LK), driven along x by .3 g at 3 Hz for 2 s, then at .1 Hz/s
more. v_x of six measured bricks over that of a driven one, largest values in windows of 1 s. BC-RO: 64 modes of POD for each of
FB1, FB2, IB1, IB2 from a BC run of the array, sampled every .02 s for --training seconds; loose keys stay co-rotated.
"""

from __future__ import annotations

import argparse
import csv
import json
import math
import os
import subprocess
import sys
from pathlib import Path

from _common import ROOT, SYSTEM_PYTHON, Checks, add_files, figure, read_options, save, write_json

try:
    import h5py
    import numpy as np
except ImportError:
    if os.path.realpath(sys.executable) == os.path.realpath(SYSTEM_PYTHON):
        raise
    os.execv(SYSTEM_PYTHON, [SYSTEM_PYTHON, *sys.argv])

DECKS = {"array": {"base": "81array.inp", "fine": "81array_4_2.inp"}, "impact": {"base": "81fbi.inp", "fine": "81fbi_4_2.inp"}}
DENSITY = {"FB": 1687.71, "IB": 1637.39, "LK": 1740.0}
STEP, ETA, MODES = 1e-4, 1e-7, 64
CONTACT = "{activation: touching, move_apart: false}"  # P2's points; what bricks overlap, stays
HALF_HEIGHT = 0.4535
SAMPLE, FIELDS = 0.002, 0.02  # s between velocities, between fields
RESTITUTION = {("BC", "base"): 0.85, ("BC", "fine"): 0.91, ("rigid", "base"): 0.0, ("rigid", "fine"): 0.0}
PUBLISHED_RO = {"base": 0.82, "fine": 0.86}
DOFS = {"base": 56112, "fine": 121992}
KINDS = ("FB1", "FB2", "IB1", "IB2")  # of bases; each of the brick (2)(2)
DRIVEN, MEASURED = "FB1(0)(0)", ("FB1(3)(4)", "FB2(1)(2)", "FB2(2)(2)", "FB2(2)(3)", "IB2(1)(0)", "IB2(3)(2)")
# From the centre of a brick: held in z, of driven ones the second in y, the last in x and y; where v_x is read.
HELD = {"FB": ((-0.1, 0.1, 0), (-0.1, -0.1, 0), (0.14, 0, 0)), "IB": ((-0.07, 0.07, 0), (-0.07, -0.07, 0), (0.098, 0, 0)),
        "LK": ((0, 0, 0),)}  # fmt: skip
READ = {"FB": ((0.1, -0.1, 0), (-0.1, -0.1, 0)), "IB": ((0.07, -0.07, 0), (-0.07, -0.07, 0))}
# The way of v = A/w sin(phase), w the rate of the phase: constant for 2 s, then w' = c. By parts again and again, with an error
# of c^4/w^8 of it: 1e-9.
PHASE, RATE, C = "(2*pi*(3*t + 0.05*(t - 2)^2))", "(2*pi*(3 + 0.1*(t - 2)))", "(0.2*pi)"
SWEEP = (f"1/(6*pi)^2 - 8*{C}^2/(6*pi)^6 - cos{PHASE}/{RATE}^2 - 2*{C}*sin{PHASE}/{RATE}^4 + 8*{C}^2*cos{PHASE}/{RATE}^6"
         f" + 48*{C}^3*sin{PHASE}/{RATE}^8")  # fmt: skip
WAY = f"0.3*9.81*(t < 2 ? (1 - cos(6*pi*t))/(6*pi)^2 : {SWEEP})"
# Table 3 (hours of 72 s): time integration, detection, equations of contact, their solution.
PHASES = {"time_integration": ("force", "tangent", "assembly", "factorisation", "solve", "rotation", "constraints", "watch"),
          "contact_detection": ("detection",), "contact_equations": ("contact_operator",), "contact_solution": ("contact",)}  # fmt: skip

HEAD = """
materials:
  FB: {E: 1.18e10, nu: 0.21, density: 1687.71}
  IB: {E: 1.18e10, nu: 0.21, density: 1637.39}
  LK: {E: 1.18e10, nu: 0.21, density: 1740}
contacts: {touch: {between: all, friction: 0.1}}
"""


def centres(deck: Path) -> dict[str, tuple[float, float, float]]:
    """Of the instances of a deck: where their middle axis stands, at half height. Bricks lie around the origin of
    their part; loose keys are moved, then turned about where they were moved to."""
    found, part, middle, at = {}, None, {}, None
    nodes: dict[str, list] = {}
    section = None
    for line in deck.read_text().splitlines():
        words = [word.strip() for word in line.split(",")]
        keyword = words[0].lower()
        if keyword.startswith("*"):
            section = keyword
            options = dict(word.split("=", 1) for word in words[1:] if "=" in word)
            if keyword == "*part":
                part = options["name"]
                nodes[part] = []
            elif keyword == "*instance":
                at = options["name"]
                found[at] = [options["part"], [0.0, 0.0, 0.0], None]
        elif section == "*node" and part and not found:
            nodes[part].append([float(word) for word in words[1:4]])
        elif section == "*instance":
            numbers = [float(word) for word in words if word]
            if len(numbers) == 3:
                found[at][1] = numbers
            elif len(numbers) == 7:
                found[at][2] = numbers
    for name, points in nodes.items():
        middle[name] = (np.min(points, axis=0) + np.max(points, axis=0)) / 2
    result = {}
    for name, (of, moved, turned) in found.items():
        x = middle[of] + moved
        if turned is not None:
            a, b, angle = np.array(turned[:3]), np.array(turned[3:6]), math.radians(turned[6])
            n = (b - a) / np.linalg.norm(b - a)
            d = x - a
            x = a + d * math.cos(angle) + np.cross(n, d) * math.sin(angle) + n * (n @ d) * (1 - math.cos(angle))
        result[name] = tuple(float(c) for c in x)
    return result


def own_deck(case: str) -> str:
    """Octagonal rings of 8 hex8 as fuel bricks, flat sides along x, y and the diagonals, and boxes between them."""
    apothem, inner, gap, pitch = 0.22, 0.13, 0.0022, 0.6529
    half = pitch / 2 - apothem - gap
    ring = [(r * math.cos(a), r * math.sin(a)) for r in (apothem / math.cos(math.pi / 8), inner / math.cos(math.pi / 8))
            for a in (math.pi * (k + 0.5) / 4 for k in range(8))]  # fmt: skip
    box = [(half * x, half * y) for x in (-1, 0, 1) for y in (-1, 0, 1)]
    lines = []
    for name, plane, cells in (
        ("FB", ring, [(8 + k, k, (k + 1) % 8, 8 + (k + 1) % 8) for k in range(8)]),
        ("IB", box, [(3 * i + j, 3 * (i + 1) + j, 3 * (i + 1) + j + 1, 3 * i + j + 1) for i in (0, 1) for j in (0, 1)]),
    ):
        n = len(plane)
        lines += [f"*Part, name={name}", "*Node"]
        lines += [f"{k * n + i + 1}, {x!r}, {y!r}, {2 * HALF_HEIGHT * k!r}" for k in (0, 1) for i, (x, y) in enumerate(plane)]
        lines += ["*Element, type=C3D8"]
        lines += [f"{e + 1}, {', '.join(str(c + k * n + 1) for k in (0, 1) for c in cell)}" for e, cell in enumerate(cells)]
        lines += ["*End Part"]
    if case == "impact":
        places = [("FB1(0)(0)", 0.0, 0.0), ("FB2(0)(0)", 2 * apothem + 0.003, 0.0)]
    else:
        at = [(i, j) for i in (0, 1) for j in (0, 1)]
        places = [(f"FB1({i})({j})", pitch * i, pitch * j) for i, j in at] + [("FB2(0)(0)", pitch / 2, pitch / 2)]
        places += [(f"IB1(0)({j})", pitch / 2, pitch * j) for j in (0, 1)] + [(f"IB2({i})(0)", pitch * i, pitch / 2) for i in (0, 1)]
    lines += ["*Assembly, name=Assembly"]
    for name, x, y in places:
        lines += [f"*Instance, name={name}, part={name[:2]}", f"{x!r}, {y!r}, 0.", "*End Instance"]
    return "\n".join([*lines, "*End Assembly", ""])


def is_driven(name: str, centres: dict) -> bool:
    """On the rim of the array."""
    bricks = [c for brick, c in centres.items() if brick[:2] == "FB"]
    return name[:2] in ("FB", "IB") and any(
        abs(centres[name][k] - edge(c[k] for c in bricks)) < 1e-6 for k in (0, 1) for edge in (min, max))  # fmt: skip


def place(name: str, centre, offset) -> str:
    return f"{{body: {name}, point: [{', '.join(f'{c + o:.12g}' for c, o in zip(centre, offset))}]}}"


class Study:
    def __init__(self, options):
        self.options = options
        self.folder = options.out
        self.folder.mkdir(parents=True, exist_ok=True)
        if options.own:
            self.deck = self.folder / f"own_{options.case}.inp"
            self.deck.write_text(own_deck(options.case))
        else:
            self.deck = options.data / DECKS[options.case][options.mesh]
        if not self.deck.exists():
            sys.exit(f"{self.deck} is missing; --data names the folder of P2's decks and curves")
        self.centres = centres(self.deck)
        self.read = [DRIVEN, *(MEASURED if not options.own else ("FB2(0)(0)",))]

    def call(self, *arguments: str) -> None:
        command = [str(self.options.program), *arguments]
        run = subprocess.run(command, cwd=self.folder, capture_output=True, text=True)
        if run.returncode:
            sys.exit(f"{' '.join(command)} ended with {run.returncode}:\n{run.stdout}{run.stderr}")
        for line in run.stderr.splitlines():
            if line.startswith("warning"):
                print(line)

    def base(self, kind: str) -> Path:
        return self.folder / f"{self.options.mesh}_{kind}.h5"

    def bodies(self, formulation: str) -> str:
        text = "bodies:\n"
        for name in self.centres:
            kinematics = formulation
            if formulation == "BC-RO":
                kinematics = "BC" if name.startswith("LK") else f"BC-RO, base: {self.base(name[:3]).name}"
            mesh = f"{{type: file, path: {self.deck.resolve()}, instance: {name}}}"
            eta = "" if formulation == "rigid" else f", eta: {ETA!r}"
            text += f"  {name}: {{element: hex8, material: {name[:2]}, mesh: {mesh}, kinematics: {kinematics}{eta}}}\n"
        return text

    def analysis(self, seconds: float, threads: int, fields: str = "[position, velocity]", sample: float = SAMPLE,
                 fields_step: float = FIELDS) -> str:  # fmt: skip
        return (f"analysis: {{type: dynamic, duration: {seconds!r}, step: {STEP!r}, output_step: {sample!r}, integrator: half_step,"
                f" threads: {threads}, fields: {fields}, fields_step: {fields_step!r}, contact: {CONTACT}}}\n")  # fmt: skip

    def run(self, name: str, model: str, seconds: float) -> tuple[dict, Path]:
        """Report and result; goes on with what is there where --resume says so."""
        result, report = self.folder / f"{name}.h5", self.folder / f"{name}.json"
        if self.options.resume and result.exists():
            self.call("run", "--resume", result.name, "--set", f"analysis.duration={seconds!r}", "--quiet", "--json", report.name)
        else:
            (self.folder / f"{name}.yaml").write_text(model)
            self.call("run", f"{name}.yaml", "-o", result.name, "--quiet", "--json", report.name, "--checkpoint-every", "0.02")
        return json.loads(report.read_text()), result

    # ---- two bricks ----

    def impact_model(self, formulation: str, threads: int) -> str:
        held, outputs, velocities = "constraints:\n", "outputs:\n", "initial_velocities:\n"
        for name, centre in self.centres.items():
            speed = 0.075 if name.startswith("FB1") else -0.075
            velocities += f"  {name}: {{on: {name}, velocity: [{speed}, 0, 0]}}\n"
            for i, (x, z) in enumerate((x, z) for z in (0.4485, -0.4485) for x in (-0.18485, 0.18485)):
                at = place(name, centre, (x, 0, z))
                held += f"  {name} y{i}: {{type: roller, at: {at}, normal: [0, 1, 0]}}\n"
                if z > 0:
                    held += f"  {name} z{i}: {{type: roller, at: {at}, normal: [0, 0, 1]}}\n"
            outputs += f"  {name}: {{type: velocity, at: {place(name, centre, (0, -0.18485, 0))}}}\n"
        outputs += "  touch: {type: contact, contact: touch}\n"
        return HEAD + self.bodies(formulation) + held + velocities + outputs + self.analysis(0.5, threads, "[]", 1e-3)

    def impact(self) -> dict:
        options = self.options
        trained = None
        if options.formulation == "BC-RO":
            trained = self.training_seconds()
        report, result = self.run(f"impact_{options.mesh}_{options.formulation}", self.impact_model(options.formulation, options.threads),
                                  0.5)  # fmt: skip
        with h5py.File(result) as file:
            t = file["time"][:]
            left, right = (file[f"channels/{name}"][:, 0] for name in ("FB1(0)(0)", "FB2(0)(0)"))
        relative = right - left
        # As P2 has it: what is read at the end. The bricks go on ringing; of whole bodies, the mean of the second half.
        mean = relative[t >= 0.25].mean()
        return {"case": "impact", "mesh": options.mesh, "formulation": options.formulation,
                "restitution": float(-relative[-1] / relative[0]), "restitution_mean": float(-mean / relative[0]),
                "t": t.tolist(), "relative_velocity": relative.tolist(),
                "trained_on": trained, "steps_per_s": report["steps"] / (report["seconds"]["total"] - report["seconds"]["output"])}  # fmt: skip

    # ---- the array ----

    def array_model(self, formulation: str, seconds: float, threads: int, fields_step: float = FIELDS) -> str:
        held, joints, outputs = "constraints:\n", "joints:\n", "outputs:\n  touch: {type: contact, contact: touch}\n"
        for name, centre in self.centres.items():
            kind = name[:2]
            for i, offset in enumerate(HELD[kind]):
                held += f"  {name} z{i}: {{type: roller, at: {place(name, centre, offset)}, normal: [0, 0, 1]}}\n"
            if is_driven(name, self.centres):
                _, second, last = HELD[kind]
                held += f"  {name} y1: {{type: roller, at: {place(name, centre, second)}, normal: [0, 1, 0]}}\n"
                held += f"  {name} y2: {{type: roller, at: {place(name, centre, last)}, normal: [0, 1, 0]}}\n"
                joints += f'  {name}: {{type: motion, at: {place(name, centre, last)}, displacement: ["{WAY}", null, null]}}\n'
        for name in self.read:
            for k, offset in enumerate(READ[name[:2]]):
                outputs += f"  {name} {k}: {{type: velocity, at: {place(name, self.centres[name], offset)}}}\n"
        return HEAD + self.bodies(formulation) + held + joints + outputs + self.analysis(seconds, threads, sample=min(SAMPLE, fields_step), fields_step=fields_step)

    def training_seconds(self) -> float:
        """Makes the bases where they are not there yet, from a BC run of the array; s of motion that they are of."""
        note = self.folder / f"{self.options.mesh}_bases.json"
        kinds = [kind for kind in KINDS if any(name.startswith(kind) for name in self.centres)]
        if all(self.base(kind).exists() for kind in kinds) and note.exists():
            return json.loads(note.read_text())["seconds"]
        seconds = self.options.training
        # P2's samples, or as many as modes that are not rigid where the motion is too short for those.
        every = seconds / (MODES - 6) + 1e-9
        unit = SAMPLE if every > SAMPLE else STEP
        every = min(FIELDS, max(1, math.floor(every / unit)) * unit)
        array = Study(argparse.Namespace(**vars(self.options) | {"case": "array"}))
        _, result = array.run(f"array_{self.options.mesh}_BC", array.array_model("BC", seconds, self.options.threads, every), seconds)
        for kind in [kind for kind in KINDS if any(name.startswith(kind) for name in array.centres)]:
            brick, modes = (f"{kind}(0)(0)", 9) if self.options.own else (f"{kind}(2)(2)", MODES)
            self.call("reduce", "pod", result.name, "--body", brick, "--count", str(modes), "-o", self.base(kind).name)
        note.write_text(json.dumps({"seconds": seconds}))
        return seconds

    def array(self) -> dict:
        options = self.options
        trained = self.training_seconds() if options.formulation == "BC-RO" else None
        name = f"array_{options.mesh}_{options.formulation}"
        report, result = self.run(name, self.array_model(options.formulation, options.seconds, options.threads), options.seconds)
        with h5py.File(result) as file:
            t = file["time"][:]
            vx = {brick: sum(file[f"channels/{brick} {k}"][:, 0] for k in (0, 1)) / 2 for brick in self.read}
            points = file["channels/touch"][:, 0]
            storage = rows_of(file)
        frequency, normalised = in_windows(t, vx)
        seconds = report["seconds"]
        return {"case": "array", "mesh": options.mesh, "formulation": options.formulation, "dofs": int(report["unknowns"]),
                "trained_on": trained, "t": t.tolist(), "vx": {brick: v.tolist() for brick, v in vx.items()}, "frequency": frequency,
                "normalised": normalised, "contacts_mean": float(points.mean()), "contacts_max": float(points.max()),
                "steps_per_s": report["steps"] / (seconds["total"] - seconds["output"]), "threads": options.threads,
                "phases": {stage: sum(seconds.get(key, 0) for key in keys) for stage, keys in PHASES.items()},
                "seconds": seconds, "storage_bytes": storage, "imbalance": report["energy_balance"]["largest_imbalance"]
                / report["energy_balance"]["largest_energy"]}  # fmt: skip


def rows_of(file: h5py.File) -> int:
    """Bytes of the rows of a result; mesh and bases are not counted."""
    total = 0

    def count(path, item):
        nonlocal total
        if isinstance(item, h5py.Dataset) and not path.startswith("mesh") and item.shape:
            total += item.size * item.dtype.itemsize

    file.visititems(count)
    return int(total)


def in_windows(t: np.ndarray, vx: dict[str, np.ndarray]) -> tuple[list[float], dict[str, list[float]]]:
    """Largest |v| in windows of 1 s over that of the driven brick, and the frequency at their middles."""
    frequency, normalised = [], {brick: [] for brick in vx}
    for begin in range(int(t[-1] + 1e-9)):
        inside = (t >= begin - 1e-9) & (t <= begin + 1 + 1e-9)
        frequency.append(3 + 0.1 * max(begin + 0.5 - 2, 0.0))
        driven = np.abs(vx[DRIVEN][inside]).max()
        for brick, v in vx.items():
            normalised[brick].append(float(np.abs(v[inside]).max() / driven))
    return frequency, normalised


def measured(folder: Path, brick: str) -> tuple[np.ndarray, np.ndarray]:
    """Frequency and normalised velocity of a brick in the experiment."""
    path = folder / f"experiment_{brick.replace(')(', '_').replace('(', '_').replace(')', '')}.csv"
    with open(path) as file:
        rows = np.array([[float(x) for x in row[:2]] for row in csv.reader(file) if row])
    return rows[:, 0], rows[:, 1]


def draw(path: str, options, out: dict) -> None:
    if out["case"] == "impact":
        picture, axes = figure(1, 1, (8, 5))
        axes[0, 0].plot(out["t"], out["relative_velocity"])
        axes[0, 0].set(xlabel="time (s)", ylabel="relative velocity (m/s)", title=f"two bricks, {out['formulation']}, {out['mesh']} mesh")
        return save(picture, path, dpi=80)
    bricks = [brick for brick in out["vx"] if brick != DRIVEN]
    picture, axes = figure(2, len(bricks), (4 * len(bricks), 8))
    for k, brick in enumerate(bricks):
        axes[0, k].plot(out["t"], out["vx"][DRIVEN], "0.7", label=DRIVEN)
        axes[0, k].plot(out["t"], out["vx"][brick], "C0", lw=0.8, label=brick)
        axes[0, k].set(xlabel="time (s)", title=f"v_x of {brick} (m/s)")
        if not options.own:
            axes[1, k].plot(*measured(options.data, brick), "k", lw=1, label="measured")
        axes[1, k].plot(out["frequency"], out["normalised"][brick], "C0o-", ms=3, label=f"{out['formulation']}, {out['mesh']}")
        axes[1, k].set(xlabel="frequency (Hz)", title="largest |v_x| in 1 s over the driven one")
        axes[0, k].legend(fontsize="small")
        axes[1, k].legend(fontsize="small")
    save(picture, path, dpi=80)


def check_impact(out: dict, study: Study, checks: Checks) -> None:
    key = (out["formulation"], out["mesh"])
    if study.options.own:
        low, high = (0, 0.01) if key[0] == "rigid" else (0.3, 1)
        checks.within(f"{key[0]}, own bricks: restitution", out["restitution"], (high - low) / 2, (low + high) / 2)
        return
    if key in RESTITUTION:
        checks.within(f"{key[0]}, {key[1]} mesh: restitution", out["restitution"], 0.01, RESTITUTION[key])
        return
    print(f"BC-RO, {key[1]} mesh: restitution {out['restitution']:.3f} (P2: {PUBLISHED_RO[key[1]]}), bases of {out['trained_on']:g} s")
    checks.at_least(f"BC-RO, {key[1]} mesh: restitution", out["restitution"], 0.75)
    checks.within(f"BC-RO, {key[1]} mesh: restitution above that of BC", max(0.0, out["restitution"] - RESTITUTION["BC", key[1]] - 0.01), 1e-12)


def check_array(out: dict, study: Study, checks: Checks) -> None:
    t, v = np.array(out["t"]), np.array(out["vx"][DRIVEN])
    f = 3 + 0.1 * np.maximum(t - 2, 0)
    wanted = 0.3 * 9.81 / (2 * np.pi * f) * np.sin(2 * np.pi * (3 * t + 0.05 * np.maximum(t - 2, 0) ** 2))
    checks.within("driven brick: v_x off what drives it, over the largest", np.abs(v - wanted).max() / np.abs(wanted).max(), 0.1)
    for brick in study.read[1:]:
        largest = np.abs(out["vx"][brick]).max() / np.abs(v).max()
        checks.at_least(f"{brick}: largest |v_x| over that of the driven one", largest, 0.5)


def main() -> int:
    parser = argparse.ArgumentParser(description="P2's brick array: two bricks that meet, 81 that are shaken")
    parser.add_argument("--case", choices=("impact", "array"), required=True)
    parser.add_argument("--mesh", choices=("base", "fine"), default="base")
    parser.add_argument("--formulation", choices=("BC", "BC-RO", "rigid"), default="BC")
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--training", type=float, default=0.5, help="s of the BC run that bases are made of")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data" / "brick_array")
    parser.add_argument("--out", type=Path, default=ROOT / "out" / "brick_array")
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--own", action="store_true", help="coarse bricks made here, nothing of --data")
    add_files(parser)
    options = read_options(parser)
    options.out = options.out.resolve()
    study, checks = Study(options), Checks()
    out = study.impact() if options.case == "impact" else study.array()
    (check_impact if options.case == "impact" else check_array)(out, study, checks)
    out["checks"] = checks.rows
    write_json(options.json, out)
    if options.picture:
        draw(options.picture, options, out)
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
