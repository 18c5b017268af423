"""Results of a run as numpy arrays, from memory or from a file."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
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
        self.modes: int = info["modes"]                       # of a reduced body; 0: it has its coordinates in full

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
        reduced = f", reduced to {self.modes} modes" if self.modes else ""
        return f"<{self.element} body '{self.name}': {len(self.connectivity)} elements, {len(self.reference)} nodes{reduced}>"


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


class Contacts(Sequence):
    """Points of contact that press: of all field rows, one after the other, or of one: result.contacts[-1]. A row is what
    happened in the step that led there (between steps: in the one that goes on)."""

    arrays = ("pair", "entry", "point", "normal", "impulse", "slip", "gap")

    def __init__(self, result: Result, rows: slice = slice(None)):
        self._result = result
        self._rows = rows

    def _of(self, name: str) -> np.ndarray:
        return self._result.array(f"contacts/{name}")[self._rows]

    @property
    def point(self) -> np.ndarray:
        """[point][3]  m, where it was in the middle of the step, midway between the two surfaces"""
        return self._of("point")

    @property
    def normal(self) -> np.ndarray:
        """[point][3]  of unit length, from the second of the pair to the first"""
        return self._of("normal")

    @property
    def impulse(self) -> np.ndarray:
        """[point][3]  N s, on the first of the pair, of the whole step; over step_size it is the mean force"""
        return self._of("impulse")

    @property
    def slip(self) -> np.ndarray:
        """[point][3]  m/s, velocity of the first of the pair against the second along the surface, at the end of the step"""
        return self._of("slip")

    @property
    def gap(self) -> np.ndarray:
        """[point]  m, at the end of the step; below 0: they overlap"""
        return self._of("gap")

    @property
    def pair(self) -> list[tuple[str, str]]:
        """[point]  names of the two: bodies or obstacles"""
        names = list(self._result.bodies) + self._result._info["obstacles"]
        return [(names[a], names[b]) for a, b in self._of("pair").astype(int)]

    @property
    def entry(self) -> list[str]:
        """[point]  name in the model's `contacts`"""
        return [self._result._info["entries"][i] for i in self._of("entry").astype(int)]

    @property
    def ends(self) -> np.ndarray:
        """[field row]  how many points there are up to it and with it"""
        return self._result.array("contact_ends").astype(int)

    def __len__(self) -> int:
        """Field rows"""
        return len(self.ends)

    def __getitem__(self, row: int) -> Contacts:
        """The points of one field row"""
        if not -len(self) <= row < len(self):
            raise IndexError(f"row {row} of {len(self)}")
        row %= len(self)
        return Contacts(self._result, slice(int(self.ends[row - 1]) if row else 0, int(self.ends[row])))

    def __repr__(self) -> str:
        return f"<{len(self._of('gap'))} points of contact>"


class Stage:
    """A stage of a run: its rows are `rows` of the arrays of the result, result.time[stage.rows]."""

    def __init__(self, result: Result, name: str, analysis: str, first: int, count: int):
        self.name = name
        self.analysis = analysis  # "static", "dynamic", "modes" or "buckling"
        self.rows = slice(first, first + count)  # empty: the run did not come so far
        self._result = result

    def __len__(self) -> int:
        return self.rows.stop - self.rows.start

    @property
    def time(self) -> np.ndarray:
        """[step]  s"""
        return self._result.time[self.rows]

    def channel(self, name: str) -> np.ndarray:
        """[step][column]"""
        return self._result.channels[name][self.rows]

    @property
    def report(self) -> dict[str, Any]:
        """How it went; empty where this run did not make it (it was resumed later, killed, or ended before)."""
        report = self._result.report
        if len(self._result.stages) == 1:
            return report
        return next((stage for stage in report.get("stages", []) if stage["name"] == self.name), {})

    def __repr__(self) -> str:
        return f"<{self.analysis} stage '{self.name}': {len(self)} steps>"


class Stages(Mapping):
    """Stages by name, in order; also by number."""

    def __init__(self, stages: list[Stage]):
        self._stages = stages

    def __getitem__(self, key: str | int) -> Stage:
        if isinstance(key, int):
            return self._stages[key]
        for stage in self._stages:
            if stage.name == key:
                return stage
        raise KeyError(f"there is no stage '{key}' (known: {', '.join(self)})")

    def __iter__(self) -> Iterator[str]:
        return iter(stage.name for stage in self._stages)

    def __len__(self) -> int:
        return len(self._stages)

    def __repr__(self) -> str:
        return f"<stages {', '.join(self)}>"


class Result:
    """Steps of a run. Arrays are float64, read once and kept; the first index is the step."""

    def __init__(self, source: Any):
        self._source = source
        self._arrays: dict[str, np.ndarray] = {}
        info = source.info
        self.path: str | None = info["path"] or None
        self.name: str = info["name"]
        self.analysis: str = info["analysis"]  # "static" or "dynamic"; "stages" where there are several
        self.version: str = info["version"]
        self.complete: bool = info["complete"]
        self.steps: int = info["steps"]
        self.model_yaml: str = info["model"]
        self.report: dict[str, Any] = json.loads(info["report"]) if info["report"] else {}
        self.bodies = {name: Body(name, body) for name, body in info["bodies"].items()}
        self.channels = Channels(self, info["channels"])
        self.stages = Stages([Stage(self, *stage) for stage in info["stages"]])
        self._info = info

    def array(self, name: str) -> np.ndarray:
        """Any array by its name in the file, such as 'time' or 'bodies/beam/coordinates'."""
        if name not in self._arrays:
            self._arrays[name] = self._source.read(name)
        return self._arrays[name]

    def _names(self) -> list[str]:
        kinds = {stage.analysis for stage in self.stages.values()}
        names = ["time", "iterations", "residual"] + ["step_size"] * ("dynamic" in kinds) + ["load_factor"] * ("static" in kinds)
        names += ["stage"] * (len(self.stages) > 1) + ["field_rows"] * self._info["fields_apart"]
        names += [f"channels/{name}" for name in self.channels]
        names += [f"contacts/{name}" for name in Contacts.arrays] * self._info["contacts"] + ["contact_ends"] * self._info["contacts"]
        for body in self.bodies.values():
            fields = ["coordinates"] * self._info["position"] + ["velocities"] * self._info["velocity"]
            fields += ["von_mises"] * body.has_stress
            names += [f"bodies/{body.name}/{field}" for field in fields]
        return names

    def _reduced_names(self) -> list[str]:
        recorded = self._info["position"] or self._info["velocity"]
        bodies = [body for body in self.bodies.values() if body.modes and (recorded or body.has_stress)]
        return [f"bodies/{body.name}/{field}" for body in bodies for field in ("reduced_coordinates", "reduced_rates", "rotation")]

    def __eq__(self, other: object) -> bool:
        """Same contents: name, analysis, model, bodies, channels and every number of every step, bit by bit (NaN equals
        NaN). Where the result lies, how long the run took and whether fields are stored or rebuilt do not matter."""
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
        return _restored, (self._source.info, {name: self.array(name) for name in self._names() + self._reduced_names()})

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
    def field_rows(self) -> np.ndarray:
        """[field row]  the steps that have fields: arrays of bodies have a row for each of these (all of them, unless
        the analysis has a fields_every or fields_step)"""
        if self._info["fields_apart"]:
            return self.array("field_rows").astype(int)
        return np.arange(self.steps)

    @property
    def contacts(self) -> Contacts:
        """The points of contact of every field row"""
        if not self._info["contacts"]:
            raise KeyError("the result has no contacts: the model has none, or the run did not record them (analysis.fields)")
        return Contacts(self)

    @property
    def phases(self) -> dict[str, float]:
        """Seconds of each phase of the run (force, tangent, ..., other) and of all of them (total)."""
        seconds: dict[str, float] = self.report.get("seconds", {})
        return {name: s for name, s in seconds.items() if name not in ("load", "compile")}

    def body(self, name: str) -> Body:
        if name not in self.bodies:
            raise KeyError(f"there is no body '{name}' (known: {', '.join(self.bodies)})")
        return self.bodies[name]

    def _field(self, recorded: bool, name: str) -> None:
        if not recorded:
            raise KeyError(f"the run did not record the field '{name}' (analysis.fields)")

    def coordinates(self, body: str) -> np.ndarray:
        """[field row][node][vectors][3]  r, r_x, ... in m and 1"""
        self._field(self._info["position"], "position")
        return self.array(f"bodies/{self.body(body).name}/coordinates")

    def position(self, body: str) -> np.ndarray:
        """[field row][node][3]  m; a view into the coordinates"""
        return self.coordinates(body)[:, :, 0, :]

    def displacement(self, body: str) -> np.ndarray:
        """[field row][node][3]  m"""
        return self.position(body) - self.body(body).reference[:, 0, :]

    def velocities(self, body: str) -> np.ndarray:
        """[field row][node][vectors][3]  rates of the coordinates in m/s and 1/s; dynamics"""
        if any(stage.analysis == "dynamic" for stage in self.stages.values()):
            self._field(self._info["velocity"], "velocity")
        return self.array(f"bodies/{self.body(body).name}/velocities")

    def velocity(self, body: str) -> np.ndarray:
        """[field row][node][3]  m/s; a view into the velocities; dynamics"""
        return self.velocities(body)[:, :, 0, :]

    def von_mises(self, body: str) -> np.ndarray:
        """[field row][node]  Pa; beams, shells and bricks"""
        if not self.body(body).has_stress:
            self._field(self.body(body).element not in ("beam3243", "shell3443", "hexa3843", "hex8", "tet4", "tet10"), "stress")
            raise KeyError(f"body '{body}' is a {self.body(body).element}: it has no von Mises stress at its nodes")
        return self.array(f"bodies/{body}/von_mises")

    def _reduced(self, body: str, field: str) -> np.ndarray:
        if not self.body(body).modes:
            raise KeyError(f"body '{body}' is not reduced (kinematics BC-RO or BC-MODAL), or the result has its fields in full")
        if f"bodies/{body}/{field}" not in self._reduced_names():
            raise KeyError(f"the run did not record fields of body '{body}' (analysis.fields)")
        return self.array(f"bodies/{body}/{field}")

    def reduced_coordinates(self, body: str) -> np.ndarray:
        """[field row][mode]  of a reduced body; its other fields are rebuilt from these, reduced_rates and rotation"""
        return self._reduced(body, "reduced_coordinates")

    def reduced_rates(self, body: str) -> np.ndarray:
        """[field row][mode]  of a reduced body"""
        return self._reduced(body, "reduced_rates")

    def rotation(self, body: str) -> np.ndarray:
        """[field row][3][3]  of a reduced body: the frame in which its modes are"""
        return self._reduced(body, "rotation")

    def plot(self, file: str | None = None, **options: Any):
        """Picture of a step or of several; see lithe.plot.picture."""
        from . import plot

        return plot.picture(self, file, **options)

    def __repr__(self) -> str:
        state = self.report.get("reason", "not complete")
        return f"<{self.analysis} result of '{self.name}': {self.steps} steps, {state}>"


def _restored(info: dict[str, Any], arrays: dict[str, np.ndarray]) -> Result:
    return Result(_Arrays(info, arrays))
