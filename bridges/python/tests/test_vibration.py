"""Positions of rest, modes and periodic responses."""

import numpy as np
import pytest

import costate


def test_rest_and_modes_of_the_mount(Mount):
    rest = Mount().equilibrium({"drive": 200.0})
    x = rest.coordinates["x"]
    assert 100e3 * x + 3e9 * x**3 == pytest.approx(200.0, rel=1e-9) and rest.is_stable and rest.growth < 0
    assert rest.outputs["travel"] == x and rest.outputs["acceleration"] == pytest.approx(0.0, abs=1e-9)
    mass, damping, stiffness = rest.matrices
    assert mass == [[20.0]] and damping == [[40.0]] and stiffness[0, 0] == pytest.approx(100e3 + 9e9 * x * x)
    modes = Mount().modes()
    assert len(modes) == 1 and modes[0].frequency == pytest.approx(np.sqrt(100e3 / 20) / (2 * np.pi))
    assert modes.damping_ratios[0] == pytest.approx(40 / (2 * np.sqrt(100e3 * 20)))
    assert modes.energy_shares(0)["c"][0] == pytest.approx(1.0) and "Hz" in repr(modes)
    assert rest.doubts == [] and "x" in repr(rest)


def test_frequency_responses(Mount):
    f = np.array([1.0, 5.0, 20.0])
    response = Mount().response(f, "drive", "travel")
    s = 2j * np.pi * f
    assert np.allclose(response.values, 1 / (20 * s**2 + 40 * s + 100e3)) and response.unit == "m/N"
    assert np.all(np.diff(response.phases) < 0) and response.magnitudes.shape == (3,)
    with pytest.raises(costate.UnknownNameError, match="travel"):
        Mount().response(f, "drive", "travl")


def test_periodic_responses(Mount):
    Still = costate.model(Mount.text.replace("outputs {", "initial { x = 0[m], dot(x) = 0[m/s] }\n outputs {"))
    found = Still().harmonic_balance([5.0, 10.0], "drive", [0.1e-3, 2e-3], output="travel", harmonics=5)
    assert np.array_equal(found.amplitudes, [0.1e-3, 2e-3]) and "Hz" in repr(found)
    omega = 2 * np.pi * 5.0
    for curve, amplitude in enumerate(found.amplitudes):
        stiffness = found.stiffness("travel", curve)[0]
        assert stiffness.real == pytest.approx(100e3 - 20 * omega**2 + 0.75 * 3e9 * amplitude**2, rel=1e-9)
        assert stiffness.imag == pytest.approx(40 * omega, rel=1e-9)
        assert abs(found.harmonic("travel", 1, curve)[0]) == pytest.approx(amplitude)
    assert found.frequencies()[0] == 5.0 and found.is_stable().all()
    driven = Still().harmonic_balance(np.linspace(5, 20, 16), "drive", 100.0)
    assert abs(driven.harmonic()[0]) == pytest.approx(100.0)
    with pytest.raises(costate.DataError, match="curve"):
        driven.frequencies(3)


def test_pendulums_hang(Pendulum, tmp_path):
    rest = Pendulum(start=0.1).equilibrium()
    assert rest.outputs["height"] == pytest.approx(-0.5)
    Pendulum().modes().animate(0, tmp_path / "mode.html")
    with pytest.raises(costate.SimulationError, match="unstable=True"):
        Pendulum(start=np.pi).equilibrium()
    assert Pendulum(start=np.pi).equilibrium(unstable=True).is_stable is False
    held = Pendulum().equilibrium(hold=["rod.angle"])
    assert held.holding["rod.angle"] != 0.0
    with pytest.raises(costate.UnknownNameError, match="rod.angle"):
        Pendulum().equilibrium(hold="rod.angel")
