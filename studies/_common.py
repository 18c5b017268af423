"""What every study needs: the package that `make build` made, the table it prints, the JSON it writes."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SYSTEM_PYTHON = "/usr/bin/python3"  # the interpreter the package is built for


def import_lithe():
    """The built package; under another interpreter the study starts again with the system's."""
    build = ROOT / "build" / "python"
    if not (build / "lithe").exists():
        sys.exit(f"{build} is missing; run `make build` first")
    sys.path.insert(0, str(build))
    try:
        import lithe
    except ImportError as error:
        if os.path.realpath(sys.executable) != os.path.realpath(SYSTEM_PYTHON) and os.path.exists(SYSTEM_PYTHON):
            os.execv(SYSTEM_PYTHON, [SYSTEM_PYTHON, *sys.argv])
        sys.exit(f"the package in {build} cannot be loaded: {error}")
    return lithe


def write_json(path: str | None, data) -> None:
    if path is None:
        return
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(json.dumps(data, indent=1) + "\n")
