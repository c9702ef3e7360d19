"""Memory, processes and random calls. With COSTATE_LONG_TESTS=1 the counts are ten times as large."""

import gc
import multiprocessing
import pickle
import random
import subprocess
import sys

import numpy as np
import pytest

import costate
from conftest import LONG, MOUNT, sweep


def resident():
    """Returns the memory of this process in MB."""
    gc.collect()
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096 / 1e6


linux = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


@linux
def test_runs_and_interrupted_fits_keep_no_memory(Mount, measured):
    m = Mount()

    def run():
        m.simulate(until=0.05, step=1e-3, inputs={"drive": 1.0}, error_limit=None)["travel"]

    def interrupted():
        def stops(number, *rest):
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            costate.fit(
                m, unknown=["c"], measured={"travel": ([0.0, 0.01, 0.02], [0.0, 1.0, 2.0])}, inputs={"drive": 1.0},
                step=1e-3, progress=stops, ignore_check=True,
            )

    for call, count in [(run, 1000), (interrupted, 100)]:
        [call() for _ in range(count)]
        before = resident()
        [call() for _ in range(10 * count if LONG else count)]
        assert resident() - before < 5.0


def job(m):
    return float(m.simulate(until=0.1, step=1e-3, inputs={"drive": 100.0})["travel"][-1])


@pytest.mark.parametrize("method", ["spawn", pytest.param("fork", marks=linux)])
def test_processes(Mount, method):
    m = Mount(c=90e3)
    expected = job(m)
    # threads of the library exist before the fork
    costate.fit(m, unknown=["c"], measured={"travel": ([0.0, 0.05, 0.1], [0.0, 1e-3, 1e-3])}, inputs={"drive": 100.0},
                step=1e-3, ignore_check=True, bounds={"c": (1e4, 1e6)}, starts=3)
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map_async(job, [m] * 4).get(timeout=60) == [expected] * 4


def test_costs_and_functions_are_pickled(Mount, measured):
    J = costate.cost(Mount(), measured={"acceleration": measured}, unknown=["c"], inputs={"drive": 1.0})
    assert pickle.loads(pickle.dumps(J)).value([9e4]) == J.value([9e4])
    f = costate.function(Mount(), until=0.1, step=1e-3, parameters=["c"], inputs=["drive"])
    assert np.array_equal(pickle.loads(pickle.dumps(f))([9e4], np.ones((1, 101))), f([9e4], np.ones((1, 101))))


@linux
def test_import_is_fast():
    line = "import time, numpy; begun = time.perf_counter(); import costate; print(time.perf_counter() - begun)"
    times = []
    while len(times) < 20 and min(times, default=1.0) > 0.15:  # a loaded machine gets several trials
        times.append(float(subprocess.run([sys.executable, "-c", line], capture_output=True, check=True).stdout))
    assert min(times) < 0.15, times


@linux
def test_edited_texts_keep_little_memory():
    def edited(edit):
        costate.model(MOUNT.replace("- d*dot(x)", f"- {1 + 1e-6 * edit}*d*dot(x)"))

    [edited(edit) for edit in range(200)]
    before = resident()
    [edited(edit) for edit in range(1000, 2000)]
    assert resident() - before < 5.0


def test_random_calls(Mount, Pendulum, tmp_path, monkeypatch):
    """Sequences of calls with random arguments, the results of calls before among them, end in results or in errors of
    Python, and never end the interpreter."""
    monkeypatch.chdir(tmp_path)
    dice = random.Random(7)
    t = np.linspace(0, 0.02, 21)
    models = [Mount(), Pendulum()]
    things = [
        None, 0, 1, -1, 0.02, 1e-3, 1e-2, 1e300, -0.0, np.nan, np.inf, True, "c", "drive", "travel", "acceleration", "80 N/mm", b"x",
        "", "x" * 1000, "\x00\x1b[31m", 1j, 10**30, [], (), {}, {"drive": 1.0}, {"c": (1e4, 1e6)}, {"travel": (t, t)}, (t, t), t,
        t[::-1], t[::2], t.astype(np.float32), np.arange(21), np.zeros((3, 3)), np.zeros(0), np.array(["a"]), np.array(1.0),
        np.array([None, 1]), lambda t: 1.0, lambda t: t, lambda t: "x", lambda: 0, object(), Mount, Mount(), ["c"], ["c", "d"],
        ["c", 3], {"c"}, range(21), costate.Record(t, {"travel": t, "drive": t}), "hht", ("hht", -0.1), ("alpha", 2), iter([1.0]),
        sweep, int, Exception(), float("1e-320"),
    ]
    good = {"measured": {"travel": (t, t)}, "inputs": {"drive": 1.0}, "step": 1e-3, "ignore_check": True}
    m = models[0]
    run = m.simulate(until=0.02, step=1e-3, inputs={"drive": 1.0})
    found = costate.fit(m, unknown=["c"], iterations=2, **good)
    begin = [
        m, run, run.record(), run.animate(), found, found.parameters, found.run(), costate.cost(m, unknown=["c"], **good),
        costate.density(m, unknown=["c"], **good), costate.function(m, until=0.02, step=1e-3, parameters=["c"], inputs=["drive"]),
        costate.check(m, unknown=["c"], **good), m.equilibrium(), m.modes(), m.response([1.0], "drive", "travel"),
        m.filter({"travel": (t, t)}, noise={"travel": 1.0}, inputs={"drive": 1.0}, step=1e-3), run.accuracy(), type(m).parameters,
        costate.Record(np.arange(200) * 1e-3, {"a": np.random.default_rng(0).normal(size=200)}),
    ]
    made = []

    def any_():
        return dice.choice(made) if made and dice.random() < 0.2 else dice.choice(things)

    def use(thing):
        """Takes any member of a thing, and calls it with random arguments."""
        names = [name for name in dir(type(thing)) if not name.startswith("_")]
        names += [name for name in ("__getitem__", "__len__", "__repr__", "__reduce__", "_repr_html_") if hasattr(thing, name)]
        member = getattr(thing, dice.choice(names))
        return member(*(any_() for _ in range(dice.randrange(3)))) if callable(member) else member

    def settings(*names):
        return {name: any_() for name in names if dice.random() < 0.3}

    def call():
        m = dice.choice(models)
        good = {"until": 0.02, "step": 1e-3, "inputs": {name: 1.0 for name in type(m).inputs}}
        fit = {"unknown": list(type(m).parameters)[1:2], "measured": {list(type(m).outputs)[-1]: (t, t)}, "inputs": good["inputs"], "step": 1e-3}
        calls = [
            lambda: type(m)(**{dice.choice(["c", "m", "q", "l"]): any_()}),
            lambda: setattr(m.with_values(), "m", any_()),
            lambda: m[any_()],
            lambda: m.simulate(**{**good, **settings("until", "step", "inputs", "tables", "scheme", "tolerance", "error_limit", "judge", "memory_limit", "order")}),
            lambda: m.simulate(**{**good, "inputs": {"drive": any_()}})[any_()],
            lambda: m.simulate(**{**good, "inputs": {"drive": (any_(), any_())}}),
            lambda: m.equilibrium(**settings("inputs", "hold", "start", "turning", "unstable", "tables")),
            lambda: m.response(any_(), "drive", "travel"),
            lambda: m.harmonic_balance(any_(), "drive", any_(), **settings("output", "harmonics", "mean", "stability")),
            lambda: costate.Record(any_(), any_(), **settings("units", "name")),
            lambda: costate.model(any_() if dice.random() < 0.5 else MOUNT[: dice.randrange(len(MOUNT))], **settings("name", "arguments")),
            lambda: getattr(costate.cost(m, **{**fit, **settings("unknown", "measured", "inputs", "step", "until", "quadrature", "bounds")}),
                            dice.choice(["value", "value_and_gradient", "residuals", "jacobian"]))(any_() if dice.random() < 0.5 else [1e5]),
            lambda: costate.cost(m, **fit).vjp(any_(), any_()),
            lambda: costate.function(m, **{**{k: good[k] for k in ("until", "step")}, **settings("parameters", "inputs", "outputs", "signals")})(any_(), any_()),
            lambda: costate.fit(m, iterations=2, **{**fit, **settings("unknown", "measured", "bounds", "priors", "loss", "weighting", "starts", "method", "per_experiment", "experiments", "quadrature")}),
            lambda: costate.Measurement(any_(), **settings("weight", "deviation", "windows", "without", "gain", "offset", "delay")),
            lambda: costate.Experiment(any_(), any_(), any_(), **settings("parameters", "step", "nothing")),
            lambda: pickle.loads(pickle.dumps(m)),
            lambda: costate.spectra(any_(), **settings("density", "response", "input", "map", "length", "window", "overlap", "between", "blows", "tacho")),
            lambda: costate.campaign(any_(), **settings("allow_files", "state", "progress")),
            lambda: m.filter(any_(), noise=any_(), **settings("follow", "inputs", "method", "smooth", "step")),
        ]
        own = [thing for thing in made if type(thing).__module__.startswith("costate")]
        return use(dice.choice(own)) if own and dice.random() < 0.6 else dice.choice(calls)()

    ended = {"result": 0}
    count = 10_000 if LONG else 1000
    for _ in range(count):
        made[:] = [dice.choice(begin)]
        for _ in range(dice.randrange(1, 6)):
            try:
                made.append(call())
                ended["result"] += 1
            except (costate.Error, TypeError, AttributeError, LookupError, ValueError, ImportError) as error:
                assert "defect of costate" not in str(error), error
                assert "\x1b" not in str(error)
                ended[type(error).__name__] = ended.get(type(error).__name__, 0) + 1
    assert ended["result"] > count / 2 and ended["DataError"] > count / 10, ended
