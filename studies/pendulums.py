"""P0 section 5.3: wall times of three pendulums by strategy, and how much faster the defaults are than P0's configuration.

    python3 studies/pendulums.py [--case beam|shell|hexa] [--quick] [--strategies E,batched] [--duration 1] [--elements N]
                                 [--assert-speed] [--json FILE] [--picture FILE]

beam   1024 Beam 3243, 1 m, square section of 2.5e-4 m^2, 320 kg/m^3, 1.6e5 Pa, nu 0, held by a spherical joint at one end;
       the nodes start with v_y = -8 x, the gradients at rest
shell  40 x 20 Shell 3443, plate of 0.6 x 0.3 x 0.01 m, 7810 kg/m^3, 1e5 Pa, nu 0.3, one corner of the mid-surface held
hexa   20 x 10 x 1 Hexa 3843, the same plate, one corner of its lower face held
All: damping tau 0.01 s, gravity 9.80665 in -z, HHT with alpha -0.2, steps of 1e-3 s, 1 s, one thread. P0 gives an absolute
tolerance of 1e-5; here every run has that tolerance of Newton's corrections, and the default one of residuals.

Runs: `default` (batched, elimination, tangent kept while it converges, solver by rule); `paper` (preset: strategy E,
multipliers, Eigen's SparseLU, tangent and factorisation once a step); and the other strategies in the paper's
configuration: the columns of figures 16 to 18; `section`: the default elements of beam and shell, in place of P0's, with all
defaults (the hexa is one element). For the beam also 48 elements: mean times of one force and one tangent per
element inside the simulation, as figures 4, 5, 7 and 8. The figures have no numbers in the text; what the text says of them
is printed beside ours and not checked.

Checks: tip paths of all runs within 1e-4 of the path's length of the default's; that of `section` within 1e-3 for the
shell and 2e-2 for the beam, which the swing pulls by 6 %, where one law is linear in the stretch and the other in Green's
strain (the difference falls with 1/E^2). Speed is printed against its targets
(default at least 10 times as fast as paper; beam 5 ms and shell 25 ms a step on a core of 57.8 GFLOP/s, scaled by the peak
measured now) and checked only with --assert-speed. --quick: 0.1 s.
"""

from __future__ import annotations

import argparse
import math
import sys

import numpy as np

from _common import Checks, figure, fma_peak, import_lithe, save, seconds_per_step, write_json

lithe = import_lithe()

STEP, TOLERANCE, OUTPUT = 1e-3, 1e-5, 0.01
STRATEGIES = ["batched", "C", "D", "E", "G", "L"]
PHASES = ["force", "tangent", "assembly", "factorisation", "solve", "other"]
SAME_PATH, SPEEDUP, TARGET_PEAK = 1e-4, 10.0, 57.8
SAME_MOTION = {"beam": 2e-2, "shell": 1e-3}  # of the two formulations
ELEMENTS = {"beam": 1024, "shell": 40, "hexa": 20}  # along the length
TARGET_MS = {"beam": 5.0, "shell": 25.0}
PUBLISHED_FORCES = {"beam": 4.9, "shell": 7.5, "hexa": 7.6}  # force evaluations a tangent
PUBLISHED = {
    "beam": "factorisation takes the largest part for every strategy",
    "shell": "factorisation takes the largest part; G and L take about 1.5 times the total of C, D and E",
    "hexa": "G takes roughly 5 times the total of D and E; force is the largest part of G and L",
}


SECTION = "section"  # formulation of the elements by default


def pendulum(case: str, n: int, duration: float, strategy: str | None):
    """strategy None: all defaults with P0's element; SECTION: the default element too; else P0's configuration with that
    strategy."""
    model = lithe.Model(name=f"{case} pendulum")
    if case == "beam":
        material = lithe.Isotropic(E=1.6e5, density=320, damping=0.01)
        side = math.sqrt(2.5e-4)
        section = lithe.Rectangle(width=side, thickness=side)
        mesh = lithe.LineMesh(from_=(0, 0, 0), to=(1, 0, 0), elements=n)
        model.initial_velocities["swing"] = lithe.InitialVelocity(on="body", velocity=(0, "-8*x", 0),
                                                                  gradient_rates="zero")  # fmt: skip
        tip = {"body": "body", "node": n}
    else:
        material = lithe.Isotropic(E=1e5, nu=0.3, density=7810, damping=0.01)
        length, width, height = (0.6, 0, 0), (0, 0.3, 0), (0, 0, 0.01)
        if case == "shell":
            section, mesh = lithe.Plate(thickness=0.01), lithe.PlateMesh(length=length, width=width, elements=(n, n // 2))
        else:
            section, mesh = None, lithe.BlockMesh(length=length, width=width, height=height, elements=(n, n // 2, 1))
        tip = {"body": "body", "node": (n + 1) * (n // 2 + 1) - 1}
    model.materials["material"] = material
    options = {}
    if section is not None:
        model.sections["section"] = section
        options["section"] = "section"
    kind = {"beam": "beam3243", "shell": "shell3443", "hexa": "hexa3843"}[case]
    if case != "hexa":
        options["formulation"] = "section" if strategy == SECTION else "continuum"
    model.bodies["body"] = lithe.Body(element=kind, material="material", mesh=mesh, **options)
    model.constraints["joint"] = lithe.Fix(at={"body": "body", "node": 0})
    model.loads["gravity"] = lithe.Gravity(acceleration=(0, 0, -9.80665))
    model.outputs["tip"] = lithe.PositionOutput(at=tip)
    settings = {}
    if strategy == "E":
        model.preset = "paper"
    elif strategy not in (None, SECTION):
        model.strategy, model.treatment = strategy, "lagrange"
        settings = {"solver": "eigen_sparselu", "tangent_policy": "every_step"}
    model.analysis = lithe.DynamicAnalysis(
        integrator="hht", alpha=-0.2, step=STEP, duration=duration, tolerance=TOLERANCE,
        output_step=OUTPUT, threads=1, **settings)  # fmt: skip
    return model


def name_of(strategy: str | None) -> str:
    return "default" if strategy is None else "section" if strategy == SECTION else "paper" if strategy == "E" else f"paper, {strategy}"


def run(case: str, n: int, duration: float, strategy: str | None) -> dict:
    result = pendulum(case, n, duration, strategy).solve()
    report = result.report
    # The report has no count of force evaluations: each step begins with one and each iteration ends with one.
    forces, elements = report["iterations"] + report["steps"], report["elements"]
    return {
        "name": name_of(strategy),
        "elements": elements,
        "wall_s": report["seconds"]["total"],
        "ms_per_step": 1e3 * seconds_per_step(report),
        "phases": {name: report["seconds"][name] for name in [*PHASES, "output"]},
        "steps": report["steps"],
        "newton_iterations": report["iterations"],
        "factorisations": report["factorisations"],
        "rejected": report["rejected"],
        "solver": report["solver"],
        "message": report["message"],
        "force_us": 1e6 * report["seconds"]["force"] / (forces * elements),
        "tangent_us": 1e6 * report["seconds"]["tangent"] / (report["factorisations"] * elements),
        "tip": np.column_stack([result.time, result.channels["tip"]]).tolist(),
    }


def distance(a: dict, b: dict) -> float:
    return float(np.linalg.norm(np.array(a["tip"])[:, 1:] - np.array(b["tip"])[:, 1:], axis=1).max())


def path_length(one: dict) -> float:
    return float(np.linalg.norm(np.diff(np.array(one["tip"])[:, 1:], axis=0), axis=1).sum())


def print_phases(case: str, runs: list[dict]) -> None:
    print(f"\nwall time in ms, iterations and tangents a step\n{'run':16}" + "".join(f"{p:>14}" for p in PHASES)
          + f"{'total':>10} {'iterations':>10} {'tangents':>9}")  # fmt: skip
    for one in runs:
        steps = one["steps"]
        print(f"{one['name']:16}" + "".join(f"{1e3 * one['phases'][p] / steps:14.3f}" for p in PHASES)
              + f"{one['ms_per_step']:10.3f} {one['newton_iterations'] / steps:10.2f}"
              f" {one['factorisations'] / steps:9.2f}")  # fmt: skip
    paper = next(one for one in runs if one["name"] == "paper")
    ours = (paper["newton_iterations"] + paper["steps"]) / paper["factorisations"]
    print(f"force evaluations a tangent, paper: P0 {PUBLISHED_FORCES[case]}, here {ours:.1f}")
    print(f"P0: {PUBLISHED[case]}")


def print_element_times(runs: dict[int, list[dict]]) -> None:
    print("\nus an element inside the simulation, paper's configuration (figures 4, 5, 7, 8 of P0)")
    print(f"{'strategy':10}" + "".join(f"{f'force, {n}':>14}{f'tangent, {n}':>16}" for n in runs))
    for k, one in enumerate(next(iter(runs.values()))):
        cells = "".join(f"{rows[k]['force_us']:14.3f}{rows[k]['tangent_us']:16.3f}" for rows in runs.values())
        print(f"{one['name'].removeprefix('paper, ') if one['name'] != 'paper' else 'E':10}{cells}")


def draw(path: str, case: str, runs: list[dict]) -> None:
    picture, axes = figure(1, 2, (12, 4.5))
    bars, tip = axes[0]
    names, left = [one["name"] for one in runs], np.zeros(len(runs))
    for phase in PHASES:
        values = np.array([1e3 * one["phases"][phase] / one["steps"] for one in runs])
        bars.barh(names, values, left=left, label=phase)
        left += values
    bars.invert_yaxis()
    bars.set(xlabel="ms a step, one thread", title=f"{case} pendulum (P0, figure {16 + list(ELEMENTS).index(case)})")
    bars.legend()
    for one, style in zip(runs, ("-", "x")):
        t, *place = np.array(one["tip"]).T
        for k, name in enumerate("xyz"):
            tip.plot(t, place[k], f"C{k}{style}", label=f"{name}, {one['name']}")
    tip.set(xlabel="time (s)", ylabel="tip (m)", title="tip")
    tip.legend()
    save(picture, path)


def study(case: str, options, checks: Checks) -> dict:
    n = options.elements or ELEMENTS[case]
    strategies = [s for s in STRATEGIES if s in options.strategies and s != "E"]
    peak = fma_peak()
    runs = []
    for strategy in [None, "E", *strategies]:
        one = run(case, n, options.duration, strategy)
        runs.append(one)
        print(f"{case}: {one['name']:16} {one['wall_s']:9.2f} s  {one['solver']}. {one['message']}", flush=True)
    default, paper = runs[:2]
    by_section = run(case, n, options.duration, SECTION) if case != "hexa" else None
    print_phases(case, runs + ([by_section] if by_section else []))
    by_size = {}
    if case == "beam":
        small = [run(case, 48, options.duration, strategy) for strategy in ["E", *strategies]]
        by_size = {48: small, n: runs[1:]}
        print_element_times(by_size)
    length, speedup = path_length(default), paper["ms_per_step"] / default["ms_per_step"]
    print(f"\nspeed: default {speedup:.1f} times as fast as paper (target {SPEEDUP:g})")
    scale = TARGET_PEAK / peak if peak else 1.0
    if case in TARGET_MS:
        how = f"scaled to {peak:.1f} GFLOP/s" if peak else "not scaled: no peak measured"
        print(f"speed: default {default['ms_per_step']:.2f} ms a step (target {TARGET_MS[case] * scale:.2f} ms, {how})")
    if n != ELEMENTS[case]:
        print(f"       (targets are for {ELEMENTS[case]} elements along the length, not {n})")
    if by_section:
        ratio = by_section["ms_per_step"] / default["ms_per_step"]
        print(f"speed: formulation section takes {ratio:.2f} times as long as the published element")
    print()
    checks.within(f"{case}: tip paths of default and paper, of {length:.3g} m", distance(default, paper) / length, SAME_PATH)
    for one in runs[2:]:
        checks.within(f"{case}: tip paths of default and {one['name']}", distance(default, one) / length, SAME_PATH)
    if by_section:
        checks.within(f"{case}: tip paths of default and section", distance(default, by_section) / length, SAME_MOTION[case])
    if options.assert_speed:
        checks.at_least(f"{case}: speed of default over paper", speedup, SPEEDUP)
        if case in TARGET_MS:
            checks.within(f"{case}: ms a step", default["ms_per_step"], TARGET_MS[case] * scale)
    if options.picture:
        stem, dot, ending = options.picture.rpartition(".")
        draw(options.picture if len(options.case) == 1 else f"{stem}_{case}{dot}{ending}", case, runs)
    keys = ("name", "force_us", "tangent_us")
    return {
        "case": case,
        "runs": runs,
        "section": by_section,
        "section_path_difference": distance(default, by_section) / length if by_section else None,
        "speedup_default_over_paper": speedup,
        "tip_path_difference": distance(default, paper) / length,
        "tip_path_length_m": length,
        "fma_peak_gflops": peak,
        "element_times": [{"elements": size} | {k: one[k] for k in keys} for size, rows in by_size.items() for one in rows],
    }


def main() -> int:
    parser = argparse.ArgumentParser(description="P0's three pendulums: times by phase and strategy")
    parser.add_argument("--case", choices=list(ELEMENTS), action="append", help="default: all three")
    parser.add_argument("--quick", action="store_true", help="0.1 s instead of 1 s")
    parser.add_argument("--duration", type=float, help="s, a multiple of 0.01; default 1")
    parser.add_argument("--strategies", default=",".join(STRATEGIES), help="with commas; default: all; E always runs")
    parser.add_argument("--elements", type=int, help="along the length; default 1024, 40 and 20")
    parser.add_argument("--assert-speed", action="store_true", help="exit 1 where a speed misses its target")
    parser.add_argument("--json", metavar="FILE", help="one object, or a list of them for several cases")
    parser.add_argument("--picture", metavar="FILE", help="several cases: FILE_beam and so on")
    options = parser.parse_args()
    options.case = options.case or list(ELEMENTS)
    options.duration = options.duration or (0.1 if options.quick else 1.0)
    options.strategies = options.strategies.split(",")
    if unknown := [s for s in options.strategies if s not in STRATEGIES]:
        parser.error(f"--strategies {unknown[0]}: not one of {', '.join(STRATEGIES)}")
    checks = Checks()
    results = [study(case, options, checks) for case in options.case]
    write_json(options.json, results[0] if len(results) == 1 else results)
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
