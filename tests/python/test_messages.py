"""Python says what the program says, once: warnings, notes, progress and model.check()."""

import io
import logging
import pathlib
import sys
import warnings

import pytest

import lithe

ROOT = pathlib.Path(__file__).resolve().parents[2]

DOUBTFUL = """\
name: doubtful
materials:
  soft: {E: 210, nu: 0.3, density: 0}
sections:
  flat: {type: rectangle, width: 0.1, thickness: 0.1}
bodies:
  beam: {element: beam3243, material: soft, section: flat, mesh: {type: line, from: [0, 0, 0], to: [1, 0, 0], elements: 2}}
  ball: {type: point_mass, mass: 1, position: [3, 0, 0]}
constraints:
  root: {type: clamp, at: beam.start}
joints:
  a: {type: spherical, a: ground, b: ball}
  b: {type: spherical, a: ground, b: ball}
springs:
  nothing: {type: spring, a: beam.end, b: ball}
loads:
  weight: {type: gravity, acceleration: [0, 0, -1e-3]}
"""
# Of reading, of the model as a whole, and of compiling.
EXPECTED = ["are the units SI", "gravity does not act on body 'beam'", "so it does nothing", "were dropped"]


def caught(action):
    with warnings.catch_warnings(record=True) as list_:
        warnings.simplefilter("always")
        result = action()
    return result, list_


def count(list_, text):
    return sum(text in str(w.message) for w in list_)


def test_warnings_of_a_file_are_said_once(tmp_path, lithe_program):
    file = tmp_path / "model.yaml"
    file.write_text(DOUBTFUL)

    def both():
        model = lithe.load(file)
        model.solve()

    _, said = caught(both)
    printed = lithe_program("run", file).stderr
    for text in EXPECTED:
        assert count(said, text) == 1, [str(w.message) for w in said]
        assert printed.count(text) == 1, printed
    for w in said:
        assert issubclass(w.category, lithe.LitheWarning) and issubclass(w.category, UserWarning)
        assert w.filename == __file__, "it points at the user's line"
    assert sum(str(w.message).startswith(str(file)) for w in said) == 3  # with file and line where there is one


@pytest.fixture
def lithe_program(request):
    return request.getfixturevalue("lithe")


def test_warnings_of_a_script_are_said_once():
    def script():
        model = lithe.Model(name="doubtful")
        soft = lithe.Isotropic(E=210)
        model.materials["soft"] = soft
        model.materials["other"] = soft
        model.sections["flat"] = lithe.Rectangle(width=0.1, thickness=0.1)
        mesh = lithe.LineMesh(from_=(0, 0, 0), to=(1, 0, 0), elements=2)
        model.bodies["beam"] = lithe.Body(element="beam3243", material="soft", section="flat", mesh=mesh)
        model.constraints["root"] = lithe.Clamp(at="beam.start")
        model.springs["nothing"] = lithe.Spring(a="beam.end", b={"body": "ground", "point": [3, 0, 0]})
        model.loads["push"] = lithe.PointForce(at="beam.end", force=(0, 0, -1e-3))
        model.to_yaml()
        return model.solve()

    result, said = caught(script)
    for text in ("are the units SI", "so it does nothing"):
        assert count(said, text) == 1, [str(w.message) for w in said]
    assert all(w.filename == __file__ for w in said)
    assert sum("so it does nothing" in text for text in result.report["warnings"]) == 1
    # Nested parts were told when they were made.
    layer = caught(lambda: lithe.Layer(thickness=50))[0]
    assert not caught(lambda: lithe.Layered(layers=[layer]))[1]


def test_warnings_can_be_errors():
    with warnings.catch_warnings():
        warnings.simplefilter("error", lithe.LitheWarning)
        with pytest.raises(lithe.LitheWarning, match="are the units SI"):
            lithe.Isotropic(E=210)


def test_systems_warn(tmp_path):
    file = tmp_path / "model.yaml"
    file.write_text(DOUBTFUL)
    model, _ = caught(lambda: lithe.load(file))
    _, said = caught(lambda: lithe.System(model))
    assert count(said, "were dropped") == 1 and len(said) == 1


def test_notes_go_to_the_logger(caplog, lithe_program, tmp_path):
    """What the program prints as a note."""
    model = lithe.load(ROOT / "examples" / "cantilever.yaml", set=["analysis.tolerance=1e-15"])
    file = tmp_path / "model.yaml"
    file.write_text(model.to_yaml())
    printed = [line[6:] for line in lithe_program("run", file).stderr.splitlines() if line.startswith("note: ")]
    assert len(printed) == 1
    with caplog.at_level(logging.INFO, logger="lithe"):
        model.solve()
    notes = [r for r in caplog.records if r.name == "lithe"]
    assert [r.getMessage() for r in notes] == printed and notes[0].levelno == logging.INFO


def test_progress_true(capsys, monkeypatch):
    model = lithe.load(ROOT / "examples" / "pendulum.yaml", set=["analysis.duration=0.05"])
    model.solve(progress=True)
    plain = capsys.readouterr().err
    assert "t = 0.05 of 0.05 s" in plain and "\r" not in plain and "\033" not in plain
    model.solve()
    model.solve(progress=False)
    assert capsys.readouterr().err == ""

    class Terminal(io.StringIO):
        def isatty(self):
            return True

        def fileno(self):
            return 77

    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("os.get_terminal_size", lambda fd: type("Size", (), {"columns": 40})())
    model.solve(progress=True)
    lines = terminal.getvalue().replace("\r", "\n").replace("\033[K", "").split("\n")
    assert any(line.startswith("[") and "%" in line for line in lines) and max(map(len, lines)) < 40
    assert terminal.getvalue().endswith("\r\033[K")  # nothing is left
    monkeypatch.setattr(sys, "stderr", None)  # a windowed interpreter
    model.solve(progress=True)


def test_check_says_what_the_program_says(tmp_path, lithe_program):
    for example in ("cantilever", "pendulum", "slider_crank"):
        file = ROOT / "examples" / f"{example}.yaml"
        model = lithe.load(file)
        check = model.check()
        printed = lithe_program("check", file)
        assert printed.returncode == 0
        said, told = (text.split(":", 1)[1].split("memory:") for text in (str(check), printed.stdout))
        assert said[0] == told[0] and len(said) == len(told) == 2  # but for the name, and the memory of the process
        assert check.unknowns == lithe.System(model).size and check.warnings == []
    file = tmp_path / "model.yaml"
    file.write_text(DOUBTFUL)
    model, _ = caught(lambda: lithe.load(file))
    check, said = caught(model.check)
    assert not said and len(check.warnings) == 1 and "dropped" in check.warnings[0]
    assert str(check).startswith("warning: ") and "see the warnings" in check.text


@pytest.mark.parametrize(
    "change, message",
    [
        (lambda m: setattr(m.analysis, "solver", "klx"), "analysis.solver: linear solver 'klx' is not known.*'klu'"),
        (lambda m: setattr(m.analysis, "ordering", "amdd"), "analysis.ordering: ordering 'amdd' is not known.*'amd'"),
        (lambda m: setattr(m.analysis, "duration", 1e90), "analysis.step.*steps"),
        (lambda m: setattr(m.bodies["beam"], "material", "stel"), "stel"),
    ],
)
def test_check_raises_what_solve_raises(change, message):
    model = lithe.load(ROOT / "examples" / "pendulum.yaml")
    if "beam" not in model.bodies:
        model.bodies["beam"] = model.bodies[model.bodies.keys()[0]]
    change(model)
    with pytest.raises(lithe.InputError, match=message) as checked:
        model.check()
    with pytest.raises(lithe.InputError, match=message) as solved:
        model.solve()
    assert str(checked.value) == str(solved.value)
