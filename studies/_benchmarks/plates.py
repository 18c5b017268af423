"""Square plates, Morley's skew plate and laminates, linear, against series (plate_theory.py) and published coefficients."""

from __future__ import annotations

import math

from . import plate_theory
from .core import Case, lithe, row
from .shells import MESHES, SMALL
from .surfaces import X, Y, Z, displacement, fix, hold_edge, linear, model_of, patch, symmetry

E = 1e10
NAVIER = "Navier's series with shear factor 5/6, computed here"
RITZ = "Ritz solution of Reissner and Mindlin's plate with shear factor 5/6, computed here (thin: Timoshenko's 0.00126)"
TIMOSHENKO = "Timoshenko and Woinowsky-Krieger (1959)"
LAYER = {"E1": 25.0, "E2": 1.0, "E3": 1.0, "nu12": 0.25, "nu13": 0.25, "nu23": 0.25, "G12": 0.5, "G13": 0.5, "G23": 0.2}


def quarter(u, v):
    """A quarter of a plate of side 1 from its middle."""
    return (u / 2, v / 2, 0), (0.5, 0, 0), (0, 0.5, 0)


def load_middle(model, made, t: float, load: str, amount: float) -> None:
    """A force `amount` on the whole plate's middle, or a load per area of that size."""
    if load == "point":
        model.loads["load"] = lithe.PointForce(at=made.place(0, 0), force=(0, 0, amount / 4))
    else:
        model.loads["load"] = lithe.Gravity(acceleration=(0, 0, amount / t))  # density 1
    displacement(model, "w", made.place(0, 0))


def square(formulation: str, support: str, load: str, nu: float, slenderness: int):
    t = 1 / slenderness
    if support == "supported":
        reference, source = plate_theory.supported(E, nu, t, 1.0, load, shear=load == "uniform"), NAVIER
        if load == "point":
            source = f"{TIMOSHENKO}, table 23: 0.01160 P a^2/D; the series computed here"
    elif load == "uniform":
        reference, source = plate_theory.clamped(E, nu, t, 1.0), RITZ
    else:
        reference, source = 0.00560 / plate_theory.rigidity(E, nu, t), f"{TIMOSHENKO}, table 37: 0.00560 P a^2/D"
    amount = SMALL * t / reference
    for n, limit in MESHES.items():
        made = patch(quarter, n, n)
        model = model_of(made, formulation, t, {"E": E, "nu": nu, "density": 1.0})
        symmetry(model, "u0", X)
        symmetry(model, "v0", Y)
        for edge, along in (("u1", Y), ("v1", X)):
            if support == "clamped":
                continue
            hold_edge(model, edge, Z)
            fix(model, f"hard_{edge}", f"shell.{edge}", "z", along)
        if support == "clamped":
            model.constraints["clamp"] = lithe.Clamp(at="shell.u1")
            model.constraints["clamp_2"] = lithe.Clamp(at="shell.v1")
        load_middle(model, made, t, load, amount)
        D = plate_theory.rigidity(E, nu, t)
        yield row(f"plate_{support}_{load}", f"w D/(load a^{4 if load == 'uniform' else 2}), nu {nu:g}, a/t {slenderness}",
                  f"{n}x{n}", reference * D, linear(model)[2] / amount * D, limit, source)  # fmt: skip


def plates(support: str, load: str):
    def rows(formulation: str):
        for nu in (0.3, 0.45) if load == "uniform" else (0.3,):
            for slenderness in (10, 100, 1000) if load == "uniform" else (100, 1000):
                yield from square(formulation, support, load, nu, slenderness)

    return rows


def morley(formulation: str):
    """A rhombic plate of 30 degrees, edges held vertically alone, uniform load; L 1, nu 0.3.

    With w = 0 along both edges the slopes at a corner vanish, but near an obtuse corner of 150 degrees they grow as r^0.2: held
    there they stiffen the whole first element. Rows with the corners' slopes held and free; the free ones are judged.
    """
    a = math.radians(30)

    def surface(u, v):
        return (u + v * math.cos(a), v * math.sin(a), 0), (1, 0, 0), (math.cos(a), math.sin(a), 0)

    published = 0.408e-3
    for slenderness, limits, source in (
        (100, {}, "Morley (1963), Skew Plates and Structures, Pergamon, thin plate; thicker ones deflect more, so not judged"),
        (1000, {8: 0.15, 16: 0.05}, "Morley (1963), Skew Plates and Structures, Pergamon; also Razzaque (1973), IJNME 6, 333-343"),
    ):
        t = 1 / slenderness
        D = plate_theory.rigidity(E, 0.3, t)
        amount = SMALL * t * D / published
        for corners in ("free", "held"):
            for n in MESHES:
                made = patch(surface, n, n)
                model = model_of(made, formulation, t, {"E": E, "nu": 0.3, "density": 1.0})
                pointed = {made.node(0, 0), made.node(n, 0), made.node(0, n), made.node(n, n)}
                for edge, tangent in (("u0", "y"), ("u1", "y"), ("v0", "x"), ("v1", "x")):
                    nodes = made.sets[edge] if corners == "held" else [k for k in made.sets[edge] if k not in pointed]
                    model.bodies["shell"].mesh.sets[f"{edge}_slopes"] = nodes
                    fix(model, edge, f"shell.{edge}", "r", Z)
                    fix(model, f"{edge}_slopes", f"shell.{edge}_slopes", tangent, Z)
                model.constraints["corner"] = lithe.Fix(at=made.place(0, 0), along=[X, Y])
                model.constraints["turn"] = lithe.Fix(at=made.place(n, 0), along=[Y])
                model.loads["load"] = lithe.Gravity(acceleration=(0, 0, amount / t))
                displacement(model, "w", made.place(n // 2, n // 2))
                yield row("morley", f"middle, w D/(q a^4), a/t {slenderness}, corners' slopes {corners}", f"{n}x{n}", published,
                          linear(model)[2] * D / amount, limits.get(n) if corners == "free" else None, source)  # fmt: skip


def laminates(formulation: str):
    """Simply supported square laminates under a uniform load; a/t 100, and 10 where shear counts (not judged)."""
    material = {key: value * (1 if key.startswith("nu") else 1e9) for key, value in LAYER.items()} | {"density": 1.0}
    for name, angles in (("0/90/0", (0, 90, 0)), ("0/90", (0, 90)), ("45/-45", (45, -45)), ("30/-30/30/-30", (30, -30) * 2)):
        angle_ply = any(angle % 90 for angle in angles)
        for slenderness in (100, 10):
            t = 1 / slenderness
            layers = [(t / len(angles), angle) for angle in angles]
            reference = plate_theory.laminate(material, layers, 1.0)
            amount = SMALL * t / reference
            for n, limit in MESHES.items():
                if angle_ply:  # no planes of symmetry: the whole plate
                    made = patch(lambda u, v: ((u, v, 0), X, Y), n, n)
                else:
                    made = patch(quarter, n, n)
                model = model_of(made, formulation, t, material, layers)
                if angle_ply:
                    for edge, normal, along in (("u0", X, Y), ("u1", X, Y), ("v0", Y, X), ("v1", Y, X)):
                        hold_edge(model, edge, Z)
                        hold_edge(model, edge, normal)
                        fix(model, f"hard_{edge}", f"shell.{edge}", "z", along)
                else:
                    symmetry(model, "u0", X)
                    symmetry(model, "v0", Y)
                    for edge, along in (("u1", Y), ("v1", X)):
                        hold_edge(model, edge, Z)
                        hold_edge(model, edge, along, director=True)
                model.loads["load"] = lithe.Gravity(acceleration=(0, 0, amount / t))
                displacement(model, "w", made.place(n // 2, n // 2) if angle_ply else made.place(0, 0))
                scale = 100 * 1e9 * t**3
                yield row("laminate", f"{name}: 100 w E2 t^3/(q a^4), a/t {slenderness}", f"{n}x{n}", reference * scale,
                          linear(model)[2] / amount * scale, limit if slenderness == 100 else None,
                          "Navier's series of first-order laminate theory, shear factor 5/6, computed here"
                          + ("; the factor of a laminate is smaller, so not judged" if slenderness == 10 else ""))  # fmt: skip


CASES = [
    Case("plate_clamped", "shells", plates("clamped", "uniform")),
    Case("plate_supported", "shells", plates("supported", "uniform")),
    Case("plate_clamped_point", "shells", plates("clamped", "point")),
    Case("plate_supported_point", "shells", plates("supported", "point")),
    Case("morley", "shells", morley),
    Case("laminates", "shells", laminates),
]
