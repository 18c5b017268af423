"""Parts that P3 has not, or names as its future work: forms of the net, orders, cores, variable steps, other elements."""

from __future__ import annotations

import math

from .program import P3, SHARED, Run, apart, ends_apart
from .study import PLAIN, SPIKE, Study

DIRECT = {P3: ("mumps", None), SHARED: ("cholmod", None)}
METHODS = {
    P3: [("auto", None), ("projected_minres", "constraint"), SPIKE, *PLAIN],
    SHARED: [("auto", None), ("cg", "mass"), ("cg", "block_jacobi"), ("cg", "incomplete"), ("cg", "factor"),
             ("minres", "block_jacobi"), SPIKE],
}  # fmt: skip


def forms(study: Study) -> list[Run]:
    h, steps = 1e-3, study.steps or 100
    study.head(f"both forms over {steps * h:g} s, h = {h:g} s")
    paths = [study.run(("projected_minres", "constraint"), h=h, steps=steps),
             study.run(DIRECT[SHARED], form=SHARED, h=h, steps=steps)]  # fmt: skip
    h, steps = 1e-4, study.length(20, 1000)
    study.head(f"ms a step of every solver, h = {h:g} s; what is not said as by default, Newton's tangents too")
    runs = {}
    for form in (P3, SHARED):
        tangents = {"tangent_policy": "adaptive"}
        runs[form] = [study.run(method, form=form, h=h, steps=steps, more=tangents)
                      for method in [DIRECT[form], *METHODS[form]]]  # fmt: skip
    print()
    for form, of_form in runs.items():
        print(f"{form}: time of a step of {of_form[0].name} over")
        for run in of_form[1:]:
            print(f"    {run.name:32} {of_form[0].ms / run.ms:6.2f}")
    print()
    study.head(f"default form for longer: the first {steps} steps, from rest, take fewer iterations")
    longer = [study.run(method, form=SHARED, h=h, steps=10 * steps, more=tangents)
              for method in (DIRECT[SHARED], ("auto", None))]  # fmt: skip
    print()
    every = [run for of_form in runs.values() for run in of_form]
    study.checks.within("the two forms, motions apart (m)", apart(*paths), 1e-6)
    study.checks.within("any solver and form, motions apart (m)", max(apart(run, every[0]) for run in every), 1e-8)
    study.checks.within("the default form for longer, motions apart (m)", apart(*longer), 1e-8)
    study.none_handed_on(paths + every + longer)
    of = {form: {run.name: run.ms for run in of_form} for form, of_form in runs.items()}
    if study.n == 40:
        study.time_within("P3's form: projected_minres, constraint (ms a step)", of[P3]["projected_minres, constraint"], 12)
        study.time_at_least("P3's form: mumps over it", of[P3]["mumps"] / of[P3]["projected_minres, constraint"], 2)
        study.time_at_least("P3's form: BiCGStab(2) without over with SPIKE",
                            of[P3]["bicgstab2, none"] / of[P3]["bicgstab2, spike"], 4)  # fmt: skip
    gain = {40: 1.6, 80: 2.5}.get(study.n)
    if gain:
        study.time_at_least("default form: cholmod over auto", longer[0].ms / longer[1].ms, gain)
    return paths + every + longer


def ordering(study: Study) -> list[Run]:
    study.head("orders of SPIKE: E = 2e7 Pa, h = 1e-3 s")
    steps, runs = study.length(10, 1000), {}
    for order in ("rcm", "spectral"):
        for matching in ("product", "none"):
            runs[order, matching] = study.run(SPIKE, steps=steps, krylov={"ordering": order, "matching": matching})
    print(f"\n{'order':9} {'matching':9} {'K':>6} {'numbers kept':>12} {'largest K_i':>11} {'iterations':>10} {'ms a step':>9}")
    for (order, matching), run in runs.items():
        told = run.set_up
        print(f"{order:9} {matching:9} {told.get('ordered_bandwidth', '-'):>6} {told.get('numbers', '-'):>12} "
              f"{told.get('largest_partition_bandwidth', '-'):>11} {run.krylov_per_newton:10.2f} {run.ms:9.1f}")  # fmt: skip
    print()
    base = runs["rcm", "product"]
    study.checks.within("motions, any two orders apart (m)", max(apart(run, base) for run in runs.values()), 1e-7)
    study.none_handed_on(list(runs.values()))
    return list(runs.values())


def multicore(study: Study) -> list[Run]:
    study.head("threads: E = 2e7 Pa, h = 1e-3 s")
    methods = [(SPIKE, P3), (("projected_minres", "constraint"), P3), (("minres", "none"), P3),
               (("cg", "block_jacobi"), SHARED)]  # fmt: skip
    steps, most = study.length(10, 1000), max(2, study.threads)
    counts = sorted({1, *(2**k for k in range(1, most.bit_length())), most})
    runs, gains = [], {}
    for method, form in methods:
        of_method = [study.run(method, form=form, steps=steps, threads=threads) for threads in counts]
        runs += of_method
        same = [(run.summary["channels"], [{k: v for k, v in line.items() if k != "seconds"} for line in run.lines])
                for run in of_method]  # fmt: skip
        different = sum(run != same[0] for run in same)
        study.checks.within(f"{of_method[0].name}: numbers of threads with other bits", different, 0)
        gains[of_method[0].name] = {threads: of_method[0].ms / run.ms for threads, run in zip(counts, of_method)}
    print(f"\nspeed with threads over one {'':10}" + "".join(f"{threads:7}" for threads in counts))
    for name, gain in gains.items():
        print(f"{name:37} " + "".join(f"{value:7.2f}" for value in gain.values()))
    print()
    study.none_handed_on(runs)
    for name in ("bicgstab2, spike", "cg, block_jacobi"):
        study.time_at_least(f"{name}: two threads over one", gains[name][2], 1.6)
    return runs


def variable(study: Study) -> list[Run]:
    """The path is judged against steps of a tenth of the smallest that the error let be."""
    duration, tolerance = (study.steps or 100) * 1e-3, 1e-6
    study.head(f"steps by the estimated error over {duration:g} s, tolerance {tolerance:g}")
    error = {"control": "error", "error_tolerance": tolerance, "duration": duration, "output_step": duration,
             "tangent_policy": "adaptive"}  # fmt: skip
    runs = {}
    for form, kept in ((P3, SPIKE), (P3, ("projected_minres", "constraint")), (SHARED, ("cg", "factor"))):
        if (form, None) not in runs:
            runs[form, None] = study.run(DIRECT[form], form=form, more=error)
        runs[form, kept] = study.run(kept, form=form, more=error)
    smallest = min(run.summary["smallest_step"] for run in runs.values())
    steps = math.ceil(duration / smallest) * 10
    exact = study.run(DIRECT[SHARED], form=SHARED, h=duration / steps, steps=steps, more={"tangent_policy": "adaptive"})
    print(f"\n{'':44} {'steps':>6} {'made':>5} {'error (m)':>10}")
    errors = {key: ends_apart(run, exact) for key, run in runs.items()}
    for (form, _), run in runs.items():
        print(f"{form:11} {run.name:32} {run.summary['steps']:6} {run.summary['factorisations']:5} "
              f"{errors[form, _]:10.2e}")  # fmt: skip
    print()
    for (form, kept), run in runs.items():
        if kept is None:
            continue
        direct, name = runs[form, None], f"{form}: {run.name}"
        share = run.summary["factorisations"] / direct.summary["factorisations"]
        study.checks.within(f"{name}: factorisations over direct", share, 1 - 1 / direct.summary["factorisations"])
        study.checks.within(f"{name}: error over direct's", errors[form, kept] / errors[form, None], 0.05, 1)
    study.none_handed_on(list(runs.values()))
    return [*runs.values(), exact]


def grid_of_beams(n: int) -> dict:
    """n x n cells of Beam 3243: a body for each line, spherical joints where they cross, the corners held."""
    bodies, joints = {}, {}
    for k in range(n + 1):
        for name, start, end in ((f"row{k}", [0, k, 0], [n, k, 0]), (f"column{k}", [k, 0, 0], [k, n, 0])):
            line = {"type": "line", "from": start, "to": end, "elements": n}
            bodies[name] = {"element": "beam3243", "material": "rubber", "section": "square", "mesh": line}
        for j in range(n + 1):
            pair = {"a": {"body": f"row{k}", "node": j}, "b": {"body": f"column{j}", "node": k}}
            joints[f"tie{k}_{j}"] = {"type": "spherical"} | pair
    held = {f"{row}_{end}": {"type": "fix", "at": f"{row}.{end}"} for row in ("row0", f"row{n}") for end in ("start", "end")}
    return {"materials": {"rubber": {"E": 2e7, "nu": 0.3, "density": 7200}},
            "sections": {"square": {"type": "rectangle", "width": 0.05, "thickness": 0.05}},
            "bodies": bodies, "joints": joints, "constraints": held,
            "outputs": {"middle": {"type": "position", "at": {"body": f"row{n // 2}", "node": n // 2}}}}  # fmt: skip


def plate(n: int) -> dict:
    """n x n Shell 3443 held at its corners."""
    held = {f"corner{k}": {"type": "fix", "at": {"body": "plate", "node": k}} for k in (0, n, n * (n + 1), (n + 1) ** 2 - 1)}
    mesh = {"type": "plate", "corner": [0, 0, 0], "length": [1, 0, 0], "width": [0, 1, 0], "elements": [n, n]}
    return {"materials": {"rubber": {"E": 2e7, "nu": 0.3, "density": 1200}},
            "sections": {"flat": {"type": "plate", "thickness": 0.02}},
            "bodies": {"plate": {"element": "shell3443", "material": "rubber", "section": "flat", "mesh": mesh}},
            "constraints": held, "outputs": {"middle": {"type": "position", "at": "plate.middle"}}}  # fmt: skip


def block(n: int) -> dict:
    """A bar of n x 2 x 2 Hexa 3843 held at one end."""
    mesh = {"type": "block", "corner": [0, 0, 0], "length": [1, 0, 0], "width": [0, 0.2, 0], "height": [0, 0, 0.2],
            "elements": [n, 2, 2]}  # fmt: skip
    return {"materials": {"rubber": {"E": 2e6, "nu": 0.3, "density": 1200}}, "sections": {},
            "bodies": {"bar": {"element": "hexa3843", "material": "rubber", "mesh": mesh}},
            "constraints": {"root": {"type": "clamp", "at": "bar.x_min"}},
            "outputs": {"tip": {"type": "position", "at": "bar.x_max_middle"}}}  # fmt: skip


def elements(study: Study) -> list[Run]:
    n, steps = max(4, study.n // 5), study.length(30, 300)
    runs = []
    for name, model in (("beams", grid_of_beams(n)), ("plate", plate(n)), ("block", block(n))):
        study.head(f"{name}, n = {n}, h = 1e-3 s")
        methods = [("cholmod", None), ("cg", "block_jacobi"), ("cg", "incomplete"), ("minres", "block_jacobi"), SPIKE]
        of_name = [study.run(method, n=n, form=SHARED, steps=steps, model=model) for method in methods]
        of_name.append(study.run(("cg", "block_jacobi"), n=n, form=SHARED, steps=steps, model=model,
                                 krylov={"operator": "matrix_free"}))  # fmt: skip
        direct = of_name[0]
        worst = max(apart(run, direct) for run in of_name)
        study.checks.within(f"{name}: motions apart from direct, over the path", worst / direct.path, 1e-6)
        study.none_handed_on(of_name)
        runs += of_name
    return runs
