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

import os as _os
import warnings as _warnings
from collections.abc import Callable as _Callable
from typing import Any as _Any

from . import _lithe
from ._lithe import *  # noqa: F401,F403
from ._lithe import InputError, Model, RunError, __version__ as __version__
from .result import Result

__all__ = ["Result", "load", "read", "repair", "resume", "__version__"]
__all__ += _lithe.__all__


def load(path: str | _os.PathLike[str], set: list[str] | tuple[str, ...] = ()) -> Model:
    """The model in a YAML file; `set` changes values: ["bodies.beam.mesh.elements=40"]."""
    return _lithe.load(_os.fspath(path), list(set))


def read(path: str | _os.PathLike[str]) -> Result:
    """A result file, also one of a run that still goes on or was killed."""
    return Result(_lithe.open_results(_os.fspath(path)))


def repair(path: str | _os.PathLike[str]) -> None:
    """Clears the mark that a killed run leaves in its result, so that ParaView opens it."""
    _lithe.repair(_os.fspath(path))


def _run(run: _Callable[[], _Any], path: str | None) -> Result:
    try:
        result = Result(run())
    except RunError as error:
        if path is not None:
            try:
                error.result = read(path)
            except InputError:
                pass
        raise
    if not result.report["ok"] and result.report["reason"] != "stopped":
        error = RunError(result.report["message"] or result.report["reason"])
        error.result = result
        raise error
    if result.report.get("stable") is False:
        _warnings.warn(result.report["message"], RuntimeWarning, stacklevel=3)
    return result


def resume(
    path: str | _os.PathLike[str],
    duration: float | None = None,
    threads: int = 0,
    progress: _Callable[[dict[str, _Any]], _Any] | None = None,
    force: bool = False,
) -> Result:
    """Goes on with the dynamic run of a result file from its checkpoint (analysis.checkpoint_step), also after a kill.

    The result then has the same bits as that of a run that was never stopped. duration: goes on to that time instead of
    the model's own. A result that is complete is returned as it is. threads, progress, force and errors: as for
    Model.solve.
    """
    file = _os.fspath(path)
    return _run(lambda: _lithe.resume(file, duration or 0.0, threads, progress, force), file)


def _solve(
    self: Model,
    output: str | _os.PathLike[str] | None = None,
    threads: int = 0,
    progress: _Callable[[dict[str, _Any]], _Any] | None = None,
    force: bool = False,
) -> Result:
    """Runs the analysis, static or dynamic. The result stays in memory, or in the HDF5 file `output` (with an XDMF
    companion, and checkpoints where the analysis has a checkpoint_step).

    threads: 0 takes the model's own. progress: called after every step with a dict of step, time, iterations, residual
    and load_factor (statics) or step_size (dynamics); returning False ends the run. force: files that lithe did not
    write may be replaced, and runs that do not fit in the memory are tried. Raises InputError, or RunError with `result`
    (up to there).
    """
    path = None if output is None else _os.fspath(output)
    return _run(lambda: _lithe.solve(self, path, threads, progress, force), path)


def _to_yaml(self: Model) -> str:
    """The model as a YAML text that `load` and `lithe run` read."""
    return _lithe.model_yaml(self)


Model.solve = _solve
Model.to_yaml = _to_yaml
