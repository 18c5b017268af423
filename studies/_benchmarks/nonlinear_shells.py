"""The eight problems of Sze, Liu and Lo (2004), with their tables (sze_tables.py).

The error of a path is its largest deviation from the published points over the largest published displacement, at equal loads;
where the structure snaps (and the loaded point is moved instead), the distance of each published point from the computed path,
displacements over the largest one and loads over the largest one. Published and computed of a row are the displacements under
the full load.
"""

from __future__ import annotations

import math

import numpy as np

from . import core, sze_tables
from .core import CURVES, Case, Curve, lithe, row
from .shells import hemisphere_model
from .surfaces import X, Y, Z, displacement, edge_load, hold_edge, model_of, patch, path, pushed, symmetry

LIMIT = 0.02


def meshes(coarse: tuple[int, int], published: tuple[int, int]) -> list[tuple[int, int, float | None]]:
    """The published mesh is judged."""
    return [(*coarse, None)] + ([] if core.COARSE else [(*published, LIMIT)])


def refined(line: np.ndarray, parts: int = 8) -> np.ndarray:
    """More points on a smooth curve through those of a path (cubics with the slopes of their neighbours)."""
    if len(line) < 3:
        return line
    slope = np.gradient(line, axis=0)
    s = (np.arange(parts) / parts)[:, None]
    pieces = [(2 * s**3 - 3 * s**2 + 1) * a + (s**3 - 2 * s**2 + s) * da + (3 * s**2 - 2 * s**3) * b + (s**3 - s**2) * db
              for a, b, da, db in zip(line[:-1], line[1:], slope[:-1], slope[1:])]  # fmt: skip
    return np.vstack([*pieces, line[-1:]])


def distance(points: np.ndarray, computed: np.ndarray) -> float:
    """Largest distance of points [point][u, P] from a polyline, both made dimensionless by the largest of the points."""
    if len(computed) < 2:
        return math.nan
    scale = np.abs(points).max(axis=0)
    points, line = points / scale, refined(np.vstack([[0.0, 0.0], computed]) / scale)
    a, d = line[:-1], np.diff(line, axis=0)
    length = np.maximum((d * d).sum(axis=1), 1e-30)
    worst = 0.0
    for point in points:
        share = np.clip(((point - a) * d).sum(axis=1) / length, 0, 1)
        worst = max(worst, np.linalg.norm(a + share[:, None] * d - point, axis=1).min())
    return float(worst)


def at_full_load(loads: np.ndarray, values: np.ndarray) -> float:
    """Where the path reaches the full load for the last time; not a number where it does not."""
    for k in range(len(loads) - 1, 0, -1):
        if loads[k - 1] < 1 <= loads[k] * (1 + 1e-9):
            return float(values[k - 1] + (1 - loads[k - 1]) / (loads[k] - loads[k - 1]) * (values[k] - values[k - 1]))
    return math.nan


def compare(case: str, formulation: str, table, values: dict[str, tuple[int, np.ndarray]], elements: str, limit, source: str,
            loads: np.ndarray | None = None):  # fmt: skip
    """Rows and curves; values: name -> (column of the table, computed). loads: of the computed path, else the table's own."""
    published_loads = np.array([one[0] for one in table])
    for name, (column, computed) in values.items():
        published = np.array([one[column] for one in table])
        if loads is None:
            of_path, complete = published_loads[: len(computed)], len(computed) == len(published)
            error = np.abs(computed - published).max() / np.abs(published).max() if complete else math.nan
            last = computed[-1] if complete else math.nan
        else:
            of_path = loads
            error = distance(np.column_stack([published, published_loads]), np.column_stack([computed, loads]))
            last = at_full_load(loads, computed)
        CURVES.append(Curve(case, name, elements, formulation, list(computed), list(of_path), list(published),
                            list(published_loads)))  # fmt: skip
        yield row(case, f"path of {name}", elements, published[-1], last, limit, sze_tables.SOURCE + source, error=error)


def strip(length: float):
    return lambda u, v: ((length * u, v - 0.5, 0), (length, 0, 0), (0, 1, 0))


def end_shear(formulation: str):
    """3.1: a strip of 10 x 1 x 0.1, E 1.2e6, nu 0, a force of 4 across its end."""
    table = sze_tables.END_SHEAR
    for m, n, limit in meshes((8, 1), (16, 1)):
        made = patch(strip(10.0), m, n)
        model = model_of(made, formulation, 0.1, {"E": 1.2e6, "nu": 0.0})
        model.constraints["root"] = lithe.Clamp(at="shell.u0")
        edge_load(model, made, "u1", (0, 0, "4*t"))
        model.outputs["tip"] = lithe.DisplacementOutput(at={"body": "shell", "point": (10, 0, 0)})
        tip = path(model, ["tip"], [one[0] for one in table])["tip"]
        yield from compare("sze_end_shear", formulation, table, {"-u": (1, -tip[:, 0]), "w": (2, tip[:, 2])}, f"{m}x{n}", limit,
                           "section 3.1")  # fmt: skip


def end_moment(formulation: str):
    """3.2: a strip of 12 x 1 x 0.1, E 1.2e6, nu 0, rolled up by a moment of 50 pi/3 at its end."""
    table = sze_tables.END_MOMENT
    for m, n, limit in meshes((8, 1), (16, 1)):
        made = patch(strip(12.0), m, n)
        model = model_of(made, formulation, 0.1, {"E": 1.2e6, "nu": 0.0})
        model.constraints["root"] = lithe.Clamp(at="shell.u0")
        place = {"body": "shell", "element": m - 1, "xi": (1, 0, 0)}
        model.loads["moment"] = lithe.PointMoment(at=place, moment=(0, "-50*pi/3*t", 0))
        model.outputs["tip"] = lithe.DisplacementOutput(at=place)
        tip = path(model, ["tip"], [one[0] for one in table])["tip"]
        yield from compare("sze_end_moment", formulation, table, {"-u": (1, -tip[:, 0]), "w": (2, tip[:, 2])}, f"{m}x{n}",
                           limit, "section 3.2, exact values")  # fmt: skip


def slit_annulus(formulation: str):
    """3.3: a ring from 6 to 10, t 0.03, E 21e6, nu 0, cut open, one side clamped, the other lifted by 0.8 a length."""
    table = sze_tables.SLIT_ANNULUS

    def surface(u, v):
        a, r = 2 * math.pi * u, 10 - 4 * v
        c, s = math.cos(a), math.sin(a)
        return (r * c, r * s, 0), (-2 * math.pi * r * s, 2 * math.pi * r * c, 0), (-4 * c, -4 * s, 0)

    for m, n, limit in meshes((30, 6), (80, 10)):
        made = patch(surface, m, n)
        model = model_of(made, formulation, 0.03, {"E": 21e6, "nu": 0.0})
        model.constraints["slit"] = lithe.Clamp(at="shell.u0")
        edge_load(model, made, "u1", (0, 0, "0.8*t"))
        displacement(model, "A", made.place(m, n))
        displacement(model, "B", made.place(m, 0))
        found = path(model, ["A", "B"], [one[0] for one in table])
        yield from compare("sze_slit_annulus", formulation, table,
                           {"w inside": (1, found["A"][:, 2]), "w outside": (2, found["B"][:, 2])}, f"{m}x{n}", limit,
                           "section 3.3")  # fmt: skip


def hemisphere(formulation: str):
    """3.4: the hemisphere of the linear problem under 400."""
    table = sze_tables.HEMISPHERE
    for n, _, limit in meshes((8, 8), (16, 16)):
        model = hemisphere_model(formulation, n, "200*t")
        found = path(model, ["w", "in"], [one[0] for one in table])
        values = {"u of A": (1, found["w"][:, 0]), "-v of B": (2, -found["in"][:, 1])}
        yield from compare("sze_hemisphere", formulation, table, values, f"{n}x{n}", limit, "section 3.4")


def cylinder(radius: float, length: float):
    """An eighth: u around from the top (z) to the side (x), v along y from the middle to the end."""

    def surface(u, v):
        a = math.pi / 2 * u
        c, s = math.cos(a), math.sin(a)
        return ((radius * s, length / 2 * v, radius * c), (radius * math.pi / 2 * c, 0, -radius * math.pi / 2 * s),
                (0, length / 2, 0))  # fmt: skip

    return surface


def pullout(formulation: str):
    """3.5: a cylinder with free ends, R 4.953, length 10.35, t 0.094, E 10.5e6, nu 0.3125, pulled apart by 40000."""
    table = sze_tables.PULLOUT
    for m, n, limit in meshes((12, 8), (36, 24)):
        made = patch(cylinder(4.953, 10.35), m, n)
        model = model_of(made, formulation, 0.094, {"E": 10.5e6, "nu": 0.3125})
        symmetry(model, "u0", X)
        symmetry(model, "u1", Z)
        symmetry(model, "v0", Y)
        for name, place in (("A", made.place(0, 0)), ("B", made.place(m, 0)), ("C", made.place(m, n))):
            displacement(model, name, place)
        loads, found = pushed(model, made.place(0, 0), 2.8, 10000.0, ["A", "B", "C"])
        yield from compare("sze_pullout", formulation, table,
                           {"w of A": (1, found["A"][:, 2]), "-u of B": (2, -found["B"][:, 0]), "-u of C": (3, -found["C"][:, 0])},
                           f"{m}x{n}", limit, "section 3.5", loads=loads)  # fmt: skip


def pinched_cylinder(formulation: str):
    """3.6: a cylinder on rigid diaphragms, R 100, length 200, t 1, E 30e3, nu 0.3, pinched by 12000."""
    table = sze_tables.PINCHED_CYLINDER
    for m, n, limit in meshes((24, 24), (48, 48)):
        made = patch(cylinder(100.0, 200.0), m, n)
        model = model_of(made, formulation, 1.0, {"E": 30e3, "nu": 0.3})
        symmetry(model, "u0", X)
        symmetry(model, "u1", Z)
        symmetry(model, "v0", Y)
        hold_edge(model, "v1", X, Z)
        displacement(model, "A", made.place(0, 0))
        displacement(model, "B", made.place(m, 0))
        loads, found = pushed(model, made.place(0, 0), -84.0, -3000.0, ["A", "B"])
        values = {"-w of A": (1, -found["A"][:, 2]), "u of B": (2, found["B"][:, 0])}
        yield from compare("sze_pinched_cylinder", formulation, table, values, f"{m}x{n}", limit, "section 3.6", loads=loads)


def lay_up(name: str, thickness: float) -> list[tuple[float, float]] | None:
    """0 of the paper is along the cylinder's axis, which is 90 degrees from the mesh's x."""
    return None if name == "isotropic" else [(thickness / 3, 90.0 - float(angle)) for angle in name.split("/")]


def transverse(E1, E2, G12, nu, G23):
    return {"E1": E1, "E2": E2, "E3": E2, "nu12": nu, "nu13": nu, "nu23": nu, "G12": G12, "G13": G12, "G23": G23}


def semi_cylinder(formulation: str):
    """3.7: half a cylinder, R 101.6, length 304.8, t 3, one end clamped, its sides on a plane of symmetry, 2000 down at the top
    of the free end; isotropic (E 2068.5, nu 0.3) and laminated."""
    table = sze_tables.SEMI_CYLINDER
    layered = transverse(2068.5, 517.125, 795.6, 0.3, 517.125 / 2.6)

    def surface(u, v):  # from the top to the side, from the clamp to the free end
        a = math.pi / 2 * u
        c, s = math.cos(a), math.sin(a)
        return (101.6 * s, 304.8 * v, 101.6 * c), (101.6 * math.pi / 2 * c, 0, -101.6 * math.pi / 2 * s), (0, 304.8, 0)

    for column, name in ((1, "isotropic"), (2, "0/90/0"), (3, "90/0/90")):
        for m, n, limit in meshes((16, 16), (32, 32)):
            made = patch(surface, m, n)
            model = model_of(made, formulation, 3.0, {"E": 2068.5, "nu": 0.3} if name == "isotropic" else layered,
                             lay_up(name, 3.0))  # fmt: skip
            model.constraints["clamp"] = lithe.Clamp(at="shell.v0")
            for edge in ("u0", "u1"):  # what the clamp holds is held already
                free = [node for node in made.sets[edge] if node not in made.sets["v0"]]
                model.bodies["shell"].mesh.sets[edge] = free
            symmetry(model, "u0", X)
            symmetry(model, "u1", Z)
            displacement(model, "A", made.place(0, n))
            loads, found = pushed(model, made.place(0, n), -1.08 * table[-1][column], -1000.0, ["A"])
            yield from compare("sze_semi_cylinder", formulation, table, {f"-w of A, {name}": (column, -found["A"][:, 2])},
                               f"{m}x{n}", limit, "section 3.7; 32x32 is our choice of mesh", loads=loads)  # fmt: skip


def roofs(formulation: str):
    """3.8: shallow roofs, R 2540, 508 long, 0.2 rad, straight sides hinged, 3000 in the middle; by arc length."""
    layered = transverse(3300.0, 1100.0, 660.0, 0.25, 660.0)

    def surface(u, v):  # a quarter from the middle: around, along the axis
        a = 0.1 * u
        c, s = math.cos(a), math.sin(a)
        return (2540 * s, 254 * v, 2540 * c), (254 * c, 0, -254 * s), (0, 254, 0)

    for (thickness, name), table in sze_tables.ROOFS.items():
        for m, n, limit in meshes((8, 8), (16, 16)):
            made = patch(surface, m, n)
            model = model_of(made, formulation, thickness, {"E": 3102.75, "nu": 0.3} if name == "isotropic" else layered,
                             lay_up(name, thickness))  # fmt: skip
            symmetry(model, "u0", X)
            symmetry(model, "v0", Y)
            hold_edge(model, "u1", X, Y, Z)
            model.loads["push"] = lithe.PointForce(at=made.place(0, 0), force=(0, 0, -750.0))
            displacement(model, "A", made.place(0, 0))
            model.analysis = lithe.StaticAnalysis(method="arc_length", arc_length=0.02, largest_steps=600, fields=[])
            try:
                result = model.solve()
            except lithe.RunError as reason:
                result = reason.result
            down, load = -result.channels["A"][:, 2], result.load_factor
            points = np.array([(w, p) for p, w in table])
            # One that the run did not reach counts by its distance from the end.
            error = distance(points, np.column_stack([down, load]))
            CURVES.append(Curve("sze_roofs", f"t {thickness}, {name}", f"{m}x{n}", formulation, list(down), list(load),
                                [w for _, w in table], [p for p, _ in table]))  # fmt: skip
            yield row("sze_roofs", f"path of -w, t {thickness}, {name}", f"{m}x{n}", points[-1, 0],
                      float(np.interp(points[-1, 1], load[-5:], down[-5:])), limit,
                      sze_tables.SOURCE + "section 3.8; 16x16 is our choice of mesh", error=error)  # fmt: skip


CASES = [
    Case("sze_end_shear", "shells", end_shear),
    Case("sze_end_moment", "shells", end_moment),
    Case("sze_slit_annulus", "shells", slit_annulus),
    Case("sze_hemisphere", "shells", hemisphere),
    Case("sze_pullout", "shells", pullout),
    Case("sze_pinched_cylinder", "shells", pinched_cylinder),
    Case("sze_semi_cylinder", "shells", semi_cylinder),
    Case("sze_roofs", "shells", roofs),
]
