"""Linear shells: Scordelis-Lo roof, pinched cylinder, hemisphere with a hole, twisted strip, Cook's membrane.

Each runs with a load so small that the largest displacement is a few thousandths of the thickness; what is printed is scaled
back to the published load.
"""

from __future__ import annotations

import math

import numpy as np

from .core import Case, lithe, row
from .surfaces import X, Y, Z, displacement, edge_load, hold_edge, linear, model_of, patch, symmetry

MESHES = {4: None, 8: 0.05, 16: 0.02}
SMALL = 3e-3  # displacement over thickness
MACNEAL_HARDER = "MacNeal and Harder (1985), Finite Elem. Anal. Des. 1, 3-20"


def scordelis_lo(formulation: str):
    """Quarter of a roof on two diaphragms under its weight; R 25, length 50, t 0.25, 80 degrees, 90 per area."""
    published, t, angle = 0.3024, 0.25, math.radians(40)

    def surface(u, v):  # u along the arc from the crown, v along the axis from the middle
        a = angle * u
        return ((25 * math.sin(a), 25 * v, 25 * math.cos(a)),
                (25 * angle * math.cos(a), 0, -25 * angle * math.sin(a)), (0, 25, 0))  # fmt: skip

    scale = SMALL * t / published
    for n, limit in MESHES.items():
        made = patch(surface, n, n)
        model = model_of(made, formulation, t, {"E": 4.32e8, "nu": 0.0, "density": 360.0})
        symmetry(model, "u0", X)
        symmetry(model, "v0", Y)
        hold_edge(model, "v1", X, Z)
        model.loads["weight"] = lithe.Gravity(acceleration=(0, 0, -scale))
        displacement(model, "w", made.place(n, 0))
        yield row("scordelis_lo", "deflection of the free edge's middle", f"{n}x{n}", published, -linear(model)[2] / scale,
                  limit, f"{MACNEAL_HARDER}, theoretical value in the text")  # fmt: skip


def pinched_cylinder(formulation: str):
    """An eighth of a cylinder on two diaphragms, pinched by P = 1; R 300, length 600, t 3, E 3e6, nu 0.3."""
    published, t, radius = 164.24 / (3e6 * 3), 3.0, 300.0

    def surface(u, v):  # u around from the load at the top, v along the axis from the middle
        a = math.pi / 2 * u
        return ((radius * math.sin(a), 300 * v, radius * math.cos(a)),
                (radius * math.pi / 2 * math.cos(a), 0, -radius * math.pi / 2 * math.sin(a)), (0, 300, 0))  # fmt: skip

    scale = SMALL * t / published
    for n, limit in {4: None, 8: 0.15, 16: 0.05}.items():
        made = patch(surface, n, n)
        model = model_of(made, formulation, t, {"E": 3e6, "nu": 0.3})
        symmetry(model, "u0", X)
        symmetry(model, "u1", Z)
        symmetry(model, "v0", Y)
        hold_edge(model, "v1", X, Z)
        model.loads["pinch"] = lithe.PointForce(at=made.place(0, 0), force=(0, 0, -scale / 4))
        displacement(model, "w", made.place(0, 0))
        yield row("pinched_cylinder", "deflection under the load", f"{n}x{n}", published, -linear(model)[2] / scale, limit,
                  "Lindberg, Olson and Cowper (1969), NRC Canada Quart. Bull. 4: 164.24 P/(E t)")  # fmt: skip


def hemisphere_surface(u, v, radius=10.0, hole=18.0):
    """u: from the x axis to the y axis, v: from the equator to the hole."""
    a, b = math.pi / 2 * u, math.radians(90 - hole) * v
    ca, sa, cb, sb = math.cos(a), math.sin(a), math.cos(b), math.sin(b)
    da, db = math.pi / 2, math.radians(90 - hole)
    return (radius * np.array([ca * cb, sa * cb, sb]), radius * da * np.array([-sa * cb, ca * cb, 0]),
            radius * db * np.array([-ca * sb, -sa * sb, cb]))  # fmt: skip


def hemisphere_model(formulation: str, n: int, force: tuple | float | str):
    """A quarter with the force outwards along x and inwards along y; its vertical motion is held at one node."""
    made = patch(hemisphere_surface, n, n)
    model = model_of(made, formulation, 0.04, {"E": 6.825e7, "nu": 0.3})
    symmetry(model, "u0", Y)
    symmetry(model, "u1", X)
    model.constraints["height"] = lithe.Fix(at=made.place(n // 2, n), along=[Z])
    inwards = f"-({force})" if isinstance(force, str) else -force
    model.loads["out"] = lithe.PointForce(at=made.place(0, 0), force=(force, 0, 0))
    model.loads["in"] = lithe.PointForce(at=made.place(n, 0), force=(0, inwards, 0))
    displacement(model, "w", made.place(0, 0))
    displacement(model, "in", made.place(n, 0))
    return model


def hemisphere(formulation: str):
    """A hemisphere with a hole of 18 degrees, pulled and pushed by 2 at its equator; R 10, t 0.04."""
    published = 0.094
    scale = SMALL * 0.04 / published
    for n, limit in MESHES.items():
        model = hemisphere_model(formulation, n, scale)
        yield row("hemisphere", "displacement under the load", f"{n}x{n}", published, linear(model)[0] / scale, limit,
                  f"{MACNEAL_HARDER}, theoretical value in the text")  # fmt: skip


def twisted(formulation: str):
    """A strip of 12 x 1.1, twisted by 90 degrees, clamped at one end, a force across at the other; E 29e6, nu 0.22."""

    def surface(u, v):
        a, s = math.pi / 2 * u, 1.1 * (v - 0.5)
        return ((12 * u, s * math.cos(a), s * math.sin(a)),
                (12, -s * math.pi / 2 * math.sin(a), s * math.pi / 2 * math.cos(a)),
                (0, 1.1 * math.cos(a), 1.1 * math.sin(a)))  # fmt: skip

    # At the tip the width is along z: a force along z is in the plane of the strip there.
    thick = (0.32, 1.0, {"in plane": 5.424e-3, "out of plane": 1.754e-3}, f"{MACNEAL_HARDER}, theoretical values in the text")
    thin = (0.0032, 1e-6, {"in plane": 5.256e-3, "out of plane": 1.294e-3},
            "Simo, Fox and Rifai (1989), CMAME 73, 53-92, as quoted in FinEtoolsFlexStructures' twisted_beam_tut; a pretwisted "
            "beam that is free to curve across gives 5.316e-3 and 1.296e-3")  # fmt: skip
    for t, load, values, source in (thick, thin):
        for direction, published in values.items():
            scale = SMALL * t / published
            for n, limit in {6: None, 12: 0.05, 24: 0.02}.items():
                made = patch(surface, n, n // 6)
                model = model_of(made, formulation, t, {"E": 29e6, "nu": 0.22})
                model.constraints["root"] = lithe.Clamp(at="shell.u0")
                axis = 2 if direction == "in plane" else 1
                per_length = [0.0, 0.0, 0.0]
                per_length[axis] = load * scale / 1.1
                edge_load(model, made, "u1", tuple(per_length))
                model.outputs["w"] = lithe.DisplacementOutput(at={"body": "shell", "point": (12, 0, 0)})
                yield row(f"twisted_t{t:g}", f"tip, {direction}", f"{n}x{n // 6}", published, linear(model)[axis] / scale,
                          limit, source)  # fmt: skip


def cook(formulation: str):
    """Cook's tapered panel in its plane: corners (0,0), (48,44), (48,60), (0,44), E 1, nu 1/3, t 1, shear force 1."""
    published = 23.96

    def surface(u, v):
        a, b, c, d = (np.array(p, float) for p in ((0, 0, 0), (48, 44, 0), (48, 60, 0), (0, 44, 0)))
        return ((1 - u) * (1 - v) * a + u * (1 - v) * b + u * v * c + (1 - u) * v * d,
                (1 - v) * (b - a) + v * (c - d), (1 - u) * (d - a) + u * (c - b))  # fmt: skip

    scale = 1e-4 / published
    for n, limit in MESHES.items():
        made = patch(surface, n, n)
        model = model_of(made, formulation, 1.0, {"E": 1e9, "nu": 1 / 3})
        model.constraints["root"] = lithe.Clamp(at="shell.u0")
        edge_load(model, made, "u1", (0, 1e9 * scale / 16, 0))
        displacement(model, "w", made.place(n, n // 2))
        yield row("cook", "tip deflection at (48, 52)", f"{n}x{n}", published, linear(model)[1] / scale, limit,
                  "Cook, Malkus and Plesha (1989), fine-mesh value; 23.9642 of Mijuca and Berkovic")  # fmt: skip


CASES = [
    Case("scordelis_lo", "shells", scordelis_lo),
    Case("pinched_cylinder", "shells", pinched_cylinder),
    Case("hemisphere", "shells", hemisphere),
    Case("twisted_strip", "shells", twisted),
    Case("cook", "shells", cook),
]
