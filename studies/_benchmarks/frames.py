"""Frames of beams: Lee's frame beyond its limit load, the right-angle frame that buckles sideways under end moments."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from . import exact_beam
from .core import CURVES, Case, Curve, body, lithe, row

LEE = {"E": 7.2e6, "nu": 0.3, "width": 3.0, "thickness": 2.0}  # A 6, I 2; EI/L^2 = 1000


def _planar(state, length, n, EA, GA, EI, steps):
    """x, y, angle, moment along a planar Reissner beam with the constant force n."""

    def rate(s):
        c, d = np.cos(s[2]), np.sin(s[2])
        stretch, shear = 1 + (n[0] * c + n[1] * d) / EA, (-n[0] * d + n[1] * c) / GA
        x, y = stretch * c - shear * d, stretch * d + shear * c
        return np.array([x, y, s[3] / EI, -(x * n[1] - y * n[0])])

    h = length / steps
    for _ in range(steps):
        a = rate(state)
        b = rate(state + h / 2 * a)
        c = rate(state + h / 2 * b)
        state = state + h / 6 * (a + 2 * b + 2 * c + rate(state + h * c))
    return state


@lru_cache
def lee_reference() -> tuple[np.ndarray, np.ndarray]:
    """Deflections of the load's point (down) and loads of Lee's frame up to beyond its first limit, by shooting.

    Unknown are the force and the angle at the lower hinge and the load; the deflection of the load's point is prescribed.
    """
    E, A, I = LEE["E"], 6.0, 2.0
    GA = 10 * 1.3 / (12 + 11 * 0.3) * E / 2.6 * A
    EA, EI = E * A, E * I

    def miss(unknown, down):
        force, angle, load = unknown[:2] * 1000, unknown[2], unknown[3] * 1000
        state = np.array([0.0, 0.0, math.pi / 2 + angle, 0.0])
        state = _planar(state, 120.0, force, EA, GA, EI, 60)
        state[2] -= math.pi / 2  # the corner
        state = _planar(state, 24.0, force, EA, GA, EI, 12)
        y = state[1]
        force = force + np.array([0.0, load])  # the load acts downwards: n jumps by minus it
        state = _planar(state, 96.0, force, EA, GA, EI, 48)
        return np.array([state[0] / 120 - 1, state[1] / 120 - 1, state[3] / EI * 120, (y - (120 - down)) / 120])

    unknown, before = np.zeros(4), None
    downs, loads = [0.0], [0.0]
    for down in np.arange(2.0, 60.1, 2.0):
        guess = unknown if before is None else 2 * unknown - before
        before = unknown
        unknown = guess
        for _ in range(30):
            value = miss(unknown, down)
            if np.abs(value).max() < 1e-11:
                break
            jacobian = np.array([(miss(unknown + 1e-7 * e, down) - value) / 1e-7 for e in np.eye(4)]).T
            unknown = unknown - np.linalg.solve(jacobian, value)
        else:
            raise RuntimeError("Lee's frame: no convergence")
        downs.append(down)
        loads.append(1000 * unknown[3])
    return np.array(downs), np.array(loads)


def largest(x: np.ndarray, y: np.ndarray) -> float:
    """First maximum of a curve through points: the top of the parabola through the highest point and its neighbours."""
    k = next(i for i in range(1, len(y) - 1) if y[i] >= y[i - 1] and y[i] > y[i + 1])
    a, b, c = np.polyfit(x[k - 1 : k + 2] - x[k], y[k - 1 : k + 2], 2)
    return float(c - b * b / (4 * a))


def lee(formulation: str):
    """Two members of 120, hinged at their ends, loaded at 24 from the corner; E 7.2e6, A 6, I 2."""
    downs, loads = lee_reference()
    reference = largest(downs, loads)
    for n, limit in {10: None, 20: 0.01}.items():
        model = lithe.Model(name="Lee's frame")
        model.materials["material"] = lithe.Isotropic(E=LEE["E"], nu=LEE["nu"], density=1.0)
        model.sections["section"] = lithe.Rectangle(width=3.0, thickness=2.0)
        for name, a, b in (("column", (0, 0, 0), (0, 0, 120)), ("beam", (0, 0, 120), (120, 0, 120))):
            mesh = lithe.LineMesh(from_=a, to=b, elements=n, width_direction=(0, 1, 0))
            model.bodies[name] = body(formulation, element="beam3243", material="material", section="section", mesh=mesh)
        model.joints["corner"] = lithe.Weld(a="column.end", b="beam.start")
        model.joints["foot"] = lithe.Revolute(a="ground", b="column.start", axis=(0, 1, 0))
        model.joints["end"] = lithe.Revolute(a="ground", b="beam.end", axis=(0, 1, 0))
        place = {"body": "beam", "point": (24, 0, 120)}
        model.loads["load"] = lithe.PointForce(at=place, force=(0, 0, -40000.0))
        model.outputs["down"] = lithe.DisplacementOutput(at=place)
        factors = [0.0]

        def before_falling(step):
            factors.append(step["load_factor"])
            return factors[-1] >= 0.8 * max(factors)

        model.analysis = lithe.StaticAnalysis(method="arc_length", arc_length=0.05, fields=[], largest_steps=300)
        result = model.solve(progress=before_falling)
        down, load = -result.channels["down"][:, 2], 40000.0 * result.load_factor
        try:
            computed = largest(down, load)
        except StopIteration:
            computed = math.nan
        if n == 20:
            CURVES.append(Curve("lee_frame", "load point", f"{n}x2", formulation, list(down), list(load), list(downs), list(loads),
                                ("deflection", "load")))
        yield row("lee_frame", "first limit load", f"{n}x2", reference, computed, limit,
                  "planar exact beam, shooting, computed here; 18532 of Schweizerhof and Wriggers (1986)")  # fmt: skip


def right_angle(formulation: str):
    """Two legs of 240, 30 x 0.6, E 71240, nu 0.31, in a plane; supports turn about its normal alone, one slides.

    With uniform moment M in the legs, force 0 and mirror symmetry the lateral buckling equations of the exact beam have the
    solution sin(M L / sqrt(EI GJ)) = 0, EI about the weak axis: M = pi sqrt(EI GJ)/L (stiff bending in the plane).
    """
    E, nu, length, width, thickness = 71240.0, 0.31, 240.0, 30.0, 0.6
    EI, G = E * width * thickness**3 / 12, E / (2 * (1 + nu))
    reference = math.pi * math.sqrt(EI * G * exact_beam.saint_venant(width, thickness)) / length
    source = ("closed form derived here with St. Venant's J; 622.2 of Simo and Vu-Quoc (1986) and of this form with J = b t^3/3")
    c = math.sqrt(0.5)
    apex, far = (length * c, length * c, 0), (2 * length * c, 0, 0)
    for n, limit in {5: None, 10: 0.02}.items():

        def stable(moment: float) -> bool:
            model = lithe.Model(name="right-angle frame")
            model.materials["material"] = lithe.Isotropic(E=E, nu=nu, density=1e-6)
            model.sections["section"] = lithe.Rectangle(width=width, thickness=thickness)
            for name, a, b, across in (("left", (0, 0, 0), apex, (-c, c, 0)), ("right", apex, far, (c, c, 0))):
                mesh = lithe.LineMesh(from_=a, to=b, elements=n, width_direction=across)
                model.bodies[name] = body(formulation, element="beam3243", material="material", section="section", mesh=mesh)
            model.bodies["slider"] = lithe.RigidBody(position=far, mass=1.0, inertia=(1.0, 1.0, 1.0))
            model.joints["corner"] = lithe.Weld(a="left.end", b="right.start")
            model.joints["hinge"] = lithe.Revolute(a="ground", b="left.start", axis=(0, 0, 1))
            model.joints["guide"] = lithe.Prismatic(a="ground", b="slider", axis=(1, 0, 0))
            model.joints["hinge_2"] = lithe.Revolute(a="slider", b="right.end", axis=(0, 0, 1))
            model.loads["moment"] = lithe.PointMoment(at="left.start", moment=(0, 0, moment))
            model.loads["moment_2"] = lithe.PointMoment(at="right.end", moment=(0, 0, -moment))
            model.outputs["apex"] = lithe.DisplacementOutput(at="left.end")
            model.analysis = lithe.StaticAnalysis(fields=[])
            return bool(model.solve().report["stable"])

        low, high = 0.0, reference
        while stable(high) and high < 100 * reference:
            low, high = high, 2 * high
        while high - low > 1e-3 * reference:
            middle = (low + high) / 2
            low, high = (middle, high) if stable(middle) else (low, middle)
        yield row("right_angle_frame", "critical end moment", f"{n}x2", reference, (low + high) / 2, limit, source)


CASES = [Case("lee_frame", "beams", lee), Case("right_angle_frame", "beams", right_angle)]
