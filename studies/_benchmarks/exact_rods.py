"""Motion of geometrically exact rods by directors, written for this study and independent of the engine.

A node is a place r and the directors d_1 (normal), d_2 (width), d_3 (thickness) of its section. Between two nodes all of them run
linearly; with values and derivatives in the middle of an element the strains of Reissner and Simo are

    Gamma = (d_1 . r' - 1, d_2 . r', d_3 . r'),   K_i = (d_j' . d_k - d_k' . d_j)/2,   (i, j, k) cyclic

quadratic forms of the coordinates, as are the constraints (d_i . d_j = delta_ij at a node; joints). So stresses of the mean strain
of a step, together with gradients in its middle, conserve energy and momenta (Simo, Tarnow and Wong 1992; Betsch and Steinmann
2002), whatever the step. The error is of second order in the element's length and in the step.
"""

from __future__ import annotations

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import splu


def _dot(size: int, a: np.ndarray, b: np.ndarray, scale: float = 1.0) -> np.ndarray:
    """A of scale u . v = x^T A x / 2 where u and v are vectors with coefficients a and b of the blocks of three in x."""
    A = np.zeros((size, size))
    for i, p in enumerate(a):
        for j, q in enumerate(b):
            for c in range(3):
                A[3 * i + c, 3 * j + c] += scale * p * q
                A[3 * j + c, 3 * i + c] += scale * p * q
    return A


class Forms:
    """Forms x^T A x / 2 + b x + c of the coordinates x = q[place] of each item; A, b, c are shared by the items of a batch."""

    def __init__(self, place, A, b, c):
        self.place, self.A, self.b, self.c = np.array(place), np.array(A), np.array(b), np.array(c, float)

    def value(self, q):
        x = q[self.place]
        return np.einsum("mij,ni,nj->nm", self.A, x, x) / 2 + x @ self.b.T + self.c

    def gradient(self, q):
        return np.einsum("mij,nj->nmi", self.A, q[self.place]) + self.b


class Rods:
    def __init__(self):
        self.q, self.elements, self.held, self.drives, self.mass = [], [], [], [], []
        self.free_of_frame: set[int] = set()

    def node(self, place, frame) -> int:
        """frame: rows d_1, d_2, d_3."""
        self.q.append(np.concatenate([place, *np.asarray(frame, float)]))
        return len(self.q) - 1

    def rod(self, start, end, width, n: int, stiffness, line_mass: float, second) -> list[int]:
        """n elements from start to end; second: integrals of density times yy and zz over the section."""
        start, end = np.asarray(start, float), np.asarray(end, float)
        length = np.linalg.norm(end - start)
        normal, width = (end - start) / length, np.asarray(width, float)
        nodes = [self.node(start + (end - start) * k / n, [normal, width, np.cross(normal, width)]) for k in range(n + 1)]
        h = length / n
        unit = np.eye(8)
        rate = (unit[4:] - unit[:4]) / h  # r', d_1', d_2', d_3' in terms of the blocks of three
        mean = (unit[4:] + unit[:4]) / 2
        A = [_dot(24, mean[i], rate[0]) for i in (1, 2, 3)]
        A += [_dot(24, rate[j], mean[k], 0.5) - _dot(24, rate[k], mean[j], 0.5) for j, k in ((2, 3), (3, 1), (1, 2))]
        place = [np.r_[12 * a : 12 * a + 12, 12 * b : 12 * b + 12] for a, b in zip(nodes, nodes[1:])]
        forms = Forms(place, A, np.zeros((6, 24)), [-1, 0, 0, 0, 0, 0])
        self.elements.append((forms, h * np.asarray(stiffness, float)))
        line = np.repeat([line_mass, 0.0, *second], 3) * h / 6
        for index in place:
            for i in range(12):
                a, b = index[i], index[12 + i]
                self.mass += [(a, a, 2 * line[i]), (b, b, 2 * line[i]), (a, b, line[i]), (b, a, line[i])]
        return nodes

    def weld(self, a: int, b: int) -> None:
        """The places coincide, the frames keep their angles: the directors of b are combinations of those of a."""
        turn = np.reshape(self.q[b][3:], (3, 3)) @ np.reshape(self.q[a][3:], (3, 3)).T
        rows = np.zeros((12, 24))
        rows[:3, :3], rows[:3, 12:15] = np.eye(3), -np.eye(3)
        for i in range(3):
            for j in range(3):
                rows[3 + 3 * i : 6 + 3 * i, 3 + 3 * j : 6 + 3 * j] = turn[i, j] * np.eye(3)
            rows[3 + 3 * i : 6 + 3 * i, 15 + 3 * i : 18 + 3 * i] = -np.eye(3)
        self._join(a, b, np.zeros((12, 24, 24)), rows, np.zeros(12))
        self.free_of_frame.add(b)

    def ball(self, a: int, b: int, arm=(0.0, 0.0, 0.0)) -> None:
        """The place of b is fixed in the section of a, at `arm` along its directors."""
        rows = np.zeros((3, 24))
        rows[:, :3], rows[:, 12:15] = np.eye(3), -np.eye(3)
        for i in range(3):
            rows[:, 3 + 3 * i : 6 + 3 * i] = arm[i] * np.eye(3)
        self._join(a, b, np.zeros((3, 24, 24)), rows, np.zeros(3))

    def hinge(self, a: int, b: int, axis) -> None:
        """The places coincide and the axis is the same in both sections: two vectors of b stay across the axis of a."""
        self.ball(a, b)
        axis = np.asarray(axis, float) / np.linalg.norm(axis)
        of_a, of_b = (np.reshape(self.q[k][3:], (3, 3)) for k in (a, b))
        first = np.cross(axis, np.eye(3)[np.abs(axis).argmin()])
        A = []
        for across in (first, np.cross(axis, first)):
            u, v = np.zeros(8), np.zeros(8)
            u[1:4], v[5:8] = of_a @ axis, of_b @ across
            A.append(_dot(24, u, v))
        self._join(a, b, A, np.zeros((2, 24)), np.zeros(2))

    def _join(self, a, b, A, rows, c):
        self.held.append(Forms([np.r_[12 * a : 12 * a + 12, 12 * b : 12 * b + 12]], A, rows, c))

    def drive(self, node: int, frame) -> None:
        """The place stays and the directors are the rows of frame(t)."""
        self.drives.append((node, frame))
        self.free_of_frame.add(node)

    def hold(self, node: int) -> None:
        still = np.reshape(self.q[node][3:], (3, 3))
        self.drive(node, lambda t: still)

    def pivot(self, node: int, axis) -> None:
        """A hinge on the ground: the place stays, and the directors that the axis is made of keep it."""
        start = self.q[node]
        parts = np.reshape(start[3:], (3, 3)) @ np.asarray(axis, float)
        rows = np.zeros((6, 12))
        rows[:3, :3] = np.eye(3)
        for i in range(3):
            rows[3:, 3 + 3 * i : 6 + 3 * i] = parts[i] * np.eye(3)
        across = [k for k in range(3) if k != np.abs(axis).argmax()]  # its length is held by the frame
        rows = rows[[0, 1, 2, 3 + across[0], 3 + across[1]]]
        self.held.append(Forms([np.r_[12 * node : 12 * node + 12]], np.zeros((5, 12, 12)), rows, -(rows @ start)))

    def _constraints(self):
        frames = [k for k in range(len(self.q)) if k not in self.free_of_frame]
        unit = np.eye(4)
        pairs = [(1, 1), (2, 2), (3, 3), (1, 2), (2, 3), (3, 1)]
        A = [_dot(12, unit[i], unit[j], 0.5 if i == j else 1.0) for i, j in pairs]
        c = [-0.5, -0.5, -0.5, 0, 0, 0]
        return [Forms([np.r_[12 * k : 12 * k + 12] for k in frames], A, np.zeros((6, 12)), c), *self.held]

    def run(self, duration: float, step: float, watch: list[int], force=None, velocity=None, every: int = 1,
            viscosity: float = 0.0):  # fmt: skip
        """Times and places of the nodes `watch`; force(t): {node: vector}; velocity: of the nodes' coordinates at the start.

        viscosity: time of Kelvin and Voigt, stress C (S + viscosity S.); it damps what vibrates fast.
        """
        motion = Motion(self, force, viscosity)
        q = np.concatenate(self.q)
        v = np.zeros_like(q) if velocity is None else np.asarray(velocity, float).ravel()
        times, places = [0.0], [[q[12 * k : 12 * k + 3] for k in watch]]
        for count in range(1, round(duration / step) + 1):
            q, v = motion.advance(q, v, (count - 1) * step, step)
            if count % every == 0:
                times.append(count * step)
                places.append([q[12 * k : 12 * k + 3] for k in watch])
        return np.array(times), np.array(places)


class Motion:
    """Steps of the rods: equations of motion in the middle of a step, constraints at its end."""

    def __init__(self, rods: Rods, force, viscosity: float):
        self.rods, self.force, self.viscosity, self.size = rods, force, viscosity, 12 * len(rods.q)
        rows, columns, values = zip(*rods.mass)
        self.mass = sparse.coo_matrix((values, (rows, columns)), (self.size, self.size)).tocsr()
        self.constraints = rods._constraints()
        counts = [f.c.size * len(f.place) for f in self.constraints] + [12 * len(rods.drives)]
        self.starts = np.cumsum([self.size, *counts])
        self.driven = np.array([12 * node + i for node, _ in rods.drives for i in range(12)], int)
        self.multipliers = np.zeros(self.starts[-1] - self.size)
        q = np.concatenate(rods.q)
        self.scale = max((c * f.gradient(q).max() ** 2).max() for f, c in rods.elements)  # of the constraints' rows: for pivoting

    def advance(self, q, v, t: float, step: float, parts: int = 6):
        """Coordinates and velocities after a step; two halves where Newton fails."""
        for guess in (q + step * v, q):
            new = self._newton(q, v, t, step, guess)
            if new is not None:
                return new, 2 / step * (new - q) - v
        if parts == 0:
            raise RuntimeError(f"rods: no convergence at t = {t:g}")
        q, v = self.advance(q, v, t, step / 2, parts - 1)
        return self.advance(q, v, t + step / 2, step / 2, parts - 1)

    def _newton(self, before, v, t: float, step: float, new):
        load = np.zeros(self.size)
        for node, vector in (self.force(t + step / 2) if self.force else {}).items():
            load[12 * node : 12 * node + 3] += vector
        goal = [np.concatenate([self.rods.q[k][:3], *frame(t + step)]) for k, frame in self.rods.drives]
        goal = np.concatenate(goal) if goal else np.zeros(0)
        strains = [forms.value(before) for forms, _ in self.rods.elements]
        multipliers, largest = self.multipliers, np.inf
        for _ in range(15):
            matrix, residual = self._equations(before, new, v, step, load, goal, strains, multipliers)
            change = splu(matrix).solve(residual)
            new, multipliers = new - change[: self.size], multipliers - change[self.size :]
            largest, last = np.abs(change[: self.size]).max(), largest
            if largest < 1e-10:
                self.multipliers = multipliers
                return new
            if not largest < 10 * min(last, 1e3):
                return None
        return None

    def _equations(self, before, new, v, step, load, goal, strains, multipliers):
        middle, scale, size = (before + new) / 2, self.scale, self.size
        residual = np.zeros(self.starts[-1])
        residual[:size] = 2 / step**2 * (self.mass @ (new - before - step * v)) - load
        mass = self.mass.tocoo()
        i, j, k = [mass.row], [mass.col], [2 / step**2 * mass.data]

        def add(rows, columns, blocks):
            i.append(np.broadcast_to(rows[..., :, None], blocks.shape).ravel())
            j.append(np.broadcast_to(columns[..., None, :], blocks.shape).ravel())
            k.append(blocks.ravel())

        for (forms, stiffness), old in zip(self.rods.elements, strains):
            now = forms.value(new)
            stress = stiffness * ((old + now) / 2 + self.viscosity / step * (now - old))
            g, g_new = forms.gradient(middle), forms.gradient(new)
            np.add.at(residual, forms.place, np.einsum("nm,nmi->ni", stress, g))
            rate = (0.5 + self.viscosity / step) * stiffness
            add(forms.place, forms.place, np.einsum("nm,mij->nij", stress / 2, forms.A))
            add(forms.place, forms.place, np.einsum("nmi,m,nmj->nij", g, rate, g_new))
        for forms, start in zip(self.constraints, self.starts):
            own = start + np.arange(len(forms.place) * len(forms.A)).reshape(len(forms.place), -1)
            force, g = scale * multipliers[own - size], scale * forms.gradient(middle)
            np.add.at(residual, forms.place, np.einsum("nm,nmi->ni", force, g) / scale)
            residual[own] = scale * forms.value(new)
            add(forms.place, forms.place, np.einsum("nm,mij->nij", force / 2, forms.A))
            add(forms.place, own, g.transpose(0, 2, 1))
            add(own, forms.place, scale * forms.gradient(new))
        if len(self.driven):
            own = self.starts[-2] + np.arange(len(self.driven))
            residual[self.driven] += scale * multipliers[own - size]
            residual[own] = scale * (new[self.driven] - goal)
            ones = np.full((len(own), 1, 1), scale)
            add(self.driven[:, None], own[:, None], ones)
            add(own[:, None], self.driven[:, None], ones)
        shape = (len(residual), len(residual))
        return sparse.coo_matrix((np.concatenate(k), (np.concatenate(i), np.concatenate(j))), shape).tocsc(), residual
