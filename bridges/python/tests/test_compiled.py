"""A model that is compiled, against the same one that is loaded."""

import os
import pickle
import shutil
from pathlib import Path

import numpy as np
import pytest

import costate
from conftest import LONG, MOUNT, sweep

# a build of minutes
pytestmark = [
    pytest.mark.skipif(shutil.which("cargo") is None, reason="cargo is not installed: nothing is compiled"),
    pytest.mark.skipif(not LONG, reason="COSTATE_LONG_TESTS is not set: nothing is compiled"),
]

TEXT = MOUNT.replace("outputs {", "initial { x = 0[m], dot(x) = 0[m/s] }\n outputs {")


@pytest.fixture(scope="module")
def Loaded():
    return costate.model(TEXT)


@pytest.fixture(scope="module")
def Compiled():
    os.environ.setdefault("COSTATE_SOURCE", str(Path(__file__).parents[3]))
    return costate.model(TEXT, compiled=True)


def close(found, expected):
    """Numbers that differ by rounding, relative to the largest one of their row."""
    found, expected = np.atleast_2d(found), np.atleast_2d(expected)
    scale = np.abs(expected).max(axis=1, keepdims=True)
    assert (scale > 0).all()
    return (np.abs(found - expected) <= 1e-12 * scale).all()


def test_compiled_models_have_the_same_numbers(Loaded, Compiled):
    models = [Loaded(c=90e3), Compiled(c=90e3)]
    one, other = (model.simulate(until=0.5, step=5e-4, inputs={"drive": sweep}) for model in models)
    assert close(other.outputs, one.outputs) and close(other.states, one.states)
    given = {"until": 0.5, "step": 5e-4, "parameters": ["c", "d"], "inputs": ["drive"]}
    one, other = (costate.function(model, **given) for model in models)
    x, u, w = np.array([95e3, 38.0]), sweep(one.t)[None, :], np.random.default_rng(2).normal(size=(2, one.samples))
    assert close(other(x, u), one(x, u))
    for product, expected in zip(other.vjp(x, u, w), one.vjp(x, u, w)):
        assert close(product, expected)
    one, other = (model.response(np.linspace(5, 20, 7), "drive", "travel").values for model in models)
    assert np.allclose(other, one, rtol=1e-12, atol=0)


def test_records_go_from_one_library_to_the_other(Loaded, Compiled, measured):
    record = costate.Record(measured[0], {"acceleration": measured[1]}, units={"acceleration": "m/s^2"})
    given = {"unknown": ["c", "d"], "inputs": {"drive": sweep}}
    one, other = (costate.fit(model(c=80e3), measured=record, **given) for model in (Loaded, Compiled))
    # a record of the compiled model, for the loaded one
    again = costate.fit(Loaded(c=80e3), measured=other.run(), **given)
    for name in ("c", "d"):
        assert other[name] == pytest.approx(one[name], rel=1e-6) and again[name] == pytest.approx(one[name], rel=1e-4)
    given = {"noise": {"acceleration": 0.05}, "inputs": {"drive": sweep}, "follow": ["c"]}
    one, other = (model().filter(record, **given) for model in (Loaded, Compiled))
    assert np.allclose(other["c"], one["c"], rtol=1e-9, atol=0)


def test_compiled_models_are_copied_and_kept(Loaded, Compiled):
    assert Compiled() != Loaded() and repr(Compiled()) == repr(Loaded())
    again = pickle.loads(pickle.dumps(Compiled(c=7e4)))
    assert again == Compiled(c=7e4)
    assert type(again)._library is Compiled._library is not Loaded._library
    with pytest.raises(costate.UnknownNameError, match="travle"):
        Compiled().response([1.0], "drive", "travle")
