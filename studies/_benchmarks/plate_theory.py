"""Deflections of plates by series, written for this study: Reissner-Mindlin and Kirchhoff plates, laminates of first order.

Square plates of side a under a uniform load q or a force P in the middle; shear factor 5/6.
"""

from __future__ import annotations

import numpy as np
from numpy.polynomial import legendre

SHEAR = 5 / 6


def rigidity(E: float, nu: float, t: float) -> float:
    return E * t**3 / (12 * (1 - nu**2))


def supported(E: float, nu: float, t: float, a: float, load: str, terms: int = 400, shear: bool = True) -> float:
    """Navier's series of the middle, edges that do not turn along themselves; for q = 1 or P = 1."""
    odd = np.arange(1, terms, 2)
    m, n = np.meshgrid(odd, odd)
    k2 = (np.pi / a) ** 2 * (m**2 + n**2)
    compliance = 1 / (rigidity(E, nu, t) * k2**2) + (1 / (SHEAR * E / (2 * (1 + nu)) * t * k2) if shear else 0)
    if load == "point":
        return float((4 / a**2 * compliance).sum())
    signs = (-1.0) ** ((m - 1) // 2 + (n - 1) // 2)
    return float((signs * 16 / (np.pi**2 * m * n) * compliance).sum())


def clamped(E: float, nu: float, t: float, a: float, degree: int = 18) -> float:
    """Middle of a clamped Reissner-Mindlin plate under q = 1: Ritz with polynomials that vanish on the edges.

    w and the rotations b are sums of (1 - s^2) P_k(s) (1 - r^2) P_l(r) on [-1, 1]^2; by symmetry w is even in both, b_x odd in
    s and even in r, b_y the other way round.
    """
    s, weight = legendre.leggauss(2 * degree + 4)
    bubble, slope = [], []
    for k in range(degree + 2):
        c = legendre.legmul([2 / 3, 0, -2 / 3], [0] * k + [1])  # 1 - s^2 = 2/3 (P_0 - P_2)
        scale = np.sqrt((weight * legendre.legval(s, c) ** 2).sum())
        bubble.append(legendre.legval(s, c) / scale)
        slope.append(legendre.legval(s, legendre.legder(c)) / scale)
    even, odd = range(0, degree + 2, 2), range(1, degree + 1, 2)
    ww = np.outer(weight, weight).ravel()

    def two(functions, gradient, first, second):
        return np.array([np.outer(functions[i], gradient[j]).ravel() for i in first for j in second])

    h = a / 2
    w, w_x, w_y = two(bubble, bubble, even, even), two(slope, bubble, even, even) / h, two(bubble, slope, even, even) / h
    x, x_x, x_y = two(bubble, bubble, odd, even), two(slope, bubble, odd, even) / h, two(bubble, slope, odd, even) / h
    y, y_x, y_y = two(bubble, bubble, even, odd), two(slope, bubble, even, odd) / h, two(bubble, slope, even, odd) / h
    zero_w, zero_x, zero_y = np.zeros_like(w), np.zeros_like(x), np.zeros_like(y)
    curvature_x = np.concatenate([zero_w, x_x, zero_y])
    curvature_y = np.concatenate([zero_w, zero_x, y_y])
    twist = np.concatenate([zero_w, x_y, y_x])
    shear_x, shear_y = np.concatenate([w_x, x, zero_y]), np.concatenate([w_y, zero_x, y])
    D, G = rigidity(E, nu, t), SHEAR * E / (2 * (1 + nu)) * t

    def product(p, q):
        return (p * ww) @ q.T * h * h

    K = (D * (product(curvature_x, curvature_x) + product(curvature_y, curvature_y)
              + nu * (product(curvature_x, curvature_y) + product(curvature_y, curvature_x))
              + (1 - nu) / 2 * product(twist, twist)) + G * (product(shear_x, shear_x) + product(shear_y, shear_y)))  # fmt: skip
    load = np.concatenate([(w * ww).sum(axis=1) * h * h, np.zeros(len(x) + len(y))])
    solution = np.linalg.solve(K, load)

    def middle(k):
        c = legendre.legmul([2 / 3, 0, -2 / 3], [0] * k + [1])
        return legendre.legval(0.0, c) / np.sqrt((weight * legendre.legval(s, c) ** 2).sum())

    return float(solution[: len(w)] @ np.array([middle(i) * middle(j) for i in even for j in even]))


def laminate_stiffness(material: dict, layers: list[tuple[float, float]]):
    """A, B, D as one 6 x 6 matrix and the shear matrix (yz, xz) with its factor; layers (thickness, degrees), bottom first."""
    E1, E2, nu12 = material["E1"], material["E2"], material["nu12"]
    nu21 = nu12 * E2 / E1
    q = np.array([[E1, nu12 * E2, 0], [nu12 * E2, E2, 0], [0, 0, material["G12"] * (1 - nu12 * nu21)]]) / (1 - nu12 * nu21)
    total = sum(t for t, _ in layers)
    abd, shear, bottom = np.zeros((6, 6)), np.zeros((2, 2)), -total / 2
    for thickness, degrees in layers:
        c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
        # Strains along the material's axes from those along x and y (engineering shear).
        turn = np.array([[c * c, s * s, c * s], [s * s, c * c, -c * s], [-2 * c * s, 2 * c * s, c * c - s * s]])
        stiffness = turn.T @ q @ turn
        top = bottom + thickness
        for block, power in (((0, 0), 1), ((0, 3), 2), ((3, 0), 2), ((3, 3), 3)):
            i, j = block
            abd[i : i + 3, j : j + 3] += stiffness * (top**power - bottom**power) / power
        across = np.array([[c, -s], [s, c]])
        shear += SHEAR * thickness * across.T @ np.diag([material["G23"], material["G13"]]) @ across
        bottom = top
    return abd, shear


def laminate(material: dict, layers: list[tuple[float, float]], a: float, terms: int = 200) -> float:
    """Middle of a simply supported square laminate under q = 1, Navier's series of first-order theory.

    Cross-ply: edges free along their normals (u at y = 0, a and v at x = 0, a vanish). Antisymmetric angle-ply: edges free
    along themselves (u at x = 0, a and v at y = 0, a vanish). Both: w and the rotation along the edge vanish.
    """
    abd, shear = laminate_stiffness(material, layers)
    angle_ply = any(degrees % 90 for _, degrees in layers)
    total = 0.0
    for m in range(1, terms, 2):
        for n in range(1, terms, 2):
            p, q = m * np.pi / a, n * np.pi / a
            b = np.zeros((6, 5))  # strains and curvatures from U, V, W, X, Y
            sign = 1 if angle_ply else -1
            b[0, 0], b[1, 1], b[2, 0], b[2, 1] = sign * p, sign * q, -sign * q, -sign * p
            b[3, 3], b[4, 4], b[5, 3], b[5, 4] = -p, -q, q, p
            g = np.zeros((2, 5))  # yz, xz
            g[0, 2], g[0, 4], g[1, 2], g[1, 3] = q, 1, p, 1
            K = b.T @ abd @ b + g.T @ shear @ g
            amplitude = np.linalg.solve(K, [0, 0, 16 / (np.pi**2 * m * n), 0, 0])[2]
            total += amplitude * (-1) ** ((m - 1) // 2 + (n - 1) // 2)
    return total
