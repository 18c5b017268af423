"""P3's flexible net: Newton-Krylov with and without SPIKE, every table and figure of the paper, and what it leaves open.

    python3 studies/net.py --part PART [--n 40] [--steps N] [--full] [--threads N] [--tolerance paper] [--no-times]
                           [--device cpu] [--program build/lithe] [--json FILE] [--picture FILE]

A net of n x n cells of 1 m falls under its own weight. P3's form: every element of its own, joined by constraints, with
multipliers (`connect: constraints, treatment: lagrange`); the default form: shared nodes. The paper leaves open, and we
take: elements of 1 m, radius 0.02 m, density 7200 kg/m^3, flat at first, corners pinned, gravity 9.81 m/s^2; Newmark with
gamma 0.6, beta 0.3025, no projections; positions to 1e-10 m; a tangent in every iteration of Newton; SPIKE's linear
solves as exact as P3 makes them (`--tolerance paper`, its section 3.2).

scaling    table II, figure 8: sizes of the systems to the digit, half-bandwidth, iterations and time over n
solvers    figures 4, 5: five Krylov methods on one motion
setup      section 5.1: the parts of making SPIKE
precision  section 4.2: single and double
updates    figure 6: when the preconditioner is made anew
stiffness  table I, figure 7: E from 2e6 to 2e11 Pa
forms      both forms of the net, every solver
ordering, multicore, variable, elements: what P3 leaves to the future

Runs are short by default (minutes a part on 2 cores); every row says how many steps it made, and --full takes the paper's
lengths (hours); `--part all` goes through all parts. Times of a step are medians without the first, which has the start and
the first set-up in it. Published times are a K20x's (figure 8: a K40c's). Checks of counts and motions hold anywhere, those
of times on a machine that is not busy: `--no-times` prints them without judging. Exit code 1: a check is outside its limit.
"""

from __future__ import annotations

import argparse
import sys

from _common import PROGRAM, Checks, write_json
from _net import beyond, paper, pictures
from _net.program import Program, machine, workplace
from _net.study import Study

PARTS = {"scaling": paper.scaling, "solvers": paper.solvers, "setup": paper.setup, "precision": paper.precision,
         "updates": paper.updates, "stiffness": paper.stiffness, "forms": beyond.forms, "ordering": beyond.ordering,
         "multicore": beyond.multicore, "variable": beyond.variable, "elements": beyond.elements}  # fmt: skip


def number_or_word(text: str) -> str | float:
    try:
        return float(text)
    except ValueError:
        return text


def main() -> int:
    parser = argparse.ArgumentParser(description="P3's net of cables by Newton-Krylov methods")
    parser.add_argument("--part", choices=[*PARTS, "all"], required=True)
    parser.add_argument("--n", type=int, default=40, help="cells a side, 4 or more")
    parser.add_argument("--steps", type=int, help="of every run; default: minutes a part")
    parser.add_argument("--full", action="store_true", help="the paper's lengths: hours")
    parser.add_argument("--threads", type=int, default=1, help="part multicore: at most, at least 2")
    parser.add_argument("--tolerance", type=number_or_word, default="paper", help="krylov.tolerance: paper, auto, a number")
    parser.add_argument("--no-times", action="store_true", help="print times, judge counts and motions alone")
    parser.add_argument("--device", choices=["cpu"], default="cpu")
    parser.add_argument("--program", default=str(PROGRAM))
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--picture", metavar="FILE", help=f"of the parts {', '.join(pictures.OF)}")
    options = parser.parse_args()
    if options.n < 4 or options.n % 2:
        parser.error(f"--n {options.n}: give an even number from 4 on, so that a node is in the middle")
    if options.picture and options.part not in pictures.OF:
        parser.error(f"--picture: there is none of part {options.part}; of {', '.join(pictures.OF)} there is")
    checks = Checks()
    with workplace() as folder:
        program = Program(options.program, options.tolerance, folder)
        study = Study(program, checks, options.n, options.steps, options.full, options.threads, not options.no_times)
        for part in PARTS if options.part == "all" else [options.part]:
            runs = PARTS[part](study)
    told = {"part": options.part, "machine": machine(), "rows": program.rows, "checks": checks.rows}
    write_json(options.json, told)
    if options.picture:
        pictures.OF[options.part](runs, options.picture)
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
