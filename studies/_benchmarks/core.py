"""Rows, cases and formulations: what the sets of benchmarks share.

A case is a function `case(formulation)` that yields rows. A formulation is the value of `formulation` of a body: the package's
own default (the key is left out), then the published element, `continuum`. A package that does not know the key has the
published element alone, which then is the default.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from _common import import_lithe

lithe = import_lithe()
warnings.simplefilter("ignore", lithe.LitheWarning)  # published models are in inches, pounds and units of their own

PUBLISHED = "continuum"
KNOWS_FORMULATIONS = hasattr(lithe.Body, "formulation")
DEFAULT = "section" if KNOWS_FORMULATIONS else PUBLISHED
FORMULATIONS = [DEFAULT, PUBLISHED] if KNOWS_FORMULATIONS else [PUBLISHED]


def body(formulation: str, **options):
    """lithe.Body in this formulation; of the default the key is left out, so that what is tested is what a user gets."""
    if formulation != DEFAULT:
        options["formulation"] = formulation
    return lithe.Body(**options)


@dataclass
class Case:
    name: str
    set: str
    rows: Callable[[str], Iterator[dict]]
    formulations: bool = True  # False: there is one way to compute it
    only: str = "none"  # its name in that case; none: rigid bodies alone, or elements of one formulation


@dataclass
class Curve:
    """Computed points and those of the reference for a picture: load over displacement, or something over time."""

    case: str
    quantity: str
    elements: str
    formulation: str
    x: list[float] = field(default_factory=list)
    y: list[float] = field(default_factory=list)
    published_x: list[float] = field(default_factory=list)
    published_y: list[float] = field(default_factory=list)
    labels: tuple[str, str] = ("displacement", "load (of the largest)")


CURVES: list[Curve] = []
COARSE = False  # leave fine meshes of nonlinear problems out


def row(case: str, quantity: str, elements, published: float, computed: float, limit: float | None, source: str,
        scale: float | None = None, error: float | None = None, **more) -> dict:  # fmt: skip
    """relative_error is over |published|, or over `scale`, or given (of a path); limit None: reported, not judged."""
    if error is None:
        error = abs(computed - published) / (abs(published) if scale is None else abs(scale))
    ok = None if limit is None else bool(error <= limit)  # not a number is outside
    return {"case": case, "quantity": quantity, "elements": str(elements), "published": float(published),
            "computed": float(computed), "relative_error": float(error), "limit": limit, "ok": ok,
            "source": source, **more}  # fmt: skip


def without_nan(rows: list[dict]) -> list[dict]:
    """For JSON, which has no such number."""
    return [{key: None if isinstance(value, float) and math.isnan(value) else value for key, value in one.items()} for one in rows]


# Orders of displacements in the length of an element, for smooth solutions (singular corners, point loads and layers at
# edges have less): cubic lines of a beam, two orders over its curvature; shells tie slopes to deflections by quadratics.
THEORY = {("beams", DEFAULT): 4, ("beams", PUBLISHED): 2, ("shells", DEFAULT): 2, ("shells", PUBLISHED): 2}


def orders(rows: list[dict]) -> list[dict]:
    """Measured orders of convergence between the last two meshes of a quantity: log(e_1/e_2) / log(n_2/n_1)."""
    series: dict = {}
    sets = {one["case"]: one.get("set") for one in rows}
    for one in rows:
        first = one["elements"].split("x")[0]
        if first.isdigit() and 0 < one["relative_error"] < math.inf:
            series.setdefault((one["case"], one["quantity"], one["formulation"]), {})[int(first)] = one["relative_error"]
    found = []
    for (case, quantity, formulation), errors in series.items():
        if len(errors) > 1:
            (n1, e1), (n2, e2) = sorted(errors.items())[-2:]
            found.append({"case": case, "quantity": quantity, "formulation": formulation, "elements": [n1, n2],
                          "theory": THEORY.get((sets.get(case), formulation)), "order": math.log(e1 / e2) / math.log(n2 / n1)})  # fmt: skip
    return found


def failed(case: str, quantity: str, elements, published: float, limit: float | None, source: str, reason: Exception,
           scale: float | None = None) -> dict:  # fmt: skip
    """The row of a run that did not reach its end."""
    return row(case, quantity, elements, published, math.nan, limit, source, scale=scale, message=str(reason))
