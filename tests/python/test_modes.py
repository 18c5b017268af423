"""Modes and buckling by program, by stages and in Python: what comes out, what plays, what is refused."""

import json
import math
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

import lithe as package

COLUMN = """
name: column
materials: {rubber: {type: isotropic, E: 1e9, nu: 0, density: 1100}}
sections: {square: {type: rectangle, width: 0.01, thickness: 0.01}}
bodies:
  column: {element: beam3243, material: rubber, section: square,
           mesh: {type: line, from: [0, 0, 0], to: [1, 0, 0], elements: 12}}
constraints: {root: {type: clamp, at: column.start}}
loads: {press: {type: force, at: column.end, force: [-1, 0, 0]}}
outputs: {tip: {type: displacement, at: column.end}}
analysis: ANALYSIS
"""
EULER = math.pi**2 * 1e9 * 1e-8 / 12 / 4
FIRST = 1.8751040687**2 * math.sqrt(1e9 * 1e-8 / 12 / (1100 * 1e-4)) / (2 * math.pi)  # Hz, unloaded


def write(lithe, analysis="{type: static}", text=COLUMN):
    (lithe.folder / "model.yaml").write_text(text.replace("ANALYSIS", analysis))
    return "model.yaml"


def test_program_prints_and_writes_the_table(lithe):
    run = lithe("modes", write(lithe), "--count", 3, "--json", "modes.json")
    assert run.returncode == 0, run.stderr
    data = json.loads((lithe.folder / "modes.json").read_text())
    assert data["analysis"] == "modes" and data["ok"] and len(data["modes"]) == 3
    assert data["modes"][0]["frequency"] == pytest.approx(FIRST, rel=1e-3)
    assert data["modes"][1]["frequency"] == pytest.approx(data["modes"][0]["frequency"], rel=1e-9)
    assert data["proof"]["counted"] >= 3
    mass = 1100 * 1e-4
    assert data["total_mass"][:3] == pytest.approx([mass] * 3)
    pair = sum(np.array(mode["effective_mass"]) for mode in data["modes"][:2])
    assert pair[1:3] / mass == pytest.approx([0.6131, 0.6131], abs=1e-3)  # of a clamped beam's first mode
    assert f"{data['modes'][0]['frequency']:.7g}" in run.stdout and "Sylvester" in run.stdout
    assert sorted(p.name for p in lithe.folder.iterdir()) == ["model.yaml", "modes.json"]


def test_at_equilibrium_the_load_bends_frequencies_down(lithe):
    files = {}
    for at in ("rest", "equilibrium"):
        run = lithe("modes", write(lithe), "--count", 1, "--at", at, "--json", "-")
        assert run.returncode == 0, run.stderr
        data = json.loads(run.stdout)
        files[at] = (data if at == "rest" else data["stages"][-1])["modes"][0]["eigenvalue"]
    assert files["equilibrium"] / files["rest"] == pytest.approx(1 - 1 / EULER, abs=0.03)


def test_result_plays_every_mode(lithe):
    run = lithe("modes", write(lithe), "--count", 3, "-o", "modes.h5", "-q")
    assert run.returncode == 0, run.stderr
    result = package.read(lithe.folder / "modes.h5")
    assert len(result.time) == 3 * 8 and set(result.time) == {0.0}
    model = package.load(lithe.folder / "model.yaml")
    tip = result.channels["tip"].reshape(3, 8, 3)
    length = package.System(model).length_scale
    phase = np.cos(2 * np.pi * np.arange(8) / 8)
    for mode in range(3):
        assert tip[mode] == pytest.approx(np.outer(phase, tip[mode, 0]), abs=1e-9)
        assert np.linalg.norm(tip[mode, 0]) == pytest.approx(0.1 * length, rel=1e-6)
    times = [float(t.get("Value")) for t in ElementTree.parse(lithe.folder / "modes.xdmf").iter("Time")]
    assert times == list(range(24))


STAGES = """
  - {type: modes, count: 2, name: unloaded}
  - {type: static, name: press}
  - {type: modes, count: 2, name: loaded, frames: 1}
  - {type: buckling, count: 2, name: limit}
  - {type: dynamic, duration: 0.01, step: 0.001, checkpoint_step: 0.002, name: motion}
  - {type: modes, count: 2, name: after}
"""


def test_stages_look_at_the_state_and_leave_it(lithe):
    run = lithe("run", write(lithe, STAGES), "-o", "out.h5", "--json", "out.json", "-q")
    assert run.returncode == 0, run.stderr
    stages = {stage["name"]: stage for stage in json.loads((lithe.folder / "out.json").read_text())["stages"]}
    assert [stage["analysis"] for stage in stages.values()] == ["modes", "static", "modes", "buckling", "dynamic", "modes"]
    first = {name: stages[name]["modes"][0]["eigenvalue"] for name in ("unloaded", "loaded", "after")}
    assert first["loaded"] < 0.6 * first["unloaded"]
    assert first["after"] == pytest.approx(first["loaded"], rel=1e-6)
    assert stages["limit"]["factors"] == pytest.approx([EULER] * 2, rel=1e-3)
    result = package.read(lithe.folder / "out.h5")
    assert [len(stage.time) for stage in result.stages.values()] == [16, 2, 2, 16, 11, 16]
    # Complete; further; and the modes are looked for again after what was added.
    assert "complete" in lithe("run", "--resume", "out.h5").stderr
    more = lithe("run", "--resume", "out.h5", "--set", "analysis.motion.duration=0.012", "-q")
    assert more.returncode == 0, more.stderr
    assert package.read(lithe.folder / "out.h5").report["stages"][-1]["name"] == "after"


@pytest.mark.parametrize(
    "arguments, change, told",
    [
        (["--count", "3000"], None, ["count is 3000", "149 modes", "ask for at most 149"]),
        (["--count", "0"], None, ["--count", "'0' is not a number of modes"]),
        (["--count", "2.5"], None, ["--count", "2.5"]),
        (["--near", "-3"], None, ["--near", "not a positive, finite frequency"]),
        (["--near", "nan"], None, ["--near", "not a positive, finite frequency"]),
        (["--at", "home"], None, ["--at", "rest", "equilibrium"]),
        ([], (", density: 1100", ""), ["density", "kg/m^3"]),
        ([], ("at: column.start", "at: column.all, hold: all"), ["nothing can move", "constraint"]),
        (["--json", "model.yaml"], None, ["model.yaml"]),
    ],
)
def test_what_modes_refuse(lithe, arguments, change, told):
    text = COLUMN.replace(*change) if change else COLUMN
    run = lithe("modes", write(lithe, text=text), *arguments)
    assert run.returncode == 2, run.stdout + run.stderr
    for part in told:
        assert part in run.stderr
    assert (lithe.folder / "model.yaml").read_text().startswith("\nname: column")


@pytest.mark.parametrize(
    "analysis, change, code, told",
    [
        ("{type: buckling}", ("loads: {press: {type: force, at: column.end, force: [-1, 0, 0]}}", ""), 2, ["no", "loads"]),
        ("{type: buckling, count: 0}", None, 2, ["count", "greater than 0"]),
        ("{type: modes, near: 0}", None, 2, ["near", "greater than 0"]),
        ("{type: modes, frequencies: 3}", None, 2, ["'frequencies' is not a key here"]),
        ("[{type: static}, {type: buckling}]", ("[-1, 0, 0]", "[-4, 0, 0]"), 1, ["unstable"]),
    ],
)  # fmt: skip
def test_what_stages_refuse(lithe, analysis, change, code, told):
    text = COLUMN.replace(*change) if change else COLUMN
    run = lithe("run", write(lithe, analysis, text), "-o", "out.h5", "-q")
    assert run.returncode == code, run.stdout + run.stderr
    for part in told:
        assert part in run.stderr


def test_python_gives_shapes_that_solve_the_problem():
    model = package.Model(name="plate")
    model.materials["steel"] = package.Isotropic(E=2e11, nu=0.3, density=7850)
    model.bodies["block"] = package.Body(element="hex8", material="steel",
                                         mesh=package.BlockMesh(length=(1, 0, 0), width=(0, 0.4, 0), height=(0, 0, 0.1),
                                                                elements=(8, 4, 1)))  # fmt: skip
    found = model.modes(9)
    assert len(found) == 9 and found.shape.shape == (9, 90, 3)
    assert np.abs(found.frequency[:6]).max() < 1e-4 * found.frequency[6]
    system = package.System(model)
    for k in range(9):
        assert system.kinetic_energy(found.shape[k]) == pytest.approx(0.5)  # modal mass 1 kg
    q = 1e-6 * found.shape[7]
    force = system.internal_force(system.q0 + q) - system.internal_force(system.q0)
    assert np.sum(force * q) / np.sum(q * q) > 0
    assert np.sum(force * q) / 1e-12 == pytest.approx(found.eigenvalue[7], rel=1e-3)
    with pytest.raises(package.InputError, match="'rest' or 'equilibrium'"):
        model.modes(3, at="home")
    with pytest.raises(package.InputError, match="whole number"):
        model.modes(2.5)
    with pytest.raises(package.InputError, match="ask for at most 270"):
        model.modes(1000)
    with pytest.raises(package.InputError):
        model.buckling()


def test_a_closed_pipe_and_a_sector(lithe):
    """Volume, names, and modes of all solids that may be a pipe."""
    for element in ("hex8", "hexa3843", "tet4", "tet10"):
        for angle, first in ((360, False), (90, True)):
            model = package.Model(name="pipe")
            model.materials["steel"] = package.Isotropic(E=2e11, nu=0.3, density=1000)
            mesh = package.PipeMesh(from_=(0, 0, 0), to=(0, 0, 2), inner_radius=0.4, outer_radius=0.5, angle=angle,
                                    elements=(3, 24 * angle // 360 * 2, 1))  # fmt: skip
            model.bodies["pipe"] = package.Body(element=element, material="steel", mesh=mesh)
            system = package.System(model)
            volume = math.pi * (0.25 - 0.16) * 2 * angle / 360
            assert system.total_mass() / 1000 == pytest.approx(volume, rel=4e-3), element
            model.constraints["foot"] = package.Clamp(at="pipe.start")
            for name in ("end", "outer", "inner", *(["first", "last"] if first else [])):
                model.outputs[name] = package.DisplacementOutput(at=f"pipe.{name}_middle")
            model.loads["inside"] = package.Pressure(on="pipe.inner", pressure=1e5)
            result = model.solve()
            assert result.channels["end"][-1][2] != 0
            assert model.modes(2).frequency[0] > 10


@pytest.mark.parametrize("count", [1, 6, 7])
def test_rigid_motions_are_not_an_instability(lithe, count):
    (lithe.folder / "cube.yaml").write_text("""
materials: {m: {E: 2e11, nu: 0.3, density: 1000}}
bodies:
  b: {element: hex8, material: m,
      mesh: {type: block, length: [0.1, 0, 0], width: [0, 0.1, 0], height: [0, 0, 0.1], elements: [1, 1, 1]}}
""")
    run = lithe("modes", "cube.yaml", "--count", count)
    assert run.returncode == 0 and "UNSTABLE" not in run.stdout + run.stderr, run.stdout + run.stderr
