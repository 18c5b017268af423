"""P1's 3-D pendulum: a soft cable of 1 m, pinned, under gravity and 1 N across at its tip, against an independent solution.

    python3 studies/cable_pendulum.py [--elements 40] [--reference CSV] [--json FILE] [--picture FILE]

Rod of 1 m along x at rest (radius 0.01 m, 7200 kg/m^3, 2e7 Pa, no damping), pinned at the origin; gravity 9.81 in -y and a
dead force of 1 N in z at the tip act from t = 0; 2 s with steps of 1e-4 s. P1 prints a second moment of 7.85e-10 m^4, a
tenth of pi r^4/4: the formula is used. P1 shows ten cable elements on top of ABAQUS and FEAP (figures 8 to 10), without
numbers. The numbers below come from a code that shares nothing with this one: the same continuum (Green's axial strain,
curvature, no shear, no rotary inertia) by B-splines and explicit Runge-Kutta, refined in space and time. The whole path can
be given as a CSV (columns t, x, y, z) by --reference or the variable LITHE_CABLE_REFERENCE.

Newmark without damping (beta 1/4, gamma 1/2): the continuum has none, axial waves (52.7 m/s) that the sudden loads set off
take 0.5 ms through one of 40 elements and are resolved, and the energy shows what the scheme loses. Generalized-alpha with
a spectral radius of 0.9 is run beside it: were high modes at work, it would go elsewhere.

A force that is suddenly there at one point sets off bending modes of every frequency w, with amplitudes as 1/w^2; the scheme
turns their phase by w^3 h^2 t / 12, so that the fast ones are never resolved and the error goes with h to a power between 1
and 2. A mesh of 8 elements has no such modes: there the order must be 2.

Checks: tip within 2e-3 m of the reference until 1 s (40 elements and more: 1e-4 m); 8 elements: order 2 in the step (0.3);
energy and work of the tip force in balance to 1e-4 J.
"""

from __future__ import annotations

import argparse
import math
import os
import sys

import numpy as np

from _common import Checks, cable, energies, figure, import_lithe, save, write_json

lithe = import_lithe()

STEP, OUTPUT = 1e-4, 0.01
REFERENCE = np.array([  # t, x, y, z
    (0.25, 0.8789818, -0.2887400, 0.0923214),
    (0.50, -0.2121070, -0.9425106, 0.0519759),
    (0.75, -0.8552649, -0.4131056, 0.1183761),
    (1.00, -0.9532330, 0.0586597, 0.0546308),
    (1.50, 0.4972735, -0.6626629, 0.0587221),
    (2.00, 0.6928894, -0.4193120, 0.1303482),
])  # fmt: skip
CHECKED_UNTIL = 1.0


def pendulum(elements: int, step: float, duration: float, **scheme):
    model = cable(lithe, elements=elements, length=1.0)
    model.loads["push"] = lithe.PointForce(at="cable.end", force=(0, 0, 1))
    scheme = scheme or {"integrator": "newmark"}
    model.analysis = lithe.DynamicAnalysis(step=step, duration=duration, tolerance=1e-8, residual_tolerance=1e-7,
                                           output_step=OUTPUT, threads=1, **scheme)  # fmt: skip
    return model.solve()


def largest(a: np.ndarray, b: np.ndarray) -> float:
    return float(np.linalg.norm(a - b, axis=1).max())


def read_reference(path: str | None) -> np.ndarray:
    if path is None:
        return REFERENCE
    table = np.genfromtxt(path, delimiter=",", names=True)
    return np.stack([table[name] for name in "txyz"], axis=1)


def off(result, reference: np.ndarray, until: float) -> float:
    """Largest distance from the reference up to a time."""
    rows = reference[reference[:, 0] <= min(until, result.time[-1]) + 1e-9]
    places = result.channels["tip"][np.rint(rows[:, 0] / OUTPUT).astype(int)]
    return largest(places, rows[:, 1:])


def refinement(name: str, sizes: list, results: list, reference: np.ndarray) -> tuple[float, float]:
    """Prints three runs, each twice as fine as the one before. Returns the order that their distances until 1 s show,
    and Richardson's estimate of the error of the last."""
    until = int(round(CHECKED_UNTIL / OUTPUT)) + 1
    paths = [r.channels["tip"][:until] for r in results]
    steps = [largest(a, b) for a, b in zip(paths, paths[1:])]
    order = math.log2(steps[0] / steps[1])
    print(f"\n{name:>10} {'change until 1 s (m)':>21} {'off reference until 1 s':>24} {'until 2 s':>11} {'order':>7}")
    for k, (size, result) in enumerate(zip(sizes, results)):
        change = f"{steps[k - 1]:21.2e}" if k else f"{'':21}"
        seen = f"{order:7.2f}" if k == 2 else ""
        print(f"{size:>10} {change} {off(result, reference, CHECKED_UNTIL):24.2e} {off(result, reference, 2):11.2e} {seen}")
    estimate = steps[1] / (2**order - 1)
    print(f"{'':10} estimated error of the last: {estimate:.1e} m")
    return order, estimate


def draw(path: str, result, ten, reference: np.ndarray) -> None:
    picture, axes = figure(1, 4, (18, 4.2))
    for k, name in enumerate("xyz"):
        axis = axes[0, k]
        axis.plot(result.time, result.channels["tip"][:, k] - (k == 0), "C0", label="finest mesh")
        axis.plot(ten.time, ten.channels["tip"][:, k] - (k == 0), "C1--", label="coarsest mesh")
        some = reference[:: max(1, len(reference) // 25)]
        axis.plot(some[:, 0], some[:, k + 1] - (k == 0), "kx", label="reference")
        axis.set(xlabel="time (s)", ylabel=f"{name} displacement of the tip (m)", title=f"P1, figure {8 + k}")
        axis.legend()
    for name in ("kinetic", "potential", "strain", "total"):
        axes[0, 3].plot(result.time, energies(result)[name], label=name)
    axes[0, 3].plot(result.time, result.channels["tip"][:, 2], "k:", label="work of the tip force")
    axes[0, 3].set(xlabel="time (s)", ylabel="energy (J)", title="energies")
    axes[0, 3].legend()
    save(picture, path)


def main() -> int:
    parser = argparse.ArgumentParser(description="P1's 3-D cable pendulum against an independent solution")
    parser.add_argument("--elements", type=int, default=40, help="of the finest mesh, a multiple of 4")
    parser.add_argument("--duration", type=float, default=2.0, help="s, at least 1")
    parser.add_argument("--reference", metavar="CSV", default=os.environ.get("LITHE_CABLE_REFERENCE"))
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--picture", metavar="FILE")
    options = parser.parse_args()
    n, duration = options.elements, options.duration
    if n < 4 or n % 4:
        parser.error(f"--elements {n}: must be a multiple of 4")
    if duration < CHECKED_UNTIL:
        parser.error(f"--duration {duration:g}: the checks need at least {CHECKED_UNTIL:g}")
    checks = Checks()
    reference = read_reference(options.reference)

    meshes = [n // 4, n // 2, n]
    by_mesh = [pendulum(m, STEP, duration) for m in meshes]
    result = by_mesh[-1]
    steps = [4 * STEP, 2 * STEP, STEP]
    by_step = [pendulum(n, h, duration) for h in steps[:2]] + [result]
    damped = pendulum(n, STEP, duration, integrator="generalized_alpha", spectral_radius=0.9)
    tip = result.channels["tip"]

    print(f"{'t (s)':>6} {'reference x':>12} {'y':>10} {'z':>10} {f'{n} elements x':>16} {'y':>10} {'z':>10} {'off (m)':>9}")
    for t, *place in REFERENCE[REFERENCE[:, 0] <= duration + 1e-9]:
        here = tip[round(t / OUTPUT)]
        print(f"{t:6.2f} {place[0]:12.6f} {place[1]:10.6f} {place[2]:10.6f} {here[0]:16.6f} {here[1]:10.6f} {here[2]:10.6f}"
              f" {np.linalg.norm(here - place):9.1e}")  # fmt: skip
    _, of_mesh = refinement("elements", meshes, by_mesh, reference)
    _, of_step = refinement("step (s)", [f"{h:.1e}" for h in steps], by_step, reference)
    halves = [STEP, STEP / 2, STEP / 4]
    coarse = [pendulum(8, h, CHECKED_UNTIL) for h in halves]
    print("\n8 elements:", end="")
    order, _ = refinement("step (s)", [f"{h:.1e}" for h in halves], coarse, reference)
    print(f"\nestimated error of {n} elements and a step of {STEP:g} s until 1 s: {of_mesh:.1e} m of the mesh, "
          f"{of_step:.1e} m of the step\ngeneralized-alpha with spectral radius 0.9: "
          f"{largest(tip, damped.channels['tip']):.1e} m away over the run\n")  # fmt: skip
    energy = energies(result)
    energy["work"] = tip[:, 2]  # of 1 N in z
    balance = energy["total"] - energy["total"][0] - energy["work"]
    distance = off(result, reference, CHECKED_UNTIL)
    checks.within("tip, largest distance from the reference until 1 s (m)", distance, 1e-4 if n >= 40 else 2e-3)
    checks.within("8 elements: order of the error in the step", order, 0.3, expected=2)
    checks.within("energy less work of the tip force, largest change (J)", np.abs(balance).max(), 1e-4)
    write_json(options.json, {
        "t": result.time.tolist(),
        "tip": tip.tolist(),
        "energy": {name: energy[name].tolist() for name in ("kinetic", "potential", "strain", "total", "work")},
        "elements": n,
        "off_reference_until_1s_m": distance,
        "off_reference_until_2s_m": off(result, reference, 2),
        "estimated_error_m": {"mesh": of_mesh, "step": of_step},
        "checks": checks.rows,
    })  # fmt: skip
    if options.picture:
        draw(options.picture, result, by_mesh[0], reference)
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
