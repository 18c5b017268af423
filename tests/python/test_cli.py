"""The command line: run, check, list, info, exit codes, summary, results that are kept."""

import itertools
import json
import os
import signal
import subprocess
import time

import numpy as np
import pytest

from conftest import SANITIZED

h5py = pytest.importorskip("h5py")


def test_run_writes_result_and_summary(lithe, examples):
    result = lithe("run", examples / "cantilever.yaml", "-o", "out.h5", "--json", "summary.json", "--threads", 1)
    assert result.returncode == 0, result.stderr
    for word in ["cantilever: done", "1 body, 20 elements, 245 unknowns", "solver", "force", "tip", "out.h5"]:
        assert word in result.stdout, result.stdout
    assert "\x1b" not in result.stderr and "\r" not in result.stderr  # no bar outside a terminal
    summary = json.loads((lithe.folder / "summary.json").read_text())
    assert summary["ok"] is True and summary["reason"] == "done"
    assert summary["name"] == "cantilever" and summary["elements"] == 20 and summary["unknowns"] == 245
    assert {"force", "tangent", "factorisation", "solve", "output", "total"} <= set(summary["seconds"])
    assert summary["warnings"] == [] and summary["result"] == "out.h5"
    tip = summary["channels"]["tip"]
    assert tip["columns"] == ["x", "y", "z"] and tip["units"] == ["m", "m", "m"]
    assert tip["final"][2] == pytest.approx(-0.1135, rel=0.01)
    with h5py.File(lithe.folder / "out.h5") as file:
        assert file["channels/tip"][-1, 2] == pytest.approx(tip["final"][2], rel=1e-12)


@pytest.mark.parametrize(
    "name, more",
    [("cantilever", "bodies.beam.mesh.elements=400"), ("block", None), ("slider_crank", "analysis.duration=0.2")],
)
def test_phases_add_up_to_the_total(lithe, examples, name, more):
    """`other` is what no phase claims: large enough a model leaves next to nothing to it, and phases do not overlap."""
    change = ["--set", more] if more else []
    result = lithe("run", examples / f"{name}.yaml", *change, "--json", "summary.json", "--threads", 1)
    assert result.returncode == 0, result.stderr
    seconds = json.loads((lithe.folder / "summary.json").read_text())["seconds"]
    phases = {key: value for key, value in seconds.items() if key not in ("load", "compile", "total")}
    assert sum(phases.values()) == pytest.approx(seconds["total"], rel=0.02)
    for phase in ["force", "tangent", "factorisation", "solve", "output"]:
        assert phases[phase] > 0, phases
    assert SANITIZED or phases["other"] < 0.1 * seconds["total"], phases
    shares = [line.split() for line in result.stdout.splitlines() if line.endswith(" %") and line.startswith("   ")]
    assert sum(float(words[-2]) for words in shares) == pytest.approx(100, abs=2)


COLUMN = """
name: column
materials: {m: {E: 1e9, nu: 0, density: 1100}}
sections: {s: {type: rectangle, width: 0.02, thickness: 0.02}}
bodies: {rod: {element: beam3243, material: m, section: s,
               mesh: {type: line, from: [0, 0, 0], to: [1, 0, 0], elements: 4}}}
constraints: {pin: {type: clamp, at: rod.start}}
loads: {f: {type: force, at: rod.end, force: [-50, 0, 0]}}
outputs: {tip: {type: position, at: rod.end}}
"""


def test_an_unstable_equilibrium_is_said_to_be_one(lithe):
    (lithe.folder / "column.yaml").write_text(COLUMN)
    result = lithe("run", "column.yaml", "--json", "summary.json")
    assert result.returncode == 0, result.stderr
    assert result.stdout.splitlines()[0] == "column: done, but the equilibrium is UNSTABLE, 1 warning"
    assert "warning: The equilibrium at load factor 1 is unstable" in result.stderr
    assert json.loads((lithe.folder / "summary.json").read_text())["stable"] is False
    assert "unstable" in lithe("run", "column.yaml", "-q").stderr
    small = lithe("run", "column.yaml", "--set", "loads.f.force.0=-20", "--json", "summary.json")
    assert small.stdout.splitlines()[0] == "column: done"
    assert json.loads((lithe.folder / "summary.json").read_text())["stable"] is True


def test_the_heading_counts_the_warnings_that_are_printed(lithe):
    model = COLUMN.replace("density: 1100", "density: 0.1").replace("[-50, 0, 0]", "[-1, 0, 0]")
    (lithe.folder / "column.yaml").write_text(model)
    result = lithe("run", "column.yaml", "--json", "summary.json")
    printed = result.stderr.count("warning: ")
    assert printed == 1, result.stderr
    assert result.stdout.splitlines()[0] == "column: done, 1 warning"
    assert len(json.loads((lithe.folder / "summary.json").read_text())["warnings"]) == printed


PENDULUM = """
name: pendulum
bodies: {bob: {type: rigid, mass: 1, inertia: [1e-3, 1e-3, 1e-3], position: [1, 0, 0]}}
joints: {hinge: {type: revolute, a: ground, b: bob, point: [0, 0, 0], axis: [0, 1, 0]}}
loads: {weight: {type: gravity}}
outputs: {bob: {type: position, at: bob.center}}
analysis: {type: dynamic, duration: 0.1, step: 0.01}
"""


def test_outputs_between_steps_are_said_to_be_interpolated(lithe):
    (lithe.folder / "pendulum.yaml").write_text(PENDULUM)
    note = "output_step (0.002 s) is smaller than the steps (up to 0.01 s)"
    result = lithe("run", "pendulum.yaml", "--set", "analysis.output_step=0.002", "--json", "summary.json")
    assert result.returncode == 0 and "note: " + note in result.stderr and "interpolated" in result.stderr, result.stderr
    assert note in json.loads((lithe.folder / "summary.json").read_text())["message"]
    for output_step in ["0", "0.01", "0.02"]:
        assert "note" not in lithe("run", "pendulum.yaml", "--set", "analysis.output_step=" + output_step).stderr


# A slider-crank with its parts in one line: what pushes the slider has no hold on the crank.
DEAD_CENTRE = """
name: dead_centre
bodies:
  crank: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], position: [0.5, 0, 0]}
  rod: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], position: [2, 0, 0]}
  slider: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], position: [3, 0, 0]}
joints:
  O: {type: revolute, a: ground, b: crank, point: [0, 0, 0], axis: [0, 0, 1]}
  A: {type: revolute, a: crank, b: rod, point: [1, 0, 0], axis: [0, 0, 1]}
  B: {type: revolute, a: rod, b: slider, point: [3, 0, 0], axis: [0, 0, 1]}
  C: {type: prismatic, a: ground, b: slider, point: [3, 0, 0], axis: [1, 0, 0]}
  push: {type: slide, joint: C, travel: -0.1*t}
analysis: {type: dynamic, duration: 0.1, step: 1e-3}
"""


def test_a_drive_at_a_dead_centre_is_not_a_matter_of_mass(lithe):
    (lithe.folder / "model.yaml").write_text(DEAD_CENTRE)
    for treatment, travel in itertools.product(["eliminate", "lagrange", "augmented"], ["-0.1*t", "-0.1*t^2"]):
        result = lithe("run", "model.yaml", "--set", "treatment=" + treatment, "--set", "joints.push.travel=" + travel)
        assert result.returncode == 1 and "depend on each other at the start" in result.stderr, treatment
        assert "mass matrix" not in result.stderr and "dead centre" in result.stderr, (treatment, result.stderr)


def test_an_unstable_equilibrium_ends_the_run_or_is_left_on_request(lithe):
    (lithe.folder / "column.yaml").write_text(COLUMN)
    error = lithe("run", "column.yaml", "--set", "analysis.on_instability=error", "--json", "summary.json")
    summary = json.loads((lithe.folder / "summary.json").read_text())
    assert error.returncode == 1 and "is unstable" in error.stderr
    assert summary["reason"] == "unstable" and summary["stable"] is False and summary["ok"] is False
    with h5py.File(lithe.folder / "column.h5") as file:
        assert file["channels/tip"].shape[0] == 2  # the start and the equilibrium that is not stable
    left = lithe("run", "column.yaml", "--set", "analysis.on_instability=perturb", "--json", "summary.json")
    summary = json.loads((lithe.folder / "summary.json").read_text())
    assert left.returncode == 0, left.stderr
    assert left.stdout.splitlines()[0] == "column: done" and "disturbed by 0.001" in left.stderr
    assert summary["stable"] is True and summary["channels"]["tip"]["final"][0] < 0.9


def test_models_without_loads(lithe):
    (lithe.folder / "column.yaml").write_text(COLUMN.replace("loads:", "ignored_loads:").replace("ignored_", "# "))
    result = lithe("run", "column.yaml", "--json", "summary.json")
    summary = json.loads((lithe.folder / "summary.json").read_text())
    assert result.returncode == 0, result.stderr
    assert "nothing will move" in result.stderr
    assert summary["iterations"] == 0 and summary["channels"]["tip"]["final"] == [1, 0, 0]
    moved = (lithe.folder / "column.yaml").read_text() + "joints: {m: {type: motion, at: rod.end, displacement: [null, null, -0.01]}}"
    (lithe.folder / "moved.yaml").write_text(moved)
    result = lithe("run", "moved.yaml", "--json", "summary.json")
    assert result.returncode == 0 and "nothing will move" not in result.stderr, result.stderr
    summary = json.loads((lithe.folder / "summary.json").read_text())
    assert summary["channels"]["tip"]["final"][2] == pytest.approx(-0.01) and summary["warnings"] == []


def test_default_result_name_and_quiet(lithe, examples):
    result = lithe("run", examples / "cantilever.yaml", "-q", "--threads", 1)
    assert result.returncode == 0
    assert result.stdout == "" and result.stderr == ""
    assert (lithe.folder / "cantilever.h5").exists()
    again = lithe("run", examples / "cantilever.yaml", "-q", "--threads", 1)  # replaces it
    assert again.returncode == 0


def test_json_on_the_standard_output(lithe, examples):
    result = lithe("run", examples / "cantilever.yaml", "--json", "-", "--threads", 1)
    assert json.loads(result.stdout)["ok"] is True


def test_set_changes_the_model_and_its_copy(lithe, examples):
    result = lithe("run", examples / "cantilever.yaml", "--set", "bodies.beam.mesh.elements=4", "--set",
                   "loads.tip.force.2=-1", "--json", "-", "--threads", 1)
    assert result.returncode == 0, result.stderr
    summary = json.loads(result.stdout)
    assert summary["elements"] == 4
    # Nearly linear: F L^3 / (3 E I) = 0.0180 m.
    assert summary["channels"]["tip"]["final"][2] == pytest.approx(-0.0180, rel=0.1)
    wrong = lithe("run", examples / "cantilever.yaml", "--set", "bodies.baem.mesh.elements=4")
    assert wrong.returncode == 2
    assert "--set bodies.baem.mesh.elements=4" in wrong.stderr and "did you mean 'beam'?" in wrong.stderr


def test_model_copy_runs_to_the_same_numbers(lithe, examples):
    first = lithe("run", examples / "block.yaml", "-o", "a.h5", "--json", "-", "--threads", 1)
    assert first.returncode == 0, first.stderr
    with h5py.File(lithe.folder / "a.h5") as file:
        text = file["model"][()]
    (lithe.folder / "copy.yaml").write_bytes(text if isinstance(text, bytes) else text.encode())
    second = lithe("run", "copy.yaml", "-o", "b.h5", "--json", "-", "--threads", 1)
    assert second.returncode == 0, second.stderr
    assert json.loads(first.stdout)["channels"] == json.loads(second.stdout)["channels"]


@pytest.mark.parametrize("name", ["cantilever", "layered_shell", "cable", "block", "snap_through"])
def test_examples(lithe, examples, name):
    result = lithe("run", examples / f"{name}.yaml", "--json", "-", "--threads", 1)
    assert result.returncode == 0, result.stderr
    assert "warning" not in result.stderr
    summary = json.loads(result.stdout)
    assert summary["load_factor"] == pytest.approx(1)
    if name == "cable":  # parabola: horizontal pull = w L^2 / (8 sag)
        w, sag = 7850 * 3.14159265 * 0.005**2 * 9.80665, -summary["channels"]["sag"]["final"][2]
        assert -summary["channels"]["pull"]["final"][0] == pytest.approx(w * 100 / (8 * sag), rel=0.01)
    if name == "snap_through":
        assert summary["channels"]["crown"]["final"][2] < -0.05  # beyond the mirror image of the crown


@pytest.mark.parametrize(
    "name", ["cantilever", "annular_plate", "layered_shell", "cable", "block", "snap_through", "net", "pendulum"]
)
def test_examples_check_without_warnings(lithe, examples, name):
    result = lithe("check", examples / f"{name}.yaml")
    assert result.returncode == 0 and result.stderr == ""
    assert "can be run" in result.stdout


def test_crank_bends_a_little(lithe, examples):
    """examples/crank.yaml: a co-rotated crank from a file of gmsh stays by a rigid one, whose slider is where geometry says."""
    run = ["--threads", 1, "--set", "analysis.duration=0.15"]
    deformed = lithe("run", examples / "crank.yaml", "-o", "deformed.h5", *run)
    assert deformed.returncode == 0, deformed.stderr
    rigid = lithe("run", examples / "crank.yaml", "-o", "rigid.h5", *run, "--set", "bodies.crank.kinematics=rigid", "--set",
                  "bodies.crank.eta=0")
    assert rigid.returncode == 0, rigid.stderr
    with h5py.File(lithe.folder / "deformed.h5") as a, h5py.File(lithe.folder / "rigid.h5") as b:
        angle = 20 * np.pi * b["time"][:] ** 2
        slider = 0.2 * np.cos(angle) + np.sqrt(0.5**2 - (0.2 * np.sin(angle)) ** 2)
        assert b["channels/slider"][:, 0] == pytest.approx(slider, abs=1e-7)
        off = np.abs(a["channels/slider"][:, 0] - slider).max()
        assert 1e-6 < off < 1e-4
        assert a["channels/energy"][:, 2].max() > 1e-4  # J of strain


def test_failed_run_keeps_its_results(lithe, examples):
    result = lithe("run", examples / "cantilever.yaml", "-o", "out.h5", "--json", "summary.json", "--threads", 1, "--set",
                   "analysis={first_step: 0.25, largest_step: 0.25, largest_steps: 2}")
    assert result.returncode == 1, result.stdout
    assert "error: " in result.stderr
    assert "results up to load factor 0.5 are in out.h5" in result.stderr
    summary = json.loads((lithe.folder / "summary.json").read_text())
    assert summary["ok"] is False and summary["reason"] == "too_many_steps" and summary["message"]
    with h5py.File(lithe.folder / "out.h5") as file:
        assert file["load_factor"][-1] == pytest.approx(0.5)
    assert lithe("info", "out.h5").returncode == 0


def test_free_body_is_told(lithe, examples):
    result = lithe("run", examples / "cantilever.yaml", "-o", "out.h5", "--threads", 1, "--set", "constraints={}")
    assert "warning: " in result.stderr and "no constraint holds body 'beam'" in result.stderr
    assert result.returncode == 1


def test_bad_input_in_the_summary(lithe):
    (lithe.folder / "model.yaml").write_text("bodies: {}\n")
    result = lithe("run", "model.yaml", "--json", "summary.json")
    assert result.returncode == 2
    summary = json.loads((lithe.folder / "summary.json").read_text())
    assert summary["ok"] is False and summary["reason"] == "bad_input" and "no bodies" in summary["message"]


def test_outputs_that_cannot_be_written(lithe, examples):
    model = examples / "cantilever.yaml"
    (lithe.folder / "file").write_text("not a folder\n")
    missing = lithe("run", model, "-o", "file/out.h5")
    assert missing.returncode == 1 and "file/out.h5" in missing.stderr
    folder = lithe("run", model, "-o", lithe.folder)
    assert folder.returncode == 2 and "folder" in folder.stderr
    (lithe.folder / "notes.txt").write_text("mine\n")
    other = lithe("run", model, "-o", "notes.txt")
    assert other.returncode == 2 and "is not a result" in other.stderr
    assert (lithe.folder / "notes.txt").read_text() == "mine\n"
    (lithe.folder / "model.yaml").write_text(model.read_text())
    itself = lithe("run", "model.yaml", "-o", "model.yaml")
    assert itself.returncode == 2 and "the model itself" in itself.stderr
    assert (lithe.folder / "model.yaml").read_text() == model.read_text()
    summary = lithe("run", model, "-o", "out.h5", "--json", "nowhere/summary.json", "--threads", 1)
    assert summary.returncode == 2 and "nowhere/summary.json" in summary.stderr
    assert not (lithe.folder / "out.h5").exists()  # told before anything ran


def test_full_disk(lithe, examples):
    """A limit on the size of files stands for the full disk."""
    result = subprocess.run(
        ["sh", "-c", f"ulimit -f 40; exec {lithe.program} run {examples}/snap_through.yaml -o out.h5 --threads 1"],
        cwd=lithe.folder, capture_output=True, text=True, timeout=120)
    assert result.returncode == 1, result.stderr
    assert "error: " in result.stderr and "out.h5" in result.stderr


def test_ctrl_c_ends_after_the_step_and_keeps_results(lithe, examples):
    program = subprocess.Popen(
        [lithe.program, "run", examples / "annular_plate.yaml", "-o", "out.h5", "--threads", "1", "--set",
         "analysis={first_step: 0.002, largest_step: 0.002}"],
        cwd=lithe.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert program.stderr.readline().startswith("step 1,")
    program.send_signal(signal.SIGINT)
    stdout, stderr = program.communicate(timeout=60)
    assert program.returncode == 1, stderr
    assert "stopped by Ctrl-C" in stderr
    with h5py.File(lithe.folder / "out.h5") as file:
        assert 0 < file["load_factor"][-1] < 1


def test_list(lithe):
    kinds = lithe("list")
    assert kinds.returncode == 0
    for kind in ["elements", "materials", "sections", "meshes", "constraints", "loads", "outputs", "strategies", "analyses",
                 "solvers"]:
        assert kind in kinds.stdout
        names = lithe("list", kind)
        assert names.returncode == 0 and names.stdout.strip()
        assert lithe("list", kind, "--verbose").returncode == 0
        assert kind in json.loads(lithe("list", kind, "--json").stdout)
    for name in ["cable", "beam3243", "shell3443", "hexa3843"]:
        assert name in lithe("list", "elements").stdout
    for name, by_section in [("beam3243", True), ("shell3443", True), ("cable", False), ("hex8", False)]:
        text = lithe("list", "elements", name).stdout
        assert ("formulations section (default): for engineering" in " ".join(text.split())) == by_section, text
    for name in ["batched", "C", "D", "E", "G", "L", "finite_difference"]:
        assert name in lithe("list", "strategies").stdout
    details = lithe("list", "materials", "isotropic").stdout
    for word in ["E ", "Young's modulus", "[Pa]", "required", "greater than 0", "default 0"]:
        assert word in details
    assert set(json.loads(lithe("list", "--json").stdout)) >= {"elements", "solvers"}
    wrong = lithe("list", "materials", "isotropc")
    assert wrong.returncode == 2 and "did you mean 'isotropic'?" in wrong.stderr


def test_info(lithe, examples):
    assert lithe("run", examples / "cantilever.yaml", "-o", "out.h5", "-q").returncode == 0
    info = lithe("info", "out.h5")
    assert info.returncode == 0
    for word in ["cantilever", "beam3243", "20 elements", "tip"]:
        assert word in info.stdout
    (lithe.folder / "text.h5").write_text("not HDF5\n")
    for name in ["none.h5", "text.h5"]:
        wrong = lithe("info", name)
        assert wrong.returncode == 2 and name in wrong.stderr


@pytest.mark.parametrize("arguments,code,word", [
    ([], 2, "run"),
    (["--help"], 0, "Exit codes"),
    (["--version"], 0, "lithe "),
    (["run", "--help"], 0, "--resume"),
    (["rnu", "x.yaml"], 2, "did you mean 'run'?"),
    (["x.yaml"], 2, "did you mean 'lithe run x.yaml'?"),
    (["run"], 2, "FILE"),
    (["run", "x.yaml", "--thread", "2"], 2, "--thread"),
    (["run", "x.yaml", "--threads", "-2"], 2, "--threads"),
    (["run", "x.yaml", "--threads", "two"], 2, "--threads"),
    (["bench"], 2, "bench"),
])
def test_usage(lithe, arguments, code, word):
    result = lithe(*arguments)
    assert result.returncode == code
    assert word in result.stdout + result.stderr


def test_broken_output_is_told(lithe):
    with open("/dev/full", "w") as full:
        result = subprocess.run([lithe.program, "list"], stdout=full, stderr=subprocess.PIPE, text=True)
    assert result.returncode == 1 and "could not be written" in result.stderr


def test_progress_bar_on_a_terminal(lithe, examples):
    main, terminal = os.openpty()
    program = subprocess.Popen([lithe.program, "run", examples / "snap_through.yaml", "--threads", "1"], cwd=lithe.folder,
                               stdout=subprocess.DEVNULL, stderr=terminal)
    os.close(terminal)
    shown = b""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        try:
            piece = os.read(main, 4096)
        except OSError:
            break
        if not piece:
            break
        shown += piece
    os.close(main)
    assert program.wait(timeout=10) == 0
    assert b"[###" in shown and b"%" in shown
