"""Small models with what each must do, run by the program. A case is a file of tests/cases and a row of CASES:

    file        without .yaml
    arguments   of the program after the file
    status      exit code: 0 done, 1 the run failed, 2 the input is wrong
    says        words of the standard error, all of them
    check       function of the result, {channel: array [row][column], "t": times}; None: none
    quiet       no warning may be given

Rows run with `lithe run FILE -q ... --threads 1`.
"""

from typing import Callable, NamedTuple

import h5py
import numpy as np
import lithe
import pytest

from conftest import SOURCE

FOLDER = SOURCE / "tests" / "cases"
PI = np.pi


class Case(NamedTuple):
    file: str
    check: Callable | None = None
    says: tuple = ()
    status: int = 0
    arguments: tuple = ()
    quiet: bool = False


def step_load_table(run):
    assert -3 < run["a"][:, 0].min() and run["a"][:, 0].max() < 103
    assert run["v"][-1, 0] == pytest.approx(100, rel=1e-6)


def table_pulse_gap(run):
    assert run["p"][-1, 0] == pytest.approx(0.5, rel=0.05)  # two steps see the pulse; hht weighs forces of before


def motion_table_jump(run):
    x = run["p"][:, 0]
    assert x.min() > -1e-9 and x.max() < 1 + 1e-9 and x[-1] == pytest.approx(1, abs=1e-9)


def vibration(frequency):
    def check(run):
        w = 2 * PI * frequency
        exact = -1e-6 * w * w * np.sin(w * run["t"])
        # The scheme's accelerations stand a little before t and are carried on to t: second order.
        assert np.abs(run["a"][2:, 0] - exact[2:]).max() < 0.01 * 1e-6 * w * w
        assert np.abs(run["m"][2:, 0] - exact[2:]).max() < 0.01 * 1e-6 * w * w  # mass 1 kg
        assert np.abs(run["p"][:, 0] - 1e-6 * np.sin(w * run["t"])).max() < 1e-12

    return check


def turn_vibration(run):
    w = 2 * PI * 2000
    exact = -(0.1 + 0.25) * 1e-4 * w * w * np.sin(w * run["t"])
    late = run["t"] > 1e-4
    assert np.abs(run["m"][late, 5] - exact[late]).max() < 0.02 * np.abs(exact).max()


def andrews(run):
    # Mazzia and Magherini, Test set for IVP solvers, release 2.4: beta at 0.03 s; the joint counts from the start.
    assert run["beta"][-1, 6] == pytest.approx(15.81077119629904 + 0.0617138900142764, abs=5e-3)
    assert np.ptp(run["en"][:, -1] - 0.033 * run["beta"][:, 6]) < 1e-3 * run["en"][:, 0].max()


def prescribed_dynamic(run):
    t = run["t"]
    assert run["p"][:, 1] == pytest.approx(np.sin(3 * t), abs=1e-12)
    assert run["v"][:, 0] == pytest.approx(0.2 * t, abs=1e-12)
    assert run["path"][1:, 2] == pytest.approx(20, rel=1e-9)  # carries the weight
    assert run["path"][1:, 0] == pytest.approx(0.4, rel=1e-6)  # and accelerates 2 kg


def prescribed_static(run):
    assert run["p"][-1] == pytest.approx([0.3, 0.2, 0], abs=1e-12)
    assert run["p"][0] == pytest.approx([0, 0, 0], abs=1e-12)
    assert run["path"][-1, 2] == pytest.approx(20, rel=1e-9)


def table_ends_moving(run):
    assert run["p"][:, 0] == pytest.approx(2 * run["t"], abs=1e-12)
    assert np.abs(run["m"][:, :3]).max() < 1e-9  # no jolt at its end


def load_interpolations(run):
    assert run["line"][-1, 0] == pytest.approx(15, rel=1e-6)
    assert run["steps"][-1, 0] == pytest.approx(10, rel=1e-3)
    assert run["spline"][-1, 0] == pytest.approx(15, rel=1e-3)  # symmetric about the middle of its rise
    assert -0.1 < run["a"][:, 0].min() and run["a"][:, 0].max() < 10.1


def velocity_field(run):
    inertia = 1000 * 0.1 * 0.1 * 1 * (1 + 0.1**2) / 12
    assert run["energy"][0, 0] == pytest.approx(0.5 * inertia * 4, rel=1e-9)
    assert np.abs(run["momentum"][:, :5]).max() < 1e-12
    assert run["momentum"][0, 5] == pytest.approx(2 * inertia, rel=1e-12)
    assert run["momentum"][:, 5] == pytest.approx(2 * inertia, rel=5e-9)  # hht keeps it to 1e-9 here


def reaction_far_away(run):
    assert np.isfinite(run["guide"]).all()
    assert run["motor"][-1, 6] == pytest.approx(2 * PI * 0.005**2, rel=1e-9)


CASES = [
    # tables
    Case("step_load_table", step_load_table, quiet=True),
    Case("table_pulse_gap", table_pulse_gap),  # the step is as long as the pulse: the energy watch says so
    Case("motion_table_jump", motion_table_jump, quiet=True),
    Case("load_interpolations", load_interpolations, quiet=True),
    Case("table_ends_moving", table_ends_moving, says=("ends at t = 0.5 s with a rate of 2 and goes on", "add rows")),
    Case("table_starts_moving", says=("joint 'motor' starts with a rate of 2 rad/s", "initial velocities give 0 rad/s")),
    # drives
    Case("vib_2000", vibration(2000)),
    Case("vib_20000", vibration(20000)),
    Case("turn_vib2k", turn_vibration),
    Case("weld_motor_plus_free", status=2, says=("joint 'm' contradicts", "joint 'w'")),
    Case("dist_signal_weld", status=2, says=("joint 'm' contradicts", "joint 'w'")),
    Case("contradict_weld_motor", status=2, says=("joint 'm' contradicts", "joint 'w'")),
    Case("motion_start_offset", status=2, says=("joints.m", "is 5 m at t = 0", "subtract 5")),
    Case("prescribed_dynamic", prescribed_dynamic, quiet=True),
    Case("prescribed_static", prescribed_static),
    # velocities at the start
    Case("velocity_field", velocity_field, quiet=True),
    # joints
    Case("andrews", andrews, arguments=("--set", "analysis.step=2.5e-5")),
    Case("andrews", andrews, arguments=("--set", "analysis.step=2.5e-5", "--set", "treatment=lagrange")),
    Case("andrews", andrews, arguments=("--set", "analysis.step=2.5e-5", "--set", "treatment=augmented")),
    Case("reaction_internal_error", reaction_far_away, arguments=("--set", "analysis.duration=0.005"), quiet=True),
    Case("joint_self", status=2, says=("joints.j", "from body 'a' to itself")),
]


@pytest.mark.parametrize("case", CASES, ids=lambda c: "-".join((c.file, *c.arguments[1::2])))
def test_case(lithe, case):
    done = lithe("run", FOLDER / f"{case.file}.yaml", "-o", "out.h5", "--threads", 1, *case.arguments)
    assert done.returncode == case.status, done.stderr
    assert "internal error" not in done.stderr
    for words in case.says:
        assert words in done.stderr, done.stderr
    if case.quiet:
        assert "warning" not in done.stderr, done.stderr
    if case.check:
        with h5py.File(lithe.folder / "out.h5") as file:
            run = {name: file["channels"][name][()] for name in file["channels"]}
            run["t"] = file["time"][()]
        case.check(run)


@pytest.mark.parametrize("file", sorted(FOLDER.glob("*.yaml")), ids=lambda file: file.stem)
def test_check(lithe, file):
    """`check` refuses what `run` refuses and nothing else."""
    statuses = {case.status for case in CASES if case.file == file.stem}
    done = lithe("check", file)
    assert done.returncode == (statuses.pop() if statuses else 0), done.stderr


@pytest.mark.parametrize("treatment", ["eliminate", "lagrange", "augmented"])
def test_statics_follows_drives_where_no_load_acts(treatment):
    """No force answers a motion until the bodies have followed it: the rows that do not hold count by themselves."""
    model = lithe.Model(treatment=treatment)
    model.bodies["a"] = lithe.RigidBody(mass=1, inertia=(1, 1, 1))
    model.joints["hinge"] = lithe.Revolute(a="ground", b="a", point=(0, 0, 0))
    model.joints["motor"] = lithe.Turn(joint="hinge", angle="1.2*t")
    model.springs["spring"] = lithe.TorsionSpring(joint="hinge", stiffness=10)
    model.outputs["spring"] = lithe.SpringOutput(spring="spring")
    model.outputs["gap"] = lithe.ConstraintOutput()
    model.analysis = lithe.StaticAnalysis()
    result = model.solve()
    assert abs(result.channels["spring"][-1][0] - 1.2) < 1e-9
    assert abs(result.channels["spring"][-1][2] - 12) < 1e-8
    assert abs(result.channels["gap"][-1][0]) < 1e-9
