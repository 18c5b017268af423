"""P1's check of the constraint-based mesh: a falling beam whose elements share nodes, and one of separate elements.

    python3 studies/cbm_pendulum.py [--duration 2] [--json FILE] [--picture FILE]

Eight cable elements of 1 m (radius 0.01 m, 7200 kg/m^3, 2e7 Pa, no damping) lie along x, pinned at the origin, and fall
under gravity 9.81 in -y for 2 s. `connect: nodes` shares the nodes; `connect: constraints` gives every element its own and
joins position and gradient by 6 equations with multipliers (P1's fixed constraint, 42 equations and 3 of the pin).
Newmark without damping (beta 1/4, gamma 1/2), as P1, with a step of 1e-3 s: both meshes are the same equations, so the
paths agree to Newton's tolerance whatever the step.

P1 shows the two tip paths on top of each other (figure 4) and the energies (figure 5), without numbers.
Checks: tip paths within 1e-6 m of each other; energies within 1e-6 of the largest kinetic energy; total energy constant to
1e-3 of the largest kinetic energy.
"""

from __future__ import annotations

import argparse
import sys

import numpy as np

from _common import Checks, cable, energies, figure, import_lithe, save, write_json

lithe = import_lithe()

ELEMENTS, LENGTH, STEP, OUTPUT = 8, 8.0, 1e-3, 0.01
ENERGIES = ["kinetic", "potential", "strain", "total"]


def pendulum(connect: str, duration: float):
    model = cable(lithe, elements=ELEMENTS, length=LENGTH, connect=connect)
    model.treatment = "lagrange" if connect == "constraints" else "eliminate"
    model.analysis = lithe.DynamicAnalysis(
        integrator="newmark", step=STEP, duration=duration, tolerance=1e-9, residual_tolerance=1e-8, output_step=OUTPUT,
        threads=1)  # fmt: skip
    return model.solve()


def draw(path: str, shared, separate) -> None:
    picture, axes = figure(1, 2, (11, 4.5))
    tip, energy = axes[0]
    for k, name in enumerate("xy"):
        tip.plot(shared.time, shared.channels["tip"][:, k], f"C{k}", label=f"{name}, shared nodes")
        tip.plot(separate.time[::5], separate.channels["tip"][::5, k], f"C{k}x", label=f"{name}, constraints")
    tip.set(xlabel="time (s)", ylabel="tip (m)", title="tip (P1, figure 4)")
    tip.legend()
    values = energies(separate)
    for name in ENERGIES:
        energy.plot(separate.time, values[name], label=name)
    energy.set(xlabel="time (s)", ylabel="energy (J)", title="energies, constraint-based mesh (P1, figure 5)")
    energy.legend()
    save(picture, path)


def main() -> int:
    parser = argparse.ArgumentParser(description="P1's falling beam: shared nodes and constraint-based mesh")
    parser.add_argument("--duration", type=float, default=2.0, help="s, a multiple of 0.01")
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--picture", metavar="FILE")
    options = parser.parse_args()
    checks = Checks()

    shared, separate = (pendulum(connect, options.duration) for connect in ("nodes", "constraints"))
    for name, result in (("shared nodes", shared), ("constraints", separate)):
        report = result.report
        print(f"{name:14} {report['unknowns']:4} unknowns, {report['multipliers']:3} multipliers, {report['steps']} steps, "
              f"{report['iterations']} iterations, {report['solver']}")  # fmt: skip
    a, b = energies(shared), energies(separate)
    print(f"\n{'t (s)':>6} {'tip x (m)':>12} {'tip y (m)':>12} {'difference':>11}"
          + "".join(f"{n + ' (J)':>14}" for n in ENERGIES))  # fmt: skip
    for i in np.linspace(0, len(shared.time) - 1, 9).round().astype(int):
        tip, other = shared.channels["tip"][i], separate.channels["tip"][i]
        print(f"{shared.time[i]:6.2f} {tip[0]:12.7f} {tip[1]:12.7f} {np.linalg.norm(tip - other):11.1e}"
              + "".join(f"{a[n][i]:14.6f}" for n in ENERGIES))  # fmt: skip
    print()
    scale = a["kinetic"].max()
    distance = np.linalg.norm(shared.channels["tip"] - separate.channels["tip"], axis=1)
    checks.within("tip paths, largest distance (m)", distance.max(), 1e-6)
    difference, change = max(np.abs(a[n] - b[n]).max() for n in ENERGIES), np.abs(b["total"] - b["total"][0]).max()
    checks.within("energies, largest difference, of the largest kinetic", difference / scale, 1e-6)
    checks.within("total energy, largest change, of the largest kinetic", change / scale, 1e-3)
    write_json(options.json, {
        "t": shared.time.tolist(),
        "tip": separate.channels["tip"].tolist(),
        "tip_shared_nodes": shared.channels["tip"].tolist(),
        "energy": {n: b[n].tolist() for n in ENERGIES},
        "largest_distance_m": float(distance.max()),
        "checks": checks.rows,
    })  # fmt: skip
    if options.picture:
        draw(options.picture, shared, separate)
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
