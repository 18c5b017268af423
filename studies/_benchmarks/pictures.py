"""Convergence curves (error over elements along a side) and curves of load or time over the points of the reference."""

from __future__ import annotations

import math

from _common import figure, save

STYLES = {"section": "-", "continuum": "--", "none": "-"}
SMALLEST = 1e-6  # smaller errors are drawn there


def convergence(rows: list[dict]) -> dict[str, dict[str, dict[str, list[tuple[int, float]]]]]:
    """case -> quantity -> formulation -> [(elements, error)], where there are at least two meshes."""
    cases: dict = {}
    for one in rows:
        first = one["elements"].split("x")[0]
        if first.isdigit() and math.isfinite(one["relative_error"]):
            lines = cases.setdefault(one["case"], {}).setdefault(one["quantity"], {})
            lines.setdefault(one["formulation"], []).append((int(first), max(one["relative_error"], SMALLEST)))
    for case in list(cases):
        cases[case] = {q: lines for q, lines in cases[case].items() if any(len(p) > 1 for p in lines.values())}
    return {case: quantities for case, quantities in cases.items() if quantities}


def draw_convergence(axes, case: str, quantities: dict) -> None:
    ticks, errors = set(), []
    for k, (quantity, lines) in enumerate(quantities.items()):
        for formulation, points in lines.items():
            n, error = zip(*points)
            ticks.update(n)
            errors += error
            axes.loglog(n, error, STYLES[formulation] + "o", color=f"C{k % 10}", markersize=3, linewidth=1,
                        label=quantity if formulation == next(iter(lines)) else None)  # fmt: skip
    axes.minorticks_off()
    axes.set_xticks(sorted(ticks), [str(n) for n in sorted(ticks)])
    low, high = 10 ** math.floor(math.log10(min(errors))), 10 ** math.ceil(math.log10(max(errors)))
    axes.set_ylim(low / (1.5 if low <= SMALLEST else 1), high)
    powers = [10.0**k for k in range(round(math.log10(low)), round(math.log10(high)) + 1)]
    axes.set_yticks(powers, [("< " if power <= SMALLEST else "") + f"{100 * power:g} %" for power in powers])
    finish(axes, case, "elements (along a side)", "error")


def finish(axes, case: str, x: str, y: str) -> None:
    axes.set_title(case.replace("_", " "), fontsize=10)
    axes.set_xlabel(x, fontsize=8)
    axes.set_ylabel(y, fontsize=8)
    axes.tick_params(labelsize=8)
    many = len(axes.get_legend_handles_labels()[0]) > 2
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.16), ncol=2 if many else 1, fontsize=7, frameon=False, handlelength=1.5,
                labelspacing=0.3, columnspacing=1.0)  # fmt: skip
    axes.grid(alpha=0.3)


def draw_paths(axes, case: str, curves: list) -> None:
    for k, quantity in enumerate(dict.fromkeys(c.quantity for c in curves)):
        same = [c for c in curves if c.quantity == quantity]
        finest = same[-1].elements
        for curve in same:
            label = f"{quantity} ({curve.elements})" if curve is same[0] or curve.elements == finest else None
            axes.plot(curve.x, curve.y, STYLES[curve.formulation], color=f"C{k % 10}",
                      linewidth=1.2 if curve.elements == finest else 0.5,
                      label=label if curve.formulation == same[0].formulation else None)  # fmt: skip
        axes.plot(same[0].published_x, same[0].published_y, "o", color=f"C{k % 10}", markersize=3, markerfacecolor="none")
    finish(axes, case, *curves[0].labels)


def draw(path: str, rows: list[dict], curves: list) -> None:
    meshes = {case: q for case, q in convergence(rows).items() if not any(c.case == case for c in curves)}
    paths: dict = {}
    for curve in curves:
        paths.setdefault(curve.case, []).append(curve)
    panels = [(draw_convergence, *item) for item in meshes.items()] + [(draw_paths, *item) for item in paths.items()]
    if not panels:
        print("no picture: one mesh alone and no curves")
        return
    columns = min(len(panels), 2 if len(panels) <= 4 else 3)
    lines = math.ceil(len(panels) / columns)
    picture, axes = figure(lines, columns, (4.4 * columns, 3.7 * lines))
    for place, (function, case, content) in zip(axes.flat, panels):
        function(place, case, content)
    for place in list(axes.flat)[len(panels) :]:
        place.set_visible(False)
    formulations = dict.fromkeys(one["formulation"] for one in rows if one["formulation"] != "none")
    notes = ["full lines: default, dashed: continuum"] * (len(formulations) > 1) + ["circles: reference"] * bool(paths)
    picture.suptitle("; ".join(notes), fontsize=9)
    save(picture, path, dpi=90)
