"""Lithe: flexible multibody simulation. A cantilever:

    import lithe
    model = lithe.Model(name="cantilever")
    model.materials["steel"] = lithe.Isotropic(E=2.1e11, nu=0.3, density=7850)
    model.sections["flat"] = lithe.Rectangle(width=0.1, thickness=0.02)
    model.bodies["beam"] = lithe.Body(element="beam3243", material="steel", section="flat",
                                      mesh=lithe.LineMesh(from_=(0, 0, 0), to=(2, 0, 0), elements=10))
    model.constraints["root"] = lithe.Clamp(at="beam.start")
    model.loads["weight"] = lithe.PointForce(at="beam.end", force=(0, 0, -2000))
    model.outputs["tip"] = lithe.DisplacementOutput(at="beam.end")
    result = model.solve()
    print(result.channels["tip"][-1])
"""

from __future__ import annotations

import dataclasses as _dataclasses
import os as _os
import warnings as _warnings
from collections.abc import Callable as _Callable, Sequence as _Sequence
from typing import Any as _Any

from . import _lithe, messages as _messages, pickling as _pickling  # noqa: F401
from ._lithe import *  # noqa: F401,F403
from ._lithe import InputError, Model, RunError, __version__ as __version__
from .bases import Base
from .messages import LitheWarning as LitheWarning
from .modes import Buckling, Modes
from .result import Result, Stage as Stage

__all__ = ["Base", "Buckling", "Check", "LitheWarning", "Modes", "Result", "load", "read", "reduce_craig_bampton"]
__all__ += ["reduce_modal", "reduce_pod", "repair", "resume", "__version__"]
__all__ += _lithe.__all__

_Path = str | bytes | _os.PathLike[str] | _os.PathLike[bytes]
_Progress = bool | _Callable[[dict[str, _Any]], _Any] | None


def _file(path: _Path) -> bytes:
    name = _os.fsencode(path)
    if not name or b"\0" in name:
        raise InputError(f"{path!r} is not the name of a file")
    return name


def load(path: _Path, set: list[str] | tuple[str, ...] = ()) -> Model:
    """The model in a YAML file; `set` changes values: ["bodies.beam.mesh.elements=40"]."""
    if isinstance(set, str):
        raise TypeError('set is a list of texts: ["bodies.beam.mesh.elements=40"]')
    return _lithe.load(_file(path), list(set))


def read(path: _Path) -> Result:
    """A result file, also one of a run that still goes on or was killed."""
    return Result(_lithe.open_results(_file(path)))


def repair(path: _Path) -> None:
    """Clears the mark that a killed run leaves in its result, so that ParaView opens it."""
    _lithe.repair(_file(path))


def reduce_pod(result: _Path, body: str, count: int, output: _Path) -> Base:
    """The leading `count` singular vectors of six rigid motions and the co-rotated snapshots of a body in a result file
    (`lithe reduce pod`), for kinematics BC-RO; written to the file `output`."""
    return Base(**_lithe.reduce_pod(_file(result), body, count, _file(output)))


def reduce_modal(model: Model, body: str, modes: str | _Sequence[int], output: _Path) -> Base:
    """Modes of a body as if nothing held it (`lithe reduce modal`), for kinematics BC-MODAL; written to `output`.

    modes: ascending numbers from 1, such as [*range(1, 7), 14, 19] or "1-6,14,19"; the first six are the rigid motions.
    """
    text = modes if isinstance(modes, str) else ",".join(str(number) for number in modes)
    return Base(**_lithe.reduce_modal(model, body, text, _file(output)))


def reduce_craig_bampton(model: Model, body: str, interfaces: _Sequence[str], count: int, output: _Path) -> Base:
    """Shapes of unit displacements at the nodes of `interfaces`, named sets of the body where joints act, and `count`
    modes of the body held there (`lithe reduce craig_bampton`), for kinematics BC-RO; written to `output`."""
    if isinstance(interfaces, str):
        raise TypeError('interfaces is a list of names: ["x_min", "x_max"]')
    return Base(**_lithe.reduce_craig_bampton(model, body, list(interfaces), count, _file(output)))


@_dataclasses.dataclass(frozen=True)
class Check:
    """What can be known about a run before its first step; str() is what `lithe check` prints."""

    text: str
    warnings: list[str]
    bodies: int
    elements: int
    unknowns: int
    multipliers: int  # of constraints that were not eliminated
    nonzeros: int  # of the matrix as stored

    def __str__(self) -> str:
        return "".join(f"warning: {text}\n" for text in dict.fromkeys(self.warnings)) + self.text


def _run(run: _Callable[..., tuple[_Any, BaseException | None, list[str]]], path: bytes | None, progress: _Progress) -> Result:
    if not (progress is None or isinstance(progress, bool) or callable(progress)):
        raise TypeError(f"progress is True, False or a function, not {progress!r}")
    function = progress if callable(progress) else None
    screen = _messages.Screen() if progress is True else None
    try:
        source, raised, told = run(function, screen)
    except RunError as error:
        if path is not None:
            try:
                error.result = read(path)
            except (InputError, RunError):
                pass
        raise
    result = Result(source)
    if raised is not None:  # Ctrl-C, or the user's own function
        raised.result = result
        raise raised
    report = result.report
    _messages.warn([text for text in report.get("warnings", []) if text not in told])
    if not report["ok"] and report["reason"] != "stopped":
        error = RunError(report["message"] or report["reason"])
        error.result = result
        raise error
    if report["message"]:
        _messages.note(report["message"])
    return result


def resume(
    path: _Path,
    duration: float | None = None,
    threads: int = 0,
    progress: _Progress = None,
    force: bool = False,
    trace: _Path | None = None,
) -> Result:
    """Goes on with the dynamic run of a result file from its checkpoint (analysis.checkpoint_step), also after a kill.

    The result then has the same bits as that of a run that was never stopped. duration: goes on to that time instead of
    the model's own; of a run in stages it is the length of the last one. A result that is complete is returned as it is. threads, progress, force,
    trace, warnings and errors: as for Model.solve; a trace that is there goes on where the run does.
    """
    file, lines = _file(path), None if trace is None else _file(trace)
    return _run(lambda *watch: _lithe.resume(file, duration, lines, threads, *watch, force), file, progress)


def _solve(
    self: Model,
    output: _Path | None = None,
    threads: int = 0,
    progress: _Progress = None,
    force: bool = False,
    trace: _Path | None = None,
) -> Result:
    """Runs the analysis, static or dynamic, or a list of them: stages, each from the state that the one before
    reached (`result.stages`). The result stays in memory, or in the HDF5 file `output` (with an XDMF
    companion, and checkpoints where the analysis has a checkpoint_step).

    threads: 0 takes the model's own. progress: True shows a bar on sys.stderr; a function is called after every step
    with a dict of step, time, iterations, residual and load_factor (statics) or step_size (dynamics), of a run in
    stages also stage (its name), and ends the run by returning False. force: files that lithe did not write may be replaced, and runs that do not fit in the memory are
    tried. trace: a CSV file for what each step of dynamics takes. Doubts are warnings (LitheWarning), notes go to the logger "lithe" (level INFO). Raises
    InputError, or RunError; Ctrl-C and exceptions of the function end the run after the current step. Each of them has
    the `result` up to there.
    """
    path, lines = (None if file is None else _file(file) for file in (output, trace))
    return _run(lambda *watch: _lithe.solve(self, path, lines, threads, *watch, force), path, progress)


def _check(self: Model) -> Check:
    """Everything that is looked at before a run, without the run: what `lithe check` says. Raises what solve() would
    raise before its first step; what is only doubtful is in `warnings` of the answer."""
    return Check(**_lithe.check(self))


def _modes(self: Model, count: int = 10, near: float | None = None, at: str = "rest", threads: int = 0) -> Modes:
    """Natural frequencies and modes, proved to be complete: the `count` lowest, or those nearest to `near` (Hz).

    at: "rest", the reference configuration without loads; "equilibrium", after the static stages that the analysis of
    the model begins with, or under all its loads if it has none. Shapes have a modal mass of 1 kg.
    """
    return Modes(**_lithe.modes(self, count, near, _at(at), threads))


def _buckling(self: Model, count: int = 4, at: str = "rest", threads: int = 0) -> Buckling:
    """The lowest factors of the constant loads at which the model buckles, from rest or from the equilibrium under
    them (`at`, as for modes())."""
    return Buckling(**_lithe.buckling(self, count, _at(at), threads))


def _at(at: str) -> bool:
    if at not in ("rest", "equilibrium"):
        raise InputError(f"at is {at!r}; use 'rest' or 'equilibrium'")
    return at == "equilibrium"


def _to_yaml(self: Model) -> str:
    """The model as a YAML text that `load` and `lithe run` read."""
    return _lithe.model_yaml(self)


Model.buckling = _buckling
Model.check = _check
Model.modes = _modes
Model.solve = _solve
Model.to_yaml = _to_yaml
