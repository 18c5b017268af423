"""`lithe bench`: form and counts of what it writes. Times are never asserted: they are the machine's."""
import json
import os
import subprocess

import pytest

LITHE = os.environ.get("LITHE", "build/lithe")
MESH_KEYS = {"element", "strategy", "threads", "elements", "force_us", "tangent_us", "bytes_per_element"}
TABLE_4 = {  # P0: beam, shell, hexa
    "mass": (288, 1088, 4224),
    "C": (3000, 12544, 49664),
    "D": (3000, 12544, 49664),
    "E": (5880, 18688, 61952),
    "G": (27648, 315392, 4472832),
    "L": (66560, 1052672, 16793600),
}
ELEMENTS = ("beam3243", "shell3443", "hexa3843")
SOLIDS = ("hex8", "tet4", "tet10")  # by batched and C alone


def bench(*arguments, expect=0):
    result = subprocess.run([LITHE, "bench", *map(str, arguments)], capture_output=True, text=True, timeout=600)
    assert result.returncode == expect, result.stdout + result.stderr
    return result


@pytest.fixture(scope="module")
def elements(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bench")
    result = bench("elements", "--sizes", "8,...,16", "--threads", "1,2", "--layers", "1,2", "--iterations", 2,
                   "--seconds", 0.01, "--memory", 0.2, "--json", folder / "elements.json",
                   "--picture", folder / "roofline.png")
    return json.loads((folder / "elements.json").read_text()), result, folder / "roofline.png"


@pytest.fixture(scope="module")
def storage(tmp_path_factory):
    file = tmp_path_factory.mktemp("bench") / "storage.json"
    result = bench("storage", "--json", file)
    return json.loads(file.read_text()), result


def test_machine(elements):
    machine = elements[0]["machine"]
    assert {"cpu", "cores", "flags", "compiler", "commit", "fma_peak_gflops", "copy_gbs"} <= machine.keys()
    assert machine["fma_peak_gflops"] > 0 and machine["copy_gbs"] > 0


def test_rows_cover_every_strategy_size_and_thread_count(elements):
    rows = elements[0]["rows"]
    listed = json.loads(subprocess.run([LITHE, "list", "strategies", "--json"], capture_output=True, text=True,
                                       check=True).stdout)
    strategies = {strategy["name"] for strategy in listed["strategies"]} | {"batched_exact"}
    assert {row["strategy"] for row in rows} == strategies
    assert len(rows) == (len(ELEMENTS) * len(strategies) + 2 * len(SOLIDS)) * 2 * 2
    for row in rows:
        assert MESH_KEYS <= row.keys()
        assert row["element"] in ELEMENTS or row["strategy"] in ("batched", "C")
        assert row["element"] in ELEMENTS + SOLIDS and row["threads"] in (1, 2) and row["elements"] <= 16
        for what in ("force", "tangent"):
            assert 0 < row[f"{what}_min_us"] <= row[f"{what}_us"] <= row[f"{what}_max_us"]
            assert row[f"{what}_flops"] > 0


def test_strategies_that_need_much_memory_get_fewer_elements(elements):
    hexa = {(row["strategy"], row["elements"]) for row in elements[0]["rows"] if row["element"] == "hexa3843"}
    assert ("L", 8) in hexa and ("L", 16) not in hexa and ("C", 16) in hexa
    assert "does not fit into memory" in elements[1].stderr


def test_layers_cost_pre_integration_nothing(elements):
    bytes_of = {(row["strategy"], row["layers"]): row["bytes_per_element"] for row in elements[0]["layered_shells"]}
    flops_of = {(row["strategy"], row["layers"]): row["tangent_flops"] for row in elements[0]["layered_shells"]}
    for strategy in ("G", "L"):
        assert bytes_of[strategy, 1] == bytes_of[strategy, 2]
        assert flops_of[strategy, 1] == flops_of[strategy, 2]
    assert bytes_of["C", 2] == pytest.approx(2 * bytes_of["C", 1], rel=0.01)
    assert {(point["integrated"], point["summed"]) for point in elements[0]["break_even"]} == {
        (i, s) for i in "GL" for s in ("C", "D", "E", "batched")}


def test_targets_are_stated(elements):
    assert {target["element"] for target in elements[0]["targets"]} == set(ELEMENTS + SOLIDS)
    assert all(target["met"] in (True, False) for target in elements[0]["targets"])
    assert "best of C, D, E over batched" in elements[1].stdout


def test_picture(elements):
    assert elements[2].read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"


def table(storage, number, strategy):
    found = {entry["element"]: entry for entry in storage[0]["tables"]
             if entry["table"] == number and entry["strategy"] == strategy}
    return [found[element] for element in ELEMENTS]


@pytest.mark.parametrize("strategy", TABLE_4)
def test_table_4_is_the_published_one(storage, strategy):
    assert [entry["computed"] for entry in table(storage, 4, strategy)] == list(TABLE_4[strategy])


def test_table_5_is_the_published_one(storage):
    for strategy in "CDEGL":
        for entry in table(storage, 5, strategy):
            assert abs(entry["computed"] - entry["published"]) <= 1, entry


def test_batched_is_smaller_than_C(storage):
    for batched, C in zip(table(storage, 4, "batched"), table(storage, 4, "C")):
        assert 0 < batched["computed"] < C["computed"]


@pytest.mark.parametrize("number", (6, 7, 8, 9))
def test_counted_work_is_near_the_published(storage, number):
    for entry in storage[0]["tables"]:
        if entry["table"] == number and entry["published"] is not None:
            assert abs(entry["relative_error"]) < 0.15, entry


def test_storage_prints_every_table(storage):
    for number in range(4, 10):
        assert f"Table {number}:" in storage[1].stdout
    assert "Set-up" in storage[1].stdout


def test_memory(tmp_path):
    file = tmp_path / "memory.json"
    bench("memory", "--elements", 1000, "--json", file)
    result = json.loads(file.read_text())
    assert result["unknowns"] == 6 * 1001 and result["within"] and result["peak_gib"] > 0
    bench("memory", "--elements", 1000, "--limit", 1e-6, expect=1)


@pytest.fixture(scope="module")
def linalg(tmp_path_factory):
    file = tmp_path_factory.mktemp("bench") / "linalg.json"
    result = bench("linalg", "--quick", "--json", file)
    return json.loads(file.read_text()), result


@pytest.fixture(scope="module")
def solvers():
    listed = json.loads(subprocess.run([LITHE, "list", "solvers", "--json"], capture_output=True, text=True,
                                       check=True).stdout)
    # of P4's study are direct ones for matrices of one component
    others = {"components", "cg", "minres", "projected_minres", "gmres", "bicgstab", "bicgstab2"}
    return {solver["name"]: solver for solver in listed["solvers"] if solver["name"] not in others}


def test_linalg_has_every_section(linalg):
    figures, result = linalg
    assert figures["quick"] and {"cpu", "flags", "commit"} <= figures["machine"].keys()
    for section in ("table_1", "figure_2", "table_2", "figure_4", "section_4_3", "figure_5", "figure_6", "figure_7",
                    "table_3", "krylov", "threads"):
        assert figures[section]
    for title in ("Table 1", "Figure 2", "Table 2", "Figure 4", "Section 4.3", "Figure 5", "Figure 6", "Figure 7",
                  "Table 3", "Krylov methods beside", "Krylov methods on threads"):
        assert title in result.stdout


def test_linalg_shares_add_up(linalg):
    table_1 = linalg[0]["table_1"]
    for version in ("dense", "sparse", "published_dense", "published_sparse"):
        assert sum(row[version] for row in table_1["rows"]) == pytest.approx(1)
    assert table_1["factorisations_per_step"] >= 1 and table_1["solves_per_step"] >= 3  # a step, two projections


def test_linalg_steps_with_every_sparse_solver_and_ordering(linalg, solvers):
    figure_4 = linalg[0]["figure_4"]
    sparse = {(name, ordering) for name, solver in solvers.items() if not name.startswith("lapack")
              for ordering in solver["orderings"].split(", ")}
    for variables in {row["variables"] for row in figure_4["rows"]}:
        rows = [row for row in figure_4["rows"] if row["variables"] == variables]
        assert {(row["solver"], row["ordering"]) for row in rows} == sparse
        assert len({row["factorisations"] for row in rows}) == 1  # the same work for all
    assert all(row["failure"] == "" and row["us_per_step"] > 0 for row in figure_4["rows"])
    assert figure_4["position_spread"] < 1e-8


def test_linalg_blas_implementations_agree(linalg, solvers):
    for section, dense in (("figure_2", True), ("section_4_3", False)):
        rows = linalg[0][section]
        assert {row["solver"] for row in rows} == {name for name in solvers if name.startswith("lapack") == dense}
        for variables in {row["variables"] for row in rows}:
            places = [(row["x"], row["y"]) for row in rows if row["variables"] == variables]
            assert all(place == pytest.approx(places[0], abs=1e-8) for place in places)


def test_linalg_solutions_are_right(linalg):
    for row in linalg[0]["table_3"]["cases"] + linalg[0]["figure_5"]:
        assert row["failure"] == "" and row["backward_error"] < 1e-12, row
        assert row["factor_us"] > 0 and row["solve_us"] > 0


def test_linalg_maps_cover_sizes_and_fills(linalg):
    for figure in ("figure_6", "figure_7"):
        rows = linalg[0][figure]
        assert len(rows) == 3 * 2 * 3  # kinds, sizes, fills
        assert all(row["second_over_best"] >= 1 for row in rows)
        assert all(row["fill"] == pytest.approx(100, abs=1) for row in rows if row["wanted_fill"] == 100)
    assert all(not row["keep_pivots"] for row in linalg[0]["figure_7"] if row["solver"] in ("klu", "superlu"))


def test_linalg_rules_are_judged(linalg):
    table_3 = linalg[0]["table_3"]
    assert len(table_3["rules"]) == 3 * 5 and len(table_3["thresholds"]) == 3
    for rule in table_3["rules"]:
        assert 0 <= rule["within_10"] <= rule["within_30"] <= 1 and rule["mean_ratio"] >= 1
    for cost in table_3["costs"]:
        assert min(cost["constant"], cost["unknown"], cost["nonzero"], cost["flop"]) >= 0
        assert cost["constant"] + cost["unknown"] + cost["nonzero"] + cost["flop"] > 0


def test_linalg_krylov_methods_and_the_costs_of_auto(linalg):
    krylov = linalg[0]["krylov"]
    rows = krylov["rows"]
    assert {row["family"] for row in rows} == {"net", "net, constraints", "plate", "block"}
    for row in rows:
        assert row["failure"] == "" and row["factor_s"] > 0 and row["solve_s"] > 0, row
        assert (row["iterations"] > 0) == (row["preconditioner"] != "") and row["numbers"] > 0, row
    assert {row["name"] for row in krylov["costs"]} == {
        "product_number", "vector_unknown", "solve_number", "pivoted_number", "factor_operation", "factor_number"}  # fmt: skip
    assert all(cost["found"] >= 0 and cost["used"] > 0 for cost in krylov["costs"])


def test_linalg_threads_give_the_same_bits(linalg):
    rows = linalg[0]["threads"]["rows"]
    assert {(row["family"], row["what"]) for row in rows} == {
        ("net", "products"), ("net, constraints", "products"), ("block", "products"), ("net", "block_jacobi"),
        ("block", "block_jacobi"), ("net, constraints", "spike")}  # fmt: skip
    assert {row["threads"] for row in rows} == {1, 2}
    assert all(row["same_bits"] and row["seconds"] > 0 and row["bytes"] > 0 for row in rows)


def test_linalg_only(tmp_path):
    file = tmp_path / "linalg.json"
    bench("linalg", "--quick", "--only", "table_2", "--json", file)
    assert {"table_2"} == json.loads(file.read_text()).keys() - {"machine", "quick", "clock"}


@pytest.mark.parametrize("arguments, message", [
    (("elements", "--element", "shel3443"), "did you mean 'shell3443'"),
    (("elements", "--strategy", "batchd"), "did you mean 'batched'"),
    (("elements", "--sizes", "8,x"), "'x' is not a whole number"),
    (("elements", "--sizes", "...,8"), "needs a number before it"),
    (("elements", "--threads", "0"), "--threads: '0'"),
    (("elements", "--iterations", "0"), "--iterations"),
    (("elements", "--json", "/nowhere/x.json"), "cannot be written"),
    (("memory", "--elements", "-1"), "--elements"),
    (("linalg", "--only", "tabel_1"), "did you mean 'table_1'"),
])
def test_bad_input(arguments, message):
    assert message in bench(*arguments, expect=2).stderr


def test_reduced_bodies(tmp_path):
    bench("reduced", "--rounds", 1, "--seconds", 0.001, "--threads", "1,2", "--json", tmp_path / "reduced.json")
    figures = json.loads((tmp_path / "reduced.json").read_text())
    assert [row["formulation"] for row in figures["bar"]] == ["TL", "BC", "BC-RO", "BC-MODAL"]
    assert [(row["bodies"], row["threads"]) for row in figures["array"]] == [(n, k) for n in (16, 32, 64, 128) for k in (1, 2)]
    assert all(row["ms"] > 0 for row in figures["bar"] + figures["array"]) and figures["pod_seconds"] > 0


@pytest.fixture(scope="module")
def contact(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bench")
    bench("contact", "--quick", "--seconds", 0, "--save", folder / "set", "--json", folder / "contact.json")
    return json.loads((folder / "contact.json").read_text()), folder


def test_contact_solvers(contact):
    figures, _ = contact
    rows = figures["rows"]
    assert {"machine", "rows", "auto"} == figures.keys()
    assert {row["problem"].split(",")[0] for row in rows} == {
        "bricks", "pile", "stack 1:1e+00", "stack 1:1e+06", "arch", "wedge", "redundant", "cables", "net"}
    assert {row["tolerance"] for row in rows} == {1e-4, 1e-6, 1e-8}
    assert {row["solver"] for row in rows} == {"auto", "nsgs", "newton", "admm", "interior", "apgd"}
    assert all(row.keys() == {"problem", "contacts", "solver", "tolerance", "seconds", "iterations", "residual", "reason"} for row in rows)
    assert all(row["reason"] == "done" for row in rows if row["solver"] == "auto")
    assert figures["auto"]["solved"] == figures["auto"]["cases"] == len(rows) // 6


def test_contact_problems_of_files(contact, tmp_path):
    figures, folder = contact
    file = next((folder / "set").glob("pile*.hdf5"))
    bench("contact", "--seconds", 0, "--read", file, "--json", tmp_path / "one.json")
    again = json.loads((tmp_path / "one.json").read_text())["rows"]
    before = [row for row in figures["rows"] if row["problem"].startswith("pile")]
    for a, b in zip(again, before):  # the same problem, the same iterations
        assert [a[key] for key in ("contacts", "solver", "iterations", "residual")] == [b[key] for key in ("contacts", "solver", "iterations", "residual")]
    assert "cannot be read" in bench("contact", "--read", tmp_path / "one.json", expect=1).stderr
