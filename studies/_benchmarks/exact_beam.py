"""Reference solutions of beams by shooting, written for this study and independent of the engine.

The geometrically exact beam (Reissner, Simo): with the rotation R of the section (columns: normal, width, thickness),

    r' = R (e_1 + C_N^-1 R^T n),   R' = R [k_0 + C_M^-1 R^T m]x,   n' = 0,   m' = -r' x n

C_N = diag(EA, GA_y, GA_z), C_M = diag(GJ, EI_y, EI_z): EI_y resists bending in the thickness, EI_z in the width. Dead force F
and moment M act at the end s = L; the root is clamped. Unknown is the moment at the root; Newton on m(L) - M = 0, load by load,
with Runge and Kutta's fourth-order rule along s.
"""

from __future__ import annotations

import numpy as np


def section(E: float, nu: float, width: float, thickness: float, J: float | None = None) -> tuple[np.ndarray, np.ndarray]:
    """C_N and C_M of a rectangle; J: St. Venant's unless given."""
    G, A, k = E / (2 * (1 + nu)), width * thickness, 10 * (1 + nu) / (12 + 11 * nu)
    J = saint_venant(width, thickness) if J is None else J
    return np.array([E * A, k * G * A, k * G * A]), np.array([G * J, E * width * thickness**3 / 12, E * thickness * width**3 / 12])


def saint_venant(width: float, thickness: float, terms: int = 60) -> float:
    """J of a rectangle by the series of St. Venant."""
    a, b = max(width, thickness), min(width, thickness)
    n = np.arange(1, 2 * terms, 2)
    return a * b**3 * (1 / 3 - 64 / np.pi**5 * b / a * (np.tanh(n * np.pi * a / (2 * b)) / n**5).sum())


def _rate(r, R, m, n, force_compliance, moment_compliance, k0):
    """Derivatives over s; a leading index numbers trial solutions."""
    local_n = np.einsum("bji,j->bi", R, n)
    stretch = local_n * force_compliance + np.array([1.0, 0, 0])
    k = np.einsum("bji,bj->bi", R, m) * moment_compliance + k0
    r_s = np.einsum("bij,bj->bi", R, stretch)
    k_hat = np.zeros(R.shape)
    k_hat[:, 0, 1], k_hat[:, 0, 2], k_hat[:, 1, 2] = -k[:, 2], k[:, 1], -k[:, 0]
    k_hat[:, 1, 0], k_hat[:, 2, 0], k_hat[:, 2, 1] = k[:, 2], -k[:, 1], k[:, 0]
    return r_s, R @ k_hat, -np.cross(r_s, n)


def _integrate(m0, length, R0, n, C_N, C_M, k0, steps):
    m = np.array(m0, float)
    r, R = np.zeros((len(m), 3)), np.repeat(R0[None], len(m), axis=0)
    h = length / steps
    data = (n, 1 / C_N, 1 / C_M, k0)
    for _ in range(steps):
        a = _rate(r, R, m, *data)
        b = _rate(r + h / 2 * a[0], R + h / 2 * a[1], m + h / 2 * a[2], *data)
        c = _rate(r + h / 2 * b[0], R + h / 2 * b[1], m + h / 2 * b[2], *data)
        d = _rate(r + h * c[0], R + h * c[1], m + h * c[2], *data)
        r, R, m = (x + h / 6 * (p + 2 * q + 2 * s + t) for x, p, q, s, t in zip((r, R, m), a, b, c, d))
    return r, R, m


def cantilever(length, stiffness, force=(0, 0, 0), moment=(0, 0, 0), R0=None, k0=(0, 0, 0), load_steps=10, steps=400):
    """Position (from the root) and rotation of the end of a clamped beam, at the loads 1/load_steps, ..., 1."""
    R0 = np.eye(3) if R0 is None else np.asarray(R0, float)
    C_N, C_M = stiffness
    force, moment, k0 = (np.asarray(x, float) for x in (force, moment, k0))
    unknown = np.zeros(3)
    before = unknown
    path = []
    for factor in np.arange(1, load_steps + 1) / load_steps:
        guess = 2 * unknown - before if factor > 1 / load_steps else unknown
        before = unknown
        unknown = guess
        scale = np.abs(C_M).min() / length
        for _ in range(40):
            trials = unknown + np.vstack([np.zeros(3), 1e-7 * scale * np.eye(3)])
            r, R, m = _integrate(trials, length, R0, factor * force, C_N, C_M, k0, steps)
            miss = m[0] - factor * moment
            if np.linalg.norm(miss) < 1e-10 * max(scale, np.linalg.norm(factor * moment)):
                break
            unknown = unknown - np.linalg.solve(((m[1:] - m[0]) / (1e-7 * scale)).T, miss)
        else:
            raise RuntimeError("the exact beam did not converge; take more load steps")
        path.append((r[0], R[0]))
    return path
