"""Flexible bodies in motion: spin-up of a beam, a rotor through its critical speed, a slider-crank with a flexible rod, P1's
cable pendulum.

Published curves of these have no tables. The references are small models of the same motion, integrated here: a beam in the
rotating frame with centrifugal stiffening, Jeffcott's rotor, a rod by two modes in its moving chord.
"""

from __future__ import annotations

import math
from functools import lru_cache

import cable_pendulum
import numpy as np

from .core import CURVES, Case, Curve, body, lithe, row
from .mechanisms import runge_kutta


def beam_matrices(n: int, length: float):
    """Hermite beam of n elements: matrices of int v'' v'', int v v, int (L^2 - x^2)/2 v' v', and int x v."""
    size, h = 2 * (n + 1), length / n
    bend, mass, stiffen, load = np.zeros((size, size)), np.zeros((size, size)), np.zeros((size, size)), np.zeros(size)
    points, weights = np.polynomial.legendre.leggauss(6)
    for e in range(n):
        place = slice(2 * e, 2 * e + 4)
        for p, w in zip(points, weights):
            s, x = (p + 1) / 2, (e + (p + 1) / 2) * h
            shape = np.array([1 - 3 * s**2 + 2 * s**3, h * (s - 2 * s**2 + s**3), 3 * s**2 - 2 * s**3, h * (s**3 - s**2)])
            slope = np.array([-6 * s + 6 * s**2, h * (1 - 4 * s + 3 * s**2), 6 * s - 6 * s**2, h * (3 * s**2 - 2 * s)]) / h
            curve = np.array([-6 + 12 * s, h * (-4 + 6 * s), 6 - 12 * s, h * (6 * s - 2)]) / h**2
            scale = w * h / 2
            bend[place, place] += scale * np.outer(curve, curve)
            mass[place, place] += scale * np.outer(shape, shape)
            stiffen[place, place] += scale * (length**2 - x**2) / 2 * np.outer(slope, slope)
            load[place] += scale * x * shape
    return bend, mass, stiffen, load


SPIN_END, SPIN_RATE = 15.0, 6.0


def spin(t: float) -> tuple[float, float, float]:
    """Angle, rate and acceleration of Simo and Vu-Quoc's manoeuvre."""
    if t >= SPIN_END:
        return SPIN_RATE * t - SPIN_RATE * SPIN_END / 2, SPIN_RATE, 0.0
    k = 2 * math.pi / SPIN_END
    scale = SPIN_RATE / SPIN_END
    return (scale * (t * t / 2 + (math.cos(k * t) - 1) / k**2), scale * (t - math.sin(k * t) / k), scale * (1 - math.cos(k * t)))


@lru_cache
def spin_reference(duration: float) -> tuple[np.ndarray, np.ndarray]:
    """Tip deflection in the rotating frame: EI v'''' - (N v')' + rho A (v.. - w^2 v) = -rho A w. x, N = rho A w^2 (L^2 - x^2)/2."""
    EI, line_mass, length = 1.4e4, 1.2, 10.0
    bend, mass, stiffen, load = (m[2:, 2:] if m.ndim == 2 else m[2:] for m in beam_matrices(10, length))
    K, M, S, f = EI * bend, line_mass * mass, line_mass * stiffen, line_mass * load
    h, steps = 0.002, round(duration / 0.002)
    v, rate, acceleration = np.zeros(len(f)), np.zeros(len(f)), np.zeros(len(f))
    times, tips = [0.0], [0.0]
    for k in range(steps):  # trapezoidal rule
        _, w, dw = spin((k + 1) * h)
        stiffness = K + w * w * (S - M)
        guess_v, guess_rate = v + h * rate + h * h / 4 * acceleration, rate + h / 2 * acceleration
        acceleration = np.linalg.solve(M + h * h / 4 * stiffness, -dw * f - stiffness @ guess_v)
        v, rate = guess_v + h * h / 4 * acceleration, guess_rate + h / 2 * acceleration
        times.append((k + 1) * h)
        tips.append(v[-2])
    return np.array(times), np.array(tips)


def spin_up(formulation: str):
    """A beam of 10 m (EA 2.8e7, GA 1e7, EI 1.4e4, 1.2 kg/m) turned up to 6 rad/s in 15 s about one end."""
    side = math.sqrt(12 * 1.4e4 / 2.8e7)
    E, density, duration = 2.8e7 / side**2, 1.2 / side**2, 20.0
    times, tips = spin_reference(duration)
    k = 6 * math.sqrt(1.2 / 2.8e7)
    stretch = math.tan(k * 10) / k - 10
    for n, limit in {4: None, 8: 0.02}.items():
        model = lithe.Model(name="spin-up")
        model.materials["material"] = lithe.Isotropic(E=E, nu=1 / 6, density=density)
        model.sections["section"] = lithe.Rectangle(width=side, thickness=side)
        mesh = lithe.LineMesh(from_=(0, 0, 0), to=(10, 0, 0), elements=n)
        model.bodies["beam"] = body(formulation, element="beam3243", material="material", section="section", mesh=mesh)
        model.bodies["hub"] = lithe.RigidBody(position=(0, 0, 0), mass=1.0, inertia=(1.0, 1.0, 1.0))
        model.joints["bearing"] = lithe.Revolute(a="ground", b="hub", point=(0, 0, 0), axis=(0, 0, 1))
        model.joints["root"] = lithe.Weld(a="hub", b="beam.start")
        rate = 2 * math.pi / SPIN_END
        turned = f"0.4*(min(t,15)^2/2+(cos({rate!r}*min(t,15))-1)/{rate * rate!r})+6*max(t-15,0)"
        model.joints["motor"] = lithe.Turn(joint="bearing", angle=turned)
        model.outputs["tip"] = lithe.PositionOutput(at="beam.end")
        model.analysis = lithe.DynamicAnalysis(duration=duration, step=0.005, output_step=0.02, fields=[])
        result = model.solve()
        t, tip = result.time, result.channels["tip"]
        angle = np.array([spin(x)[0] for x in t])
        along = np.cos(angle) * tip[:, 0] + np.sin(angle) * tip[:, 1] - 10
        across = -np.sin(angle) * tip[:, 0] + np.cos(angle) * tip[:, 1]
        if n == 8:
            CURVES.append(Curve("spin_up", "tip deflection", str(n), formulation, list(t), list(across), list(times[::200]),
                                list(tips[::200]), ("time (s)", "displacement (m)")))  # fmt: skip
        error = np.abs(across - np.interp(t, times, tips)).max() / np.abs(tips).max()
        yield row("spin_up", "tip deflection over 20 s, of the largest", n, tips.min(), across.min(), limit,
                  "manoeuvre of Simo and Vu-Quoc (1986), J. Appl. Mech. 53; beam with centrifugal stiffening in the rotating "
                  "frame, integrated here", error=error)  # fmt: skip
        yield row("spin_up", "steady stretch at 6 rad/s (m)", n, stretch, along[t > 19].mean(), limit,
                  "rotating elastic bar, tan(kL)/k - L; 5.14e-4 of Simo and Vu-Quoc (1986)")  # fmt: skip


@lru_cache
def rotor_reference(omega: float, ratio: float, eccentricity: float, rate: float, duration: float):
    """Jeffcott's rotor with the shaft angle rate t^2/2: x.. + 2 d w x. + w^2 x = e (phi.^2 cos phi + phi.. sin phi), y alike."""

    def derivative(s):
        x, y, dx, dy, t = s
        phi, dphi = rate * t * t / 2, rate * t
        c, n = math.cos(phi), math.sin(phi)
        return [dx, dy, -2 * ratio * omega * dx - omega**2 * x + eccentricity * (dphi**2 * c + rate * n),
                -2 * ratio * omega * dy - omega**2 * y + eccentricity * (dphi**2 * n - rate * c), 1.0]  # fmt: skip

    times, states = runge_kutta(derivative, [0.0, 0.0, 0.0, 0.0, 0.0], duration, round(duration / 1e-4), 20)
    return times, np.hypot(states[:, 0], states[:, 1])


def rotor(formulation: str):
    """A light shaft of 1 m, 10 x 10 mm, on two bearings with a disc of 1 kg, 1 mm off its centre, in the middle, accelerated
    through its critical speed; external damping of 2 %."""
    length, side, E, nu, mass, eccentricity, ratio = 1.0, 0.01, 210e9, 0.3, 1.0, 1e-3, 0.02
    I, shear = side**4 / 12, 10 * (1 + nu) / (12 + 11 * nu) * E / (2 * (1 + nu)) * side**2
    stiffness = 1 / (length**3 / (48 * E * I) + length / (4 * shear))
    omega = math.sqrt(stiffness / mass)
    duration = 4.0
    rate = 1.6 * omega / duration
    times, radius = rotor_reference(omega, ratio, eccentricity, rate, duration)
    for n, limit in {4: None, 8: 0.03}.items():
        model = lithe.Model(name="rotor")
        model.materials["steel"] = lithe.Isotropic(E=E, nu=nu, density=1.0)  # its mass does not count
        model.sections["section"] = lithe.Rectangle(width=side, thickness=side)
        mesh = lithe.LineMesh(from_=(-length / 2, 0, 0), to=(length / 2, 0, 0), elements=n)
        model.bodies["shaft"] = body(formulation, element="beam3243", material="steel", section="section", mesh=mesh)
        model.bodies["disc"] = lithe.RigidBody(position=(0, eccentricity, 0), mass=mass, inertia=(1e-3, 6e-4, 6e-4),
                                               points={"hub": (0, -eccentricity, 0)})  # fmt: skip
        model.bodies["journal"] = lithe.RigidBody(position=(-length / 2, 0, 0), mass=1e-2, inertia=(1e-6, 1e-6, 1e-6))
        model.joints["left"] = lithe.Revolute(a="ground", b="journal", point=(-length / 2, 0, 0), axis=(1, 0, 0))
        model.joints["drive"] = lithe.Universal(a="journal", b="shaft.start", axis_a=(0, 1, 0), axis_b=(0, 0, 1))
        model.joints["motor"] = lithe.Turn(joint="left", angle=f"{rate / 2!r}*t^2")
        model.constraints["right"] = lithe.Fix(at="shaft.end", along=[(0, 1, 0), (0, 0, 1)])
        model.joints["middle"] = lithe.Weld(a="disc.hub", b={"body": "shaft", "node": n // 2})
        c = 2 * ratio * omega * mass
        model.springs["damping"] = lithe.Bushing(a={"body": "ground", "point": (0, 0, 0)}, b="disc.hub", damping=(0, c, c))
        model.outputs["hub"] = lithe.PositionOutput(at="disc.hub")
        model.analysis = lithe.DynamicAnalysis(duration=duration, step=5e-4, output_step=4e-3, fields=[])
        result = model.solve()
        moved = np.hypot(result.channels["hub"][:, 1], result.channels["hub"][:, 2])
        if n == 8:
            CURVES.append(Curve("rotor", "whirl of the hub", str(n), formulation, list(result.time), list(moved), list(times[::30]),
                                list(radius[::30]), ("time (s)", "displacement (m)")))  # fmt: skip
        yield row("rotor", "largest whirl through the critical speed (m)", n, radius.max(), moved.max(), limit,
                  "Jeffcott's rotor, 2 freedoms, integrated here")  # fmt: skip


CRANK, ROD, RATE, SIDE = 0.15, 0.3, 150.0, 0.006  # m, m, rad/s, m
STEEL = {"E": 2e11, "nu": 0.3, "density": 7870.0}


@lru_cache
def slider_crank_reference(duration: float) -> tuple[np.ndarray, np.ndarray]:
    """Deflection of the rod's middle from its chord: three sine modes, inertia of the rigid motion, axial force of slider and rod.

    With the rod's angle a, the normal n and the crank pin's acceleration b, a point x of the rod accelerates across by
    b . n + a.. x + v.. - a.^2 v (Coriolis terms vanish: the chord does not stretch); the axial force N(x) is that which moves the
    slider and the rod's mass beyond x along the rod; it feels the vibration through the rod's moment balance (last step's v..).
    """
    EI, line_mass = STEEL["E"] * SIDE**4 / 12, STEEL["density"] * SIDE**2
    slider = line_mass * ROD / 2
    x = np.linspace(0, ROD, 121)
    sine = np.array([np.sin(k * np.pi * x / ROD) for k in (1, 2, 3)])
    cosine = np.array([k * np.pi / ROD * np.cos(k * np.pi * x / ROD) for k in (1, 2, 3)])
    bend = EI * np.diag([(k * np.pi / ROD) ** 4 * ROD / 2 for k in (1, 2, 3)])
    mass = line_mass * ROD / 2 * np.eye(3)
    weights = np.full(len(x), x[1])
    weights[[0, -1]] /= 2
    lever = (sine * weights) @ x
    beyond = ROD - x

    def acceleration(t, v, before):
        phi = RATE * t
        sin_a = -CRANK * math.sin(phi) / ROD
        cos_a = math.sqrt(1 - sin_a**2)
        da = -CRANK * RATE * math.cos(phi) / (ROD * cos_a)
        dda = (CRANK * RATE**2 * math.sin(phi) / ROD + sin_a * da**2) / cos_a
        pin = np.array([-CRANK * RATE**2 * math.cos(phi), -CRANK * RATE**2 * math.sin(phi)])
        along, across = np.array([cos_a, sin_a]), np.array([-sin_a, cos_a])
        # Force of the slider on the rod: along the guide from its inertia, across from the rod's moments about the crank pin.
        slide = pin[0] - ROD * (dda * sin_a + da**2 * cos_a)
        rod_moment = line_mass * (ROD**2 / 2 * (pin @ across) + ROD**3 / 3 * dda + lever @ (before - da**2 * v))
        end = np.array([-slider * slide, (rod_moment - slider * slide * ROD * sin_a) / (ROD * cos_a)])
        # Compression at x: what moves the part beyond x, less what acts on its end.
        compression = line_mass * (beyond * (pin @ along) - da**2 * (ROD**2 - x**2) / 2) - end @ along
        stiffness = bend + (cosine * (-compression * weights)) @ cosine.T - da**2 * mass
        force = -(sine * weights) @ (line_mass * (pin @ across + dda * x))
        return (force - stiffness @ v) / (line_mass * ROD / 2)

    h, v, dv, t = 2e-6, np.zeros(3), np.zeros(3), 0.0
    times, middle, a = [0.0], [0.0], acceleration(0.0, v, np.zeros(3))
    for k in range(round(duration / h)):  # central differences
        dv = dv + h / 2 * a
        v = v + h * dv
        t += h
        a = acceleration(t, v, a)
        dv = dv + h / 2 * a
        if (k + 1) % 50 == 0:
            times.append(t)
            middle.append(v[0] - v[2])
    return np.array(times), np.array(middle)


def slider_crank(formulation: str):
    """A rigid crank of 0.15 m at 150 rad/s, a steel rod of 0.3 m and 6 x 6 mm, a slider of half its mass; two turns.

    The rod starts undeformed with the velocities of the rigid mechanism.
    """
    duration = 4 * math.pi / RATE
    times, middle = slider_crank_reference(duration)
    line_mass = STEEL["density"] * SIDE**2
    for n, limit in {4: None, 8: 0.05}.items():
        model = lithe.Model(name="flexible slider-crank")
        model.materials["steel"] = lithe.Isotropic(**STEEL)
        model.sections["square"] = lithe.Rectangle(width=SIDE, thickness=SIDE)
        mesh = lithe.LineMesh(from_=(CRANK, 0, 0), to=(CRANK + ROD, 0, 0), elements=n)
        model.bodies["rod"] = body(formulation, element="beam3243", material="steel", section="square", mesh=mesh)
        model.bodies["crank"] = lithe.RigidBody(position=(CRANK / 2, 0, 0), mass=0.1, inertia=(1e-4, 1e-3, 1e-3),
                                                velocity=(0, RATE * CRANK / 2, 0), angular_velocity=(0, 0, RATE),
                                                points={"pin": (CRANK / 2, 0, 0)})  # fmt: skip
        model.bodies["slider"] = lithe.RigidBody(position=(CRANK + ROD, 0, 0), mass=line_mass * ROD / 2, inertia=(1e-5, 1e-5, 1e-5),
                                                 points={"pin": (0, 0, 0)})  # fmt: skip
        model.joints["shaft"] = lithe.Revolute(a="ground", b="crank", point=(0, 0, 0), axis=(0, 0, 1))
        model.joints["crank_pin"] = lithe.Revolute(a="crank.pin", b="rod.start", axis=(0, 0, 1))
        model.joints["wrist"] = lithe.Spherical(a="rod.end", b="slider.pin")
        model.joints["guide"] = lithe.Prismatic(a="ground", b="slider", axis=(1, 0, 0))
        model.joints["motor"] = lithe.Turn(joint="shaft", angle=f"{RATE!r}*t")
        turn = -RATE * CRANK / ROD
        model.initial_velocities["rod"] = lithe.InitialVelocity(on="rod", angular_velocity=(0, 0, turn),
                                                                center=(CRANK + ROD, 0, 0))  # fmt: skip
        for name, place in (("start", "rod.start"), ("middle", {"body": "rod", "node": n // 2}), ("end", "rod.end")):
            model.outputs[name] = lithe.PositionOutput(at=place)
        model.analysis = lithe.DynamicAnalysis(duration=duration, step=2e-5, output_step=duration / 400, fields=[])
        result = model.solve()
        start, half, end = (result.channels[name] for name in ("start", "middle", "end"))
        chord = end - start
        offset = half - (start + end) / 2
        across = (chord[:, 0] * offset[:, 1] - chord[:, 1] * offset[:, 0]) / np.linalg.norm(chord, axis=1)
        if n == 8:
            CURVES.append(Curve("slider_crank", "middle of the rod", str(n), formulation, list(result.time), list(across),
                                list(times[::10]), list(middle[::10]), ("time (s)", "displacement (m)")))  # fmt: skip
        error = np.abs(across - np.interp(result.time, times, middle)).max() / np.abs(middle).max()
        yield row("slider_crank", "deflection of the rod's middle over two turns", n, np.abs(middle).max(), np.abs(across).max(),
                  limit, "rod by three modes in its chord, prescribed crank, integrated here", error=error)  # fmt: skip


def pendulum_of_p1(formulation: str):
    """P1's soft cable in space: the tip at the four times until 1 s of which cable_pendulum.py holds the solution."""
    reference, until = cable_pendulum.REFERENCE, cable_pendulum.CHECKED_UNTIL
    wanted = reference[np.isclose(reference[:, 0], until)][0, 1:]
    for n, limit in {10: 2e-3, 20: None, 40: 1e-4}.items():
        result = cable_pendulum.pendulum(n, cable_pendulum.STEP, until)
        tip = result.channels["tip"]
        CURVES.append(Curve("cable_pendulum", "tip y", str(n), formulation, list(result.time), list(tip[:, 1]),
                            list(reference[:4, 0]), list(reference[:4, 2]), ("time (s)", "place (m)")))  # fmt: skip
        yield row("cable_pendulum", "distance of the tip until 1 s, of its length; x at 1 s", n, wanted[0], tip[-1, 0], limit,
                  "P1, figures 8 to 10 (no numbers); an independent solution, studies/cable_pendulum.py",
                  error=cable_pendulum.off(result, reference, until))  # fmt: skip


CASES = [
    Case("slider_crank", "flexible", slider_crank),
    Case("spin_up", "flexible", spin_up),
    Case("rotor", "flexible", rotor),
    Case("cable_pendulum", "flexible", pendulum_of_p1, formulations=False),
]
