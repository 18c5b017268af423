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
    formulations: bool = True  # False: rigid bodies or cables alone, there is one way to compute it


@dataclass
class Curve:
    """Published points and computed ones for a picture: load or time over a displacement."""

    case: str
    quantity: str
    formulation: str
    x: list[float] = field(default_factory=list)
    y: list[float] = field(default_factory=list)
    published_x: list[float] = field(default_factory=list)
    published_y: list[float] = field(default_factory=list)
    labels: tuple[str, str] = ("displacement", "load")


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


def failed(case: str, quantity: str, elements, published: float, limit: float | None, source: str, reason: Exception,
           scale: float | None = None) -> dict:  # fmt: skip
    """The row of a run that did not reach its end."""
    return row(case, quantity, elements, published, math.nan, limit, source, scale=scale, message=str(reason))
