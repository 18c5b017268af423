"""Roofline picture of `lithe bench elements --json FILE` (P0 section 5.2, figures 13 to 15).

    python3 bench/roofline.py FILE -o PICTURE [--threads N]

One panel per element and quantity. Across: arithmetic intensity, the strategy's own counted flops over the bytes it moves
(data held, coordinates, rates, result). Up: GFLOP/s at the minimum time. The roofs are the FMA peak and the copy
bandwidth measured in the same run: a strategy above the slanted roof works from the caches. Beside a mark stands the
minimum time in us per element; a mark is larger for the larger mesh.
"""
import argparse
import json

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.ticker import LogLocator, NullLocator

STYLES = {  # colours told apart by colour-blind readers too
    "batched": ("#d55e00", "*"),
    "batched_exact": ("#e69f00", "P"),
    "C": ("#0072b2", "o"),
    "D": ("#56b4e9", "s"),
    "E": ("#009e73", "^"),
    "G": ("#cc79a7", "D"),
    "L": ("#000000", "v"),
    "finite_difference": ("#999999", "X"),
}
LABELS = {  # where the time stands beside a mark, in points, so that neighbours stay legible
    "batched": (0, 8, "center"),
    "batched_exact": (-8, -2.5, "right"),
    "C": (0, 6, "center"),
    "D": (7, -4, "left"),
    "E": (0, -12, "center"),
    "G": (0, -12, "center"),
    "finite_difference": (0, -12, "center"),
}


def panel(axes, rows, quantity, limits, span, height):
    peak, copy = limits["fma_peak_gflops"], limits["copy_gbs"]
    knee = peak / copy
    axes.plot([span[0], knee, span[1]], [span[0] * copy, peak, peak], color="0.3", lw=1.2, zorder=1)
    axes.fill_between([span[0], knee, span[1]], [span[0] * copy, peak, peak], height[0], color="0.95", zorder=0)
    largest = max(row["elements"] for row in rows)
    for row in rows:
        colour, marker = STYLES.get(row["strategy"], ("0.5", "."))
        gflops = row[f"{quantity}_gflops"]
        if gflops <= 0 or (row["strategy"] == "finite_difference" and quantity == "force"):  # its force is C's
            continue
        size = 60 * (0.35 + 0.65 * row["elements"] / largest) * (2.2 if marker == "*" else 1)
        intensity = row[f"{quantity}_flops"] / row[f"{quantity}_bytes"]
        if row["elements"] == largest:
            time = row[f"{quantity}_min_us"]
            x, y, side = LABELS.get(row["strategy"], (7, -2.5, "left"))
            axes.annotate(f"{time:.0f}" if time >= 100 else f"{time:.3g}", (intensity, gflops), xytext=(x, y),
                          textcoords="offset points", ha=side, fontsize=6.5, color=colour, zorder=5)
        axes.scatter(intensity, gflops, s=size, c=colour, marker=marker,
                     edgecolors="white", linewidths=0.6, zorder=4 if marker == "*" else 3)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.yaxis.set_minor_locator(NullLocator())
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.set_xlim(span)
    axes.set_ylim(height)
    axes.grid(True, which="major", color="0.85", lw=0.5)
    axes.tick_params(which="both", labelsize=8)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("json")
    parser.add_argument("-o", "--output", required=True)
    parser.add_argument("--threads", type=int, help="rows of this number of threads; default: the least")
    options = parser.parse_args()
    with open(options.json) as file:
        data = json.load(file)
    threads = options.threads or min(row["threads"] for row in data["rows"])
    rows = [row for row in data["rows"] if row["threads"] == threads]
    if not rows:
        parser.error(f"{options.json} has no rows of {threads} threads")
    limits = next(item for item in data["machine"]["by_threads"] if item["threads"] == threads)
    peak, copy = limits["fma_peak_gflops"], limits["copy_gbs"]

    marks = [(row[f"{q}_flops"] / row[f"{q}_bytes"], row[f"{q}_gflops"]) for row in rows for q in ("force", "tangent")]
    marks = [mark for mark in marks if mark[1] > 0]
    span = (min(x for x, _ in marks) / 2, max(max(x for x, _ in marks), peak / copy) * 2)
    height = (min(y for _, y in marks) / 2, peak * 1.6)

    elements = list(dict.fromkeys(row["element"] for row in rows))
    figure, grid = plt.subplots(2, len(elements), figsize=(1.6 + 3.7 * len(elements), 6.6), sharex=True, sharey=True,
                                squeeze=False)
    for column, element in enumerate(elements):
        own = [row for row in rows if row["element"] == element]
        for line, quantity in enumerate(("force", "tangent")):
            axes = grid[line][column]
            panel(axes, own, quantity, limits, span, height)
            meshes = sorted({row["elements"] for row in own})
            mesh = str(meshes[-1]) if len(meshes) == 1 else f"{meshes[0]} to {meshes[-1]}"
            axes.set_title(f"{element}, {quantity} ({mesh} elements)", fontsize=9.5)
            if column == 0:
                axes.set_ylabel("GFLOP/s")
            if line == 1:
                axes.set_xlabel("flops per byte moved")
    names = list(dict.fromkeys(row["strategy"] for row in rows))
    handles = [plt.Line2D([], [], ls="", marker=STYLES.get(n, ("0.5", "."))[1], color=STYLES.get(n, ("0.5", "."))[0],
                          markersize=11 if n == "batched" else 7, markeredgecolor="white", label=n) for n in names]
    figure.legend(handles=handles, loc="lower center", ncol=len(names), frameon=False, fontsize=9,
                  handletextpad=0.2, columnspacing=1.4)
    machine = data["machine"]
    figure.suptitle(f"{machine['cpu']}, {threads} thread{'s' * (threads > 1)}: FMA peak {peak:.1f} GFLOP/s, "
                    f"copy {copy:.1f} GB/s (commit {machine['commit']}); numbers: us per element", fontsize=10)
    figure.tight_layout(rect=(0, 0.045, 1, 0.985))
    # The mark of lithe.plot: by it a later run knows that it may replace this picture.
    mark = {"metadata": {"Software": "made by lithe.plot"}} if options.output.endswith(".png") else {}
    figure.savefig(options.output, dpi=150, **mark)


if __name__ == "__main__":
    main()
