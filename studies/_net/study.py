"""What the parts of the study share: options, the program, checks; counts and times judged apart."""

from __future__ import annotations

import dataclasses

from _common import Checks

from .program import HEAD, Case, Program, Run, show

SPIKE = ("bicgstab2", "spike")
PLAIN = [("bicgstab2", "none"), ("minres", "none")]


@dataclasses.dataclass
class Study:
    program: Program
    checks: Checks
    n: int = 40
    steps: int | None = None
    full: bool = False
    threads: int = 1
    judge_times: bool = True

    def length(self, short: int, full: int) -> int:
        """Steps of a run: as asked, the paper's, or as many as fit into some minutes."""
        return self.steps or (full if self.full else short)

    def sizes(self) -> list[int]:
        """Those of table II, or as many nets from another size on; even, so that there is a node in the middle."""
        return [2 * round(self.n * k / 80) for k in (40, 50, 60, 70, 80)]

    def run(self, method: tuple[str, str | None], **more) -> Run:
        case = {"n": self.n, "threads": self.threads} | more
        run = self.program(Case(*method, **case))
        show(run)
        if run.handed_on:
            print(f"    {run.handed_on} solves failed and were done by another solver")
        return run

    def head(self, title: str) -> None:
        print(f"\n{title}\n{HEAD}")

    def time_within(self, quantity: str, value: float, limit: float) -> None:
        self._time(f"{quantity:58} {value:12.4g}   at most {limit:g}", self.checks.within, quantity, value, limit)

    def time_at_least(self, quantity: str, value: float, limit: float) -> None:
        self._time(f"{quantity:58} {value:12.4g}   at least {limit:g}", self.checks.at_least, quantity, value, limit)

    def _time(self, text: str, judge, *what) -> None:
        if self.judge_times:
            judge(*what)
        else:
            print(f"time   {text} (not judged)")

    def none_handed_on(self, runs: list[Run]) -> None:
        """By methods with a preconditioner; those without may break down (P3 says so of BiCGStab), and are only told."""
        own = [run for run in runs if run.case.preconditioner != "none"]
        self.checks.within("preconditioned solves that went to another solver", sum(run.handed_on for run in own), 0)


def published(title: str, rows: list[tuple[str, float | str, float | str, str]]) -> None:
    """Published and computed side by side."""
    print(f"\n{title:44} {'published':>12} {'computed':>12}")
    for name, theirs, ours, unit in rows:
        shown = [f"{x:12.4g}" if isinstance(x, float) else f"{x:>12}" for x in (theirs, ours)]
        print(f"{name:44} {' '.join(shown)} {unit}")
