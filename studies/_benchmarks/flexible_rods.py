"""Rods whose sections are given by their stiffness and mass: right-angle cantilever, misaligned four-bar, lateral buckling.

Of these there are curves in print and no tables. References are geometrically exact rods by directors (exact_rods.py), two meshes
extrapolated, and for the right-angle cantilever extremes that another program gives for the published curves.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from .core import CURVES, DEFAULT, Case, Curve, lithe, row
from .exact_rods import Rods

RODS = "exact rods by directors, two meshes extrapolated, integrated here"


def member(model, name: str, section, start, end, n: int, width) -> None:
    """section: six stiffnesses, mass a length, integrals of density times yy and zz."""
    stiffness, mass, second = section
    model.sections[name] = lithe.General(stiffness=stiffness, mass=mass, mass_second=(*second, 0.0))
    mesh = lithe.LineMesh(from_=start, to=end, elements=n, width_direction=width)
    model.bodies[name] = lithe.Body(element="beam3243", material="none", section=name, mesh=mesh)


def new_model(name: str):
    model = lithe.Model(name=name)
    model.materials["none"] = lithe.Isotropic(E=1.0, nu=0.0, density=1.0)  # the sections have their stiffness and mass
    return model


def extrapolated(coarse: np.ndarray, fine: np.ndarray) -> np.ndarray:
    """Of results with an error of second order, the fine one with half the length and the same times."""
    return (4 * fine - coarse) / 3


def turned(frame: np.ndarray, axis: int, angle: float) -> np.ndarray:
    """Rows of a frame turned about a coordinate axis."""
    R = np.eye(3)
    a, b = (axis + 1) % 3, (axis + 2) % 3
    R[a, a] = R[b, b] = math.cos(angle)
    R[b, a], R[a, b] = math.sin(angle), -math.sin(angle)
    return frame @ R.T


ELBOW = ((1e6, 1e6, 1e6, 1e3, 1e3, 1e3), 1.0, (10.0, 10.0))
ELBOW_TIMES = np.arange(0, 30.01, 0.1)


@lru_cache
def elbow_reference() -> np.ndarray:
    """Out-of-plane displacement of elbow and tip at ELBOW_TIMES."""
    found = []
    for n in (5, 10):
        rods = Rods()
        first = rods.rod((0, 0, 0), (10, 0, 0), (0, 1, 0), n, *ELBOW)
        second = rods.rod((10, 0, 0), (10, 10, 0), (-1, 0, 0), n, *ELBOW)
        rods.hold(first[0])
        rods.weld(first[-1], second[0])

        def force(t, node=first[-1]):
            return {node: np.array([0, 0, 50 * max(0, min(t, 2 - t))])}

        found.append(rods.run(30.0, 0.5 / n, [first[-1], second[-1]], force=force, every=n // 5)[1][:, :, 2])
    return extrapolated(*found)


def elbow_run(n: int, step: float):
    model = new_model("right-angle cantilever")
    member(model, "first", ELBOW, (0, 0, 0), (10, 0, 0), n, (0, 1, 0))
    member(model, "second", ELBOW, (10, 0, 0), (10, 10, 0), n, (-1, 0, 0))
    model.constraints["root"] = lithe.Clamp(at="first.start")
    model.joints["elbow"] = lithe.Weld(a="first.end", b="second.start")
    model.loads["force"] = lithe.PointForce(at="first.end", force=(0, 0, "50*max(0,min(t,2-t))"))
    model.outputs["elbow"] = lithe.DisplacementOutput(at="first.end")
    model.outputs["tip"] = lithe.DisplacementOutput(at="second.end")
    model.analysis = lithe.DynamicAnalysis(duration=30.0, step=step, output_step=0.02, fields=[])
    result = model.solve()
    return result.time, {name: result.channels[name][:, 2] for name in ("elbow", "tip")}


def right_angle_cantilever(_: str):
    """Two legs of 10, GA = EA 1e6, GJ = EI 1e3, rho A 1, rho I (20, 10, 10); a force across their plane at the elbow up to 50 in
    1 s and back in another; free vibration until 30 s."""
    source = "Simo and Vu-Quoc (1988), CMAME 66, fig. 8"
    _, refined = elbow_run(20, 0.005)
    exact = dict(zip(("elbow", "tip"), elbow_reference().T))
    extremes = (("tip", np.max, 8.25), ("tip", np.min, -9.73), ("elbow", np.min, -4.06))
    for n, limit in {5: None, 10: 0.02}.items():
        t, moved = elbow_run(n, 0.02)
        for name, extreme, published in extremes:
            yield row("right_angle_cantilever", f"{'largest' if published > 0 else 'smallest'} displacement of the {name}",
                      f"{n}x2", published, extreme(moved[name]), limit,
                      f"{source}, curves; extremes of 40 elements of Exudyn's geometricallyExactBeamElbowCantilever.py "
                      "(Gerstmayr), to 0.005")  # fmt: skip
        for name, curve in moved.items():
            largest = np.abs(exact[name]).max()
            at = np.interp(ELBOW_TIMES, t, curve)
            yield row("right_angle_cantilever", f"{name} over 30 s, of the largest", f"{n}x2", largest, np.abs(curve).max(), limit,
                      f"problem of {source}; {RODS}", error=np.abs(at - exact[name]).max() / largest)  # fmt: skip
            yield row("right_angle_cantilever", f"{name} over 30 s against our own of 20x2, of the largest", f"{n}x2",
                      np.abs(refined[name]).max(), np.abs(curve).max(), limit, "20 elements a leg and steps of 0.005 s",
                      error=np.abs(curve - refined[name]).max() / np.abs(refined[name]).max())  # fmt: skip
            if n == 10:
                CURVES.append(Curve("right_angle_cantilever", name, f"{n}x2", DEFAULT, list(t), list(curve), list(ELBOW_TIMES[::4]),
                                    list(exact[name][::4]), ("time (s)", "displacement across the plane")))  # fmt: skip


THICK = ((52.992e6, 16.8803e6, 16.8803e6, 733.488, 1130.5, 1130.5), 1.9968, (42.5984e-6, 42.5984e-6))
THIN = ((13.248e6, 4.22008e6, 4.22008e6, 45.843, 70.656, 70.656), 0.4992, (2.6624e-6, 2.6624e-6))
CORNERS = ((0, 0, 0), (0, 0.12, 0), (0.24, 0.12, 0), (0.24, 0, 0))
SPIN = -0.6  # rad/s
SKEWED = (math.sin(math.radians(5)), 0.0, math.cos(math.radians(5)))
BAUCHAU = ("Bauchau, Betsch, Cardona, Gerstmayr, Jonker, Masarati and Sonneville (2016), Multibody System Dynamics 37, 29-48 "
           "(curves; parameters as in MBDyn's tests)")  # fmt: skip


@lru_cache
def four_bar_reference() -> tuple[np.ndarray, np.ndarray]:
    """Times and displacements of C; what vibrates fast is damped: the bars move almost statically."""
    found = []
    for n in (4, 8):
        rods = Rods()
        bars = [rods.rod(CORNERS[k], CORNERS[k + 1], (0, 0, 1), n, *(THIN if k == 2 else THICK)) for k in range(3)]
        start = np.reshape(rods.q[bars[0][0]][3:], (3, 3))
        rods.drive(bars[0][0], lambda t, start=start: turned(start, 2, SPIN * t))
        rods.hinge(bars[0][-1], bars[1][0], (0, 0, 1))
        rods.hinge(bars[1][-1], bars[2][0], SKEWED)
        rods.pivot(bars[2][-1], (0, 0, 1))
        velocity = np.zeros((len(rods.q), 4, 3))
        for bar, centre in ((bars[0], CORNERS[0]), (bars[2], CORNERS[3])):
            for k in bar:
                arms = np.reshape(rods.q[k], (4, 3)) - np.array([centre, (0, 0, 0), (0, 0, 0), (0, 0, 0)])
                velocity[k] = np.cross((0, 0, SPIN), arms)
        velocity[bars[1], 0, 0] = -SPIN * 0.12
        times, places = rods.run(12.0, 0.02, [bars[1][-1]], velocity=velocity, every=2, viscosity=1e-3)
        found.append(places[:, 0] - places[0, 0])
    return times, extrapolated(*found)


def four_bar(_: str):
    """Bars of 0.12, 0.24 and 0.12 m, the first turned at 0.6 rad/s; the axis at C is 5 degrees off, so that the bars must bend.

    It starts with the velocities of the rigid four-bar of parallel axes.
    """
    times, exact = four_bar_reference()
    for n, limit in {2: None, 4: 0.02}.items():
        model = new_model("four-bar with a misaligned joint")
        for k in range(3):
            member(model, f"bar{k + 1}", THIN if k == 2 else THICK, CORNERS[k], CORNERS[k + 1], n, (0, 0, 1))
        model.joints["A"] = lithe.Revolute(a="ground", b="bar1.start", axis=(0, 0, 1))
        model.joints["B"] = lithe.Revolute(a="bar1.end", b="bar2.start", axis=(0, 0, 1))
        model.joints["C"] = lithe.Revolute(a="bar2.end", b="bar3.start", axis=SKEWED)
        model.joints["D"] = lithe.Revolute(a="ground", b="bar3.end", axis=(0, 0, 1))
        model.joints["motor"] = lithe.Turn(joint="A", angle=f"{SPIN!r}*t")
        for name, centre in (("bar1", CORNERS[0]), ("bar3", CORNERS[3])):
            model.initial_velocities[name] = lithe.InitialVelocity(on=name, angular_velocity=(0, 0, SPIN), center=centre)
        model.initial_velocities["bar2"] = lithe.InitialVelocity(on="bar2", velocity=(-SPIN * 0.12, 0, 0))
        model.outputs["C"] = lithe.DisplacementOutput(at="bar2.end")
        model.analysis = lithe.DynamicAnalysis(duration=12.0, step=0.004, output_step=0.04, fields=[])
        result = model.solve()
        moved = result.channels["C"]
        for axis, name in enumerate(("x", "y", "out of the plane")):
            at, largest = np.interp(times, result.time, moved[:, axis]), np.abs(exact[:, axis]).max()
            yield row("four_bar_misaligned", f"C {name} over 12 s, of the largest (m)", f"{n}x3", largest,
                      np.abs(moved[:, axis]).max(), limit, f"{BAUCHAU}; {RODS}",
                      error=np.abs(at - exact[:, axis]).max() / largest)  # fmt: skip
        if n == 4:
            CURVES.append(Curve("four_bar_misaligned", "C out of the plane", f"{n}x3", DEFAULT, list(result.time),
                                list(1e3 * moved[:, 2]), list(times[::5]), list(1e3 * exact[::5, 2]),
                                ("time (s)", "displacement (mm)")))  # fmt: skip


STRIP = ((73e6, 5.025e6, 23.40e6, 877.2, 60830.0, 608.3), 2.68, (22.33e-6, 2233e-6))
LINK = ((33.02e6, 10.81e6, 10.81e6, 914.5, 1189.0, 1189.0), 1.212, (43.65e-6, 43.65e-6))
CRANK = ((132.1e6, 43.22e6, 43.22e6, 14630.0, 19020.0, 19020.0), 4.85, (698.3e-6, 698.3e-6))
OFFSET, HALF_TURN = 1e-4, 0.4  # m, s
PARTS = (("strip", STRIP, (0, 0, 0), (1, 0, 0)), ("link", LINK, (1, OFFSET, 0), (1, OFFSET, -0.25)),
         ("crank", CRANK, (0.95, OFFSET, -0.25), (1, OFFSET, -0.25)))  # fmt: skip


@lru_cache
def buckling_reference(duration: float) -> tuple[np.ndarray, np.ndarray]:
    """Times and lateral displacement of the strip's middle."""
    found = []
    for n in (8, 16):
        rods = Rods()
        strip, link, crank = (rods.rod(a, b, (0, 1, 0), k, *section)
                              for (_, section, a, b), k in zip(PARTS, (n, n // 4, 1)))  # fmt: skip
        rods.hold(strip[0])
        rods.ball(strip[-1], link[0], (0, OFFSET, 0))
        rods.hinge(link[-1], crank[-1], (0, 1, 0))
        start = np.reshape(rods.q[crank[0]][3:], (3, 3))
        rods.drive(crank[0], lambda t, start=start: turned(start, 1, -math.pi / 2 * (1 - math.cos(math.pi * t / HALF_TURN))))
        times, places = rods.run(duration, 0.008 / n, [strip[n // 2]], every=n // 8)
        found.append(places[:, 0, 1])
    return times, extrapolated(*found)


def lateral_buckling(_: str):
    """A strip of 1 m, 0.1 m high, 10 mm thick, bent in its plane by crank and link that are 0.1 mm beside it: it buckles sideways.

    After it has buckled it vibrates without damping, so that curves part; judged are the buckling and the first swing (0.2 s).
    The reference (8 and 16 elements) is within 0.6 % of one of 16 and 32 over that time.
    """
    duration = 0.2
    times, exact = buckling_reference(duration)
    peak = np.abs(exact).max()
    for n, limit in {8: None, 16: 0.02, 32: 0.02}.items():
        model = new_model("lateral buckling")
        for (name, section, a, b), k in zip(PARTS, (n, n // 4, 1)):
            member(model, name, section, a, b, k, (0, 1, 0))
        model.bodies["lug"] = lithe.RigidBody(position=(1, 0, 0), mass=1e-6, inertia=(1e-9, 1e-9, 1e-9),
                                              points={"pin": (0, OFFSET, 0)})  # fmt: skip
        model.constraints["root"] = lithe.Clamp(at="strip.start")
        model.joints["lug"] = lithe.Weld(a="strip.end", b="lug")
        model.joints["ball"] = lithe.Spherical(a="lug.pin", b="link.start")
        model.joints["pin"] = lithe.Revolute(a="link.end", b="crank.end", axis=(0, 1, 0))
        model.joints["shaft"] = lithe.Revolute(a="ground", b="crank.start", axis=(0, 1, 0))
        turn = f"{-math.pi / 2!r}*(1-cos({math.pi / HALF_TURN!r}*min(t,{HALF_TURN})))"
        model.joints["motor"] = lithe.Turn(joint="shaft", angle=turn)
        model.outputs["middle"] = lithe.DisplacementOutput(at={"body": "strip", "node": n // 2})
        model.analysis = lithe.DynamicAnalysis(duration=0.5, step=5e-4, output_step=1e-3, fields=[])
        result = model.solve()
        t, aside = result.time, result.channels["middle"][:, 1]
        if n == 32:
            CURVES.append(Curve("lateral_buckling", "middle, sideways", str(n), DEFAULT, list(t), list(1e3 * aside),
                                list(times[::4]), list(1e3 * exact[::4]), ("time (s)", "displacement (mm)")))  # fmt: skip
        yield row("lateral_buckling", "largest lateral displacement of the middle (m)", n, peak, np.abs(aside).max(), limit,
                  f"{BAUCHAU}; {RODS}")  # fmt: skip
        yield row("lateral_buckling", "time of 10 mm sideways (s)", n, _crossing(times, exact), _crossing(t, aside), limit,
                  f"{BAUCHAU}; {RODS}")  # fmt: skip
        error = np.abs(np.interp(times, t, aside) - exact).max() / peak
        yield row("lateral_buckling", "lateral displacement over 0.2 s, of the largest (m)", n, peak, np.abs(aside).max(),
                  0.05 if n == 32 else None, f"{BAUCHAU}; {RODS}", error=error)  # fmt: skip


def _crossing(t: np.ndarray, aside: np.ndarray) -> float:
    """First time at which a displacement reaches 10 mm."""
    k = int(np.argmax(np.abs(aside) >= 0.01))
    return float(np.interp(0.01, np.abs(aside[k - 1 : k + 1]), t[k - 1 : k + 1]))


CASES = [
    Case("right_angle_cantilever", "flexible", right_angle_cantilever, formulations=False, only=DEFAULT),
    Case("four_bar_misaligned", "flexible", four_bar, formulations=False, only=DEFAULT),
    Case("lateral_buckling", "flexible", lateral_buckling, formulations=False, only=DEFAULT),
]
