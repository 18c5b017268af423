"""Bricks (hexa3843): a cantilever under its weight, a thick ring under pressure; how nearly incompressible and thin ones lock.

The element has one formulation; its rows say where it may be used.
"""

from __future__ import annotations

from .core import Case, lithe, row

SMALL = 1e-4


def cantilever(_: str):
    """A bar of square section under its own weight, small deflection; the clamp holds the section's plane."""
    E, length = 1e9, 1.0
    for slenderness in (10, 100):
        for nu in (0.3, 0.49, 0.499):
            side = length / slenderness
            I, shear = side**4 / 12, 10 * (1 + nu) / (12 + 11 * nu) * E / (2 * (1 + nu)) * side**2
            per_load = length**4 / (8 * E * I) + length**2 / (2 * shear)
            load = SMALL * length / per_load
            for n, limit in {4: None, 8: None, 16: 0.05 if nu == 0.3 and slenderness == 10 else None}.items():
                model = lithe.Model(name="brick cantilever")
                model.materials["material"] = lithe.Isotropic(E=E, nu=nu, density=1.0)
                mesh = lithe.BlockMesh(length=(length, 0, 0), width=(0, side, 0), height=(0, 0, side), elements=(n, 1, 1))
                model.bodies["bar"] = lithe.Body(element="hexa3843", material="material", mesh=mesh)
                model.constraints["root"] = lithe.Clamp(at="bar.x_min")
                model.loads["weight"] = lithe.Gravity(acceleration=(0, 0, -load / side**2))
                model.outputs["tip"] = lithe.DisplacementOutput(at="bar.x_max_middle")
                model.analysis = lithe.StaticAnalysis(fields=[])
                tip = -model.solve().channels["tip"][-1][2]
                yield row("brick_cantilever", f"tip over Timoshenko's, L/t {slenderness}, nu {nu:g}", f"{n}x1x1", 1.0,
                          tip / (load * per_load), limit, "Timoshenko's beam")  # fmt: skip


def ring(_: str):
    """A quarter of a ring from 1 to 2, 0.1 thick, under pressure from inside."""
    E, pressure = 1e9, 1e3
    for nu in (0.3, 0.49, 0.499):
        exact = pressure / E * (5 / 3 + nu)
        for n, limit in {4: None, 8: 0.01}.items():
            model = lithe.Model(name="ring")
            model.materials["material"] = lithe.Isotropic(E=E, nu=nu, density=1.0)
            model.sections["plate"] = lithe.Plate(thickness=0.1)
            mesh = lithe.AnnularPlateMesh(inner_radius=1.0, outer_radius=2.0, angle=90, elements=(2 * n, n))
            model.bodies["ring"] = lithe.Body(element="hexa3843", material="material", section="plate", mesh=mesh)
            across = ["position", "y_gradient", "z_gradient"]
            model.constraints["start"] = lithe.Fix(at="ring.start", coordinates=across, along=[(0, 1, 0)])
            model.constraints["end"] = lithe.Fix(at="ring.end", coordinates=across, along=[(1, 0, 0)])
            model.constraints["height"] = lithe.Fix(at={"body": "ring", "node": 0}, along=[(0, 0, 1)])
            model.loads["pressure"] = lithe.Pressure(on="ring.inner", pressure=pressure)
            model.outputs["inside"] = lithe.DisplacementOutput(at={"body": "ring", "point": (1.0, 0, 0)})
            model.analysis = lithe.StaticAnalysis(fields=[])
            moved = model.solve().channels["inside"][-1][0]
            yield row("thick_ring", f"radial displacement inside over Lame's, nu {nu:g}", f"{2 * n}x{n}", 1.0, moved / exact, limit,
                      "Lame's thick ring, plane stress")  # fmt: skip


CASES = [
    Case("brick_cantilever", "solids", cantilever, formulations=False),
    Case("thick_ring", "solids", ring, formulations=False),
]
