"""The numbers are those of the command `costate`, for the same model and record."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import costate
from conftest import MOUNT, PENDULUM, sweep

COMMAND = os.environ.get("COSTATE") or shutil.which("costate") or Path(__file__).parents[3] / "target/release/costate"

pytestmark = pytest.mark.skipif(not Path(COMMAND).exists(), reason="needs the command `costate`, which COSTATE names")


@pytest.fixture
def command(tmp_path):
    (tmp_path / "mount.model").write_text(MOUNT)
    (tmp_path / "pendulum.model").write_text(PENDULUM)

    def command(*arguments):
        done = subprocess.run([COMMAND, *arguments, "--json"], capture_output=True, text=True, cwd=tmp_path)
        assert done.stdout, done.stderr
        return json.loads(done.stdout)

    command.folder = tmp_path
    return command


def test_runs(command):
    Mount = costate.load(command.folder / "mount.model")
    run = Mount(c=90e3).simulate(until=1.0, step=1e-3, inputs={"drive": 100.0})
    command("run", "mount.model", "--until", "1", "--step", "1e-3", "-i", "drive=100", "-p", "c=90e3", "-o", "run.json")
    series = json.loads((command.folder / "run.json").read_text())["series"]
    for name in Mount.outputs:
        assert np.array_equal(series[name], run[name])
    swing = costate.load(command.folder / "pendulum.model")().simulate(until=1.0, step=1e-3)
    command("run", "pendulum.model", "--until", "1", "--step", "1e-3", "-o", "swing.json")
    assert np.array_equal(json.loads((command.folder / "swing.json").read_text())["series"]["height"], swing["height"])


def test_fits(command, measured):
    t, y = measured
    record = costate.Record(t, {"acceleration": y, "drive": sweep(t)}, {"acceleration": "m/s^2", "drive": "N"})
    record.write_csv(command.folder / "bench.csv")
    Mount = costate.load(command.folder / "mount.model")
    bench = costate.read(command.folder / "bench.csv")
    fit = costate.fit(Mount(c=80e3, d=20.0), unknown=["c", "d"], measured=bench, step=5e-4)
    values = ["-p", "c=80e3", "-p", "d=20", "--step", "5e-4"]
    said = command("fit", "mount.model", "--record", "bench.csv", "--unknown", "c,d", *values)
    for one in said["fit"]["parameters"]:
        own = fit.parameters[one["name"]]
        assert (one["found"], one["standard_deviation"]) == (own.found, own.deviation)
    assert np.array_equal(np.array(said["fit"]["covariance"]), fit.covariance)
    assert said["fit"]["cost_end"] == fit.cost and said["fit"]["iterations"] == fit.iterations


CAMPAIGN = """
[model]
file = "mount.model"
[parameters]
m = 20
[unknowns]
c = { start = "80[N/mm]", bounds = [5e4, 2e5] }
d = { start = 20, bounds = [1, 200] }
[run]
step = 5e-4
[[experiment]]
record = "bench.csv"
"""


@pytest.fixture
def bench(command, measured):
    t, y = measured
    record = costate.Record(t, {"acceleration": y, "drive": sweep(t)}, {"acceleration": "m/s^2", "drive": "N"})
    record.write_csv(command.folder / "bench.csv")
    return costate.read(command.folder / "bench.csv")


@pytest.mark.parametrize("more", ["", "[multistart]\nstarts = 3\nseed = 5\n"])
def test_campaigns(command, bench, more):
    path = command.folder / "campaign.toml"
    path.write_text(CAMPAIGN + more)
    fit = costate.campaign(path)
    said = command("fit", "campaign.toml")["fit"]
    for one in said["parameters"]:
        own = fit.parameters[one["name"]]
        assert (one["found"], one["standard_deviation"]) == (own.found, own.deviation)
    assert said["cost_end"] == fit.cost and said["iterations"] == fit.iterations
    assert fit.model.c == fit["c"] and type(fit.model).__name__ == "Mount" and fit.profiles("c").keys()


def test_campaigns_by_prediction_errors(command, bench):
    path = command.folder / "campaign.toml"
    bench.between(0.0, 0.1).write_csv(command.folder / "short.csv")
    path.write_text(CAMPAIGN.replace("bench.csv", "short.csv") + "[prediction_error]\nunknown_noise = { x = 0.1 }\n")
    found = costate.campaign(path)
    said = command("fit", "campaign.toml")["prediction_error"]
    assert {key: found[key] for key in said if key != "remarks"} == {key: said[key] for key in said if key != "remarks"}


def test_campaigns_that_are_refused(command, bench):
    path = command.folder / "campaign.toml"
    for old, new, text, line in [
        ("d = {", "q = {", "no parameter `q`", 8),
        ("80[N/mm]", "80[kg]", "kg", 7),
        ('record = "bench.csv"', 'record = "/etc/passwd"', "allow_files", 12),
        ("step", "steps", "did you mean `step`", 10),
    ]:
        path.write_text(CAMPAIGN.replace(old, new))
        with pytest.raises(costate.DataError, match=text) as error:
            costate.campaign(path)
        assert error.value.line == line
    path.write_text(CAMPAIGN.replace("mount.model", "none.model"))
    with pytest.raises(costate.ModelError, match="none.model"):
        costate.campaign(path)
    with pytest.raises(costate.DataError, match="none.toml"):
        costate.campaign(command.folder / "none.toml")


def test_spectra(command, bench):
    density = costate.spectra(bench, density="acceleration")[0]
    said = command("spectra", "bench.csv", "--density", "acceleration")["densities"][0]
    assert said["frequencies"] == list(density.frequencies) and said["densities"] == list(density.values)
    assert density.unit == said["unit"] and density.root_mean_square == pytest.approx(np.sqrt(np.mean(bench["acceleration"] ** 2)), rel=0.1)
    settings = ("--length", "512", "--window", "flat-top", "--overlap", "0.25", "--between", "5", "100", "--estimator", "h2")
    own = costate.spectra(
        bench, response=["acceleration"], input="drive", length=512, window="flat_top", overlap=0.25, between=(5, 100), estimator="h2"
    )[0]
    said = command("spectra", "bench.csv", "--response", "acceleration", "--input", "drive", *settings)["responses"][0]
    assert said["real"] == list(own.values.real) and said["imaginary"] == list(own.values.imag) and said["coherence"] == list(own.coherence)
    assert own.magnitudes.shape == own.phases.shape == own.deviations.shape
    made = costate.spectra(bench, map="acceleration", length=256)
    said = command("spectra", "bench.csv", "--map", "acceleration", "--length", "256")["map"]
    assert said["values"] == list(made.values.ravel()) and said["y"]["values"] == list(made.y.values) and made.x.name == "time"
    assert made.values.shape == (len(made.y.values), len(made.x.values))


def test_spectra_that_are_refused(bench):
    for given, text in [
        ({}, "give one of"),
        ({"density": "acceleration", "map": "drive"}, "give one of"),
        ({"response": "acceleration"}, "inputs"),
        ({"density": "nothing"}, "nothing"),
        ({"density": "drive", "window": "round"}, "flat_top"),
        ({"density": "drive", "length": 10**9}, "length|samples"),
        ({"map": "drive", "tacho": "drive"}, "threshold"),
        ({"density": "drive", "between": 3}, "pair"),
    ]:
        with pytest.raises(costate.DataError, match=text):
            costate.spectra(bench, **given)


def test_modes(command):
    said = command("modes", "mount.model")
    modes = costate.load(command.folder / "mount.model")().modes()
    assert [mode["frequency"] for mode in said["modes"]] == list(modes.frequencies)
