"""Runs in PyTorch: `f = costate.torch.wrap(costate.function(..))`, then `f(x, u).sum().backward()`.

Tensors are of double precision, on the CPU.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from ._fit import Function


def wrap(function: Function) -> Callable[..., torch.Tensor]:
    """Returns `f(x, u)` of tensors: x has the parameters, u a row of samples for each input."""

    class Run(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: torch.Tensor, u: torch.Tensor) -> torch.Tensor:
            ctx.save_for_backward(x, u)
            return torch.from_numpy(np.array(function(x.detach().numpy(), u.detach().numpy())))

        @staticmethod
        @torch.autograd.function.once_differentiable
        def backward(ctx: Any, weights: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
            x, u = ctx.saved_tensors
            by_x, by_u = function.vjp(x.detach().numpy(), u.detach().numpy(), weights.detach().contiguous().numpy())
            return torch.from_numpy(by_x), torch.from_numpy(by_u)

    def call(x: Any, u: Any = None) -> torch.Tensor:
        x = torch.as_tensor(x, dtype=torch.float64)
        if u is None:
            u = torch.zeros((len(function.inputs), function.samples), dtype=torch.float64)
        return Run.apply(x, torch.as_tensor(u, dtype=torch.float64))

    return call
