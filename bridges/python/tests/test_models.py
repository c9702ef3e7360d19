"""Loading models, and their instances."""

import copy
import pickle
from pathlib import Path

import numpy as np
import pytest

import costate
from conftest import MOUNT, PENDULUM


def test_a_class_describes_the_model(Mount):
    assert list(Mount.parameters) == ["m", "c", "c_3", "d"]
    assert Mount.parameters["c"].unit == "N/m" and Mount.parameters["c"].default == 100e3
    assert "Mass of the machine" in Mount.parameters["m"].text and "hardens" in Mount.__doc__
    assert list(Mount.inputs) == ["drive"] and list(Mount.outputs) == ["acceleration", "travel"]
    assert list(Mount.coordinates) == ["x"] and not Mount.constraints and not Mount.tables
    assert "c [N/m]" in repr(Mount) and "c" in repr(Mount.parameters)
    assert "<table>" in Mount.parameters._repr_html_() and "<table>" in Mount()._repr_html_()


def test_parameters_are_keywords_attributes_and_items(Mount):
    m = Mount(c=80e3, d="0.05 kN*s/m")
    assert m.c == 80e3 and m.d == 50.0 and m["m"] == 20.0
    m.c = "90 [N/mm]"
    m["d"] = np.float32(41.0)
    assert (m.c, m.d) == (90e3, 41.0)
    assert repr(Mount()) == "Mount(m=20.0, c=100000.0, c_3=3000000000.0, d=40.0)"
    assert m != Mount() and Mount() == Mount()
    assert eval(repr(m), {"Mount": Mount}) == m
    assert np.array_equal(m.values, [20.0, 90e3, 3e9, 41.0])


@pytest.mark.parametrize("name, meant", [("C", "c"), ("c_33", "c_3")])
def test_unknown_names_are_named_with_the_nearest(Mount, name, meant):
    with pytest.raises(costate.UnknownNameError, match=f"no parameter `{name}`, did you mean `{meant}`") as raised:
        Mount(**{name: 1.0})
    assert raised.value.name == name and raised.value.kind == "parameter" and "d" in raised.value.available
    with pytest.raises(AttributeError):
        setattr(Mount(), name, 1.0)
    assert not hasattr(Mount(), "zeta")


@pytest.mark.parametrize("value", [None, "x", "3 parsec", "3 kg", [1.0], np.nan, 1j, True, b"1", 10**400])
def test_values_that_are_none(Mount, value):
    with pytest.raises(costate.DataError, match="`c`"):
        Mount(c=value)


def test_copies_and_pickles(Mount):
    m = Mount(c=80e3)
    for other in (copy.copy(m), copy.deepcopy(m), pickle.loads(pickle.dumps(m)), m.with_values()):
        assert repr(other) == repr(m) and other == m
        other.c = 1.0
        assert m.c == 80e3 != other.c and other != m
    again = pickle.loads(pickle.dumps(Mount))
    assert again.parameters == Mount.parameters
    text = pickle.dumps(m).replace(costate.__version__.encode(), b"9.9.9")
    with pytest.raises(costate.DataError, match="9.9.9"):
        pickle.loads(text)
    record = costate.Record([0.0, 1.0], {"a": [1.0, 2.0]}, {"a": "kN"}, name="bench")
    assert pickle.loads(pickle.dumps(record)).channels == {"a": "kN"}


def test_mistakes_have_places():
    with pytest.raises(costate.ModelError) as raised:
        costate.model(MOUNT.replace("- c*x -", "- k*x -"))
    error = raised.value
    lines = str(error).splitlines()
    assert error.line == 12 and "k*x" in lines[1]
    assert lines[2].index("^") == lines[1].index("k*x") and error.mistakes[0][0] == 12
    with pytest.raises(costate.ModelError, match="kg") as raised:
        costate.model("A {\n parameters { m: kg = 1, }\n coordinates { x: m }\n mass { x: m }\n forces { x: m } }")
    assert raised.value.line is not None
    with pytest.raises(costate.ModelError) as raised:
        costate.model("A { parameters { ( } }")
    assert raised.value.line == 1 and "^" in str(raised.value)


def test_files(tmp_path):
    path = tmp_path / "both.rs"
    path.write_text(f"costate::model! {{ {MOUNT} }}\ncostate::model! {{ {PENDULUM} }}")
    assert costate.load(path, "Pendulum").__name__ == "Pendulum"
    with pytest.raises(costate.ModelError, match="Mount"):
        costate.load(path)
    with pytest.raises(costate.ModelError, match="nothing.model"):
        costate.load(tmp_path / "nothing.model")
    with pytest.raises(costate.ModelError):
        costate.load(tmp_path)


def test_what_compiled_models_need_is_said(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with pytest.raises(costate.ModelError, match="mass") as raised:
        costate.model(MOUNT.replace("mass { x: m }", "mass { x: c }"), compiled=True)
    assert raised.value.line == 11
    monkeypatch.setenv("COSTATE_SOURCE", str(tmp_path))
    with pytest.raises(costate.ModelError, match=r"sources of costate, which are not in .*COSTATE_SOURCE"):
        costate.model(MOUNT, compiled=True)
    sources = Path(__file__).parents[3]
    monkeypatch.setenv("COSTATE_SOURCE", str(sources))
    monkeypatch.setenv("CARGO", str(tmp_path / "cargo"))
    with pytest.raises(costate.ModelError, match="need cargo, which is not found"):
        costate.model(MOUNT, compiled=True)


def test_structural_arguments():
    text = """Row(masses: usize = 2) {
        parameters { m: kg = 1, c: N/m = 100 }
        coordinates { x[1..=masses]: m }
        mass { for i in 1..=masses { x[i]: m } }
        forces { for i in 1..=masses { x[i]: -c*x[i] } }
        outputs { first: m = x[1] }
    }"""
    assert list(costate.model(text, arguments={"masses": 3}).coordinates) == ["x[1]", "x[2]", "x[3]"]
    with pytest.raises(costate.ModelError, match="size"):
        costate.model(text, arguments={"size": 3})
    with pytest.raises(costate.DataError, match="masses"):
        costate.model(text, arguments={"masses": 1.5})
    with pytest.raises(costate.ModelError):
        costate.model(text, arguments={"masses": -1})
