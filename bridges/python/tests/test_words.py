"""Messages of the library are worded for Python: none names a call of Rust."""

import re
from pathlib import Path

import pytest

from costate import _costate

ROOT = Path(__file__).resolve().parents[3]

# What Python has nothing of: unknown inputs and tables, costs of spectra, restoring forces, reports of stiffness, MPI.
OF_PROGRAMS = (
    "runtime/filter/src/restoring_force/",
    "runtime/identify/src/density.rs",
    "runtime/identify/src/input_noise.rs",
    "runtime/identify/src/distributed/",
    "runtime/identify/src/refinement/",
    "runtime/vibration/src/stiffness/",
)
PARTS_OF_PROGRAMS = (
    "make them with `Series::zeros",
    "`Problem::with_steps_for`",
    "`.table(StartingTable::curve(",
    "the workspace belongs to another function",
)
SOURCES = (
    "macros/contract", "runtime/numerics", "runtime/view", "runtime/measure", "runtime/ensemble", "runtime/optimize",
    "runtime/system", "runtime/kernel", "runtime/interpreter", "runtime/vibration", "runtime/cost", "runtime/filter",
    "runtime/identify", "runtime/campaign",
)

TOKEN = re.compile(r'//[^\n]*|\'\\?"\'|"((?:[^"\\]|\\.)*)"', re.S)


def texts(source):
    """Returns the texts in quotes of a source, as they are shown."""
    for found in TOKEN.finditer(source.split("#[cfg(test)]\nmod tests {")[0]):
        if found[1] is not None:
            text = re.sub(r"\\\n\s*", "", found[1])
            yield re.sub(r"\\(.)", r"\1", text).replace("{{", "{").replace("}}", "}")


def names_a_call(text):
    return re.search(r"\.\w+\(", text) or re.search(r"\w::\w", text)


@pytest.mark.skipif(not (ROOT / "runtime").is_dir(), reason="needs the sources of costate")
def test_no_message_of_the_library_names_a_call():
    calls, left = 0, []
    for folder in SOURCES:
        for path in sorted((ROOT / folder / "src").rglob("*.rs")):
            name = path.relative_to(ROOT).as_posix()
            if "/tests" in name or name.startswith(OF_PROGRAMS):
                continue
            for text in texts(path.read_text()):
                if " " in text and names_a_call(text) and not any(own in text for own in PARTS_OF_PROGRAMS):
                    calls += 1
                    worded = _costate._worded(text)
                    if names_a_call(worded):
                        left.append(f"{name}: {worded}")
    assert not left, "words are missing in src/words.rs:\n" + "\n".join(left)
    assert calls > 30
