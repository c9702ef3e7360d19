"""Runs in PyTensor and PyMC: `f = costate.pytensor.wrap(costate.function(..))`, then `f(x, u)` in a model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytensor.tensor as pt
from pytensor.graph.basic import Apply
from pytensor.graph.op import Op

from ._fit import Function


class _Products(Op):
    """The products of the derivatives of a run with weights of its outputs."""

    def __init__(self, function: Function) -> None:
        self.function = function

    def make_node(self, x: Any, u: Any, weights: Any) -> Apply:
        return Apply(self, [x, u, weights], [pt.dvector(), pt.dmatrix()])

    def perform(self, node: Apply, inputs: Any, outputs: Any) -> None:
        outputs[0][0], outputs[1][0] = self.function.vjp(*inputs)


class _Run(Op):
    """A run."""

    def __init__(self, function: Function) -> None:
        self.function, self.products = function, _Products(function)

    def make_node(self, x: Any, u: Any) -> Apply:
        return Apply(self, [x, u], [pt.dmatrix()])

    def perform(self, node: Apply, inputs: Any, outputs: Any) -> None:
        outputs[0][0] = np.array(self.function(*inputs))

    def pullback(self, inputs: Any, outputs: Any, cotangents: Any) -> Any:
        return self.products(*inputs, cotangents[0])

    def grad(self, inputs: Any, output_gradients: Any) -> Any:
        return self.products(*inputs, output_gradients[0])


def wrap(function: Function) -> Callable[..., Any]:
    """Returns `f(x, u)` of variables of PyTensor: x has the parameters, u a row of samples for each input."""
    run = _Run(function)

    def call(x: Any, u: Any = None) -> Any:
        if u is None:
            u = np.zeros((len(function.inputs), function.samples))
        return run(pt.cast(pt.as_tensor_variable(x), "float64"), pt.cast(pt.as_tensor_variable(u), "float64"))

    return call
