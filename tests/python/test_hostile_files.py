"""Files made to hurt: refused within a second and 100 MB, with the place; and `check` refuses what `run` refuses."""

import os
import subprocess
import sys

import pytest

from conftest import SANITIZED

MODEL = """\
name: pendulum
materials:
  steel: {E: 210e9, nu: 0.3, density: 7850}
  ply: {type: orthotropic, E1: 2e10, E2: 5e9, E3: 5e9, nu12: 0.3, nu13: 0.3, nu23: 0.3, G12: 1e9, G13: 1e9, G23: 1e9}
sections:
  strip: {type: rectangle, width: 0.02, thickness: 0.01}
  sheet: {type: layered, layers: [{thickness: 0.001, angle: 45}, {thickness: 0.001, angle: -45, material: steel}]}
bodies:
  beam: {element: beam3243, material: steel, section: strip, mesh: {type: line, from: [0, 0, 0], to: [1, 0, 0], elements: 2}}
  rod: {type: rigid, position: [0.5, 1, 0], mass: 2, inertia: [0.01, 0.2, 0.2]}
constraints:
  root: {type: clamp, at: beam.start}
joints:
  shaft: {type: revolute, a: ground, b: rod, point: [0, 1, 0], axis: [0, 0, 1]}
loads:
  weight: {type: gravity}
outputs:
  tip: {type: displacement, at: beam.end}
analysis: {type: dynamic, duration: 0.01, step: 1e-3}
"""


def tower(scalar, levels, width, one="*a%d"):
    text = "a0: &a0 " + scalar + "\n"
    for i in range(1, levels):
        text += f"a{i}: &a{i} [" + ", ".join([one % (i - 1)] * width) + "]\n"
    return text.encode()


HOSTILE = {
    "ten to the ninth": tower("[x, x, x, x, x, x, x, x, x, x]", 9, 10),
    "many aliases of one list": b"a: &a [" + b"1, " * 9999 + b"1]\nb: [" + b"*a, " * 9999 + b"*a]\n",
    "aliases of a long text": b"a: &a " + b"x" * 60000 + b"\nb: [" + b"*a, " * 9999 + b"*a]\n",
    "maps merged again and again": b"a0: &a0 {" + b", ".join(b"k%d: 1" % i for i in range(100)) + b"}\n"
    + b"".join(b"a%d: &a%d {<<: *a%d, x%d: *a%d}\n" % (i, i, i - 1, i, i - 1) for i in range(1, 40)),
    "anchors in anchors": b"".join(b"&a%d [" % i for i in range(90)) + b"1, " * 100000 + b"1" + b"]" * 90 + b"\n",
    "a merge key of aliases": b"a: &a {" + b", ".join(b"k%d: 1" % i for i in range(5000)) + b"}\nb: {<<: [" + b"*a, " * 5000 + b"*a]}\n",
    "a gigantic scalar": b"name: " + b"x" * (20 << 20) + b"\n",
    "a gigantic quoted scalar": b'name: "' + b"x" * (20 << 20) + b'"\n',
    "a gigantic key": b"x" * 1000000 + b": 1\n",
    "a long key above many values": b"bodies:\n  " + b"k" * 900 + b": [" + b"1, " * 100000 + b"1]\n",
    "a block scalar": b"name: |\n" + b"  line\n" * 100000,
    "brackets": b"[" * 1000000,
    "braces": b"{a: " * 300000,
    "dashes": b"- " * 300000,
    "question marks": b"? " * 300000,
    "colons": b"a:\n" + b":" * 300000,
    "indentation": b"".join(b" " * i + b"a:\n" for i in range(2000)),
    "tags": b"!" * 300000,
    "anchors": b"&a " * 300000,
    "quotes": b'"' * 300001,
    "comments": b"#" * (30 << 20),
    "a wide list": b"bodies:\n  b: [" + b"1, " * 15_000_000 + b"1]\n",
    "a long list": b"bodies:\n  b:\n" + b"  - 1\n" * 7_000_000,
    "newlines": b"\n" * (5 << 20) + b"x",
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_are_refused_at_once(lithe, name):
    file = lithe.folder / "model.yaml"
    file.write_bytes(HOSTILE[name])
    # A small process in between: the peak of a child counts the process that it was forked from.
    watch = """
import resource, subprocess, sys
done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL)
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
print(done.returncode, usage.ru_utime + usage.ru_stime, usage.ru_maxrss)
"""
    done = subprocess.run([sys.executable, "-c", watch, str(lithe.program), "check", str(file)], capture_output=True,
                          text=True, timeout=120)  # fmt: skip
    code, seconds, kibibytes = done.stdout.split()
    assert code == "2", done.stderr[:500]
    assert "model.yaml" in done.stderr and len(done.stderr) < 1000, done.stderr[:2000]
    if not SANITIZED:
        assert float(seconds) < 1
        assert int(kibibytes) < (100 << 10) + 3 * (os.path.getsize(file) >> 10)  # beside the text itself


TEXTS = [
    ("byte order mark", b"\xef\xbb\xbf" + MODEL.encode(), None),
    ("CRLF", MODEL.replace("\n", "\r\n").encode(), None),
    ("CR alone", MODEL.replace("\n", "\r").encode(), "model.yaml"),
    ("NUL", MODEL.replace("name: pendulum", "name: pen\0dulum").encode(), "model.yaml:1: the byte 0x00"),
    ("NUL by an escape", MODEL.replace("name: pendulum", 'name: "pen\\0dulum"').encode(), "model.yaml:1: name: the text holds"),
    ("escape of a bell", MODEL.replace("beam.end}", '"beam.\\aend"}').encode(), "control character 7"),
    ("overlong slash", MODEL.encode().replace(b"pendulum", b"pen\xc0\xafdulum"), "model.yaml:1: the byte 0xc0"),
    ("overlong in three", MODEL.encode().replace(b"pendulum", b"pen\xe0\x80\xafdulum"), "model.yaml:1: the byte 0xe0"),
    ("half of a pair", MODEL.encode().replace(b"pendulum", b"pen\xed\xa0\x80dulum"), "model.yaml:1: the byte 0xed"),
    ("beyond Unicode", MODEL.encode().replace(b"pendulum", b"pen\xf4\x90\x80\x80dulum"), "model.yaml:1: the byte 0xf4"),
    ("cut in a character", MODEL.encode() + b"# \xe2\x82", "the byte 0xe2"),
    ("tab", MODEL.replace("  steel", "\tsteel").encode(), "model.yaml:3:"),
    ("tab after a colon", MODEL.replace("name: pendulum", "name:\tpendulum").encode(), None),
    ("duplicate key", MODEL.replace("  ply:", "  steel:").encode(), "model.yaml:4: materials.steel: the key 'steel' is given twice (first in line 3)"),
    ("duplicate section", (MODEL + "name: again\n").encode(), "the key 'name' is given twice (first in line 1)"),
    ("name with a slash", MODEL.replace("  tip:", "  a/b:").encode(), "outputs.a/b: the name 'a/b' contains a '/'"),
    ("name with an escape", MODEL.replace("  tip:", '  "a\\nb":').encode(), "control character"),
    ("long name", MODEL.replace("  tip:", "  " + "n" * 150 + ":").encode(), "150 characters; 100 are the most"),
]  # fmt: skip


@pytest.mark.parametrize("content, message", [row[1:] for row in TEXTS], ids=[row[0] for row in TEXTS])
def test_texts(lithe, content, message):
    (lithe.folder / "model.yaml").write_bytes(content)
    done = lithe("check", "model.yaml")
    assert done.returncode == (2 if message else 0), done.stderr
    if message:
        assert message in done.stderr, done.stderr


# What only a run used to refuse: the change, and what both say.
REFUSED = [
    ("unknown solver", "step: 1e-3}", "step: 1e-3, solver: klx}", ["model.yaml:19: analysis.solver", "'klx' is not known", "did you mean 'klu'?"]),
    ("unknown ordering", "step: 1e-3}", "step: 1e-3, ordering: metsi}", ["model.yaml:19: analysis.ordering", "did you mean 'metis'?"]),
    ("ordering of another solver", "step: 1e-3}", "step: 1e-3, solver: klu, ordering: scotch}",
     ["model.yaml:19: analysis.ordering", "'klu' has no ordering 'scotch'", "it has: "]),
    ("solver of another kind of matrix", "step: 1e-3}", "step: 1e-3, solver: cholmod}\ntreatment: lagrange",
     ["analysis.solver", "'cholmod' is for positive definite matrices", "use 'auto'"]),
    ("infinite steps", "duration: 0.01", "duration: 1e90", ["model.yaml:19: analysis.step", "1e+93 steps", "at most"]),
    ("steps that vanish", "step: 1e-3}", "step: 1e-17, smallest_step: 1e-20}", ["model.yaml:19: analysis.step", "1e+15 steps"]),
    ("too many threads", "step: 1e-3}", "step: 1e-3, threads: 1000000}", ["model.yaml:19: analysis.threads", "0 (all cores) to 1024"]),
    ("negative threads", "step: 1e-3}", "step: 1e-3, threads: -1}", ["model.yaml:19: analysis.threads", "this is -1"]),
    ("a slash in the name of a body", "  rod:", "  a/b: {type: point_mass, mass: 1}\n  rod:", ["model.yaml:10: bodies.a/b"]),
    ("a rule of many points", "section: strip, mesh", "section: strip, formulation: continuum, quadrature: [64, 64, 64], mesh",
     ["model.yaml:9: bodies.beam.quadrature", "points an element"]),
]  # fmt: skip


@pytest.mark.parametrize("old, new, fragments", [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED])
def test_check_refuses_what_run_refuses(lithe, old, new, fragments):
    assert old in MODEL
    (lithe.folder / "model.yaml").write_text(MODEL.replace(old, new, 1))
    check, quiet, run = lithe("check", "model.yaml"), lithe("check", "-q", "model.yaml"), lithe("run", "model.yaml")
    for done in (check, quiet, run):
        assert done.returncode == 2, done.stderr
        assert done.stderr == check.stderr
    for fragment in fragments:
        assert fragment in check.stderr, check.stderr
    assert sorted(p.name for p in lithe.folder.iterdir()) == ["model.yaml"]


@pytest.mark.parametrize("arguments", [["--threads", "-1"], ["--threads", "1000000"], ["--threads", "1e3"],
                                       ["--threads", "99999999999999"], ["--checkpoint-every", "nan"],
                                       ["--checkpoint-every", "inf"], ["--checkpoint-every", "-1"],
                                       ["--set", "analysis.duration=nan"], ["--set", "analysis.duration=1e400"]])  # fmt: skip
def test_options_have_the_limits_of_the_file(lithe, arguments):
    (lithe.folder / "model.yaml").write_text(MODEL)
    done = lithe("run", "model.yaml", *arguments)
    assert done.returncode == 2, done.stderr
    assert arguments[0].lstrip("-") in done.stderr and arguments[1].split("=")[-1] in done.stderr
