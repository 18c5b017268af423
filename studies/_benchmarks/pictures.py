"""Convergence curves and load-deflection curves."""

from __future__ import annotations

import math

from _common import figure, save

STYLES = {"section": "-", "continuum": "--", "none": "-"}


def first_number(elements: str) -> int:
    digits = elements.split("x")[0]
    return int(digits) if digits.isdigit() else 0


def convergence(rows: list[dict]) -> dict[tuple[str, str], dict[str, list[tuple[int, float]]]]:
    """(case, quantity) -> formulation -> [(elements, error)], where there are at least two meshes."""
    curves: dict = {}
    for one in rows:
        if first_number(one["elements"]) and not math.isnan(one["relative_error"]):
            of_case = curves.setdefault((one["case"], one["quantity"]), {})
            of_case.setdefault(one["formulation"], []).append((first_number(one["elements"]), one["relative_error"]))
    return {key: value for key, value in curves.items() if any(len(points) > 1 for points in value.values())}


def draw(path: str, rows: list[dict], paths: list) -> None:
    meshes = convergence(rows)
    groups: dict = {}
    for (case, quantity), value in meshes.items():
        groups.setdefault(case, []).append((quantity, value))
    curves: dict = {}
    for curve in paths:
        curves.setdefault(curve.case, []).append(curve)
    panels = len(groups) + len(curves)
    if panels == 0:
        print("no picture: one mesh alone and no curves")
        return
    columns = min(4, panels)
    lines = math.ceil(panels / columns)
    picture, axes = figure(lines, columns, (4.4 * columns, 3.4 * lines))
    places = list(axes.flat)
    for place, (case, values) in zip(places, groups.items()):
        for k, (quantity, value) in enumerate(values):
            for formulation, points in value.items():
                n, error = zip(*points)
                place.loglog(n, [max(e, 1e-6) for e in error], STYLES[formulation] + "o", color=f"C{k % 10}", markersize=3,
                             label=f"{quantity}, {formulation}")  # fmt: skip
        ticks = sorted({n for _, value in values for points in value.values() for n, _ in points})
        place.set_xticks(ticks, [str(n) for n in ticks])
        place.minorticks_off()
        place.set(title=case, xlabel="elements along a side", ylabel="relative error")
        place.legend(fontsize=6)
        place.grid(alpha=0.3)
    for place, (case, values) in zip(places[len(groups) :], curves.items()):
        for k, quantity in enumerate(dict.fromkeys(c.quantity for c in values)):
            for curve in (c for c in values if c.quantity == quantity):
                place.plot(curve.x, curve.y, STYLES[curve.formulation], color=f"C{k}", label=f"{quantity}, {curve.formulation}")
            place.plot(curve.published_x, curve.published_y, "o", color=f"C{k}", markersize=3, markerfacecolor="none",
                       label=f"{quantity}, reference")  # fmt: skip
        place.set(title=case, xlabel=values[0].labels[0], ylabel=values[0].labels[1])
        place.legend(fontsize=6)
        place.grid(alpha=0.3)
    for place in places[panels:]:
        place.set_visible(False)
    save(picture, path)
