"""Parts of a model by every protocol of pickle; copies go the same way."""

from __future__ import annotations

from typing import Any, TypeVar

from . import _lithe

T = TypeVar("T")


def restored(cls: type[T], state: tuple[Any, ...]) -> T:
    part = cls.__new__(cls)
    part.__setstate__(state)  # type: ignore[attr-defined]
    return part


def _reduced(self: Any) -> tuple[Any, ...]:
    return restored, (type(self), self.__getstate__())


for _class in (_lithe.Part, _lithe.Named):
    _class.__reduce__ = _reduced  # type: ignore[assignment]
