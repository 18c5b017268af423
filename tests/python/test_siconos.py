"""Contact problems of `lithe bench contact` against Siconos, where that is installed (python3-siconos): velocities, since impulses need
not be unique.

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


def read(path: Path):
    with h5py.File(path, "r") as file:
        W, vectors = file["fclib_local/W"], file["fclib_local/vectors"]
        n = int(W["n"][0])
        dense = np.zeros((n, n))
        start, column, value = W["p"][:].astype(int), W["i"][:].astype(int), W["x"][:]
        for row in range(n):
            dense[row, column[start[row] : start[row + 1]]] = value[start[row] : start[row + 1]]
        return dense, vectors["q"][:], vectors["mu"][:], file["solution/r"][:], file["solution/u"][:]


def natural_map(W: np.ndarray, mu: np.ndarray, R: np.ndarray, U: np.ndarray) -> float:
    """The largest w |R - P(R - (U + mu |U_T| n) / w)|, Lithe's own measure."""
    worst = 0.0
    for k in range(len(mu)):
        w = np.linalg.eigvalsh(W[3 * k : 3 * k + 3, 3 * k : 3 * k + 3])[-1]
        r, u = w * R[3 * k : 3 * k + 3], U[3 * k : 3 * k + 3].copy()
        u[0] += mu[k] * np.hypot(u[1], u[2])
        x = r - u
        t = np.hypot(x[1], x[2])
        if t <= mu[k] * x[0]:
            p = x
        elif mu[k] * t <= -x[0]:
            p = np.zeros(3)
        else:
            p = (x[0] + mu[k] * t) / (1 + mu[k] ** 2) * np.array([1, mu[k] * x[1] / t, mu[k] * x[2] / t])
        worst = max(worst, np.linalg.norm(r - p))
    return worst


def solve(W: np.ndarray, q: np.ndarray, mu: np.ndarray):
    """(velocities, residual, solver) of the one that gets nearest."""
    best = None
    for name, iterations in SOLVERS:
        problem = numerics.FrictionContactProblem(3, len(mu), W, q, mu)
        options = numerics.SolverOptions(getattr(numerics, "SICONOS_FRICTION_3D_" + name))
        options.dparam[numerics.SICONOS_DPARAM_TOL] = 1e-12
        options.iparam[numerics.SICONOS_IPARAM_MAX_ITER] = iterations
        R, U = np.zeros(len(q)), np.zeros(len(q))
        numerics.fc3d_driver(problem, R, U, options)
        left = natural_map(W, mu, R, W @ R + q)
        if np.isfinite(left) and (best is None or left < best[1]):
            best = (W @ R + q, left, name)
        if best is not None and best[1] < 1e-11 * np.abs(q).max():
            break
    return best


def compare(path: Path):
    """Largest difference of velocities over the largest free one, and what either leaves of the natural map."""
    W, q, mu, R, U = read(path)
    theirs, left, name = solve(W, q, mu)
    speed = np.abs(q).max()
    return np.abs(theirs - U).max() / speed, natural_map(W, mu, R, U) / speed, left / speed, name, len(mu)


def test_velocities_agree(tmp_path):
    result = subprocess.run([LITHE, "bench", "contact", "--quick", "--seconds", "0", "--save", str(tmp_path)], capture_output=True, text=True, timeout=600)
    assert result.returncode == 0, result.stdout + result.stderr
    files = sorted(tmp_path.glob("*.hdf5"))
    assert len(files) == 9
    agreed = 0
    for file in files:
        difference, ours, theirs, _, _ = compare(file)
        assert ours < 1e-9
        if theirs < 1e-9:  # solved by both
            assert difference < 1e-6, file.name
            agreed += 1
    assert agreed >= 6


if __name__ == "__main__":
    for file in sorted(Path(sys.argv[1]).glob("*.hdf5")):
        with h5py.File(file, "r") as problem:
            if "solution" not in problem:
                print(f"{file.stem:28} not solved by lithe")
                continue
        difference, ours, theirs, name, contacts = compare(file)
        print(f"{file.stem:28} {contacts:5} contacts: velocities differ by {difference:.1e}; left: lithe {ours:.1e}, {name} {theirs:.1e}", flush=True)
