"""Pictures of the parts that P3 has pictures of."""

from __future__ import annotations

from _common import figure, save

from .paper import STIFFNESSES, TABLE_1
from .program import Run


def scaling(runs: list[Run], path: str) -> None:
    picture, ((axis,),) = figure(1, 1, (6.5, 4.5))
    for name in dict.fromkeys(run.name for run in runs):
        of = [run for run in runs if run.name == name]
        axis.loglog([run.unknowns for run in of], [run.ms for run in of], "o-", label=f"{name} ({of[0].summary['steps']} steps)")
    axis.set(xlabel="unknowns", ylabel="ms a step", title="time over size (P3, figure 8)")
    axis.grid(True, which="both", alpha=0.3)
    axis.legend()
    save(picture, path)


def solvers(runs: list[Run], path: str) -> None:
    picture, ((times, counts),) = figure(1, 2, (12, 4.5))
    for run in runs:
        steps = [line["step"] for line in run.later]
        times.semilogy(steps, [1e3 * line["seconds"] for line in run.later], label=run.name)
        if run.total("krylov_iterations") > 0:
            share = [line["krylov_iterations"] / line["newton_iterations"] for line in run.later]
            counts.semilogy(steps, share, label=run.name)
    times.set(xlabel="step", ylabel="ms", title="time of a step (P3, figure 4)")
    counts.set(xlabel="step", ylabel="Krylov iterations a Newton iteration", title="iterations (P3, figure 5)")
    for axis in (times, counts):
        axis.grid(True, alpha=0.3)
        axis.legend(fontsize=8, loc="upper left", bbox_to_anchor=(1, 1))
    save(picture, path)


def updates(runs: list[Run], path: str) -> None:
    picture, ((times, counts),) = figure(1, 2, (12, 4.5))
    for run in runs:
        steps = [line["step"] for line in run.later]
        name = run.case.krylov["update"]
        times.plot(steps, [1e3 * line["seconds"] for line in run.later], lw=0.8, label=name)
        counts.plot(steps, [line["krylov_iterations"] for line in run.later], lw=0.8, label=name)
        made = [line for line in run.later if line["updates"] > 0]
        counts.plot([line["step"] for line in made], [line["krylov_iterations"] for line in made], "k.", ms=4)
    times.set(xlabel="step", ylabel="ms", title="time of a step by policy (P3, figure 6)")
    counts.set(xlabel="step", ylabel="Krylov iterations a step", title="iterations; dots: preconditioner made")
    for axis in (times, counts):
        axis.grid(True, alpha=0.3)
        axis.legend(fontsize=8, loc="upper left", bbox_to_anchor=(1, 1))
    save(picture, path)


def stiffness(runs: list[Run], path: str) -> None:
    picture, ((table, spread),) = figure(1, 2, (12, 4.5))
    for k, name in enumerate(TABLE_1):
        of = [run for run in runs if run.name == name and run.case.h == 1e-4]
        table.loglog(STIFFNESSES, [run.ms / 3.6e6 / run.case.h for run in of], f"C{k}o-", label=name)
        table.loglog(STIFFNESSES, TABLE_1[name], f"C{k}:", label=f"{name}, P3 on a K20x")
    for h in sorted({run.case.h for run in runs}):
        of = [run for run in runs if run.name == "bicgstab2, spike" and run.case.h == h]
        spread.semilogx([run.case.E for run in of], [run.krylov_per_newton for run in of], "o-", label=f"h = {h:g} s")
    table.set(xlabel="E (Pa)", ylabel="hours", title="1 s of motion, h = 1e-4 s (P3, table I)")
    spread.set(xlabel="E (Pa)", ylabel="Krylov iterations a Newton iteration", title="BiCGStab(2) with SPIKE (P3, figure 7)")
    spread.set_ylim(bottom=0)
    for axis in (table, spread):
        axis.grid(True, which="both", alpha=0.3)
        axis.legend(fontsize=8, loc="upper left", bbox_to_anchor=(1, 1))
    save(picture, path)


OF = {"scaling": scaling, "solvers": solvers, "updates": updates, "stiffness": stiffness}
