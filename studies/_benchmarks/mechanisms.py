"""Rigid mechanisms of the IFToMM library of benchmark problems (Gonzalez, Dopico, Lugris and Cuadrado 2006), default settings.

The library's precision classes: a path stays within 1e-1 (low) or 1e-3 (high) of its reference. Rows with default settings
(steps of 1 ms, HHT) are judged by the high class. Error control bounds the error of a step, not that of the run: with 1e-8 it is
judged by the low class, with 1e-6 too but for N = 40 four-bars, whose error grows most at the flat position. Andrews' mechanism is over
in 30 ms: default settings are far off, and it is judged that the run says so; it takes the step that the warning asks for. The library's files are not at
hand: references are integrated here from the equations of the reduced motion, Andrews' is from the test set for initial value
problem solvers.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from .core import CURVES, Case, Curve, lithe, row

G = 9.81
LOW, HIGH = 0.1, 1e-3
LIBRARY = "problem of the IFToMM benchmark library (Gonzalez et al. 2006); "
SETTINGS = {"default settings": ({}, HIGH), "control error, 1e-6": ({"control": "error", "error_tolerance": 1e-6}, LOW),
            "control error, 1e-8": ({"control": "error", "error_tolerance": 1e-8}, LOW)}  # fmt: skip
BEYOND = {("four_bars_40", "control error, 1e-6")}  # reported, not judged


def runge_kutta(rate, state, duration: float, steps: int, every: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Times and states; plain floats, as the systems are small."""
    h = duration / steps
    times, states = [0.0], [list(state)]
    state = list(state)
    for k in range(steps):
        a = rate(state)
        b = rate([x + h / 2 * d for x, d in zip(state, a)])
        c = rate([x + h / 2 * d for x, d in zip(state, b)])
        d = rate([x + h * e for x, e in zip(state, c)])
        state = [x + h / 6 * (p + 2 * q + 2 * r + s) for x, p, q, r, s in zip(state, a, b, c, d)]
        if (k + 1) % every == 0:
            times.append((k + 1) * h)
            states.append(list(state))
    return np.array(times), np.array(states)


def run(model, channel: str, duration: float, settings: dict):
    model.analysis = lithe.DynamicAnalysis(duration=duration, output_step=duration / 1000, fields=[], **settings)
    result = model.solve()
    return result.time, result.channels[channel], result


def compare(case: str, quantity: str, model, channel: str, columns, duration: float, times, reference, source: str, scale=1.0):
    """Largest deviation of columns of a channel from a reference over the whole run, of `scale`."""
    for name, (settings, limit) in SETTINGS.items():
        t, values, result = run(model, channel, duration, settings)
        worst = 0.0
        for column, exact in zip(columns, reference.T):
            worst = max(worst, np.abs(values[:, column] - np.interp(t, times, exact)).max())
        if not settings:
            some = slice(None, None, len(times) // 60)
            CURVES.append(Curve(case, quantity.split(" over")[0], "", "none", list(t), list(values[:, columns[0]]),
                                list(times[some]), list(reference[some, 0]), ("time (s)", "first component (m)")))  # fmt: skip
        limit = None if (case, name) in BEYOND else limit
        yield row(case, f"{quantity}, {name}", f"{result.report['steps']} steps", reference[-1, 0], values[-1, columns[0]], limit,
                  source, error=worst / scale, run_seconds=result.report["seconds"]["total"])  # fmt: skip


def pendulum(_: str):
    """A point of 1 kg on a massless bar of 1 m, from the horizontal."""
    times, states = runge_kutta(lambda s: [s[1], -G * math.cos(s[0])], [math.pi, 0.0], 10.0, 20000, 10)
    reference = np.column_stack([np.cos(states[:, 0]), np.sin(states[:, 0])])
    model = lithe.Model(name="simple pendulum")
    model.bodies["mass"] = lithe.PointMass(mass=1.0, position=(-1, 0, 0))
    model.joints["bar"] = lithe.Distance(a={"body": "ground", "point": (0, 0, 0)}, b="mass")
    model.constraints["plane"] = lithe.Fix(at="mass", along=[(0, 0, 1)])
    model.loads["gravity"] = lithe.Gravity(acceleration=(0, -G, 0))
    model.outputs["mass"] = lithe.PositionOutput(at="mass")
    yield from compare("simple_pendulum", "x and y of the mass over 10 s (m)", model, "mass", (0, 1), 10.0, times, reference,
                       LIBRARY + "pendulum equation integrated here")  # fmt: skip


def four_bars(_: str):
    """N windows of unit rods of 1 kg that start upright with 1 m/s; all cranks stay parallel, also through the flat position."""
    for windows in (2, 40):
        inertia, weight = (windows + 1) / 3 + windows, ((windows + 1) / 2 + windows) * G
        times, states = runge_kutta(lambda s: [s[1], -weight * math.cos(s[0]) / inertia], [math.pi / 2, -1.0], 10.0, 20000, 10)
        reference = np.column_stack([np.cos(states[:, 0]), np.sin(states[:, 0])])
        points = [(float(k), 0.0, 0.0) for k in range(windows + 1)] + [(float(k), 1.0, 0.0) for k in range(windows + 1)]
        n = windows + 1
        bars = [(k, n + k) for k in range(n)] + [(n + k, n + k + 1) for k in range(windows)]
        model = lithe.Model(name="four-bars")
        model.bodies["bars"] = lithe.Linkage(points=points, bars=bars, bar_mass=1.0, plane=(0, 0, 1), ground=list(range(n)),
                                             sets={"upper": list(range(n, 2 * n))})  # fmt: skip
        model.initial_velocities["start"] = lithe.InitialVelocity(on="bars.upper", velocity=(1.0, 0, 0))
        model.loads["gravity"] = lithe.Gravity(acceleration=(0, -G, 0))
        model.outputs["B0"] = lithe.PositionOutput(at={"body": "bars", "node": n})
        yield from compare(f"four_bars_{windows}", f"x and y of B0 over 10 s, N = {windows} (m)", model, "B0", (0, 1), 10.0, times,
                           reference, LIBRARY + "equation of the parallel cranks integrated here")  # fmt: skip


def andrews(_: str):
    """Andrews' squeezer, 0.03 s; the lengths of the test set (d = 28, e = 20, rr = 7, ss = 35, u = 40, zf = 20, zt = 40 mm)."""
    angles = {"beta": -0.0617138900142764496358948458001, "gamma": 0.455279819163070380255912382449,
              "phi": 0.222668390165885884674473185609, "delta": 0.487364979543842550225598953530,
              "omega": -0.222668390165885884674473185609, "epsilon": 1.23054744454982119249735015568}  # fmt: skip
    b, gamma, phi, delta, omega, epsilon = angles.values()
    theta = 0.0
    xa, ya, xb, yb, xc, yc = -0.06934, -0.00227, -0.03635, 0.03273, 0.014, 0.072
    rr, ra, d, da, e, ea, fa = 7e-3, 92e-5, 28e-3, 115e-4, 2e-2, 1421e-5, 1421e-5
    ss, sa, sb, sc, sd = 35e-3, 1874e-5, 1043e-5, 18e-3, 2e-2
    u, ua, ub, ta, tb, zt, zf = 4e-2, 1228e-5, 449e-5, 2308e-5, 916e-5, 4e-2, 2e-2
    c, s = math.cos, math.sin
    F = (rr * c(b), rr * s(b))
    bt = b + theta
    E = (rr * c(b) - d * c(bt), rr * s(b) - d * s(bt))
    centre = {  # of mass, as in the test set
        "k1": (ra * c(b), ra * s(b), b),
        "k2": (rr * c(b) - da * c(bt), rr * s(b) - da * s(bt), bt),
        "k3": (xb + sa * s(gamma) + sb * c(gamma), yb - sa * c(gamma) + sb * s(gamma), gamma),
        "k4": (xa + zt * c(delta) + (e - ea) * s(phi + delta), ya + zt * s(delta) - (e - ea) * c(phi + delta), phi + delta),
        "k5": (xa + ta * c(delta) - tb * s(delta), ya + ta * s(delta) + tb * c(delta), delta),
        "k6": (xa + u * s(epsilon) + (zf - fa) * c(omega + epsilon), ya - u * c(epsilon) + (zf - fa) * s(omega + epsilon),
               omega + epsilon),
        "k7": (xa + ua * s(epsilon) - ub * c(epsilon), ya - ua * c(epsilon) - ub * s(epsilon), epsilon),
    }  # fmt: skip
    masses = (0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498)
    inertias = (2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5)
    D = (xb + sc * s(gamma) + sd * c(gamma), yb - sc * c(gamma) + sd * s(gamma))
    Gp = (xa + zt * c(delta), ya + zt * s(delta))
    H = (xa + u * s(epsilon), ya - u * c(epsilon))
    model = lithe.Model(name="Andrews' squeezer")
    for (name, (x, y, angle)), m, inertia in zip(centre.items(), masses, inertias):
        local = {}
        for point, place in {"F": F, "E": E, "D": D, "G": Gp, "H": H}.items():
            dx, dy = place[0] - x, place[1] - y
            local[point] = (c(angle) * dx + s(angle) * dy, -s(angle) * dx + c(angle) * dy, 0)
        model.bodies[name] = lithe.RigidBody(position=(x, y, 0), x_axis=(c(angle), s(angle), 0), y_axis=(-s(angle), c(angle), 0),
                                             mass=m, inertia=(0.6 * inertia, 0.6 * inertia, inertia), points=local)  # fmt: skip
    axis = (0, 0, 1)
    for name, one, place in (("O", "k1", (0, 0)), ("B", "k3", (xb, yb)), ("A5", "k5", (xa, ya)), ("A7", "k7", (xa, ya))):
        model.joints[name] = lithe.Revolute(a="ground", b=one, point=(*place, 0), axis=axis)
    for name, one, two in (("F", "k1.F", "k2.F"), ("G", "k5.G", "k4.G"), ("H", "k7.H", "k6.H"), ("E3", "k2.E", "k3.E"),
                           ("E4", "k2.E", "k4.E"), ("E6", "k2.E", "k6.E")):  # fmt: skip
        model.joints[name] = lithe.Revolute(a=one, b=two, axis=axis)
    model.springs["spring"] = lithe.Spring(a={"body": "ground", "point": (xc, yc, 0)}, b="k3.D", stiffness=4530.0,
                                           free_length=0.07785)  # fmt: skip
    model.springs["motor"] = lithe.TorsionSpring(joint="O", moment=0.033)
    model.outputs["beta"] = lithe.JointOutput(joint="O")
    final = 15.81077119629904
    controlled = {"step": 1e-5, "control": "error", "error_tolerance": 1e-6}
    for name, settings, limit in (("default settings", {}, None), ("steps of 1e-4", {"step": 1e-4}, LOW),
                                  ("steps of 1e-5", {"step": 1e-5}, HIGH), ("control error, 1e-6", controlled, HIGH)):  # fmt: skip
        model.analysis = lithe.DynamicAnalysis(duration=0.03, fields=[], **settings)
        result = model.solve()
        column = result.channels.columns("beta").index("angle")
        turned = b + result.channels["beta"][-1, column]
        yield row("andrews", f"beta at 0.03 s (rad), {name}", f"{result.report['steps']} steps", final, turned, limit,
                  "test set for initial value problem solvers (Mazzia, Iavernaro and Magherini 2006), problem andrews, beta at the "
                  "end", run_seconds=result.report["seconds"]["total"])  # fmt: skip
        if not settings:
            warned = any("take at most" in text for text in result.report["warnings"])
            yield row("andrews", "default settings: the run warns of its step (1: yes)", f"{result.report['steps']} steps", 1.0,
                      float(warned), 0.0, "parts turn by radians in a step")  # fmt: skip


BRICARD = np.array([(0, 0, 0), (1, 0, 0), (1, -1, 0), (1, -1, 1), (0, -1, 1), (0, 0, 1)], float)
AXES = np.array([(0, 1, 0), (0, 0, 1), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 0, 0)], float)
ROD = (2 * 0.01 / 12, 1.01 / 12, 1.01 / 12)  # 1 kg, 1 x 0.1 x 0.1 m: along it, across it


def turn(axis: np.ndarray, angle: float) -> np.ndarray:
    k = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    return np.eye(3) + math.sin(angle) * k + (1 - math.cos(angle)) * k @ k


def bricard_chain(q: np.ndarray):
    """Rotations, hinges and axes of the open chain with joint angles q from the start; the sixth hinge and its axis close it."""
    R, place = np.eye(3), BRICARD[0]
    rotations, hinges, axes = [], [place], []
    for k in range(5):
        axes.append(R @ AXES[k])
        R = R @ turn(AXES[k], q[k])
        place = place + R @ (BRICARD[k + 1] - BRICARD[k])
        rotations.append(R)
        hinges.append(place)
    return rotations, hinges, axes


def bricard_closure(q: np.ndarray) -> np.ndarray:
    rotations, hinges, _ = bricard_chain(q)
    return np.concatenate([hinges[5] - BRICARD[5], np.cross(rotations[4] @ AXES[5], AXES[5])])


@lru_cache
def bricard_reference() -> tuple[np.ndarray, np.ndarray]:
    """The one motion of the mechanism as a curve of joint angles, its inertia and potential along it, and the motion in time."""

    def jacobian(q):
        return np.array([(bricard_closure(q + 1e-6 * e) - bricard_closure(q - 1e-6 * e)) / 2e-6 for e in np.eye(5)]).T

    def inertia_and_potential(q, rate):
        rotations, hinges, axes = bricard_chain(q)
        spin, speed = np.zeros(3), np.zeros(3)
        kinetic = potential = 0.0
        for k in range(5):
            spin = spin + axes[k] * rate[k]
            rod = hinges[k + 1] - hinges[k]
            along, centre = spin @ rod, speed + np.cross(spin, rod / 2)
            kinetic += centre @ centre + ROD[1] * (spin @ spin - along**2) + ROD[0] * along**2
            potential += G * (hinges[k][1] + rod[1] / 2)
            speed = speed + np.cross(spin, rod)
        return kinetic, potential, hinges[3]

    # Along the curve both ways from the start, until the potential is as high as at the start again.
    step, table = 0.005, {}
    for sign in (1, -1):
        q, tangent = np.zeros(5), None
        for k in range(0, 2000):
            _, _, vt = np.linalg.svd(jacobian(q))
            new = vt[-1]
            if tangent is None:
                new = sign * new * np.sign(new[np.abs(new).argmax()])
            elif new @ tangent < 0:
                new = -new
            tangent = new
            m, v, p = inertia_and_potential(q, tangent)
            table[sign * k] = (m, v, p)
            if k > 40 and v > table[0][1] + 0.3:
                break
            q = q + step * tangent
            for _ in range(4):
                q = q - np.linalg.pinv(jacobian(q), rcond=1e-6) @ bricard_closure(q)
    keys = sorted(table)
    s = step * np.array(keys)
    m, v = (np.array([table[k][i] for k in keys]) for i in range(2))
    p = np.array([table[k][2] for k in keys])
    dm, dv = np.gradient(m, s, edge_order=2), np.gradient(v, s, edge_order=2)

    def rate(state):
        x = (state[0] - s[0]) / step
        i = min(max(int(x), 1), len(s) - 3)
        f = x - i
        # Cubic through four points.
        w = (-f * (f - 1) * (f - 2) / 6, (f + 1) * (f - 1) * (f - 2) / 2, -(f + 1) * f * (f - 2) / 2, (f + 1) * f * (f - 1) / 6)
        at = lambda a: sum(c * a[i - 1 + n] for n, c in enumerate(w))  # noqa: E731
        return [state[1], -(at(dm) * state[1] ** 2 / 2 + at(dv)) / at(m)]

    times, states = runge_kutta(rate, [0.0, 0.0], 10.0, 10000, 5)
    return times, np.column_stack([np.interp(states[:, 0], s, p[:, i]) for i in range(3)])


def bricard(_: str):
    """Bricard's mechanism: five rods of 1 kg and 1 m, six hinges, one freedom that Gruebler's count does not see; 10 s."""
    times, reference = bricard_reference()
    model = lithe.Model(name="Bricard's mechanism")
    for k in range(5):
        rod = BRICARD[k + 1] - BRICARD[k]
        centre = (BRICARD[k] + BRICARD[k + 1]) / 2
        model.bodies[f"rod{k + 1}"] = lithe.RigidBody(position=tuple(centre), x_axis=tuple(rod), y_axis=tuple(AXES[k]), mass=1.0,
                                                      inertia=ROD, points={"start": (-0.5, 0, 0), "end": (0.5, 0, 0)})  # fmt: skip
    for k in range(6):
        a = "ground" if k == 0 else f"rod{k}.end"
        b = "ground" if k == 5 else f"rod{k + 1}.start"
        model.joints[f"hinge{k + 1}"] = lithe.Revolute(a=a, b=b, point=tuple(BRICARD[k]), axis=tuple(AXES[k]))
    model.loads["gravity"] = lithe.Gravity(acceleration=(0, -G, 0))
    model.outputs["P3"] = lithe.PositionOutput(at="rod3.end")
    yield from compare("bricard", "place of P3 over 10 s (m)", model, "P3", (0, 1, 2), 10.0, times, reference,
                       LIBRARY + "one-freedom equation along the numerically traced motion, integrated here")  # fmt: skip


@lru_cache
def governor_reference(duration: float) -> tuple[np.ndarray, np.ndarray]:
    """Arms' angle below the horizontal and slider's height; the spin follows from the angular momentum."""
    rod, ball, slider, offset, k, damping = 0.3, 5.0, 3.0, 0.05, 8e5, 4e4
    along, across = rod * 2e-4 / 12, rod * (1 + 1e-4) / 12
    rest = slider * 0.02 / 12 + rod * 2e-4 / 12

    def moment(c, s):
        return 2 * (rod * (offset + c / 2) ** 2 + across * c * c + along * s * s + ball * (offset + c) ** 2) + rest

    alpha = math.radians(30)
    momentum = moment(math.cos(alpha), math.sin(alpha)) * 2 * math.pi
    arms = 2 * (rod / 4 + across + ball)

    def rate(state):
        a, h, da, dh = state
        c, s = math.cos(a), math.sin(a)
        J = moment(c, s)
        dJ = 2 * (-2 * rod * (offset + c / 2) * s / 2 - 2 * across * c * s + 2 * along * c * s - 2 * ball * (offset + c) * s)
        x, z = c / 2, 1 - s / 2 - h
        length = math.hypot(x, z)
        rate_of_length = (x * (-s / 2 * da) + z * (-c / 2 * da - dh)) / length
        force = 2 * (k * (length - 0.5) + damping * rate_of_length)
        by_angle, by_height = (x * (-s / 2) + z * (-c / 2)) / length, -z / length
        return [da, dh, (momentum**2 * dJ / (2 * J * J) + 2 * G * (rod / 2 + ball) * c - force * by_angle) / arms,
                (-slider * G - force * by_height) / slider]  # fmt: skip

    times, states = runge_kutta(rate, [alpha, 0.5, 0.0, 0.0], duration, round(duration / 5e-5), 100)
    return times, states[:, 1:2]


def governor(_: str):
    """Stiff flyball governor: rods of 1 m hinged to a shaft that turns freely at 2 pi rad/s, balls of 5 kg, a slider on stiff
    springs (8e5 N/m, 4e4 N s/m); the height of the slider over 10 s."""
    times, reference = governor_reference(10.0)
    c, s, spin = math.cos(math.radians(30)), math.sin(math.radians(30)), 2 * math.pi
    model = lithe.Model(name="flyball governor")
    model.bodies["shaft"] = lithe.RigidBody(position=(0, 0, 0.5), shape=lithe.BoxShape(size=(0.01, 0.01, 1.0)), density=3000,
                                            angular_velocity=(0, 0, spin))  # fmt: skip
    model.bodies["slider"] = lithe.RigidBody(position=(0, 0, 0.5), shape=lithe.BoxShape(size=(0.1, 0.1, 0.1)), density=3000,
                                             angular_velocity=(0, 0, spin),
                                             points={"right": (0.05, 0, 0), "left": (-0.05, 0, 0)})  # fmt: skip
    model.joints["bearing"] = lithe.Revolute(a="ground", b="shaft", point=(0, 0, 0), axis=(0, 0, 1))
    model.joints["guide"] = lithe.Prismatic(a="shaft", b="slider", point=(0, 0, 0.5), axis=(0, 0, 1))
    for name, side in (("right", 1), ("left", -1)):
        x, tip = side * (0.05 + c / 2), (side * (0.05 + c), 0, 1 - s)
        model.bodies[name] = lithe.RigidBody(position=(x, 0, 1 - s / 2), x_axis=(side * c, 0, -s), y_axis=(0, 1, 0),
                                             shape=lithe.BoxShape(size=(1.0, 0.01, 0.01)), density=3000, velocity=(0, spin * x, 0),
                                             angular_velocity=(0, 0, spin),
                                             points={"middle": (0, 0, 0), "tip": (0.5, 0, 0)})  # fmt: skip
        model.bodies[f"{name}_ball"] = lithe.PointMass(mass=5.0, position=tip, velocity=(0, spin * tip[0], 0))
        model.joints[name] = lithe.Revolute(a="shaft", b=name, point=(side * 0.05, 0, 1), axis=(0, 1, 0))
        model.joints[f"{name}_ball"] = lithe.Spherical(a=f"{name}.tip", b=f"{name}_ball")
        model.springs[name] = lithe.Spring(a=f"{name}.middle", b=f"slider.{name}", stiffness=8e5, damping=4e4, free_length=0.5)
    model.loads["gravity"] = lithe.Gravity(acceleration=(0, 0, -G))
    model.outputs["slider"] = lithe.PositionOutput(at={"body": "slider", "point": (0, 0, 0.5)})
    yield from compare("governor", "height of the slider over 10 s (m)", model, "slider", (2,), 10.0, times, reference,
                       LIBRARY + "three-freedom equations (spin, arms, slider) integrated here")  # fmt: skip


CASES = [
    Case("simple_pendulum", "mechanisms", pendulum, formulations=False),
    Case("four_bars", "mechanisms", four_bars, formulations=False),
    Case("andrews", "mechanisms", andrews, formulations=False),
    Case("bricard", "mechanisms", bricard, formulations=False),
    Case("governor", "mechanisms", governor, formulations=False),
]
