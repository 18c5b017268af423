"""Runs in stages: a state handed on, one clock, one file; fields that are chosen."""

import json
import xml.etree.ElementTree as ElementTree

import h5py
import numpy as np
import pytest

import lithe

from test_dynamic_runs import arrays
from test_results import read_item

g, mass, stiffness = 9.80665, 2.0, 400.0


def hanging_mass(*stages):
    """A mass on a spring: it sinks by m g / k."""
    model = lithe.Model(name="hanging", analysis=list(stages))
    model.bodies["stone"] = lithe.PointMass(mass=mass, position=(0, 0, -1))
    model.joints["guide"] = lithe.PointOnLine(a="ground", b="stone", axis=(0, 0, 1), point=(0, 0, -1))
    model.springs["spring"] = lithe.Spring(a={"body": "ground", "point": [0, 0, 0]}, b="stone", stiffness=stiffness)
    model.loads["gravity"] = lithe.Gravity()
    model.outputs["stone"] = lithe.DisplacementOutput(at="stone")
    model.outputs["speed"] = lithe.VelocityOutput(at="stone")
    model.outputs["acceleration"] = lithe.AccelerationOutput(at="stone")
    return model


def wire(*stages, tension=26.0):
    """A steel wire, tightened by a force and then let go with a push in its first mode."""
    model = lithe.Model(name="wire", analysis=list(stages))
    model.materials["steel"] = lithe.Isotropic(E=2.1e11, nu=0.3, density=7850)
    model.sections["round"] = lithe.Circle(radius=2.5e-4)
    model.bodies["wire"] = lithe.Body(element="cable", material="steel", section="round",
                                      mesh=lithe.LineMesh(from_=(0, 0, 0), to=(0.65, 0, 0), elements=16))  # fmt: skip
    model.constraints["nut"] = lithe.Fix(at="wire.start")
    model.constraints["bridge"] = lithe.Fix(at="wire.end", along=[(0, 1, 0), (0, 0, 1)])
    model.loads["tension"] = lithe.PointForce(at="wire.end", force=(tension, 0, 0))
    model.initial_velocities["push"] = lithe.InitialVelocity(on="wire", velocity=(0, 0, "0.05*sin(pi*x/0.65)"))
    model.outputs["middle"] = lithe.DisplacementOutput(at="wire.middle")
    return model


def strip(*stages, **options):
    model = lithe.Model(name="strip", analysis=list(stages), **options)
    model.materials["rubber"] = lithe.Isotropic(E=5e7, nu=0.3, density=1100, damping=1e-3)
    model.sections["flat"] = lithe.Rectangle(width=0.02, thickness=0.02)
    model.bodies["rod"] = lithe.Body(element="beam3243", material="rubber", section="flat",
                                     mesh=lithe.LineMesh(from_=(0, 0, 0), to=(1, 0, 0), elements=4))  # fmt: skip
    model.constraints["root"] = lithe.Clamp(at="rod.start")
    model.loads["gravity"] = lithe.Gravity()
    model.loads["push"] = lithe.PointForce(at="rod.end", force=(0, "0.2*sin(17*t)", 0))
    model.outputs["tip"] = lithe.PositionOutput(at="rod.end")
    return model


def static(**options):
    return lithe.StaticAnalysis(**options)


def dynamic(**options):
    return lithe.DynamicAnalysis(**(dict(duration=0.2, step=0.002, threads=1) | options))


@pytest.mark.parametrize("duration", [0, 1])
def test_an_equilibrium_stays_where_it_is(duration):
    model = hanging_mass(static(duration=duration, name="sink"), dynamic(duration=2, step=0.01, name="stay"))
    result = model.solve()
    sag = mass * g / stiffness
    z = result.stages["stay"].channel("stone")[:, 2]
    assert len(z) == 201 and z[0] == result.stages["sink"].channel("stone")[-1, 2]
    np.testing.assert_allclose(z, -sag, rtol=1e-9)
    assert np.abs(result.stages["stay"].channel("acceleration")).max() < 1e-9 * g
    np.testing.assert_allclose(result.time[[0, 1, 2, -1]], [0, duration, duration, duration + 2], rtol=1e-12)
    assert result.stages["stay"].report["energy_balance"]["kinetic_gained"] < 1e-15
    # Without the first stage it falls, and swings about the same place.
    swing = hanging_mass(dynamic(duration=2, step=0.001)).solve().channels["stone"][:, 2]
    assert swing.min() == pytest.approx(-2 * sag, rel=1e-3) and swing.max() == pytest.approx(0, abs=1e-3 * sag)


def test_prestress_acts_in_full_from_the_start_of_the_motion():
    model = hanging_mass(static(duration=0), dynamic(duration=1, step=0.01))
    model.springs["spring"] = lithe.Spring(a={"body": "ground", "point": [0, 0, 0]}, b="stone", stiffness=stiffness,
                                           free_length=0.9)  # fmt: skip
    z = model.solve().stages[1].channel("stone")[:, 2]
    np.testing.assert_allclose(z, 0.1 - mass * g / stiffness, rtol=1e-9)


def test_first_frequency_of_a_tightened_wire():
    area = np.pi * 2.5e-4**2
    for tension in (26.0, 104.0):
        f = np.sqrt(tension / (7850 * area)) / (2 * 0.65)
        model = wire(static(duration=0), dynamic(duration=1.1 / f, step=1 / (400 * f), integrator="trapezoidal"),
                     tension=tension)  # fmt: skip
        result = model.solve()
        t, z = result.stages[1].time, result.stages[1].channel("middle")[:, 2]
        assert z[0] == 0  # the initial velocities begin with the motion, not before
        crossings = [t[k] - z[k] * (t[k + 1] - t[k]) / (z[k + 1] - z[k]) for k in range(5, len(z) - 1) if z[k] * z[k + 1] < 0]
        # Half a period and a whole one; the wire is longer and thinner by its strain, and a little stiff.
        np.testing.assert_allclose(crossings[:2], [0.5 / f, 1 / f], rtol=2e-3)


def test_stages_go_on_with_velocities_and_meet_the_run_in_one_piece():
    one = strip(dynamic(duration=0.1, step=1e-3)).solve()
    two = strip(dynamic(duration=0.05, step=1e-3), dynamic(duration=0.05, step=1e-3)).solve()
    assert two.steps == one.steps + 1 and two.analysis == "stages" and one.analysis == "dynamic"
    np.testing.assert_allclose(two.channels["tip"][-1], one.channels["tip"][-1], atol=2e-6)
    np.testing.assert_array_equal(two.velocities("rod")[50], two.velocities("rod")[51])


def test_static_after_static_goes_along_its_own_time_under_the_constant_loads():
    model = strip(static(duration=0, name="sag"), static(name="pull", duration=2, first_step=0.5, largest_step=0.5))
    model.loads["push"] = lithe.PointForce(at="rod.end", force=(0, "0.1*t", 0))
    result = model.solve()
    tip, pull = result.channels["tip"], result.stages["pull"]
    np.testing.assert_array_equal(tip[pull.rows][0], result.stages["sag"].channel("tip")[-1])
    np.testing.assert_allclose(pull.time, [0, 1, 2])
    assert np.all(result.load_factor[pull.rows] == 1)
    whole = strip(static(duration=2))
    whole.loads["push"] = lithe.PointForce(at="rod.end", force=(0, "0.1*t", 0))
    np.testing.assert_allclose(tip[-1], whole.solve().channels["tip"][-1], atol=1e-9)


def test_a_constant_motion_is_reached_in_the_first_stage_and_rests():
    model = strip(static(duration=0.5), dynamic(duration=0.2))
    del model.loads["push"]
    model.joints["lift"] = lithe.Motion(at="rod.end", displacement=(None, None, 0.05))
    result = model.solve()
    z = result.channels["tip"][:, 2]
    np.testing.assert_allclose(z[result.stages[1].rows], 0.05, atol=1e-12)
    assert not result.report["warnings"]
    model.analysis[0].duration = 0
    with pytest.raises(lithe.InputError, match="constant 0.05 is reached along the time.*duration: 0"):
        model.solve()


def test_a_drive_that_is_under_way_when_motion_begins_is_told():
    model = strip(static(), dynamic())
    model.joints["lift"] = lithe.Motion(at="rod.end", displacement=(None, None, "0.01*t^2"))
    with pytest.warns(lithe.LitheWarning, match="rate of 0.02 m/s.*at t = 1 s, when the first dynamic stage begins"):
        model.check()
        model.solve()


def test_stages_of_python_and_yaml(tmp_path):
    model = strip({"type": "static", "name": "sag"}, dynamic())
    assert isinstance(model.analysis, tuple) and model.analysis[0].name == "sag"
    model.analysis[1].step = 0.004
    (tmp_path / "model.yaml").write_text(model.to_yaml())
    again = lithe.load(tmp_path / "model.yaml")
    assert again == model and again.analysis[1].step == 0.004
    by_name = lithe.load(tmp_path / "model.yaml", set=["analysis.sag.duration=0", "analysis.stage2.step=0.01"])
    assert by_name.analysis[0].duration == 0 and by_name.analysis[1].step == 0.01
    model.analysis = dynamic()
    assert isinstance(model.analysis, lithe.DynamicAnalysis)
    only = dynamic()
    model.analysis = [only]
    assert model.analysis is only
    with pytest.raises(lithe.InputError, match="StaticAnalysis | DynamicAnalysis"):
        model.analysis = lithe.Gravity()


@pytest.mark.parametrize(
    "stages, words",
    [
        ("[]", ["list of stages is empty", "{type: static}"]),
        ("[{type: harmonic}]", ["'harmonic' is not known", "static, dynamic"]),
        ("[{type: dynamic}, {type: static}]", ["cannot follow a dynamic one", "stage 'stage1' (1 of 2)", "put static stages first"]),
        ("[{name: a}, {name: a, type: dynamic}]", ["'a' is used twice, by stages 1 and 2"]),
        ("[{name: stage2}, {type: dynamic}]", ["'stage2' is used twice"]),
        ("[{name: '1'}, {type: dynamic}]", ["is a number"]),
        ("[{name: a.b}, {type: dynamic}]", ["contains a dot"]),
        ("[{threads: 1}, {type: dynamic, threads: 2}]", ["share their threads"]),
        ("[{fields: [stress]}, {type: dynamic, fields: [position]}]", ["the same fields"]),
        ("[{type: dynamic, fields_every: 2, fields_step: 0.1}]", ["give one of them"]),
        ("[{type: dynamic, fields: [colour]}]", ["'colour' is not known", "position, velocity, stress"]),
    ],
)
def test_lists_that_make_no_sense(lithe_in, stages, words):
    (lithe_in.folder / "model.yaml").write_text(strip(static()).to_yaml())
    done = lithe_in("check", "model.yaml", "--set", f"analysis={stages}")
    assert done.returncode == 2
    for word in words:
        assert word in done.stderr


@pytest.fixture
def lithe_in(lithe):
    return lithe


def test_the_program_tells_every_stage(lithe_in):
    folder = lithe_in.folder
    (folder / "model.yaml").write_text(strip(static(name="sag"), dynamic(name="swing")).to_yaml())
    done = lithe_in("check", "model.yaml")
    assert "stage 'sag': static" in done.stdout and "stage 'swing': dynamic: 100 steps" in done.stdout
    done = lithe_in("run", "model.yaml", "-o", "out.h5", "--json", "out.json", "--set", "analysis.swing.step=0.004")
    assert done.returncode == 0 and "stage    'swing', dynamic" in done.stdout and "swing, t = 1.2" in done.stderr
    report = json.loads((folder / "out.json").read_text())
    assert report["analysis"] == "stages" and [s["name"] for s in report["stages"]] == ["sag", "swing"]
    assert report["steps"] == sum(s["steps"] for s in report["stages"]) and report["stages"][1]["steps"] == 50
    assert report["stages"][0]["load_factor"] == 1 and report["t"] == 1.2
    text = lithe_in("info", "out.h5").stdout
    assert "stage 'sag', static: 2 steps, time 0 to 1 s" in text and "stage 'swing', dynamic: 51 outputs, time 1 to 1.2 s" in text
    result = lithe.read(folder / "out.h5")
    assert list(result.stages) == ["sag", "swing"] and result.stages["swing"].rows == slice(2, 53)
    assert result.stages["swing"].report["steps"] == 50 and result.stages[0].analysis == "static"
    with h5py.File(folder / "out.h5") as file:
        assert list(file.attrs["stages"]) == [b"sag", b"swing"] and list(file.attrs["stage_types"]) == [b"static", b"dynamic"]
        np.testing.assert_array_equal(file["stage"], [0, 0] + 51 * [1])
    for wrong in ("analysis.step=1", "analysis.2.step=1", "analysis.swig.step=1"):
        done = lithe_in("run", "model.yaml", "--set", wrong)
        assert done.returncode == 2 and "a list of 2 stages" in done.stderr and "(sag, swing)" in done.stderr


def test_companion_of_stages(tmp_path):
    path = tmp_path / "out.h5"
    result = strip(static(name="sag"), dynamic(name="swing", duration=0.02)).solve(path)
    grids = ElementTree.parse(path.with_suffix(".xdmf")).findall("./Domain/Grid/Grid")
    times = [float(grid.find("Time").get("Value")) for grid in grids]
    assert times == [0, *np.unique(result.time[1:])] and all(np.diff(times) > 0)
    told = [grid.find("Information").get("Value") for grid in grids]
    assert told == ["sag"] + 11 * ["swing"]
    np.testing.assert_array_equal(read_item(grids[-1].find("Geometry/DataItem"), tmp_path), result.position("rod")[-1])


def test_a_failing_stage_keeps_what_was_computed(tmp_path):
    model = strip(static(name="sag"), dynamic(name="swing", tolerance=1e-20, iterations=1, smallest_step=1e-3))
    with pytest.raises(lithe.RunError, match=r"stage 'swing' \(2 of 2\) failed: ") as caught:
        model.solve(tmp_path / "out.h5")
    result = caught.value.result
    assert result.complete and not result.report["ok"] and len(result.stages["sag"]) == 2 and result.stages["sag"].report["ok"]
    model = strip(static(name="sag", iterations=1, largest_steps=1, first_step=0.001), dynamic(name="swing"))
    with pytest.raises(lithe.RunError, match=r"stage 'sag' \(1 of 2\) failed: ") as caught:
        model.solve()
    assert len(caught.value.result.stages["swing"]) == 0


def test_resume_inside_a_stage_bit_by_bit(lithe_in):
    folder = lithe_in.folder
    stages = static(name="sag"), dynamic(name="swing", checkpoint_step=0.03), dynamic(name="rest", step=0.004, checkpoint_step=0.05)
    (folder / "model.yaml").write_text(strip(*stages).to_yaml())
    assert lithe_in("run", "model.yaml", "-o", "whole.h5", "-q").returncode == 0
    whole = arrays(folder / "whole.h5")
    for last, stage in ((1.0, "sag"), (1.1, "swing"), (1.2, "swing"), (1.3, "rest")):

        def stop(step):
            return step["time"] < last or (last == 1.0 and step["stage"] == stage)

        stopped = lithe.load(folder / "model.yaml").solve(folder / "out.h5", progress=stop)
        assert stopped.report["reason"] == "stopped" and stopped.time[-1] < 1.4
        done = lithe_in("run", "--resume", "out.h5", "--json", "out.json")
        assert done.returncode == 0, done.stderr
        again = arrays(folder / "out.h5")
        assert whole.keys() == again.keys()
        for name in whole:
            assert whole[name].tobytes() == again[name].tobytes(), name
        assert "sag" not in [s["name"] for s in json.loads((folder / "out.json").read_text())["stages"]]
    assert "are complete" in lithe_in("run", "--resume", "out.h5").stderr
    done = lithe_in("run", "--resume", "out.h5", "--set", "analysis.swing.duration=0.3")
    assert done.returncode == 2 and "are over" in done.stderr
    done = lithe_in("run", "--resume", "out.h5", "--set", "analysis.rest.duration=0.24")
    assert done.returncode == 0 and lithe.read(folder / "out.h5").time[-1] == pytest.approx(1.44)
    longer = lithe.resume(folder / "out.h5", duration=0.28)
    assert longer.time[-1] == pytest.approx(1.48) and len(longer.stages["rest"]) == 71


@pytest.mark.parametrize("other, remedy", [(4, "run the model again"), (7, "use a newer lithe")])
def test_results_of_other_formats_are_refused(tmp_path, other, remedy):
    path = tmp_path / "out.h5"
    strip(dynamic(checkpoint_step=0.1)).solve(path)
    with h5py.File(path, "a") as file:
        file.attrs["format"] = np.int32(other)
    for use in (lithe.read, lithe.resume):
        with pytest.raises(lithe.InputError, match=f"out.h5' have format {other}, but this lithe .* reads formats 5 to 6; {remedy}"):
            use(path)
    strip(dynamic()).solve(path)  # a run may replace them
    assert lithe.read(path).complete


def test_fields_that_are_chosen(tmp_path):
    every = strip(dynamic()).solve()
    model = strip(dynamic(fields=["position"]))
    for path in (None, tmp_path / "out.h5"):
        result = model.solve(path)
        np.testing.assert_array_equal(result.position("rod"), every.position("rod"))
        np.testing.assert_array_equal(result.channels["tip"], every.channels["tip"])
        assert not result.bodies["rod"].has_stress
        for field, read in (("stress", result.von_mises), ("velocity", result.velocity)):
            with pytest.raises(KeyError, match=f"did not record the field '{field}'"):
                read("rod")
    with h5py.File(tmp_path / "out.h5") as file:
        assert set(file["fields"]) == {"coordinates", "position", "displacement"} and file["bodies"]["first_stress"] == [-1]
    # Channels alone; ParaView sees the reference configuration.
    none = strip(dynamic(fields=[])).solve(tmp_path / "none.h5")
    np.testing.assert_array_equal(none.channels["tip"], every.channels["tip"])
    grid = ElementTree.parse(tmp_path / "none.xdmf").find("./Domain/Grid/Grid")
    np.testing.assert_array_equal(read_item(grid.find("Geometry/DataItem"), tmp_path), none.bodies["rod"].reference[:, 0])


@pytest.mark.parametrize("thin", [dict(fields_every=7), dict(fields_step=0.03)])
def test_fields_at_some_outputs(lithe_in, thin):
    folder = lithe_in.folder
    every = strip(static(), dynamic()).solve()
    model = strip(static(), dynamic(checkpoint_step=0.05, **thin))
    rows = [0, 1, *range(2, 103, 7), 102] if "fields_every" in thin else [0, 1, 2, *range(17, 103, 15), 102]
    memory = model.solve()
    result = model.solve(folder / "out.h5")
    for some in (memory, result):
        np.testing.assert_array_equal(some.field_rows, np.unique(rows))
        np.testing.assert_array_equal(some.channels["tip"], every.channels["tip"])
        for field in ("coordinates", "velocities", "von_mises"):
            np.testing.assert_array_equal(getattr(some, field)("rod"), getattr(every, field)("rod")[some.field_rows])
    assert f"fields of bodies at {len(result.field_rows)} of 103 outputs" in lithe_in("info", "out.h5").stdout
    grids = ElementTree.parse(folder / "out.xdmf").findall("./Domain/Grid/Grid")
    assert len(grids) == len(result.field_rows) - 1  # the stages meet at one time
    np.testing.assert_array_equal(read_item(grids[3].find("Geometry/DataItem"), folder), result.position("rod")[4])
    # Stopped and resumed: the same rows, byte by byte.
    whole = arrays(folder / "out.h5")
    model.solve(folder / "out.h5", progress=lambda step: step["time"] < 1.12)
    lithe.resume(folder / "out.h5")
    again = arrays(folder / "out.h5")
    assert whole.keys() == again.keys() and all(whole[name].tobytes() == again[name].tobytes() for name in whole)
    lithe.read(folder / "out.h5").plot(folder / "picture.png", channel="tip")
