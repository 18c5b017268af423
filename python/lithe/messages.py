"""What the library notices, through Python's own warnings and logging: the program prints the same."""

from __future__ import annotations

import logging
import pathlib
import sys
import warnings

_FOLDER = str(pathlib.Path(__file__).resolve().parent)
_log = logging.getLogger("lithe")


class LitheWarning(UserWarning):
    """Something in a model or a run is doubtful: where, the value, the remedy."""


def _stack_level() -> int:
    """Of warnings.warn in the function that calls this: the user's line, however deep in this package it is called."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and _is_ours(frame.f_code.co_filename):
        level, frame = level + 1, frame.f_back
    return level


def _is_ours(file: str) -> bool:
    return str(pathlib.Path(file).resolve().parent) == _FOLDER


def warn(texts: list[str]) -> None:
    """Each text once."""
    level = _stack_level()
    for text in dict.fromkeys(texts):
        warnings.warn(text, LitheWarning, stacklevel=level)


def note(text: str) -> None:
    """Worth knowing, but no doubt: on the logger "lithe", level INFO."""
    _log.info("%s", text)


class Screen:
    """Where progress=True is shown: sys.stderr, a bar on a terminal and plain lines elsewhere."""

    def __init__(self) -> None:
        self._stream = sys.stderr

    def columns(self) -> int:
        """0: no terminal that can move its cursor."""
        import os

        try:
            if self._stream is None or not self._stream.isatty() or os.environ.get("TERM") == "dumb":
                return 0
            return os.get_terminal_size(self._stream.fileno()).columns or 80
        except (AttributeError, OSError, ValueError):
            return 0

    def write(self, text: str) -> None:
        if self._stream is not None:
            self._stream.write(text)
            self._stream.flush()
