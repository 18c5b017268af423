"""The net of P3 as a model, runs of the program, and what a run told: its JSON summary and its trace."""

from __future__ import annotations

import csv
import dataclasses
import json
import math
import os
import platform
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

P3, SHARED = "constraints", "nodes"  # forms: P3's, elements joined by constraints with multipliers; shared nodes
POSITIONS = 1e-10  # m, to which Newton iterates
SCHEME = {"type": "dynamic", "integrator": "newmark", "gamma": 0.6, "beta": 0.3025, "projection": False}


@dataclasses.dataclass
class Case:
    """One run. `krylov` and `more` are keys of the analysis, `body` and `model` of the net and of the model."""

    solver: str = "bicgstab2"
    preconditioner: str | None = None  # none: a direct solver, or what the solver takes by itself
    n: int = 40
    form: str = P3
    E: float = 2e7
    h: float = 1e-3
    steps: int = 5
    threads: int = 1
    krylov: dict = dataclasses.field(default_factory=dict)
    more: dict = dataclasses.field(default_factory=dict)
    body: dict = dataclasses.field(default_factory=dict)
    model: dict = dataclasses.field(default_factory=dict)

    def describe(self, tolerance: str | float) -> dict:
        """The model file."""
        duration = self.steps * self.h
        analysis = SCHEME | {"duration": duration, "step": self.h, "solver": self.solver, "output_step": duration / 10,
                             "fields": [], "threads": self.threads, "tolerance": POSITIONS / (math.sqrt(2) * self.n),
                             "tangent_policy": "every_iteration"}  # fmt: skip
        if self.preconditioner:
            analysis["krylov"] = {"preconditioner": self.preconditioner, "tolerance": tolerance} | self.krylov
        net = {"element": "cable", "material": "rope", "section": "round",
               "mesh": {"type": "net", "cells": [self.n, self.n], "along": [1, 0, 0], "across": [0, 1, 0]}}  # fmt: skip
        model = {
            "name": "net",
            "materials": {"rope": {"E": self.E, "density": 7200}},
            "sections": {"round": {"type": "circle", "radius": 0.02}},
            "bodies": {"net": net | self.body},
            "constraints": {"corners": {"type": "fix", "at": "net.corners"}},
            "loads": {"weight": {"type": "gravity", "acceleration": [0, 0, -9.81]}},
            "outputs": {"middle": {"type": "position", "at": "net.center"},
                        "corner": {"type": "position", "at": {"body": "net", "point": [1, 1, 0]}}},
            "analysis": analysis | self.more,
        }
        if self.form == P3:
            net["connect"] = "constraints"
            model["bodies"]["net"] = net | self.body
            model["treatment"] = "lagrange"
        return model | self.model


@dataclasses.dataclass
class Run:
    case: Case
    summary: dict
    lines: list[dict]  # of the trace, one a step

    @property
    def name(self) -> str:
        return f"{self.case.solver}, {self.case.preconditioner}" if self.case.preconditioner else self.case.solver

    @property
    def later(self) -> list[dict]:
        """Without the first step, which has the start and the first set-up in it."""
        return self.lines[1:] or self.lines

    def total(self, column: str, lines: list[dict] | None = None) -> float:
        return sum(line[column] for line in (self.lines if lines is None else lines))

    @property
    def ms(self) -> float:
        """A step, in the median: one that makes a preconditioner, or meets another program, takes longer."""
        return 1e3 * statistics.median(line["seconds"] for line in self.later)

    @property
    def first_ms(self) -> float:
        return 1e3 * self.lines[0]["seconds"]

    @property
    def krylov_per_newton(self) -> float:
        return self.total("krylov_iterations", self.later) / max(1, self.total("newton_iterations", self.later))

    @property
    def ms_per_iteration(self) -> float:
        of = [line["seconds"] / line["krylov_iterations"] for line in self.later if line["krylov_iterations"] > 0]
        return 1e3 * statistics.median(of) if of else math.nan

    @property
    def unknowns(self) -> int:
        return self.summary["unknowns"] + self.summary["multipliers"]

    @property
    def nonzeros(self) -> int:
        """As table II counts: both triangles; zeros on the diagonal of the multipliers are stored by nobody."""
        return 2 * self.summary["nonzeros"] - self.summary["unknowns"]

    @property
    def handed_on(self) -> int:
        """Solves that failed, and were done by another solver."""
        found = re.search(r"(\d+) solves by another solver", self.summary["solver"])
        return int(found[1]) if found else 0

    @property
    def set_up(self) -> dict:
        """What the preconditioner told of its making; empty: nothing."""
        told = self.summary.get("preconditioner") or {}
        return {name: value if name.endswith("_s") or value % 1 else int(value) for name, value in told.items()}

    @property
    def places(self) -> dict[str, list[list[float]]]:
        """Of each point that is watched: where it ended, its largest and its smallest coordinates."""
        return {name: [channel[key] for key in ("final", "max", "min")] for name, channel in self.summary["channels"].items()}

    @property
    def path(self) -> float:
        """m, as far as the farthest of these points came."""
        return max(math.dist(most, least) for _, most, least in self.places.values())

    def row(self) -> dict:
        c, s = self.case, self.summary
        return {
            "n": c.n, "unknowns": self.unknowns, "nonzeros": self.nonzeros, "solver": c.solver,
            "preconditioner": c.preconditioner, "form": c.form, "E": c.E, "h": c.h, "device": "cpu",
            "threads": s["threads"], "steps": s["steps"], "newton_iterations": s["iterations"],
            "krylov_iterations": s["krylov_iterations"], "products": s["products"], "updates": s["updates"],
            "wall_s": s["seconds"]["total"], "ms_per_step": self.ms, "krylov": c.krylov, "solved_by": s["solver"],
        }  # fmt: skip


class Program:
    """Runs of `lithe` in a folder of their own; keeps the rows of all of them."""

    def __init__(self, program: str, tolerance: str | float, folder: str):
        self.program, self.tolerance, self.folder = Path(program).resolve(), tolerance, Path(folder)
        self.rows: list[dict] = []
        if not self.program.exists():
            sys.exit(f"{self.program} is missing; run `make build` first")

    def __call__(self, case: Case) -> Run:
        (self.folder / "net.yaml").write_text(json.dumps(case.describe(self.tolerance)))
        command = [str(self.program), *"run net.yaml -o net.h5 --json net.json --trace net.csv -q".split()]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{case.solver}, {case.preconditioner}, {case.krylov}: lithe ended with {done.returncode}:\n{done.stderr}")
        with open(self.folder / "net.csv", newline="") as file:
            lines = [{name: float(value) for name, value in line.items()} for line in csv.DictReader(file)]
        run = Run(case, json.loads((self.folder / "net.json").read_text()), lines)
        self.rows.append(run.row())
        return run


def apart(a: Run, b: Run) -> float:
    """m, of the middle, and of the crossing beside a corner, which feels it long before: ends and extremes."""
    return max(math.dist(*pair) for name, own in a.places.items() for pair in zip(own, b.places[name]))


def ends_apart(a: Run, b: Run) -> float:
    """m, of runs with other outputs, whose extremes are of other times."""
    return max(math.dist(own[0], b.places[name][0]) for name, own in a.places.items())


def machine() -> dict:
    cpu = next((line.split(":", 1)[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "?")
    return {"cpu": cpu, "cores": os.cpu_count(), "load": os.getloadavg()[0], "system": platform.platform()}


HEAD = f"{'n':>3} {'form':11} {'E (Pa)':>7} {'h (s)':>7} {'solver':34} {'steps':>5} {'newton':>6} {'krylov':>7} {'products':>8} " \
       f"{'made':>4} {'first (ms)':>10} {'ms a step':>9} {'ms an it.':>9}"  # fmt: skip


def show(run: Run) -> None:
    c = run.case
    print(f"{c.n:3} {c.form:11} {c.E:7.0e} {c.h:7.0e} {run.name:34} {run.summary['steps']:5} {run.summary['iterations']:6} "
          f"{run.summary['krylov_iterations']:7} {run.summary['products']:8} {run.summary['updates']:4} "
          f"{run.first_ms:10.1f} {run.ms:9.1f} {run.ms_per_iteration:9.2f}  "
          f"{', '.join(f'{key} {value}' for key, value in c.krylov.items())}", flush=True)  # fmt: skip


def workplace() -> tempfile.TemporaryDirectory:
    return tempfile.TemporaryDirectory(prefix="net_study_")
