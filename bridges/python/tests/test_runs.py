"""Simulations and their inputs."""

import math
import threading
import time

import numpy as np
import pytest

import costate
from conftest import MOUNT, sweep


def test_a_run_has_arrays(Mount):
    run = Mount().simulate(until=2.0, step=5e-4, inputs={"drive": sweep})
    assert len(run) == 4001 and run.steps == 4000 and run.step == 5e-4
    assert np.array_equal(run.t, np.arange(4001) * 5e-4)
    assert run.state_names == ["x", "dot(x)", "ddot(x)"] and run.states.shape == (3, 4001)
    assert np.array_equal(run["x"], run["travel"]) and np.array_equal(run["ddot(x)"], run["acceleration"])
    assert run["acceleration"].base is not None and not run["travel"].flags.writeable
    rate = np.gradient(run["x"], run.t)
    assert np.abs(rate - run["dot(x)"])[1:-1].max() < 1e-2 * np.abs(rate).max()
    with pytest.raises(costate.UnknownNameError, match="acceleration"):
        run["acceleratoin"]
    assert "Mount" in repr(run) and "travel" in run and "no" not in run


def test_signals_of_all_kinds_are_the_same(Mount):
    pandas = pytest.importorskip("pandas")
    t = np.arange(4001) * 5e-4
    u = sweep(t)
    expected = None
    record = costate.Record(t, {"drive": u / 1e3, "force": u}, {"drive": "kN", "force": "N"})
    signals = [
        sweep,
        lambda time: 500 * math.sin(60 * time * time),
        u,
        (t, u),
        (list(t), list(u), "straight"),
        pandas.Series(u, index=t),
        pandas.Series(u, index=pandas.to_timedelta(t, unit="s")),
        record,
        (record, "force"),
        (record, "force", "straight"),
    ]
    for signal in signals:
        run = Mount().simulate(until=2.0, step=5e-4, inputs={"drive": signal}, error_limit=None)
        if expected is None:
            expected = run["acceleration"]
        assert np.abs(run["acceleration"] - expected).max() < 1e-3, signal
    half = Mount().simulate(until=2.0, step=5e-4, inputs={"drive": (t[::2], u[::2], "cubic")})
    assert np.abs(half["acceleration"] - expected).max() < 0.1


def test_constants_and_steps_that_are_found(Mount):
    run = Mount().simulate(until=1.0, inputs={"drive": 100})
    assert run.accuracy().relative <= 2e-3
    again = Mount().simulate(until=1.0, inputs={"drive": sweep})
    assert again.accuracy().relative <= 2e-3
    adaptive = Mount().simulate(until=1.0, step=1e-2, inputs={"drive": 100}, tolerance=1e-4)
    assert len(adaptive) == 101
    assert abs(adaptive["travel"][-1] - run["travel"][-1]) < 1e-4


def test_accuracy_and_limits(Mount):
    run = Mount().simulate(until=1.0, step=1e-3, inputs={"drive": sweep})
    accuracy = run.accuracy()
    assert 0 < accuracy.relative < 0.05 and accuracy.order in (1, 2) and accuracy.worst
    assert accuracy.step_for(1e-4) < 1e-3 and accuracy.errors[0][0] == "x" and "acceleration" in str(accuracy)
    with pytest.raises(costate.SimulationError, match="step"):
        Mount().simulate(until=1.0, step=2e-2, inputs={"drive": sweep})
    assert len(Mount().simulate(until=1.0, step=2e-2, inputs={"drive": sweep}, error_limit=None)) == 51


def test_runs_of_high_order():
    rod = costate.model("""Rod { parameters { l: m = 1, c: N/m = 30 }
        coordinates { x: m, y: m, z: m } mass { x: 1[kg], y: 1[kg], z: 1[kg] } forces { z: -c*z }
        constraints { rod: (x^2 + y^2 - l^2)/(2*l) }
        initial { x = 1[m], dot(y) = 3[m/s], z = 0.1[m] }
        outputs { across: m = x } }""")()
    exact = np.cos(3.0 * 2.0)
    second, fourth = (abs(rod.simulate(until=2.0, step=0.02, order=order)["across"][-1] - exact) for order in (2, 4))
    assert fourth < 1e-2 * second < 1e-3
    with pytest.raises(costate.Error, match="order"):
        rod.simulate(until=2.0, step=0.02, order=7)
    with pytest.raises(costate.Error, match="order"):
        rod.simulate(until=2.0, step=0.02, order=4, tolerance=1e-6)


def test_schemes(Mount):
    runs = [
        Mount().simulate(until=0.5, step=5e-4, inputs={"drive": 100}, scheme=scheme)["travel"]
        for scheme in ("alpha", ("alpha", 0.5), ("hht", -0.1), "undamped", "hht")
    ]
    assert np.ptp([run[-1] for run in runs]) < 1e-5 and np.array_equal(runs[2], runs[4])
    with pytest.raises(costate.DataError, match="undamped"):
        Mount().simulate(until=0.5, step=5e-4, inputs={"drive": 100}, scheme="euler")
    with pytest.raises(costate.DataError):
        Mount().simulate(until=0.5, step=5e-4, inputs={"drive": 100}, scheme=("hht", 2.0))


def test_tables(tmp_path):
    text = """Damper {
        parameters { m: kg = 1, c: N/m = 100 }
        tables { force(v: m/s): N }
        coordinates { x: m }
        mass { x: m }
        forces { x: -c*x - force(dot(x)) }
        initial { x = 0.1[m] }
        outputs { travel: m = x }
    }"""
    Damper = costate.model(text)
    x = np.linspace(-5, 5, 101)
    run = Damper().simulate(until=1.0, step=1e-3, tables={"force": (x, 2.0 * x)})
    linear = costate.model(text.replace("tables { force(v: m/s): N }", "").replace("force(dot(x))", "2[N*s/m]*dot(x)"))
    assert np.abs(run["travel"] - linear().simulate(until=1.0, step=1e-3)["travel"]).max() < 1e-6
    path = tmp_path / "force.csv"
    np.savetxt(path, np.column_stack([x, 2 * x]), delimiter=",")
    other = Damper().simulate(until=1.0, step=1e-3, tables={"force": path})
    assert np.abs(run["travel"] - other["travel"]).max() < 1e-9
    with pytest.raises(costate.Error, match="force"):
        Damper().simulate(until=1.0, step=1e-3)
    with pytest.raises(costate.DataError, match="curve"):
        Damper().simulate(until=1.0, step=1e-3, tables={"force": (x, x, np.zeros((101, 101)))})
    with pytest.raises(costate.DataError, match="force"):
        Damper().simulate(until=1.0, step=1e-3, tables={"force": (x[::-1], x)})


@pytest.mark.parametrize(
    "given, text",
    [
        ({}, "drive"),
        ({"driv": 1.0}, "did you mean `drive`"),
        ({"drive": "sin"}, "drive"),
        ({"drive": None}, "drive"),
        ({"drive": np.nan}, "drive"),
        ({"drive": np.zeros((3, 3))}, "drive"),
        ({"drive": ([0, 1], [1.0])}, "drive"),
        ({"drive": ([0, 1], [1.0, np.nan])}, "drive"),
        ({"drive": ([1, 0], [1.0, 2.0])}, "drive"),
        ({"drive": ([0, 0.1], [1.0, 2.0])}, "drive"),
        ({"drive": ([0, 1], [1.0, 2.0], "wavy")}, "wavy"),
        ({"drive": np.array(["a", "b"])}, "drive"),
        ({"drive": np.array([1j, 2j])}, "drive"),
        ({"drive": lambda t: "x"}, "drive"),
        ({"drive": lambda t: None}, "drive"),
        ({"drive": lambda t: math.inf}, "drive"),
        ({"drive": lambda t: [1.0, 2.0, 3.0]}, "drive"),
        ([1.0], "dictionary"),
        ({1: 2.0}, "name"),
    ],
)
def test_inputs_that_are_refused(Mount, given, text):
    with pytest.raises(costate.DataError, match=text):
        Mount().simulate(until=1.0, step=1e-3, inputs=given)


@pytest.mark.parametrize("settings", [{"step": 0}, {"step": -1}, {"until": math.inf}, {"until": "1"}, {"step": 0.3}])
def test_settings_that_are_refused(Mount, settings):
    with pytest.raises(costate.Error):
        Mount().simulate(**{"until": 1.0, "step": 1e-3, "inputs": {"drive": 0.0}, **settings})


def test_what_a_function_raises_is_raised(Mount):
    class Mine(Exception):
        pass

    def function(t):
        raise Mine("here")

    with pytest.raises(Mine, match="here"):
        Mount().simulate(until=1.0, step=1e-3, inputs={"drive": function})
    Mount().simulate(until=1.0, step=1e-3, inputs={"drive": 0.0})


def test_conversions(Mount, Pendulum, tmp_path):
    run = Mount().simulate(until=0.5, step=1e-3, inputs={"drive": 100})
    frame = pytest.importorskip("pandas") and run.to_pandas()
    assert list(frame.columns) == ["acceleration", "travel"] and frame.attrs["units"]["travel"] == "m"
    record = run.record()
    assert record.channels == {"acceleration": "m/s^2", "travel": "m"} and np.array_equal(record["travel"], run["travel"])
    record.write_csv(tmp_path / "run.csv")
    again = costate.read(tmp_path / "run.csv")
    assert np.allclose(again["travel"], run["travel"], rtol=1e-12) and len(again) == len(run)
    assert again.between(0.1, 0.2).t[0] == pytest.approx(0.1) and again.resampled(0.01).t[1] == pytest.approx(0.01)
    swing = Pendulum().simulate(until=1.0, step=1e-3)
    swing.animate(tmp_path / "swing.html")
    assert "<" in swing.animate()._repr_html_() and (tmp_path / "swing.html").stat().st_size > 1000
    with pytest.raises(costate.Error):
        swing.animate(tmp_path / "swing.xyz")
    with pytest.raises(costate.DataError, match="nothing.csv"):
        costate.read(tmp_path / "nothing.csv")


def test_xarray_and_plots(Mount):
    run = Mount().simulate(until=0.5, step=1e-3, inputs={"drive": 100})
    pytest.importorskip("xarray")
    assert run.to_xarray()["travel"].attrs["units"] == "m"
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    assert len(run.plot()) == 2 and run.plot("travel")[0].get_ylabel() == "travel [m]"


def test_threads_run_at_the_same_time(Mount):
    long = {"until": 20.0, "step": 1e-4, "inputs": {"drive": 100}, "error_limit": None}

    def elapsed(threads):
        begun = time.perf_counter()
        workers = [threading.Thread(target=Mount().simulate, kwargs=long) for _ in range(threads)]
        [worker.start() for worker in workers]
        [worker.join() for worker in workers]
        return time.perf_counter() - begun

    # A loaded machine gets several trials.
    assert any(elapsed(2) < 1.9 * min(elapsed(1), elapsed(1)) + 0.2 for _ in range(5))
