#!/usr/bin/env python3
"""Includes follow the arrows of docs/architecture.md, without cycles, and CUDA, MPI and PETSc stay under backends/. Files
of more than 500 lines say why in their first lines.

Usage: scripts/check_includes.py [ROOT]
Prints one file:line per violation and exits 1 if there is any.
"""

import re
import sys
from pathlib import Path

# Folder of src/lithe -> folders it stands on. What those stand on is allowed too.
ARROWS = {
    "base": [],
    "linalg": ["base"],
    "elements": ["base"],
    "constraints": ["base"],
    "contact": ["base", "linalg"],
    "reduction": ["base", "linalg"],
    "model": ["elements", "constraints", "contact"],
    "system": ["model", "linalg", "reduction"],
    "dynamics": ["system"],
    "io": ["model", "dynamics"],
}
TOP_FOLDERS = ["src", "apps", "python", "tests", "bench", "backends"]
SUFFIXES = {".h", ".hpp", ".cpp", ".cu", ".cuh"}
LINES = 500

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
BACKEND_HEADER = re.compile(
    r"^(cuda|cublas|cusparse|cusolver|curand|cooperative_groups|nccl|device_launch|thrust/|cub/|mpi|petsc|slepc)"
)
BACKEND_NAME = re.compile(
    r"\b(__global__|__shared__|__syncthreads|cuda[A-Z]\w*|MPI_\w+|Petsc\w+|Vec(?:Create|Destroy)\w*)\b|<<<"
)
COMMENT_OR_STRING = re.compile(
    r"""(?P<include>^[ \t]*\#[ \t]*include[^\n]*)
      | //[^\n]* | /\*.*?\*/
      | R"(?P<tag>[^()\s\\]*)\(.*?\)(?P=tag)" | "(?:\\.|[^"\\\n])*" """,
    re.M | re.S | re.X,
)
# The seam that lets one kernel source serve both compilers; it lives in src/lithe/base.
DEVICE_SEAM = re.compile(r"\b(__CUDACC__|__CUDA_ARCH__|__host__|__device__)\b")


def reachable(folder, arrows, path=()):
    if folder in path:
        sys.exit("ARROWS has a cycle: " + " -> ".join([*path, folder]))
    folders = {folder}
    for below in arrows[folder]:
        folders |= reachable(below, arrows, (*path, folder))
    return folders


def code_lines(text):
    """Lines with comments removed; string literals are emptied except on include lines."""
    return COMMENT_OR_STRING.sub(lambda m: m.group("include") or "\n" * m.group(0).count("\n"), text).split("\n")


def module_of(path, root):
    """The folder of src/lithe that a file belongs to, else None."""
    parts = path.relative_to(root).parts
    return parts[2] if len(parts) > 3 and parts[:2] == ("src", "lithe") else None


def too_long(root):
    """(file, lines) of those past LINES that do not say so, and why, in their first lines: "Over 500 lines: ..."."""
    for folder in [*TOP_FOLDERS, "scripts", "studies"]:
        for file in sorted((root / folder).rglob("*")):
            if file.suffix in SUFFIXES | {".py"} and file.is_file():
                lines = file.read_text(errors="replace").splitlines()
                head = " ".join(line.strip("/ ") for line in lines[:10])
                if len(lines) > LINES and f"{LINES} lines" not in head:
                    yield file.relative_to(root), len(lines)


def find_cycle(graph):
    """One cycle of the include graph as a list of (file, line of the include that leads on), else None."""
    state = {}
    trail = []

    def visit(file):
        state[file] = "open"
        for target, line in graph[file]:
            trail.append((file, line))
            if state.get(target) == "open":
                return trail[next(i for i, (f, _) in enumerate(trail) if f == target) :]
            if target not in state and (found := visit(target)):
                return found
            trail.pop()
        state[file] = "done"
        return None

    for file in graph:
        if file not in state and (found := visit(file)):
            return found
    return None


def check(root):
    problems = []
    allowed = {folder: reachable(folder, ARROWS) for folder in ARROWS}
    files = sorted(
        file.resolve()
        for top in TOP_FOLDERS
        for file in (root / top).rglob("*")
        if file.suffix in SUFFIXES and "node_modules" not in file.parts
    )
    graph = {file: [] for file in files}

    for file in files:
        name = file.relative_to(root)
        module = module_of(file, root)
        in_backends = name.parts[0] == "backends"
        in_base = module == "base"

        def problem(line, message):
            problems.append(f"{name}:{line}: {message}")

        if name.parts[:2] == ("src", "lithe") and len(name.parts) > 3 and module not in ARROWS:
            problem(1, f"folder '{module}' is not known; give it its arrows in scripts/check_includes.py")
            continue
        if file.suffix in {".cu", ".cuh"} and not in_backends:
            problem(1, "CUDA sources live under backends/")

        for number, line in enumerate(code_lines(file.read_text(errors="replace")), start=1):
            include = INCLUDE.match(line)
            if not include:
                if not in_backends and (found := BACKEND_NAME.search(line)):
                    problem(number, f"'{found.group(0)}' belongs under backends/")
                if not in_backends and not in_base and (found := DEVICE_SEAM.search(line)):
                    problem(number, f"'{found.group(0)}' belongs under backends/ or src/lithe/base (use LITHE_HD)")
                continue

            quote, header = include.groups()
            if not in_backends and BACKEND_HEADER.match(header):
                problem(number, f"'{header}' belongs under backends/")
            candidates = [root / "src" / header, root / header]
            if quote == '"':
                candidates.insert(0, file.parent / header)
            target = next((c.resolve() for c in candidates if c.is_file()), None)
            if target is None and header.startswith("lithe/"):
                problem(number, f"'{header}' does not exist")
            if target not in graph:
                continue
            graph[file].append((target, number))
            if name.parts[0] == "src":
                below = module_of(target, root)
                if target.relative_to(root).parts[0] != "src":
                    problem(number, f"the library must not include '{header}' from outside src/")
                elif module and below not in allowed[module]:
                    rest = ", ".join(sorted(allowed[module] - {module})) or "nothing else"
                    problem(number, f"'{module}' must not include '{header}'; it may include {rest}")

    for name, lines in too_long(root):
        problems.append(f"{name}:1: {lines} lines; split it, or say in its first lines why ('Over {LINES} lines: ...')")

    if cycle := find_cycle(graph):
        steps = " -> ".join(str(file.relative_to(root)) for file, _ in cycle)
        file, line = cycle[0]
        problems.append(f"{file.relative_to(root)}:{line}: include cycle: {steps} -> {file.relative_to(root)}")
    return problems, len(files)


if __name__ == "__main__":
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parents[1]).resolve()
    problems, count = check(root)
    print(*problems, sep="\n", end="\n" if problems else "")
    print(f"{count} files: {len(problems)} problems")
    sys.exit(1 if problems else 0)
