"""Fits by prediction errors."""

import numpy as np
import pytest

import costate


def driven(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Times and positions of an oscillator with c = 100, d = 2 that white noise drives with 0.5 m/s after a second."""
    random, inner, h = np.random.default_rng(seed), 20, 5e-4
    kicks = random.normal(0.0, 0.5 * np.sqrt(h), (2000, inner))
    x, v, positions = 0.0, 0.0, [0.0]
    for row in kicks:
        for kick in row:
            v += h * (-100.0 * x - 2.0 * v) + kick
            x += h * v
        positions.append(x)
    return np.arange(2001) * inner * h, np.array(positions) + random.normal(0.0, 1e-3, 2001)


@pytest.fixture(scope="module")
def Oscillator():
    return costate.model(
        """Oscillator {
            parameters { m: kg = 1, c: N/m = 80, d: N*s/m = 1 }
            coordinates { x: m }
            mass { x: m }
            forces { x: -c*x - d*dot(x) }
            initial { x = 0[m], dot(x) = 0[m/s] }
            outputs { position: m = x }
        }"""
    )


@pytest.mark.parametrize("seed", range(5))
def test_a_model_that_noise_drives_is_found(Oscillator, seed):
    found = costate.prediction_error(
        Oscillator(), unknown=["c", "d"], noise={"x": ("unknown", 0.1)}, measured={"position": driven(seed)}
    )
    values = {one["name"]: one for one in found.parameters}
    assert abs(values["c"]["value"] - 100.0) < 4.0 * values["c"]["deviation"] < 40.0
    assert abs(values["d"]["value"] - 2.0) < 4.0 * values["d"]["deviation"] < 6.0
    (drive,) = (one for one in found.noise if one["start"] == 0.1)
    assert abs(drive["value"] - 0.5) < 4.0 * drive["deviation"] < 0.4
    assert found.mean_square == pytest.approx(1.0, abs=0.1) and "c " in repr(found)


def test_a_sensor_that_drifts_is_found(Oscillator):
    times, positions = driven(7)
    walk = np.cumsum(np.random.default_rng(8).normal(0.0, 0.02 * np.sqrt(times[1]), times.size))
    found = costate.prediction_error(
        Oscillator(),
        unknown=["c", "d"],
        noise={"x": ("unknown", 0.1)},
        drift={"position": ("unknown", 0.1)},
        measured={"position": (times, positions + walk)},
    )
    (drift,) = (one for one in found.noise if one["name"] == "drift of position")
    assert abs(drift["value"] - 0.02) < 4.0 * drift["deviation"] < 0.04


@pytest.mark.parametrize(
    "more, text",
    [
        ({"noise": {"y": 0.1}}, "y"),
        ({"noise": {"x": -0.1}}, "noise of `x`"),
        ({"noise": {"x": ("guess", 0.1)}}, "noise of `x`"),
        ({"output_noise": {"speed": 0.1}}, "speed"),
        ({"drift": {"speed": 0.1}}, "speed"),
        ({"start_noise": {"x": 0.1}}, "start_noise"),
        ({"unknown": ["k"]}, "k"),
    ],
)
def test_what_is_refused(Oscillator, more, text):
    given = {"unknown": ["c"], "noise": {"x": 0.5}, "measured": {"position": driven(0)}, **more}
    with pytest.raises(costate.Error, match=text):
        costate.prediction_error(Oscillator(), **given)
