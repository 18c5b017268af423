#!/usr/bin/python3
"""Writes python/lithe/_lithe.pyi from the descriptions of the model's classes (a test says when it is out of date).

    PYTHONPATH=build/python /usr/bin/python3 scripts/make_stubs.py
"""

import pathlib

from lithe import _lithe

HEAD = '''"""Types of the compiled part of lithe. Made by scripts/make_stubs.py: do not edit."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Generic, Literal, TypedDict, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import Check
from .modes import Buckling, Modes
from .result import Result

__version__: str

# A number, an expression in t, or {"table": [[time, value], ...]}. Tables of loads are straight lines between their rows
# (or "interpolation": "linear" | "spline" | "steps") and constant outside; tables that drive motions are smooth splines
# that go on with their last rate.
Signal = float | str | Mapping[str, Sequence[Sequence[float]] | str]
# A number, or an expression in x, y, z.
SpaceFunction = float | str
# "beam.end", or a dict of body and one of name, node, element with xi, point.
Place = str | Mapping[str, Any]
T = TypeVar("T")

Path = str | bytes | os.PathLike[str] | os.PathLike[bytes]
# True: a bar on sys.stderr; a function: called after every step with a dict, returning False ends the run.
Progress = bool | Callable[[dict[str, Any]], Any] | None

class InputError(ValueError):
    """The input is wrong: where, the value, what is allowed, the remedy."""

class RunError(RuntimeError):
    """The run could not go on; `result` holds the steps up to there, or None."""

    result: Result | None

class Part:
    """A part of a model."""

    def __eq__(self, other: object) -> bool: ...

class Named(Generic[T]):
    """A dictionary of named parts of a model, in order; what is put in is checked."""

    def __getitem__(self, name: str) -> T: ...
    def __setitem__(self, name: str, item: T | Mapping[str, Any]) -> None: ...
    def __delitem__(self, name: str) -> None: ...
    def __contains__(self, name: object) -> bool: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[str]: ...
    def __eq__(self, other: object) -> bool: ...
    def keys(self) -> list[str]: ...
    def values(self) -> list[T]: ...
    def items(self) -> list[tuple[str, T]]: ...
    def get(self, name: str, default: Any = None) -> Any: ...
    def update(self, other: Mapping[str, T | Mapping[str, Any]]) -> None: ...
    def clear(self) -> None: ...
'''

MODEL_METHODS = '''
    def buckling(self, count: int = 4, at: str = "rest", threads: int = 0) -> Buckling: ...
    def check(self) -> Check: ...
    def modes(
        self, count: int = 10, near: float | None = None, at: str = "rest", threads: int = 0
    ) -> Modes: ...
    def solve(
        self,
        output: Path | None = None,
        threads: int = 0,
        progress: Progress = None,
        force: bool = False,
        trace: Path | None = None,
    ) -> Result: ...
    def to_yaml(self) -> str: ...
'''

TAIL = '''
class PointStress(TypedDict):
    green_lagrange: NDArray[np.float64]
    second_piola: NDArray[np.float64]
    cauchy: NDArray[np.float64]
    von_mises: float

class System:
    """A compiled model; threads may share it. Arrays over all coordinates have the shape [vectors][3]; q=None is the
    reference configuration, v=None is rest."""

    def __init__(self, model: Model, threads: int = 0) -> None: ...
    @property
    def size(self) -> int: ...
    @property
    def vectors(self) -> int: ...
    @property
    def symmetric(self) -> bool: ...
    @property
    def warnings(self) -> list[str]: ...
    @property
    def length_scale(self) -> float: ...
    @property
    def bodies(self) -> list[str]: ...
    @property
    def q0(self) -> NDArray[np.float64]: ...
    def vector_range(self, body: str) -> tuple[int, int]: ...
    def internal_force(self, q: ArrayLike | None = None, v: ArrayLike | None = None) -> NDArray[np.float64]:
        """of elements, springs and dampers; models with penalty contacts are refused, others have none in it"""

    def external_force(
        self, q: ArrayLike | None = None, t: float = 0.0, load_factor: float = 1.0
    ) -> NDArray[np.float64]: ...
    def tangent(
        self, q: ArrayLike | None = None, v: ArrayLike | None = None, c_q: float = 1.0, c_v: float = 0.0
    ) -> tuple[NDArray[np.float64], NDArray[np.int32], NDArray[np.int32]]:
        """of internal_force(), so models with penalty contacts are refused"""

    def restrict(self, force: ArrayLike) -> NDArray[np.float64]: ...
    def prolong(self, dz: ArrayLike) -> NDArray[np.float64]: ...
    def stress_at(
        self, body: str, element: int, xi: Sequence[float], q: ArrayLike | None = None, v: ArrayLike | None = None
    ) -> PointStress: ...
    def nodal_von_mises(self, body: str, q: ArrayLike | None = None) -> NDArray[np.float64]: ...
    def max_von_mises(self, body: str, q: ArrayLike | None = None, samples: int = 5) -> float: ...
    def strain_energy(self, q: ArrayLike | None = None) -> float: ...
    def kinetic_energy(self, v: ArrayLike | None) -> float: ...
    def total_mass(self) -> float: ...
    def unknown_name(self, i: int) -> str: ...

class ResultSource:
    @property
    def info(self) -> dict[str, Any]: ...
    def read(self, name: str) -> NDArray[np.float64]: ...

def shape_functions(element: str, points: ArrayLike) -> NDArray[np.float64]: ...
def buckling(model: Model, count: int, at_equilibrium: bool, threads: int) -> dict[str, Any]: ...
def check(model: Model) -> dict[str, Any]: ...
def describe_classes() -> list[dict[str, Any]]: ...
def describe_results(path: str) -> str: ...
def load(path: str | bytes, overrides: list[str]) -> Model: ...
def model_yaml(model: Model) -> str: ...
def modes(
    model: Model, count: int, near: float | None, at_equilibrium: bool, threads: int
) -> dict[str, Any]: ...
def open_results(path: str | bytes) -> ResultSource: ...
def reduce_craig_bampton(
    model: Model, body: str, interfaces: list[str], count: int, output: bytes
) -> dict[str, Any]: ...
def reduce_modal(model: Model, body: str, modes: str, output: bytes) -> dict[str, Any]: ...
def reduce_pod(result: bytes, body: str, count: int, output: bytes) -> dict[str, Any]: ...
def repair(path: str | bytes) -> None: ...
def check_picture(path: str, source: str, force: bool) -> None: ...
def replace_picture(path: str, data: bytes) -> None: ...
def resume(
    path: str | bytes,
    duration: float | None,
    trace: str | bytes | None,
    threads: int,
    progress: Callable[[dict[str, Any]], Any] | None,
    screen: Any,
    force: bool,
) -> tuple[ResultSource, BaseException | None, list[str]]: ...
def solve(
    model: Model,
    output: str | bytes | None,
    trace: str | bytes | None,
    threads: int,
    progress: Callable[[dict[str, Any]], Any] | None,
    screen: Any,
    force: bool,
) -> tuple[ResultSource, BaseException | None, list[str]]: ...
'''


def class_stub(info):
    lines = [f"\nclass {info['name']}(Part):", f'    """{info["help"]}"""\n']
    fields = info["fields"]
    lines += ["    def __init__(", "        self,"] + (["        *,"] if fields else [])
    for field in fields:
        optional = "" if field["required"] and info["name"] != "Model" else " = ..."
        lines.append(f"        {field['name']}: {field['accepts']}{optional},")
    lines.append("    ) -> None: ...")
    for field in fields:
        unit = f" [{field['unit']}]" if field["unit"] else ""
        lines += ["    @property", f"    def {field['name']}(self) -> {field['type']}:",
                  f'        """{field["help"]}{unit}"""']  # fmt: skip
        lines += [f"    @{field['name']}.setter", f"    def {field['name']}(self, value: {field['accepts']}) -> None: ..."]
    return "\n".join(lines) + "\n"


def stub():
    classes = "".join(class_stub(info) for info in _lithe.describe_classes())
    names = "".join(f'    "{name}",\n' for name in _lithe.__all__)
    return HEAD.replace("__version__: str\n", f"__all__ = [\n{names}]\n__version__: str\n") + classes + MODEL_METHODS + TAIL


if __name__ == "__main__":
    path = pathlib.Path(__file__).resolve().parent.parent / "python" / "lithe" / "_lithe.pyi"
    path.write_text(stub())
    print(path)
