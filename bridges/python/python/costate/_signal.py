"""Signals of inputs: what users give, in the form that the compiled part takes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from . import _data
from ._errors import DataError
from ._record import Record


class Sampler:
    """A function of the time in s that the compiled part samples on the grid of the steps, before a run begins."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function

    def __call__(self, name: str, interval: float, count: int) -> np.ndarray:
        times = np.arange(count) * interval
        values = self.at_once(times)
        if values is None:
            values = np.array([self.one(name, time) for time in times.tolist()])
        return values

    def at_once(self, times: np.ndarray) -> np.ndarray | None:
        """Calls the function with all times; None if it takes only single times."""
        try:
            values = np.asarray(self.function(times.copy()), dtype=float)
            if values.shape != times.shape:
                return None
            # a function that mixes times, as a cumulative sum does, is one of single times
            for k in (len(times) // 3, len(times) - 1):
                one = float(self.function(float(times[k])))
                if not np.isclose(one, values[k], rtol=1e-9, atol=0.0, equal_nan=True):
                    return None
            return values
        except Exception:  # noqa: BLE001 - what single times raise, is raised below
            return None

    def one(self, name: str, time: float) -> float:
        """Calls the function with one time."""
        value = self.function(time)
        if isinstance(value, (str, bytes, complex)) or value is None:
            raise DataError(f"input `{name}`: the function returns {value!r} at {time} s; return a number")
        try:
            return float(value)
        except (TypeError, ValueError) as error:
            raise DataError(f"input `{name}`: the function returns {value!r} at {time} s: {error}") from None


def signal(name: str, given: Any, step: float | None) -> Any:
    """Returns the signal of an input in the form that the compiled part takes."""
    what = f"input `{name}`"
    if isinstance(given, Record):
        return (given._core, name, None)
    if callable(given):
        return Sampler(given)
    if isinstance(given, (tuple, list)) and len(given) in (2, 3):
        if isinstance(given[0], Record):
            if not all(isinstance(one, str) for one in given[1:]):
                raise DataError(f"{what}: give (record, channel) or (record, channel, interpolation)")
            return (given[0]._core, given[1], given[2] if len(given) == 3 else None)
        if len(given) == 3 and isinstance(given[2], str):
            return (*_data.samples(what, given[:2]), given[2])
        if len(given) == 2 and np.ndim(given[0]) == 1:
            return (*_data.samples(what, given), None)
    if _data.is_series(given):
        return (*_data.samples(what, given), None)
    if np.ndim(given) == 0:
        return _data.number(what, given)
    values = _data.numbers(what, given)
    if step is None:
        raise DataError(f"{what} is an array without times; give `step`, whose multiples are the times, or (t, y)")
    return (np.arange(len(values)) * step, values, None)
