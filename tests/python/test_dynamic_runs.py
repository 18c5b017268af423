"""Dynamic runs from the model to the result file: layout, energies, checkpoints, kills at any moment, resumed runs.

Over 500 lines: all of these share the fixtures that make runs and kill them.
"""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import h5py
import numpy as np
import pytest

import lithe

from conftest import PROGRAM
from test_results import body_arrays, read_item


def pendulum(**analysis):
    """A rubber rod pinned at one end, falling, with a push that depends on time."""
    options = dict(duration=0.4, step=0.002, threads=1)
    model = lithe.Model(name="pendulum", analysis=lithe.DynamicAnalysis(**(options | analysis)))
    model.materials["rubber"] = lithe.Isotropic(E=1e7, nu=0.3, density=1100, damping=1e-3)
    model.sections["strip"] = lithe.Rectangle(width=0.02, thickness=0.02)
    model.bodies["rod"] = lithe.Body(element="beam3243", material="rubber", section="strip",
                                     mesh=lithe.LineMesh(from_=(0, 0, 0), to=(1, 0, 0), elements=4))  # fmt: skip
    model.constraints["pin"] = lithe.Fix(at="rod.start")
    model.loads["gravity"] = lithe.Gravity()
    model.loads["push"] = lithe.PointForce(at="rod.end", force=(0, "0.2*sin(17*t)", 0))
    model.outputs["tip"] = lithe.PositionOutput(at="rod.end")
    model.outputs["energy"] = lithe.EnergyOutput()
    return model


def mechanism(**analysis):
    """A point, a linkage, a rigid body and a cable in one model."""
    options = dict(duration=0.1, step=0.002, threads=1)
    model = lithe.Model(name="mechanism", analysis=lithe.DynamicAnalysis(**(options | analysis)))
    model.materials["rubber"] = lithe.Isotropic(E=1e7, nu=0.3, density=1100)
    model.sections["round"] = lithe.Circle(radius=0.01)
    model.bodies["stone"] = lithe.PointMass(mass=2, position=(0, 0, 1), velocity=(1, 0, 2))
    model.bodies["bars"] = lithe.Linkage(points=[(0, 0, 0), (1, 0, 0), (2, 0, 0)], bars=[(0, 1), (1, 2)], bar_mass=0.5,
                                         ground=[0])  # fmt: skip
    model.bodies["box"] = lithe.RigidBody(position=(0, 2, 0), mass=1, inertia=(0.1, 0.12, 0.15),
                                          velocity=(0, 0, 1), angular_velocity=(0, 3, 1))  # fmt: skip
    model.bodies["wire"] = lithe.Body(element="cable", material="rubber", section="round",
                                      mesh=lithe.LineMesh(from_=(0, 3, 0), to=(1, 3, 0), elements=3))  # fmt: skip
    model.constraints["end"] = lithe.Fix(at="wire.start")
    model.loads["gravity"] = lithe.Gravity()
    model.outputs["stone"] = lithe.PositionOutput(at="stone.center")
    return model


def arrays(path):
    """Every array of a result by its name, without the report (it has times of the clock)."""
    found = {}
    with h5py.File(path) as file:
        assert file.attrs["complete"] == 1

        def visit(name, item):
            if isinstance(item, h5py.Dataset) and name != "report":
                found[name] = item[()]

        file.visititems(visit)
    return found


def assert_same_bytes(path, expected, except_for=()):
    a, b = arrays(path), arrays(expected)
    assert a.keys() == b.keys()
    for name in a:
        if name in except_for:
            continue
        if name == "model":
            assert a[name] == b[name]
        else:
            assert a[name].shape == b[name].shape and a[name].tobytes() == b[name].tobytes(), name


# ---- what a dynamic result holds ----


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    path = tmp_path_factory.mktemp("dynamic") / "out.h5"
    return path, mechanism().solve(output=path)


def test_file_and_memory_agree():
    model = pendulum(duration=0.1)
    memory = model.solve()
    assert memory.analysis == "dynamic" and memory.steps == 51
    np.testing.assert_allclose(memory.time, np.arange(51) * 0.002, atol=1e-12)
    np.testing.assert_allclose(memory.step_size[1:], 0.002)
    assert memory.velocities("rod").shape == (51, 5, 4, 3)
    assert np.shares_memory(memory.velocity("rod"), memory.velocities("rod"))
    with pytest.raises(lithe.InputError, match="load_factor"):
        memory.load_factor


def test_files_hold_the_documented_layout(run):
    path, result = run
    memory = mechanism().solve()
    with h5py.File(path) as file:
        assert file.attrs["format"] == 6 and file.attrs["analysis"] == b"dynamic"
        assert set(file) == {"model", "report", "bodies", "mesh", "fields", "channels", "time", "step_size", "iterations",
                             "residual", "checksums"}  # fmt: skip
        assert set(file["fields"]) == {"coordinates", "velocities", "position", "displacement"}
        assert {b["name"].decode(): b["kind"].decode() for b in file["bodies"][()]} == {
            "stone": "point", "bars": "bar", "box": "rigid", "wire": "cable"}  # fmt: skip
        for name in result.bodies:
            body = body_arrays(file, name)
            steps = len(file["time"])
            assert body["coordinates"].shape == body["velocities"].shape == (steps, *body["reference"].shape)
            np.testing.assert_array_equal(body["coordinates"], memory.coordinates(name))
            np.testing.assert_array_equal(body["velocities"], memory.velocities(name))
            np.testing.assert_array_equal(body["position"], body["coordinates"][:, :, 0])
            np.testing.assert_array_equal(body["displacement"], body["position"] - body["reference"][:, 0])
            assert "von_mises" not in body and body["size"].shape == (len(body["connectivity"]), 3)
        assert body_arrays(file, "bars")["connectivity"].tolist() == [[0, 1], [1, 2]]
        assert body_arrays(file, "box")["connectivity"].tolist() == [[0]]
    # Free fall of the stone, to the order of the scheme.
    t, fall = result.time, result.channels["stone"]
    np.testing.assert_allclose(fall[:, 0], t, atol=1e-9)
    np.testing.assert_allclose(fall[:, 2], 1 + 2 * t - 0.5 * 9.80665 * t**2, atol=1e-5)
    with pytest.raises(KeyError, match="rigid"):
        result.von_mises("box")


def test_xdmf_of_every_kind(run):
    path, result = run
    kinds = {"stone": "Polyvertex", "bars": "Polyline", "box": "Polyvertex", "wire": "Polyline"}
    for body in ElementTree.parse(path.with_suffix(".xdmf")).findall("./Domain/Grid"):
        name = body.get("Name")
        grids = body.findall("Grid")
        assert [float(g.find("Time").get("Value")) for g in grids] == list(result.time)
        for step in (0, 7, len(grids) - 1):
            grid = grids[step]
            assert grid.find("Topology").get("TopologyType") == kinds[name]
            np.testing.assert_array_equal(
                read_item(grid.find("Topology/DataItem"), path.parent), result.bodies[name].connectivity)  # fmt: skip
            np.testing.assert_array_equal(
                read_item(grid.find("Geometry/DataItem"), path.parent), result.position(name)[step])  # fmt: skip
            fields = {a.get("Name"): read_item(a.find("DataItem"), path.parent) for a in grid.findall("Attribute")}
            np.testing.assert_array_equal(fields["velocity"], result.velocity(name)[step])
            assert ("y_axis" in fields) == (name == "box")
            if name == "box":
                np.testing.assert_array_equal(fields["y_axis"], result.coordinates(name)[step][:, 2])


def test_companion_of_a_long_run_is_thinned(tmp_path):
    model = lithe.Model(name="falling", analysis=lithe.DynamicAnalysis(duration=12.5, step=1e-3, threads=1))
    model.bodies["stone"] = lithe.PointMass(mass=2)
    model.loads["gravity"] = lithe.Gravity()
    result = model.solve(output=tmp_path / "out.h5")
    times = [float(t.get("Value")) for t in ElementTree.parse(tmp_path / "out.xdmf").iter("Time")]
    assert result.steps == 12501 and times == list(result.time[::2])


def test_energies_of_a_pendulum():
    """Undamped and conservative: the energies that EnergyOutput lists add up to what was there at the start."""
    model = pendulum(alpha=0, integrator="hht", duration=0.5, step=0.001, tolerance=1e-9)
    model.materials["rubber"].damping = 0
    del model.loads["push"]
    result = model.solve()
    columns = result.channels.columns("energy")
    strain, kinetic = (result.channels["energy"][:, columns.index(name)] for name in ("strain", "kinetic"))
    mass, height = 1100 * 0.02**2, result.position("rod")[:, :, 2]
    # The rod is nearly straight: its height is that of the polygon of its nodes.
    potential = mass * 9.80665 * (height[:, 1:] + height[:, :-1]).mean(axis=1) / 2
    total = strain + kinetic + potential
    assert kinetic.max() > 1.0
    np.testing.assert_allclose(total, 0, atol=0.02)


def test_outputs_at_given_times():
    result = pendulum(duration=0.1, output_step=0.025).solve()
    np.testing.assert_allclose(result.time, [0, 0.025, 0.05, 0.075, 0.1], rtol=1e-12)


def test_outputs_at_a_list_of_times():
    """Between the ends of steps they are interpolated, and the run is the same."""
    wanted = [0.0031, 0.01, 0.0555, 0.0556]
    listed = pendulum(duration=0.1, output_times=wanted).solve()
    assert listed.time == pytest.approx([0, *wanted, 0.1], abs=1e-15)
    every = pendulum(duration=0.1).solve()
    assert np.allclose(listed.channels["tip"][-1], every.channels["tip"][-1], rtol=0, atol=1e-12)  # times to the last bit apart
    assert np.allclose(listed.channels["tip"][2], every.channels["tip"][5], rtol=0, atol=1e-12)
    finer = pendulum(duration=0.1, step=0.002, output_step=0.0001).solve()
    assert np.allclose(listed.channels["tip"][3], finer.channels["tip"][555], rtol=0, atol=1e-10)


def test_outputs_at_times_of_a_later_stage():
    model = pendulum()
    model.analysis = [lithe.DynamicAnalysis(duration=0.02, step=0.002, output_times=[0.02]),
                      lithe.DynamicAnalysis(duration=0.02, step=0.002, output_times=[0.005, 0.013])]  # fmt: skip
    assert model.solve().time[-4:] == pytest.approx([0.02, 0.025, 0.033, 0.04], abs=1e-15)


@pytest.mark.parametrize("options, message", [
    (dict(output_times=[0.2, 0.1]), "outputs grow from one to the next"),
    (dict(output_times=[0.5]), "at most 0.4 s"),
    (dict(output_times=[0.1], output_step=0.01), "remove one of the keys"),
])  # fmt: skip
def test_times_of_outputs_that_are_refused(options, message):
    with pytest.raises(lithe.InputError, match=message):
        pendulum(**options).solve()


def test_rejected_steps_leave_no_trace():
    """Times are the sums of the accepted steps, and a tight tolerance comes close to small fixed steps."""
    steps = []
    result = pendulum(control="error", error_tolerance=1e-6).solve(progress=steps.append)
    assert result.report["rejected"] > 0
    for before, after in zip(steps, steps[1:]):
        assert after["time"] - before["time"] == pytest.approx(after["step_size"], rel=1e-9)
    fine = pendulum(step=1e-4, output_step=0.1).solve()
    np.testing.assert_allclose(result.channels["tip"][-1], fine.channels["tip"][-1], atol=1e-4)


def test_report_and_phases():
    result = pendulum(duration=0.1).solve()
    report, phases = result.report, result.phases
    assert report["analysis"] == "dynamic" and report["ok"] and report["steps"] == 50 and report["rejected"] == 0
    assert report["simulated"] == pytest.approx(0.1) and report["t"] == pytest.approx(0.1)
    assert report["iterations"] >= 50 and report["factorisations"] >= 1 and report["resumed_at"] is None
    assert list(phases) == ["force", "tangent", "assembly", "factorisation", "solve", "projection", "watch", "output", "other",
                            "total"]
    assert sum(phases.values()) == pytest.approx(2 * phases["total"], rel=1e-6)
    assert report["real_time_factor"] == pytest.approx(0.1 / phases["total"])
    assert "(" in report["solver"]


def test_progress_and_stop():
    seen = []
    result = pendulum(duration=0.1).solve(progress=seen.append)
    assert [s["step"] for s in seen] == list(range(51)) and seen[-1]["time"] == pytest.approx(0.1)
    assert set(seen[0]) == {"step", "time", "step_size", "iterations", "residual"}
    stopped = pendulum().solve(progress=lambda step: step["step"] < 7)
    assert stopped.steps == 8 and stopped.report["reason"] == "stopped"
    np.testing.assert_array_equal(stopped.coordinates("rod"), result.coordinates("rod")[:8])


def test_program_prints_solver_phases_and_speed(lithe_in):
    model = lithe_in.folder / "model.yaml"
    model.write_text(pendulum(duration=0.1).to_yaml())
    done = lithe_in("run", "model.yaml", "-o", "out.h5", "--json", "summary.json")
    assert done.returncode == 0, done.stderr
    assert "t = 0.1 of 0.1 s" in done.stderr and "steps/s" in done.stderr and "h = 0.002 s" in done.stderr
    for word in ["solver   ", " (", "50 steps", "0 rejected", "real-time factor", "force", "tangent", "assembly",
                 "factorisation", "solve", "output", "%"]:  # fmt: skip
        assert word in done.stdout, done.stdout
    summary = json.loads((lithe_in.folder / "summary.json").read_text())
    assert summary["steps"] == 50 and summary["simulated"] == pytest.approx(0.1)
    info = lithe_in("info", "out.h5")
    assert "dynamic: 51 outputs, time 0 to 0.1 s" in info.stdout
    check = lithe_in("check", "model.yaml")
    assert check.returncode == 0 and "57 unknowns" in check.stdout and "50 steps of 0.002 s" in check.stdout
    for word in ["3 held coordinates", "0 rows", "0 redundant", "; solver "]:
        assert word in check.stdout, check.stdout


@pytest.fixture
def lithe_in(tmp_path):
    def run(*arguments, **options):
        return subprocess.run([str(PROGRAM), *map(str, arguments)], cwd=tmp_path, capture_output=True, text=True,
                              timeout=120, **options)  # fmt: skip

    run.folder = tmp_path
    return run


# ---- checkpoints ----

POLICIES = {
    "adaptive": dict(),
    "error_controlled": dict(control="error", error_tolerance=1e-5),
    "every_iteration": dict(tangent_policy="every_iteration"),
    "every_step": dict(tangent_policy="every_step", integrator="generalized_alpha"),
    "outputs_apart": dict(output_step=0.03, integrator="newmark"),
    "backward_euler": dict(integrator="backward_euler", control="error", error_tolerance=1e-3),
    "trapezoidal": dict(integrator="trapezoidal"),
}


def augmented(**analysis):
    model = mechanism(**analysis)
    model.treatment = "augmented"
    return model


def multipliers(**analysis):
    model = pendulum(**analysis)
    model.treatment = "lagrange"
    return model


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("make", [pendulum, mechanism, augmented, multipliers])
def test_resumed_run_equals_the_uninterrupted_one(tmp_path, make, policy):
    options = POLICIES[policy] | dict(checkpoint_step=0.017, duration=0.15)
    whole, parts = tmp_path / "whole.h5", tmp_path / "parts.h5"
    expected = make(**options).solve(output=whole)
    steps = expected.report["steps"]
    make(**options).solve(output=parts, progress=lambda step: step["step"] < steps // 3)
    assert lithe.read(parts).time[-1] < 0.1
    again = lithe.resume(parts, progress=lambda step: step["step"] < 2 * steps // 3)
    assert again.report["reason"] == "stopped" and 0 < again.report["resumed_at"] < 0.1
    last = lithe.resume(parts)
    assert last.complete and last.report["ok"] and last.report["resumed_at"] > again.report["resumed_at"]
    assert_same_bytes(parts, whole)
    plain = tmp_path / "plain.h5"  # checkpoints change nothing
    make(**(options | dict(checkpoint_step=0))).solve(output=plain)
    assert_same_bytes(plain, whole, except_for=["model"])


@pytest.mark.parametrize("setting", ["analysis.solver=auto", "analysis.solver=klu", "treatment=lagrange",
                                     "treatment=augmented", "analysis.control=error"])  # fmt: skip
def test_resumed_mechanism_with_joints_has_the_same_bytes(tmp_path, examples, setting):
    """Multipliers, a driven joint, and solvers that keep their pivot order (KLU)."""
    whole, parts = tmp_path / "whole.h5", tmp_path / "parts.h5"
    settings = ["analysis.duration=0.2", "analysis.checkpoint_step=0.013", setting]
    model = lithe.load(examples / "slider_crank.yaml", set=settings)
    steps = model.solve(output=whole).report["steps"]
    model.solve(output=parts, progress=lambda step: step["step"] < steps // 2)
    assert lithe.resume(parts).report["resumed_at"] > 0.05
    assert_same_bytes(parts, whole)


def test_resumed_run_with_other_threads_has_the_same_bytes(tmp_path):
    options = dict(checkpoint_step=0.05, duration=0.1)
    pendulum(**options).solve(output=tmp_path / "whole.h5")
    pendulum(**options).solve(output=tmp_path / "parts.h5", progress=lambda step: step["time"] < 0.07)
    lithe.resume(tmp_path / "parts.h5", threads=2)
    assert_same_bytes(tmp_path / "parts.h5", tmp_path / "whole.h5", except_for=["model"])


def test_resumed_run_may_go_on_longer(tmp_path):
    path = tmp_path / "out.h5"
    pendulum(checkpoint_step=0.05, duration=0.1).solve(output=path)
    before = path.read_bytes()
    assert lithe.resume(path).time[-1] == pytest.approx(0.1) and path.read_bytes() == before  # complete: as it is
    longer = lithe.resume(path, duration=0.2)
    assert longer.time[-1] == pytest.approx(0.2) and longer.report["resumed_at"] == pytest.approx(0.1)
    assert "duration: 0.2" in longer.model_yaml
    expected = pendulum(checkpoint_step=0.05, duration=0.2).solve()
    np.testing.assert_allclose(longer.channels["tip"], expected.channels["tip"], atol=1e-12)


def test_a_new_run_forgets_the_old_checkpoint(tmp_path):
    path = tmp_path / "out.h5"
    pendulum(checkpoint_step=0.05, duration=0.1).solve(output=path)
    assert (tmp_path / "out.checkpoint.h5").exists()
    pendulum(duration=0.1).solve(output=path)
    assert not (tmp_path / "out.checkpoint.h5").exists()


def test_checkpoint_is_documented_hdf5(tmp_path):
    pendulum(checkpoint_step=0.05, duration=0.1).solve(output=tmp_path / "out.h5")
    with h5py.File(tmp_path / "out.checkpoint.h5") as file:
        assert file["rows"][()] == 51 and file["state/t"][()] == pytest.approx(0.1)
        assert file["state/q"].shape == file["state/a"].shape == (60,)
        assert "pendulum" in file["model"].asstr()[()]
        assert {"memory", "linearisation", "lambda", "slots"} <= set(file["state"])
    assert sorted(p.name for p in tmp_path.iterdir()) == ["out.checkpoint.h5", "out.h5", "out.xdmf"]


def test_wrong_resumes_are_told(lithe_in):
    from test_damage import reseal

    folder = lithe_in.folder
    (folder / "model.yaml").write_text(pendulum(duration=0.1).to_yaml())

    def refused(*arguments):
        done = lithe_in("run", *arguments)
        assert done.returncode == 2, done.stderr
        return done.stderr

    assert "'none.h5': there is no such file" in refused("--resume", "none.h5")
    assert lithe_in("run", "model.yaml", "-o", "out.h5", "-q").returncode == 0
    longer = ["--set", "analysis.duration=0.2"]
    assert "have no checkpoint 'out.checkpoint.h5'" in refused("--resume", "out.h5", *longer)
    assert lithe_in("run", "model.yaml", "-o", "out.h5", "-q", "--checkpoint-every", 0.05).returncode == 0
    assert "analysis.duration=" in refused("--resume", "out.h5", "--set", "analysis.duration=0.05")
    assert "the model comes from the checkpoint" in refused("model.yaml", "--resume", "out.h5")
    assert "goes on in the result" in refused("--resume", "out.h5", "-o", "b.h5")
    assert "only analysis.duration" in refused("--resume", "out.h5", "--set", "analysis.step=0.1")
    assert "greater than 0" in refused("--resume", "out.h5", "--set", "analysis.duration=-1")
    assert "--checkpoint-every" in refused("model.yaml", "--checkpoint-every", -1)
    static = "analysis={type: static}"
    assert "statics" in refused("model.yaml", "--checkpoint-every", 0.1, "--set", static)

    shutil.copy(folder / "out.h5", folder / "other.h5")
    shutil.copy(folder / "out.checkpoint.h5", folder / "other.checkpoint.h5")
    assert lithe_in("run", "model.yaml", "-o", "out.h5", "-q", "--checkpoint-every", 0.05).returncode == 0
    shutil.copy(folder / "other.checkpoint.h5", folder / "out.checkpoint.h5")
    assert "different runs" in refused("--resume", "out.h5", *longer)
    whole = (folder / "out.checkpoint.h5").read_bytes()
    (folder / "out.checkpoint.h5").write_bytes(whole[: len(whole) // 2])
    assert "out.checkpoint.h5' cannot be read" in refused("--resume", "out.h5", *longer)
    (folder / "out.checkpoint.h5").write_text("hello")
    assert "not an HDF5 file" in refused("--resume", "out.h5", *longer)
    shutil.copy(folder / "out.h5", folder / "out.checkpoint.h5")
    assert "not a checkpoint" in refused("--resume", "out.h5", *longer)
    with h5py.File(folder / "other.checkpoint.h5", "a") as file:
        file["rows"][...] = 999
    assert "cannot be read" in refused("--resume", "other.h5", *longer)  # changed by another hand: no checksum
    reseal(folder / "other.checkpoint.h5")
    assert "999" in refused("--resume", "other.h5", *longer)
    with h5py.File(folder / "other.checkpoint.h5", "a") as file:
        del file["state/memory/next_step"]
    reseal(folder / "other.checkpoint.h5")
    assert "next_step" in refused("--resume", "other.h5", *longer)
    with h5py.File(folder / "other.checkpoint.h5", "a") as file:
        file.attrs["checkpoint"] = np.int32(99)
    reseal(folder / "other.checkpoint.h5")
    assert "format 99" in refused("--resume", "other.h5", *longer)
    assert lithe.read(folder / "other.h5").complete  # no refusal touched the result


def test_full_disk_keeps_the_rows_and_the_checkpoint(lithe_in):
    """A limit on the size of files stands for the full disk; with room again the run goes on to the same bytes."""
    folder = lithe_in.folder
    (folder / "model.yaml").write_text(pendulum(duration=1, step=2e-4, checkpoint_step=0.05).to_yaml())
    assert lithe_in("run", "model.yaml", "-o", "whole.h5", "-q").returncode == 0
    kilobytes = (folder / "whole.h5").stat().st_size // 2048
    done = subprocess.run(["sh", "-c", f"ulimit -f {2 * kilobytes}; exec {PROGRAM} run model.yaml -o out.h5 -q"],
                          cwd=folder, capture_output=True, text=True, timeout=120)  # fmt: skip
    assert done.returncode == 1 and "results 'out.h5' cannot be written: File too large" in done.stderr, done.stderr
    rows = lithe.read(folder / "out.h5").steps
    assert 1 < rows < 5001
    assert lithe_in("run", "--resume", "out.h5", "-q").returncode == 0
    assert_same_bytes(folder / "out.h5", folder / "whole.h5")


def test_plot_of_a_motion(run, tmp_path):
    path, result = run
    picture = tmp_path / "picture.png"
    command = [sys.executable, "-m", "lithe.plot", str(path), "-o", str(picture), "--channel", "stone", "--frames", "4"]
    assert subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip() == str(picture)
    assert picture.read_bytes()[:4] == b"\x89PNG" and picture.stat().st_size > 20000
    for name in result.bodies:  # each alone, the first step too (nothing before it)
        result.plot(body=name, step=0)
        result.plot(body=name, frames=0)


# ---- kills ----


def readable(path):
    """A result that a killed run left: every row whole."""
    result = lithe.read(path)
    for body in result.bodies:
        for array in (result.coordinates(body), result.velocities(body), result.von_mises(body)):
            assert len(array) == result.steps and np.isfinite(array).all()
    for channel in result.channels.values():
        assert len(channel) == result.steps and np.isfinite(channel).all()
    assert np.all(np.diff(result.time) > 0)
    ElementTree.parse(path.with_suffix(".xdmf"))
    return result


def test_run_killed_again_and_again_ends_with_the_same_bytes(lithe_in):
    """SIGKILL at random moments; the run goes on each time, and its result reads each time."""
    folder = lithe_in.folder
    (folder / "model.yaml").write_text(pendulum(duration=6, control="error", error_tolerance=1e-4).to_yaml())
    every = ["--checkpoint-every", "0.05", "-q"]
    assert lithe_in("run", "model.yaml", "-o", "whole.h5", *every).returncode == 0
    assert lithe_in("run", "model.yaml", "-o", "timed.h5", *every).returncode == 0
    with h5py.File(folder / "timed.h5") as file:
        seconds = json.loads(file["report"].asstr()[()])["seconds"]["total"]
    rng, out, kills, seen = random.Random(7), folder / "out.h5", 0, []
    for _ in range(20):  # whole runs, each killed again and again, until there were enough kills
        for old in folder.glob("out.*"):
            old.unlink()
        command = ["model.yaml", "-o", "out.h5", *every]
        while True:
            process = subprocess.Popen([PROGRAM, "run", *command], cwd=folder, stderr=subprocess.PIPE)
            try:
                # About a dozen kills before the end, some of them long before the first checkpoint.
                process.wait(timeout=0.02 + rng.uniform(0, seconds / 5))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                kills += 1
            else:
                assert process.returncode == 0, process.stderr.read().decode()
                break
            finally:
                process.stderr.close()
            if out.exists():
                result = readable(out)
                seen.append(result.steps)
                if result.complete:  # killed between its last write and its end: nothing is left to do but its lock
                    assert lithe_in("run", "--resume", "out.h5", "-q").returncode == 0
                    break
            if (folder / "out.checkpoint.h5").exists():
                command = ["--resume", "out.h5", "-q"]
            assert kills < 1000, seen
        assert_same_bytes(out, folder / "whole.h5")
        if kills >= 10:
            break
    assert kills >= 10, (kills, seen)
    assert not [p.name for p in folder.iterdir() if p.name.startswith(".")]  # no draft, no lock


# Dies at the write number KILL_AT to any file, half of its pages done: a kill between or inside two of HDF5's calls.
KILLER = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>
static long count, limit = -1;
static int last(int fd) {
  if (limit < 0) limit = atol(getenv("KILL_AT"));
  return fd > 2 && ++count == limit;
}
#define CALL(name, parameters, arguments)                                                       \
  ssize_t name parameters {                                                                     \
    static ssize_t(*real) parameters;                                                           \
    if (!real) real = (ssize_t(*) parameters)dlsym(RTLD_NEXT, #name);                           \
    if (last(fd)) {                                                                             \
      n = n / 2 / 4096 * 4096;                                                                  \
      if (n) (void)!real arguments;                                                             \
      kill(getpid(), SIGKILL);                                                                  \
    }                                                                                           \
    return real arguments;                                                                      \
  }
CALL(write, (int fd, const void* data, size_t n), (fd, data, n))
CALL(pwrite, (int fd, const void* data, size_t n, off_t at), (fd, data, n, at))
CALL(pwrite64, (int fd, const void* data, size_t n, off_t at), (fd, data, n, at))
"""


def test_kill_at_every_write(lithe_in):
    """A short run dies at its first write to a file, its second, and so on to the last; each time it goes on."""
    folder, compiler = lithe_in.folder, shutil.which("gcc") or shutil.which("cc")
    if not compiler:
        pytest.skip("no C compiler for the library that kills")
    (folder / "killer.c").write_text(KILLER)
    subprocess.run([compiler, "-shared", "-fPIC", "-O", "killer.c", "-o", "killer.so", "-ldl"], cwd=folder, check=True)
    (folder / "model.yaml").write_text(pendulum(duration=0.03, output_step=0.01, checkpoint_step=0.01).to_yaml())
    assert lithe_in("run", "model.yaml", "-o", "whole.h5", "-q").returncode == 0
    steps = lithe.read(folder / "whole.h5").steps
    out, rows, preloaded = folder / "out.h5", [], os.environ.get("LD_PRELOAD", "")
    for at in range(1, 1000):
        for old in folder.glob("out.*"):
            old.unlink()
        environment = os.environ | {"LD_PRELOAD": f"{preloaded} {folder / 'killer.so'}", "KILL_AT": str(at)}
        done = lithe_in("run", "model.yaml", "-o", "out.h5", "-q", env=environment)
        if done.returncode == 0:
            break
        assert done.returncode == -signal.SIGKILL, done.stderr
        if out.exists():
            rows.append(readable(out).steps)
            assert rows == sorted(rows)
        if not (folder / "out.checkpoint.h5").exists():
            continue
        complete = lithe.read(out).complete  # killed before it closed the file: nothing left to do but to clear its mark
        assert lithe_in("run", "--resume", "out.h5", "-q").returncode == 0
        assert not complete or lithe_in("info", "--repair", "out.h5").returncode == 0
        assert_same_bytes(out, folder / "whole.h5")
    assert at > 50 and set(rows) == set(range(0, steps + 1)), rows


@pytest.mark.parametrize("settings", [
    ["analysis.step=1e-4", "analysis.duration=0.003"],
    ["analysis.step=1e-3", "analysis.duration=0.03", "analysis.solver=cg"],
    ["bodies.net.connect=constraints", "treatment=lagrange", "analysis.projection=false", "analysis.integrator=newmark",
     "analysis.beta=0.3025", "analysis.gamma=0.6", "analysis.step=1e-4", "analysis.duration=0.003",
     "bodies.net.mesh.cells=[26, 26]"],
], ids=["mass", "cg", "trial"])  # fmt: skip
def test_resumed_nets_have_the_same_bytes(tmp_path, examples, settings):
    """The mass matrix in place of the tangent, preconditioners that are kept, and a method that a trial chose."""
    whole, parts = tmp_path / "whole.h5", tmp_path / "parts.h5"
    model = lithe.load(examples / "net.yaml", set=["bodies.net.mesh.cells=[18, 18]", "analysis.output_step=0",
                                                   "analysis.checkpoint_step=7e-4", *settings])  # fmt: skip
    steps = model.solve(output=whole).report["steps"]
    model.solve(output=parts, progress=lambda step: step["step"] < steps // 2)
    assert lithe.resume(parts).report["resumed_at"] > 0
    assert_same_bytes(parts, whole)


@pytest.mark.parametrize("connect, other", [("nodes", "cholmod"), ("constraints", "klu")])
def test_forests_are_solved_by_components(tmp_path, examples, connect, other):
    """The same motion as by another solver, and the same bytes after a resume."""

    def forest(*settings):
        model = lithe.load(examples / "forest.yaml", set=["analysis.duration=0.01", "analysis.output_step=1e-3",
                                                          "analysis.checkpoint_step=3e-3", *settings])  # fmt: skip
        for body in model.bodies.values():
            body.connect = connect
        model.treatment = "lagrange" if connect == "constraints" else "eliminate"
        return model

    whole, parts = tmp_path / "whole.h5", tmp_path / "parts.h5"
    done = forest().solve(output=whole, threads=1)
    assert done.report["solver"].startswith("components ("), done.report["solver"]
    assert done.report["unknowns"] + done.report["multipliers"] == 10 * (27 if connect == "nodes" else 69)
    forest().solve(output=parts, threads=1, progress=lambda step: step["step"] < done.report["steps"] // 2)
    assert lithe.resume(parts).report["resumed_at"] > 0
    assert_same_bytes(parts, whole)
    reference = forest(f"analysis.solver={other}").solve(threads=1)
    for name in reference.channels:
        np.testing.assert_allclose(done.channels[name], reference.channels[name], rtol=1e-9, atol=1e-10, err_msg=name)


SPIKE = "analysis.krylov={preconditioner: spike, partitions: 3, update: uniform, update_every: 4}"


@pytest.mark.parametrize("settings", [
    ["analysis.solver=bicgstab2", SPIKE],
    ["analysis.solver=cg", "analysis.krylov={preconditioner: factor, update: uniform, update_every: 4}"],
    ["analysis.solver=cg", "analysis.krylov={preconditioner: factor, update: threshold, update_above: 3}"],
    ["analysis.solver=projected_minres", "analysis.krylov={update: uniform, update_every: 4}", "treatment=lagrange",
     "bodies.net.connect=constraints"],
], ids=["spike", "uniform", "threshold", "constraint"])  # fmt: skip
def test_killed_krylov_runs_end_with_the_same_bytes(lithe_in, examples, settings):
    """SIGKILL between two checkpoints: the preconditioner that was kept, and the counts by which it is renewed."""
    folder = lithe_in.folder
    settings = ["bodies.net.mesh.cells=[8, 8]", "analysis.output_step=0", "analysis.step=1e-3",
                "analysis.tangent_policy=every_step", "analysis.duration=0.03", "analysis.checkpoint_step=7e-3",
                *settings]  # fmt: skip
    (folder / "kill.py").write_text(f"""
import os, signal, lithe
def die(step):
    if step["step"] == 18:
        os.kill(os.getpid(), signal.SIGKILL)
lithe.load({str(examples / "net.yaml")!r}, set={settings!r}).solve(output={str(folder / "out.h5")!r},
                                                                              progress=die)
""")
    whole = lithe.load(examples / "net.yaml", set=settings).solve(output=folder / "whole.h5")
    assert 1 < whole.report["updates"] < whole.report["steps"] and "by another solver" not in whole.report["solver"]
    killed = subprocess.run([sys.executable, folder / "kill.py"], check=False)
    assert killed.returncode == -signal.SIGKILL
    assert lithe.resume(folder / "out.h5").report["resumed_at"] > 0
    assert_same_bytes(folder / "out.h5", folder / "whole.h5")


def test_friction_of_what_presses_on_a_line_is_resumed(tmp_path):
    """A block that starts with a jolt on a rail; the force across the rail, from which friction follows, is of the State."""
    (tmp_path / "model.yaml").write_text("""
materials: {steel: {E: 2.1e11, nu: 0.3, density: 7850}}
sections: {s: {type: rectangle, width: 0.05, thickness: 0.05}}
bodies:
  rail: {element: beam3243, material: steel, section: s, mesh: {type: line, from: [0, 0, 0], to: [2, 0, 0], elements: 4}}
  block: {type: rigid, mass: 1, inertia: [0.01, 0.01, 0.01], position: [0.2, 0, 0], velocity: [1, 0, 0]}
constraints: {a: {type: clamp, at: rail.start}, b: {type: clamp, at: rail.end}}
joints: {slide: {type: slide_along, line: rail, b: block}}
springs: {rub: {type: friction, joint: slide, coefficient: 0.3, slow: 1e-3}}
loads: {g: {type: gravity, acceleration: [0, 0, -10]}}
outputs: {j: {type: joint, joint: slide}}
analysis: {type: dynamic, duration: 0.1, step: 1e-3, checkpoint_step: 0.017}
""")
    whole, parts = tmp_path / "whole.h5", tmp_path / "parts.h5"
    model = lithe.load(tmp_path / "model.yaml")
    assert model.solve(output=whole).report["ok"]
    model.solve(output=parts, progress=lambda step: step["step"] < 60)
    assert lithe.resume(parts).report["resumed_at"] > 0
    assert_same_bytes(parts, whole)
