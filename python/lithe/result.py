"""Results of a run as numpy arrays, from memory or from a file."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from . import _lithe


def _same(a: np.ndarray, b: np.ndarray) -> bool:
    return np.array_equal(a, b, equal_nan=True)


class _Arrays:
    """Source of a result that was copied or unpickled: everything is in memory."""

    def __init__(self, info: dict[str, Any], arrays: dict[str, np.ndarray]):
        self.info = info
        self._arrays = arrays

    def read(self, name: str) -> np.ndarray:
        if name not in self._arrays:
            raise _lithe.InputError(f"the results have no '{name}'")
        return self._arrays[name]


class Body:
    """What does not change: element kind, cells and reference coordinates of a body."""

    def __init__(self, name: str, info: dict[str, Any]):
        self.name = name
        self.element: str = info["element"]
        self.connectivity: np.ndarray = info["connectivity"]  # [element][nodes]
        self.size: np.ndarray = info["size"]                  # [element][3]  L, W, T in m
        self.reference: np.ndarray = info["reference"]        # [node][vectors][3]  r, r_x, ... in m and 1
        self.has_stress: bool = info["stress"]                # von_mises is there

    def __eq__(self, other: object) -> bool:
        """Same name, element kind, cells and reference coordinates."""
        if not isinstance(other, Body):
            return NotImplemented
        return (self.name, self.element, self.has_stress) == (other.name, other.element, other.has_stress) and all(
            np.array_equal(getattr(self, field), getattr(other, field)) for field in ("connectivity", "size", "reference")
        )

    def __hash__(self) -> int:
        return hash((self.name, self.element, len(self.reference)))

    def __repr__(self) -> str:
        return f"<{self.element} body '{self.name}': {len(self.connectivity)} elements, {len(self.reference)} nodes>"


class Channels(Mapping):
    """Channels by name: arrays [step][column]."""

    def __init__(self, result: Result, info: dict[str, tuple[list[str], list[str]]]):
        self._result = result
        self._info = info

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self._info:
            raise KeyError(f"there is no channel '{name}' (known: {', '.join(self._info) or 'none'})")
        return self._result.array(f"channels/{name}")

    def __iter__(self) -> Iterator[str]:
        return iter(self._info)

    def __len__(self) -> int:
        return len(self._info)

    def __eq__(self, other: object) -> bool:
        """Same names, columns, units and numbers; other may be any mapping of names to arrays."""
        if isinstance(other, Channels) and self._info != other._info:
            return False
        if not isinstance(other, Mapping):
            return NotImplemented
        return self.keys() == other.keys() and all(_same(self[name], other[name]) for name in self)

    __hash__ = None  # as of every mapping

    def columns(self, name: str) -> list[str]:
        return self._info[name][0]

    def units(self, name: str) -> list[str]:
        return self._info[name][1]

    def __repr__(self) -> str:
        return "<channels " + ", ".join(f"{name} [{', '.join(c)}]" for name, (c, _) in self._info.items()) + ">"


class Result:
    """Steps of a run. Arrays are float64, read once and kept; the first index is the step."""

    def __init__(self, source: Any):
        self._source = source
        self._arrays: dict[str, np.ndarray] = {}
        info = source.info
        self.path: str | None = info["path"] or None
        self.name: str = info["name"]
        self.analysis: str = info["analysis"]  # "static" or "dynamic"
        self.version: str = info["version"]
        self.complete: bool = info["complete"]
        self.steps: int = info["steps"]
        self.model_yaml: str = info["model"]
        self.report: dict[str, Any] = json.loads(info["report"]) if info["report"] else {}
        self.bodies = {name: Body(name, body) for name, body in info["bodies"].items()}
        self.channels = Channels(self, info["channels"])

    def array(self, name: str) -> np.ndarray:
        """Any array by its name in the file, such as 'time' or 'bodies/beam/coordinates'."""
        if name not in self._arrays:
            self._arrays[name] = self._source.read(name)
        return self._arrays[name]

    def _names(self) -> list[str]:
        names = ["time", "iterations", "residual", "step_size" if self.analysis == "dynamic" else "load_factor"]
        names += [f"channels/{name}" for name in self.channels]
        for body in self.bodies.values():
            fields = ["coordinates"] + ["velocities"] * (self.analysis == "dynamic") + ["von_mises"] * body.has_stress
            names += [f"bodies/{body.name}/{field}" for field in fields]
        return names

    def __eq__(self, other: object) -> bool:
        """Same contents: name, analysis, model, bodies, channels and every number of every step, bit by bit (NaN equals
        NaN). Where the result lies and how long the run took do not matter."""
        if self is other:
            return True
        if not isinstance(other, Result):
            return NotImplemented
        return (
            self._identity() == other._identity()
            and self.bodies == other.bodies
            and self.channels._info == other.channels._info
            and all(_same(self.array(name), other.array(name)) for name in self._names())
        )

    def __hash__(self) -> int:
        return hash(self._identity())

    def _identity(self) -> tuple[Any, ...]:
        return self.name, self.analysis, self.complete, self.steps, self.model_yaml

    def __reduce__(self):
        """Copies and pickles carry all arrays, so that a result can come back from another process."""
        return _restored, (self._source.info, {name: self.array(name) for name in self._names()})

    @property
    def time(self) -> np.ndarray:
        """[step]  s"""
        return self.array("time")

    @property
    def load_factor(self) -> np.ndarray:
        """[step]  share of the load; statics"""
        return self.array("load_factor")

    @property
    def step_size(self) -> np.ndarray:
        """[step]  s, the time step that led here; dynamics"""
        return self.array("step_size")

    @property
    def iterations(self) -> np.ndarray:
        """[step]  Newton iterations"""
        return self.array("iterations")

    @property
    def residual(self) -> np.ndarray:
        """[step]  relative residual"""
        return self.array("residual")

    @property
    def phases(self) -> dict[str, float]:
        """Seconds of each phase of the run (force, tangent, ..., other) and of all of them (total)."""
        seconds: dict[str, float] = self.report.get("seconds", {})
        return {name: s for name, s in seconds.items() if name not in ("load", "compile")}

    def body(self, name: str) -> Body:
        if name not in self.bodies:
            raise KeyError(f"there is no body '{name}' (known: {', '.join(self.bodies)})")
        return self.bodies[name]

    def coordinates(self, body: str) -> np.ndarray:
        """[step][node][vectors][3]  r, r_x, ... in m and 1"""
        return self.array(f"bodies/{self.body(body).name}/coordinates")

    def position(self, body: str) -> np.ndarray:
        """[step][node][3]  m; a view into the coordinates"""
        return self.coordinates(body)[:, :, 0, :]

    def displacement(self, body: str) -> np.ndarray:
        """[step][node][3]  m"""
        return self.position(body) - self.body(body).reference[:, 0, :]

    def velocities(self, body: str) -> np.ndarray:
        """[step][node][vectors][3]  rates of the coordinates in m/s and 1/s; dynamics"""
        return self.array(f"bodies/{self.body(body).name}/velocities")

    def velocity(self, body: str) -> np.ndarray:
        """[step][node][3]  m/s; a view into the velocities; dynamics"""
        return self.velocities(body)[:, :, 0, :]

    def von_mises(self, body: str) -> np.ndarray:
        """[step][node]  Pa; beams, shells and bricks"""
        if not self.body(body).has_stress:
            raise KeyError(f"body '{body}' is a {self.body(body).element}: it has no von Mises stress at its nodes")
        return self.array(f"bodies/{body}/von_mises")

    def plot(self, file: str | None = None, **options: Any):
        """Picture of a step or of several; see lithe.plot.picture."""
        from . import plot

        return plot.picture(self, file, **options)

    def __repr__(self) -> str:
        state = self.report.get("reason", "not complete")
        return f"<{self.analysis} result of '{self.name}': {self.steps} steps, {state}>"


def _restored(info: dict[str, Any], arrays: dict[str, np.ndarray]) -> Result:
    return Result(_Arrays(info, arrays))
