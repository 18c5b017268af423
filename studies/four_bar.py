"""P4's mechanism of N four-bar loops: one degree of freedom, 2N+1 constraints, singular at every half turn.

    python3 studies/four_bar.py [--loops 1] [--duration 20] [--solvers klu,cholmod] [--json FILE] [--picture FILE]

Points A_0 .. A_N on the ground 1 m apart, B_i 1 m above; thin rods of 1 m and 1 kg join A_i B_i and B_i B_i+1; gravity 9.81
in -y; the points B start with 1 m/s in x. P4's settings: trapezoidal rule with projections, step 1.25e-3 s, 20 s, augmented
Lagrange with penalty 1e8, tangent in every iteration; here with every direct solver, and once more with multipliers. At
every half turn all rods lie on one line and the constraints lose rank: there the mechanism can fold another way, and
constraints that are off by eps let it off by sqrt(eps). Hence Newton's tolerance of 1e-11 (the constraints hold to a
thousandth of it): with 1e-9 some numbers of loops leave the motion, with 1e-7 most. Multipliers bear 1e-7.

The exact motion has one angle phi from the vertical: N+1 cranks turn, N couplers translate,

    T = 1/2 ((N+1)/3 + N) phi'^2,   V = 9.81 ((N+1)/2 + N) cos phi,   phi'' = 9.81 ((N+1)/2 + N) / ((N+1)/3 + N) sin phi

and is integrated here by Taylor series. P4 prints no positions, only times: dense over sparse solvers 1.5 (10 variables)
to 5 (50 variables), CHOLMOD at 85 % of KLU's speed; those are printed beside ours and not checked.

Checks: energy drift at most 5e-5 of the initial energy over 20 s with every augmented solver; motion of all solvers the
same to 1e-5 m; one loop: error against the exact motion of second order in the step, slope within 0.15 of 2.
"""

from __future__ import annotations

import argparse
import math
import sys

import numpy as np

from _common import Checks, energies, figure, import_lithe, save, seconds_per_step, write_json

lithe = import_lithe()

GRAVITY, STEP, PENALTY, TOLERANCE, OUTPUT = 9.81, 1.25e-3, 1e8, 1e-11, 0.1
DENSE = ["lapack_cholesky", "lapack_ldl", "lapack_lu"]
SPARSE = ["cholmod", "cholmod_simplicial", "cholmod_supernodal", "cholmod_ldl", "klu", "umfpack", "superlu", "mumps",
          "eigen_sparselu"]  # fmt: skip
MULTIPLIERS = "klu, multipliers"
DRIFT, SAME, SLOPE = 5e-5, 1e-5, 0.15


def mechanism(loops: int, duration: float, solver: str, step: float = STEP, treatment: str = "augmented",
              tolerance: float = TOLERANCE):  # fmt: skip
    points = [(i, level, 0) for level in (0, 1) for i in range(loops + 1)]
    top = range(loops + 1, 2 * loops + 2)
    bars = [(b - loops - 1, b) for b in top] + [(b, b + 1) for b in top[:-1]]
    model = lithe.Model(name=f"{loops} four-bar loops", treatment=treatment, penalty=PENALTY)
    model.bodies["bars"] = lithe.Linkage(points=points, bars=bars, bar_mass=1, ground=list(range(loops + 1)),
                                         plane=(0, 0, 1), sets={"top": list(top)})  # fmt: skip
    model.initial_velocities["push"] = lithe.InitialVelocity(on="bars.top", velocity=(1, 0, 0))
    model.loads["gravity"] = lithe.Gravity(acceleration=(0, -GRAVITY, 0))
    model.outputs["B0"] = lithe.PositionOutput(at={"body": "bars", "node": loops + 1})
    model.outputs["energy"] = lithe.EnergyOutput()
    model.analysis = lithe.DynamicAnalysis(
        integrator="trapezoidal", duration=duration, step=step, tolerance=tolerance, tangent_policy="every_iteration",
        solver=solver, output_step=min(OUTPUT, duration), threads=1)  # fmt: skip
    return model


def taylor(stiffness: float, duration: float, interval: float, substeps: int, order: int = 24) -> np.ndarray:
    """phi at multiples of the interval, of phi'' = stiffness sin(phi), phi(0) = 0, phi'(0) = 1."""
    h, angle, rate = interval / substeps, 0.0, 1.0
    angles = [angle]
    for _ in range(round(duration / interval)):
        for _ in range(substeps):
            phi, s, c = np.zeros(order + 1), np.zeros(order), np.zeros(order)
            phi[:2], s[0], c[0] = (angle, rate), math.sin(angle), math.cos(angle)
            for n in range(order - 1):
                phi[n + 2] = stiffness * s[n] / ((n + 1) * (n + 2))
                turn = np.arange(1, n + 2) * phi[1 : n + 2]  # coefficients of phi' up to n
                s[n + 1] = turn @ c[n::-1] / (n + 1)
                c[n + 1] = -(turn @ s[n::-1]) / (n + 1)
            angle, rate = np.polyval(phi[::-1], h), np.polyval((np.arange(order + 1) * phi)[:0:-1], h)
        angles.append(angle)
    return np.array(angles)


def exact_path(loops: int, duration: float, checks: Checks) -> np.ndarray:
    """[time][x, y] of B_0 at multiples of the output interval; halving the step shows its accuracy."""
    stiffness = GRAVITY * ((loops + 1) / 2 + loops) / ((loops + 1) / 3 + loops)
    coarse, fine = (taylor(stiffness, duration, OUTPUT, substeps) for substeps in (2, 4))
    checks.within("exact angle: change when its step is halved (rad)", np.abs(fine - coarse).max(), 1e-10)
    return np.stack([np.sin(fine), np.cos(fine)], axis=1)


def run(*arguments, **options) -> dict:
    result = mechanism(*arguments, **options).solve()
    energy = energies(result)
    total = energy["total"]
    report = result.report
    return {
        "t": result.time,
        "path": result.channels["B0"][:, :2],
        "energy": energy,
        "drift": float(np.abs(total - total[0]).max()),
        "us_per_step": 1e6 * seconds_per_step(report),
        "real_time_factor": report["simulated"] / (report["steps"] * seconds_per_step(report)),
        "steps": report["steps"],
        "rejected": report["rejected"],
        "iterations": report["iterations"],
        "solver": report["solver"],
        "message": report["message"],
    }


def convergence(duration: float, checks: Checks) -> dict:
    """One loop: largest distance of B_0 from the exact motion over the step."""
    exact = exact_path(1, duration, checks)
    steps = [STEP, STEP / 2, STEP / 4, STEP / 8]
    errors = []
    print(f"\n{'step (s)':>12} {'largest error (m)':>18} {'slope':>7}")
    for k, step in enumerate(steps):
        one = run(1, duration, "klu", step=step)
        errors.append(float(np.linalg.norm(one["path"] - exact, axis=1).max()))
        slope = math.log2(errors[-2] / errors[-1]) if k else math.nan
        print(f"{step:12.4g} {errors[-1]:18.4g} {slope:7.3f}", flush=True)
    checks.within("one loop: slope of the error over the step", slope, SLOPE, expected=2)
    return {"steps": steps, "errors": errors, "slope": slope}


def draw(path: str, one: dict, exact: np.ndarray, speeds: dict, convergence: dict | None) -> None:
    picture, axes = figure(1, 3, (15, 4.5))
    motion, energy, right = axes[0]
    motion.plot(one["t"], one["path"][:, 0], "C0.", ms=3, label="x")
    motion.plot(one["t"], one["path"][:, 1], "C1.", ms=3, label="y")
    motion.plot(one["t"], exact, "k-", lw=0.4, label="exact")
    motion.set(xlabel="time (s)", ylabel="B_0 (m)", title="motion", ylim=(-1.1, 1.4))
    motion.legend(*(x[:3] for x in motion.get_legend_handles_labels()), loc="upper center", ncol=3)
    for name in ("kinetic", "potential", "total"):
        energy.plot(one["t"], one["energy"][name], label=name)
    energy.set(xlabel="time (s)", ylabel="energy (J)", title="energy", ylim=(None, 2.4 * one["energy"]["total"][0]))
    energy.legend(loc="upper center", ncol=3)
    if convergence:
        right.loglog(convergence["steps"], convergence["errors"], "o-", label="computed")
        first = np.array([convergence["steps"][0], convergence["steps"][-1]])
        right.loglog(first, convergence["errors"][0] * (first / first[0]) ** 2, "k:", label="second order")
        right.set(xlabel="step (s)", ylabel="largest error of B_0 (m)", title="convergence")
        right.legend()
    else:
        right.barh(list(speeds), list(speeds.values()))
        right.invert_yaxis()
        right.set(xlabel="us per step", title="linear solvers", xscale="log")
    save(picture, path)


def main() -> int:
    parser = argparse.ArgumentParser(description="P4's N four-bar loops: exact motion, energy, solvers")
    parser.add_argument("--loops", type=int, default=1, help="1 to 40 and more")
    parser.add_argument("--duration", type=float, default=20.0, help="s, a multiple of 0.1")
    parser.add_argument("--solvers", default=",".join(DENSE + SPARSE), help="linear solvers, with commas; default: all")
    parser.add_argument("--tolerance", type=float, default=TOLERANCE, help="of Newton's corrections")
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--picture", metavar="FILE")
    options = parser.parse_args()
    loops, duration = options.loops, options.duration
    checks = Checks()

    print(f"{loops} loops, {2 * loops + 2} variables, {2 * loops + 1} constraints, {duration:g} s, step {STEP:g} s\n")
    exact = exact_path(loops, duration, checks)
    runs = {}
    print(f"\n{'solver':20} {'us/step':>9} {'x real time':>11} {'iterations/step':>15} {'drift of energy':>15}"
          f" {'off exact (m)':>13}")  # fmt: skip
    for name in [*options.solvers.split(","), MULTIPLIERS]:
        if name == MULTIPLIERS:
            one = run(loops, duration, "klu", treatment="eliminate", tolerance=options.tolerance)
        else:
            one = run(loops, duration, name, tolerance=options.tolerance)
        runs[name] = one
        error = np.linalg.norm(one["path"] - exact, axis=1).max()
        print(f"{name:20} {one['us_per_step']:9.2f} {one['real_time_factor']:11.1f}"
              f" {one['iterations'] / one['steps']:15.2f} {one['drift'] / abs(one['energy']['total'][0]):15.2e}"
              f" {error:13.2e}  {one['message']}", flush=True)  # fmt: skip
    print()
    augmented = {name: one for name, one in runs.items() if name != MULTIPLIERS}
    first = next(iter(augmented.values()))
    initial = abs(first["energy"]["total"][0])
    drift = max(one["drift"] for one in augmented.values())
    spread = max(np.abs(a["path"] - b["path"]).max() for a in augmented.values() for b in augmented.values())
    checks.within("energy drift, largest of the augmented solvers, of 1", drift / initial, DRIFT)
    checks.within("motion of B_0, largest difference of any two solvers (m)", spread, SAME)
    study = convergence(duration, checks) if loops == 1 else None

    speeds = {name: one["us_per_step"] for name, one in runs.items()}
    dense, sparse = ([speeds[n] for n in names if n in speeds] for names in (DENSE, SPARSE))
    print("\nspeed, of this machine now; not checked")
    if dense and sparse:
        print(f"  best dense over best sparse: {min(dense) / min(sparse):.2f}; P4: 1.5 for 10 variables, 5 for 50")
    if "klu" in speeds and "cholmod" in speeds:
        print(f"  CHOLMOD's speed of KLU's: {speeds['klu'] / speeds['cholmod']:.2f}; P4: 0.85")
    fastest = min(augmented, key=lambda name: speeds[name])
    print(f"  fastest: {fastest}, {runs[fastest]['real_time_factor']:.1f} times real time")
    write_json(options.json, {
        "loops": loops,
        "t": first["t"].tolist(),
        "x": first["path"][:, 0].tolist(),
        "y": first["path"][:, 1].tolist(),
        "energy_drift_J": drift,
        "energy_J": initial,
        "us_per_step": speeds,
        "real_time_factor": runs[fastest]["real_time_factor"],
        "fastest": fastest,
        "largest_error_m": float(np.linalg.norm(first["path"] - exact, axis=1).max()),
        "convergence": study,
        "checks": checks.rows,
    })  # fmt: skip
    if options.picture:
        draw(options.picture, first, exact, speeds, study)
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
