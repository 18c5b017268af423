"""The field's own benchmarks of shells, beams, mechanisms and flexible dynamics: published and computed side by side.

    python3 studies/benchmarks.py [--set shells|beams|solids|mechanisms|flexible] [--case NAME ...] [--formulation NAME]
                                  [--coarse] [--list] [--json FILE] [--picture FILE]

Each case runs with the default formulation of its bodies and with the published element (`formulation: continuum`) on several
meshes (--coarse: of nonlinear shells on the coarse one alone). A row is a quantity on a mesh: published value and source,
computed value, error relative to the published value (of load-deflection paths: to the largest published displacement), limit.
Exit code 0: every row of the default formulation is within its limit. Rows without a limit (coarse meshes) and those of the
published element are printed, not judged.
"""

from __future__ import annotations

import argparse
import math
import sys
import time

from _benchmarks import (beams, core, flexible, flexible_rods, frames, mechanisms, nonlinear_shells, pictures, plates, shells,
                         solids)  # fmt: skip
from _common import import_lithe, write_json

lithe = import_lithe()

SETS = ["shells", "beams", "solids", "mechanisms", "flexible"]
PARTS = (shells, plates, nonlinear_shells, beams, frames, solids, mechanisms, flexible, flexible_rods)
CASES = [case for part in PARTS for case in part.CASES]


def chosen(options) -> list[core.Case]:
    cases = [c for c in CASES if options.set in (None, c.set) and (options.case is None or c.name in options.case)]
    if not cases or options.case and len(cases) < len(set(options.case)):
        known = ", ".join(c.name for c in CASES if options.set in (None, c.set))
        sys.exit(f"there is no such case{f' in the set {options.set}' if options.set else ''}; known: {known or 'none'}")
    return cases


def rows_of(case: core.Case, formulation: str):
    """The rows of a case; a run that is refused or does not come to its end makes a row that is outside."""
    try:
        yield from case.rows(formulation)
    except (lithe.RunError, lithe.InputError) as reason:
        print(f"{case.name}: {reason}")
        yield core.failed(case.name, "the run failed", "-", math.nan, 0.0, "-", reason)


def run(case: core.Case, formulation: str) -> list[dict]:
    rows = []
    start = time.perf_counter()
    for one in rows_of(case, formulation):
        judged = formulation == core.DEFAULT and one["limit"] is not None
        seconds, start = time.perf_counter() - start, time.perf_counter()
        one = {"set": case.set, "formulation": formulation if case.formulations else case.only, "judged": judged,
               "seconds": seconds, **one}  # fmt: skip
        limit = "" if one["limit"] is None else f"{100 * one['limit']:6.2f} %"
        print(f"{one['case']:24} {one['quantity']:58} {one['formulation']:10} {one['elements']:>9} "
              f"{one['published']:13.6g} {one['computed']:13.6g} {100 * one['relative_error']:8.3f} % {limit:8} "
              f"{one.get('run_seconds', seconds):8.2f} s "
              f"{'' if one['ok'] in (None, True) else 'outside' if judged else '(outside)'}", flush=True)  # fmt: skip
        rows.append(one)
    return rows


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--set", choices=SETS)
    parser.add_argument("--case", nargs="+", metavar="NAME", help="some cases by their names")
    parser.add_argument("--formulation", choices=core.FORMULATIONS, help="this one alone")
    parser.add_argument("--list", action="store_true", help="names of the cases")
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--picture", metavar="FILE", help="convergence and load-deflection curves")
    parser.add_argument("--coarse", action="store_true", help="of nonlinear shells the coarse meshes alone (not judged)")
    options = parser.parse_args()
    core.COARSE = options.coarse
    cases = chosen(options)
    if options.list:
        print("\n".join(f"{c.set:12} {c.name}" for c in cases))
        return 0
    print(f"{'case':24} {'quantity':58} {'element':10} {'mesh':>9} {'published':>13} {'computed':>13} {'error':>10} {'limit':>8} {'time':>10}")
    rows = []
    for case in cases:
        formulations = [options.formulation] if options.formulation else core.FORMULATIONS
        for formulation in formulations if case.formulations else [core.DEFAULT]:
            rows += run(case, formulation)
            write_json(options.json, {"rows": core.without_nan(rows), "orders": core.orders(rows)})  # as far as it came
    judged = [one for one in rows if one["judged"]]
    outside = [one for one in judged if not one["ok"]]
    for one in core.orders(rows):
        print(f"order  {one['case']:24} {one['quantity']:58} {one['formulation']:10} {one['order']:6.2f}   theory "
              f"{one['theory'] or '-'}")  # fmt: skip
    print(f"\n{len(rows)} rows, {len(judged)} judged, {len(outside)} outside their limits")
    if options.picture:
        pictures.draw(options.picture, rows, core.CURVES)
    return 1 if outside else 0


if __name__ == "__main__":
    sys.exit(main())
