"""Pictures of results with matplotlib.

    python3 -m lithe.plot RESULT.h5 -o PICTURE.png [--step -1] [--frames 8] [--body NAME] [--channel NAME]

The step is coloured by von Mises stress. Behind it, light: the reference configuration (statics, dashed), or frames of
the motion that led there (dynamics) and the paths of rigid bodies and points. Curves and surfaces are the elements' own
(shape functions on a fine grid), not straight lines between nodes; a rigid body is its three axes.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from typing import Any

import numpy as np

from . import _lithe
from .result import Body, Result

_INK = "#24303c"
_GHOST = "#93a1ad"
_CABLE = "#2b5d8a"
_PATH = "#c8553d"
# Faces of a hexahedron by the natural coordinate that is fixed and its value, with the nodes there.
_HEXA_FACES = {
    (0, -1): (0, 3, 7, 4), (0, 1): (1, 2, 6, 5), (1, -1): (0, 1, 5, 4),
    (1, 1): (3, 2, 6, 7), (2, -1): (0, 1, 2, 3), (2, 1): (4, 5, 6, 7),
}  # fmt: skip


def _scaled(body: Body, coordinates: np.ndarray) -> np.ndarray:
    """Coordinate vectors of each element, [element][N][3], gradients times half the element's size."""
    vectors = coordinates.shape[1]
    scale = np.concatenate([np.ones((len(body.size), 1)), body.size[:, : vectors - 1] / 2], axis=1)
    e = coordinates[body.connectivity] * scale[:, None, :, None]
    return e.reshape(len(e), -1, 3)


def _evaluate(body: Body, coordinates: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Positions of material points in every element: [element][point][3]."""
    return np.einsum("pn,enk->epk", _lithe.shape_functions(body.element, points), _scaled(body, coordinates))


def _grid(a: int, b: int, axes: tuple[int, int], fixed: tuple[int, float]) -> np.ndarray:
    """Points of a face, [a b][3]; the first of `axes` runs slowest."""
    points = np.zeros((a, b, 3))
    points[..., axes[0]] = np.linspace(-1, 1, a)[:, None]
    points[..., axes[1]] = np.linspace(-1, 1, b)[None, :]
    points[..., fixed[0]] = fixed[1]
    return points.reshape(-1, 3)


def _bilinear(a: int, b: int, corners: np.ndarray) -> np.ndarray:
    """Nodal values of a face's four corners (counter-clockwise) on its cells: [face][(a-1)(b-1)]."""
    s, t = np.meshgrid((np.arange(a - 1) + 0.5) / (a - 1), (np.arange(b - 1) + 0.5) / (b - 1), indexing="ij")
    weights = np.stack([(1 - s) * (1 - t), s * (1 - t), s * t, (1 - s) * t], axis=-1).reshape(-1, 4)
    return corners @ weights.T


def _cells(points: np.ndarray, a: int, b: int) -> np.ndarray:
    """Quadrilaterals of a grid of points [face][a b][3]: [face (a-1)(b-1)][4][3]."""
    p = points.reshape(-1, a, b, 3)
    quads = np.stack([p[:, :-1, :-1], p[:, 1:, :-1], p[:, 1:, 1:], p[:, :-1, 1:]], axis=3)
    return quads.reshape(-1, 4, 3)


class _Shape:
    """Everything to draw of one body: surface cells with values, lines of the outline, axis of a cable, points."""

    def __init__(self) -> None:
        self.cells = np.zeros((0, 4, 3))
        self.values = np.zeros(0)
        self.edges: list[np.ndarray] = []  # [point][3]
        self.axis: list[np.ndarray] = []
        self.points = np.zeros((0, 3))


def _rigid_shape(body: Body, q: np.ndarray, size: float) -> _Shape:
    """Points, the bars between them, and the axes of a rigid body in the length `size`."""
    shape = _Shape()
    shape.points = q[:, 0]
    if body.element == "rigid":
        shape.axis = [np.stack([node[0], node[0] + size * axis]) for node in q for axis in node[1:]]
    elif body.connectivity.shape[1] == 2:
        shape.axis = list(q[body.connectivity, 0])
    return shape


def _line_shape(body: Body, q: np.ndarray, stress: np.ndarray | None, fine: int) -> _Shape:
    shape = _Shape()
    n = fine + 1
    axis = np.zeros((n, 3))
    axis[:, 0] = np.linspace(-1, 1, n)
    shape.axis = list(_evaluate(body, q, axis))
    if stress is None:
        return shape
    cells, values = [], []
    s = (np.arange(fine) + 0.5) / fine
    along = stress[body.connectivity][:, :1] * (1 - s) + stress[body.connectivity][:, 1:] * s
    for fixed, across in ((2, 1), (1, 2)):
        for side in (-1, 1):
            points = _evaluate(body, q, _grid(n, 2, (0, across), (fixed, side)))
            cells.append(_cells(points, n, 2))
            values.append(along.ravel())
    uses = np.bincount(body.connectivity.ravel(), minlength=len(q))
    for end, xi in ((0, -1), (1, 1)):  # caps where the line ends
        nodes = body.connectivity[:, end]
        outer = uses[nodes] == 1
        points = _evaluate(body, q, _grid(2, 2, (1, 2), (0, xi)))[outer]
        cells.append(_cells(points, 2, 2))
        values.append(stress[nodes[outer]])
        shape.edges += _face_edges(points, 2, 2)
    for eta in (-1, 1):
        for zeta in (-1, 1):
            corner = axis.copy()
            corner[:, 1], corner[:, 2] = eta, zeta
            shape.edges += list(_evaluate(body, q, corner))
    shape.cells, shape.values = np.concatenate(cells), np.concatenate(values)
    return shape


def _face_edges(points: np.ndarray, a: int, b: int) -> list[np.ndarray]:
    p = points.reshape(-1, a, b, 3)
    return [line for face in p for line in (face[0], face[-1], face[:, 0], face[:, -1])]


def _shell_shape(body: Body, q: np.ndarray, stress: np.ndarray, fine: int) -> _Shape:
    shape = _Shape()
    n = fine + 1
    points = _evaluate(body, q, _grid(n, n, (0, 1), (2, 0.0)))
    shape.cells = _cells(points, n, n)
    shape.values = _bilinear(n, n, stress[body.connectivity]).ravel()
    shape.edges = _face_edges(points, n, n)
    return shape


def _hexa_shape(body: Body, q: np.ndarray, stress: np.ndarray, fine: int) -> _Shape:
    shape = _Shape()
    n = fine + 1
    seen: dict[tuple[int, ...], int] = {}
    for nodes in _HEXA_FACES.values():
        for face in body.connectivity[:, nodes]:
            key = tuple(sorted(face))
            seen[key] = seen.get(key, 0) + 1
    cells, values = [], []
    for (axis, side), nodes in _HEXA_FACES.items():
        outer = np.array([seen[tuple(sorted(face))] == 1 for face in body.connectivity[:, nodes]])
        if not outer.any():
            continue
        first, second = [k for k in range(3) if k != axis]
        points = _evaluate(body, q, _grid(n, n, (first, second), (axis, side)))[outer]
        corners = stress[body.connectivity[outer][:, nodes]]
        cells.append(_cells(points, n, n))
        values.append(_bilinear(n, n, corners).ravel())
        shape.edges += _face_edges(points, n, n)
    shape.cells, shape.values = np.concatenate(cells), np.concatenate(values)
    return shape


def _shape(body: Body, q: np.ndarray, stress: np.ndarray | None, size: float) -> _Shape:
    """`size`: length of a rigid body's axes in the picture."""
    elements, nodes = body.connectivity.shape
    if body.element in ("rigid", "bar", "point"):
        return _rigid_shape(body, q, size)
    if nodes == 2:
        return _line_shape(body, q, stress, max(2, min(32, 3000 // elements)))
    assert stress is not None
    faces = elements if nodes == 4 else 6 * elements ** (2 / 3)
    fine = max(1, min(24, int(np.sqrt(16000 / faces))))
    return (_shell_shape if nodes == 4 else _hexa_shape)(body, q, stress, fine)


def _shade(cells: np.ndarray, colours: np.ndarray) -> np.ndarray:
    """Colours with a soft light from above and the left, the same for both sides of a surface."""
    normal = np.cross(cells[:, 2] - cells[:, 0], cells[:, 3] - cells[:, 1])
    length = np.linalg.norm(normal, axis=1, keepdims=True)
    normal = normal / np.where(length > 0, length, 1)
    light = np.array([-0.35, -0.55, 0.76])
    brightness = 0.72 + 0.28 * np.abs(normal @ light)
    shaded = colours.copy()
    shaded[:, :3] = np.clip(colours[:, :3] * brightness[:, None], 0, 1)
    return shaded


def _equal_axes(axes: Any, points: np.ndarray, room_share: tuple[float, float]) -> None:
    """One scale along x, y and z, the box as large as the picture allows; directions without extent get no ticks."""
    from matplotlib.ticker import MaxNLocator
    from mpl_toolkits.mplot3d import proj3d

    low, high = points.min(axis=0), points.max(axis=0)
    size = (high - low).max() or 1.0
    middle, half = (low + high) / 2, np.maximum(high - low, 0.16 * size) / 2 * 1.04
    axes.set_xlim(middle[0] - half[0], middle[0] + half[0])
    axes.set_ylim(middle[1] - half[1], middle[1] + half[1])
    axes.set_zlim(middle[2] - half[2], middle[2] + half[2])
    axes.view_init(*_view(points))
    axes.set_box_aspect(tuple(half))
    for name, axis, extent in zip("xyz", (axes.xaxis, axes.yaxis, axes.zaxis), half / half.max()):
        axis.set_major_locator(MaxNLocator(max(2, int(round(6 * extent)))))
        if extent < 0.25:
            axis.set_ticks([])
        axis.set_label_text(f"{name}  [m]" if extent >= 0.25 else name)
        axis.labelpad = 8 if extent >= 0.25 else -12
        axis.pane.set_facecolor("#f7f9fa")
        axis.pane.set_edgecolor("#d5dce1")
        axis._axinfo["grid"].update(color="#e3e8ec", linewidth=0.6)
    axes.apply_aspect()
    corners = middle[:, None] + half[:, None] * np.array(np.meshgrid(*[[-1, 1]] * 3)).reshape(3, -1)
    x, y, _ = proj3d.proj_transform(*corners, axes.get_proj())
    on_paper = axes.transData.transform(np.column_stack([x, y]))
    width, height = np.ptp(on_paper, axis=0)
    room = axes.figure.bbox.size * room_share
    axes.set_box_aspect(tuple(half), zoom=min(0.82 * room[0] / width, 0.80 * room[1] / height))


def _view(points: np.ndarray) -> tuple[float, float]:
    """Elevation and azimuth: flat models are seen nearly face on, others from a corner."""
    extent = np.ptp(points, axis=0)
    if extent[1] < 0.12 * extent.max() and extent[2] > 0.1 * extent.max():
        return 14, -78
    if extent[2] < 0.05 * extent.max() and extent[1] > 0.1 * extent.max():
        return 50, -65
    return 24, -58


def _si(value: float, unit: str) -> tuple[float, str]:
    """Factor and unit with a prefix that make `value` readable."""
    for factor, prefix in ((1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, ""), (1e-3, "m")):
        if abs(value) >= factor:
            return factor, prefix + unit
    return 1.0, unit


def _frame_steps(result: Result, step: int, frames: int) -> list[int]:
    """Steps at evenly spaced times from the start to `step`, without it."""
    times = np.linspace(result.time[0], result.time[step], frames + 1)[:-1]
    steps = np.clip(np.searchsorted(result.time, times), 0, step)
    return [int(k) for k in np.unique(steps) if k < step]


def _moves(result: Result) -> bool:
    return any(stage.analysis == "dynamic" for stage in result.stages.values())


def _field_row(result: Result, step: int) -> int:
    return int(np.searchsorted(result.field_rows, step, side="right")) - 1


def _draw_bodies(axes: Any, bar_axes: Any, figure: Any, result: Result, step: int, names: list[str], frames: int,
                 room_share: tuple[float, float]) -> None:
    from matplotlib import colormaps
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize, to_rgba
    from mpl_toolkits.mplot3d.art3d import Line3DCollection, Poly3DCollection

    step %= result.steps
    dynamic = _moves(result)
    ghost_steps = _frame_steps(result, step, frames) if dynamic else []
    # Of bodies the last row that has fields.
    step = _field_row(result, step)
    ghost_steps = sorted({_field_row(result, k) for k in ghost_steps} - {step})
    positions = np.concatenate([result.position(name)[[*ghost_steps, step]].reshape(-1, 3) for name in names])
    size = 0.08 * (np.ptp(positions, axis=0).max() or 1.0)
    after: dict[str, _Shape] = {}
    ghosts: list[list[_Shape]] = [[] for _ in range(len(ghost_steps) or 1)]  # [frame][body]
    for name in names:
        body, coordinates = result.body(name), result.coordinates(name)
        stress = result.von_mises(name)[step] if body.has_stress else None
        after[name] = _shape(body, coordinates[step], stress, size)
        shown = [coordinates[k] for k in ghost_steps] if dynamic else [body.reference]
        for k, q in enumerate(shown):
            ghosts[k].append(_shape(body, q, stress, size))

    values = np.concatenate([shape.values for shape in after.values()])
    scale, unit = _si(float(values.max()), "Pa") if len(values) else (1.0, "Pa")
    norm = Normalize(0.0 if not len(values) or values.min() < 0.6 * values.max() else values.min() / scale,
                     (values.max() / scale if len(values) and values.max() > 0 else 1.0))
    colour_map = colormaps["turbo"]

    paths = [result.position(name)[: step + 1, 0] for name in names if result.body(name).element in ("rigid", "point")]
    drawn = [shape for shapes in (*ghosts, after.values()) for shape in shapes]
    points = np.concatenate([p for s in drawn for p in [*s.edges, *s.axis, s.points]] + (paths if dynamic else []))
    _equal_axes(axes, points, room_share)

    # One collection, so that matplotlib hides what lies behind; lines are moved a little towards the eye.
    elevation, azimuth = np.radians([axes.elev, axes.azim])
    eye = np.array([np.cos(elevation) * np.cos(azimuth), np.cos(elevation) * np.sin(azimuth), np.sin(elevation)])
    towards_eye = 0.004 * np.ptp(points, axis=0).max() * eye
    polygons, faces, edges = [], [], []

    def add(cells: np.ndarray, face: Any, edge: Any) -> None:
        polygons.append(cells)
        faces.append(np.broadcast_to(face, (len(cells), 4)))
        edges.append(np.broadcast_to(edge, (len(cells), 4)))

    def add_lines(lines: list[np.ndarray], colour: str, alpha: float, dashed: bool = False) -> None:
        parts = [np.stack([line[:-1], line[1:], line[1:], line[:-1]], axis=1)[:: 2 if dashed else 1] for line in lines]
        if parts:
            add(np.concatenate(parts) + towards_eye, (0, 0, 0, 0), to_rgba(colour, alpha))

    for shape in after.values():
        if len(shape.cells):
            colours = _shade(shape.cells, colour_map(norm(shape.values / scale)))
            add(shape.cells, colours, colours)
    for k, shapes in enumerate(ghosts):  # later frames are darker
        lines = [line for s in shapes for line in (s.edges or s.axis)]
        if dynamic:
            add_lines(lines, _GHOST, 0.4 + 0.5 * k / len(ghosts))
        else:
            add_lines([_dense(line) for line in lines], _GHOST, 0.9, dashed=True)
    outline = [line for shape in after.values() for line in shape.edges]
    if sum(map(len, outline)) <= 60000:
        add_lines(outline, _INK, 0.5)
    if polygons:
        axes.add_collection3d(Poly3DCollection(np.concatenate(polygons), facecolors=np.concatenate(faces),
                                               edgecolors=np.concatenate(edges), linewidths=0.5))  # fmt: skip
    if dynamic and paths:
        axes.add_collection3d(Line3DCollection(paths, colors=_PATH, linewidths=1.0, linestyles=":"))
    dots = np.concatenate([s.points for s in after.values()])
    if len(dots):
        axes.scatter(*dots.T, color=_INK, s=14, depthshade=False)
    wires = [line for s in after.values() if not len(s.cells) for line in s.axis]
    if wires:
        axes.add_collection3d(Line3DCollection(wires, colors=_CABLE, linewidths=2.2, capstyle="round"))
    if len(values):
        bar = figure.colorbar(ScalarMappable(norm, colour_map), cax=bar_axes)
        bar.set_label(f"von Mises stress at the nodes  [{unit}]", color=_INK)
        bar.outline.set_visible(False)
    else:
        bar_axes.set_visible(False)


def _dense(line: np.ndarray) -> np.ndarray:
    """An odd number of pieces, at least 13: every other one is a dash, the same from either end of a shared edge."""
    place = np.linspace(0, len(line) - 1, max(13, (len(line) - 1) | 1) + 1)
    return np.stack([np.interp(place, np.arange(len(line)), line[:, k]) for k in range(3)], axis=1)


def _draw_channel(axes: Any, result: Result, name: str, step: int) -> None:
    values, columns, units = result.channels[name], result.channels.columns(name), result.channels.units(name)
    # Along an arc-length path time goes to and fro; then the load factor tells the story, over the steps.
    # A dynamic stage begins at the time at which the one before ended.
    gaps = np.diff(result.time)
    forward = np.all(gaps >= 0) and _moves(result) or np.all(gaps > 0)
    x, label = (result.time, "time  [s]") if forward else (np.arange(result.steps), "step")
    marker = "o" if len(x) <= 40 else None
    palette = ["#2b5d8a", "#c8553d", "#3d8f5f", "#8a5da8", "#c79a2b", "#4aa3b5"]
    for i, column in enumerate(columns):
        axes.plot(x, values[:, i], marker=marker, markersize=3.5, linewidth=1.6, label=column,
                  color=palette[i % len(palette)])
    if step % len(x) != len(x) - 1:  # the moment of the picture beside it
        axes.axvline(x[step], color=_GHOST, linewidth=1.0, linestyle="--")
    shared = set(units)
    axes.set_ylabel(f"{name}  [{units[0]}]" if len(shared) == 1 and units[0] else name)
    axes.set_xlabel(label)
    axes.grid(color="#e3e8ec", linewidth=0.8)
    axes.spines[["top", "right"]].set_visible(False)
    axes.margins(x=0.02)
    if len(columns) > 1:
        axes.legend(frameon=False, ncol=min(len(columns), 3), fontsize="small")


def picture(
    result: Result,
    file: str | None = None,
    step: int = -1,
    body: str | list[str] | None = None,
    channel: str | list[str] | None = None,
    frames: int = 8,
    dpi: int = 150,
    force: bool = False,
):
    """Draws a step of the bodies, and curves of channels beside it; returns the figure (and saves it to `file`).

    frames: of a dynamic result so many earlier steps are drawn behind it, evenly spaced in time. force: a file that is
    no picture of lithe's may be replaced.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    place = "" if file is None else os.fspath(file)
    if place and not os.path.splitext(place)[1]:
        place += ".png"
    if place:
        _lithe.check_picture(place, result.path or "", force)
    if not -result.steps <= step < result.steps:
        raise IndexError(f"there is no step {step}: the result has {result.steps} steps")
    names = [body] if isinstance(body, str) else list(body or result.bodies)
    channels = [channel] if isinstance(channel, str) else list(channel or [])
    for name in names:
        result.body(name)
    for name in channels:
        result.channels[name]

    figure = Figure(figsize=(9.6 if not channels else 13.8, 6.4), dpi=dpi)
    FigureCanvasAgg(figure)
    share = 0.64 if channels else 1.0  # of the width, for the bodies
    room = (0.84 * share, 0.9)
    # matplotlib cuts everything at a square: one that covers the whole room.
    side = room[0] * figure.get_figwidth() / figure.get_figheight()
    axes = figure.add_axes((0.0, 0.02 + (room[1] - side) / 2, room[0], side), projection="3d", proj_type="ortho")
    axes.patch.set_visible(False)
    bar_axes = figure.add_axes((0.895 * share, 0.2, 0.016 * share, 0.58))
    _draw_bodies(axes, bar_axes, figure, result, step, names, frames, room)
    height = 0.8 / max(1, len(channels))
    for i, name in enumerate(channels):
        bottom = 0.1 + (len(channels) - 1 - i) * height
        box = (share + 0.075, bottom + 0.02, 0.96 - share - 0.065, height - 0.09)
        _draw_channel(figure.add_axes(box), result, name, step)
    at = result.time[step]
    count = step % result.steps
    row = "output" if _moves(result) else "step"
    title = f"{result.name}:  {row} {count} of {result.steps - 1},  t = {at:.4g} s"
    if result.analysis == "static":
        title += f",  load factor {result.load_factor[step]:.4g}"
    if len(result.stages) > 1:
        title += f",  {list(result.stages)[int(result.array('stage')[step])]}"
    figure.suptitle(title, color=_INK, fontsize=12, y=0.965)
    if place:
        _save(figure, place)
    return figure


def _save(figure: Any, file: str) -> None:
    """With a mark by which a later picture knows that it may take this one's place, and in one go."""
    kind = os.path.splitext(file)[1][1:].lower()
    key = {"png": "Software", "pdf": "Creator", "svg": "Creator", "ps": "Creator", "eps": "Creator"}.get(kind)
    buffer = io.BytesIO()
    figure.savefig(buffer, format=kind, **({"metadata": {key: "made by lithe.plot"}} if key else {}))
    _lithe.replace_picture(file, buffer.getvalue())


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python3 -m lithe.plot", description="Draw a step of a result file.")
    parser.add_argument("result", help="result file (HDF5)")
    parser.add_argument("-o", "--output", required=True, help="picture (png, pdf, svg)")
    parser.add_argument("--step", type=int, default=-1, help="step, negative from the end (default: the last)")
    parser.add_argument("--body", action="append", help="only this body (may be given again)")
    parser.add_argument("--channel", action="append", help="curves of this channel beside it (may be given again)")
    parser.add_argument("--frames", type=int, default=8, help="earlier steps of a motion behind it (default: 8)")
    parser.add_argument("--dpi", type=int, default=150)
    parser.add_argument("--force", action="store_true", help="replace a file that is no picture of lithe's")
    given = parser.parse_args(arguments)
    try:
        result = Result(_lithe.open_results(given.result))
        if result.steps == 0:
            raise _lithe.InputError(f"results '{given.result}' have no steps yet")
        picture(result, given.output, given.step, given.body, given.channel, given.frames, given.dpi, given.force)
    except (_lithe.InputError, _lithe.RunError, KeyError, IndexError, OSError, ValueError) as error:
        print(f"lithe.plot: {error.args[0] if isinstance(error, KeyError) else error}", file=sys.stderr)
        return 2
    print(given.output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
