"""What reduce_pod(), reduce_modal() and reduce_craig_bampton() return."""

from __future__ import annotations

import dataclasses

import numpy as np


@dataclasses.dataclass(frozen=True)
class Base:
    """A reduced base, as it lies in its file: `base` of a body with kinematics BC-RO or BC-MODAL."""

    kind: str  # of element
    method: str  # pod, modal, craig_bampton
    source: str  # what made it
    mesh: np.ndarray  # [vector][3]  coordinates at which it holds
    vectors: np.ndarray  # [mode][vector][3]
    values: np.ndarray  # singular values, or eigenvalues (rad/s)^2

    def __len__(self) -> int:
        return len(self.vectors)
