"""Runs in JAX: `f = costate.jax.wrap(costate.function(..))`, then `f(x, u)` in `jax.grad`, `jax.jit`, `jax.vmap`.

Runs are called back from JAX with exact products of their derivatives. Derivatives are those of reverse mode; numbers are
of double precision, which `jax.config.update("jax_enable_x64", True)` allows.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ._fit import Function


def wrap(function: Function) -> Callable[..., Any]:
    """Returns `f(x, u)` of arrays of JAX: x has the parameters, u a row of samples for each input."""
    samples, inputs = function.samples, len(function.inputs)
    shape = (len(function.outputs), samples)

    def batched(call: Callable[..., Any], *arguments: Any) -> Any:
        """Calls with each entry of a batch, in threads: runs work without the lock of the interpreter."""
        arguments = tuple(np.asarray(argument, dtype=float) for argument in arguments)
        own = (1, 2, 2)[: len(arguments)]
        lead = np.broadcast_shapes(*(argument.shape[: argument.ndim - n] for argument, n in zip(arguments, own)))
        if not lead:
            return call(*arguments)
        wide = [
            np.broadcast_to(argument, lead + argument.shape[argument.ndim - n :]).reshape((-1, *argument.shape[argument.ndim - n :]))
            for argument, n in zip(arguments, own)
        ]
        with ThreadPoolExecutor() as threads:
            results = list(threads.map(call, *wide))
        if isinstance(results[0], tuple):
            return tuple(np.stack(part).reshape(lead + part[0].shape) for part in zip(*results))
        return np.stack(results).reshape(lead + results[0].shape)

    def described(*shapes: tuple[int, ...]) -> Any:
        return tuple(jax.ShapeDtypeStruct(one, jnp.float64) for one in shapes)

    @jax.custom_vjp
    def run(x: Any, u: Any) -> Any:
        return jax.pure_callback(
            lambda x, u: batched(function, x, u), described(shape)[0], x, u, vmap_method="broadcast_all"
        )

    def forward(x: Any, u: Any) -> Any:
        return run(x, u), (x, u)

    def backward(saved: Any, weights: Any) -> Any:
        x, u = saved
        return jax.pure_callback(
            lambda x, u, w: batched(function.vjp, x, u, w),
            described(x.shape, (inputs, samples)), x, u, weights, vmap_method="broadcast_all",
        )

    run.defvjp(forward, backward)

    def call(x: Any, u: Any = None) -> Any:
        if not jax.config.jax_enable_x64:
            raise ValueError('runs need double precision: jax.config.update("jax_enable_x64", True)')
        u = jnp.zeros((inputs, samples)) if u is None else jnp.asarray(u, dtype=jnp.float64)
        return run(jnp.asarray(x, dtype=jnp.float64), u)

    return call
