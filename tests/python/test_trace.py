"""`--trace`: a line for each step, sums that are the run's, the same lines however often a run was stopped."""

import csv
import os
import random
import shutil
import signal
import subprocess
import time

import pytest

import lithe

from conftest import PROGRAM, SOURCE
from test_dynamic_runs import pendulum
from test_files import contents, folder, foreign, run  # noqa: F401

COLUMNS = ["step", "t", "h", "newton_iterations", "krylov_iterations", "products", "updates", "seconds", "factorisations",
           "rejected", "stage"]  # fmt: skip
SUMS = {"newton_iterations": "iterations", "krylov_iterations": "krylov_iterations", "products": "products",
        "updates": "updates", "factorisations": "factorisations", "rejected": "rejected"}  # fmt: skip


def lines(path):
    text = path.read_text()
    assert text.endswith("\n")
    rows = list(csv.DictReader(text.splitlines()))
    assert all(list(row) == COLUMNS and None not in row.values() for row in rows)
    return [{name: float(value) for name, value in row.items()} for row in rows]


def without_clock(path):
    return [{name: value for name, value in line.items() if name != "seconds"} for line in lines(path)]


def check_sums(rows, report):
    assert len(rows) == report["steps"]
    for column, key in SUMS.items():
        assert sum(row[column] for row in rows) == report[key], column


def cg(**more):
    """Products with the matrix of every iteration, a preconditioner made now and then."""
    krylov = lithe.KrylovOptions(preconditioner="block_jacobi", update="uniform", update_every=30)
    model = pendulum(solver="cg", tangent_policy="every_iteration", duration=0.1, **more)
    model.analysis.krylov = krylov
    return model


def test_lines_of_a_run_and_their_sums(tmp_path):
    trace = tmp_path / "trace.csv"
    result = cg().solve(output=tmp_path / "out.h5", trace=trace)
    rows, report = lines(trace), result.report
    check_sums(rows, report)
    assert [row["step"] for row in rows] == list(range(1, 51)) and all(row["stage"] == 0 for row in rows)
    assert [row["t"] for row in rows] == list(result.time[1:])
    assert [row["h"] for row in rows] == list(result.step_size[1:])
    assert all(row["newton_iterations"] >= 1 and row["krylov_iterations"] >= 1 for row in rows)
    assert all(row["products"] >= row["krylov_iterations"] and row["seconds"] > 0 for row in rows)
    assert 1 < report["updates"] == report["factorisations"] < len(rows)
    assert sum(row["seconds"] for row in rows) <= report["seconds"]["total"]
    alone = tmp_path / "alone.csv"  # without a result
    assert cg().solve(trace=alone).complete
    assert without_clock(alone) == without_clock(trace)


def test_direct_solvers_make_no_products(tmp_path):
    report = pendulum(duration=0.1).solve(trace=tmp_path / "trace.csv").report
    rows = lines(tmp_path / "trace.csv")
    check_sums(rows, report)
    assert report["factorisations"] >= 1 and report["krylov_iterations"] == report["products"] == report["updates"] == 0


def test_rejected_steps_count_in_the_next_line(tmp_path):
    steps = []
    model = pendulum(control="error", error_tolerance=1e-6, output_step=0.1)
    report = model.solve(trace=tmp_path / "trace.csv", progress=steps.append).report
    rows = lines(tmp_path / "trace.csv")
    check_sums(rows, report)
    steps = [step for step in steps if step["step"] > 0]
    made = {step["step"]: step for step in steps if step["time"] in {row["t"] for row in rows}}
    assert len(made) == len(rows)
    for row in rows:
        assert row["h"] == made[row["step"]]["step_size"]
        own = made[row["step"]]["iterations"]
        assert row["newton_iterations"] > own if row["rejected"] else row["newton_iterations"] == own
    assert sum(row["rejected"] for row in rows) == report["rejected"] > 0


def staged():
    model = pendulum()
    model.analysis = [
        lithe.StaticAnalysis(duration=0),
        lithe.DynamicAnalysis(duration=0.02, step=0.002, threads=1, checkpoint_step=0.009),
        lithe.DynamicAnalysis(name="fine", duration=0.02, step=0.001, threads=1, checkpoint_step=0.009),
    ]
    model.loads.clear()
    model.loads["gravity"] = lithe.Gravity()
    model.constraints["pin"] = lithe.Clamp(at="rod.start")
    return model


def test_stages(tmp_path):
    trace = tmp_path / "trace.csv"
    report = staged().solve(output=tmp_path / "out.h5", trace=trace).report
    rows = lines(trace)
    assert [(row["stage"], row["step"]) for row in rows] == [(1, k + 1) for k in range(10)] + [(2, k + 1) for k in range(20)]
    assert [row["t"] for row in rows] == sorted(row["t"] for row in rows) and rows[-1]["t"] == pytest.approx(0.04)
    for stage in (1, 2):
        check_sums([row for row in rows if row["stage"] == stage], report["stages"][stage])
    assert report["krylov_iterations"] == 0 and "products" not in report["stages"][0]


@pytest.mark.parametrize("make,end", [(lambda: cg(checkpoint_step=0.013), 0.1), (staged, 0.04)])
def test_resumed_runs_have_the_lines_of_one_that_was_never_stopped(tmp_path, make, end):
    whole, parts = tmp_path / "whole.csv", tmp_path / "parts.csv"
    make().solve(output=tmp_path / "whole.h5", trace=whole)
    make().solve(output=tmp_path / "parts.h5", trace=parts, progress=lambda step: step["time"] < 0.35 * end)
    assert 0 < len(lines(parts)) < len(lines(whole)) / 2  # some of them after the checkpoint
    resumed = lithe.resume(tmp_path / "parts.h5", trace=parts, progress=lambda step: step["time"] < 0.87 * end)
    assert 0 < resumed.report["resumed_at"] < 0.35 * end
    resumed = lithe.resume(tmp_path / "parts.h5", trace=parts)
    assert resumed.complete and without_clock(parts) == without_clock(whole)
    late = tmp_path / "late.csv"  # asked for at the end alone
    lithe.resume(tmp_path / "parts.h5", duration=1.5 * end if make is not staged else 0.03, trace=late)
    assert lines(late)[0]["step"] == lines(whole)[-1]["step"] + 1


def test_killed_runs_leave_whole_lines(folder):
    model = pendulum(duration=30, control="error", error_tolerance=1e-4, output_step=1)
    (folder / "long.yaml").write_text(model.to_yaml())
    every = ["--checkpoint-every", "0.05", "-q"]
    assert run(folder, "run", "long.yaml", "-o", "whole.h5", "--trace", "whole.csv", *every).returncode == 0
    rng, kills, command = random.Random(5), 0, ["long.yaml", "-o", "out.h5", *every]
    for _ in range(400):
        process = subprocess.Popen([PROGRAM, "run", *command, "--trace", "out.csv"], cwd=folder, stderr=subprocess.PIPE)
        try:
            process.wait(timeout=0.05 + rng.uniform(0, 0.1 if kills < 6 else 10))
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
            kills += 1
        else:
            assert process.returncode == 0, process.stderr.read().decode()
            break
        finally:
            process.stderr.close()
        if (folder / "out.csv").exists():
            lines(folder / "out.csv")
        if (folder / "out.checkpoint.h5").exists():
            command = ["--resume", "out.h5", "-q"]
    killed, whole = without_clock(folder / "out.csv"), without_clock(folder / "whole.csv")
    # The start's own factorisation counts in the first step; killed between the two, a run does not make it again.
    assert whole[0]["factorisations"] - killed[0]["factorisations"] in (0, 1)
    killed[0]["factorisations"] = whole[0]["factorisations"]
    assert kills >= 3 and killed == whole


def test_full_disk_keeps_whole_lines(folder):
    """A limit on the size of files stands for the full disk; the trace is the first to meet it."""
    (folder / "long.yaml").write_text(pendulum(duration=6, step=5e-4, output_step=6).to_yaml())
    limited = f"ulimit -f 400; exec {PROGRAM} run long.yaml -o o.h5 --trace o.csv -q"
    done = subprocess.run(["sh", "-c", limited], cwd=folder, capture_output=True, text=True, timeout=120)
    assert done.returncode == 1 and "trace 'o.csv' cannot be written: File too large" in done.stderr, done.stderr
    assert 100 < len(lines(folder / "o.csv")) < 12000
    assert lithe.read(folder / "o.h5").complete is False


@pytest.mark.parametrize("arguments,words", [
    ("--trace notes.txt", "--trace notes.txt: this file exists and is not a trace of lithe"),
    ("--trace data.json", "not a trace of lithe"),
    ("--trace model.yaml", "--trace model.yaml: this is the model itself"),
    ("--trace o.h5", "--trace o.h5: this is the same file as -o o.h5"),
    ("--trace o.xdmf", "is the same file as the companion o.xdmf of -o o.h5"),
    ("--trace s.json --json s.json", "--trace s.json: this is the same file as --json s.json"),
    ("--trace pipe --force", "a pipe"),
    ("--trace folder", "a folder"),
    ("--trace nowhere/t.csv", "No such file"),
    ("--trace other.csv", "not a trace of lithe"),
])  # fmt: skip
def test_foreign_files_stay(folder, arguments, words):
    foreign(folder)
    (folder / "other.csv").write_text("step,t,h\n1,2,3\n")
    before = contents(folder)
    done = run(folder, "run", "model.yaml", "-o", "o.h5", *arguments.split())
    assert done.returncode == 2 and words in done.stderr, done.stderr
    assert contents(folder) == before


def test_own_and_empty_files_are_replaced_others_by_force(folder):
    (folder / "empty.csv").touch()
    for name, more in [("empty.csv", []), ("empty.csv", []), ("notes.txt", ["--force"])]:
        done = run(folder, "run", "model.yaml", "-o", "o.h5", "--trace", name, *more)
        assert done.returncode == 0, done.stderr
        assert len(lines(folder / name)) == 10
    assert run(folder, "run", "model.yaml", "-o", "o.h5", "--trace", "").returncode == 2
    with pytest.raises(lithe.InputError, match="trace=.*not a trace of lithe.*force=True"):
        pendulum(duration=0.02).solve(trace=folder / "model.yaml")
    with pytest.raises(lithe.InputError, match="the same file as output="):
        pendulum(duration=0.02).solve(output=folder / "o.h5", trace=folder / "o.h5")
    assert sorted(p.name for p in folder.iterdir() if p.name.startswith(".")) == []


def test_resumed_run_refuses_the_trace_of_another(folder):
    (folder / "model.yaml").write_text(pendulum(duration=0.1, checkpoint_step=0.03).to_yaml())
    other = pendulum(duration=0.1, step=0.001)
    other.solve(trace=folder / "other.csv")
    pendulum(duration=0.01).solve(trace=folder / "short.csv")
    stop = dict(progress=lambda step: step["time"] < 0.05)
    pendulum(duration=0.1, checkpoint_step=0.03).solve(output=folder / "o.h5", trace=folder / "o.csv", **stop)
    shutil.copy(folder / "o.csv", folder / "cut.csv")
    os.truncate(folder / "cut.csv", (folder / "cut.csv").stat().st_size // 2)
    before = contents(folder)
    for name in ["other.csv", "short.csv", "cut.csv"]:
        done = run(folder, "run", "--resume", "o.h5", "--trace", name)
        assert done.returncode == 2 and "does not reach step 15 at t = 0.03 s" in done.stderr, done.stderr
        assert contents(folder) == before
    done = run(folder, "run", "--resume", "o.h5", "--trace", "other.csv", "--force")
    assert done.returncode == 0 and lines(folder / "other.csv")[0]["step"] == 16, done.stderr


def test_a_trace_that_was_taken_away_is_told(folder):
    (folder / "long.yaml").write_text(pendulum(duration=1000).to_yaml())
    command = [PROGRAM, "run", "long.yaml", "-o", "o.h5", "--trace", "o.csv"]
    process = subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, text=True)
    end = time.monotonic() + 60
    while not (folder / "o.csv").exists() and time.monotonic() < end:
        time.sleep(0.02)
    (folder / "o.csv").unlink()
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=60)
    assert process.returncode == 1 and "trace 'o.csv' is not there: the file was removed" in error, error


def test_statics_have_no_trace(folder):
    done = run(folder, "run", SOURCE / "examples" / "cantilever.yaml", "-o", "o.h5", "--trace", "t.csv")
    assert done.returncode == 2 and "--trace t.csv: a trace is of the steps of dynamics" in done.stderr, done.stderr
    assert sorted(p.name for p in folder.iterdir()) == ["model.yaml", "notes.txt"]
    model = lithe.load(SOURCE / "examples" / "cantilever.yaml")
    with pytest.raises(lithe.InputError, match="trace=t.csv: a trace is of the steps"):
        model.solve(trace="t.csv")
