"""P1's forest: many pinned beams that do not touch, on one thread and on all.

    python3 studies/forest.py [--beams 1000,10000,100000] [--device cpu] [--threads 1,all] [--connect nodes|constraints]
                              [--steps 200] [--no-times] [--json FILE] [--picture FILE]

Each beam is 3 m long, four cable elements of radius 0.01 m (7200 kg/m^3, 2e7 Pa), lies along x, is pinned at one end and
falls under gravity 9.81 in -z, by Newmark without damping with steps of 1e-5 s. Beams stand 0.1 m apart in a square and
know nothing of each other: all are one body of given nodes. `connect: constraints` is P1's constraint-based mesh: elements
with nodes of their own, joined by multipliers.

P1 shows the time over the number of beams, to hundreds of thousands, of one core of a Xeon E5520 (figure 6) and of a Tesla
C2070, about 250 times faster (figure 7), without numbers. A time of a step here is wall time of the whole run but its
output over its steps; the first matrix and its factors are in it. The exponent is that of time over beams between the two
largest forests.
Checks: tips of ten beams of every forest within 1e-9 m of one beam alone on one thread; exponent at most 1.05 between
forests of 10,000 beams and more (smaller ones live in the caches), unless --no-times.
"""

from __future__ import annotations

import argparse
import math
import os
import subprocess
import sys

import numpy as np

from _common import ROOT, Checks, figure, import_lithe, save, seconds_per_step, write_json
from _net.program import machine

lithe = import_lithe()

ELEMENTS, LENGTH, APART, STEP, OUTPUTS = 4, 3.0, 0.1, 1e-5, 10
NODES = ELEMENTS + 1
LARGE = 10_000  # beams that no cache holds


def numbers(text: str) -> list[int]:
    return [int(word) for word in text.split(",")]


def places(beams: int) -> np.ndarray:
    """Where each beam is pinned."""
    side = math.isqrt(beams - 1) + 1
    k = np.arange(beams)
    return APART * np.stack([k % side, k // side, np.zeros(beams)], axis=1)


def forest(beams: int, connect: str, threads: int, steps: int):
    """The model, and the numbers of ten of its beams (or fewer)."""
    nodes = np.zeros((beams, NODES, 2, 3))  # r, r_x
    nodes[:, :, 0] = places(beams)[:, None]
    nodes[:, :, 0, 0] += np.linspace(0, LENGTH, NODES)
    nodes[:, :, 1, 0] = 1
    first = NODES * np.arange(beams)
    elements = first[:, None, None] + np.arange(ELEMENTS)[:, None] + np.arange(2)
    watched = np.unique(np.linspace(0, beams - 1, min(10, beams)).round().astype(int))

    model = lithe.Model(name="forest")
    model.materials["rubber"] = lithe.Isotropic(E=2e7, density=7200)
    model.sections["round"] = lithe.Circle(radius=0.01)
    mesh = lithe.NodeMesh(nodes=nodes.reshape(-1, 6), elements=elements.reshape(-1, 2), size=[(LENGTH / ELEMENTS, 0, 0)],
                          sets={"start": first})  # fmt: skip
    model.bodies["forest"] = lithe.Body(element="cable", material="rubber", section="round", mesh=mesh, connect=connect)
    model.treatment = "lagrange" if connect == "constraints" else "eliminate"
    model.constraints["pins"] = lithe.Fix(at="forest.start")
    model.loads["gravity"] = lithe.Gravity(acceleration=(0, 0, -9.81))
    for k in watched:
        model.outputs[f"tip{k}"] = lithe.PositionOutput(at={"body": "forest", "node": int(first[k]) + ELEMENTS})
    duration = steps * STEP
    model.analysis = lithe.DynamicAnalysis(
        integrator="newmark", step=STEP, duration=duration, output_step=duration / OUTPUTS, fields_every=steps, threads=threads)  # fmt: skip
    return model, watched


def tips(result, watched, beams: int) -> np.ndarray:
    """[beam][time] displacements from where the beams are pinned."""
    base = places(beams)
    return np.array([result.channels[f"tip{k}"] - base[k] for k in watched])


def threads_of(words: str) -> list[int]:
    every = len(os.sched_getaffinity(0))
    return sorted({every if word == "all" else int(word) for word in words.split(",")})


def exponent(rows: list[dict]) -> float | None:
    """Of time over beams between the two largest forests."""
    if len(rows) < 2:
        return None
    a, b = sorted(rows, key=lambda row: row["beams"])[-2:]
    return math.log(b["ms_per_step"] / a["ms_per_step"]) / math.log(b["beams"] / a["beams"])


def commit() -> str | None:
    try:
        return subprocess.run(["git", "-C", ROOT, "rev-parse", "--short", "HEAD"], capture_output=True, text=True,
                              check=True).stdout.strip()  # fmt: skip
    except (OSError, subprocess.CalledProcessError):
        return None


def draw(path: str, series: dict) -> None:
    picture, ((axes,),) = figure(1, 1, (6, 4.5))
    for threads, rows in series.items():
        axes.loglog([row["beams"] for row in rows], [row["ms_per_step"] for row in rows], "o-",
                    label=f"{threads} {'thread' if threads == 1 else 'threads'}")  # fmt: skip
    axes.set(xlabel="beams of four elements", ylabel="ms a step", title="P1's forest (figures 6 and 7)")
    axes.legend()
    save(picture, path)


def main() -> int:
    parser = argparse.ArgumentParser(description="P1's forest of pinned beams")
    parser.add_argument("--beams", type=numbers, default=[1000, 10_000, 100_000], metavar="N,N,...")
    parser.add_argument("--device", default="cpu", metavar="cpu")
    parser.add_argument("--threads", default="1,all", metavar="N,all")
    parser.add_argument("--connect", choices=["nodes", "constraints"], default="nodes")
    parser.add_argument("--steps", type=int, default=200, help=f"a multiple of {OUTPUTS}")
    parser.add_argument("--no-times", action="store_true", help="print times, judge motions alone")
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--picture", metavar="FILE")
    options = parser.parse_args()
    for device in options.device.split(","):
        if device == "cuda":
            parser.error("--device cuda: time steps do not run on a GPU yet; use --device cpu")
        if device != "cpu":
            parser.error(f"--device {device}: there is only cpu")
    if min(options.beams) < 1 or options.steps < 1 or options.steps % OUTPUTS:
        parser.error(f"--beams and --steps: numbers from 1 on, steps a multiple of {OUTPUTS}")
    checks, rows = Checks(), []
    alone_model, alone_watched = forest(1, options.connect, 1, options.steps)
    alone = tips(alone_model.solve(), alone_watched, 1)[0]

    print(f"{'beams':>8} {'elements':>9} {'unknowns':>9} {'threads':>7} {'compile (s)':>11} {'ms a step':>10} "
          f"{'us a beam':>9} {'Newton':>6}  solver")  # fmt: skip
    distance = {}
    for threads in threads_of(options.threads):
        for beams in sorted(options.beams):
            model, watched = forest(beams, options.connect, threads, options.steps)
            result = model.solve()
            report = result.report
            row = {"beams": beams, "elements": report["elements"], "unknowns": report["unknowns"] + report["multipliers"],
                   "device": "cpu", "threads": threads, "connect": options.connect, "steps": report["steps"],
                   "ms_per_step": 1e3 * seconds_per_step(report), "newton_iterations": report["iterations"],
                   "device_bytes": 0, "compile_s": report["seconds"]["compile"], "solver": report["solver"],
                   "seconds": report["seconds"]}  # fmt: skip
            rows.append(row)
            print(f"{beams:8} {row['elements']:9} {row['unknowns']:9} {threads:7} {row['compile_s']:11.2f} "
                  f"{row['ms_per_step']:10.3f} {1e3 * row['ms_per_step'] / beams:9.3f} {row['newton_iterations']:6}  "
                  f"{row['solver']}", flush=True)  # fmt: skip
            distance[threads, beams] = float(np.abs(tips(result, watched, beams) - alone).max())
    print()
    for (threads, beams), value in distance.items():
        checks.within(f"{beams} beams, threads {threads}: tips from one alone (m)", value, 1e-9)
    series = {threads: [row for row in rows if row["threads"] == threads] for threads in sorted({t for t, _ in distance})}
    exponents = {}
    for threads, own in series.items():
        exponents[threads] = exponent(own)
        if exponents[threads] is None:
            continue
        name = f"threads {threads}: exponent of the largest two forests"
        if options.no_times or sorted(options.beams)[-2] < LARGE:
            print(f"       {name:58} {exponents[threads]:12.6g}   not judged")
        else:
            checks.within(name, exponents[threads], 1.05)
    ratios = {}
    for threads, own in list(series.items())[1:]:
        base = next(iter(series.values()))
        for a, b in zip(base, own):
            ratios[f"{b['beams']} beams: {a['threads']} over {threads} threads"] = a["ms_per_step"] / b["ms_per_step"]
    for name, ratio in ratios.items():
        print(f"       {name:58} {ratio:12.3g}")
    told = machine() | {"gpu": None, "driver": None, "commit": commit(), "version": lithe.__version__}
    write_json(options.json, {"machine": told, "rows": rows, "exponents": exponents, "ratios": ratios, "checks": checks.rows})
    if options.picture:
        draw(options.picture, series)
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
