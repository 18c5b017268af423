"""What Model.modes() and Model.buckling() return."""

from __future__ import annotations

import dataclasses

import numpy as np

DIRECTIONS = ("x", "y", "z", "rx", "ry", "rz")


@dataclasses.dataclass(frozen=True)
class Modes:
    """Modes in ascending order of their eigenvalues."""

    frequency: np.ndarray  # [mode]  Hz; negative: the state gives way, at this rate
    eigenvalue: np.ndarray  # [mode]  (rad/s)^2
    shape: np.ndarray  # [mode][vector][3]  as System.q0, modal mass 1 kg
    participation: np.ndarray  # [mode][6]  of x, y, z and the rotations about them through the origin
    effective_mass: np.ndarray  # [mode][6]  kg, kg m^2
    total_mass: np.ndarray  # [6]  kg, kg m^2
    residual: np.ndarray  # [mode]  how far an iteration still turns a shape
    counted: int  # eigenvalues between low and high, by Sylvester's law
    low: float  # (rad/s)^2
    high: float
    dense: bool  # all modes were computed: nothing to count
    missed: int  # by the first search, and found later
    seconds: float
    note: str

    def __len__(self) -> int:
        return len(self.frequency)


@dataclasses.dataclass(frozen=True)
class Buckling:
    """Critical factors of the constant loads in ascending order."""

    factor: np.ndarray  # [mode]
    shape: np.ndarray  # [mode][vector][3]  as System.q0, largest number 1
    load_factor: float  # of the state
    counted: int  # factors between that and high, by Sylvester's law
    high: float
    dense: bool  # all factors were computed: nothing to count
    seconds: float
    note: str

    def __len__(self) -> int:
        return len(self.factor)
