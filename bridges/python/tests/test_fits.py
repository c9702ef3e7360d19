"""Identifications."""

import os
import signal
import threading
import time

import numpy as np
import pytest

import costate
from conftest import sweep

TRUE = {"c": 100e3, "d": 40.0}


def fitted(Mount, data, **more):
    given = {"unknown": ["c", "d"], "measured": {"acceleration": data}, "inputs": {"drive": sweep}, **more}
    return costate.fit(Mount(c=80e3, d=20.0), **given)


def is_true(fit):
    return all(abs(fit[name] - value) < 5 * fit.parameters[name].deviation + 1e-6 * value for name, value in TRUE.items())


@pytest.fixture(scope="module")
def fit(Mount, measured):
    return fitted(Mount, measured)


def test_a_fit_has_everything(fit, Mount, tmp_path):
    assert is_true(fit) and fit.converged and fit.deviations_valid and fit.cost > 0 and fit.iterations > 0
    c = fit.parameters["c"]
    assert c.unit == "N/m" and c.start == 80e3 and not c.at_bound and float(c) == fit["c"]
    assert fit.covariance.shape == (2, 2) and fit.covariance[0, 0] == pytest.approx(c.deviation**2)
    assert fit.correlation[1, 1] == 1.0 and len(fit.history) > 1
    assert isinstance(fit.model, Mount) and fit.model.c == fit["c"] and fit.model.m == 20.0
    assert "c" in repr(fit) and "<table>" in fit._repr_html_() and "found" in repr(fit.parameters)
    assert fit.summary["model"] == "Mount" and fit.summary["parameters"][0]["found"] == fit["c"]
    fit.report(tmp_path / "fit.html")
    assert "<html" in (tmp_path / "fit.html").read_text()
    files = fit.write(tmp_path / "results")
    assert any(path.endswith("parameters.csv") for path in files)
    assert "acceleration" in fit.run() and len(fit.residuals("acceleration")) == 4001
    with pytest.raises(costate.DataError, match="not measured"):
        fit.residuals("travel")
    with pytest.raises(costate.DataError, match="nothing"):
        fit["nothing"]
    pytest.importorskip("pandas")
    assert fit.parameters.to_pandas().loc["c", "found"] == fit["c"]


def test_data_of_all_kinds_give_the_same(Mount, measured, fit):
    pandas = pytest.importorskip("pandas")
    t, y = measured
    frame = pandas.DataFrame({"acceleration": y, "drive": sweep(t)}, index=t)
    record = costate.Record(t, {"acceleration": y, "drive": sweep(t) / 1e3}, {"drive": "kN", "acceleration": "m/s^2"})
    for given, inputs in [
        ({"acceleration": pandas.Series(y, index=t)}, {"drive": sweep}),
        ({"acceleration": (record, "acceleration")}, {"drive": sweep}),
        (frame, {}),
        (record, {}),
        (frame.assign(time=t).reset_index(drop=True), None),
    ]:
        other = costate.fit(Mount(c=80e3, d=20.0), unknown=["c", "d"], measured=given, inputs=inputs)
        assert other["c"] == pytest.approx(fit["c"], rel=1e-7) and other["d"] == pytest.approx(fit["d"], rel=1e-6)


def test_bounds_priors_losses_and_starts(Mount, measured):
    bound = fitted(Mount, measured, bounds={"c": (50e3, 90e3)})
    assert bound["c"] == 90e3 and bound.parameters["c"].at_bound
    prior = fitted(Mount, measured, priors={"d": (40.0, 1e-6)})
    assert prior["d"] == pytest.approx(40.0, abs=1e-4)
    assert is_true(fitted(Mount, measured, loss="huber")) and is_true(fitted(Mount, measured, loss=("student", 5.0)))
    assert is_true(fitted(Mount, measured, method="gauss_newton", approach="single"))
    many = fitted(Mount, measured, bounds={"c": (50e3, 200e3, "log"), "d": (5.0, 100.0, 20.0)}, starts=4, seed=3)
    assert is_true(many) and len(many.summary["starts"]) == 4


def test_pieces(Mount):
    run = Mount().simulate(until=1.0, step=1e-3, inputs={"drive": sweep})
    y = run["travel"] + np.random.default_rng(2).normal(0.0, 1e-5, len(run))
    given = {"unknown": ["c", "d"], "measured": {"travel": (run.t, y)}, "inputs": {"drive": sweep}}
    far = Mount(c=20e3, d=20.0)
    pieces, single = costate.fit(far, pieces=20, **given), costate.fit(far, approach="single", **given)
    assert is_true(pieces) and "20 pieces" in repr(pieces) and "pieces" not in repr(single)
    assert pieces["c"] == pytest.approx(single["c"], rel=1e-6) and pieces.deviations_valid
    with pytest.raises(costate.DataError, match="one of them"):
        costate.fit(far, approach="single", pieces=20, **given)


def test_experiments(Mount):
    experiments = []
    for name, level in [("low", 1.0), ("high", 2.0), ("check", 1.5)]:
        drive = lambda t, level=level: level * sweep(t)  # noqa: E731
        run = Mount(m=20.0 + level).simulate(until=1.0, step=5e-4, inputs={"drive": drive})
        y = run["acceleration"] + np.random.default_rng(5).normal(0, 0.02, len(run))
        data = {"acceleration": costate.Measurement((run.t, y), without=[(0.2, 0.25)])}
        experiments.append(costate.Experiment(name, data, {"drive": drive}, validation=name == "check"))
    fit = costate.fit(Mount(c=90e3), unknown=["c", "m"], per_experiment=["m"], experiments=experiments[:2])
    assert fit["c"] == pytest.approx(100e3, rel=1e-3)
    assert fit["m [low]"] == pytest.approx(21.0, rel=1e-3) and fit["m [high]"] == pytest.approx(22.0, rel=1e-3)
    assert len(fit.run("high")) == 2001 and fit.model.m == 20.0
    left = fit.leave_one_out()
    assert left.keys() and "low" in repr(left)
    validated = costate.fit(Mount(c=90e3), unknown=["c"], experiments=experiments, approach="single")
    assert validated.summary["validation"]


def test_corrections(Mount, measured):
    t, y = measured
    data = costate.Measurement((t, 1.1 * y + 3.0), gain=costate.Correction(1.0, True), offset=costate.Correction(0.0, True))
    fit = fitted(Mount, measured, measured={"acceleration": data})
    assert len(fit.parameters) == 4 and fit["c"] == pytest.approx(100e3, rel=1e-3)


def test_profiles_and_bootstraps(fit):
    profiles = fit.profiles("c", points=4)
    assert profiles.all and "c" in repr(profiles) and "<pre>" in profiles._repr_html_()
    drawn = fit.bootstrap(8, seed=1)
    assert drawn.keys() and "c" in repr(drawn)
    assert fit.bootstrap(8, seed=1)._data == drawn._data
    assert "m" in repr(fit.known_parameters())
    with pytest.raises(AttributeError, match="there are"):
        drawn.nothing
    with pytest.raises(costate.DataError):
        fit.bootstrap(8, of="dice")


def test_unknown_inputs_and_tables(Mount):
    t = np.arange(1001) * 1e-3
    true = np.interp(t, [0.0, 0.5, 1.0], [0.0, 200.0, 50.0])
    run = Mount().simulate(until=1.0, step=1e-3, inputs={"drive": true})
    given = {"measured": {"acceleration": (t, run["acceleration"]), "travel": (t, run["travel"])}, "inputs": {"drive": 0.0}}
    fit = costate.fit(Mount(), unknown_inputs={"drive": (0.25, 100.0)}, **given)
    found = fit.inputs[0]
    assert np.abs(np.interp(t, found["times"], found["values"]) - true).max() < 2.0
    Damper = costate.model("""Damper {
        parameters { m: kg = 1, c: N/m = 100 }
        tables { force(v: m/s): N }
        coordinates { x: m }
        mass { x: m }
        forces { x: -c*x - force(dot(x)) }
        initial { x = 0.1[m], dot(x) = 0[m/s] }
        outputs { travel: m = x }
    }""")
    v = np.linspace(-1, 1, 9)
    run = Damper().simulate(until=2.0, step=1e-3, tables={"force": (v, 2 * v + v**3)})
    fit = costate.fit(Damper(), measured={"travel": (run.t, run["travel"])}, tables={"force": (v, 1.0 * v)}, unknown_tables={"force": 1.0})
    table = fit.tables["force"]
    inner = slice(1, -1)
    assert np.abs(np.array(table["values"]) - (2 * v + v**3))[inner].max() < 0.1
    with pytest.raises(costate.DataError, match="interval"):
        costate.fit(Mount(), unknown_inputs={"drive": 1.0}, **given)


def test_densities(Mount, measured):
    given = {"unknown": ["c", "d"], "measured": {"acceleration": measured}, "inputs": {"drive": sweep}}
    density = costate.density(Mount(), priors={"d": (40.0, 5.0)}, **given)
    assert density.names == ["c", "d", "deviation of acceleration"]
    value, gradient = density.value_and_gradient(density.x0)
    for k in range(3):
        step = np.eye(3)[k] * 1e-5 * density.scales[k]
        difference = (density(density.x0 + step) - density(density.x0 - step)) / (2 * step[k])
        assert difference == pytest.approx(gradient[k], rel=1e-4, abs=1e-4 * abs(value) / density.scales[k])
    with pytest.raises(costate.DataError):
        density([1.0])


def test_checks(Mount, measured):
    found = costate.check(Mount(), unknown=["c", "d"], measured={"acceleration": measured}, inputs={"drive": sweep})
    assert "c" in repr(found)


def test_progress(Mount, measured):
    seen = []
    fitted(Mount, measured, progress=lambda *given: seen.append(given))
    assert seen[0][0] == 0 and len(seen[0][2]) == 2 and seen[-1][1] < seen[0][1]
    fitted(Mount, measured, progress=True)

    def fails(*given):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fitted(Mount, measured, progress=fails)


def test_a_state_file_stays_after_an_interruption(Mount, measured, tmp_path):
    path = tmp_path / "fit.state"

    def stops(number, *rest):
        if number == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as raised:
        fitted(Mount, measured, progress=stops, state=path)
    assert set(raised.value.best) == {"c", "d"} and raised.value.cost > 0
    assert is_true(fitted(Mount, measured, state=path))


def interrupted(call, after):
    """Returns how late a call ends after Ctrl-C, in s, and its exception."""
    for _ in range(10):  # a loaded machine gets several trials
        timer = threading.Timer(after, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        begun = time.perf_counter()
        try:
            with pytest.raises(KeyboardInterrupt) as raised:
                call()
        finally:
            timer.cancel()
        late = time.perf_counter() - begun - after
        if late < 0.2:
            break
    return late, raised.value


def test_ctrl_c_ends_long_calls(Mount, measured):
    late, _ = interrupted(lambda: Mount().simulate(until=400.0, step=1e-4, inputs={"drive": 1.0}, error_limit=None), 0.3)
    assert late < 0.2
    t = np.arange(400001) * 5e-5
    y = np.sin(t)

    def long_fit():
        costate.fit(Mount(), unknown=["c", "d", "m", "c_3"], measured={"acceleration": (t, y)}, inputs={"drive": 1.0}, approach="single")

    late, error = interrupted(long_fit, 1.5)
    assert late < 0.2
    run = Mount().simulate(until=100.0, step=1e-4, inputs={"drive": 1.0}, error_limit=None)
    late, _ = interrupted(run.accuracy, 0.1)
    assert late < 0.2
    assert run.accuracy().relative > 0


@pytest.mark.parametrize(
    "more, text",
    [
        ({"unknown": ["zeta"]}, "zeta"),
        ({"bounds": {"c": (2.0, 1.0)}}, "lower"),
        ({"bounds": {"c": 1.0}}, "bounds"),
        ({"bounds": {"zeta": (1.0, 2.0)}}, "zeta"),
        ({"priors": {"c": 1.0}}, "prior"),
        ({"loss": "median"}, "loss"),
        ({"method": "newton"}, "method"),
        ({"weighting": "none"}, "weighting"),
        ({"starts": 0}, "starts"),
        ({"iterations": 1.5}, "iterations"),
        ({"experiments": []}, "experiment"),
        ({"scheme": 3}, "scheme"),
        ({"approach": "pieces"}, "automatic, single, growing"),
        ({"pieces": 0}, "pieces"),
        ({"pieces": 2.5}, "pieces"),
        ({"measured": {"acceleration": ([0.0, 1.0], [np.nan, np.nan])}}, "acceleration"),
    ],
)
def test_what_is_refused(Mount, measured, more, text):
    with pytest.raises(costate.Error, match=text):
        fitted(Mount, measured, **more)
    with pytest.raises(costate.DataError):
        costate.fit(3, unknown=["c"], measured={"a": measured})
