"""Models of the tests."""

import os

import numpy as np
import pytest

import costate

# Tests of memory and of random calls are long where this is set, as before a release.
LONG = os.environ.get("COSTATE_LONG_TESTS", "0") not in ("", "0")

MOUNT = """
/// A machine on a mount that hardens, moved by its foundation.
pub Mount {
    parameters {
        /// Mass of the machine.
        m: kg = 20,
        c: N/m = 100e3, c_3: N/m^3 = 3e9, d: N*s/m = 40
    }
    inputs { drive: N }
    coordinates { x: m }
    mass { x: m }
    forces { x: drive - c*x - c_3*x^3 - d*dot(x) }
    outputs { acceleration: m/s^2 = ddot(x), travel: m = x }
}
"""

PENDULUM = """
Pendulum {
    parameters { m: kg = 1, l: m = 0.5, g: m/s^2 = 9.81, start: rad = 0.7 }
    gravity { (0, -g) }
    bodies { rod: planar { mass: m, inertia: m*l^2/12, shape: box(0.04[m], l) } }
    joints { pin: revolute(ground, rod.at(0, l/2)) }
    initial { rod.angle = start }
    outputs { height: m = rod.at(0, -l/2).position.y }
}
"""


def sweep(t):
    return 500 * np.sin(60 * t * t)


@pytest.fixture(scope="session")
def Mount():
    return costate.model(MOUNT)


@pytest.fixture(scope="session")
def Pendulum():
    return costate.model(PENDULUM)


@pytest.fixture(scope="session")
def measured(Mount):
    """A measurement of the acceleration, with noise."""
    run = Mount().simulate(until=2.0, step=5e-4, inputs={"drive": sweep})
    noise = np.random.default_rng(1).normal(0.0, 0.05, len(run))
    return run.t, run["acceleration"] + noise
