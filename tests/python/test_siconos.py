"""Contact problems of `lithe bench contact` against Siconos, where that is installed (python3-siconos).

Neither impulses nor, where redundant points slide, velocities need be unique (docs/theory/contact_solvers.md). So both results are
judged by the law itself, in extended precision; and where their velocities differ, Siconos must stay with Lithe's result as it stays
with its own.

    python3 tests/python/test_siconos.py FOLDER     compares every problem that `lithe bench contact --save FOLDER` wrote
"""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

h5py = pytest.importorskip("h5py")
numerics = pytest.importorskip("siconos.numerics", reason="Siconos is not installed (python3-siconos)")
LITHE = os.environ.get("LITHE", "build/lithe")
# Siconos' solvers in the order in which they are tried, with their iterations.
SOLVERS = (("NSGS", 20000), ("NSN_AC", 500), ("ADMM", 20000))
LEFT, SAME = 1e-9, 1e-6  # of the largest free velocity: what a solution leaves, how near two of them are


def read(path: Path):
    with h5py.File(path, "r") as file:
        W, vectors = file["fclib_local/W"], file["fclib_local/vectors"]
        n = int(W["n"][0])
        dense = np.zeros((n, n))
        start, column, value = W["p"][:].astype(int), W["i"][:].astype(int), W["x"][:]
        for row in range(n):
            dense[row, column[start[row] : start[row + 1]]] = value[start[row] : start[row + 1]]
        return dense, vectors["q"][:], vectors["mu"][:], file["solution/r"][:]


def velocities(W: np.ndarray, q: np.ndarray, R: np.ndarray) -> np.ndarray:
    """W R + q, in extended precision."""
    return W.astype(np.longdouble) @ R.astype(np.longdouble) + q


def residual(W: np.ndarray, q: np.ndarray, mu: np.ndarray, R: np.ndarray) -> float:
    """The largest w |R - P(R - (U + mu |U_T| n) / w)| over the largest free velocity: Lithe's own measure, in extended precision."""
    U, R, worst = velocities(W, q, R), R.astype(np.longdouble), 0.0
    for k, m in enumerate(mu.astype(np.longdouble)):
        w = np.linalg.eigvalsh(W[3 * k : 3 * k + 3, 3 * k : 3 * k + 3])[-1]
        r, u = w * R[3 * k : 3 * k + 3], U[3 * k : 3 * k + 3].copy()
        u[0] += m * np.hypot(u[1], u[2])
        x = r - u
        t = np.hypot(x[1], x[2])
        if t <= m * x[0]:
            p = x
        elif m * t <= -x[0]:
            p = 0 * x
        else:
            p = (x[0] + m * t) / (1 + m**2) * np.array([1, m * x[1] / t, m * x[2] / t])
        worst = max(worst, float(np.hypot(np.hypot(*(r - p)[:2]), (r - p)[2])))
    return worst / np.abs(q).max()


def siconos(W: np.ndarray, q: np.ndarray, mu: np.ndarray, name: str, iterations: int, guess: np.ndarray) -> np.ndarray:
    problem = numerics.FrictionContactProblem(3, len(mu), W.copy(), q.copy(), mu.copy())
    options = numerics.SolverOptions(getattr(numerics, "SICONOS_FRICTION_3D_" + name))
    options.dparam[numerics.SICONOS_DPARAM_TOL] = 1e-12
    options.iparam[numerics.SICONOS_IPARAM_MAX_ITER] = iterations
    R, U = guess.copy(), np.zeros(len(q))
    numerics.fc3d_driver(problem, R, U, options)
    return R


def solve(W: np.ndarray, q: np.ndarray, mu: np.ndarray):
    """(impulses, residual, solver) of the one that gets nearest."""
    best = None
    for name, iterations in SOLVERS:
        R = siconos(W, q, mu, name, iterations, np.zeros(len(q)))
        left = residual(W, q, mu, R)
        if np.isfinite(left) and (best is None or left < best[1]):
            best = (R, left, name)
        if best is not None and best[1] < 1e-11:
            break
    return best


def apart(W: np.ndarray, q: np.ndarray, one: np.ndarray, other: np.ndarray) -> float:
    return float(np.abs(velocities(W, q, one) - velocities(W, q, other)).max() / np.abs(q).max())


def redundancy(W: np.ndarray, R: np.ndarray) -> float:
    """Of the rows of normal velocities of the points that press: the least singular value over the largest."""
    rows = [3 * k for k in range(len(R) // 3) if R[3 * k] > 0]
    values = np.linalg.svd(W[rows], compute_uv=False)
    return float(values[-1] / values[0])


def test_both_obey_the_law(tmp_path):
    result = subprocess.run([LITHE, "bench", "contact", "--quick", "--seconds", "0", "--save", str(tmp_path)], capture_output=True, text=True, timeout=600)
    assert result.returncode == 0, result.stdout + result.stderr
    files = sorted(tmp_path.glob("*.hdf5"))
    assert len(files) == 9
    agreed = 0
    for file in files:
        W, q, mu, ours = read(file)
        theirs, left, name = solve(W, q, mu)
        assert residual(W, q, mu, ours) < LEFT, file.name
        if left >= LEFT:  # not solved by Siconos
            continue
        if apart(W, q, ours, theirs) < SAME:
            agreed += 1
            continue
        # Two solutions. They differ for want of a law that says which of the redundant points bears how much, not from program to
        # program: Siconos' own Gauss-Seidel stays with whichever it begins at.
        assert redundancy(W, theirs) < 1e-8, file.name
        for solution in (ours, theirs):
            again = siconos(W, q, mu, "NSGS", 1000, solution)
            assert residual(W, q, mu, again) < LEFT, file.name
            assert apart(W, q, again, solution) < SAME, file.name
    assert agreed >= 6


def test_a_plate_that_slides_and_turns():
    """Four points in a plane, exact in binary numbers: opposite corners bear it, either pair; both are solutions to rounding, and their
    velocities differ by a twentieth."""
    H = []
    for x in (-0.25, 0.25):
        for y in (-0.5, 0.5):
            H += [[0, 0, 1, y, -x, 0], [1, 0, 0, 0, 0, -y], [0, 1, 0, 0, 0, x]]
    H = np.array(H, dtype=float)
    W, q, mu = H @ np.diag([1, 1, 1, 8, 8, 8]) @ H.T, H @ np.array([1, 0, -1, 0, 0, 2.0]), np.full(4, 0.25)
    found = []
    for pair in ((0, 3), (1, 2)):
        guess = np.zeros(12)
        guess[[3 * k for k in pair]] = 0.5
        found.append(siconos(W, q, mu, "NSGS", 1000, guess))
        assert residual(W, q, mu, found[-1]) < 1e-12
    assert apart(W, q, *found) > 0.05


if __name__ == "__main__":
    for file in sorted(Path(sys.argv[1]).glob("*.hdf5")):
        with h5py.File(file, "r") as problem:
            if "solution" not in problem:
                print(f"{file.stem:28} not solved by lithe")
                continue
        W, q, mu, ours = read(file)
        theirs, left, name = solve(W, q, mu)
        print(f"{file.stem:28} {len(mu):5} contacts: velocities differ by {apart(W, q, ours, theirs):.1e}; left: lithe "
              f"{residual(W, q, mu, ours):.1e}, {name} {left:.1e}; redundancy {redundancy(W, ours):.0e}", flush=True)  # fmt: skip
