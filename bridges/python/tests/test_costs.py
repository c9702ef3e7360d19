"""Costs with exact derivatives, and the optimisers of others."""

import numpy as np
import pytest

import costate
from conftest import sweep

NAMES = ["c", "d", "c_3", "m"]
SCALES = np.array([100e3, 40.0, 3e9, 20.0])


@pytest.fixture(scope="module")
def J(Mount, measured):
    return costate.cost(Mount(c=98e3), measured={"acceleration": measured}, unknown=NAMES, inputs={"drive": sweep})


def test_value_gradient_and_residuals_belong_together(J):
    x = J.x0
    value, gradient = J.value_and_gradient(x)
    r, jacobian = J.residuals(x), J.jacobian(x)
    assert J.names == NAMES and J.samples == len(r) == 4001 and jacobian.shape == (4001, 4) and J.step == 5e-4
    assert value == pytest.approx(0.5 * r @ r, rel=1e-12) == J(x)
    assert np.allclose(jacobian.T @ r, gradient, rtol=1e-9)
    rng = np.random.default_rng(0)
    w, v = rng.normal(size=4001), rng.normal(size=4) * SCALES
    assert np.allclose(J.vjp(x, w), jacobian.T @ w, rtol=1e-8)
    assert np.allclose(J.jvp(x, v), jacobian @ v, rtol=1e-9, atol=1e-9 * np.abs(jacobian @ v).max())


def test_derivatives_are_those_of_differences(J):
    x = J.x0
    gradient, jacobian = J.gradient(x), J.jacobian(x)
    for k in range(4):
        h = 1e-6 * SCALES[k]
        step = np.eye(4)[k] * h
        assert (J.value(x + step) - J.value(x - step)) / (2 * h) == pytest.approx(gradient[k], rel=1e-4)
        column = (J.residuals(x + step) - J.residuals(x - step)) / (2 * h)
        assert np.abs(column - jacobian[:, k]).max() < 1e-5 * np.abs(column).max()


def test_scipy_finds_the_parameters(Mount):
    optimize = pytest.importorskip("scipy.optimize")
    run = Mount().simulate(until=2.0, step=5e-4, inputs={"drive": sweep})
    start = Mount(c=95e3, d=35.0, c_3=2.8e9, m=20.5)
    J = costate.cost(start, measured={"acceleration": (run.t, run["acceleration"])}, unknown=NAMES, inputs={"drive": sweep})
    scaled = lambda f: lambda z: f(z * SCALES)  # noqa: E731
    found = optimize.least_squares(
        scaled(J.residuals), J.x0 / SCALES, jac=lambda z: J.jacobian(z * SCALES) * SCALES, xtol=1e-14, ftol=1e-14, gtol=1e-14
    )
    assert np.abs(found.x - 1.0).max() < 1e-9

    def scaled_gradient(z):
        value, gradient = J.value_and_gradient(z * SCALES)
        return value, gradient * SCALES

    found = optimize.minimize(scaled_gradient, J.x0 / SCALES, jac=True, method="L-BFGS-B", options={"ftol": 1e-15, "gtol": 1e-9})
    assert np.abs(found.x - 1.0).max() < 1e-4


def test_weights_and_quadratures(Mount, measured):
    def value(**more):
        data = costate.Measurement(measured, weight=4.0)
        return costate.cost(Mount(), measured={"acceleration": data}, unknown="c", inputs={"drive": sweep}, **more).value([9e4])

    assert value(quadrature="sum") == pytest.approx(value(quadrature="rectangle") / 5e-4, rel=1e-3)
    with pytest.raises(costate.DataError, match="quadrature"):
        value(quadrature="simpson")


def test_two_outputs_and_samples_between_steps(Mount):
    run = Mount().simulate(until=1.0, step=5e-4, inputs={"drive": sweep})
    t = np.linspace(0.1, 0.9, 77)
    measured = {name: (t, np.interp(t, run.t, run[name])) for name in ("acceleration", "travel")}
    J = costate.cost(Mount(c=90e3), measured=measured, unknown=["c"], inputs={"drive": sweep}, step=5e-4, until=1.0)
    x, w = J.x0, np.linspace(-1, 1, 154)
    assert J.samples == 154
    assert J.vjp(x, w) == pytest.approx(J.jacobian(x).T @ w, rel=1e-9)


def test_functions(Mount):
    f = costate.function(Mount(), until=0.1, step=1e-3, parameters=["c", "d"], inputs=["drive"], outputs=["travel", "acceleration"])
    x, u = f.x0, sweep(f.t)[None, :] + 50
    y = f(x, u)
    assert y.shape == (2, 101)
    run = Mount().simulate(until=0.1, step=1e-3, inputs={"drive": u[0]}, error_limit=None)
    assert np.array_equal(y[0], run["travel"])
    rng = np.random.default_rng(2)
    w, dx, du = rng.normal(size=y.shape), rng.normal(size=2) * [1e5, 40], rng.normal(size=u.shape)
    by_x, by_u = f.vjp(x, u, w)
    along = f.jvp(x, u, dx, du)
    assert np.sum(w * along) == pytest.approx(by_x @ dx + np.sum(by_u * du), rel=1e-8)
    h = 1e-5
    differences = (f(x + h * dx, u + h * du) - f(x - h * dx, u - h * du)) / (2 * h)
    assert np.abs(differences - along).max() < 1e-6 * np.abs(along).max()
    other = costate.function(Mount(), until=0.1, step=1e-3, parameters=["c"], signals={"drive": 50.0})
    assert other([1e5]).shape == (2, 101) and other.vjp([1e5], None, np.ones((2, 101)))[1].shape == (0, 101)


@pytest.mark.parametrize(
    "more, text",
    [
        ({"unknown": ["k"]}, "no parameter `k`"),
        ({"unknown": ["c", "c"]}, "twice"),
        ({"unknown": []}, "nothing"),
        ({"unknown": 3}, "unknown"),
        ({"measured": {"speed": ([0, 1], [0, 1])}}, "no output `speed`"),
        ({"measured": {"travel": ([0, 1], [0])}}, "travel"),
        ({"measured": {"travel": ([0, 1], ["a", "b"])}}, "travel"),
        ({"measured": {"travel": 3}}, "travel"),
        ({"measured": {}}, "measured"),
        ({"measured": None}, "measured"),
        ({"inputs": {}}, "drive"),
        ({"measured": {"travel": (costate.Record([0.0, 1.0], {"a": [0.0, 1.0]}, {"a": "kg"}), "a")}}, "kg"),
        ({"measured": {"travel": (costate.Record([0.0, 1.0], {"a": [0.0, 1.0]}), "b")}}, "b"),
    ],
)
def test_what_is_refused(Mount, measured, more, text):
    given = {"measured": {"acceleration": measured}, "unknown": ["c"], "inputs": {"drive": 0.0}, **more}
    with pytest.raises(costate.DataError, match=text):
        costate.cost(Mount(), **given)


def test_points_that_are_refused(J):
    for x in ([1.0], np.zeros((4, 1)), "x", None, [1, 2, 3, "c"], np.zeros(5), [1j] * 4):
        for method in (J.value, J.value_and_gradient, J.residuals, J.jacobian):
            with pytest.raises(costate.DataError):
                method(x)
    with pytest.raises(costate.DataError, match="w"):
        J.vjp(J.x0, [1.0])
    with pytest.raises(costate.Error):
        J.value([np.nan, 1, 1, 1])
    assert np.isfinite(J.value(J.x0))
