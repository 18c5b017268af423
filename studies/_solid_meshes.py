"""Lattices of bricks mapped to any shape, as hex8, tet4 or tet10 in files of gmsh and Abaqus, and as hexa3843 by nodes."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Callable

import numpy as np

# Corners of a brick in lattice steps, and its sides by corners with x_min first.
BRICK = np.array([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)])
# Edges with a node in their middle: the order of Abaqus; gmsh has the last two the other way round.
EDGES = [(0, 1), (1, 2), (0, 2), (0, 3), (1, 3), (2, 3)]
GMSH_ORDER = [0, 1, 2, 3, 4, 5, 6, 7, 9, 8]
# Sides by corners, in Abaqus' order S1, S2, ...
BRICK_SIDES = [(0, 1, 2, 3), (4, 7, 6, 5), (0, 4, 5, 1), (1, 5, 6, 2), (2, 6, 7, 3), (3, 7, 4, 0)]
TETRA_SIDES = [(0, 1, 2), (0, 3, 1), (1, 3, 2), (2, 3, 0)]
GMSH_TYPE = {"hex8": 5, "tet4": 4, "tet10": 11}
GMSH_SIDE = {"hex8": 3, "tet4": 2, "tet10": 9}
ABAQUS_TYPE = {"hex8": "C3D8", "tet4": "C3D4", "tet10": "C3D10"}


class Lattice:
    """`shape` maps the unit cube's s, t, u to x, y, z; `counts` bricks along each."""

    def __init__(self, kind: str, counts: tuple[int, int, int], shape: Callable):
        self.kind = kind
        fine = 2 if kind == "tet10" else 1
        counts = np.array(counts)
        size = fine * counts + 1
        lattice = np.stack(np.meshgrid(*map(np.arange, size), indexing="ij"), axis=-1).reshape(-1, 3)
        self.points = shape(*(lattice / (fine * counts)).T).T

        def number(at):  # of a place in half or whole steps
            return (at[..., 0] * size[1] + at[..., 1]) * size[2] + at[..., 2]

        bricks = np.stack(np.meshgrid(*map(np.arange, counts), indexing="ij"), axis=-1).reshape(-1, 1, 3)
        cells = BRICK[None] if kind == "hex8" else np.array(self.tetrahedra())
        corners = (fine * (bricks[:, :, None] + cells[None])).reshape(-1, cells.shape[1], 3)
        if kind == "tet10":
            middles = np.stack([(corners[:, a] + corners[:, b]) // 2 for a, b in EDGES], axis=1)
            corners = np.concatenate([corners, middles], axis=1)
        self.elements = number(corners)
        used = np.unique(self.elements)  # a tet10 leaves no place of the fine lattice out, but numbers must be dense
        self.points, lattice = self.points[used], lattice[used]
        self.elements = np.searchsorted(used, self.elements)
        self.ends = {"x_min": np.flatnonzero(lattice[:, 0] == 0), "x_max": np.flatnonzero(lattice[:, 0] == size[0] - 1)}

    @staticmethod
    def tetrahedra() -> list:
        """Six around the diagonal from the first corner to the last: one for each order of steps along it."""
        cells = []
        for order in itertools.permutations(range(3)):
            corners = np.zeros((4, 3), int)
            for k, axis in enumerate(order):
                corners[k + 1 :, axis] += 1
            if np.linalg.det(corners[1:] - corners[0]) < 0:
                corners[[1, 2]] = corners[[2, 1]]
            cells.append(corners)
        return cells

    def sides(self, end: str) -> list[tuple[int, int]]:
        """(element, side) on an end."""
        on = np.zeros(len(self.points), bool)
        on[self.ends[end]] = True
        table = BRICK_SIDES if self.kind == "hex8" else TETRA_SIDES
        return [(int(e), k) for k, side in enumerate(table) for e in np.flatnonzero(on[self.elements[:, side]].all(1))]

    def side_nodes(self, element: int, side: int) -> list[int]:
        nodes = self.elements[element]
        if self.kind == "hex8":
            return [int(nodes[k]) for k in BRICK_SIDES[side]]
        corners = TETRA_SIDES[side]
        found = [int(nodes[k]) for k in corners]
        if self.kind == "tet10":
            pairs = [tuple(sorted(p)) for p in zip(corners, corners[1:] + corners[:1])]
            found += [int(nodes[4 + EDGES.index(p)]) for p in pairs]
        return found

    # ---- files; labels count from 1 ----

    def write(self, path: Path, form: str) -> None:
        lines = {"msh2": self._msh2, "msh4": self._msh4, "inp": self._inp}[form]()
        path.write_text("\n".join(lines) + "\n")

    def _gmsh_cells(self):
        """(physical group, dimension, type, [nodes]) of volume and ends."""
        order = GMSH_ORDER if self.kind == "tet10" else slice(None)
        yield 1, 3, GMSH_TYPE[self.kind], (self.elements[:, order] + 1).tolist()
        for group, end in ((2, "x_min"), (3, "x_max")):
            cells = [[n + 1 for n in self.side_nodes(*at)] for at in self.sides(end)]
            yield group, 2, GMSH_SIDE[self.kind], cells

    _NAMES = ["$PhysicalNames", "3", '3 1 "solid"', '2 2 "x_min"', '2 3 "x_max"', "$EndPhysicalNames"]

    def _msh2(self):
        yield from ["$MeshFormat", "2.2 0 8", "$EndMeshFormat", *self._NAMES, "$Nodes", str(len(self.points))]
        for k, (x, y, z) in enumerate(self.points.tolist()):
            yield f"{k + 1} {x!r} {y!r} {z!r}"
        cells = [(group, kind, nodes) for group, _, kind, many in self._gmsh_cells() for nodes in many]
        yield from ["$EndNodes", "$Elements", str(len(cells))]
        for k, (group, kind, nodes) in enumerate(cells):
            yield f"{k + 1} {kind} 2 {group} {group} {' '.join(map(str, nodes))}"
        yield "$EndElements"

    def _msh4(self):
        yield from ["$MeshFormat", "4.1 0 8", "$EndMeshFormat", *self._NAMES]
        low, high = self.points.min(0), self.points.max(0)
        box = " ".join(map(repr, [*low.tolist(), *high.tolist()]))
        yield from ["$Entities", "0 0 2 1", f"2 {box} 1 2 0", f"3 {box} 1 3 0", f"1 {box} 1 1 0", "$EndEntities"]
        count = len(self.points)
        yield from ["$Nodes", f"1 {count} 1 {count}", f"3 1 0 {count}", *map(str, range(1, count + 1))]
        yield from (f"{x!r} {y!r} {z!r}" for x, y, z in self.points.tolist())
        blocks = list(self._gmsh_cells())
        total = sum(len(cells) for *_, cells in blocks)
        yield from ["$EndNodes", "$Elements", f"{len(blocks)} {total} 1 {total}"]
        label = 0
        for group, dimension, kind, cells in blocks:
            yield f"{dimension} {group} {kind} {len(cells)}"
            for nodes in cells:
                label += 1
                yield f"{label} {' '.join(map(str, nodes))}"
        yield "$EndElements"

    def _inp(self):
        yield "*NODE"
        for k, (x, y, z) in enumerate(self.points.tolist()):
            yield f"{k + 1}, {x!r}, {y!r}, {z!r}"
        yield f"*ELEMENT, TYPE={ABAQUS_TYPE[self.kind]}, ELSET=solid"
        for k, nodes in enumerate((self.elements + 1).tolist()):
            yield f"{k + 1}, {', '.join(map(str, nodes))}"
        for end, nodes in self.ends.items():
            yield f"*NSET, NSET={end}"
            yield from (f"{n + 1}," for n in nodes)
        yield "*SURFACE, TYPE=ELEMENT, NAME=x_max"
        yield from (f"{element + 1}, S{side + 1}" for element, side in self.sides("x_max"))


def hexa_nodes(counts: tuple[int, int, int], size: tuple[float, float, float], shape: Callable, slopes: Callable) -> dict:
    """A `nodes` mesh of hexa3843: as Lattice, with d(x, y, z)/d(s, t, u) from `slopes`, over lengths `size` of the cube."""
    lattice = Lattice("hex8", counts, lambda *stu: np.array(stu))
    positions = shape(*lattice.points.T).T
    gradients = [column.T / length for column, length in zip(slopes(*lattice.points.T), size)]
    nodes = np.concatenate([positions, *gradients], axis=1)
    x_max = positions[:, 0].max()
    return {
        "type": "nodes",
        "nodes": nodes.tolist(),
        "elements": lattice.elements.tolist(),
        "size": [[length / count for length, count in zip(size, counts)]],
        "sets": {end: found.tolist() for end, found in lattice.ends.items()},
        "sides": {"x_max": {"normal": [1, 0, 0], "box": [[x_max - 1e-6, -1e3, -1e3], [x_max + 1e-6, 1e3, 1e3]]}},
    }
