"""Whole runs with Krylov solvers: every method with every preconditioner that applies moves as the direct solver does, and
those that do not apply say why."""

import itertools
import json
import sys

import pytest

from conftest import SOURCE

sys.path.insert(0, str(SOURCE / "scripts"))
from compare_builds import linkage, pendulum  # noqa: E402

METHODS = ["cg", "minres", "projected_minres", "gmres", "bicgstab", "bicgstab2"]
PRECONDITIONERS = ["none", "jacobi", "block_jacobi", "incomplete", "factor", "constraint", "mass", "spike"]
UNSYMMETRIC = {"gmres", "bicgstab", "bicgstab2"}
TIGHT = ["analysis.tolerance=1e-12", "analysis.residual_tolerance=1e-10"]


def net(form):
    """P3's scheme, 6 x 6 cells, shared nodes or elements joined by constraints."""
    settings = ["bodies.net.mesh.cells=[6, 6]", "analysis.duration=0.02", "analysis.output_step=0.002",
                "analysis.integrator=newmark", "analysis.beta=0.3025", "analysis.gamma=0.6"]  # fmt: skip
    if form == "constraints":
        settings += ["bodies.net.connect=constraints", "treatment=lagrange", "analysis.projection=false",
                     "analysis.duration=0.006"]  # fmt: skip
    return "net.yaml", settings + TIGHT


def short(name, *settings):
    return name, ["analysis.duration=0.02", "analysis.output_step=0.002", *TIGHT, *settings]


def run(lithe, examples, model, solver, preconditioner=None, **krylov):
    name, settings = model
    settings = [*settings, f"analysis.solver={solver}"]
    if preconditioner:
        options = {"preconditioner": preconditioner, **krylov}
        settings.append("analysis.krylov={" + ", ".join(f"{key}: {value}" for key, value in options.items()) + "}")
    result = lithe("run", examples / name, "-o", "out.h5", "--json", "out.json", "--threads", 1, "--force",
                   *itertools.chain(*(("--set", setting) for setting in settings)))  # fmt: skip
    if result.returncode:
        return None, result.stderr
    return json.loads((lithe.folder / "out.json").read_text()), result.stderr


def numbers(channel):
    return {key: value if isinstance(value, list) else [value] for key, value in channel.items()
            if key in ("final", "min", "max")}  # fmt: skip


def same(found, expected):
    for name, channel in expected["channels"].items():
        a, b = numbers(found["channels"][name]), numbers(channel)
        assert set(b) == {"final", "min", "max"}, b
        reach = max(high - low for high, low in zip(b["max"], b["min"]))
        for key in b:
            for x, y in zip(a[key], b[key]):
                assert abs(x - y) <= 1e-7 * reach, (name, key, x, y, reach)


def refusal(method, preconditioner, multipliers, symmetric=True):
    """The words of the refusal, or None where it must run."""
    if not symmetric and method not in UNSYMMETRIC:
        return "matrices, but that of this model is unsymmetric"
    if multipliers and method == "cg" and preconditioner != "constraint":
        return "cg is for positive definite matrices, which that of this model is among what satisfies the constraints alone"
    if preconditioner == "constraint" and not multipliers:
        return "'constraint' is for matrices with multipliers"
    if preconditioner == "mass" and multipliers:
        return "preconditioner 'mass' knows no multipliers"
    if method == "projected_minres" and preconditioner in ("incomplete", "factor"):
        return "projected_minres needs a preconditioner that contains the constraints"
    if method not in UNSYMMETRIC and preconditioner == "spike":
        return f"{method} needs a symmetric preconditioner, which 'spike' is not"
    if method == "minres" and multipliers and preconditioner in ("incomplete", "factor"):
        return "minres needs a positive definite preconditioner"
    return None


def check_all(lithe, examples, model, multipliers, symmetric=True, penalties=False):
    expected, trouble = run(lithe, examples, model, "auto")
    assert expected, trouble
    for method, preconditioner in itertools.product(METHODS, PRECONDITIONERS):
        found, trouble = run(lithe, examples, model, method, preconditioner)
        words = refusal(method, preconditioner, multipliers, symmetric)
        if words:
            assert found is None and words in trouble, (method, preconditioner, trouble)
            continue
        assert found, (method, preconditioner, trouble)
        assert found["solver"].startswith(f"{method} (as asked"), found["solver"]
        assert "iterations in" in found["solver"], found["solver"]
        # Others may use up their iterations, or break down at a saddle point or of penalties that they do not know; then
        # the direct solver goes on.
        hard = multipliers or penalties
        if preconditioner in ("constraint", "factor", "spike") or (preconditioner != "none" and not hard):
            assert "by another solver" not in found["solver"], (method, preconditioner, found["solver"])
        same(found, expected)


def test_net_of_shared_nodes(lithe, examples):
    check_all(lithe, examples, net("nodes"), multipliers=False)


def test_net_of_constraints(lithe, examples):
    check_all(lithe, examples, net("constraints"), multipliers=True)


@pytest.mark.parametrize("form", ["nodes", "constraints"])
@pytest.mark.parametrize("spike", [
    {"precision": "double"},
    {"partitions": 4},
    {"partitions": 4, "second_stage": "false"},
    {"partitions": 4, "truncate": "false"},
    {"ordering": "spectral"},
    {"matching": "cardinality"},
    {"matching": "none", "partitions": 3},
    {"keep": 0.9999, "partitions": 2},
], ids=str)  # fmt: skip
def test_spike_of_a_net(lithe, examples, form, spike):
    expected, trouble = run(lithe, examples, net(form), "auto")
    assert expected, trouble
    found, trouble = run(lithe, examples, net(form), "bicgstab2", "spike", **spike)
    assert found, trouble
    # Cardinality alone may match rows to what rounding leaves of zeros in a stiffness; then the direct solver goes on.
    if spike != {"matching": "cardinality"}:
        assert "by another solver" not in found["solver"], found["solver"]
    same(found, expected)


def test_spike_keeps_a_share(lithe, examples):
    found, trouble = run(lithe, examples, net("nodes"), "bicgstab2", "spike", keep=1.5)
    assert found is None
    assert "keep: this is 1.5" in trouble and "greater than 0, at most 1" in trouble, trouble


@pytest.mark.parametrize("update", ["adaptive", "never", "uniform", "threshold"])
def test_preconditioners_are_kept(lithe, examples, update):
    expected, _ = run(lithe, examples, net("nodes"), "auto")
    found, trouble = run(lithe, examples, net("nodes"), "cg", "factor", update=update, update_every=5, update_above=3)
    assert found, trouble
    assert found["updates"] == found["factorisations"] > 0 and found["products"] >= found["krylov_iterations"] > 0
    if update == "never":
        assert found["updates"] == 2  # of the masses, for the accelerations at the start; of the first step
    same(found, expected)


def written(lithe, name, text, *settings):
    (lithe.folder / name).write_text(text)
    return lithe.folder / name, [*settings, *TIGHT]


def test_four_bars_side_by_side(lithe, examples):
    model = written(lithe, "four_bars.yaml", linkage("lagrange", 1, loops=40), "analysis.duration=0.0125")
    check_all(lithe, examples, model, multipliers=True)


@pytest.mark.parametrize("case, mesh, tip", [("beam", "16", 16), ("shell", "[4, 2]", 14), ("hexa", "[4, 2, 1]", 14)])
def test_pendulums_of_p0(lithe, examples, case, mesh, tip):
    """Each shortened to a few elements and steps."""
    model = written(lithe, f"{case}.yaml", pendulum(case, 1), f"bodies.body.mesh.elements={mesh}",
                    f"outputs.tip.at.node={tip}", "analysis.duration=0.005")  # fmt: skip
    check_all(lithe, examples, model, multipliers=False)


@pytest.mark.parametrize("treatment", ["lagrange", "augmented"])
def test_slider_crank_with_every_pair(lithe, examples, treatment):
    model = short("slider_crank.yaml", f"treatment={treatment}", "analysis.duration=0.006")
    check_all(lithe, examples, model, multipliers=treatment == "lagrange", penalties=treatment == "augmented")


@pytest.mark.parametrize("treatment, ways", [
    ("lagrange", [("projected_minres", "constraint"), ("cg", "constraint"), ("gmres", "constraint"), ("bicgstab2", "constraint"),
                  ("minres", "constraint"), ("gmres", "factor")]),
    ("augmented", [("cg", "factor"), ("gmres", "factor"), ("minres", "factor")]),
])  # fmt: skip
def test_slider_crank(lithe, examples, treatment, ways):
    model = short("slider_crank.yaml", f"treatment={treatment}")
    expected, trouble = run(lithe, examples, model, "auto")
    assert expected, trouble
    for method, preconditioner in ways:
        found, trouble = run(lithe, examples, model, method, preconditioner)
        assert found, (method, preconditioner, trouble)
        same(found, expected)


@pytest.mark.parametrize("integrator", ["backward_euler", "generalized_alpha"])
@pytest.mark.parametrize("way", [("gmres", "jacobi"), ("gmres", "incomplete"), ("bicgstab2", "incomplete")])
def test_solves_are_as_exact_as_newton_needs(lithe, examples, integrator, way):
    """Large steps with bad conditions: Newton ends as with factors, and no step is cut."""
    model = "slider_crank.yaml", ["analysis.duration=0.004", "analysis.step=1e-3", "analysis.output_step=1e-3", "treatment=lagrange",
                                  f"analysis.integrator={integrator}", *TIGHT]  # fmt: skip
    expected, trouble = run(lithe, examples, model, "auto")
    assert expected, trouble
    found, trouble = run(lithe, examples, model, *way)
    assert found, trouble
    assert found["rejected"] == expected["rejected"] == 0 and found["steps"] == expected["steps"], found
    assert found["iterations"] <= 4 * expected["iterations"], found
    for name in ("slider", "middle"):  # corrections end at 1e-12, and shrink slowly
        ends = list(zip(found["channels"][name]["final"], expected["channels"][name]["final"]))
        assert max(abs(x - y) for x, y in ends) < 5e-11, (name, ends)


def test_pendulum(lithe, examples):
    check_all(lithe, examples, short("pendulum.yaml"), multipliers=False)


@pytest.mark.parametrize("form, ways", [
    ("nodes", [("cg", "block_jacobi"), ("minres", "jacobi"), ("gmres", "factor"), ("bicgstab2", "incomplete"),
               ("bicgstab", "spike"), ("cg", "mass")]),
    ("constraints", [("projected_minres", "constraint"), ("minres", "constraint"), ("bicgstab2", "spike")]),
])  # fmt: skip
def test_products_without_a_matrix(lithe, examples, form, ways):
    model = net(form)
    expected, trouble = run(lithe, examples, model, "auto")
    assert expected, trouble
    for method, preconditioner in ways:
        found, trouble = run(lithe, examples, model, method, preconditioner, operator="matrix_free")
        assert found, (method, preconditioner, trouble)
        assert "by another solver" not in found["solver"], (method, preconditioner, found["solver"])
        assert found["products"] > 0, found
        same(found, expected)


@pytest.mark.parametrize("method", METHODS)
def test_damping_and_products_without_a_matrix(lithe, examples, method):
    model = short("pendulum.yaml", "materials.rubber.damping=0.01")
    expected, trouble = run(lithe, examples, model, "auto")
    assert expected, trouble
    found, trouble = run(lithe, examples, model, method, "block_jacobi", operator="matrix_free")
    if method not in UNSYMMETRIC:
        assert found is None and f"{method} is for symmetric matrices" in trouble, trouble
        assert "use 'operator: assembled'" in trouble, trouble
        return
    assert found, trouble
    assert "by another solver" not in found["solver"], found["solver"]
    same(found, expected)


@pytest.mark.parametrize("treatment, preconditioner", [("lagrange", "constraint"), ("augmented", "factor")])
def test_slider_crank_without_a_matrix(lithe, examples, treatment, preconditioner):
    model = short("slider_crank.yaml", f"treatment={treatment}")
    expected, trouble = run(lithe, examples, model, "auto")
    assert expected, trouble
    found, trouble = run(lithe, examples, model, "gmres", preconditioner, operator="matrix_free")
    assert found, trouble
    same(found, expected)


def test_auto_is_a_number_chosen_by_counts(lithe, examples):
    expected, _ = run(lithe, examples, net("nodes"), "bicgstab2", "spike")
    found, trouble = run(lithe, examples, net("nodes"), "bicgstab2", "spike", partitions="auto", keep="auto")
    assert found, trouble
    assert found["channels"] == expected["channels"] and found["krylov_iterations"] == expected["krylov_iterations"]
    for value in ("many", "0", "1.5"):
        found, trouble = run(lithe, examples, net("nodes"), "bicgstab2", "spike", partitions=value)
        assert found is None and "auto" in trouble and f"{value}" in trouble, trouble


def test_unknown_preconditioner(lithe, examples):
    found, trouble = run(lithe, examples, short("pendulum.yaml"), "cg", "jacoby")
    assert found is None
    assert "preconditioner: 'jacoby' is not known" in trouble and "did you mean 'jacobi'?" in trouble, trouble


# ---- what `auto` makes of it ----


def large_net(*settings, cells=14):
    return "net.yaml", [f"bodies.net.mesh.cells=[{cells}, {cells}]", "analysis.step=1e-4", "analysis.duration=0.004",
                        "analysis.output_step=0.001", *settings]  # fmt: skip


def test_short_steps_go_by_the_mass_matrix(lithe, examples):
    expected, _ = run(lithe, examples, large_net(*TIGHT), "cholmod")
    found, trouble = run(lithe, examples, large_net(*TIGHT), "auto")
    assert found, trouble
    assert found["solver"].startswith("mass matrix (") and "of which one was factored, once" in found["solver"]
    assert "cholmod" not in found["solver"] and found["iterations"] <= 2 * expected["iterations"], found
    same(found, expected)


def test_long_steps_do_not(lithe, examples):
    found, _ = run(lithe, examples, large_net("analysis.step=1e-2", "materials.rope.E=2e9", "analysis.duration=0.05"), "auto")
    assert "mass matrix" not in found["solver"], found["solver"]


def test_large_saddle_points_go_by_iterations(lithe, examples):
    settings = ["bodies.net.connect=constraints", "treatment=lagrange", "analysis.projection=false",
                "analysis.integrator=newmark", "analysis.beta=0.3025", "analysis.gamma=0.6",
                "analysis.duration=0.001"]  # fmt: skip
    expected, _ = run(lithe, examples, large_net(*settings, *TIGHT, cells=26), "mumps")
    found, trouble = run(lithe, examples, large_net(*settings, *TIGHT, cells=26), "auto")
    assert found, trouble
    assert found["solver"].startswith("projected_minres (") and "a trial took 1 iteration" in found["solver"], found
    same(found, expected)


@pytest.mark.parametrize("rule", ["auto", "paper", "1e-8"])
def test_tolerances_end_at_the_same_motion(lithe, examples, rule):
    expected, _ = run(lithe, examples, net("nodes"), "auto")
    found, trouble = run(lithe, examples, net("nodes"), "cg", "block_jacobi", tolerance=rule)
    assert found, trouble
    same(found, expected)


@pytest.mark.parametrize("key, value, reader", [("partitions", 4, "preconditioner: spike"), ("factor", "klu", "preconditioner: factor"),
                                                ("restart", 10, "solver: gmres"), ("update_every", 7, "update: uniform")])  # fmt: skip
def test_keys_that_nothing_reads(lithe, examples, key, value, reader):
    _, trouble = run(lithe, examples, short("net.yaml", "bodies.net.mesh.cells=[2, 2]"), "cg", "jacobi", **{key: value})
    assert f"nothing reads this: it is for '{reader}'" in trouble and key in trouble, trouble


def test_an_unknown_tolerance(lithe, examples):
    found, trouble = run(lithe, examples, net("nodes"), "cg", "block_jacobi", tolerance="loose")
    assert found is None and "auto, paper or a number is expected, but this is 'loose'" in trouble, trouble
    for value in ("1", "0", "-1e-3", "2"):
        found, trouble = run(lithe, examples, net("nodes"), "cg", "block_jacobi", tolerance=value)
        assert found is None and "greater than 0 and less than 1" in trouble, trouble


def test_options_in_python():
    options = pytest.importorskip("lithe").KrylovOptions(operator="matrix_free", tolerance=1e-8)
    assert options.partitions == "auto" and options.keep == "auto"
    options.partitions, options.keep = 4, 0.99
    assert options.partitions == 4 and options.keep == 0.99
    options.partitions = "auto"
    assert options.partitions == "auto"
    assert options.operator == "matrix_free" and options.tolerance == 1e-8
    options.tolerance = "auto"
    assert options.tolerance == "auto"
    with pytest.raises(ValueError, match="operator"):
        options.operator = "matrixfree"
