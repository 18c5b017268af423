"""Parts that P3 has: table II and figure 8, figures 4 and 5, section 5.1, 4.2, figure 6, table I and figure 7."""

from __future__ import annotations

import math
from collections import Counter

from .program import Run, apart
from .study import PLAIN, SPIKE, Study, published

# n: unknowns, nonzeros; mean, min, max and deviation of a row; half-bandwidth K, partitions P
TABLE_2 = {
    40: (63603, 569262, 8.950, 1, 14, 5.467, 852, 10),
    50: (99003, 885582, 8.945, 1, 14, 5.470, 1062, 11),
    60: (142203, 1271502, 8.942, 1, 14, 5.472, 1272, 12),
    70: (193203, 1727022, 8.939, 1, 14, 5.474, 1482, 17),
    80: (252003, 2252142, 8.937, 1, 14, 5.475, 1694, 13),
}
# Hours for 1 s of motion
TABLE_1 = {
    "bicgstab2, none": (8.29, 8.18, 7.80, 7.53, 8.51, 13.74),
    "minres, none": (3.62, 3.58, 3.51, 3.41, 3.65, 6.55),
    "bicgstab2, spike": (0.91, 0.94, 0.97, 0.84, 1.09, 1.48),
}
STIFFNESSES = (2e6, 2e7, 2e8, 2e9, 2e10, 2e11)
# Section 5.1, ms: our name of it, theirs, time
SET_UP = [("matching_s", "MC64", 47), ("ordering_s", "RCM", 149), ("fill_s", "B_i and C_i; ours: A_i too", 53),
          ("factor_s", "factors of 10 blocks", 121), ("spikes_s", "V_i and W_i", 307),
          ("reduced_s", "factors of R_i", 185)]  # fmt: skip
# Round numbers of a core, to weigh operations that were counted: flop/s, bytes/s
FLOPS, BYTES = 2e10, 1e10


def row_counts(n: int) -> Counter:
    """Entries of a row of the matrix of P3's form: how many rows have them, counted on the net itself.

    An element has 12 coordinates that are all coupled, two positions and two gradients. Inside a line two elements meet
    with six equations; at every crossing but one corner a row of the net is tied to a column, by one of its elements; four
    corners are pinned, the one without a tie on both lines. An equation takes one coordinate of each side."""
    lines, ends = 2 * (n + 1), 4 * (n + 1)
    joints, ties, pins = lines * (n - 1), (n + 1) ** 2 - 1, 5
    rows = Counter()
    rows[12] += 3 * ends  # gradients at ends of lines
    rows[13] += 6 * joints  # those inside
    rows[13] += 3 * joints  # positions inside, on the side without the tie
    rows[14] += 3 * joints  # and with it
    rows[13] += 3 * (ends - 3)  # at ends: a tie, or a pin in the corner without one
    rows[14] += 3 * 3  # a tie and a pin
    rows[2] += 6 * joints + 3 * ties
    rows[1] += 3 * pins
    return rows


def statistics(rows: Counter) -> tuple[int, int, float, int, int, float]:
    unknowns, nonzeros = sum(rows.values()), sum(k * count for k, count in rows.items())
    mean = nonzeros / unknowns
    deviation = math.sqrt(sum(count * (k - mean) ** 2 for k, count in rows.items()) / unknowns)
    return unknowns, nonzeros, mean, min(rows), max(rows), deviation


def check_table_2(study: Study, run: Run) -> None:
    n, checks = run.case.n, study.checks
    counted = statistics(row_counts(n))
    checks.within(f"n = {n}: unknowns", run.unknowns, 0, counted[0])
    checks.within(f"n = {n}: nonzeros", run.nonzeros, 0, counted[1])
    if n not in TABLE_2:
        return
    paper = TABLE_2[n]
    names = ("unknowns", "nonzeros", "mean of a row", "smallest row", "largest row", "deviation")
    k, parts = run.set_up.get("ordered_bandwidth", "-"), run.set_up.get("partitions", "-")
    published(f"table II, {n} x {n}", [
        *((name, theirs, ours, "") for name, theirs, ours in zip(names, paper, (run.unknowns, run.nonzeros, *counted[2:]))),
        ("half-bandwidth K after the order", paper[6], k, ""), ("partitions P", paper[7], parts, "")])  # fmt: skip
    for name, theirs, ours in list(zip(names, paper, counted)):
        # 8.942 is printed for 60 x 60, whose own nonzeros over unknowns are 8.9415: the table has not always rounded.
        limit = 0 if isinstance(theirs, int) else 1e-3 if (n, theirs) == (60, 8.942) else 5e-4
        checks.within(f"n = {n}: {name} of table II", ours, limit, theirs)
    checks.within(f"n = {n}: K over the paper's", run.set_up.get("ordered_bandwidth", math.nan) / paper[6], 1.15)


def exponent(runs: list[Run]) -> float:
    """Of ms a step over unknowns, least squares in logarithms."""
    x, y = [math.log(run.unknowns) for run in runs], [math.log(run.ms) for run in runs]
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    return sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y)) / sum((a - mean_x) ** 2 for a in x)


def scaling(study: Study) -> list[Run]:
    study.head("table II, figure 8: E = 2e7 Pa, h = 1e-3 s")
    steps = study.length(10, 1000)
    spike = [study.run(SPIKE, n=n, steps=steps) for n in study.sizes()]
    plain = [study.run(method, n=n, steps=study.length(3, 1000)) for method in PLAIN for n in study.sizes()]
    for run in spike:
        check_table_2(study, run)
    study.none_handed_on(spike + plain)
    growth = spike[-1].krylov_per_newton / spike[0].krylov_per_newton
    study.checks.within(f"iterations, n = {study.sizes()[-1]} over {study.sizes()[0]}", growth, 1.2)
    print()
    for name, runs in (("bicgstab2, spike", spike), ("bicgstab2, none", plain[:5]), ("minres, none", plain[5:])):
        print(f"ms a step go with unknowns^{exponent(runs):.2f}: {name} (P3: linear)")
    study.time_within("exponent of ms a step with SPIKE", exponent(spike), 1.25)
    return spike + plain


def solvers(study: Study) -> list[Run]:
    study.head("figures 4, 5: E = 2e7 Pa, h = 1e-3 s")
    steps = study.length(20, 5000)
    keep = {"update": "uniform", "update_every": 2 * 500}  # matrices, two a step
    methods = [SPIKE, ("bicgstab", "spike"), ("bicgstab", "none"), *PLAIN]
    runs = [study.run(method, steps=steps, krylov=keep if method[1] == "spike" else {}) for method in methods]
    print("beside them, without counterpart in P3:")
    others = [study.run(method, steps=steps) for method in (("projected_minres", "constraint"), ("mumps", None))]
    base = runs[0]
    published("time over that of BiCGStab(2) with SPIKE", [
        ("BiCGStab, none", 10.8, runs[2].ms / base.ms, ""), ("BiCGStab(2), none", 8.3, runs[3].ms / base.ms, ""),
        ("MINRES, none", 3.6, runs[4].ms / base.ms, ""), ("ms an iteration", 110, base.ms_per_iteration, "ms")])  # fmt: skip
    print()
    newton = [[line["newton_iterations"] for line in run.lines] for run in runs]
    different = sum(len(set(step)) > 1 for step in zip(*newton))
    study.checks.within("steps in which methods differ in Newton's iterations", different, 0)
    study.checks.within("motions, any two runs apart (m)", max(apart(a, base) for a in runs + others), 1e-7)
    study.checks.within("Krylov iterations a Newton iteration, SPIKE (P3: 1 to 2)", base.krylov_per_newton, 2.5)
    study.checks.at_least("products without over with SPIKE", runs[3].total("products") / base.total("products"), 30)
    study.none_handed_on(runs + others)
    return runs + others


def setup(study: Study) -> list[Run]:
    study.head("section 5.1: a preconditioner made, E = 2e7 Pa, h = 1e-3 s")
    run = study.run(SPIKE, steps=study.length(5, 20))
    seconds = {name: value for name, value in run.set_up.items() if name.endswith("_s")}
    whole = sum(seconds.values()) if seconds else math.nan
    rows = [(theirs, ms, 1e3 * seconds.get(ours, math.nan), "ms") for ours, theirs, ms in SET_UP]
    again = sum(1e3 * seconds.get(name, math.nan) for name in ("fill_s", "factor_s", "spikes_s", "reduced_s"))
    rows += [("together, orders known", 650, again, "ms"),
             ("an iteration of BiCGStab(2)", 110, run.ms_per_iteration, "ms")]  # fmt: skip
    published("P3 on a K20x", rows)
    print(", ".join(f"{name} {value:.6g}" for name, value in run.set_up.items()) + "\n")
    study.checks.within("pivots that were boosted", run.set_up.get("boosted_pivots", math.nan), 0)
    study.none_handed_on([run])
    study.time_within("a preconditioner, orders and all (s)", whole, 3)
    study.time_within("an iteration (ms)", run.ms_per_iteration, 110)
    return [run]


def precision(study: Study) -> list[Run]:
    study.head("section 4.2: SPIKE in single and in double precision")
    steps = study.length(20, 1000)
    single, double = (study.run(SPIKE, steps=steps, krylov={"precision": word}) for word in ("single", "double"))
    published("double over single", [("time of a step", 1.5, double.ms / single.ms, "")])
    print()
    study.checks.within("iterations a Newton iteration, apart", single.krylov_per_newton - double.krylov_per_newton, 1)
    study.checks.within("motions apart (m)", apart(single, double), 1e-7)
    study.none_handed_on([single, double])
    study.time_at_least("double over single, time of a step", double.ms / single.ms, 1.2)
    return [single, double]


def work(run: Run) -> float:
    """Seconds by counts: operations to make preconditioners; bytes that products and their applications read."""
    made = run.total("updates") * run.set_up.get("flops", math.nan) / FLOPS
    single = run.case.krylov.get("precision", "single") == "single"
    read = (4 if single else 8) * run.set_up.get("numbers_read", math.nan) + 12 * run.nonzeros
    return made + run.total("products") * read / BYTES


def updates(study: Study) -> list[Run]:
    study.head("figure 6: when the preconditioner is made anew, E = 2e8 Pa, h = 1e-3 s")
    steps = study.length(200, 5000)
    policies = {
        "never": {"update": "never"},
        "uniform": {"update": "uniform", "update_every": 2 * max(1, steps // 10)},  # matrices; ten times in the run
        "threshold": {"update": "threshold", "update_above": 10},
        "adaptive": {"update": "adaptive"},
    }
    runs = {}
    for name, krylov in policies.items():
        print(f"{name}:")
        runs[name] = study.run(SPIKE, E=2e8, steps=steps, krylov=krylov)
    never = runs["never"]
    seconds = {name: run.total("seconds") for name, run in runs.items()}
    published("time of 'never' over that of", [
        ("uniform", 1.19, seconds["never"] / seconds["uniform"], ""),
        ("threshold (P3's adaptive)", 1.47, seconds["never"] / seconds["threshold"], ""),
        ("adaptive (ours)", "-", seconds["never"] / seconds["adaptive"], "")])  # fmt: skip
    counted = {name: work(run) for name, run in runs.items()}
    print("counted work (s): " + ", ".join(f"{name} {value:.1f}" for name, value in counted.items()) + "\n")
    best = min(value for name, value in counted.items() if name != "adaptive")
    study.checks.within("adaptive over the best other, counted work", counted["adaptive"] / best, 1.05)
    study.checks.within("motions apart (m)", max(apart(run, never) for run in runs.values()), 1e-7)
    study.none_handed_on(list(runs.values()))
    return list(runs.values())


def stiffness(study: Study) -> list[Run]:
    study.head("table I: h = 1e-4 s, a preconditioner every 0.5 s")
    # A stiff net takes two Newton iterations in its first steps from rest, and one from then on.
    h, steps = 1e-4, study.length(20, 10000)
    keep = {"update": "uniform", "update_every": 2 * 5000}
    table = {}
    for method in (*PLAIN, SPIKE):
        runs = [study.run(method, E=E, h=h, steps=steps, krylov=keep if method == SPIKE else {}) for E in STIFFNESSES]
        table[runs[0].name] = runs
    hours = {name: [run.ms / 3.6e6 / h for run in runs] for name, runs in table.items()}
    for name, values in hours.items():
        published(f"hours for 1 s, from {steps} steps: {name}", [
            (f"E = {E:.0e} Pa", theirs, ours, "h") for E, theirs, ours in zip(STIFFNESSES, TABLE_1[name], values)])  # fmt: skip
    study.head("figure 7: iterations of BiCGStab(2) with SPIKE over E and h")
    spread = [study.run(SPIKE, E=E, h=step, steps=study.length(3, 20)) for step in (1e-5, 1e-3) for E in STIFFNESSES]
    print(f"\n{'Krylov a Newton':16}" + "".join(f"{E:9.0e}" for E in STIFFNESSES))
    by_h = {1e-5: spread[:6], h: table["bicgstab2, spike"], 1e-3: spread[6:]}
    for step, runs in by_h.items():
        print(f"h = {step:.0e} s    " + "".join(f"{run.krylov_per_newton:9.2f}" for run in runs))
    print()
    spike = hours["bicgstab2, spike"][:5]
    counts = [run.krylov_per_newton for run in table["bicgstab2, spike"][:5]]
    everything = [run for runs in table.values() for run in runs] + spread
    study.checks.within("SPIKE: iterations, most over least, E up to 2e10", max(counts) / min(counts), 2)
    study.none_handed_on(everything)
    study.time_within("SPIKE: time, most over least, E up to 2e10 (P3: 1.3)", max(spike) / min(spike), 2)
    return everything
