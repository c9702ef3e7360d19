"""Runs in JAX, PyTorch and PyTensor, where these are installed."""

import numpy as np
import pytest

import costate
from conftest import sweep

SCALES = np.array([1e5, 40.0])


@pytest.fixture(scope="module")
def f(Mount):
    return costate.function(Mount(), until=0.02, step=1e-3, parameters=["c", "d"], inputs=["drive"], outputs=["travel"])


@pytest.fixture(scope="module")
def u(f):
    return sweep(f.t)[None, :] + 50


def test_jax(f, u):
    jax = pytest.importorskip("jax")
    from jax.test_util import check_grads

    import costate.jax

    jax.config.update("jax_enable_x64", True)
    run = costate.jax.wrap(f)

    def scaled(z, v):
        return 1e4 * run(z * SCALES, 50 * v)

    check_grads(scaled, (np.array([1.0, 1.0]), u / 50), order=1, modes=["rev"], atol=1e-7, rtol=1e-7, eps=1e-4)
    many = np.array([[1.0, 1.0], [1.1, 0.9], [0.9, 1.2]])
    together = jax.jit(jax.vmap(scaled, in_axes=(0, None)))(many, u / 50)
    assert np.allclose(together, [scaled(one, u / 50) for one in many])
    gradients = jax.vmap(jax.grad(lambda z: scaled(z, u / 50).sum()))(many)
    assert np.allclose(gradients[1], jax.grad(lambda z: scaled(z, u / 50).sum())(many[1]))


def test_torch(f, u):
    torch = pytest.importorskip("torch")
    import costate.torch

    run = costate.torch.wrap(f)
    z = torch.ones(2, dtype=torch.float64, requires_grad=True)
    v = torch.tensor(u / 50, requires_grad=True)
    scales = torch.tensor(SCALES)
    assert torch.autograd.gradcheck(lambda z, v: 1e4 * run(z * scales, 50 * v), (z, v), eps=1e-4, atol=1e-7, rtol=1e-7)


def test_pytensor(f, u):
    pytensor = pytest.importorskip("pytensor")
    from pytensor.gradient import verify_grad

    import costate.pytensor

    run = costate.pytensor.wrap(f)
    verify_grad(
        lambda z, v: 1e4 * run(z * SCALES, 50 * v), [np.array([1.0, 1.0]), u / 50], rng=np.random.default_rng(1),
        eps=1e-7, rel_tol=1e-7, abs_tol=1e-7,
    )
    assert pytensor
