"""Bricks (hexa3843): bars under their weight, a clamped plate, thick rings under pressure, nu up to 0.499.

The element has one formulation; its rows say where it may be used.
"""

from __future__ import annotations

from .core import Case, lithe, row

SMALL = 1e-4
NUS = (0.3, 0.49, 0.499)


def cantilever(_: str):
    """A bar of square section under its own weight, small deflection. `free`: the root contracts as the beam's does;
    `held`: a clamp keeps the section's size, in elements longer than that over all their length."""
    E, length = 1e9, 1.0
    for slenderness in (10, 100):
        for nu in NUS:
            side = length / slenderness
            I, shear = side**4 / 12, 10 * (1 + nu) / (12 + 11 * nu) * E / (2 * (1 + nu)) * side**2
            per_load = length**4 / (8 * E * I) + length**2 / (2 * shear)
            load = SMALL * length / per_load
            for root in ("free", "held"):
                for n in (4, 8, 16):
                    limit = 0.01 if root == "free" else 0.05 if nu == 0.3 and slenderness == 10 and n == 16 else None
                    model = lithe.Model(name="brick cantilever")
                    model.materials["material"] = lithe.Isotropic(E=E, nu=nu, density=1.0)
                    mesh = lithe.BlockMesh(length=(length, 0, 0), width=(0, side, 0), height=(0, 0, side), elements=(n, 1, 1))
                    model.bodies["bar"] = lithe.Body(element="hexa3843", material="material", mesh=mesh)
                    if root == "held":
                        model.constraints["root"] = lithe.Clamp(at="bar.x_min")
                    else:
                        plane = ["position", "y_gradient", "z_gradient"]
                        model.constraints["root"] = lithe.Fix(at="bar.x_min", coordinates=plane, along=[(1, 0, 0)])
                        corner = {"body": "bar", "node": 0}
                        model.constraints["corner"] = lithe.Fix(at=corner, along=[(0, 1, 0), (0, 0, 1)])
                        model.constraints["turn"] = lithe.Fix(at={"body": "bar", "node": n + 1}, along=[(0, 0, 1)])
                    model.loads["weight"] = lithe.Gravity(acceleration=(0, 0, -load / side**2))
                    model.outputs["tip"] = lithe.DisplacementOutput(at="bar.x_max_middle")
                    model.analysis = lithe.StaticAnalysis(fields=[])
                    tip = -model.solve().channels["tip"][-1][2]
                    yield row("brick_cantilever", f"tip over Timoshenko's, root {root}, L/t {slenderness}, nu {nu:g}", f"{n}x1x1",
                              1.0, tip / (load * per_load), limit, "Timoshenko's beam")  # fmt: skip


def plate(_: str):
    """A quarter of a clamped square plate of side 2 under its own weight, one brick over the thickness."""
    E, coefficient = 1e9, 0.00126532
    for slenderness in (100, 1000):
        for nu in NUS:
            t = 2.0 / slenderness
            D = E * t**3 / 12 / (1 - nu * nu)
            load = SMALL * t * D / 16
            for n in (2, 4, 8):
                model = lithe.Model(name="brick plate")
                model.materials["material"] = lithe.Isotropic(E=E, nu=nu, density=1.0)
                mesh = lithe.BlockMesh(length=(1, 0, 0), width=(0, 1, 0), height=(0, 0, t), elements=(n, n, 1))
                model.bodies["plate"] = lithe.Body(element="hexa3843", material="material", mesh=mesh)
                for side, normal in {"x_min": (1, 0, 0), "y_min": (0, 1, 0)}.items():
                    model.constraints[side] = lithe.SymmetryPlane(at=f"plate.{side}", normal=normal)
                for side in ("x_max", "y_max"):
                    model.constraints[side] = lithe.Fix(at=f"plate.{side}", coordinates=["position"])
                model.loads["weight"] = lithe.Gravity(acceleration=(0, 0, -load / t))
                model.outputs["middle"] = lithe.DisplacementOutput(at={"body": "plate", "node": 0})
                model.analysis = lithe.StaticAnalysis(fields=[])
                middle = -model.solve().channels["middle"][-1][2]
                limit = 0.01 if slenderness == 100 and n == 8 else None
                yield row("brick_plate", f"middle over Kirchhoff's, L/t {slenderness}, nu {nu:g}", f"{n}x{n}x1", 1.0,
                          middle / (coefficient * load * 16 / D), limit, "Timoshenko and Woinowsky-Krieger")  # fmt: skip


def ring(_: str):
    """A quarter of a ring from 1 to 2, 0.1 thick, under pressure from inside; free across, and held (plane strain)."""
    E, pressure = 1e9, 1e3
    for held in (False, True):
        for nu in NUS:
            exact = pressure / E * ((1 + nu) * (5 - 2 * nu) / 3 if held else 5 / 3 + nu)
            for n, limit in {4: None, 8: 0.01}.items():
                model = lithe.Model(name="ring")
                model.materials["material"] = lithe.Isotropic(E=E, nu=nu, density=1.0)
                model.sections["plate"] = lithe.Plate(thickness=0.1)
                mesh = lithe.AnnularPlateMesh(inner_radius=1.0, outer_radius=2.0, angle=90, elements=(2 * n, n))
                model.bodies["ring"] = lithe.Body(element="hexa3843", material="material", section="plate", mesh=mesh)
                across = ["position", "y_gradient", "z_gradient"]
                model.constraints["start"] = lithe.Fix(at="ring.start", coordinates=across, along=[(0, 1, 0)])
                model.constraints["end"] = lithe.Fix(at="ring.end", coordinates=across, along=[(1, 0, 0)])
                if held:
                    model.constraints["height"] = lithe.Fix(at="ring.all", along=[(0, 0, 1)], coordinates=["x_gradient", *across])
                else:
                    model.constraints["height"] = lithe.Fix(at={"body": "ring", "node": 0}, along=[(0, 0, 1)])
                model.loads["pressure"] = lithe.Pressure(on="ring.inner", pressure=pressure)
                model.outputs["inside"] = lithe.DisplacementOutput(at={"body": "ring", "point": (1.0, 0, 0)})
                model.analysis = lithe.StaticAnalysis(fields=[])
                moved = model.solve().channels["inside"][-1][0]
                state = "plane strain" if held else "plane stress"
                yield row("thick_ring", f"radial displacement inside over Lame's, {state}, nu {nu:g}", f"{2 * n}x{n}", 1.0,
                          moved / exact, limit, f"Lame's thick ring, {state}")  # fmt: skip


CASES = [
    Case("brick_cantilever", "solids", cantilever, formulations=False),
    Case("brick_plate", "solids", plate, formulations=False),
    Case("thick_ring", "solids", ring, formulations=False),
]
