"""Conversion of what users give - numbers, arrays, functions, series - into what the compiled part takes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ._errors import DataError


def numbers(what: str, given: Any, ndim: int = 1) -> np.ndarray:
    """Returns a contiguous array of real numbers, NaN where samples are missing."""
    try:
        array = np.asarray(given)
        if array.dtype.kind not in "fiubO" or (array.dtype.kind == "O" and array.size == 0):
            raise DataError(f"{what}: an array of {array.dtype} has no real numbers; give floats")
        shape = array.shape
        array = np.ascontiguousarray(array, dtype=float)
    except DataError:
        raise
    except (TypeError, ValueError, OverflowError) as error:
        raise DataError(f"{what}: {error}; give an array of numbers") from None
    if len(shape) != ndim:
        raise DataError(f"{what} has the shape {shape}; give an array of {ndim} dimension{'s' * (ndim > 1)}")
    return array


def number(what: str, given: Any, positive: bool = False) -> float:
    """Returns one finite number."""
    if isinstance(given, (str, bytes, bool, complex)) or given is None:
        raise DataError(f"{what}: {given!r} is no number")
    try:
        value = float(given)
    except (TypeError, ValueError, OverflowError) as error:
        raise DataError(f"{what}: {error}; give a number") from None
    if not np.isfinite(value):
        raise DataError(f"{what} is {value}; give a finite number")
    if positive and value <= 0.0:
        raise DataError(f"{what} is {value}; give a positive number")
    return value


def whole(what: str, given: Any, least: int = 0) -> int:
    """Returns an integer of at least `least`."""
    if isinstance(given, bool) or not isinstance(given, (int, np.integer)) or not least <= given < 2**63:
        raise DataError(f"{what} is {given!r}; give an integer of at least {least}")
    return int(given)


def names(what: str, given: Any) -> list[str]:
    """Returns a list of names."""
    given = [given] if isinstance(given, str) else given
    try:
        given = list(given)
    except TypeError:
        raise DataError(f"{what}: {given!r} is no list of names") from None
    for name in given:
        if not isinstance(name, str):
            raise DataError(f"{what}: {name!r} is no name")
    return given


def mapping(what: str, given: Any) -> dict[str, Any]:
    """Returns a dictionary with names as keys."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise DataError(f"{what}: a {type(given).__name__} has no names; give a dictionary {{name: ..}}")
    for name in given:
        if not isinstance(name, str):
            raise DataError(f"{what}: {name!r} is no name")
    return dict(given)


def seconds(what: str, index: Any) -> np.ndarray:
    """Returns the index of a pandas object as times in s; dates count from the first one."""
    kind = getattr(getattr(index, "dtype", None), "kind", "")
    if kind == "M":
        index = index - index[0]
        kind = "m"
    if kind == "m":
        return np.ascontiguousarray(index.total_seconds(), dtype=float)
    return numbers(f"the times of {what}", np.asarray(index))


def is_series(given: Any) -> bool:
    """Checks for a pandas Series, without an import."""
    return hasattr(given, "index") and hasattr(given, "to_numpy") and not hasattr(given, "columns")


def is_frame(given: Any) -> bool:
    """Checks for a pandas DataFrame, without an import."""
    return hasattr(given, "columns") and hasattr(given, "index") and hasattr(given, "to_numpy")


def samples(what: str, given: Any) -> tuple[np.ndarray, np.ndarray]:
    """Returns times in s and values of `(t, y)` or a pandas Series."""
    if is_series(given):
        times, values = seconds(what, given.index), numbers(what, given.to_numpy())
    elif isinstance(given, (tuple, list)) and len(given) == 2:
        times, values = numbers(f"the times of {what}", given[0]), numbers(what, given[1])
    else:
        raise DataError(f"{what}: a {type(given).__name__} is no signal; give (t, y) or a pandas Series")
    if len(times) != len(values):
        raise DataError(f"{what} has {len(values)} values for {len(times)} times; give one value for each time")
    return times, values


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
    from ._record import Record

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
            return (*samples(what, given[:2]), given[2])
        if len(given) == 2 and np.ndim(given[0]) == 1:
            return (*samples(what, given), None)
    if is_series(given):
        return (*samples(what, given), None)
    if np.ndim(given) == 0:
        return number(what, given)
    values = numbers(what, given)
    if step is None:
        raise DataError(f"{what} is an array without times; give `step`, whose multiples are the times, or (t, y)")
    return (np.arange(len(values)) * step, values, None)
